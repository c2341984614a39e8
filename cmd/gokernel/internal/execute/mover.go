package execute

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"time"

	"github.com/gokernel/gokernel/cmd/gokernel/internal/notebook"
	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/kernel/evaluator"
)

// mover moves the controls of a box and collects its frames.
type mover struct {
	*interact
	ctx     context.Context
	session evaluator.Widgets
	rec     *recorder
	timeout time.Duration // limit for a call of the function; 0 for none
	room    int           // bytes

	at    []int // the positions of the controls
	start []int // initial positions
	table []int // as in [notebook.Frames]
	list  [][]*notebook.Output
	index map[string]int // indices in the list, by what is shown
	used  int            // bytes
	live  widgets        // only the area
}

// errRoom reports that the next frame exceeds the limit.
var errRoom = errors.New("their output is too large")

// run fills the table: first the frames of each control alone and then, if they fit, those of all
// combinations.
func (m *mover) run() error {
	size := 1
	for _, k := range m.knobs {
		size = min(size*len(k.values), 1<<20)
		m.start = append(m.start, k.Start)
	}
	switch n := positions(m.knobs); {
	case m.manual:
		return whyNot("their function waits for a click on Run")
	case n == 1:
		return whyNot("they can have any value, and a page stores only one")
	case n > maxFrames || size == 1<<20:
		return whyNot(fmt.Sprintf("they must have at most %d positions on a page", maxFrames))
	}
	m.at, m.table = slices.Clone(m.start), slices.Repeat([]int{-1}, size)
	m.live.models = map[string]*model{m.area: {state: maps.Clone(m.shown.state), buffers: map[string]buffer{}}}
	first := m.outputs()
	err := m.keep(first)
	if err == nil {
		err = m.alone()
	}
	if err == nil && size <= maxFrames {
		err = m.together()
	}
	if err == nil {
		err = m.back(first)
	}
	if err == errRoom {
		return whyNot(fmt.Sprintf("their output must take at most %d MB of a page", maxFrameBytes>>20))
	}
	return err
}

// alone moves each control with the others at their initial positions.
func (m *mover) alone() error {
	for i, k := range m.knobs {
		for v := range k.values {
			to := slices.Clone(m.start)
			to[i] = v
			if err := m.visit(to); err != nil {
				return err
			}
		}
	}
	return nil
}

// together visits all combinations of positions. If they exceed the limit, it changes nothing.
func (m *mover) together() error {
	table, list, used, index := slices.Clone(m.table), len(m.list), m.used, maps.Clone(m.index)
	to := make([]int, len(m.knobs))
	for {
		err := m.visit(to)
		if err == errRoom {
			m.table, m.list, m.used, m.index = table, m.list[:list], used, index
			return nil
		}
		if err != nil {
			return err
		}
		i := len(to) - 1
		for ; i >= 0; i-- {
			if to[i]++; to[i] < len(m.knobs[i].values) {
				break
			}
			to[i] = 0
		}
		if i < 0 {
			return nil
		}
	}
}

// back moves the controls to their initial positions. The output must be the initial one; otherwise
// it depends on more than the controls.
func (m *mover) back(first []any) error {
	if err := m.move(m.start); err != nil {
		return err
	}
	if !alike(first, m.outputs()) {
		return whyNot("what they show does not depend on their values alone")
	}
	return nil
}

// visit moves the controls and stores the output, unless it is known.
func (m *mover) visit(to []int) error {
	if m.table[m.entry(to)] >= 0 {
		return nil
	}
	if err := m.move(to); err != nil {
		return err
	}
	return m.keep(m.outputs())
}

// entry returns the index of a position in the table.
func (m *mover) entry(at []int) int {
	n := 0
	for i, k := range m.knobs {
		n = n*len(k.values) + at[i]
	}
	return n
}

func (m *mover) outputs() []any {
	outputs, _ := m.live.models[m.area].state["outputs"].([]any)
	return outputs
}

// keep adds an output to the table.
func (m *mover) keep(outputs []any) error {
	b, err := json.Marshal(outputs)
	if err != nil {
		return err
	}
	var frame []*notebook.Output
	if err := json.Unmarshal(b, &frame); err != nil {
		return err
	}
	for _, o := range frame {
		for _, mime := range []string{mimeView, display.MIMEVegaLite} { // only the controls move here
			if len(o.Data) > 1 {
				delete(o.Data, mime)
			}
		}
	}
	if b, err = json.Marshal(frame); err != nil {
		return err
	}
	i, ok := m.index[string(b)]
	if !ok {
		if m.used += len(b); m.used > m.room {
			return errRoom
		}
		i = len(m.list)
		m.list, m.index[string(b)] = append(m.list, frame), i
	}
	m.table[m.entry(m.at)] = i
	return nil
}

// move sets the controls to other values, as a frontend does, so that the function is called.
func (m *mover) move(to []int) error {
	waiting := false
	for i, k := range m.knobs {
		if m.at[i] == to[i] {
			continue
		}
		data, err := json.Marshal(map[string]any{"method": "update", "state": map[string]any{k.trait: k.values[to[i]]}})
		if err != nil {
			return err
		}
		reply, err := m.session.Comm(m.ctx, display.CommMessage{Kind: display.CommData, ID: k.id, Data: data})
		if err != nil {
			return whyNot("the session could not be asked: " + err.Error())
		}
		if slices.ContainsFunc(reply.Messages, func(a display.CommMessage) bool { return a.Kind == display.CommClose }) {
			return whyNot("the session that had them has ended")
		}
		waiting = waiting || reply.Waiting
	}
	m.at = slices.Clone(to)
	if !waiting {
		return nil
	}
	ctx := m.ctx
	if m.timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, m.timeout)
		defer cancel()
	}
	if err := m.session.Callbacks(ctx, silent{&cellOutput{rec: m.rec, cell: &notebook.Cell{}}, m}); err != nil {
		return whyNot("their function could not be called: " + err.Error())
	}
	if ctx.Err() != nil {
		return whyNot(fmt.Sprintf("a call of their function took longer than %v", m.timeout))
	}
	return nil
}

// alike reports whether two lists of outputs have the same content. The first output of a figure
// may have more types than later ones.
func alike(a, b []any) bool {
	return slices.EqualFunc(a, b, func(x, y any) bool {
		p, _ := x.(map[string]any)
		q, _ := y.(map[string]any)
		of, isData := p["data"].(map[string]any)
		other, isOther := q["data"].(map[string]any)
		if !isData || !isOther {
			return reflect.DeepEqual(x, y)
		}
		common := 0
		for mime, v := range of {
			if w, ok := other[mime]; ok && mime != mimeView {
				if common++; !reflect.DeepEqual(v, w) {
					return false
				}
			}
		}
		return common > 0
	})
}

// silent receives the output of functions while controls are moved. It keeps only the messages to
// the area.
type silent struct {
	*cellOutput
	m *mover
}

// Comm implements [display.Channel].
func (s silent) Comm(m display.CommMessage) error {
	if m.ID != s.m.area || m.Kind != display.CommData {
		return nil
	}
	return s.m.live.message(m)
}
