package grading

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gokernel/gokernel/internal/far"
	"github.com/gokernel/gokernel/kernel/evaluator"
)

// serve starts a service in the process s that offers the names, unless a service already runs
// there.
func (j *judge) serve(ctx context.Context, s *side, names []string) error {
	j.talk.Lock()
	defer j.talk.Unlock()
	if j.serving(s) {
		return nil
	}
	missing := map[string]bool{}
	err := errors.New("the process did not start")
	for range 3 {
		if s == j.student {
			if err := j.again(ctx); err != nil {
				return err
			}
		}
		err = j.begin(ctx, s, slices.DeleteFunc(slices.Clone(names), func(n string) bool { return missing[n] }))
		if err == nil {
			j.mu.Lock()
			defer j.mu.Unlock()
			for name := range missing {
				s.ready[name] = far.Answer{Name: name, Missing: true}
			}
			return nil
		}
		if ctx.Err() != nil {
			return err
		}
		if s == j.student && isLost(err) {
			j.noteLost(err) // code of an earlier cell may have ended it
			continue
		}
		// One of the names has no value, for example because it is a generic function. Find this
		// name and leave it out.
		found := false
		for _, name := range names {
			tellErr := j.tell(ctx, s, fmt.Sprintf("_ = ǃhomework.Serve(%s)", name))
			if s == j.student && isLost(tellErr) {
				j.noteLost(tellErr)
				found = true
				break
			}
			if tellErr != nil && !missing[name] {
				missing[name], found = true, true
			}
		}
		if !found {
			return err
		}
	}
	return err
}

func (j *judge) serving(s *side) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	if s.ready == nil {
		return false
	}
	select {
	case <-s.ended:
		s.ready = nil
		return false
	default:
		return true
	}
}

func (j *judge) begin(ctx context.Context, s *side, names []string) error {
	// A service outlives the call that has started it.
	serveCtx, end := context.WithCancel(j.ctx)
	ended := make(chan struct{})
	select {
	case <-s.hello:
	default:
	}
	j.mu.Lock()
	s.end, s.ended, s.failed = end, ended, nil
	out := evaluator.Output(&sideOutput{side: s, budget: j.outputs})
	j.mu.Unlock()
	go func() {
		defer close(ended)
		_, err := s.Eval(serveCtx, evaluator.Cell{Code: farImport + "ǃhomework.Serve(" + strings.Join(names, ", ") + ")", Trusted: true}, out)
		j.mu.Lock()
		s.failed = err
		j.mu.Unlock()
	}()
	select {
	case answers := <-s.hello:
		j.mu.Lock()
		defer j.mu.Unlock()
		s.ready = map[string]far.Answer{}
		for _, a := range answers {
			s.ready[a.Name] = a
		}
		return nil
	case <-ended:
		end()
		j.mu.Lock()
		defer j.mu.Unlock()
		if s.failed == nil {
			s.failed = errors.New("the service ended at once")
		}
		return s.failed
	case <-ctx.Done():
		end()
		<-ended
		return ctx.Err()
	}
}

// stop ends the service of a process, if one runs.
func (j *judge) stop(s *side) {
	j.talk.Lock()
	defer j.talk.Unlock()
	j.mu.Lock()
	end, ended, ready := s.end, s.ended, s.ready
	s.ready, s.end = nil, nil
	j.mu.Unlock()
	if end == nil {
		return
	}
	if ready != nil {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		b, err := json.Marshal(far.Message{Kind: far.KindEnd})
		if err == nil {
			_, _ = s.Far(ctx, b) // otherwise it is interrupted
		}
		cancel()
		select {
		case <-ended:
		case <-time.After(time.Second):
		}
	}
	end()
	<-ended
	j.mu.Lock()
	err := s.failed
	j.mu.Unlock()
	if s == j.student {
		j.noteLost(err)
	}
}

// route forwards a message of one process to the other.
func (j *judge) route(ctx context.Context, from, to *side, body []byte) ([]byte, error) {
	var m far.Message
	if err := json.Unmarshal(body, &m); err != nil {
		return nil, errors.New("grading: cannot read a message between the processes")
	}
	reply := func(r far.Reply) ([]byte, error) { return json.Marshal(r) }
	switch m.Kind {
	case far.KindHello:
		select {
		case from.hello <- m.Names:
		default:
		}
		return reply(far.Reply{})
	case far.KindDescribe:
		if from != j.checks {
			return reply(far.Reply{Failed: "is not answered"})
		}
		if err := j.serve(ctx, to, j.offered()); err != nil {
			return reply(far.Reply{Failed: "cannot be called: " + errorText(err)})
		}
		j.mu.Lock()
		a, ok := to.ready[m.Name]
		j.mu.Unlock()
		if !ok {
			a = far.Answer{Name: m.Name, Missing: true}
		}
		return reply(far.Reply{Answer: &a})
	case far.KindCall, far.KindValue:
		r := j.call(ctx, from, to, m)
		return reply(r)
	}
	return reply(far.Reply{Failed: "is not answered"})
}

// call forwards a call, and starts a service if none runs.
func (j *judge) call(ctx context.Context, from, to *side, m far.Message) far.Reply {
	limit := m.Limit
	if limit <= 0 {
		limit = far.DefaultLimit
	}
	if j.opt.CellTimeout > 0 {
		limit = min(limit, j.opt.CellTimeout/2) // its cell has other checks
	}
	m.Limit = limit
	body, err := json.Marshal(m)
	if err != nil {
		return far.Reply{Failed: "cannot be called: " + err.Error()}
	}
	if from == j.student {
		j.callbacks.Add(1)
	}
	before := j.callbacks.Load()
	for attempt := range 2 {
		if m.To == 0 {
			j.mu.Lock()
			busy := to.running
			j.mu.Unlock()
			names := j.offered()
			if to == j.checks {
				names = j.checks.given
			}
			if busy {
				return far.Reply{Failed: "cannot be called now: its process runs a cell"}
			}
			if err := j.serve(ctx, to, names); err != nil {
				return far.Reply{Failed: "cannot be called: " + errorText(err)}
			}
		}
		timed, cancel := context.WithTimeout(ctx, limit+callGrace)
		answer, err := to.Far(timed, body)
		late := timed.Err() != nil && ctx.Err() == nil
		cancel()
		var r far.Reply
		switch {
		case late:
			j.stop(to)
			return far.Reply{Failed: fmt.Sprintf("takes longer than %v", limit)}
		case err != nil:
			j.stop(to) // the service has ended; the error of its cell says why
			j.mu.Lock()
			why := to.failed
			j.mu.Unlock()
			if why == nil {
				why = err
			}
			// An earlier call may be the cause, so call again in a new process. Don't do this if
			// the call has called functions of the checks, because these may count their calls.
			if to == j.student && m.To == 0 && attempt == 0 && j.callbacks.Load() == before && ctx.Err() == nil {
				continue
			}
			return far.Reply{Failed: "ends its process: " + errorText(why)}
		case json.Unmarshal(answer, &r) != nil:
			return far.Reply{Failed: "returns what cannot be read"}
		case r.Nowhere && m.To == 0 && attempt == 0:
			j.stop(to)
			continue
		case r.Nowhere:
			return far.Reply{Failed: "cannot be called any more: the call that it belongs to has ended"}
		}
		return r
	}
	return far.Reply{Failed: "cannot be called"}
}
