package kernel

import (
	"bytes"
	"context"
	"encoding/json"

	"github.com/gokernel/gokernel/kernel/evaluator"
	"github.com/gokernel/gokernel/kernel/msg"
)

// The debugger runs in the session, which has the variables and the cells. The kernel forwards
// requests to the debugger, even while a cell runs, and publishes the debugger's events.

// registerDebugger publishes the events of the session's debugger, if it has one.
func (s *Server) registerDebugger() {
	if d, ok := s.cfg.Evaluator.(evaluator.Debugger); ok {
		d.DebugEvents(func(event json.RawMessage) { s.publish(s.debugging.Load(), "debug_event", event) })
	}
}

// debug answers a request of the Debug Adapter Protocol.
func (s *Server) debug(ctx context.Context, r *request) error {
	req, err := msg.Decode[msg.DebugRequest](r.Content)
	if err != nil {
		return err
	}
	refused := msg.DebugReply{Type: "response", RequestSeq: req.Seq, Command: req.Command}
	d, ok := s.cfg.Evaluator.(evaluator.Debugger)
	if !ok || !bytes.HasPrefix(bytes.TrimSpace(r.Content), []byte("{")) {
		refused.Message = "this kernel has no debugger"
		s.reply(r, "debug_reply", refused)
		return nil
	}
	s.debugging.Store(r) // the parent of events that follow
	response, err := query(ctx, func(ctx context.Context) (json.RawMessage, error) { return d.Debug(ctx, json.RawMessage(r.Content)) })
	if err != nil {
		refused.Message = err.Error()
		s.reply(r, "debug_reply", refused)
		return nil
	}
	s.reply(r, "debug_reply", response)
	return nil
}
