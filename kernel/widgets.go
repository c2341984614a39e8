package kernel

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/kernel/evaluator"
	"github.com/gokernel/gokernel/kernel/msg"
)

// Widgets live in the session, and their comms end there. Their messages are taken
// there at once, also while a cell runs, when they come on a subshell or are urgent.
// What the cells have them call runs like a cell, when no other one does.

// widgetTargets are the comms that frontends open with the session.
var widgetTargets = []string{"jupyter.widget", controlTarget}

// controlTarget is the comm by which a frontend asks for all widgets when it opens a
// notebook.
const controlTarget = "jupyter.widget.control"

// pages are the frontends that show widgets, by the sessions that they name in their
// headers: cells of theirs may ask by controls.
type pages struct {
	mu       sync.Mutex
	sessions map[string]bool
}

// maxPages bounds the sessions that are known; a page has another one each time that it
// is loaded.
const maxPages = 1000

// add notes the frontend that has sent r.
func (p *pages) add(r *request) {
	if r.header.Session == "" {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.sessions == nil || len(p.sessions) >= maxPages {
		p.sessions = map[string]bool{}
	}
	p.sessions[r.header.Session] = true
}

// has reports whether the frontend of a session shows widgets.
func (p *pages) has(session string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.sessions[session]
}

// registerWidgets lets frontends reach the widgets of the session, if it has them.
func (s *Server) registerWidgets() {
	if _, ok := s.cfg.Evaluator.(evaluator.Widgets); !ok {
		return
	}
	for _, target := range widgetTargets {
		s.comms.Register(target, func(c *Comm, m CommMessage) error {
			c.session = true
			if target == controlTarget {
				c.mu.Lock()
				s.pages.add(c.parent)
				c.mu.Unlock()
			}
			_, err := s.tellSession(context.Background(), c, display.CommOpen, m)
			return err
		})
	}
}

// urgent reports whether a message on a comm must not wait for the running cell: the cell
// has opened the comm itself and may wait for an answer, or a page asks for all widgets.
// Nothing that came before can be meant to come first.
func (s *Server) urgent(r *request, m msg.Comm) bool {
	o := s.running.Load()
	if o == nil {
		return false
	}
	if c := s.comms.lookup(m.ID); c != nil {
		return c.Target == controlTarget || c.cell == o.parent.header.ID
	}
	return r.header.Type == "comm_open" && m.Target == controlTarget
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

// widgetMessage is a message of the frontend to a widget.
func (s *Server) widgetMessage(ctx context.Context, r *request, c *Comm, kind string, m CommMessage) (err error) {
	waiting := false
	c.during(r, func() { waiting, err = s.tellSession(ctx, c, kind, m) })
	if waiting {
		s.callbacks(ctx, r)
	}
	return err
}

// callbacks runs what the message r has made wait. A frontend sends the next position of
// a slider when it hears that this one is dealt with: so one that finds no cell running
// is dealt with when its functions have returned, and in between the last position wins.
// While a cell runs nobody is kept waiting; at its end the functions run once.
func (s *Server) callbacks(ctx context.Context, r *request) {
	if !r.urgent { // else it has come while a cell ran
		select {
		case s.evaluator <- struct{}{}:
			s.runCallbacks(ctx, r)
			<-s.evaluator
			return
		default:
		}
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
		c := &Comm{ID: m.ID, Target: m.Target, comms: cs, session: true, cell: o.parent.header.ID}
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
