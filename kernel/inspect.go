package kernel

import (
	"context"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/kernel/msg"
)

// inspect answers with the documentation of the name at the cursor.
func (s *Server) inspect(ctx context.Context, r *request) error {
	req, err := msg.Decode[msg.InspectRequest](r.Content)
	if err != nil {
		return err
	}
	var found bool
	b, err := query(ctx, func(ctx context.Context) (b display.Bundle, err error) {
		b, found, err = s.cfg.Evaluator.Inspect(ctx, *req.Code, cursorOffset(*req.Code, req.CursorPos), req.DetailLevel)
		return b, err
	})
	if err != nil {
		return err
	}
	reply := msg.InspectReply{Status: msg.OK, Found: found}
	if found {
		d, err := displayData(b)
		if err != nil {
			return err
		}
		reply.Data, reply.Metadata = d.Data, d.Metadata
	}
	s.reply(r, "inspect_reply", reply)
	return nil
}
