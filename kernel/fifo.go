package kernel

import (
	"slices"
	"sync"
	"time"
)

// queueLimit is the maximum number of waiting requests. When it is reached, the kernel stops
// reading from clients.
const queueLimit = 10_000

// fifo holds requests in the order of their arrival.
type fifo struct {
	mu      sync.Mutex
	change  sync.Cond
	waiting []*request
	last    uint64 // sequence number of the last request added
	ending  bool   // no more requests are added
	closed  bool   // no more requests are removed either
}

func newFIFO() *fifo {
	q := &fifo{}
	q.change.L = &q.mu
	return q
}

// push appends r and assigns its sequence number. It waits while the queue is full. It returns
// false if the queue accepts no more requests.
func (q *fifo) push(r *request) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.waiting) >= queueLimit && !q.ending {
		q.change.Wait()
	}
	if q.ending {
		return false
	}
	q.last++
	r.seq, r.at = q.last, time.Now()
	q.waiting = append(q.waiting, r)
	q.change.Broadcast()
	return true
}

// pop waits for the next request. It returns false if the queue is closed, or finished and empty.
func (q *fifo) pop() (*request, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.waiting) == 0 && !q.ending {
		q.change.Wait()
	}
	if q.closed || len(q.waiting) == 0 {
		return nil, false
	}
	r := q.waiting[0]
	q.waiting[0] = nil
	q.waiting = q.waiting[1:]
	q.change.Broadcast()
	return r, true
}

// arrived returns the sequence number of the last request in the queue, and the time at which the
// last request of r's client arrived. While r is being handled, no other request leaves the queue.
func (q *fifo) arrived(r *request) (last uint64, at time.Time) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, w := range slices.Backward(q.waiting) {
		if w.header.Session == r.header.Session {
			return q.last, w.at
		}
	}
	return q.last, r.at
}

// After finish, the queue accepts no more requests. pop still returns the waiting requests.
func (q *fifo) finish() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.ending = true
	q.change.Broadcast()
}

// After close, the queue accepts no more requests, and pop returns none of the waiting requests.
func (q *fifo) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.ending, q.closed = true, true
	q.change.Broadcast()
}
