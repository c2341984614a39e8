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

// interrupt stops the running cell, its wait for input and, with drop, the
// output that waits for slow clients. Without a running cell it does nothing,
// so that the next cell is not hit.
func (s *Server) interrupt(drop bool) {
	out := s.running.Load()
	if out == nil {
		return
	}
	out.interrupt(drop) // first: the end of the cell would deliver what waits
	s.cfg.Evaluator.Interrupt()
	out.cancel()
}
