package kernel

import (
	"context"
	"sync"
)

// lane is a queue of requests that are handled one after another: the main
// shell, a subshell or the control channel.
type lane struct {
	id string // of a subshell
	*queue
	execution execution
}

// execution is the state of the cells that a lane has run. Only the lane's own
// goroutine uses it.
type execution struct {
	count   int // of cells that were counted
	failure failure
}

func newLane(id string) *lane { return &lane{id: id, queue: newQueue()} }

// lanes starts and ends the lanes of a server.
type lanes struct {
	main, control *lane

	mu        sync.Mutex
	subshells map[string]*lane
	group     sync.WaitGroup
	handle    func(*request) // set by start; nil before it and after the end
}

func newLanes() *lanes {
	return &lanes{main: newLane(""), control: newLane(""), subshells: map[string]*lane{}}
}

// start handles the requests of all lanes, present and future.
func (ls *lanes) start(handle func(*request)) {
	ls.mu.Lock()
	defer ls.mu.Unlock()
	ls.handle = handle
	ls.run(ls.main)
	ls.run(ls.control)
}

// run starts the goroutine of l. The lock is held.
func (ls *lanes) run(l *lane) {
	handle := ls.handle
	ls.group.Go(func() {
		for {
			r, ok := l.pop()
			if !ok {
				return
			}
			handle(r)
		}
	})
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
