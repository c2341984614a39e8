//go:build unix

package worker

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"github.com/gokernel/gokernel/kernel/evaluator"
)

// DebugEvents stores the function that receives the events.
func (s *fake) DebugEvents(take func(event json.RawMessage)) { s.take = take }

// Debug sends two events, and echoes the request.
func (s *fake) Debug(_ context.Context, request json.RawMessage) (json.RawMessage, error) {
	if string(request) == `"fail"` {
		return nil, errors.New("not now")
	}
	s.take(json.RawMessage(`{"event":"1"}`))
	s.take(json.RawMessage(`{"event":"é"}`))
	return request, nil
}

// Requests reach the debugger while a cell runs, and its events arrive in order.
func TestDebug(t *testing.T) {
	c := start(t)
	var events []string
	c.DebugEvents(func(e json.RawMessage) { events = append(events, string(e)) })
	cell := make(chan error, 1)
	ctx, stop := context.WithCancel(t.Context())
	go func() {
		_, err := c.Eval(ctx, evaluator.Cell{Code: "soft"}, &record{})
		cell <- err
	}()
	if r, err := c.Debug(t.Context(), json.RawMessage(`{"seq":1}`)); err != nil || string(r) != `{"seq":1}` {
		t.Errorf("the response is %s, %v", r, err)
	}
	if _, err := c.Debug(t.Context(), json.RawMessage(`"fail"`)); err == nil || err.Error() != "not now" {
		t.Errorf("the error is %v", err)
	}
	stop()
	<-cell
	if len(events) != 2 || events[0] != `{"event":"1"}` || events[1] != `{"event":"é"}` {
		t.Errorf("the events are %q", events)
	}
}
