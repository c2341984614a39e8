package widget

import (
	"fmt"

	"github.com/gokernel/gokernel/display"
)

// CustomWidget is a widget whose frontend others have written, or the cell itself.
type CustomWidget struct{ *Model }

// Custom is a widget of a library that JupyterLab has installed, by the module and the
// name of its model; what its model holds at the beginning is in state:
//
//	widget.Custom("jupyter-leaflet", "^0.20", "LeafletMap", map[string]any{"zoom": 12})
//
// The model is then LeafletMapModel, and its view LeafletMapView. The library's own
// documentation says which traits it has; a []byte goes as it is, and another widget as
// a reference to it.
func Custom(module, version, name string, state map[string]any) *CustomWidget {
	if module == "" || name == "" {
		w := newCustom(&class{name: "Model", view: "View"}, state)
		w.fail(fmt.Errorf("widget: Custom needs the module and the name of a model; it has %q and %q", module, name))
		return w
	}
	return newCustom(&class{name: name + "Model", module: module, version: version, view: name + "View", viewModule: module}, state)
}

// The frontend of anywidget, which runs what a widget brings along.
const (
	anyModule  = "anywidget"
	anyVersion = "*"
)

// New is a widget of one's own, by the convention of anywidget (https://anywidget.dev):
// esm is a module of JavaScript that exports a function render, css styles or "", and
// state what the model holds at the beginning:
//
//	w := widget.New(`function render({model, el}) {
//		el.innerHTML = "<button>clicked 0 times</button>"
//		el.onclick = () => { model.set("n", model.get("n") + 1); model.save_changes() }
//		model.on("change:n", () => el.firstChild.textContent = `+"`clicked ${model.get(\"n\")} times`"+`)
//	}
//	export default { render }`, "", map[string]any{"n": 0})
//
// JupyterLab needs the package anywidget for it, pages of gokernel the flag --trust.
func New(esm, css string, state map[string]any) *CustomWidget {
	w := newCustom(&class{name: "AnyModel", module: anyModule, version: anyVersion, view: "AnyView", viewModule: anyModule}, state)
	if esm == "" {
		w.fail(fmt.Errorf("widget: New needs a module of JavaScript that exports render; it is empty"))
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

// Value returns what the model holds under a name, as JSON has it: float64, string, bool,
// []any, map[string]any, or a []byte.
func (w *CustomWidget) Value(name string) any { return w.Trait(name) }

// Set changes it, here and in the frontend.
func (w *CustomWidget) Set(name string, value any) error { return w.SetTrait(name, value) }

// OnChange has f called with the new value after each change of a name.
func (w *CustomWidget) OnChange(name string, f func(value any)) *CustomWidget {
	w.on(name, func() { f(w.Trait(name)) })
	return w
}

// Send returns the views of the widget a message of their own, model.on("msg:custom", ...)
// there.
func (w *CustomWidget) Send(content any, buffers ...[]byte) error { return w.say(content, buffers...) }

// say returns the views of the widget a message of their own.
func (m *Model) say(content any, buffers ...[]byte) error {
	data, _, err := encode(map[string]any{"method": "custom", "content": content}, "content")
	if err != nil {
		return err
	}
	return m.hub.send(display.CommMessage{Kind: display.CommData, ID: m.id, Data: data, Buffers: buffers})
}

// OnMessage has f called with each message that a view sends by model.send.
func (w *CustomWidget) OnMessage(f func(content any)) *CustomWidget {
	w.onCustom(func(content any) error { f(content); return nil })
	return w
}

// Display shows the widget.
func (w *CustomWidget) Display() (display.Bundle, error) {
	return w.view(fmt.Sprintf("a widget (%s of %s)", w.class.name, w.class.module))
}
