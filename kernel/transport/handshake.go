package transport

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"time"
)

// Kind is the type of a socket.
type Kind string

// The sockets of a Jupyter client.
const (
	Dealer Kind = "DEALER" // shell, control, stdin
	Sub    Kind = "SUB"    // iopub
	Req    Kind = "REQ"    // heartbeat; the caller adds the empty first frame
)

// The sockets of a kernel.
const (
	router Kind = "ROUTER"
	xpub   Kind = "XPUB"
)

// partners are the peers that a socket may have (RFC 23, "The Socket-Type
// property").
var partners = map[Kind][]Kind{
	router: {"REQ", "DEALER", "ROUTER"},
	xpub:   {"SUB", "XSUB"},
	Dealer: {"REP", "DEALER", "ROUTER"},
	Sub:    {"PUB", "XPUB"},
	Req:    {"REP", "ROUTER"},
}

const (
	greetingBytes  = 64      // of a ZMTP greeting
	handshakeBytes = 8 << 10 // that the READY command may have
)

var errHandshake = errors.New("transport: malformed handshake")

// open makes the handshake on nc and returns the reader of what follows and
// the peer's identity.
func open(nc net.Conn, kind Kind, id string, server bool, deadline time.Duration) (r *bufio.Reader, identity string, err error) {
	if err := nc.SetDeadline(time.Now().Add(deadline)); err != nil {
		return nil, "", fmt.Errorf("transport: handshake deadline: %w", err)
	}
	r = bufio.NewReaderSize(nc, 64<<10)
	if identity, err = handshake(nc, r, kind, id, server); err != nil {
		return nil, "", err
	}
	if err := nc.SetDeadline(time.Time{}); err != nil {
		return nil, "", fmt.Errorf("transport: handshake deadline: %w", err)
	}
	return r, identity, nil
}

// handshake exchanges greetings and READY commands with the mechanism NULL
// (RFC 23), and gives the peer's identity. Both sides greet first, and a READY goes
// only to a peer whose greeting is right.
func handshake(w io.Writer, r *bufio.Reader, kind Kind, id string, server bool) (identity string, err error) {
	if _, err := w.Write(greetingOf(server)); err != nil {
		return "", fmt.Errorf("transport: handshake: %w", err)
	}
	var greeting [greetingBytes]byte
	if _, err := io.ReadFull(r, greeting[:]); err != nil {
		return "", fmt.Errorf("transport: handshake: %w", err)
	}
	if err := checkGreeting(greeting[:]); err != nil {
		return "", err
	}
	properties := property(property(nil, "Socket-Type", string(kind)), "Identity", id)
	if _, err := w.Write(encodeCommand("READY", properties)); err != nil {
		return "", fmt.Errorf("transport: handshake: %w", err)
	}
	frames, command, err := readMessage(r, 1, handshakeBytes)
	if err != nil {
		return "", fmt.Errorf("transport: handshake: %w", err)
	}
	if !command {
		return "", fmt.Errorf("%w: a message in place of a command", errHandshake)
	}
	body, ok := bytes.CutPrefix(frames[0], []byte("\x05READY"))
	if !ok {
		return "", fmt.Errorf("%w: a command that is not READY", errHandshake)
	}
	peer, identity, err := metadata(body)
	if err != nil {
		return "", err
	}
	if !slices.Contains(partners[kind], peer) {
		return "", fmt.Errorf("%w: a %s socket, which is no partner of %s", errHandshake, peer, kind)
	}
	return identity, nil
}

// greetingOf is the greeting of ZMTP 3.0, to which newer peers adapt: they subscribe
// by messages, not by commands.
func greetingOf(server bool) []byte {
	b := make([]byte, greetingBytes)
	b[0], b[9], b[10] = 0xff, 0x7f, 3
	copy(b[12:32], "NULL")
	if server {
		b[32] = 1
	}
	return b
}

func checkGreeting(b []byte) error {
	mechanism, _, _ := strings.Cut(string(b[12:32]), "\x00")
	switch {
	case b[0] != 0xff || b[9] != 0x7f:
		return fmt.Errorf("%w: not a greeting of ZMTP", errHandshake)
	case b[10] < 3:
		return fmt.Errorf("%w: version %d of ZMTP", errHandshake, b[10])
	case mechanism != "NULL":
		return fmt.Errorf("%w: the security mechanism %q", errHandshake, mechanism)
	}
	return nil
}

// property appends one property of a READY command.
func property(b []byte, name, value string) []byte {
	b = append(append(b, byte(len(name))), name...)
	return append(binary.BigEndian.AppendUint32(b, uint32(len(value))), value...)
}

// metadata reads the properties of a READY command. Their names know no case.
func metadata(b []byte) (kind Kind, identity string, err error) {
	cut := func(n uint64) (field string) {
		if n > uint64(len(b)) {
			err = fmt.Errorf("%w: a property that ends in its midst", errHandshake)
			n = uint64(len(b))
		}
		field, b = string(b[:n]), b[n:]
		return field
	}
	for len(b) > 0 {
		name := cut(uint64(cut(1)[0]))
		size := cut(4)
		if err != nil {
			return "", "", err
		}
		value := cut(uint64(binary.BigEndian.Uint32([]byte(size))))
		switch {
		case strings.EqualFold(name, "Socket-Type"):
			kind = Kind(value)
		case strings.EqualFold(name, "Identity"):
			identity = value
		}
	}
	return kind, identity, err
}
