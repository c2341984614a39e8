package kernel

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"

	"github.com/gokernel/gokernel/kernel/transport"
)

// Connection is the content of a connection file. If a port is 0, the kernel chooses one.
type Connection struct {
	Transport       string `json:"transport"` // tcp or ipc; default tcp
	IP              string `json:"ip"`        // for ipc, the path to which "-port" is appended
	ShellPort       int    `json:"shell_port"`
	IOPubPort       int    `json:"iopub_port"`
	StdinPort       int    `json:"stdin_port"`
	ControlPort     int    `json:"control_port"`
	HBPort          int    `json:"hb_port"`
	Key             string `json:"key"`
	SignatureScheme string `json:"signature_scheme"` // default hmac-sha256
	// These fields are the keys of CurveZMQ, encoded in Z85. If they are set, all sockets encrypt
	// messages and reject clients that don't.
	CurvePublic string `json:"curve_publickey,omitempty"`
	CurveSecret string `json:"curve_secretkey,omitempty"`
}

// Keys returns the keys of CurveZMQ, or nil if the connection has none.
func (c Connection) Keys() (*transport.Keys, error) {
	if c.CurvePublic == "" && c.CurveSecret == "" {
		return nil, nil
	}
	var k transport.Keys
	var err error
	if k.Public, err = transport.ParseKey(c.CurvePublic); err != nil {
		return nil, fmt.Errorf("kernel: connection: curve_publickey: %w", err)
	}
	if k.Secret, err = transport.ParseKey(c.CurveSecret); err != nil {
		return nil, fmt.Errorf("kernel: connection: curve_secretkey: %w", err)
	}
	return &k, nil
}

// ReadConnection reads a connection file.
func ReadConnection(path string) (Connection, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return Connection{}, fmt.Errorf("kernel: connection file: %w", err)
	}
	var c Connection
	if err := json.Unmarshal(b, &c); err != nil {
		return c, fmt.Errorf("kernel: connection file %s: %w", path, err)
	}
	return c, c.check()
}

func (c *Connection) check() error {
	for _, p := range []int{c.ShellPort, c.IOPubPort, c.StdinPort, c.ControlPort, c.HBPort} {
		if p < 0 || p > 65535 {
			return fmt.Errorf("kernel: connection: a port must be between 0 and 65535, got %d", p)
		}
	}
	if c.Transport == "" {
		c.Transport = "tcp"
	}
	if c.IP == "" {
		if c.Transport == "ipc" {
			return errors.New("kernel: connection: transport ipc needs ip: set it to the path of the sockets")
		}
		c.IP = "127.0.0.1"
	}
	_, err := c.Keys()
	return err
}

// Dial connects to a socket of the kernel as a client does. The connection is encrypted if c has
// keys.
func (c Connection) Dial(ctx context.Context, port int, kind transport.Kind, identity string) (*transport.Conn, error) {
	keys, err := c.Keys()
	if err != nil {
		return nil, err
	}
	return transport.Dial(ctx, c.Transport, c.IP, port, kind, identity, keys)
}

// Write writes the connection file, readable by the user only. If the file already exists, Write
// keeps the fields that Connection does not have.
func (c Connection) Write(path string) error {
	all := map[string]any{}
	if old, err := os.ReadFile(path); err == nil {
		// A file that is not JSON is replaced.
		_ = json.Unmarshal(old, &all)
	}
	own, err := json.Marshal(c)
	if err != nil {
		return fmt.Errorf("kernel: connection file: %w", err)
	}
	if err := json.Unmarshal(own, &all); err != nil {
		return fmt.Errorf("kernel: connection file: %w", err)
	}
	b, err := json.MarshalIndent(all, "", "  ")
	if err != nil {
		return fmt.Errorf("kernel: connection file: %w", err)
	}
	// CreateTemp creates the file with mode 0600. Because a rename is atomic, clients see the whole
	// file or no file.
	f, err := os.CreateTemp(filepath.Dir(path), ".connection-*")
	if err != nil {
		return fmt.Errorf("kernel: connection file: %w", err)
	}
	_, werr := f.Write(append(b, '\n'))
	if err := errors.Join(werr, f.Close()); err != nil {
		os.Remove(f.Name())
		return fmt.Errorf("kernel: connection file: %w", err)
	}
	if err := os.Rename(f.Name(), path); err != nil {
		os.Remove(f.Name())
		return fmt.Errorf("kernel: connection file: %w", err)
	}
	return nil
}

// bind listens on the five ports, in the order of the variable ports. It chooses port numbers for
// ports that are 0, stores these numbers, and reports whether it chose any.
func (c *Connection) bind() (lns [5]net.Listener, chosen bool, err error) {
	ports := c.ports()
	next := 1
	for i, p := range ports {
		want := *p
		lns[i], *p, err = transport.Listen(c.Transport, c.IP, want, next)
		if err != nil {
			for _, ln := range lns[:i] {
				ln.Close()
			}
			return lns, false, fmt.Errorf("kernel: %w", err)
		}
		if want == 0 {
			chosen = true
			next = *p + 1
		}
	}
	return lns, chosen, nil
}

func (c *Connection) ports() [5]*int {
	return [5]*int{&c.ShellPort, &c.IOPubPort, &c.StdinPort, &c.ControlPort, &c.HBPort}
}
