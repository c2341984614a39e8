package kernel

import (
	"context"

	"github.com/gokernel/gokernel/kernel/msg"
)

// debug answers that there is no debugger, which kernel_info says too, in the
// form that a debugging front end reads.
func (s *Server) debug(_ context.Context, r *request) error {
	req, err := msg.Decode[msg.DebugRequest](r.Content)
	if err != nil {
		return err
	}
	s.reply(r, "debug_reply", msg.DebugReply{
		Type: "response", RequestSeq: req.Seq, Command: req.Command,
		Message: "this kernel has no debugger",
	})
	return nil
}
