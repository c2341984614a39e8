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

// Limits bound what one peer may cost.
type Limits struct {
	Handshake time.Duration // for the ZMTP handshake; default 5 s
	Frames    int           // of a received message; default 4096
	Bytes     int           // of a received message; default 512 MiB
	HighWater int           // queued bytes from which a peer counts as slow; default 8 MiB
	Queue     int           // queued bytes at which a peer is cut off; default 256 MiB
	Stall     time.Duration // a slow peer that takes nothing for so long is cut off; default 10 s
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
	return l
}

const (
	greetingBytes  = 64      // of a ZMTP greeting
	handshakeBytes = 8 << 10 // that the READY command may have
)

var errHandshake = errors.New("transport: malformed handshake")

// handshakeConn serves zmq4 during the handshake. It reads through the buffer
// that the connection keeps, and lets one command of a sane size pass: zmq4
// sets aside as much memory as a frame header asks for.
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

// checkCommand looks at the header of the command that follows the greeting.
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
			return fmt.Errorf("%w: a command of %d bytes", errHandshake, n)
		}
		return nil
	}
	return fmt.Errorf("%w: a frame with flags %#x in place of a command", errHandshake, b[0])
}

// open makes the handshake on nc and returns the reader of what follows, the peer's
// identity and, where there are keys, the encryption.
func open(nc net.Conn, typ zmq4.SocketType, id string, server bool, keys *Keys, deadline time.Duration) (r *bufio.Reader, identity string, c *curve, err error) {
	if keys != nil {
		return openCurve(nc, typ, id, server, keys, deadline)
	}
	r, identity, err = openPlain(nc, typ, id, server, deadline)
	return r, identity, nil, err
}

// openPlain is open without encryption.
func openPlain(nc net.Conn, typ zmq4.SocketType, id string, server bool, deadline time.Duration) (r *bufio.Reader, identity string, err error) {
	// zmq4 indexes into the peer's metadata unchecked.
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("%w: %v", errHandshake, v)
		}
	}()
	if err := nc.SetDeadline(time.Now().Add(deadline)); err != nil {
		return nil, "", fmt.Errorf("transport: handshake deadline: %w", err)
	}
	r = bufio.NewReaderSize(nc, 64<<10)
	c, err := zmq4.Open(&handshakeConn{Conn: nc, r: r}, null.Security(), typ, zmq4.SocketIdentity(id), server, nil)
	if err != nil {
		return nil, "", fmt.Errorf("transport: handshake: %w", err)
	}
	if err := nc.SetDeadline(time.Time{}); err != nil {
		return nil, "", fmt.Errorf("transport: handshake deadline: %w", err)
	}
	return r, c.Peer.Meta["Identity"], nil
}
