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

// socket is the shared part of Router and Publisher: the accept loop and the peers.
type socket struct {
	ln      net.Listener
	typ     zmq4.SocketType
	keys    *Keys // nil without encryption
	limits  Limits
	receive func(*peer, [][]byte)
	group   sync.WaitGroup // accept loop, readers and writers

	mu      sync.RWMutex
	peers   map[string]*peer
	former  []*peer           // peers that are still read from, though another one has taken over their identity
	pending map[net.Conn]bool // connections whose handshake is not done
	held    map[string][]item // messages for clients that may be among the pending ones
	nextID  uint32
	closed  bool
	relief  chan struct{} // closed and replaced when bytes leave a queue
	paused  time.Time     // when a publisher last began to wait for peers that were never seen to read
}

func newSocket(ln net.Listener, typ zmq4.SocketType, keys *Keys, limits Limits) *socket {
	return &socket{
		ln: ln, typ: typ, keys: keys, limits: limits.withDefaults(),
		peers: map[string]*peer{}, pending: map[net.Conn]bool{},
		relief: make(chan struct{}),
	}
}

// start starts accepting clients. It passes received messages to receive, in the goroutine of their
// peer. Until receive returns, the socket reads no more from that peer.
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
			// Accept has failed, most likely because the process has no free file descriptors. Wait
			// until some file descriptors are closed.
			time.Sleep(50 * time.Millisecond)
			continue
		}
		if !s.admit(nc) {
			nc.Close()
			return
		}
	}
}

// admit registers nc as pending, unless the socket is closed.
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

// serve performs the handshake with a client and reads from it until it disconnects.
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

// join turns a pending connection into a peer. It returns nil if the handshake has failed or the
// socket is closed.
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
		// This identity has the format of libzmq: a zero byte, with which the identity of a client
		// cannot start, and a number.
		s.nextID++
		id = string(binary.BigEndian.AppendUint32([]byte{0}, s.nextID))
	}
	p := newPeer(id, nc, c, s.limits, s.relieve)
	// A client that reconnects with the same identity takes over that identity. The old connection
	// may be dead although nobody has noticed. It may also be alive, because clients of one session
	// share an identity. The old client would reconnect immediately if the old connection were
	// closed.
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

// maxHeld is the maximum number of clients for which messages are held, and the maximum number of
// held messages per client.
const maxHeld = 64

// peerOrHold returns the peer with the identity. If there is none, but a pending handshake could be
// that of the peer, it holds the message.
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
		if q.id == p.id { // the older peer gets the identity back
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

// pauses reports whether a publisher may now wait for peers that are not known to have read
// anything.
func (s *socket) pauses() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if since := time.Since(s.paused); since > max(s.limits.Stall, s.limits.Pause) {
		s.paused = time.Now()
	}
	return time.Since(s.paused) < s.limits.Pause
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

// command handles a ZMTP command. The commands of ZMTP 3.1 (RFC 37) come from peers that use
// heartbeats or subscribe with commands.
func (s *socket) command(p *peer, body []byte) {
	if len(body) == 0 || int(body[0]) >= len(body) {
		return
	}
	end := 1 + int(body[0])
	name, arg := string(body[1:end]), body[end:]
	switch name {
	case zmq4.CmdPing:
		// A PING has two bytes of time to live, then up to 16 bytes of context to send back.
		if len(arg) >= 2 && len(arg) <= 18 {
			p.send(s.commandItem(zmq4.CmdPong, arg[2:]))
		}
	case zmq4.CmdSubscribe:
		s.receive(p, [][]byte{append([]byte{1}, arg...)})
	case zmq4.CmdUnsubscribe:
		s.receive(p, [][]byte{append([]byte{0}, arg...)})
	}
}

// snapshot returns the current peers.
func (s *socket) snapshot() []*peer {
	s.mu.RLock()
	defer s.mu.RUnlock()
	out := make([]*peer, 0, len(s.peers))
	for _, p := range s.peers {
		out = append(out, p)
	}
	return out
}

// close stops accepting, waits until the queues have been sent or ctx is done, and closes the
// connections.
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
