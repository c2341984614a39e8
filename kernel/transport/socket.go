package transport

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"maps"
	"net"
	"slices"
	"sync"
	"time"

	"github.com/go-zeromq/zmq4"
)

// socket is what Router and Publisher share: the accept loop and the peers.
type socket struct {
	ln      net.Listener
	typ     zmq4.SocketType
	keys    *Keys // nil without encryption
	limits  Limits
	receive func(*peer, [][]byte)
	group   sync.WaitGroup // accept loop, readers and writers

	mu      sync.RWMutex
	peers   map[string]*peer
	former  []*peer           // that are read from still, though another has taken their identity
	pending map[net.Conn]bool // handshake not done
	held    map[string][]item // for clients that may be among the pending
	nextID  uint32
	closed  bool
	relief  chan struct{} // closed and replaced when bytes leave a queue
}

func newSocket(ln net.Listener, typ zmq4.SocketType, keys *Keys, limits Limits) *socket {
	return &socket{
		ln: ln, typ: typ, keys: keys, limits: limits.withDefaults(),
		peers: map[string]*peer{}, pending: map[net.Conn]bool{},
		relief: make(chan struct{}),
	}
}

// start begins to accept clients. Received messages go to receive, in the
// goroutine of their peer: while it does not return, that peer is not read.
func (s *socket) start(receive func(*peer, [][]byte)) {
	s.receive = receive
	s.group.Go(s.accept)
}

func (s *socket) accept() {
	for {
		nc, err := s.ln.Accept()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil {
			// Out of descriptors, most likely: wait for some to come back.
			time.Sleep(50 * time.Millisecond)
			continue
		}
		if !s.admit(nc) {
			nc.Close()
			return
		}
	}
}

// admit starts to serve nc unless the socket is closed.
func (s *socket) admit(nc net.Conn) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return false
	}
	s.pending[nc] = true
	s.group.Go(func() { s.serve(nc) })
	return true
}

// serve makes the handshake with a client and reads from it until it goes.
func (s *socket) serve(nc net.Conn) {
	defer nc.Close()
	r, id, c, err := open(nc, s.typ, "", true, s.keys, s.limits.Handshake)
	p := s.join(nc, id, c, err)
	if p == nil {
		return
	}
	s.group.Go(p.write)
	s.read(p, r)
	s.leave(p)
}

// join turns a pending connection into a peer, unless its handshake has failed
// or the socket is closed.
func (s *socket) join(nc net.Conn, id string, c *curve, handshake error) *peer {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.pending, nc)
	defer func() {
		if len(s.pending) == 0 {
			s.held = nil
		}
	}()
	if handshake != nil || s.closed {
		return nil
	}
	if id == "" || id[0] == 0 || s.typ != zmq4.Router {
		// As libzmq makes them: a zero byte, which no client may begin with,
		// and a number.
		s.nextID++
		id = string(binary.BigEndian.AppendUint32([]byte{0}, s.nextID))
	}
	p := newPeer(id, nc, c, s.limits, s.relieve)
	// A client that comes back under its identity takes over: its old
	// connection may be dead without anybody knowing. It may also be alive, for
	// clients of one session share an identity: then it would come back at once
	// if it were cut.
	if old := s.peers[id]; old != nil {
		s.former = append(s.former, old)
	}
	s.peers[id] = p
	for _, it := range s.held[id] {
		p.send(it)
	}
	delete(s.held, id)
	return p
}

// maxHeld bounds the clients and the messages of each that are held.
const maxHeld = 64

// peerOrHold returns the peer of the identity. When it is not known but may be
// about to be, it keeps the message for it.
func (s *socket) peerOrHold(id string, it item) *peer {
	s.mu.RLock()
	p, waiting := s.peers[id], len(s.pending) > 0
	s.mu.RUnlock()
	if p != nil || !waiting {
		return p
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if p := s.peers[id]; p != nil {
		return p
	}
	if len(s.pending) > 0 && len(s.held) < maxHeld && len(s.held[id]) < maxHeld {
		if s.held == nil {
			s.held = map[string][]item{}
		}
		s.held[id] = append(s.held[id], it)
	}
	return nil
}

func (s *socket) leave(p *peer) {
	p.cut()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.former = slices.DeleteFunc(s.former, func(q *peer) bool { return q == p })
	if s.peers[p.id] != p {
		return
	}
	delete(s.peers, p.id)
	for i, q := range slices.Backward(s.former) {
		if q.id == p.id { // the one before it has the identity again
			s.peers[q.id] = q
			s.former = slices.Delete(s.former, i, i+1)
			return
		}
	}
}

func (s *socket) relieve() {
	s.mu.Lock()
	defer s.mu.Unlock()
	close(s.relief)
	s.relief = make(chan struct{})
}

func (s *socket) read(p *peer, r *bufio.Reader) {
	for {
		frames, command, err := receive(r, p.curve, s.limits)
		switch {
		case err != nil:
			return
		case command:
			s.command(p, frames[0])
		default:
			s.receive(p, frames)
		}
	}
}

// command answers a ZMTP command. Those of ZMTP 3.1 (RFC 37) come from peers
// that use heartbeats or subscribe by commands.
func (s *socket) command(p *peer, body []byte) {
	if len(body) == 0 || int(body[0]) >= len(body) {
		return
	}
	end := 1 + int(body[0])
	name, arg := string(body[1:end]), body[end:]
	switch name {
	case zmq4.CmdPing:
		// Two bytes of time to live, then up to 16 of context to send back.
		if len(arg) >= 2 && len(arg) <= 18 {
			p.send(s.commandItem(zmq4.CmdPong, arg[2:]))
		}
	case zmq4.CmdSubscribe:
		s.receive(p, [][]byte{append([]byte{1}, arg...)})
	case zmq4.CmdUnsubscribe:
		s.receive(p, [][]byte{append([]byte{0}, arg...)})
	}
}

// snapshot returns the present peers.
func (s *socket) snapshot() []*peer {
	s.mu.RLock()
	defer s.mu.RUnlock()
	out := make([]*peer, 0, len(s.peers))
	for _, p := range s.peers {
		out = append(out, p)
	}
	return out
}

// close stops accepting, waits until the queues are delivered or ctx is done,
// and closes the connections.
func (s *socket) close(ctx context.Context) {
	s.mu.Lock()
	s.closed = true
	for nc := range s.pending {
		nc.Close()
	}
	peers := slices.AppendSeq(slices.Clone(s.former), maps.Values(s.peers))
	s.mu.Unlock()
	s.ln.Close()
	for _, p := range peers {
		p.drain()
	}
	for _, p := range peers {
		select {
		case <-p.done:
		case <-ctx.Done():
		}
		p.cut()
	}
	s.group.Wait()
}
