package grading

import (
	"context"
	"errors"
	"fmt"
	"go/scanner"
	"go/token"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/gokernel/gokernel/cmd/gokernel/internal/execute"
	"github.com/gokernel/gokernel/cmd/gokernel/internal/notebook"
	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/kernel/evaluator"
)

// Options configures how a submission is run.
type Options struct {
	CellTimeout time.Duration // limit for each cell; 0 means no limit
	Total       time.Duration // limit for the submission; 0 means no limit
	// Solutions is the source notebook of the checks with its solutions, if the notebook of the
	// checks has none. It may be nil.
	Solutions *notebook.Notebook
}

// Score is the score of one graded cell.
type Score struct {
	ID     string
	Points float64
	Of     float64
	Manual bool // must be graded by hand
	Marked bool // graded by hand: Points is the mark
	// Seen is how many points are decided by the checks that ran. The rest of the maximum points is
	// decided by hidden checks, which a released notebook doesn't have.
	Seen  float64
	Note  string // the error
	lines []line // the result of each check
}

// line is the result of one check.
type line struct {
	text   string // the error, or ""
	hint   string // hint of a failed check
	hidden bool   // whether the text reveals nothing about the test data
	kind   string // what the check tests
	how    string // the kind of the error
}

// Result is a graded submission.
type Result struct {
	Scores   []Score
	Notebook *notebook.Notebook // as it was run
	Took     time.Duration
	Notes    []string
	Late     *Late // nil without a policy for late submissions
	// Doubt is an error that the source or this program may have caused instead of the submission:
	// a cell of the lecturer failed, or a cell can't be evaluated. It is "" if there is none.
	Doubt string
}

// Points returns the points earned (after the penalty for a late submission), the maximum points,
// and the points that are still to be given by hand.
func (r *Result) Points() (earned, of, manual float64) {
	for _, s := range r.Scores {
		of += s.Of
		if s.Manual && !s.Marked {
			manual += s.Of
		}
	}
	earned = r.earned()
	return round(earned - r.Late.lost(earned)), of, manual
}

// earned returns the points of all tasks, before a penalty.
func (r *Result) earned() (points float64) {
	for _, s := range r.Scores {
		if !s.Manual || s.Marked {
			points += s.Points
		}
	}
	return round(points)
}

// Decided returns the points that the checks of the notebook decide, and the points that missing
// hidden checks decide.
func (r *Result) Decided() (visible, hidden float64) {
	for _, s := range r.Scores {
		if !s.Manual {
			visible, hidden = visible+s.Seen, hidden+s.Of-s.Seen
		}
	}
	return round(visible), round(hidden)
}

// round removes the rounding error of adding decimal fractions of points.
func round(points float64) float64 { return math.Round(points*1e6) / 1e6 }

// lost is the error name of a cell that has ended its evaluator.
const lost = "session lost"

// Grade runs an assembled notebook and counts points. A cell that fails does not end the run. If a
// cell ends the evaluator, the others run again in a new one, so that they lose no points.
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

// again repeats the cells that have succeeded, because later cells may need their declarations. It
// discards their output.
func again(ctx context.Context, ev execute.Evaluator, cells []*notebook.Cell, failed map[*notebook.Cell]bool, timeout time.Duration) {
	run := execute.NewRunner(ev)
	defer run.Close()
	for _, c := range cells {
		if m := markOf(c); failed[c] || m.role == tests && m.points > 0 || ctx.Err() != nil {
			continue // cells without points may declare what later cells need
		}
		shadow := *c
		run.Cell(ctx, &shadow, timeout) // if it fails now, the cells that need it also fail
	}
}

// score counts the points of a cell as nbgrader does: none for an error, the value of the cell if
// it is a number, otherwise all.
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
	if c.Type != notebook.Code || !hasCode(c.Source) {
		return s, true
	}
	s.Seen = s.Of
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
		s.read(o)
	}
	return s, true
}

// hasCode reports whether a cell contains more than comments.
func hasCode(src string) bool {
	var sc scanner.Scanner
	sc.Init(token.NewFileSet().AddFile("", -1, len(src)), []byte(src), nil, 0)
	_, tok, _ := sc.Scan()
	return tok != token.EOF
}

// why explains in a line why a cell failed.
func why(c *notebook.Cell) string {
	for _, o := range c.Outputs {
		if o.Type == notebook.Error {
			return o.ErrorName + ": " + o.ErrorValue
		}
	}
	return "it was not run"
}

// read reads the results of checks from the output of their cell.
func (s *Score) read(o *notebook.Output) {
	report, ok := o.Data["application/vnd.gokernel.points+json"].(map[string]any)
	if !ok {
		return
	}
	if of, ok := report["of"]; ok {
		s.Seen = min(numberOf(of), s.Of)
	}
	checks, _ := report["checks"].([]any)
	var all []string
	for _, c := range checks {
		one, _ := c.(map[string]any)
		l := line{}
		l.text, _ = one["text"].(string)
		l.hint, _ = one["hint"].(string)
		l.hidden, _ = one["hidden"].(bool)
		l.kind, _ = one["kind"].(string)
		l.how, _ = one["failure"].(string)
		s.lines = append(s.lines, l)
		if l.text != "" {
			all = append(all, l.text)
		}
	}
	s.Note = strings.Join(all, "; ")
}
