package kernel

import (
	"bytes"
	"context"
	"encoding/json"

	"github.com/gokernel/gokernel/kernel/evaluator"
	"github.com/gokernel/gokernel/kernel/msg"
)

// The debugger is in the session, whose variables and cells it is about. The kernel
// hands its requests on, also while a cell runs, and publishes its events.

// registerDebugger publishes what the debugger of the session tells, if it has one.
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
	s.debugging.Store(r) // events belong to it
	response, err := question(ctx, func(ctx context.Context) (json.RawMessage, error) { return d.Debug(ctx, json.RawMessage(r.Content)) })
	if err != nil {
		refused.Message = err.Error()
		s.reply(r, "debug_reply", refused)
		return nil
	}
	s.reply(r, "debug_reply", response)
	return nil
}
