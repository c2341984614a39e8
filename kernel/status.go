package kernel

import (
	"slices"
	"sync"

	"github.com/gokernel/gokernel/kernel/msg"
)

// busyCells are the cells of which busy has been told and idle has not.
type busyCells struct {
	mu    sync.Mutex
	cells []*request
}

// busy tells that r is being handled, unless that has been told.
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

// idle tells that r has been handled. Frontends, and servers that end idle
// kernels, look at the last status and not at whose it is: while another cell
// runs, its busy is told again.
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
