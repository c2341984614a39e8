package execute

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/gokernel/gokernel/cmd/gokernel/internal/notebook"
	"github.com/gokernel/gokernel/kernel/evaluator"
)

// These are the limits of the frames in a notebook: the number of frames of one widget, and the
// total bytes of JSON.
const (
	maxFrames     = 200
	maxFrameBytes = 4 << 20
)

// interactClass marks the box created by Interact.
const interactClass = "widget-interact"

// frames moves the controls of each Interact in the notebook, as a user who has run all cells
// could, and stores what is shown. The cells keep their outputs.
func (r *recorder) frames(ctx context.Context, nb *notebook.Notebook, ev Evaluator, opt Options) error {
	r.finish() // other output of the functions belongs to no cell
	session, ok := ev.(evaluator.Widgets)
	if !ok {
		return nil
	}
	names := r.widgets.names()
	room := maxFrameBytes
	kept := map[string]*notebook.Frames{}
	for i, c := range Cells(nb) {
		for _, o := range c.Outputs {
			box := r.interact(o, names)
			if box == nil || kept[box.name] != nil {
				continue
			}
			start := time.Now()
			m := &mover{interact: box, ctx: ctx, session: session, rec: r, timeout: opt.Timeout, room: room, index: map[string]int{}}
			f := m.frames()
			if ctx.Err() != nil {
				return ctx.Err()
			}
			kept[box.name] = f
			room -= m.used
			if opt.Moved != nil {
				opt.Moved(i, c, len(f.List), time.Since(start))
			}
		}
	}
	return nb.SetFrames(kept)
}

// interact is the box of an Interact: its controls and its output area.
type interact struct {
	name   string // name in the notebook
	knobs  []knob
	area   string // the id of the model
	shown  *model
	manual bool // it waits for a click
}

// interact returns the Interact that an output shows, or nil if there is none.
func (r *recorder) interact(o *notebook.Output, names *strings.Replacer) *interact {
	view, _ := o.Data[mimeView].(map[string]any)
	name, _ := view["model_id"].(string)
	at := slices.IndexFunc(r.widgets.order, func(id string) bool { return names.Replace(id) == name })
	if at < 0 {
		return nil
	}
	m := r.widgets.models[r.widgets.order[at]]
	if m == nil {
		return nil // it was closed
	}
	if classes, _ := m.state["_dom_classes"].([]any); !slices.Contains(classes, any(interactClass)) {
		return nil
	}
	box := &interact{name: name}
	children, _ := m.state["children"].([]any)
	for _, c := range children {
		text, _ := c.(string)
		id := strings.TrimPrefix(text, "IPY_MODEL_")
		child := r.widgets.models[id]
		if child == nil {
			return nil
		}
		switch child.state["_model_name"] {
		case "OutputModel":
			box.area, box.shown = id, child
		case "ButtonModel":
			box.manual = true
		default:
			box.knobs = append(box.knobs, newKnob(id, child.state))
		}
	}
	if box.shown == nil {
		return nil
	}
	return box
}

// whyNot explains to readers of the page why there are no frames.
type whyNot string

func (w whyNot) Error() string { return string(w) }

// frames computes the frames of the box.
func (m *mover) frames() *notebook.Frames {
	f := &notebook.Frames{}
	whole := thin(m.knobs, maxFrames)
	for _, k := range m.knobs {
		f.Controls = append(f.Controls, k.Control)
	}
	if err := m.run(); err != nil {
		m.used = 0
		f.Note = "The controls move only in JupyterLab: " + err.Error() + "."
		return f
	}
	f.Table, f.List = m.table, m.list
	var limits []string
	if slices.Contains(m.table, -1) {
		limits = append(limits, "one control moves at a time")
	}
	if !whole {
		limits = append(limits, "a slider has only some of its values")
	}
	if slices.ContainsFunc(m.knobs, func(k knob) bool { return k.Kind == notebook.FixedControl }) {
		limits = append(limits, "fields keep their values")
	}
	if len(limits) > 0 {
		f.Note = "On this page " + strings.Join(limits, ", and ") + ". In JupyterLab the controls move freely."
	}
	return f
}
