package interp

import (
	"sync"

	"github.com/gokernel/gokernel/display/widget"
	"github.com/gokernel/gokernel/interp/ask"
	"github.com/gokernel/gokernel/interp/engine"
	"github.com/gokernel/gokernel/kernel/evaluator"
)

// outputs stores where the output of each cell goes, also after its end.
type outputs struct {
	mu    sync.Mutex
	cells map[int]evaluator.Output
	order []int
	last  int
}

// keepOutputs is the number of cells remembered for late output.
const keepOutputs = 1024

func (o *outputs) set(cell int, out evaluator.Output) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.cells == nil {
		o.cells = map[int]evaluator.Output{}
	}
	if o.cells[cell] == nil {
		o.order = append(o.order, cell)
	}
	o.cells[cell] = out
	o.last = cell
	if len(o.order) > keepOutputs {
		delete(o.cells, o.order[0])
		o.order = o.order[1:]
	}
}

// lend sets the output of a cell that is not part of the notebook. The output is in use until the
// returned function is called.
func (o *outputs) lend(cell int, out evaluator.Output) (back func()) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.cells == nil {
		o.cells = map[int]evaluator.Output{}
	}
	before, had := o.cells[cell]
	o.cells[cell] = out
	return func() {
		o.mu.Lock()
		defer o.mu.Unlock()
		if had {
			o.cells[cell] = before
		} else {
			delete(o.cells, cell)
		}
	}
}

// of returns the output of a cell, or the output of the last cell if this one is forgotten.
func (o *outputs) of(cell int) evaluator.Output {
	o.mu.Lock()
	defer o.mu.Unlock()
	if out := o.cells[cell]; out != nil {
		return out
	}
	return o.cells[o.last]
}

func (o *outputs) close() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.cells, o.order = nil, nil
}

// hooks connects the engine to the session.
func (s *Session) hooks() engine.Hooks {
	return engine.Hooks{
		Room:      s.memory.Room,
		GoPanic:   s.goPanic,
		Recovered: s.tell,
		Stdin:     ask.Stdin,
		Compiled:  s.compiled,
		Stdout: func(cell int, text []byte) {
			if widget.Printed("stdout", text) {
				return
			}
			if out := s.outputs.of(cell); out != nil {
				out.Stdout(string(text))
			}
		},
		Stderr: func(cell int, text []byte) {
			if widget.Printed("stderr", text) {
				return
			}
			if out := s.outputs.of(cell); out != nil {
				out.Stderr(string(text))
			}
		},
	}
}
