package grading

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/gokernel/gokernel/cmd/gokernel/internal/execute"
	"github.com/gokernel/gokernel/cmd/gokernel/internal/notebook"
	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/kernel/evaluator"
)

// Options tell how a submission is run.
type Options struct {
	CellTimeout time.Duration // of each cell; 0 means no limit
	Total       time.Duration // of the submission; 0 means no limit
}

// Score is what one graded cell has earned.
type Score struct {
	ID     string
	Points float64
	Of     float64
	Manual bool   // a person has to grade it
	Note   string // what went wrong
}

// Result is a graded submission.
type Result struct {
	Scores   []Score
	Notebook *notebook.Notebook // as it was run
	Took     time.Duration
	Notes    []string
}

// Points gives the points earned, those that could be, and those that a person has to give.
func (r *Result) Points() (earned, of, manual float64) {
	for _, s := range r.Scores {
		of += s.Of
		if s.Manual {
			manual += s.Of
			continue
		}
		earned += s.Points
	}
	return earned, of, manual
}

// lost is the name of the error of a cell that has ended its evaluator.
const lost = "session lost"

// Grade runs an assembled notebook and counts. A cell that fails does not end it. When a cell
// ends the evaluator, the others are run again in a new one, so that it takes none of
// their points away.
func Grade(ctx context.Context, nb *notebook.Notebook, ev execute.Evaluator, opt Options) (*Result, error) {
	if opt.Total > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, opt.Total, fmt.Errorf("the submission took longer than %v", opt.Total))
		defer cancel()
	}
	start := time.Now()
	run := execute.NewRunner(ev)
	defer run.Close()
	res := &Result{Notebook: nb}
	cells := execute.Cells(nb)
	failed := map[*notebook.Cell]bool{}
	for i, c := range cells {
		c.Count = i + 1
		if ctx.Err() != nil {
			break
		}
		err := run.Cell(ctx, c, opt.CellTimeout)
		if err == nil {
			continue
		}
		failed[c] = true
		var e *evaluator.Error
		if errors.As(err, &e) && e.Name == lost {
			res.Notes = append(res.Notes, fmt.Sprintf("cell [%d] ended the evaluator (%s); the cells before it were run again without it", c.Count, e.Value))
			again(ctx, ev, cells[:i], failed, opt.CellTimeout)
		}
	}
	if ctx.Err() != nil {
		res.Notes = append(res.Notes, fmt.Sprintf("stopped: %v", context.Cause(ctx)))
	}
	for _, c := range nb.Cells {
		if s, ok := score(c, failed[c]); ok {
			res.Scores = append(res.Scores, s)
		}
	}
	res.Took = time.Since(start)
	return res, nil
}

// again runs cells that have run well for what they declare; nothing of what they show is
// kept.
func again(ctx context.Context, ev execute.Evaluator, cells []*notebook.Cell, failed map[*notebook.Cell]bool, timeout time.Duration) {
	run := execute.NewRunner(ev)
	defer run.Close()
	for _, c := range cells {
		if m := markOf(c); failed[c] || m.role == tests && m.points > 0 || ctx.Err() != nil {
			continue // what counts no points may declare what later cells need
		}
		shadow := *c
		run.Cell(ctx, &shadow, timeout) // it has run before; if it fails now, what needs it fails too
	}
}

// score counts the points of a cell as nbgrader does: none for an error, the number that
// the cell's value is, otherwise all.
func score(c *notebook.Cell, failed bool) (Score, bool) {
	m := markOf(c)
	s := Score{ID: m.id, Of: m.points}
	switch m.role {
	case manual, task:
		s.Manual = true
		return s, true
	case tests:
	default:
		return s, false
	}
	if c.Type != notebook.Code || strings.TrimSpace(c.Source) == "" {
		return s, true
	}
	if failed || c.Count == 0 {
		s.Note = why(c)
		return s, true
	}
	s.Points = s.Of
	for _, o := range c.Outputs {
		if o.Type != notebook.ExecuteResult {
			continue
		}
		text, _ := o.Data[display.MIMEText].(string)
		if p, err := strconv.ParseFloat(strings.TrimSpace(text), 64); err == nil {
			s.Points = max(0, min(p, s.Of))
		}
		s.Note = problems(o)
	}
	return s, true
}

// why tells in a line why a cell failed.
func why(c *notebook.Cell) string {
	for _, o := range c.Outputs {
		if o.Type == notebook.Error {
			return o.ErrorName + ": " + o.ErrorValue
		}
	}
	return "it was not run"
}

// problems lists what checks have found.
func problems(o *notebook.Output) string {
	report, _ := o.Data["application/vnd.gokernel.points+json"].(map[string]any)
	checks, _ := report["checks"].([]any)
	var all []string
	for _, c := range checks {
		if line, ok := c.(map[string]any); ok {
			if text, _ := line["text"].(string); text != "" {
				all = append(all, text)
			}
		}
	}
	return strings.Join(all, "; ")
}
