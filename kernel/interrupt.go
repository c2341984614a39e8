package kernel

import (
	"context"

	"github.com/gokernel/gokernel/kernel/msg"
)

// interruptRequest stops the running cell.
func (s *Server) interruptRequest(_ context.Context, r *request) error {
	s.interrupt(true)
	s.reply(r, "interrupt_reply", msg.StatusReply{Status: msg.OK})
	return nil
}

// interrupt stops the running cell and its wait for input. If drop is true, it also drops the
// output that waits for slow clients. If no cell runs, it does nothing, so that the next cell is
// not interrupted.
func (s *Server) interrupt(drop bool) {
	out := s.running.Load()
	if out == nil {
		return
	}
	out.interrupt(drop) // first, because the end of the cell would deliver the waiting output
	s.cfg.Evaluator.Interrupt()
	out.cancel()
}
