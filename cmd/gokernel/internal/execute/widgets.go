package execute

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/gokernel/gokernel/cmd/gokernel/internal/notebook"
	"github.com/gokernel/gokernel/display"
)

// mimeState is the key in a notebook's metadata for the state of its widgets.
const mimeState = "application/vnd.jupyter.widget-state+json"

// widgets are the models that cells have opened, according to their messages.
type widgets struct {
	models map[string]*model
	order  []string // order of their creation
}

// model is the state of a widget model.
type model struct {
	state   map[string]any
	buffers map[string]buffer // by the path, written as JSON
}

type buffer struct {
	path []any
	data []byte
}

// message handles a message from the session to the frontend.
func (w *widgets) message(m display.CommMessage) error {
	var body struct {
		Method string
		State  map[string]any
		Paths  [][]any `json:"buffer_paths"`
	}
	if m.Kind == display.CommClose {
		delete(w.models, m.ID)
		return nil
	}
	d := json.NewDecoder(bytes.NewReader(m.Data))
	d.UseNumber()
	if err := d.Decode(&body); err != nil {
		return fmt.Errorf("execute: a widget's message can't be read: %w", err)
	}
	switch {
	case m.Kind == display.CommOpen:
		if w.models == nil {
			w.models = map[string]*model{}
		}
		w.models[m.ID] = &model{state: map[string]any{}, buffers: map[string]buffer{}}
		w.order = append(w.order, m.ID)
	case body.Method != "update":
		return nil // views need nothing, because there are none
	}
	of := w.models[m.ID]
	if of == nil {
		return errors.New("execute: the widget was closed")
	}
	if len(body.Paths) > len(m.Buffers) {
		return errors.New("execute: a widget's message lacks buffers")
	}
	maps.Copy(of.state, body.State)
	for k := range body.State {
		maps.DeleteFunc(of.buffers, func(_ string, b buffer) bool { return b.path[0] == k })
	}
	for i, path := range body.Paths {
		if len(path) == 0 {
			return errors.New("execute: a widget's buffer has no path")
		}
		key, err := json.Marshal(path)
		if err != nil {
			return err
		}
		of.buffers[string(key)] = buffer{path, m.Buffers[i]}
	}
	return nil
}

// names numbers the widgets, so that each run results in the same notebook.
func (w *widgets) names() *strings.Replacer {
	var names []string
	for i, id := range w.order {
		names = append(names, id, "widget-"+strconv.Itoa(i+1))
	}
	return strings.NewReplacer(names...)
}

// name sets the widget number of an output.
func (w *widgets) name(o *notebook.Output) (err error) {
	if v, ok := o.Data[mimeView]; ok {
		o.Data[mimeView], err = renamed(w.names(), v)
	}
	return err
}

// keep stores the state of the widgets in the notebook, or removes the state of an earlier run.
func (w *widgets) keep(nb *notebook.Notebook) error {
	if kept, ok := nb.Metadata["widgets"].(map[string]any); ok {
		delete(kept, mimeState)
		if len(kept) == 0 {
			delete(nb.Metadata, "widgets")
		}
	}
	if len(w.models) == 0 {
		return nil
	}
	models := map[string]any{}
	for id, m := range w.models {
		models[id] = m.kept()
	}
	state, err := renamed(w.names(), map[string]any{"state": models, "version_major": 2, "version_minor": 0})
	if err != nil {
		return err
	}
	if nb.Metadata == nil {
		nb.Metadata = map[string]any{}
	}
	kept, ok := nb.Metadata["widgets"].(map[string]any)
	if !ok {
		kept = map[string]any{}
		nb.Metadata["widgets"] = kept
	}
	kept[mimeState] = state
	return nil
}

// mimeView is the MIME type of an output that shows a widget.
const mimeView = "application/vnd.jupyter.widget-view+json"

// kept returns a model in the form of a notebook.
func (m *model) kept() map[string]any {
	state := maps.Clone(m.state)
	out := map[string]any{
		"model_name": state["_model_name"], "model_module": state["_model_module"],
		"model_module_version": state["_model_module_version"], "state": state,
	}
	var buffers []any
	for _, key := range slices.Sorted(maps.Keys(m.buffers)) {
		b := m.buffers[key]
		buffers = append(buffers, map[string]any{"path": b.path, "data": base64.StdEncoding.EncodeToString(b.data), "encoding": "base64"})
	}
	if buffers != nil {
		out["buffers"] = buffers
	}
	return out
}

// renamed returns a JSON value v with other names in it.
func renamed(names *strings.Replacer, v any) (any, error) {
	b, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	d := json.NewDecoder(strings.NewReader(names.Replace(string(b))))
	d.UseNumber()
	var out any
	err = d.Decode(&out)
	return out, err
}

// Comm implements [display.Channel].
func (o *cellOutput) Comm(m display.CommMessage) error {
	o.rec.mu.Lock()
	defer o.rec.mu.Unlock()
	if o.rec.done {
		return nil
	}
	return o.rec.widgets.message(m)
}
