package widget

import (
	"encoding/base64"
	"errors"
	"slices"
	"sync"

	"github.com/gokernel/gokernel/display"
)

// Area is a widget that shows outputs, as a cell does. [Interact] shows the result of its
// function in an Area. Use other areas to place outputs in a layout of widgets.
type Area struct {
	*Model

	drawing sync.Mutex // held while the outputs change
	outputs []any      // in the notebook format
	ids     map[string]int
	pending bool // the next output replaces the current ones
	depth   int  // number of running functions that draw; the frontend is notified when they have ended
}

// Output returns an empty area.
func Output() *Area { return &Area{Model: newModel("Output")} }

// Show shows values in the area, below its current outputs.
func (a *Area) Show(values ...any) error {
	var errs []error
	for _, v := range values {
		b, err := display.Of(v)
		if err == nil {
			err = a.add(bundleOutput(b))
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// Clear removes all outputs of the area.
func (a *Area) Clear() error { return a.change(func() { a.outputs, a.ids = nil, nil }) }

// Capture calls f and replaces the outputs of the area with the outputs of f. The area changes
// once, when f has returned.
func (a *Area) Capture(f func()) { a.during(f) }

// during implements Capture.
func (a *Area) during(f func()) {
	a.drawing.Lock()
	a.outputs, a.ids = nil, nil
	a.depth++
	a.drawing.Unlock()
	previous := display.CurrentSink()
	a.hub.mu.Lock()
	a.hub.capture = append(a.hub.capture, a)
	a.hub.mu.Unlock()
	defer func() {
		a.hub.mu.Lock()
		a.hub.capture = a.hub.capture[:len(a.hub.capture)-1]
		a.hub.mu.Unlock()
		a.drawing.Lock()
		a.depth--
		a.drawing.Unlock()
		a.must(a.change(func() {}))
	}()
	display.Lend(areaSink{a, previous}, f)
}

// change changes the outputs and notifies the frontend, unless a function is drawing.
func (a *Area) change(f func()) error {
	a.drawing.Lock()
	f()
	if a.depth > 0 {
		a.drawing.Unlock()
		return nil
	}
	outputs := slices.Clone(a.outputs)
	a.drawing.Unlock()
	if outputs == nil {
		outputs = []any{}
	}
	return a.set(map[string]any{"outputs": outputs})
}

// add adds an output below the current ones.
func (a *Area) add(output map[string]any) error {
	return a.change(func() { a.put(output) })
}

func (a *Area) put(output map[string]any) {
	if a.pending {
		a.pending, a.outputs, a.ids = false, nil, nil
	}
	a.outputs = append(a.outputs, output)
}

// print adds text of a stream.
func (a *Area) print(stream, text string) {
	a.must(a.change(func() {
		if n := len(a.outputs); n > 0 && !a.pending {
			if last, ok := a.outputs[n-1].(map[string]any); ok && last["output_type"] == "stream" && last["name"] == stream {
				before, _ := last["text"].(string)
				a.outputs[n-1] = streamOutput(stream, before+text)
				return
			}
		}
		a.put(streamOutput(stream, text))
	}))
}

func streamOutput(stream, text string) map[string]any {
	return map[string]any{"output_type": "stream", "name": stream, "text": text}
}

// fail shows an error below the current outputs.
func (a *Area) fail(name, value string, traceback []string) error {
	return a.add(map[string]any{"output_type": "error", "ename": name, "evalue": value, "traceback": texts(traceback)})
}

// bundleOutput converts a bundle to the notebook format.
func bundleOutput(b display.Bundle) map[string]any {
	data := map[string]any{}
	for mime, v := range b.Data {
		if _, vector := b.Data[display.MIMESVG]; vector && (mime == display.MIMEPNG || mime == display.MIMEPDF) {
			continue // the area is trusted, so the drawing can be shown
		}
		if raw, ok := v.([]byte); ok {
			v = base64.StdEncoding.EncodeToString(raw)
		}
		data[mime] = v
	}
	metadata := map[string]any{}
	for k, v := range b.Metadata {
		metadata[k] = v
	}
	return map[string]any{"output_type": "display_data", "data": data, "metadata": metadata}
}

// Display shows the area.
func (a *Area) Display() (display.Bundle, error) {
	a.drawing.Lock()
	text := ""
	for _, o := range a.outputs {
		o, _ := o.(map[string]any)
		if s, ok := o["text"].(string); ok {
			text += s
		} else if data, ok := o["data"].(map[string]any); ok {
			s, _ := data[display.MIMEText].(string)
			text += s + "\n"
		}
	}
	a.drawing.Unlock()
	if text == "" {
		text = "an empty area (Output)"
	}
	return a.view(text)
}

// areaSink is the sink of a function that draws into an area.
type areaSink struct {
	*Area
	cell display.Sink
}

// Display implements [display.Sink].
func (s areaSink) Display(b display.Bundle) error {
	return s.change(func() {
		s.put(bundleOutput(b))
		if id, ok := b.Transient["display_id"].(string); ok {
			if s.ids == nil {
				s.ids = map[string]int{}
			}
			s.ids[id] = len(s.outputs) - 1
		}
	})
}

// Update implements [display.Sink].
func (s areaSink) Update(b display.Bundle) error {
	id, _ := b.Transient["display_id"].(string)
	return s.change(func() {
		if i, ok := s.ids[id]; ok && i < len(s.outputs) {
			s.outputs[i] = bundleOutput(b)
		}
	})
}

// Clear implements [display.Sink].
func (s areaSink) Clear(wait bool) error {
	return s.change(func() {
		if s.pending = wait; !wait {
			s.outputs, s.ids = nil, nil
		}
	})
}

// Page implements [display.Sink].
func (s areaSink) Page(b display.Bundle) error { return s.Display(b) }

// SetNextInput implements [display.Sink].
func (s areaSink) SetNextInput(text string, replace bool) error {
	return s.cell.SetNextInput(text, replace)
}

// Comm implements [display.Channel].
func (s areaSink) Comm(m display.CommMessage) error {
	if c, ok := s.cell.(display.Channel); ok {
		return c.Comm(m)
	}
	return errNoFrontEnd
}
