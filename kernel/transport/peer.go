package transport

import (
	"net"
	"sync"
	"time"
)

// writeChunk is the maximum size of one write. Progress is recorded between writes.
const writeChunk = 256 << 10

// item is one queued message, or one command.
type item struct {
	pieces    [][]byte // the bytes that all peers receive
	frames    [][]byte // encrypted for each peer instead of pieces; for a command, its body
	command   bool
	size      int
	droppable bool
}

// item prepares a message for the peers of s.
func (s *socket) item(frames [][]byte) item {
	if s.keys == nil {
		pieces, size := encode(frames)
		return item{pieces: pieces, size: size}
	}
	it := item{frames: frames}
	for _, f := range frames {
		it.size += len(f) + sealed + 9
	}
	return it
}

// commandItem prepares a command for the peers of s.
func (s *socket) commandItem(name string, arg []byte) item {
	frame := encodeCommand(name, arg)
	it := item{pieces: [][]byte{frame}, size: len(frame)}
	if s.keys != nil {
		it.pieces, it.frames, it.command = nil, [][]byte{frame[2:]}, true
	}
	return it
}

// bytes returns the bytes to send to a peer.
func (it item) bytes(c *curve) [][]byte {
	switch {
	case c == nil:
		return it.pieces
	case it.command:
		return [][]byte{c.seal(nil, boxCommand, it.frames[0])}
	}
	return [][]byte{c.encode(it.frames)}
}

// peer is a connected client. It has a queue of messages and a goroutine that sends them.
type peer struct {
	id     string
	nc     net.Conn
	curve  *curve // nil without encryption
	limits Limits

	mu       sync.Mutex
	wake     sync.Cond // signals that the queue is not empty, or that the peer is closed or draining
	queue    []item
	bytes    int       // size of the queue and of the write in progress
	progress time.Time // when the last write returned, or the queue became non-empty
	taken    int       // bytes written
	draining bool
	closed   bool
	done     chan struct{} // the writer has returned
	relieve  func()        // called without the lock when the peer is no longer slow

	topics map[string]int // a subscriber's number of subscriptions per topic; guarded by mu
}

func newPeer(id string, nc net.Conn, c *curve, limits Limits, relieve func()) *peer {
	p := &peer{id: id, nc: nc, curve: c, limits: limits, done: make(chan struct{}), relieve: relieve}
	p.wake.L = &p.mu
	return p
}

// send queues a message. It never waits; a peer that has stopped reading is disconnected.
func (p *peer) send(it item) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.sendLocked(it)
}

func (p *peer) sendLocked(it item) {
	if p.closed || p.draining {
		return
	}
	if p.bytes == 0 {
		p.progress = time.Now()
	}
	p.queue = append(p.queue, it)
	p.bytes += it.size
	if p.bytes > p.limits.Queue || p.stalled() {
		p.cutLocked()
		return
	}
	p.wake.Signal()
}

// stalled reports whether p has a long queue and has received nothing for the stall time.
func (p *peer) stalled() bool {
	return p.bytes > p.limits.HighWater && time.Since(p.progress) > p.limits.Stall
}

// slow reports whether p's queue is longer than the high-water mark, and whether p is known to have
// read anything. It disconnects a peer that has stalled.
func (p *peer) slow() (slow, reads bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.closed && p.stalled() {
		p.cutLocked()
	}
	return !p.closed && p.bytes > p.limits.HighWater, p.taken > buffered
}

// buffered is a number of bytes that exceeds the capacity of a connection's buffers. If this many
// bytes have been written to a peer, the peer must have read some of them.
const buffered = 64 << 20

// wrote records that n bytes were written.
func (p *peer) wrote(n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.progress = time.Now()
	p.taken += n
}

// discard removes the droppable messages that are not being written yet and returns how many it
// removed.
func (p *peer) discard() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	kept := p.queue[:0]
	n := 0
	for _, it := range p.queue {
		if it.droppable {
			p.bytes -= it.size
			n++
			continue
		}
		kept = append(kept, it)
	}
	clear(p.queue[len(kept):])
	p.queue = kept
	return n
}

func (p *peer) cutLocked() {
	p.closed = true
	p.queue = nil
	p.bytes = 0
	p.nc.Close()
	p.wake.Signal()
}

// cut closes the connection immediately.
func (p *peer) cut() {
	p.mu.Lock()
	p.cutLocked()
	p.mu.Unlock()
	p.relieve()
}

// drain makes the writer return when the queue is empty.
func (p *peer) drain() {
	p.mu.Lock()
	p.draining = true
	p.wake.Signal()
	p.mu.Unlock()
}

// write is the loop of the peer's writer. It sends all queued messages together.
func (p *peer) write() {
	defer close(p.done)
	for {
		p.mu.Lock()
		for len(p.queue) == 0 && !p.closed && !p.draining {
			p.wake.Wait()
		}
		if p.closed || len(p.queue) == 0 {
			p.mu.Unlock()
			return
		}
		items, size := p.take()
		p.mu.Unlock()
		var batch net.Buffers
		for _, it := range items {
			batch = append(batch, it.bytes(p.curve)...)
		}

		err := writeChunks(p.nc, batch, p.wrote)
		if err != nil {
			p.cut()
			return
		}
		p.mu.Lock()
		wasSlow := p.bytes > p.limits.HighWater
		p.bytes = max(0, p.bytes-size)
		relieved := wasSlow && p.bytes <= p.limits.HighWater
		p.mu.Unlock()
		if relieved {
			p.relieve()
		}
	}
}

// take removes at least one message, and about writeChunk bytes in total, from the queue.
func (p *peer) take() (items []item, size int) {
	n := 0
	for n < len(p.queue) && (n == 0 || size < writeChunk) {
		items = append(items, p.queue[n])
		size += p.queue[n].size
		n++
	}
	clear(p.queue[:n])
	if n == len(p.queue) {
		p.queue = p.queue[:0]
	} else {
		p.queue = p.queue[n:]
	}
	return items, size
}

// writeChunks writes the pieces and calls wrote with the number of bytes after each write.
func writeChunks(nc net.Conn, pieces net.Buffers, wrote func(int)) error {
	for len(pieces) > 0 {
		var chunk net.Buffers
		n := 0
		for len(pieces) > 0 && n < writeChunk {
			piece := pieces[0]
			if room := writeChunk - n; len(piece) > room {
				piece = piece[:room]
				pieces[0] = pieces[0][room:]
			} else {
				pieces = pieces[1:]
			}
			chunk = append(chunk, piece)
			n += len(piece)
		}
		if _, err := chunk.WriteTo(nc); err != nil {
			return err
		}
		wrote(n)
	}
	return nil
}
