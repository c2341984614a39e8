package transport

import (
	"bufio"
	"bytes"
	"net"
	"testing"

	"github.com/go-zeromq/zmq4"
	"github.com/google/go-cmp/cmp"
)

// FuzzReadMessage checks that no bytes make readMessage panic or take more
// than it may, and that what it reads is what encode writes.
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

// FuzzPeer lets a client that has made its handshake send any bytes to each kind
// of socket: none may end the process.
func FuzzPeer(f *testing.F) {
	f.Add([]byte("\x00\x02\x00a\x00\x01\x01"))
	f.Add([]byte("\x04\x0b\x09SUBSCRIBEa\x00\x02\x00a"))
	f.Add([]byte("\x04\x07\x04PING\x00\x00\x04\x0d\x0bUNSUBSCRIBEa"))
	f.Add(append([]byte{6, 0, 0, 0, 0, 0, 0, 1, 0, 255}, make([]byte, 255)...))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, typ := range []zmq4.SocketType{zmq4.Router, zmq4.XPub} {
			s := newSocket(nil, typ, Limits{Frames: 8, Bytes: 1 << 12})
			s.receive = func(*peer, [][]byte) {}
			if typ == zmq4.XPub {
				s.receive = subscriptions(func(topic []byte) [][]byte { return [][]byte{topic} })
			}
			server, client := net.Pipe()
			p := s.join(server, "", nil)
			s.read(p, bufio.NewReader(bytes.NewReader(data)))
			s.leave(p)
			client.Close()
		}
	})
}
