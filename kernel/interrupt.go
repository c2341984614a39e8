package kernel

import (
	"context"

	"github.com/gokernel/gokernel/kernel/msg"
)

// interruptRequest stops the running cell.
func (s *Server) interruptRequest(_ context.Context, r *request) error {
	s.interrupt()
	s.reply(r, "interrupt_reply", msg.StatusReply{Status: msg.OK})
	return nil
}

// interrupt stops the running cell, its wait for input and its pending output.
// Without one it does nothing, so that the next cell is not hit.
func (s *Server) interrupt() {
	out := s.running.Load()
	if out == nil {
		return
	}
	s.cfg.Evaluator.Interrupt()
	out.interrupt()
}
