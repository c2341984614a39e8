package widget

import (
	"fmt"

	"github.com/gokernel/gokernel/display"
)

// CustomWidget is a widget whose frontend is in a third-party library or in the cell itself.
type CustomWidget struct{ *Model }

// Custom returns a widget from a library that is installed in JupyterLab. Pass the module and the
// name of the widget's model. state is the initial state of the model:
//
//	widget.Custom("jupyter-leaflet", "^0.20", "LeafletMap", map[string]any{"zoom": 12})
//
// The model is then LeafletMapModel, and its view LeafletMapView. The library's documentation
// lists its traits. A []byte is sent as binary data, and another widget as a reference to it.
func Custom(module, version, name string, state map[string]any) *CustomWidget {
	if module == "" || name == "" {
		w := newCustom(&class{name: "Model", view: "View"}, state)
		w.fail(fmt.Errorf("widget: Custom: module and name must not be empty, got %q and %q", module, name))
		return w
	}
	return newCustom(&class{name: name + "Model", module: module, version: version, view: name + "View", viewModule: module}, state)
}

// The frontend of anywidget, which runs the code that a widget contains.
const (
	anyModule  = "anywidget"
	anyVersion = "*"
)

// New returns a widget that you write yourself, by the convention of anywidget
// (https://anywidget.dev). esm is a JavaScript module that exports a function render, css
// contains styles or is "", and state is the initial state of the model:
//
//	w := widget.New(`function render({model, el}) {
//		el.innerHTML = "<button>clicked 0 times</button>"
//		el.onclick = () => { model.set("n", model.get("n") + 1); model.save_changes() }
//		model.on("change:n", () => el.firstChild.textContent = `+"`clicked ${model.get(\"n\")} times`"+`)
//	}
//	export default { render }`, "", map[string]any{"n": 0})
//
// To show the widget, JupyterLab needs the Python package anywidget. On pages that gokernel run and
// gokernel site write, the widget works only if the command has the flag --trust.
func New(esm, css string, state map[string]any) *CustomWidget {
	w := newCustom(&class{name: "AnyModel", module: anyModule, version: anyVersion, view: "AnyView", viewModule: anyModule}, state)
	if esm == "" {
		w.fail(fmt.Errorf("widget: New: esm must be a JavaScript module that exports render, got an empty string"))
	}
	w.state["_esm"], w.state["_css"], w.state["_anywidget_id"] = esm, css, "gokernel."+w.id
	return w
}

func newCustom(c *class, state map[string]any) *CustomWidget {
	c.open, c.layout = true, true
	m := modelOf(c)
	m.state["layout"] = modelOf(classes()["Layout"])
	for k, v := range state {
		m.state[k] = plain(v)
	}
	return &CustomWidget{m}
}

// Value returns the model's value with the given name, decoded from JSON: float64, string, bool,
// []any, map[string]any, or a []byte.
func (w *CustomWidget) Value(name string) any { return w.Trait(name) }

// Set changes the model's value with the given name in the session and in the frontend.
func (w *CustomWidget) Set(name string, value any) error { return w.SetTrait(name, value) }

// OnChange registers f, which is called with the new value after each change of the value with the
// given name.
func (w *CustomWidget) OnChange(name string, f func(value any)) *CustomWidget {
	w.on(name, func() { f(w.Trait(name)) })
	return w
}

// Send sends the views of the widget a custom message, which they receive with
// model.on("msg:custom", ...).
func (w *CustomWidget) Send(content any, buffers ...[]byte) error { return w.say(content, buffers...) }

// say sends the views of the widget a custom message.
func (m *Model) say(content any, buffers ...[]byte) error {
	data, _, err := encode(map[string]any{"method": "custom", "content": content}, "content")
	if err != nil {
		return err
	}
	return m.hub.send(display.CommMessage{Kind: display.CommData, ID: m.id, Data: data, Buffers: buffers})
}

// OnMessage registers f, which is called with each message that a view sends with model.send.
func (w *CustomWidget) OnMessage(f func(content any)) *CustomWidget {
	w.onCustom(func(content any) error { f(content); return nil })
	return w
}

// Display shows the widget.
func (w *CustomWidget) Display() (display.Bundle, error) {
	return w.view(fmt.Sprintf("a widget (%s of %s)", w.class.name, w.class.module))
}
