package kernel

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"github.com/gokernel/gokernel/kernel/evaluator"
	"github.com/gokernel/gokernel/kernel/history"
	"github.com/gokernel/gokernel/kernel/msg"
)

// execute runs a cell.
func (s *Server) execute(ctx context.Context, r *request) error {
	if r.queue == s.queues.control {
		return errors.New("kernel: execute_request belongs on the shell channel")
	}
	req, err := msg.Decode[msg.ExecuteRequest](r.Content)
	if err != nil {
		return err
	}
	state := &r.queue.execution
	if state.failures.abort(r) {
		s.busy(r)
		s.reply(r, "execute_reply", msg.StatusReply{Status: msg.Aborted})
		return nil
	}
	go s.busy(r) // not after acquire, which may wait for a cell of another queue
	release, err := s.acquire(ctx)
	if err != nil {
		return err
	}
	defer release()
	s.history.Hold()
	started := time.Now()
	code, silent := *req.Code, req.Silent
	store := !silent && (req.StoreHistory == nil || *req.StoreHistory)
	number := state.count + 1
	if store {
		state.count = number
	}

	announce := sync.OnceFunc(func() {
		s.busy(r)
		if !silent {
			s.publish(r, "execute_input", msg.ExecuteInput{Code: code, ExecutionCount: number})
		}
	})
	out := newOutput(ctx, s, r, announce, silent, req.AllowStdin)
	// Set running before the client can know that the cell runs, so that an interrupt from the
	// client takes effect.
	s.running.Store(out)
	defer s.running.Store(nil)
	// The clients are notified in the background, so that the evaluator starts without delay.
	go announce()
	result, err := s.eval(out.ctx, evaluator.Cell{Code: code, Number: number, Silent: silent, AllowStdin: req.AllowStdin, Dialogs: req.AllowStdin && s.pages.has(r.header.Session)}, out)
	var shown msg.DisplayData
	if err == nil && result.Value != nil {
		if shown, err = displayData(*result.Value); err != nil {
			err = &evaluator.Error{Name: "display error", Value: err.Error(), Traceback: []string{"display error: " + err.Error()}}
		}
	}
	payload := out.finish()

	if err == nil && result.Value != nil && !silent {
		s.publish(r, "execute_result", msg.ExecuteResult{
			ExecutionCount: number, Data: shown.Data, Metadata: shown.Metadata, Transient: shown.Transient,
		})
	}
	if store && r.queue == s.queues.main {
		text, _ := shown.Data["text/plain"].(string)
		s.history.Add(history.Entry{Line: number, Input: code, Output: text})
	}
	meta := msg.Dict{"started": msg.Date(started)}
	if err != nil {
		s.executeFailed(ctx, r, req, cellError(err), payload, meta)
		return nil
	}
	expressions := s.expressions(ctx, req.UserExpressions)
	if len(expressions) > 0 {
		out.finish() // the expressions may have printed
	}
	s.replyWith(r, "execute_reply", msg.ExecuteReply{
		Status: msg.OK, ExecutionCount: state.count, Payload: payload, UserExpressions: expressions,
	}, meta)
	return nil
}

// executeFailed publishes the error message of a cell, answers the request, and aborts the cells
// that the client has queued after it.
func (s *Server) executeFailed(ctx context.Context, r *request, req msg.ExecuteRequest, e *evaluator.Error, payload msg.List[any], meta msg.Dict) {
	content := errorContent(e)
	if req.StopOnError == nil || *req.StopOnError {
		// Record the failure before the client sees the error: requests that it sends afterwards
		// must run.
		r.queue.execution.failures.add(r, r.queue.waitForBurst(ctx, r))
	}
	if !req.Silent {
		s.publish(r, "error", content)
	}
	s.replyWith(r, "execute_reply", msg.ExecuteErrorReply{
		Status: msg.Failed, ExecutionCount: r.queue.execution.count, Error: content, Payload: payload,
	}, meta)
}

// eval calls the evaluator and converts a panic to an error.
func (s *Server) eval(ctx context.Context, cell evaluator.Cell, out evaluator.Output) (result evaluator.Result, err error) {
	defer func() {
		if v := recover(); v != nil {
			s.log.Error("evaluator panicked", "panic", v, "stack", string(debug.Stack()))
			err = fmt.Errorf("the evaluator panicked: %v", v)
		}
	}()
	return s.cfg.Evaluator.Eval(ctx, cell, out)
}

// expressions evaluates the user expressions of a cell that succeeded. It evaluates them in the
// order of their names, because the result of one expression can depend on a side effect of
// another.
func (s *Server) expressions(ctx context.Context, exprs map[string]string) msg.Dict {
	out := make(msg.Dict, len(exprs))
	for _, name := range slices.Sorted(maps.Keys(exprs)) {
		b, err := s.cfg.Evaluator.Expression(ctx, exprs[name])
		var d msg.DisplayData
		if err == nil {
			d, err = displayData(b)
		}
		if err != nil {
			out[name] = msg.ErrorReply{Status: msg.Failed, Error: errorContent(cellError(err))}
			continue
		}
		out[name] = msg.Expression{Status: msg.OK, Data: d.Data, Metadata: d.Metadata}
	}
	return out
}

// cellError converts any error of a cell to an error that the user can read.
func cellError(err error) *evaluator.Error {
	var e *evaluator.Error
	if errors.As(err, &e) {
		return e
	}
	name := "error"
	if errors.Is(err, context.Canceled) {
		name = "interrupted"
	}
	return &evaluator.Error{Name: name, Value: err.Error()}
}

// errorContent returns the content of an error message. It always has a traceback, because
// JupyterLab shows nothing else.
func errorContent(e *evaluator.Error) msg.Error {
	c := msg.Error{Name: e.Name, Value: e.Value, Traceback: e.Traceback}
	if len(c.Traceback) == 0 {
		c.Traceback = msg.List[string]{e.Error()}
	}
	return c
}
