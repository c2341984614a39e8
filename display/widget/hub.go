package widget

import (
	"errors"
	"strings"
	"sync"

	"github.com/gokernel/gokernel/display"
)

// The comm targets of widgets and their protocol versions.
const (
	widgetTarget    = "jupyter.widget"
	controlTarget   = "jupyter.widget.control"
	protocolVersion = "2.1.0"
)

var errNoFrontEnd = errors.New("widget: no frontend is connected")

// hub connects the models of a session to the frontend.
type hub struct {
	mu      sync.Mutex
	models  map[string]*Model // the open models
	channel display.Channel   // the channel of the last message
	pending []*call
	current *call
	capture []*Area // areas that capture printed text, the innermost one first
}

var theHub = &hub{models: map[string]*Model{}}

// reachable reports whether a frontend is connected. The lock is held.
func (h *hub) reachable() bool {
	if c, ok := display.CurrentSink().(display.Channel); ok {
		h.channel = c
	}
	return h.channel != nil
}

// send sends a message to the frontend through the running cell, or the last one that ran.
func (h *hub) send(m display.CommMessage) error {
	h.mu.Lock()
	h.reachable()
	c := h.channel
	h.mu.Unlock()
	if c == nil {
		return errNoFrontEnd
	}
	return c.Comm(m)
}

// handler is a function of the user that handles an event of a model.
type handler struct {
	model  *Model
	f      func(content any) error
	area   *Area // receives what the function prints and shows, and its error; nil means the cell does
	events bool  // every event needs a call: clicks and messages
	now    bool  // called immediately with the lock held, so it must not block
}

// call is a pending call of a handler.
type call struct {
	h       *handler
	content any
}

// queue queues calls of handlers for [RunCallbacks]. A handler that is already queued is called
// once and gets the last values. The lock is held.
func (h *hub) queue(handlers []*handler, content any) {
next:
	for _, f := range handlers {
		if f.now {
			_ = f.f(content) // such functions don't return an error
			continue
		}
		for _, p := range h.pending {
			if p.h == f && !f.events {
				continue next
			}
		}
		h.pending = append(h.pending, &call{f, content})
	}
}

// Receive handles a message from the frontend: it changes values immediately. It returns the
// answers to send on the comm, and whether functions wait for [RunCallbacks]. The session calls it;
// cells don't need it.
func Receive(m display.CommMessage) (answers []display.CommMessage, pending bool, err error) {
	return theHub.receive(m)
}

func (h *hub) receive(msg display.CommMessage) (answers []display.CommMessage, pending bool, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	m := h.models[msg.ID]
	switch {
	case msg.Kind == display.CommOpen && msg.Target == controlTarget:
		return nil, false, nil
	case msg.Kind == display.CommOpen:
		return nil, false, errors.New("widget: a frontend cannot create widgets: create them in cells")
	case msg.Kind == display.CommClose:
		if m != nil {
			m.closed = true
			delete(h.models, msg.ID)
		}
		return nil, false, nil
	}
	u, err := decode(msg.Data, msg.Buffers)
	if err != nil {
		return nil, false, err
	}
	if u.Method == "request_states" {
		a, err := h.states(msg.ID)
		return []display.CommMessage{a}, false, err
	}
	if m == nil {
		return []display.CommMessage{{Kind: display.CommClose, ID: msg.ID}}, false, nil // the widget belongs to a session that has ended
	}
	switch u.Method {
	case "request_state":
		data, buffers, err := encode(map[string]any{"method": "update", "state": m.whole()}, "state")
		return []display.CommMessage{{Kind: display.CommData, ID: m.id, Data: data, Buffers: buffers}}, false, err
	case "custom":
		h.queue(m.custom, u.Content)
		return nil, len(h.pending) > 0, nil
	case "update":
		for k, v := range u.State {
			u.State[k] = m.received(k, v)
		}
		h.take(m, u.State)
		// The echo informs other views of the notebook.
		echo, buffers, err := encode(map[string]any{"method": "echo_update", "state": u.State}, "state")
		return []display.CommMessage{{Kind: display.CommData, ID: m.id, Data: echo, Buffers: buffers}}, len(h.pending) > 0, err
	}
	return nil, false, nil
}

// take applies changes of the frontend, and the changes that links derive from them. The lock is
// held.
func (h *hub) take(m *Model, state map[string]any) {
	changed := m.apply(state)
	if len(changed) == 0 {
		return
	}
	h.queue(m.interested(changed), nil)
	for _, l := range m.linked(changed) {
		h.take(l.model, l.changes)
	}
}

// received converts a value of the frontend to the type that the trait has in the session.
func (m *Model) received(name string, v any) any {
	t := m.class.traits[name]
	switch x := v.(type) {
	case float64:
		if t.kind == 'i' {
			return int(x)
		}
	case string:
		if len(x) > len(reference) && x[:len(reference)] == reference {
			if of := m.hub.models[x[len(reference):]]; of != nil {
				return of
			}
		}
	case []any:
		if name == "children" {
			return m.state[name] // boxes in the session keep their children
		}
		if name == "index" || strings.HasPrefix(m.class.name, "Int") {
			for i, e := range x {
				x[i] = int(number(e))
			}
		}
	}
	return v
}

// states returns the answer to a frontend that asks for all widgets. The lock is held.
func (h *hub) states(comm string) (display.CommMessage, error) {
	all := map[string]any{}
	for id, m := range h.models {
		all[id] = map[string]any{
			"model_name": m.class.modelName(), "model_module": m.class.module, "model_module_version": m.class.version, "state": m.whole(),
		}
	}
	data, buffers, err := encode(map[string]any{"method": "update_states", "states": all}, "states")
	return display.CommMessage{Kind: display.CommData, ID: comm, Data: data, Buffers: buffers}, err
}

// RunCallbacks calls the queued functions, including functions that they queue. If a function
// fails, RunCallbacks returns the error, and the remaining functions stay in the queue. The session
// calls RunCallbacks as it runs a cell; cells don't need it.
func RunCallbacks() error {
	for {
		c := theHub.next()
		if c == nil {
			return nil
		}
		if err := c.run(); err != nil {
			return err
		}
		theHub.done()
	}
}

func (c *call) run() (err error) {
	if c.h.area == nil {
		return c.h.f(c.content)
	}
	c.h.area.during(func() { err = c.h.f(c.content) })
	return err
}

func (h *hub) next() *call {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.pending) == 0 {
		h.current = nil
		return nil
	}
	h.current, h.pending = h.pending[0], h.pending[1:]
	return h.current
}

func (h *hub) done() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.current = nil
}

// Place returns the sink for the output of the current callback, which is shown below the
// callback's widget. It returns nil if no callback runs.
func Place() display.Sink {
	theHub.mu.Lock()
	defer theHub.mu.Unlock()
	if theHub.current == nil {
		return nil
	}
	return theHub.current.h.model.place
}

// Failed shows the error of the current callback, if its widget has an area for it. Callbacks that
// are queued after this callback stay queued. If Failed returns false, the session must show the
// error.
func Failed(name, value string, traceback []string) bool {
	theHub.mu.Lock()
	c := theHub.current
	theHub.current = nil
	theHub.mu.Unlock()
	if c == nil || c.h.area == nil {
		return false
	}
	return c.h.area.fail(name, value, traceback) == nil
}

// Printed captures printed text while a function of [Interact] or [Area.Capture] runs. It returns
// false if no such function runs.
func Printed(stream string, text []byte) bool {
	theHub.mu.Lock()
	if len(theHub.capture) == 0 {
		theHub.mu.Unlock()
		return false
	}
	a := theHub.capture[len(theHub.capture)-1]
	theHub.mu.Unlock()
	a.print(stream, string(text))
	return true
}

// Waiting returns the number of functions that wait for [RunCallbacks].
func Waiting() int {
	theHub.mu.Lock()
	defer theHub.mu.Unlock()
	return len(theHub.pending)
}
