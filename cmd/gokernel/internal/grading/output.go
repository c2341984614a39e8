package grading

import (
	"context"
	"encoding/json"
	"errors"
	"sync"

	"github.com/gokernel/gokernel/cmd/gokernel/internal/notebook"
	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/kernel/evaluator"
)

// budget is the remaining output of a submission.
type budget struct {
	mu   sync.Mutex
	left int
}

// take reports whether n bytes may be shown.
func (b *budget) take(n int) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.left >= 0 {
		b.left -= n
	}
	return b.left >= 0
}

func (b *budget) over() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.left < 0
}

func (b *budget) takeBundle(m display.Bundle) bool {
	n := 0
	for _, v := range m.Data {
		switch v := v.(type) {
		case string:
			n += len(v)
		case []byte:
			n += len(v)
		case json.RawMessage:
			n += len(v)
		default:
			n += 1 << 10
		}
	}
	return b.take(n)
}

// limit limits the output of a cell to the budget.
func (b *budget) limit(out evaluator.Output) evaluator.Output { return &limited{out, b} }

type limited struct {
	evaluator.Output
	budget *budget
}

var errOutput = errors.New("the submission has too much output")

func (l *limited) Stdout(text string) {
	if l.budget.take(len(text)) {
		l.Output.Stdout(text)
	}
}

func (l *limited) Stderr(text string) {
	if l.budget.take(len(text)) {
		l.Output.Stderr(text)
	}
}

func (l *limited) Display(b display.Bundle) error {
	if !l.budget.takeBundle(b) {
		return errOutput
	}
	return l.Output.Display(b)
}

func (l *limited) Update(b display.Bundle) error {
	if !l.budget.takeBundle(b) {
		return errOutput
	}
	return l.Output.Update(b)
}

func (l *limited) Page(b display.Bundle) error {
	if !l.budget.takeBundle(b) {
		return errOutput
	}
	return l.Output.Page(b)
}

// discard discards all output.
type discard struct{}

func (discard) Stdout(string)                {}
func (discard) Stderr(string)                {}
func (discard) Display(display.Bundle) error { return nil }
func (discard) Update(display.Bundle) error  { return nil }
func (discard) Page(display.Bundle) error    { return nil }
func (discard) Clear(bool) error             { return nil }
func (discard) SetNextInput(string, bool) error {
	return nil
}

func (discard) Input(context.Context, string, bool) (string, error) {
	return "", errors.New("input is not available while a submission is graded")
}

// textOutput records what functions of a submission print while a cell of the lecturer calls them.
type textOutput struct {
	cell   *notebook.Cell
	budget *budget

	mu   sync.Mutex
	text string
}

// prepend puts the text before what the cell shows.
func (t *textOutput) prepend() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.text != "" {
		t.cell.Outputs = append([]*notebook.Output{{Type: notebook.Stream, Name: "stdout", Text: t.text}}, t.cell.Outputs...)
	}
}

func (t *textOutput) print(text string) {
	if !t.budget.take(len(text)) {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text += text
}

// out sets the output for text that functions of the process print.
func (s *side) out(t *textOutput) {
	s.printing.mu.Lock()
	defer s.printing.mu.Unlock()
	s.printing.to = t
}

// printing is the output for text of a service.
type printing struct {
	mu sync.Mutex
	to *textOutput
}

// sideOutput is the output of a service.
type sideOutput struct {
	discard
	side   *side
	budget *budget
}

func (o *sideOutput) Stdout(text string) {
	o.side.printing.mu.Lock()
	defer o.side.printing.mu.Unlock()
	if o.side.printing.to != nil {
		o.side.printing.to.print(text)
	}
}

func (o *sideOutput) Stderr(text string) { o.Stdout(text) }
