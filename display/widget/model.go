package widget

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"strings"

	"github.com/gokernel/gokernel/display"
)

// MIMEView is the type under which the frontend is told which widget to show.
const MIMEView = "application/vnd.jupyter.widget-view+json"

// Widget is anything with a model in the frontend: a control, a box of controls, the
// widget of a library.
type Widget interface {
	display.Displayer
	model() *Model
}

// Model is what a widget in the frontend and the session share: traits by their
// names. All widgets have one, and with it these methods; they may be used from any
// goroutine.
type Model struct {
	id    string
	class *class
	hub   *hub

	// The hub's lock guards what follows.
	state    map[string]any // the traits that are not as they are at the beginning
	opened   bool
	closed   bool
	err      error // of a method that could not report it
	handlers map[string][]*handler
	custom   []*handler
	links    []*link
	place    display.Sink // of the cell that has shown it
}

func newModel(name string) *Model {
	c := classes()[name]
	m := modelOf(c)
	if c.layout {
		m.state["layout"] = modelOf(classes()["Layout"])
	}
	if c.style != "" {
		m.state["style"] = modelOf(classes()[c.style])
	}
	return m
}

func modelOf(c *class) *Model {
	return &Model{id: newID(), class: c, hub: theHub, state: map[string]any{}, handlers: map[string][]*handler{}}
}

func newID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // it never fails
	return hex.EncodeToString(b[:])
}

func (m *Model) model() *Model { return m }

// Display shows the widget.
func (m *Model) Display() (display.Bundle, error) { return m.view(m.class.name) }

// Trait returns what the frontend knows under a name, such as "max" or "description": a
// number, a string, a bool, or what JSON makes of others. It is nil for a name that the
// widget does not have.
func (m *Model) Trait(name string) any {
	m.hub.mu.Lock()
	defer m.hub.mu.Unlock()
	return m.trait(name)
}

// trait is Trait. The lock is held.
func (m *Model) trait(name string) any {
	if v, ok := m.state[name]; ok {
		return v
	}
	return m.class.traits[name].init
}

// SetTrait changes a trait, by the names of ipywidgets: k.SetTrait("readout_format",
// ".3f"). The error names the traits that the widget has.
func (m *Model) SetTrait(name string, value any) error {
	v := plain(value)
	if err := m.class.check(name, v); err != nil {
		return err
	}
	return m.set(map[string]any{name: v})
}

// plain makes of numbers, texts and bools of any type those that traits have.
func plain(v any) any {
	switch v.(type) {
	case nil, bool, int, float64, string, []byte, Widget:
		return v
	}
	switch r := reflect.ValueOf(v); {
	case r.CanInt():
		return int(r.Int())
	case r.CanUint():
		return int(r.Uint())
	case r.CanFloat():
		return r.Float()
	case r.Kind() == reflect.String:
		return r.String()
	case r.Kind() == reflect.Bool:
		return r.Bool()
	}
	return v
}

// set changes traits from the session's side: the frontend is told, and what waits for
// a change is called at once.
func (m *Model) set(changes map[string]any) error {
	m.hub.mu.Lock()
	changed := m.apply(changes)
	calls := m.interested(changed)
	opened := m.opened && !m.closed
	linked := m.linked(changed)
	m.hub.mu.Unlock()
	if len(changed) == 0 {
		return nil
	}
	var errs []error
	if opened {
		errs = append(errs, m.send("update", changed))
	}
	for _, h := range calls {
		errs = append(errs, h.f(nil))
	}
	for _, l := range linked {
		errs = append(errs, l.model.set(l.changes))
	}
	return errors.Join(errs...)
}

// apply takes changes over and gives those that were none before. The lock is held.
func (m *Model) apply(changes map[string]any) map[string]any {
	changed := map[string]any{}
	for k, v := range changes {
		if !reflect.DeepEqual(m.trait(k), v) {
			m.state[k] = v
			changed[k] = v
		}
	}
	return changed
}

// interested returns what waits for one of the traits. The lock is held.
func (m *Model) interested(changed map[string]any) []*handler {
	var calls []*handler
	for k := range changed {
		calls = append(calls, m.handlers[k]...)
	}
	return calls
}

// fail keeps the first error for the moment at which the widget is shown.
func (m *Model) fail(err error) {
	m.hub.mu.Lock()
	defer m.hub.mu.Unlock()
	if m.err == nil {
		m.err = err
	}
}

// must keeps an error where a method has no way to give it.
func (m *Model) must(err error) {
	if err != nil {
		m.fail(err)
	}
}

// on has f called for each change of a trait.
func (m *Model) on(name string, f func()) {
	h := &handler{model: m, f: func(any) error { f(); return nil }}
	m.hub.mu.Lock()
	defer m.hub.mu.Unlock()
	m.handlers[name] = append(m.handlers[name], h)
}

// Layout sets how much room the widget takes and where, as pairs of names and values of
// CSS: k.Layout("width", "300px", "margin", "0 1em").
func (m *Model) Layout(pairs ...string) { m.part("layout", pairs) }

// Style sets the looks of the widget, as pairs: k.Style("handle_color", "orange",
// "description_width", "initial"). Which names there are depends on the widget; an
// unknown one is an error that lists them when the widget is shown.
func (m *Model) Style(pairs ...string) { m.part("style", pairs) }

func (m *Model) part(name string, pairs []string) {
	of, ok := m.Trait(name).(*Model)
	switch {
	case !ok:
		m.fail(fmt.Errorf("widget: a %s has no %s", m.class.name, name))
		return
	case len(pairs)%2 != 0:
		m.fail(fmt.Errorf("widget: %s has %d arguments; give pairs of a name and a value", name, len(pairs)))
		return
	}
	changes := map[string]any{}
	for i := 0; i < len(pairs); i += 2 {
		key := strings.ReplaceAll(pairs[i], "-", "_")
		names := []string{key}
		if key == "border" && name == "layout" {
			names = []string{"border_top", "border_right", "border_bottom", "border_left"}
		}
		for _, n := range names {
			if err := of.class.check(n, pairs[i+1]); err != nil {
				m.fail(err)
				return
			}
			changes[n] = pairs[i+1]
		}
	}
	m.must(of.set(changes))
}

// Disable keeps the user from changing the widget, or lets him again.
func (m *Model) Disable(disabled bool) { m.must(m.SetTrait("disabled", disabled)) }

// Hide takes the widget out of the page, or puts it back.
func (m *Model) Hide(hidden bool) {
	if hidden {
		m.Layout("display", "none")
		return
	}
	if l, ok := m.Trait("layout").(*Model); ok {
		m.must(l.set(map[string]any{"display": nil}))
	}
}

// Close takes the widget away wherever it is shown. It cannot be shown again.
func (m *Model) Close() error {
	m.hub.mu.Lock()
	was := m.opened && !m.closed
	m.closed = true
	delete(m.hub.models, m.id)
	m.hub.mu.Unlock()
	if !was {
		return nil
	}
	return m.hub.send(display.CommMessage{Kind: display.CommClose, ID: m.id})
}

// view returns the bundle that shows the widget. Without a frontend it is text.
func (m *Model) view(text string) (display.Bundle, error) {
	m.hub.mu.Lock()
	err, closed := m.err, m.closed
	m.hub.mu.Unlock()
	switch {
	case err != nil:
		return display.Bundle{}, err
	case closed:
		return display.Bundle{}, errors.New("widget: the widget was closed; make a new one")
	}
	b := display.Text(text)
	if err := m.open(); errors.Is(err, errNoFrontEnd) {
		return b, nil
	} else if err != nil {
		return display.Bundle{}, err
	}
	b.Data[MIMEView] = map[string]any{"version_major": 2, "version_minor": 0, "model_id": m.id}
	b.Data[display.MIMEHTML] = withoutWidgets(text, nil)
	return b, nil
}

// open makes the widget known to the frontend, behind those that it refers to.
func (m *Model) open() error {
	sink := display.CurrentSink()
	m.hub.mu.Lock()
	if m.opened {
		if m.place == nil {
			m.place = sink
		}
		m.hub.mu.Unlock()
		return nil
	}
	if !m.hub.reachable() {
		m.hub.mu.Unlock()
		return errNoFrontEnd
	}
	m.opened, m.place = true, sink
	m.hub.models[m.id] = m
	refs := references(m.state)
	links := m.links
	m.hub.mu.Unlock()
	for _, r := range refs {
		if err := r.open(); err != nil {
			return err
		}
	}
	m.hub.mu.Lock()
	state := m.whole()
	m.hub.mu.Unlock()
	data, buffers, err := encode(map[string]any{"state": state}, "state")
	if err != nil {
		return err
	}
	err = m.hub.send(display.CommMessage{
		Kind: display.CommOpen, ID: m.id, Target: widgetTarget, Data: data,
		Metadata: map[string]any{"version": protocolVersion}, Buffers: buffers,
	})
	if err != nil {
		return err
	}
	for _, l := range links {
		if err := l.open(); err != nil {
			return err
		}
	}
	return nil
}

// whole is the state as the frontend gets it. The lock is held.
func (m *Model) whole() map[string]any {
	c := m.class
	s := map[string]any{
		"_model_name": c.modelName(), "_model_module": c.module, "_model_module_version": c.version,
		"_view_module": c.viewModule, "_view_module_version": c.version, "_view_name": nil, "_view_count": nil,
	}
	if c.view != "" {
		s["_view_name"] = c.view
	}
	maps.Copy(s, m.state)
	return s
}

func (c *class) modelName() string {
	if c.open {
		return c.name
	}
	return c.name + "Model"
}

// send tells the frontend the new values of traits.
func (m *Model) send(method string, state map[string]any) error {
	for _, r := range references(state) {
		if err := r.open(); err != nil {
			return err
		}
	}
	data, buffers, err := encode(map[string]any{"method": method, "state": state}, "state")
	if err != nil {
		return err
	}
	return m.hub.send(display.CommMessage{Kind: display.CommData, ID: m.id, Data: data, Buffers: buffers})
}

// references returns the models that a state refers to.
func references(v any) []*Model {
	var out []*Model
	switch v := v.(type) {
	case Widget:
		out = append(out, v.model())
	case []Widget:
		for _, w := range v {
			out = append(out, w.model())
		}
	case map[string]any:
		for _, k := range sortedKeys(v) {
			out = append(out, references(v[k])...)
		}
	case []any:
		for _, x := range v {
			out = append(out, references(x)...)
		}
	}
	return out
}
