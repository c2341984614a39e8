package kernel

import (
	"context"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/gokernel/gokernel/kernel/msg"
)

// lane is a queue of requests that are handled one after another: the main
// shell, a subshell or the control channel. Questions that come on a shell have
// a queue beside it, so that they are answered while its cells run; requests of a
// debugger have one beside control, so that an interrupt never waits for them.
type lane struct {
	id string // of a subshell
	*queue
	questions *queue
	beside    map[string]bool // the types of request that questions takes
	comms     atomic.Int64
	ahead     ahead
	execution execution
}

// questions are the requests that need not wait for the cells before them.
var questions = map[string]bool{
	"complete_request":    true,
	"inspect_request":     true,
	"is_complete_request": true,
	"history_request":     true,
	"comm_info_request":   true,
	"kernel_info_request": true,
}

// debugRequests are the requests that control handles beside the others.
var debugRequests = map[string]bool{"debug_request": true}

// execution is the state of the cells that a lane has run. Only the lane's own
// goroutine uses it.
type execution struct {
	count    int // of cells that were counted
	failures failures
}

func newLane(id string, beside map[string]bool) *lane {
	return &lane{id: id, queue: newQueue(), questions: newQueue(), beside: beside, execution: execution{failures: failures{}}}
}

// ahead counts the urgent messages of comms that are being handled.
type ahead struct {
	mu    sync.Mutex
	comms map[string]int
}

// enter has a message go ahead of the running cell if it is urgent or one of its comm
// does: these keep their order.
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

// enqueue returns r to a shell, where what is urgent does not wait for the running cell.
func (s *Server) enqueue(l *lane, r *request) bool {
	switch r.header.Type {
	case "comm_open", "comm_msg", "comm_close":
		m, err := msg.Decode[msg.Comm](r.Content)
		if err == nil && l.ahead.enter(r, m.ID, s.urgent(r, m)) {
			r.lane = l
			return l.questions.push(r)
		}
	}
	return l.enqueue(r)
}

// enqueue returns r to the lane, unless that has ended.
func (l *lane) enqueue(r *request) bool {
	r.lane = l
	if strings.HasPrefix(r.header.Type, "comm_") {
		return l.enqueueComm(r)
	}
	if l.beside[r.header.Type] {
		return l.questions.push(r)
	}
	return l.push(r)
}

// enqueueComm is enqueue for what opens, uses, closes and lists comms: these
// keep their order among each other.
func (l *lane) enqueueComm(r *request) bool {
	if l.beside[r.header.Type] && l.comms.Load() == 0 {
		return l.questions.push(r)
	}
	l.comms.Add(1)
	r.handled = func() { l.comms.Add(-1) }
	return l.push(r)
}

// finish lets the lane take nothing more.
func (l *lane) finish() {
	l.queue.finish()
	l.questions.finish()
}

// close drops what waits, too.
func (l *lane) close() {
	l.queue.close()
	l.questions.close()
}

// lanes starts and ends the lanes of a server.
type lanes struct {
	main, control *lane

	mu        sync.Mutex
	subshells map[string]*lane
	group     sync.WaitGroup
	handle    func(*request) // set by start; nil before it and after the end
}

func newLanes() *lanes {
	return &lanes{main: newLane("", questions), control: newLane("", debugRequests), subshells: map[string]*lane{}}
}

// start handles the requests of all lanes, present and future.
func (ls *lanes) start(handle func(*request)) {
	ls.mu.Lock()
	defer ls.mu.Unlock()
	ls.handle = handle
	ls.run(ls.main)
	ls.run(ls.control)
}

// run starts the goroutines of l. The lock is held.
func (ls *lanes) run(l *lane) {
	handle := ls.handle
	for _, q := range []*queue{l.queue, l.questions} {
		ls.group.Go(func() {
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

// end closes all lanes. The channel is closed when they have finished the
// requests at hand.
func (ls *lanes) end() <-chan struct{} {
	ls.mu.Lock()
	defer ls.mu.Unlock()
	ls.handle = nil
	ls.main.close()
	ls.control.close()
	for _, l := range ls.subshells {
		l.close()
	}
	done := make(chan struct{})
	go func() {
		ls.group.Wait()
		close(done)
	}()
	return done
}

// subshell returns the lane of a subshell, nil if there is none.
func (ls *lanes) subshell(id string) *lane {
	ls.mu.Lock()
	defer ls.mu.Unlock()
	return ls.subshells[id]
}

// acquire waits for the evaluator, which runs the cells of all lanes one at a
// time.
func (s *Server) acquire(ctx context.Context) (release func(), err error) {
	select {
	case s.evaluator <- struct{}{}:
		return func() { <-s.evaluator }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
