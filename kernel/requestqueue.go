package kernel

import (
	"context"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/gokernel/gokernel/kernel/msg"
)

// requestQueue is a queue of requests that are handled one after another: the main shell, a
// subshell or the control channel. Queries on a shell have a second queue, so that they are
// answered while the shell's cells run. On the control channel, the second queue takes requests of
// a debugger, so that an interrupt never waits for them.
type requestQueue struct {
	id string // id of a subshell
	*fifo
	queries   *fifo
	beside    map[string]bool // the types of request that queries takes
	comms     atomic.Int64
	ahead     ahead
	execution execution
}

// queries are the types of request that need not wait for the cells before them.
var queries = map[string]bool{
	"complete_request":    true,
	"inspect_request":     true,
	"is_complete_request": true,
	"history_request":     true,
	"comm_info_request":   true,
	"kernel_info_request": true,
}

// debugRequests are the types of request that the control channel handles in its second queue.
var debugRequests = map[string]bool{"debug_request": true}

// execution is the state of the cells that a queue has run. Only the queue's own goroutine uses
// it.
type execution struct {
	count    int // number of cells that were counted
	failures failures
}

func newRequestQueue(id string, beside map[string]bool) *requestQueue {
	return &requestQueue{id: id, fifo: newFIFO(), queries: newFIFO(), beside: beside, execution: execution{failures: failures{}}}
}

// ahead counts the urgent comm messages that are being handled.
type ahead struct {
	mu    sync.Mutex
	comms map[string]int
}

// enter reports whether a message goes ahead of the running cell. A message goes ahead if it is
// urgent. Because the messages of one comm keep their order, it also goes ahead if another message
// of its comm goes ahead.
func (a *ahead) enter(r *request, comm string, urgent bool) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if !urgent && a.comms[comm] == 0 {
		return false
	}
	if a.comms == nil {
		a.comms = map[string]int{}
	}
	a.comms[comm]++
	r.urgent = true
	r.handled = func() {
		a.mu.Lock()
		defer a.mu.Unlock()
		if a.comms[comm]--; a.comms[comm] == 0 {
			delete(a.comms, comm)
		}
	}
	return true
}

// enqueue adds r to a shell's queue. An urgent comm message does not wait for the running cell.
func (s *Server) enqueue(q *requestQueue, r *request) bool {
	switch r.header.Type {
	case "comm_open", "comm_msg", "comm_close":
		m, err := msg.Decode[msg.Comm](r.Content)
		if err == nil && q.ahead.enter(r, m.ID, s.urgent(r, m)) {
			r.queue = q
			return q.queries.push(r)
		}
	}
	return q.enqueue(r)
}

// enqueue adds r to the queue. It returns false if the queue has ended.
func (q *requestQueue) enqueue(r *request) bool {
	r.queue = q
	if strings.HasPrefix(r.header.Type, "comm_") {
		return q.enqueueComm(r)
	}
	if q.beside[r.header.Type] {
		return q.queries.push(r)
	}
	return q.push(r)
}

// enqueueComm adds a request that opens, uses, closes or lists comms. These requests keep their
// order.
func (q *requestQueue) enqueueComm(r *request) bool {
	if q.beside[r.header.Type] && q.comms.Load() == 0 {
		return q.queries.push(r)
	}
	q.comms.Add(1)
	r.handled = func() { q.comms.Add(-1) }
	return q.push(r)
}

// After finish, the queue accepts no more requests. Waiting requests are still handled.
func (q *requestQueue) finish() {
	q.fifo.finish()
	q.queries.finish()
}

// close drops the waiting requests. After close, the queue accepts no more requests.
func (q *requestQueue) close() {
	q.fifo.close()
	q.queries.close()
}

// requestQueues starts and ends the request queues of a server.
type requestQueues struct {
	main, control *requestQueue

	mu        sync.Mutex
	subshells map[string]*requestQueue
	group     sync.WaitGroup
	handle    func(*request) // set by start; nil before start and after end
}

func newRequestQueues() *requestQueues {
	return &requestQueues{main: newRequestQueue("", queries), control: newRequestQueue("", debugRequests), subshells: map[string]*requestQueue{}}
}

// start handles the requests of all queues, including those that are created later.
func (qs *requestQueues) start(handle func(*request)) {
	qs.mu.Lock()
	defer qs.mu.Unlock()
	qs.handle = handle
	qs.run(qs.main)
	qs.run(qs.control)
}

// run starts the goroutines of rq. The caller must hold the lock.
func (qs *requestQueues) run(rq *requestQueue) {
	handle := qs.handle
	for _, q := range []*fifo{rq.fifo, rq.queries} {
		qs.group.Go(func() {
			for {
				r, ok := q.pop()
				if !ok {
					return
				}
				handle(r)
			}
		})
	}
}

// end closes all queues. The returned channel is closed when the requests that were being handled
// have finished.
func (qs *requestQueues) end() <-chan struct{} {
	qs.mu.Lock()
	defer qs.mu.Unlock()
	qs.handle = nil
	qs.main.close()
	qs.control.close()
	for _, q := range qs.subshells {
		q.close()
	}
	done := make(chan struct{})
	go func() {
		qs.group.Wait()
		close(done)
	}()
	return done
}

// subshell returns the queue of a subshell, or nil if the subshell does not exist.
func (qs *requestQueues) subshell(id string) *requestQueue {
	qs.mu.Lock()
	defer qs.mu.Unlock()
	return qs.subshells[id]
}

// acquire waits for the evaluator, which runs the cells of all queues one at a time.
func (s *Server) acquire(ctx context.Context) (release func(), err error) {
	select {
	case s.evaluator <- struct{}{}:
		return func() { <-s.evaluator }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
