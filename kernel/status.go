package kernel

import (
	"slices"
	"sync"

	"github.com/gokernel/gokernel/kernel/msg"
)

// busyCells are the cells whose busy message has been published, but whose idle message has not
// been published yet.
type busyCells struct {
	mu    sync.Mutex
	cells []*request
}

// busy publishes that r is being handled, once.
func (s *Server) busy(r *request) {
	r.busy.Do(func() {
		b := &s.busyCells
		b.mu.Lock()
		defer b.mu.Unlock()
		if r.header.Type == "execute_request" {
			b.cells = append(b.cells, r)
		}
		s.publish(r, "status", msg.Status{State: "busy"})
	})
}

// idle publishes that r has been handled. Frontends, and servers that stop idle kernels, use the
// last status message and don't check the message's parent. If another cell still runs, idle
// publishes the busy message of that cell again.
func (s *Server) idle(r *request) {
	b := &s.busyCells
	b.mu.Lock()
	defer b.mu.Unlock()
	s.publish(r, "status", msg.Status{State: "idle"})
	b.cells = slices.DeleteFunc(b.cells, func(c *request) bool { return c == r })
	if n := len(b.cells); n > 0 {
		s.publish(b.cells[n-1], "status", msg.Status{State: "busy"})
	}
}
