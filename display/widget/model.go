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

// MIMEView is the MIME type of the reference to the widget that the frontend should show.
const MIMEView = "application/vnd.jupyter.widget-view+json"

// Widget is anything with a model in the frontend: a control, a box of controls, or a widget of a
// library.
type Widget interface {
	display.Displayer
	model() *Model
}

// Model is the state that a widget shares between the frontend and the session: traits by name.
// All widgets have a model and these methods. The methods can be called from any goroutine.
type Model struct {
	id    string
	class *class
	hub   *hub

	// The hub's lock guards the fields below.
	state    map[string]any // the traits that differ from their defaults
	opened   bool
	closed   bool
	err      error // error of a method that could not return it
	handlers map[string][]*handler
	custom   []*handler
	links    []*link
	place    display.Sink // sink of the cell that has shown the widget
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

// Trait returns the value of a trait, such as "max" or "description": a number, a string, a bool,
// or, for other types, the value decoded from JSON. It returns nil if the widget does not have the
// trait.
func (m *Model) Trait(name string) any {
	m.hub.mu.Lock()
	defer m.hub.mu.Unlock()
	return m.trait(name)
}

// trait implements Trait. The lock is held.
func (m *Model) trait(name string) any {
	if v, ok := m.state[name]; ok {
		return v
	}
	return m.class.traits[name].init
}

// SetTrait changes a trait by its name in ipywidgets: k.SetTrait("readout_format", ".3f"). If the
// widget does not have the trait, the error lists the traits that it has.
func (m *Model) SetTrait(name string, value any) error {
	v := plain(value)
	if err := m.class.check(name, v); err != nil {
		return err
	}
	return m.set(map[string]any{name: v})
}

// plain converts numbers, strings and bools of any type to the types of traits.
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

// set changes traits from the session's side. It notifies the frontend and calls the functions
// that handle the changes.
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

// apply applies changes and returns the changes that changed a value. The lock is held.
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

// interested returns the handlers of the changed traits. The lock is held.
func (m *Model) interested(changed map[string]any) []*handler {
	var calls []*handler
	for k := range changed {
		calls = append(calls, m.handlers[k]...)
	}
	return calls
}

// fail keeps the first error until the widget is shown.
func (m *Model) fail(err error) {
	m.hub.mu.Lock()
	defer m.hub.mu.Unlock()
	if m.err == nil {
		m.err = err
	}
}

// must keeps an error of a method that cannot return it.
func (m *Model) must(err error) {
	if err != nil {
		m.fail(err)
	}
}

// on registers f, which is called after each change of a trait.
func (m *Model) on(name string, f func()) {
	h := &handler{model: m, f: func(any) error { f(); return nil }}
	m.hub.mu.Lock()
	defer m.hub.mu.Unlock()
	m.handlers[name] = append(m.handlers[name], h)
}

// Layout sets the size and position of the widget, given as pairs of CSS names and values:
// k.Layout("width", "300px", "margin", "0 1em").
func (m *Model) Layout(pairs ...string) { m.part("layout", pairs) }

// Style sets the look of the widget, given as pairs of names and values: k.Style("handle_color",
// "orange", "description_width", "initial"). The names depend on the widget. If you use an unknown
// name, showing the widget returns an error that lists the known names.
func (m *Model) Style(pairs ...string) { m.part("style", pairs) }

func (m *Model) part(name string, pairs []string) {
	of, ok := m.Trait(name).(*Model)
	switch {
	case !ok:
		m.fail(fmt.Errorf("widget: a %s has no %s", m.class.name, name))
		return
	case len(pairs)%2 != 0:
		m.fail(fmt.Errorf("widget: %s needs pairs of a name and a value, got %d arguments", name, len(pairs)))
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

// Disable prevents the user from changing the widget, or allows it again.
func (m *Model) Disable(disabled bool) { m.must(m.SetTrait("disabled", disabled)) }

// Hide hides the widget, or shows it again.
func (m *Model) Hide(hidden bool) {
	if hidden {
		m.Layout("display", "none")
		return
	}
	if l, ok := m.Trait("layout").(*Model); ok {
		m.must(l.set(map[string]any{"display": nil}))
	}
}

// Close removes the widget wherever it is shown. It cannot be shown again.
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

// view returns the bundle that shows the widget, or text if no frontend is connected.
func (m *Model) view(text string) (display.Bundle, error) {
	m.hub.mu.Lock()
	err, closed := m.err, m.closed
	m.hub.mu.Unlock()
	switch {
	case err != nil:
		return display.Bundle{}, err
	case closed:
		return display.Bundle{}, errors.New("widget: the widget was closed: make a new one")
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

// open opens the widget's comm to the frontend, after the comms of the widgets that it refers to.
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

// whole returns the complete state that the frontend receives. The lock is held.
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

// send sends the new values of traits to the frontend.
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

// references returns the models to which a state refers.
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
