package transport

import (
	"context"
	"net"

	"github.com/go-zeromq/zmq4"
)

// Router is a ROUTER socket: it talks to many DEALER and REQ clients, which it distinguishes by
// their identities.
type Router struct{ s *socket }

// NewRouter returns a router that listens on ln once Start is called. If keys, the server's own key
// pair, is not nil, only clients that use CurveZMQ can connect. Limits that are zero have their
// default values.
func NewRouter(ln net.Listener, keys *Keys, limits Limits) *Router {
	return &Router{newSocket(ln, zmq4.Router, keys, limits)}
}

// Start starts serving clients. It passes each message to receive, with the identity of its sender
// as the first frame. Messages from one client arrive in order, and messages from different clients
// arrive concurrently. Until receive returns, the router reads no more from that client.
func (r *Router) Start(receive func(frames [][]byte)) {
	r.s.start(func(p *peer, frames [][]byte) {
		receive(append([][]byte{[]byte(p.id)}, frames...))
	})
}

// Send queues a message for the client whose identity is the first frame. It never waits. If the
// client is unknown, the message is held while handshakes are pending, because the client may
// already have completed its own side of a handshake. Otherwise the message is dropped.
func (r *Router) Send(frames [][]byte) {
	if len(frames) == 0 {
		return
	}
	it := r.s.item(frames[1:])
	if p := r.s.peerOrHold(string(frames[0]), it); p != nil {
		p.send(it)
	}
}

// Close stops listening, sends queued messages until ctx is done, and disconnects the clients.
func (r *Router) Close(ctx context.Context) { r.s.close(ctx) }

// StartEcho makes r a heartbeat socket: it sends back every message unchanged.
func (r *Router) StartEcho() { r.Start(r.Send) }
