package kernel_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"testing"

	"github.com/gokernel/gokernel/kernel"
	"github.com/gokernel/gokernel/kernel/kerneltest"
)

// debugged is a fake with a debugger that echoes the arguments.
type debugged struct {
	*fake
	take func(json.RawMessage)
	hold chan struct{} // the command "wait" waits for it
}

func (d *debugged) DebugEvents(take func(json.RawMessage)) { d.take = take }

func (d *debugged) Debug(_ context.Context, request json.RawMessage) (json.RawMessage, error) {
	var r struct {
		Seq       int             `json:"seq"`
		Command   string          `json:"command"`
		Arguments json.RawMessage `json:"arguments"`
	}
	if err := json.Unmarshal(request, &r); err != nil {
		return nil, err
	}
	switch r.Command {
	case "fail":
		return nil, errors.New("the session is lost")
	case "tell":
		d.take(json.RawMessage(`{"seq":5,"type":"event","event":"stopped","body":{"threadId":1}}`))
	case "wait":
		<-d.hold
	}
	return json.Marshal(map[string]any{"type": "response", "request_seq": r.Seq, "command": r.Command, "success": true, "body": r.Arguments})
}

// TestDebugger sends requests to the session's debugger, even while a cell runs, and checks that
// the debugger's events are published. A slow request must not block the control channel.
func TestDebugger(t *testing.T) {
	d := &debugged{fake: newFake(), hold: make(chan struct{})}
	_, conn := start(t, func(c *kernel.Config) { c.Evaluator = d })
	c := kerneltest.Connect(t, conn)
	if info := c.Request("control", "kernel_info_request", map[string]any{}).Reply.Content; info["debugger"] != true || !slices.Contains(info["supported_features"].([]any), "debugger") {
		t.Errorf("kernel_info_reply is %v", info)
	}
	c.Send("shell", "execute_request", map[string]any{"code": "gate"})
	<-d.started
	ask := func(command string) kerneltest.Exchange {
		return c.Request("control", "debug_request", map[string]any{"seq": 7, "type": "request", "command": command, "arguments": map[string]any{"a": "é"}})
	}
	r := ask("echo").Reply
	if body, _ := r.Content["body"].(map[string]any); r.Content["success"] != true || r.Int("request_seq") != 7 || body["a"] != "é" {
		t.Errorf("debug_reply is %v", r.Content)
	}
	if r := ask("fail").Reply; r.Content["success"] != false || r.Str("message") != "the session is lost" || r.Str("command") != "fail" {
		t.Errorf("debug_reply is %v", r.Content)
	}
	e := ask("tell")
	if len(e.Outputs) != 1 || e.Outputs[0].Header.Type != "debug_event" || e.Outputs[0].Str("event") != "stopped" {
		t.Errorf("the event came as %v", e.Outputs)
	}
	waiting := c.Send("control", "debug_request", map[string]any{"seq": 8, "type": "request", "command": "wait"})
	if e := c.Request("control", "kernel_info_request", map[string]any{}); e.Status() != "ok" {
		t.Errorf("kernel_info_request after it: %v", e.Reply)
	}
	close(d.hold)
	d.gate <- struct{}{}
	_ = waiting
}
