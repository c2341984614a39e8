package kernel

import (
	"slices"
	"sync"
	"time"
)

// queueLimit is the number of waiting requests at which their clients are no
// longer read.
const queueLimit = 10_000

// queue holds the requests of one channel in the order of their arrival.
type queue struct {
	mu      sync.Mutex
	change  sync.Cond
	waiting []*request
	last    uint64 // number of the last request that came in
	ending  bool   // nothing comes in any more
	closed  bool   // nothing goes out any more either
}

func newQueue() *queue {
	q := &queue{}
	q.change.L = &q.mu
	return q
}

// push appends r and numbers it. It waits while the queue is full. It returns
// false when the queue takes nothing more.
func (q *queue) push(r *request) bool {
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

// pop waits for the next request; it returns false when the queue is closed, or
// finished and empty.
func (q *queue) pop() (*request, bool) {
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

// arrived returns the number of the last request that came in, and when the last one
// of r's client did. The queue hands out nothing before r has been handled.
func (q *queue) arrived(r *request) (last uint64, at time.Time) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, w := range slices.Backward(q.waiting) {
		if w.header.Session == r.header.Session {
			return q.last, w.at
		}
	}
	return q.last, r.at
}

// finish lets the queue take nothing more.
func (q *queue) finish() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.ending = true
	q.change.Broadcast()
}

// close drops what waits, too.
func (q *queue) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.ending, q.closed = true, true
	q.change.Broadcast()
}
