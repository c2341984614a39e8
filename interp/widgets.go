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

// Comm takes a message of the frontend to a widget. Its values change at once, also
// while a cell runs; functions of the notebook that wait for them run in Callbacks.
func (s *Session) Comm(_ context.Context, m display.CommMessage) (evaluator.CommReply, error) {
	answers, waiting, err := widget.Receive(m)
	return evaluator.CommReply{Messages: answers, Waiting: waiting}, err
}

// callbacksCell is the cell by which callbacks run.
const callbacksCell = `import ǃwidget "github.com/gokernel/gokernel/display/widget"
ǃwidget.RunCallbacks()`

// Callbacks runs the functions that messages of widgets have made wait, as a cell runs:
// they can be interrupted and are stopped where they need too much memory. What one
// prints and shows stands where its widget is, and so does its error.
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

// besideWidget is where callbacks show: in the cell that shows the widget, and where that
// is not known, in the output that it is made of.
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

// Comm implements [display.Channel]: what widgets say goes by the message that woke the
// callbacks.
func (b besideWidget) Comm(m display.CommMessage) error {
	if c, ok := b.Output.(display.Channel); ok {
		return c.Comm(m)
	}
	return errors.New("interp: this front end has no comms")
}
