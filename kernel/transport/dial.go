// This file contains the client's side, which kernel/kerneltest, bench/kernel and gokernel doctor
// use. It is in this package because it shares the code for frames and handshakes with the server's
// side.

package transport

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"strconv"
	"time"

	"github.com/go-zeromq/zmq4"
)

// Kind is the type of a client's socket.
type Kind string

// These are the kinds of sockets that a Jupyter client uses.
const (
	Dealer Kind = "DEALER" // shell, control, stdin
	Sub    Kind = "SUB"    // iopub
	Req    Kind = "REQ"    // heartbeat; the caller adds the empty first frame
)

// Conn is the client's side of one connection. One goroutine can send while another goroutine
// receives.
type Conn struct {
	nc     net.Conn
	r      *bufio.Reader
	curve  *curve // nil without encryption
	limits Limits
}

// Dial connects to a socket that Listen has bound and performs the handshake. A Sub receives
// nothing before Subscribe is called. keys are the server's keys, or nil if the connection is not
// encrypted.
func Dial(ctx context.Context, transport, ip string, port int, kind Kind, identity string, keys *Keys) (*Conn, error) {
	network, addr := "tcp", net.JoinHostPort(ip, strconv.Itoa(port))
	if transport == "ipc" {
		network, addr = "unix", fmt.Sprintf("%s-%d", ip, port)
	}
	var d net.Dialer
	nc, err := d.DialContext(ctx, network, addr)
	if err != nil {
		return nil, fmt.Errorf("transport: %w", err)
	}
	limits := Limits{}.withDefaults()
	r, _, c, err := open(nc, zmq4.SocketType(kind), identity, false, keys, limits.Handshake)
	if err != nil {
		nc.Close()
		return nil, err
	}
	return &Conn{nc: nc, r: r, curve: c, limits: limits}, nil
}

// Subscribe subscribes to messages whose topic starts with topic.
func (c *Conn) Subscribe(topic string) error { return c.Send([][]byte{append([]byte{1}, topic...)}) }

// Send writes one message.
func (c *Conn) Send(frames [][]byte) error {
	pieces, _ := encode(frames)
	if c.curve != nil {
		pieces = [][]byte{c.curve.encode(frames)}
	}
	buffers := net.Buffers(pieces)
	if _, err := buffers.WriteTo(c.nc); err != nil {
		return fmt.Errorf("transport: send: %w", err)
	}
	return nil
}

// Recv returns the next message and skips commands. After an error, including a timeout, the
// connection cannot be used any more.
func (c *Conn) Recv() ([][]byte, error) {
	for {
		frames, command, err := receive(c.r, c.curve, c.limits)
		if err != nil {
			return nil, fmt.Errorf("transport: receive: %w", err)
		}
		if !command {
			return frames, nil
		}
	}
}

// SetReadDeadline sets the deadline for calls of Recv.
func (c *Conn) SetReadDeadline(t time.Time) error { return c.nc.SetReadDeadline(t) }

// Close disconnects.
func (c *Conn) Close() error { return c.nc.Close() }
