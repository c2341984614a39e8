package kernel

import "sync"

// queueLimit is the number of waiting requests at which their clients are no
// longer read.
const queueLimit = 10_000

// queue holds the requests of one channel in the order of their arrival.
type queue struct {
	mu      sync.Mutex
	change  sync.Cond
	waiting []*request
	last    uint64 // number of the last request that came in
	closed  bool
}

func newQueue() *queue {
	q := &queue{}
	q.change.L = &q.mu
	return q
}

// push appends r and numbers it. It waits while the queue is full.
func (q *queue) push(r *request) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.waiting) >= queueLimit && !q.closed {
		q.change.Wait()
	}
	if q.closed {
		return
	}
	q.last++
	r.seq = q.last
	q.waiting = append(q.waiting, r)
	q.change.Broadcast()
}

// pop waits for the next request; it returns false when the queue is closed.
func (q *queue) pop() (*request, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.waiting) == 0 && !q.closed {
		q.change.Wait()
	}
	if q.closed {
		return nil, false
	}
	r := q.waiting[0]
	q.waiting[0] = nil
	q.waiting = q.waiting[1:]
	q.change.Broadcast()
	return r, true
}

// arrived returns the number of the last request that came in.
func (q *queue) arrived() uint64 {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.last
}

func (q *queue) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	q.change.Broadcast()
}
