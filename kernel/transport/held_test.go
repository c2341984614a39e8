package transport

import (
	"net"
	"testing"

	"github.com/go-zeromq/zmq4"
)

// A message can be sent to a client as soon as the client's side of the handshake is done, even if
// the server has not noticed yet.
func TestHeldForAPendingClient(t *testing.T) {
	ln, _, err := Listen("tcp", "127.0.0.1", 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	s := newSocket(ln, zmq4.Router, nil, Limits{})
	server, client := net.Pipe()
	defer server.Close()
	defer client.Close()
	it := item{pieces: [][]byte{[]byte("x")}, size: 1}
	if p := s.peerOrHold("ada", it); p != nil || s.held != nil {
		t.Fatal("a message was held though nobody is connecting")
	}
	s.pending[server] = true
	for range 2 * maxHeld {
		s.peerOrHold("ada", it)
		s.peerOrHold("eve", it)
	}
	p := s.join(server, "ada", nil, nil)
	if len(p.queue) != maxHeld || s.held != nil {
		t.Errorf("queued %d, held %d; want %d and none", len(p.queue), len(s.held), maxHeld)
	}
	if got := s.peerOrHold("ada", it); got != p {
		t.Error("the peer is not known")
	}
	s.ln.Close()
}
