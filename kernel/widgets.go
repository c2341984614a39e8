package kernel

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/kernel/evaluator"
)

// Widgets live in the session, and their comms end there. Their messages are taken
// there at once, also while a cell runs, when they come on a subshell. What the cells
// have them call runs like a cell, when no other one does.

// widgetTargets are the comms that front ends open with the session.
var widgetTargets = []string{"jupyter.widget", "jupyter.widget.control"}

// registerWidgets lets front ends reach the widgets of the session, if it has them.
func (s *Server) registerWidgets() {
	if _, ok := s.cfg.Evaluator.(evaluator.Widgets); !ok {
		return
	}
	for _, target := range widgetTargets {
		s.comms.Register(target, func(c *Comm, m CommMessage) error {
			c.session = true
			_, err := s.tellSession(context.Background(), c, display.CommOpen, m)
			return err
		})
	}
}

// tellSession hands a message on, and answers it as the session says.
func (s *Server) tellSession(ctx context.Context, c *Comm, kind string, m CommMessage) (waiting bool, err error) {
	w := s.cfg.Evaluator.(evaluator.Widgets)
	dm := display.CommMessage{Kind: kind, ID: c.ID, Data: m.Data, Metadata: m.Metadata, Buffers: m.Buffers}
	if kind == display.CommOpen {
		dm.Target = c.Target
	}
	reply, err := question(ctx, func(ctx context.Context) (evaluator.CommReply, error) { return w.Comm(ctx, dm) })
	if err != nil {
		return false, err
	}
	for _, a := range reply.Messages {
		am := CommMessage{Data: a.Data, Metadata: a.Metadata, Buffers: a.Buffers}
		if a.Kind == display.CommClose {
			err = errors.Join(err, c.Close(am))
		} else {
			err = errors.Join(err, c.Send(am))
		}
	}
	return reply.Waiting, err
}

// widgetMessage is a message of the front end to a widget.
func (s *Server) widgetMessage(ctx context.Context, r *request, c *Comm, kind string, m CommMessage) (err error) {
	waiting := false
	c.during(r, func() { waiting, err = s.tellSession(ctx, c, kind, m) })
	if waiting {
		s.callbacks(ctx, r)
	}
	return err
}

// callbacks runs what the message r has made wait. A front end sends the next position of
// a slider when it hears that this one is dealt with: so one that finds no cell running
// is dealt with when its functions have returned, and in between the last position wins.
// While a cell runs nobody is kept waiting; at its end the functions run once.
func (s *Server) callbacks(ctx context.Context, r *request) {
	select {
	case s.evaluator <- struct{}{}:
		s.runCallbacks(ctx, r)
		<-s.evaluator
		return
	default:
	}
	if !s.callbacksWait.CompareAndSwap(false, true) {
		return
	}
	go func() {
		release, err := s.acquire(ctx)
		s.callbacksWait.Store(false)
		if err != nil {
			return
		}
		defer release()
		s.runCallbacks(ctx, r)
	}()
}

func (s *Server) runCallbacks(ctx context.Context, r *request) {
	out := newOutput(ctx, s, r, func() { s.busy(r) }, false, false)
	s.running.Store(out)
	defer s.running.Store(nil)
	if err := s.cfg.Evaluator.(evaluator.Widgets).Callbacks(out.ctx, out); err != nil {
		s.publish(r, "error", errorContent(cellError(err)))
	}
	out.finish()
}

// Comm implements display.Channel: what the widgets of the session say.
func (o *output) Comm(m display.CommMessage) error {
	cs := o.s.comms
	cm := CommMessage{Data: m.Data, Metadata: m.Metadata, Buffers: m.Buffers}
	if len(cm.Data) == 0 {
		cm.Data = json.RawMessage(emptyDict)
	}
	o.announce()
	if m.Kind == display.CommOpen {
		if cs.lookup(m.ID) != nil {
			return fmt.Errorf("kernel: comm %s is open already", m.ID)
		}
		c := &Comm{ID: m.ID, Target: m.Target, comms: cs, session: true}
		cs.add(c)
		return c.publishBehind(o.parent, "comm_open", m.Target, cm)
	}
	c := cs.lookup(m.ID)
	switch {
	case c == nil && m.Kind == display.CommClose:
		return nil
	case c == nil:
		return fmt.Errorf("kernel: comm %s is closed", m.ID)
	case m.Kind == display.CommClose:
		cs.remove(c)
		return c.publishBehind(o.parent, "comm_close", "", cm)
	}
	return c.publishBehind(o.parent, "comm_msg", "", cm)
}
