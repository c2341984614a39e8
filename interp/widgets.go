package interp

import (
	"context"
	"errors"
	"strings"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/display/widget"
	"github.com/gokernel/gokernel/interp/scope"
	"github.com/gokernel/gokernel/kernel/evaluator"
)

// Comm handles a frontend's message to a widget. The values of the widget change at once, even
// while a cell runs. Functions of the notebook that wait for such changes run in Callbacks.
func (s *Session) Comm(_ context.Context, m display.CommMessage) (evaluator.CommReply, error) {
	answers, waiting, err := widget.Receive(m)
	return evaluator.CommReply{Messages: answers, Waiting: waiting}, err
}

// callbacksCell is the cell that runs callbacks.
const callbacksCell = `import ǃwidget "github.com/gokernel/gokernel/display/widget"
ǃwidget.RunCallbacks()`

// Callbacks runs the functions that messages of widgets have queued, as a cell runs. They can be
// interrupted, and the memory limit stops them. The output and the error of a function appear
// beside its widget.
func (s *Session) Callbacks(ctx context.Context, out evaluator.Output) error {
	defer s.take()()
	at := besideWidget{out}
	defer s.outputs.lend(0, at)()
	for n := widget.Waiting(); n > 0 && ctx.Err() == nil; n = widget.Waiting() {
		_, err := s.eval(ctx, &scope.Source{Name: "callback", Text: callbacksCell}, evaluator.Cell{Code: callbacksCell, Silent: true}, at)
		var failed *evaluator.Error
		switch {
		case err == nil:
		case !errors.As(err, &failed), widget.Waiting() >= n: // none was called
			return err
		default:
			place := at.Output
			if p, ok := widget.Place().(evaluator.Output); ok {
				place = p
			}
			if !widget.Failed(failed.Name, failed.Value, failed.Traceback) {
				place.Stderr(strings.Join(failed.Traceback, "\n") + "\n")
			}
		}
	}
	return nil
}

// besideWidget shows the output of callbacks in the cell that shows the widget. If that cell is not
// known, it shows the output in the Output it wraps.
type besideWidget struct{ evaluator.Output }

func (b besideWidget) place() evaluator.Output {
	if p, ok := widget.Place().(evaluator.Output); ok {
		return p
	}
	return b.Output
}

func (b besideWidget) Stdout(text string)             { b.place().Stdout(text) }
func (b besideWidget) Stderr(text string)             { b.place().Stderr(text) }
func (b besideWidget) Display(v display.Bundle) error { return b.place().Display(v) }
func (b besideWidget) Update(v display.Bundle) error  { return b.place().Update(v) }
func (b besideWidget) Clear(wait bool) error          { return b.place().Clear(wait) }

// Comm implements [display.Channel]: messages of widgets belong to the message that woke the
// callbacks.
func (b besideWidget) Comm(m display.CommMessage) error {
	if c, ok := b.Output.(display.Channel); ok {
		return c.Comm(m)
	}
	return errors.New("interp: this frontend has no comms")
}
