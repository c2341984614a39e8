package grading

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/gokernel/gokernel/cmd/gokernel/internal/execute"
	"github.com/gokernel/gokernel/cmd/gokernel/internal/notebook"
	"github.com/gokernel/gokernel/kernel/evaluator"
)

// advance runs the cells of the submission before a cell.
func (j *judge) advance(ctx context.Context, to *notebook.Cell) {
	at := len(j.nb.Cells)
	if to != nil {
		at = slices.Index(j.nb.Cells, to)
		if markOf(to).role == locked {
			at++ // it is run there as well
		}
	}
	if j.position >= at {
		return
	}
	own := map[*notebook.Cell]bool{}
	for _, st := range j.plan.steps {
		own[st.cell] = true
	}
	runner := execute.NewRunner(&inStudent{j})
	defer runner.Close()
	for ; j.position < at && ctx.Err() == nil; j.position++ {
		c := j.nb.Cells[j.position]
		if c.Count == 0 {
			continue
		}
		if markOf(c).role == tests {
			if text := visibleDeclarations(c.Source); text != "" {
				cell := evaluator.Cell{Code: text, Number: c.Count, Silent: true, Trusted: true}
				if j.inStudent(ctx, cell, discard{}) == nil {
					j.replay = append(j.replay, cell)
				}
			}
			continue
		}
		j.runOwn(ctx, runner, c, own[c])
	}
	j.stop(j.checks)
}

// runOwn runs a cell in the process of the submission.
func (j *judge) runOwn(ctx context.Context, runner *execute.Runner, c *notebook.Cell, lecturers bool) {
	if j.restarts > maxRestarts {
		c.Outputs = []*notebook.Output{{Type: notebook.Error, ErrorName: lost, ErrorValue: "it was not run: earlier cells have ended the evaluator too often"}}
		return
	}
	before := j.restarts
	err := runner.Cell(withTrust(ctx, lecturers), c, j.opt.CellTimeout)
	if j.restarts > before && ctx.Err() == nil { // code of an earlier cell may have ended it
		before = j.restarts
		err = runner.Cell(withTrust(ctx, lecturers), c, j.opt.CellTimeout)
	}
	if err == nil {
		j.replay = append(j.replay, evaluator.Cell{Code: c.Source, Number: c.Count, Trusted: lecturers})
		return
	}
	if lecturers || strings.Contains(errorText(err), evaluator.Refused) {
		j.doubt(c, err)
	}
	if j.restarts > before {
		j.note("cell [%d] ended the evaluator (%s); the cells before it were run again without it", c.Count, errorText(err))
	}
}

func errorText(err error) string {
	var e *evaluator.Error
	if errors.As(err, &e) {
		return e.Value
	}
	return err.Error()
}

type trustKey struct{}

func withTrust(ctx context.Context, lecturers bool) context.Context {
	return context.WithValue(ctx, trustKey{}, lecturers)
}

// inStudent evaluates cells in the process of the submission.
type inStudent struct{ j *judge }

func (s *inStudent) Eval(ctx context.Context, cell evaluator.Cell, out evaluator.Output) (evaluator.Result, error) {
	cell.Trusted, _ = ctx.Value(trustKey{}).(bool)
	s.j.stop(s.j.student)
	if err := s.j.again(ctx); err != nil {
		return evaluator.Result{}, err
	}
	s.j.setRunning(s.j.student, true)
	defer s.j.setRunning(s.j.student, false)
	res, err := s.j.student.Eval(ctx, cell, s.j.outputs.limit(out))
	s.j.noteLost(err)
	if err == nil && res.Value != nil && !s.j.outputs.takeBundle(*res.Value) {
		res.Value = nil
	}
	return res, err
}

// inStudent runs a cell of the grader or of the lecturer in the process of the submission.
func (j *judge) inStudent(ctx context.Context, cell evaluator.Cell, out evaluator.Output) error {
	j.stop(j.student)
	if err := j.again(ctx); err != nil {
		return err
	}
	j.setRunning(j.student, true)
	defer j.setRunning(j.student, false)
	if j.opt.CellTimeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, j.opt.CellTimeout)
		defer cancel()
	}
	_, err := j.student.Eval(ctx, cell, out)
	j.noteLost(err)
	return err
}

// isLost reports whether an error means that the evaluator process has ended.
func isLost(err error) bool {
	var e *evaluator.Error
	return errors.As(err, &e) && (e.Name == lost || strings.Contains(e.Value, "ended by force"))
}

func (j *judge) noteLost(err error) {
	if isLost(err) {
		j.lost = true
		j.restarts++
	}
}

// again brings a new process of the submission to the state of the previous process.
func (j *judge) again(ctx context.Context) error {
	for j.lost {
		if j.restarts > maxRestarts {
			return &evaluator.Error{Name: lost, Value: "the submission has ended its evaluator too often", Traceback: []string{"the submission has ended its evaluator too often"}}
		}
		j.lost = false
		j.setRunning(j.student, true)
		for _, cell := range j.replay {
			shadow := cell
			shadow.Silent = true
			timed, cancel := context.WithTimeout(ctx, max(j.opt.CellTimeout, time.Second))
			_, err := j.student.Eval(timed, shadow, discard{})
			cancel()
			if j.noteLost(err); j.lost || ctx.Err() != nil {
				break
			}
		}
		j.setRunning(j.student, false)
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return nil
}
