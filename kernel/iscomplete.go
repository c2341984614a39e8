package kernel

import (
	"context"

	"github.com/gokernel/gokernel/kernel/msg"
)

// isComplete tells a console whether to run the code or to wait for more.
func (s *Server) isComplete(_ context.Context, r *request) error {
	req, err := msg.Decode[msg.IsCompleteRequest](r.Content)
	if err != nil {
		return err
	}
	c := s.cfg.Evaluator.IsComplete(*req.Code)
	reply := msg.IsCompleteReply{Status: c.Status}
	switch c.Status {
	case "incomplete":
		reply.Indent = &c.Indent
	case "complete", "invalid":
	default:
		reply.Status = "unknown"
	}
	s.reply(r, "is_complete_reply", reply)
	return nil
}
