package kernel

import (
	"context"

	"github.com/gokernel/gokernel/kernel/evaluator"
	"github.com/gokernel/gokernel/kernel/msg"
)

// complete answers with the completions at the cursor.
func (s *Server) complete(ctx context.Context, r *request) error {
	req, err := msg.Decode[msg.CompleteRequest](r.Content)
	if err != nil {
		return err
	}
	code := *req.Code
	cursor := cursorOffset(code, req.CursorPos)
	c, err := query(ctx, func(ctx context.Context) (evaluator.Completion, error) {
		return s.cfg.Evaluator.Complete(ctx, code, cursor)
	})
	if err != nil {
		return err
	}
	if c.Start < 0 || c.End < c.Start || c.End > len(code) {
		c.Start, c.End = cursor, cursor
	}
	reply := msg.CompleteReply{
		Status:      msg.OK,
		CursorStart: codePoints(code, c.Start),
		CursorEnd:   codePoints(code, c.End),
	}
	types := make(msg.List[msg.CompletionType], 0, len(c.Matches))
	for _, m := range c.Matches {
		reply.Matches = append(reply.Matches, m.Text)
		types = append(types, msg.CompletionType{
			Start: reply.CursorStart, End: reply.CursorEnd, Text: m.Text, Type: m.Kind, Signature: m.Signature,
		})
	}
	reply.Metadata = msg.Dict{"_jupyter_types_experimental": types}
	s.reply(r, "complete_reply", reply)
	return nil
}
