package transport

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"crypto/subtle"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"time"

	"github.com/go-zeromq/zmq4"
	"golang.org/x/crypto/nacl/box"
)

// CurveZMQ (RFC 26) encrypts and authenticates a connection. A client must know the server's public
// key, which is in the connection file. Each frame is encrypted with NaCl's box, under keys that
// are used only for this connection. Either all sockets are encrypted or none are.

// KeySize is the size of a Curve25519 key in bytes.
const KeySize = 32

// Keys are the long-term keys of CurveZMQ. A server needs its own pair of keys. A Jupyter client
// uses the same pair, and identifies the server by its public key.
type Keys struct {
	Public, Secret [KeySize]byte
}

// errCurve is wrapped by the errors for handshakes and messages that are forged or damaged, or that
// do not follow CurveZMQ.
var errCurve = errors.New("transport: message is not CurveZMQ, or was encrypted with other keys")

// These are prefixes of nonces (a prefix identifies the purpose of a box), and sizes of commands.
const (
	nonceHello    = "CurveZMQHELLO---"
	nonceWelcome  = "WELCOME-"
	nonceInitiate = "CurveZMQINITIATE"
	nonceVouch    = "VOUCH---"
	nonceReady    = "CurveZMQREADY---"
	nonceServer   = "CurveZMQMESSAGES"
	nonceClient   = "CurveZMQMESSAGEC"

	commandHello    = "\x05HELLO"
	commandWelcome  = "\x07WELCOME"
	commandInitiate = "\x08INITIATE"
	commandReady    = "\x05READY"
	commandMessage  = "\x07MESSAGE"

	helloSize    = 200
	welcomeSize  = 168
	cookieSize   = 96
	vouchSize    = 16 + box.Overhead + 2*KeySize
	initiateSize = len(commandInitiate) + cookieSize + 8 + box.Overhead + KeySize + vouchSize // without metadata
	shortNonce   = 8
	// sealed is the number of bytes that encryption adds to a payload.
	sealed = len(commandMessage) + shortNonce + box.Overhead + 1
)

// These are the flags of an encrypted message.
const (
	boxMore    = 1
	boxCommand = 2
)

// curve is one side of a connection after the handshake. One goroutine can encrypt while another
// goroutine decrypts.
type curve struct {
	key          [KeySize]byte // shared key of both short-term key pairs
	sends, takes string        // prefixes of nonces
	sent, taken  uint64        // the last nonces
}

func nonce24(prefix string, rest []byte) *[24]byte {
	var n [24]byte
	copy(n[copy(n[:], prefix):], rest)
	return &n
}

func nonceOf(prefix string, n uint64) *[24]byte {
	return nonce24(prefix, binary.BigEndian.AppendUint64(nil, n))
}

// next returns the next nonce counter.
func (c *curve) next() uint64 { c.sent++; return c.sent }

// seal appends a frame that contains the encrypted payload.
func (c *curve) seal(dst []byte, flags byte, payload []byte) []byte {
	size := sealed + len(payload)
	if size > 255 {
		dst = binary.BigEndian.AppendUint64(append(dst, flagLong), uint64(size))
	} else {
		dst = append(dst, 0, byte(size))
	}
	dst = append(dst, commandMessage...)
	n := c.next()
	dst = binary.BigEndian.AppendUint64(dst, n)
	plain := append(make([]byte, 0, 1+len(payload)), flags)
	return box.SealAfterPrecomputation(dst, append(plain, payload...), nonceOf(c.sends, n), &c.key)
}

// encode returns the bytes of a multipart message.
func (c *curve) encode(frames [][]byte) []byte {
	size := 0
	for _, f := range frames {
		size += 9 + sealed + len(f)
	}
	out := make([]byte, 0, size)
	for i, f := range frames {
		var flags byte
		if i < len(frames)-1 {
			flags = boxMore
		}
		out = c.seal(out, flags, f)
	}
	return out
}

// open decrypts a frame.
func (c *curve) open(frame []byte) (flags byte, payload []byte, err error) {
	rest, ok := bytes.CutPrefix(frame, []byte(commandMessage))
	if !ok || len(frame) < sealed {
		return 0, nil, errCurve
	}
	n := binary.BigEndian.Uint64(rest)
	if n <= c.taken {
		return 0, nil, fmt.Errorf("%w: a nonce was used twice", errCurve)
	}
	plain, ok := box.OpenAfterPrecomputation(nil, rest[shortNonce:], nonceOf(c.takes, n), &c.key)
	if !ok {
		return 0, nil, errCurve
	}
	c.taken = n
	return plain[0], plain[1:], nil
}

// readMessage reads one multipart message, or one command, within the same limits as the function
// readMessage.
func (c *curve) readMessage(r *bufio.Reader, maxFrames, maxBytes int) (frames [][]byte, command bool, err error) {
	left := maxBytes
	for {
		raw, _, err := readMessage(r, 1, left+sealed)
		if err != nil {
			return nil, false, err
		}
		flags, body, err := c.open(raw[0])
		if err != nil {
			return nil, false, err
		}
		if len(frames) == maxFrames {
			return nil, false, fmt.Errorf("%w: more than %d frames", ErrTooLarge, maxFrames)
		}
		left -= len(body)
		frames = append(frames, body)
		if flags&boxCommand != 0 {
			return frames[len(frames)-1:], true, nil
		}
		if flags&boxMore == 0 {
			return frames, false, nil
		}
	}
}

// openCurve performs the CurveZMQ handshake on nc, as a server or as a client.
func openCurve(nc net.Conn, typ zmq4.SocketType, id string, server bool, keys *Keys, deadline time.Duration) (r *bufio.Reader, identity string, c *curve, err error) {
	if err := nc.SetDeadline(time.Now().Add(deadline)); err != nil {
		return nil, "", nil, fmt.Errorf("transport: handshake deadline: %w", err)
	}
	h := &handshake{nc: nc, r: bufio.NewReaderSize(nc, readSize), keys: keys, server: server}
	if err := h.greet(); err != nil {
		return nil, "", nil, fmt.Errorf("transport: handshake: %w", err)
	}
	metadata := h.properties(typ, id)
	var theirs []byte
	if server {
		c, theirs, err = h.serve(metadata)
	} else {
		c, theirs, err = h.call(metadata)
	}
	if err != nil {
		return nil, "", nil, fmt.Errorf("transport: handshake: %w", err)
	}
	identity, err = h.check(typ, theirs)
	if err != nil {
		return nil, "", nil, fmt.Errorf("transport: handshake: %w", err)
	}
	if err := nc.SetDeadline(time.Time{}); err != nil {
		return nil, "", nil, fmt.Errorf("transport: handshake deadline: %w", err)
	}
	return h.r, identity, c, nil
}

// handshake is a connection during its handshake.
type handshake struct {
	nc     net.Conn
	r      *bufio.Reader
	keys   *Keys
	server bool
}

// greet exchanges and checks the ZMTP 3 greetings.
func (h *handshake) greet() error {
	greeting := make([]byte, greetingBytes)
	greeting[0], greeting[8], greeting[9], greeting[10] = 0xff, 1, 0x7f, 3
	copy(greeting[12:32], "CURVE")
	if h.server {
		greeting[32] = 1
	}
	if _, err := h.nc.Write(greeting); err != nil {
		return err
	}
	theirs := make([]byte, greetingBytes)
	if _, err := io.ReadFull(h.r, theirs); err != nil {
		return err
	}
	mechanism := string(bytes.TrimRight(theirs[12:32], "\x00"))
	switch {
	case theirs[0] != 0xff || theirs[9] != 0x7f || theirs[10] < 3:
		return fmt.Errorf("%w: a ZMTP 3 greeting is missing", errHandshake)
	case mechanism != "CURVE":
		return fmt.Errorf("%w: the mechanism must be CURVE, got %q", errHandshake, mechanism)
	case (theirs[32] == 1) == h.server:
		return fmt.Errorf("%w: exactly one side must be the server", errHandshake)
	}
	return nil
}

// command reads a command with the given name and at least size bytes.
func (h *handshake) command(name string, size int) ([]byte, error) {
	flags, err := h.r.ReadByte()
	if err != nil {
		return nil, err
	}
	n, err := readLength(h.r, flags&flagLong != 0)
	if err != nil {
		return nil, err
	}
	if flags&flagCommand == 0 || flags&flagMore != 0 || n > handshakeBytes {
		return nil, fmt.Errorf("%w: want a command, got a frame with flags %#x and %d bytes", errHandshake, flags, n)
	}
	body, err := readBody(h.r, int(n))
	if err != nil {
		return nil, err
	}
	if len(body) < size || !bytes.HasPrefix(body, []byte(name)) {
		return nil, fmt.Errorf("%w: want %s of %d bytes, got %d bytes", errHandshake, name[1:], size, len(body))
	}
	return body, nil
}

func (h *handshake) send(body []byte) error {
	var frame []byte
	if len(body) > 255 {
		frame = binary.BigEndian.AppendUint64([]byte{flagCommand | flagLong}, uint64(len(body)))
	} else {
		frame = []byte{flagCommand, byte(len(body))}
	}
	_, err := h.nc.Write(append(frame, body...))
	return err
}

// serve answers HELLO and INITIATE and returns the client's metadata.
func (h *handshake) serve(metadata []byte) (*curve, []byte, error) {
	hello, err := h.command(commandHello, helloSize)
	if err != nil {
		return nil, nil, err
	}
	const keyAt = len(commandHello) + 2 + 72
	theirShort := (*[KeySize]byte)(hello[keyAt:])
	rest := hello[keyAt+KeySize:]
	zeros, ok := box.Open(nil, rest[shortNonce:], nonce24(nonceHello, rest[:shortNonce]), theirShort, &h.keys.Secret)
	if !ok || len(zeros) != 64 || hello[len(commandHello)] != 1 {
		return nil, nil, fmt.Errorf("%w: HELLO", errCurve)
	}
	short, secret, err := box.GenerateKey(rand.Reader)
	if err != nil {
		return nil, nil, err
	}
	// One goroutine serves the connection, so the state that the cookie would carry is kept here.
	// The cookie only has to come back unchanged.
	cookie, long := make([]byte, cookieSize), make([]byte, 16)
	for _, b := range [][]byte{cookie, long} {
		if _, err := rand.Read(b); err != nil {
			return nil, nil, err
		}
	}
	welcome := append([]byte(commandWelcome), long...)
	welcome = box.Seal(welcome, append(short[:], cookie...), nonce24(nonceWelcome, long), theirShort, &h.keys.Secret)
	if err := h.send(welcome); err != nil {
		return nil, nil, err
	}
	initiate, err := h.command(commandInitiate, initiateSize)
	if err != nil {
		return nil, nil, err
	}
	rest = initiate[len(commandInitiate):]
	if subtle.ConstantTimeCompare(rest[:cookieSize], cookie) != 1 {
		return nil, nil, fmt.Errorf("%w: INITIATE has the wrong cookie", errCurve)
	}
	rest = rest[cookieSize:]
	c := &curve{sends: nonceServer, takes: nonceClient, taken: binary.BigEndian.Uint64(rest)}
	box.Precompute(&c.key, theirShort, secret)
	plain, ok := box.OpenAfterPrecomputation(nil, rest[shortNonce:], nonceOf(nonceInitiate, c.taken), &c.key)
	if !ok {
		return nil, nil, fmt.Errorf("%w: INITIATE", errCurve)
	}
	theirLong, vouch := (*[KeySize]byte)(plain), plain[KeySize:KeySize+vouchSize]
	inside, ok := box.Open(nil, vouch[16:], nonce24(nonceVouch, vouch[:16]), theirLong, secret)
	if !ok || !bytes.Equal(inside, append(theirShort[:], h.keys.Public[:]...)) {
		return nil, nil, fmt.Errorf("%w: INITIATE has an invalid vouch", errCurve)
	}
	n := c.next()
	ready := binary.BigEndian.AppendUint64([]byte(commandReady), n)
	return c, plain[KeySize+vouchSize:], h.send(box.SealAfterPrecomputation(ready, metadata, nonceOf(nonceReady, n), &c.key))
}

// call sends HELLO and INITIATE and returns the server's metadata.
func (h *handshake) call(metadata []byte) (*curve, []byte, error) {
	short, secret, err := box.GenerateKey(rand.Reader)
	if err != nil {
		return nil, nil, err
	}
	c := &curve{sends: nonceClient, takes: nonceServer}
	n := c.next()
	hello := append([]byte(commandHello), 1, 0)
	hello = append(append(hello, make([]byte, 72)...), short[:]...)
	hello = binary.BigEndian.AppendUint64(hello, n)
	if err := h.send(box.Seal(hello, make([]byte, 64), nonceOf(nonceHello, n), &h.keys.Public, secret)); err != nil {
		return nil, nil, err
	}
	welcome, err := h.command(commandWelcome, welcomeSize)
	if err != nil {
		return nil, nil, err
	}
	rest := welcome[len(commandWelcome):]
	plain, ok := box.Open(nil, rest[16:], nonce24(nonceWelcome, rest[:16]), &h.keys.Public, secret)
	if !ok || len(plain) != KeySize+cookieSize {
		return nil, nil, fmt.Errorf("%w: WELCOME", errCurve)
	}
	theirShort, cookie := (*[KeySize]byte)(plain), plain[KeySize:]
	box.Precompute(&c.key, theirShort, secret)
	long := make([]byte, 16)
	if _, err := rand.Read(long); err != nil {
		return nil, nil, err
	}
	vouched := append(append([]byte{}, short[:]...), h.keys.Public[:]...)
	inside := append(append([]byte{}, h.keys.Public[:]...), long...)
	inside = box.Seal(inside, vouched, nonce24(nonceVouch, long), theirShort, &h.keys.Secret)
	n = c.next()
	initiate := append([]byte(commandInitiate), cookie...)
	initiate = binary.BigEndian.AppendUint64(initiate, n)
	if err := h.send(box.SealAfterPrecomputation(initiate, append(inside, metadata...), nonceOf(nonceInitiate, n), &c.key)); err != nil {
		return nil, nil, err
	}
	ready, err := h.command(commandReady, len(commandReady)+shortNonce+box.Overhead)
	if err != nil {
		return nil, nil, err
	}
	rest = ready[len(commandReady):]
	c.taken = binary.BigEndian.Uint64(rest)
	theirs, ok := box.OpenAfterPrecomputation(nil, rest[shortNonce:], nonceOf(nonceReady, c.taken), &c.key)
	if !ok {
		return nil, nil, fmt.Errorf("%w: READY", errCurve)
	}
	return c, theirs, nil
}

// properties returns the metadata of this side in the format of READY.
func (h *handshake) properties(typ zmq4.SocketType, id string) []byte {
	var out []byte
	for _, p := range [][2]string{{"Socket-Type", string(typ)}, {"Identity", id}} {
		out = append(append(out, byte(len(p[0]))), p[0]...)
		out = binary.BigEndian.AppendUint32(out, uint32(len(p[1])))
		out = append(out, p[1]...)
	}
	return out
}

// check reads the metadata of the other side and returns its identity.
func (h *handshake) check(typ zmq4.SocketType, metadata []byte) (identity string, err error) {
	bad := fmt.Errorf("%w: malformed metadata", errHandshake)
	other := ""
	for len(metadata) > 0 {
		n := int(metadata[0])
		if len(metadata) < 1+n+4 {
			return "", bad
		}
		name, rest := string(metadata[1:1+n]), metadata[1+n:]
		size := binary.BigEndian.Uint32(rest)
		if uint64(size) > uint64(len(rest)-4) {
			return "", bad
		}
		value := string(rest[4 : 4+size])
		metadata = rest[4+size:]
		switch {
		case equalFold(name, "Socket-Type"):
			other = value
		case equalFold(name, "Identity"):
			identity = value
		}
	}
	if len(identity) > 255 || !typ.IsCompatible(zmq4.SocketType(other)) {
		return "", fmt.Errorf("%w: a socket of type %q does not fit %s", errHandshake, other, typ)
	}
	return identity, nil
}

// equalFold compares property names, which are ASCII, and ignores their case.
func equalFold(a, b string) bool { return bytes.EqualFold([]byte(a), []byte(b)) }

// z85 is the alphabet of Z85, ZeroMQ's encoding of binary data (RFC 32).
const z85 = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#"

// ParseKey decodes a key from a connection file: 40 characters of Z85.
func ParseKey(text string) (key [KeySize]byte, err error) {
	if len(text) != KeySize/4*5 {
		return key, fmt.Errorf("transport: a key must have 40 characters of Z85, got %d", len(text))
	}
	for i := range KeySize / 4 {
		var v uint64
		for _, c := range []byte(text[5*i : 5*i+5]) {
			d := bytes.IndexByte([]byte(z85), c)
			if d < 0 {
				return key, fmt.Errorf("transport: a key must have 40 characters of Z85, got the character %q", c)
			}
			v = 85*v + uint64(d)
		}
		if v > 1<<32-1 {
			return key, errors.New("transport: a key must have 40 characters of Z85, got a group of five whose value exceeds 32 bits")
		}
		binary.BigEndian.PutUint32(key[4*i:], uint32(v))
	}
	return key, nil
}
