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

// Widgets live in the session, and their comms end there. The kernel forwards their messages
// immediately, even while a cell runs, if they come on a subshell or are urgent. The callbacks of
// widgets run as a cell does, when no cell runs.

// widgetTargets are the targets of comms that frontends open to the session.
var widgetTargets = []string{"jupyter.widget", controlTarget}

// controlTarget is the target of the comm on which a frontend asks for all widgets when it opens
// a notebook.
const controlTarget = "jupyter.widget.control"

// pages is the set of frontends that show widgets, by the session in their message headers. The
// cells of these frontends can show dialogs.
type pages struct {
	mu       sync.Mutex
	sessions map[string]bool
}

// maxPages is the maximum number of sessions that are remembered. A page has a new session each
// time it is loaded.
const maxPages = 1000

// add records the frontend that has sent r.
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

// If the session has widgets, registerWidgets makes them available to frontends.
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

// urgent reports whether a comm message must not wait for the running cell. A message must not wait
// if the running cell has opened the comm and may be waiting for an answer, or if a page asks for
// all widgets. In both cases no waiting message has to be handled first.
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

// tellSession forwards a message to the session and sends the session's replies.
func (s *Server) tellSession(ctx context.Context, c *Comm, kind string, m CommMessage) (waiting bool, err error) {
	w := s.cfg.Evaluator.(evaluator.Widgets)
	dm := display.CommMessage{Kind: kind, ID: c.ID, Data: m.Data, Metadata: m.Metadata, Buffers: m.Buffers}
	if kind == display.CommOpen {
		dm.Target = c.Target
	}
	reply, err := query(ctx, func(ctx context.Context) (evaluator.CommReply, error) { return w.Comm(ctx, dm) })
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

// widgetMessage handles a message from the frontend to a widget.
func (s *Server) widgetMessage(ctx context.Context, r *request, c *Comm, kind string, m CommMessage) (err error) {
	waiting := false
	c.during(r, func() { waiting, err = s.tellSession(ctx, c, kind, m) })
	if waiting {
		s.callbacks(ctx, r)
	}
	return err
}

// callbacks runs the callbacks that the message r has triggered. A frontend sends the next position
// of a slider when the kernel reports idle for the current position. If no cell runs, the kernel
// reports idle after the callbacks have returned, and the frontend skips the positions in between.
// While a cell runs, idle is reported immediately, and the callbacks run once at the end of the
// cell.
func (s *Server) callbacks(ctx context.Context, r *request) {
	if !r.urgent { // an urgent message has come while a cell ran
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

// Comm implements display.Channel. It publishes messages of the session's widgets.
func (o *output) Comm(m display.CommMessage) error {
	cs := o.s.comms
	cm := CommMessage{Data: m.Data, Metadata: m.Metadata, Buffers: m.Buffers}
	if len(cm.Data) == 0 {
		cm.Data = json.RawMessage(emptyDict)
	}
	o.announce()
	if m.Kind == display.CommOpen {
		if cs.lookup(m.ID) != nil {
			return fmt.Errorf("kernel: comm %s is already open", m.ID)
		}
		c := &Comm{ID: m.ID, Target: m.Target, comms: cs, session: true, cell: o.parent.header.ID}
		cs.add(c)
		return c.publishWithParent(o.parent, "comm_open", m.Target, cm)
	}
	c := cs.lookup(m.ID)
	switch {
	case c == nil && m.Kind == display.CommClose:
		return nil
	case c == nil:
		return fmt.Errorf("kernel: comm %s is closed", m.ID)
	case m.Kind == display.CommClose:
		cs.remove(c)
		return c.publishWithParent(o.parent, "comm_close", "", cm)
	}
	return c.publishWithParent(o.parent, "comm_msg", "", cm)
}
