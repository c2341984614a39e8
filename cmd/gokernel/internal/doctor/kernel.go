package doctor

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/gokernel/gokernel/kernel"
	"github.com/gokernel/gokernel/kernel/msg"
	"github.com/gokernel/gokernel/kernel/transport"
	"github.com/gokernel/gokernel/kernel/wire"
)

// kernelTimeout bounds the start of a kernel and one cell: a virus scanner may scan the program
// first.
const kernelTimeout = time.Minute

// checkKernel starts the program as Jupyter does, with a connection file, and runs
// a cell over its sockets.
func checkKernel(ctx context.Context, p Patient) []Finding {
	const name = "kernel"
	ctx, cancel := context.WithTimeout(ctx, kernelTimeout)
	defer cancel()
	start := time.Now()
	up, err := tryKernel(ctx, p.Program)
	if err != nil {
		return []Finding{{name, Fault, err.Error(),
			"Allow this program to listen on 127.0.0.1 and to start itself: a firewall, a virus scanner or a security policy may forbid it."}}
	}
	return []Finding{{name, OK, fmt.Sprintf("answers on 127.0.0.1 after %d ms, and the first cell ran after %d ms",
		up.Milliseconds(), time.Since(start).Milliseconds()), ""}}
}

// tryKernel runs the cell and returns how long the kernel took to reply for the first time.
func tryKernel(ctx context.Context, program string) (up time.Duration, err error) {
	dir, err := os.MkdirTemp("", "gokernel-doctor-*")
	if err != nil {
		return 0, fmt.Errorf("temporary files can't be written: %w", err)
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "connection.json")
	if err := (kernel.Connection{Transport: "tcp", IP: "127.0.0.1", Key: "doctor", SignatureScheme: wire.Scheme}).Write(file); err != nil {
		return 0, err
	}
	var log bytes.Buffer
	cmd := exec.CommandContext(ctx, program, "kernel", "--connection-file", file, "--history=")
	cmd.Stderr, cmd.Dir, cmd.WaitDelay = &log, dir, time.Second
	start := time.Now()
	if err := cmd.Start(); err != nil {
		return 0, fmt.Errorf("the kernel doesn't start: %w", err)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		// The kernel's exit status is less informative than its log.
		_ = cmd.Wait()
	}()
	defer func() {
		// Kill fails if the process has just ended, which is fine.
		_ = cmd.Process.Kill()
		<-ended
		if text := strings.TrimSpace(log.String()); err != nil && text != "" {
			err = fmt.Errorf("%w\n%s", err, text)
		}
	}()
	conn, err := bound(ctx, file, ended)
	if err != nil {
		return 0, err
	}
	c, err := dial(ctx, conn)
	if err != nil {
		return 0, err
	}
	defer c.close()
	return c.compute(start)
}

// bound waits until the kernel has written the ports that it chose to the connection file.
func bound(ctx context.Context, file string, ended <-chan struct{}) (kernel.Connection, error) {
	for {
		if c, err := kernel.ReadConnection(file); err == nil && c.HBPort != 0 {
			return c, nil
		}
		select {
		case <-ended:
		case <-ctx.Done():
		case <-time.After(2 * time.Millisecond):
			continue
		}
		if ctx.Err() != nil { // which also ends the kernel
			return kernel.Connection{}, fmt.Errorf("the kernel did not open its sockets within %v", kernelTimeout)
		}
		return kernel.Connection{}, errors.New("the kernel exited at once")
	}
}

// client speaks to the kernel on the two sockets that a cell needs.
type client struct {
	signer       *wire.Signer
	shell, iopub *transport.Conn
}

func dial(ctx context.Context, conn kernel.Connection) (*client, error) {
	signer, err := wire.NewSigner(conn.SignatureScheme, conn.Key)
	if err != nil {
		return nil, err
	}
	c := &client{signer: signer}
	if c.iopub, err = conn.Dial(ctx, conn.IOPubPort, transport.Sub, "doctor"); err != nil {
		return nil, fmt.Errorf("the kernel's sockets can't be reached: %w", err)
	}
	if c.shell, err = conn.Dial(ctx, conn.ShellPort, transport.Dealer, "doctor"); err != nil {
		c.iopub.Close()
		return nil, fmt.Errorf("the kernel's sockets can't be reached: %w", err)
	}
	deadline, _ := ctx.Deadline()
	return c, errors.Join(c.iopub.Subscribe(""), c.iopub.SetReadDeadline(deadline), c.shell.SetReadDeadline(deadline))
}

func (c *client) close() {
	c.shell.Close()
	c.iopub.Close()
}

// compute requests the kernel's info, then runs a cell and waits for its value. It returns the time
// from start to the first reply.
func (c *client) compute(start time.Time) (time.Duration, error) {
	if err := c.send("kernel_info_request", struct{}{}); err != nil {
		return 0, err
	}
	if _, err := c.receive(c.shell, "kernel_info_reply"); err != nil {
		return 0, fmt.Errorf("the kernel doesn't answer: %w", err)
	}
	up := time.Since(start)
	code := "six := 6\nsix * 7"
	if err := c.send("execute_request", msg.ExecuteRequest{Code: &code}); err != nil {
		return up, err
	}
	content, err := c.receive(c.iopub, "execute_result", "error")
	if err != nil {
		return up, fmt.Errorf("a cell has no result: %w", err)
	}
	var got struct {
		Data map[string]json.RawMessage `json:"data"`
	}
	if err := json.Unmarshal(content, &got); err != nil || string(got.Data["text/plain"]) != `"42"` {
		return up, fmt.Errorf("the cell 6 * 7 must show 42, got %.300s", content)
	}
	return up, nil
}

func (c *client) send(kind string, content any) error {
	header, err := json.Marshal(msg.Header{ID: kind, Session: "doctor", Username: "doctor", Date: msg.Date(time.Now()), Type: kind, Version: msg.Version})
	if err != nil {
		return err
	}
	body, err := json.Marshal(content)
	if err != nil {
		return err
	}
	return c.shell.Send(c.signer.Encode(wire.Message{Header: header, Parent: []byte("{}"), Metadata: []byte("{}"), Content: body}))
}

// receive returns the content of the next message of one of the kinds.
func (c *client) receive(from *transport.Conn, kinds ...string) ([]byte, error) {
	for {
		frames, err := from.Recv()
		if err != nil {
			return nil, err
		}
		m, err := c.signer.Decode(frames)
		if err != nil {
			return nil, err
		}
		h, err := msg.DecodeHeader(m.Header)
		if err != nil {
			return nil, err
		}
		for _, k := range kinds {
			if h.Type == k {
				return m.Content, nil
			}
		}
	}
}
