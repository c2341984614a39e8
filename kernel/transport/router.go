package transport

import (
	"context"
	"net"

	"github.com/go-zeromq/zmq4"
)

// Router is a ROUTER socket: it talks to many DEALER and REQ clients, each
// known by its identity.
type Router struct{ s *socket }

// NewRouter returns a router that listens on ln once Start is called. With keys, its
// own, only clients that encrypt with CurveZMQ can connect. Zero limits stand for the
// defaults.
func NewRouter(ln net.Listener, keys *Keys, limits Limits) *Router {
	return &Router{newSocket(ln, zmq4.Router, keys, limits)}
}

// Start begins to serve. Each message goes to receive with the identity of its
// sender as the first frame. Messages of one client come in order, those of
// several clients concurrently; a client is not read while receive runs for it.
func (r *Router) Start(receive func(frames [][]byte)) {
	r.s.start(func(p *peer, frames [][]byte) {
		receive(append([][]byte{[]byte(p.id)}, frames...))
	})
}

// Send queues a message for the client that the first frame names. It never
// waits. A message for a client that is unknown is kept while handshakes are
// under way, since the client may be past its own side of one; otherwise it is
// dropped.
func (r *Router) Send(frames [][]byte) {
	if len(frames) == 0 {
		return
	}
	it := r.s.item(frames[1:])
	if p := r.s.peerOrHold(string(frames[0]), it); p != nil {
		p.send(it)
	}
}

// Close stops listening, delivers what is queued for as long as ctx allows,
// and disconnects the clients.
func (r *Router) Close(ctx context.Context) { r.s.close(ctx) }

// StartEcho makes r a heartbeat: every message goes back as it came.
func (r *Router) StartEcho() { r.Start(r.Send) }
