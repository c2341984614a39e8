package transport

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"net"
	"time"

	"github.com/go-zeromq/zmq4"
	"github.com/go-zeromq/zmq4/security/null"
)

// Limits bound the resources of one peer.
type Limits struct {
	Handshake time.Duration // time for the ZMTP handshake; default 5 s
	Frames    int           // frames of a received message; default 4096
	Bytes     int           // bytes of a received message; default 512 MiB
	HighWater int           // a peer with more queued bytes is slow; default 8 MiB
	Queue     int           // a peer with more queued bytes is disconnected; default 256 MiB
	Stall     time.Duration // time without progress after which a slow peer is disconnected; default 10 s
	Pause     time.Duration // time that a publisher waits per Stall for slow peers that never read; default 0.5 s
}

func (l Limits) withDefaults() Limits {
	if l.Handshake <= 0 {
		l.Handshake = 5 * time.Second
	}
	if l.Frames <= 0 {
		l.Frames = 4096
	}
	if l.Bytes <= 0 {
		l.Bytes = 512 << 20
	}
	if l.HighWater <= 0 {
		l.HighWater = 8 << 20
	}
	if l.Queue <= 0 {
		l.Queue = 256 << 20
	}
	if l.Stall <= 0 {
		l.Stall = 10 * time.Second
	}
	if l.Pause <= 0 {
		l.Pause = 500 * time.Millisecond
	}
	return l
}

const (
	greetingBytes  = 64      // size of a ZMTP greeting
	handshakeBytes = 8 << 10 // maximum size of the READY command
)

var errHandshake = errors.New("transport: malformed handshake")

// handshakeConn is the connection that zmq4 uses during the handshake. It reads through the buffer
// that is also used after the handshake. It lets only one command of a reasonable size pass,
// because zmq4 allocates as much memory as a frame header announces.
type handshakeConn struct {
	net.Conn
	r    *bufio.Reader
	seen int
}

func (c *handshakeConn) Read(p []byte) (int, error) {
	if c.seen == greetingBytes {
		if err := c.checkCommand(); err != nil {
			return 0, err
		}
	}
	n, err := c.r.Read(p)
	c.seen += n
	return n, err
}

// checkCommand checks the header of the command after the greeting.
func (c *handshakeConn) checkCommand() error {
	b, err := c.r.Peek(2)
	if err != nil {
		return err
	}
	switch b[0] {
	case flagCommand:
		return nil
	case flagCommand | flagLong:
		if b, err = c.r.Peek(9); err != nil {
			return err
		}
		if n := binary.BigEndian.Uint64(b[1:]); n > handshakeBytes {
			return fmt.Errorf("%w: the command is too large: %d bytes", errHandshake, n)
		}
		return nil
	}
	return fmt.Errorf("%w: want a command, got a frame with flags %#x", errHandshake, b[0])
}

// open performs the handshake on nc. It returns the reader for the bytes that follow, the peer's
// identity and, if there are keys, the encryption.
func open(nc net.Conn, typ zmq4.SocketType, id string, server bool, keys *Keys, deadline time.Duration) (r *bufio.Reader, identity string, c *curve, err error) {
	if keys != nil {
		return openCurve(nc, typ, id, server, keys, deadline)
	}
	r, identity, err = openPlain(nc, typ, id, server, deadline)
	return r, identity, nil, err
}

// readSize is the size of a connection's read buffer in bytes. Longer frames bypass the buffer.
const readSize = 16 << 10

// openPlain is like open, but without encryption.
func openPlain(nc net.Conn, typ zmq4.SocketType, id string, server bool, deadline time.Duration) (r *bufio.Reader, identity string, err error) {
	// zmq4 indexes the peer's metadata without bounds checks.
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("%w: %v", errHandshake, v)
		}
	}()
	if err := nc.SetDeadline(time.Now().Add(deadline)); err != nil {
		return nil, "", fmt.Errorf("transport: handshake deadline: %w", err)
	}
	r = bufio.NewReaderSize(nc, readSize)
	c, err := zmq4.Open(&handshakeConn{Conn: nc, r: r}, null.Security(), typ, zmq4.SocketIdentity(id), server, nil)
	if err != nil {
		return nil, "", fmt.Errorf("transport: handshake: %w", err)
	}
	if err := nc.SetDeadline(time.Time{}); err != nil {
		return nil, "", fmt.Errorf("transport: handshake deadline: %w", err)
	}
	return r, c.Peer.Meta["Identity"], nil
}
