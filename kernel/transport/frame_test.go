package transport

import (
	"bufio"
	"bytes"
	"net"
	"slices"
	"testing"
	"time"

	"github.com/go-zeromq/zmq4"
	"github.com/google/go-cmp/cmp"
)

// FuzzReadMessage checks that no input makes readMessage panic or exceed its limits, and that
// encode returns the bytes that readMessage has read.
func FuzzReadMessage(f *testing.F) {
	f.Add([]byte("\x01\x02ab\x00\x01c"))
	f.Add([]byte("\x02\x40\x00\x00\x00\x00\x00\x00\x00"))
	f.Add([]byte("\x04\x07\x04PING\x00\x00"))
	f.Fuzz(func(t *testing.T, data []byte) {
		const maxFrames, maxBytes = 8, 1 << 12
		frames, command, err := readMessage(bufio.NewReader(bytes.NewReader(data)), maxFrames, maxBytes)
		if err != nil {
			return
		}
		total := 0
		for _, fr := range frames {
			total += len(fr)
		}
		if total > maxBytes || len(frames) > maxFrames || len(frames) == 0 {
			t.Fatalf("%d bytes in %d frames pass the limits", total, len(frames))
		}
		if command {
			return
		}
		pieces, _ := encode(frames)
		again, _, err := readMessage(bufio.NewReader(bytes.NewReader(bytes.Join(pieces, nil))), maxFrames, maxBytes)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(frames, again); d != "" {
			t.Errorf("round trip (-want +got):\n%s", d)
		}
	})
}

// FuzzPeer lets a client that has completed its handshake send arbitrary bytes to each kind of
// socket. No input may end the process.
func FuzzPeer(f *testing.F) {
	f.Add([]byte("\x00\x02\x00a\x00\x01\x01"))
	f.Add([]byte("\x04\x0b\x09SUBSCRIBEa\x00\x02\x00a"))
	f.Add([]byte("\x04\x07\x04PING\x00\x00\x04\x0d\x0bUNSUBSCRIBEa"))
	f.Add(append([]byte{6, 0, 0, 0, 0, 0, 0, 1, 0, 255}, make([]byte, 255)...))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, typ := range []zmq4.SocketType{zmq4.Router, zmq4.XPub} {
			s := newSocket(nil, typ, nil, Limits{Frames: 8, Bytes: 1 << 12})
			s.receive = func(*peer, [][]byte) {}
			if typ == zmq4.XPub {
				s.receive = s.subscriptions(func(topic []byte) [][]byte { return [][]byte{topic} })
			}
			server, client := net.Pipe()
			p := s.join(server, "", nil, nil)
			s.read(p, bufio.NewReader(bytes.NewReader(data)))
			s.leave(p)
			client.Close()
		}
	})
}

// scripted is a connection on which a client has sent its bytes and disconnected.
type scripted struct {
	net.Conn
	in *bytes.Reader
}

func (c scripted) Read(p []byte) (int, error)  { return c.in.Read(p) }
func (c scripted) Write(p []byte) (int, error) { return len(p), nil }
func (c scripted) Close() error                { return nil }
func (c scripted) SetDeadline(time.Time) error { return nil }

// FuzzHandshake lets a client send arbitrary bytes instead of a greeting. No input may end the
// process, and ZMTP must allow each accepted identity.
func FuzzHandshake(f *testing.F) {
	greeting := make([]byte, greetingBytes)
	greeting[0], greeting[9], greeting[10] = 0xff, 0x7f, 3
	copy(greeting[12:], "NULL")
	ready := func(properties string) []byte {
		body := "\x05READY" + properties
		return append([]byte{flagCommand, byte(len(body))}, body...)
	}
	const dealer = "\x0bSocket-Type\x00\x00\x00\x06DEALER"
	for _, command := range [][]byte{
		ready(dealer), ready(dealer + "\x08Identity\x00\x00\x00\x02me"), ready("\x0bSocket-Type\xff\xff\xff\xff"), ready(""),
		{flagCommand | flagLong, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}, {0, 1, 'a'}, {flagCommand, 7, 5, 'E', 'R', 'R', 'O', 'R', 0},
	} {
		f.Add(slices.Concat(greeting, command))
	}
	curved := slices.Clone(greeting)
	copy(curved[12:], "CURVE")
	f.Add(slices.Concat(curved, append([]byte{flagCommand, helloSize}, append([]byte(commandHello), make([]byte, helloSize-len(commandHello))...)...)))
	f.Add([]byte("GET / HTTP/1.1\r\n\r\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, typ := range []zmq4.SocketType{zmq4.Router, zmq4.XPub, zmq4.Rep} {
			_, id, _, err := open(scripted{in: bytes.NewReader(data)}, typ, "", true, nil, time.Minute)
			if err == nil && len(id) > 255 {
				t.Errorf("an identity of %d bytes", len(id))
			}
			if _, _, _, err := open(scripted{in: bytes.NewReader(data)}, typ, "", true, &Keys{}, time.Minute); err == nil {
				t.Error("a client without the key completed a CurveZMQ handshake")
			}
		}
	})
}
