package grading

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gokernel/gokernel/cmd/gokernel/internal/execute"
	"github.com/gokernel/gokernel/cmd/gokernel/internal/notebook"
	"github.com/gokernel/gokernel/internal/far"
	"github.com/gokernel/gokernel/interp/worker"
	"github.com/gokernel/gokernel/kernel/evaluator"
)

// Process is an evaluator process that can call functions of another evaluator process;
// *worker.Client implements it.
type Process interface {
	execute.Evaluator
	Far(ctx context.Context, message []byte) ([]byte, error)
	Close() error
}

// Start starts an evaluator process: the process of the checks, which runs nothing of the
// submission, or the process of the submission. The peer handles the requests of the new process to
// the other process.
type Start func(checks bool, peer worker.Peer) (Process, error)

// Limits of a submission.
const (
	maxCells    = 1000    // additional code cells
	maxOutput   = 8 << 20 // bytes of its output
	maxRestarts = 20      // evaluators that it may end
	callGrace   = 2 * time.Second
)

// side is one of the two processes.
type side struct {
	Process
	ready    map[string]far.Answer // what the running service offers, or nil
	hello    chan []far.Answer
	end      context.CancelFunc // ends the service
	ended    chan struct{}      // closed when its cell has ended
	failed   error              // error of that cell
	given    []string           // names that it offers
	running  bool               // a cell runs that is not a service
	printing printing
}

// judge grades one submission.
type judge struct {
	ctx      context.Context // context of the whole submission
	opt      Options
	plan     *plan
	source   *notebook.Notebook // with the cells of nb
	nb       *notebook.Notebook
	res      *Result
	student  *side
	checks   *side
	outputs  *budget
	position int              // the next cell of nb for the submission's process
	replay   []evaluator.Cell // cells that the process of the submission has run successfully
	lost     bool             // that process has ended, and its successor has not run these cells again
	restarts int              // number of times that process has ended
	failed   map[*notebook.Cell]bool
	known    []string        // names of answers that references have not replaced
	stands   map[string]bool // names with a stand-in in the process of the checks
	notes    map[string]bool

	mu   sync.Mutex // guards state that the peers use: ready, running
	talk sync.Mutex // only one service starts at a time

	callbacks atomic.Int64 // calls of the submission
}

// Judge runs a submission with the checks of a notebook, and counts points. The checks run in a
// separate process, which calls the functions of the submission in the submission's process.
func Judge(ctx context.Context, source, submission *notebook.Notebook, start Start, opt Options) (*Result, error) {
	nb, src, err := assemble(source, submission)
	if err != nil {
		return nil, err
	}
	if opt.Total > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, opt.Total, fmt.Errorf("the submission took longer than %v", opt.Total))
		defer cancel()
	}
	begin := time.Now()
	j := &judge{
		ctx: ctx, opt: opt, plan: newPlan(src), source: src, nb: nb, res: &Result{Notebook: nb}, outputs: &budget{left: maxOutput},
		failed: map[*notebook.Cell]bool{}, stands: map[string]bool{}, notes: map[string]bool{},
		student: &side{hello: make(chan []far.Answer, 1)}, checks: &side{hello: make(chan []far.Answer, 1)},
	}
	if j.student.Process, err = start(false, func(ctx context.Context, m []byte) ([]byte, error) { return j.route(ctx, j.student, j.checks, m) }); err != nil {
		return nil, err
	}
	defer j.student.Close()
	if j.checks.Process, err = start(true, func(ctx context.Context, m []byte) ([]byte, error) { return j.route(ctx, j.checks, j.student, m) }); err != nil {
		return nil, err
	}
	defer j.checks.Close()
	if opt.Solutions != nil {
		for name := range newPlan(opt.Solutions).students {
			j.plan.students[name] = true
		}
	}
	j.number()
	j.run(ctx)
	if ctx.Err() != nil {
		j.note("stopped: %v", context.Cause(ctx))
	}
	if j.outputs.over() {
		j.note("its cells show more than %d MB: the rest was left out", maxOutput>>20)
	}
	for _, c := range src.Cells {
		if s, ok := score(c, j.failed[c]); ok {
			j.res.Scores = append(j.res.Scores, s)
		}
	}
	j.res.Took = time.Since(begin)
	return j.res, nil
}

func (j *judge) note(format string, args ...any) {
	if n := fmt.Sprintf(format, args...); !j.notes[n] {
		j.notes[n] = true
		j.res.Notes = append(j.res.Notes, n)
	}
}

// number numbers the code cells, and drops those beyond the limit.
func (j *judge) number() {
	own := map[*notebook.Cell]bool{}
	for _, c := range j.source.Cells {
		own[c] = true
	}
	n, extra := 0, 0
	j.nb.Cells = slices.DeleteFunc(j.nb.Cells, func(c *notebook.Cell) bool {
		if c.Type != notebook.Code || strings.TrimSpace(c.Source) == "" {
			return false
		}
		if !own[c] {
			if extra++; extra > maxCells {
				return true
			}
		}
		n++
		c.Count = n
		return false
	})
	if extra > maxCells {
		j.note("it has %d added code cells: only the first %d were run", extra, maxCells)
	}
}

// run executes the steps of the plan.
func (j *judge) run(ctx context.Context) {
	runner := execute.NewRunner(&trusted{j.checks.Process})
	defer runner.Close()
	for _, st := range j.plan.steps {
		if ctx.Err() != nil {
			break
		}
		switch st.role {
		case answer, manual:
			j.standIns(ctx, st)
		case tests:
			j.advance(ctx, st.cell)
			j.lecturer(ctx, runner, st.cell, st)
			j.replaced(ctx, st)
		default:
			if st.plain {
				continue
			}
			if st.role != plain {
				j.advance(ctx, st.cell)
			}
			shadow := *st.cell
			j.lecturer(ctx, runner, &shadow, st)
		}
	}
	j.advance(ctx, nil)
	j.stop(j.student)
}

// lecturer runs a cell of the lecturer in the process of the checks.
func (j *judge) lecturer(ctx context.Context, runner *execute.Runner, c *notebook.Cell, st step) {
	j.values(ctx, st)
	j.setRunning(j.checks, true)
	if c.Count == 0 {
		c.Count = 1 // a cell without a counterpart in the submission
	}
	text := &textOutput{cell: c, budget: j.outputs}
	j.student.out(text)
	err := runner.Cell(ctx, c, j.opt.CellTimeout)
	j.setRunning(j.checks, false)
	j.stop(j.student)
	text.prepend()
	if err == nil {
		return
	}
	if st.role == tests {
		j.failed[c] = true
	}
	if ctx.Err() == nil {
		j.doubt(c, err)
	}
	var e *evaluator.Error
	if errors.As(err, &e) && e.Name == lost {
		j.note("the process of the checks ended in cell [%d] (%s)", c.Count, e.Value)
	} else if st.role != tests {
		j.note("cell [%d] of the lecturer fails: %s: %v", c.Count, errorName(err), err)
	}
}

// doubt stores the first error that the submission may not have caused.
func (j *judge) doubt(c *notebook.Cell, err error) {
	if j.res.Doubt == "" {
		j.res.Doubt = fmt.Sprintf("cell %s: %s: %s", c.ID, errorName(err), errorText(err))
	}
}

func errorName(err error) string {
	var e *evaluator.Error
	if errors.As(err, &e) {
		return e.Name
	}
	return "error"
}

// standIns declares stand-ins for the functions of an answer in the process of the checks.
func (j *judge) standIns(ctx context.Context, st step) {
	for _, f := range st.funcs {
		if !j.plan.students[f.name] {
			continue
		}
		j.offer(f.name)
		if err := j.tell(ctx, j.checks, farFunc(f.name, f.typ)); err != nil {
			j.note("%s cannot be passed between the processes: its type is %s (%v)", f.name, f.typ, err)
			continue
		}
		j.stands[f.name] = true
	}
	n := declarations(parseCell(st.cell.Source))
	for _, name := range slices.Concat(n.vars, n.set) {
		if j.plan.students[name] {
			j.offer(name)
		}
	}
}

func (j *judge) offer(name string) {
	if !slices.Contains(j.known, name) {
		j.known = append(j.known, name)
	}
}

const farImport = "import ǃhomework \"github.com/gokernel/gokernel/display/homework\"\n"

func farFunc(name, typ string) string {
	return fmt.Sprintf("%s := ǃhomework.Far(%q, (%s)(nil)).(%s)", name, name, typ, typ)
}

func farValue(name, typ string) string {
	if typ == "" {
		return fmt.Sprintf("%s := ǃhomework.FarValue(%q, nil)", name, name)
	}
	return fmt.Sprintf("%s := *ǃhomework.FarValue(%q, (*%s)(nil)).(*%s)", name, name, typ, typ)
}

// tell runs a cell of the grader in one of the processes.
func (j *judge) tell(ctx context.Context, s *side, code string) error {
	_, err := s.Eval(ctx, evaluator.Cell{Code: farImport + code, Silent: true, Trusted: true}, discard{})
	return err
}

// values copies variables of the submission to the process of the checks, if a cell of the lecturer
// uses them.
func (j *judge) values(ctx context.Context, st step) {
	if st.role == tests { // a released notebook has no solutions that declare them
		for name := range st.names {
			if j.plan.students[name] {
				j.offer(name)
			}
		}
	}
	var wanted []string
	for _, name := range j.known {
		if st.names[name] && !j.stands[name] && !slices.Contains(j.checks.given, name) {
			wanted = append(wanted, name)
		}
	}
	if len(wanted) == 0 {
		return
	}
	if err := j.serve(ctx, j.student, j.offered()); err != nil {
		return // checks report that the name is not defined
	}
	for _, name := range wanted {
		a, ok := j.student.ready[name]
		if !ok || a.Missing {
			continue
		}
		typ, err := far.GoText(a.Type, j.plan.types)
		if err != nil {
			typ = ""
		}
		code := farValue(name, typ)
		if a.Func && typ != "" {
			code = farFunc(name, typ)
		}
		j.setRunning(j.checks, true)
		if err = j.tell(ctx, j.checks, code); err != nil && typ != "" {
			err = j.tell(ctx, j.checks, farValue(name, ""))
		}
		j.setRunning(j.checks, false)
		if err != nil {
			j.note("%v", err)
		}
	}
}

// offered returns the names of the submission that the checks may request.
func (j *judge) offered() []string {
	return slices.DeleteFunc(slices.Clone(j.known), func(name string) bool { return slices.Contains(j.checks.given, name) })
}

// In the process of the submission, replaced declares stand-ins for the functions that Given
// replaces.
func (j *judge) replaced(ctx context.Context, st step) {
	for _, g := range st.given {
		if j.failed[st.cell] {
			return
		}
		if !slices.Contains(j.checks.given, g.name) {
			j.checks.given = append(j.checks.given, g.name)
		}
		if !j.handsOver(g) {
			if err := j.tell(ctx, j.checks, fmt.Sprintf("ǃhomework.Offer(%s)", g.name)); err != nil {
				j.note("Given(%s, ...) does not reach the submission: %v", g.name, err)
				continue
			}
		}
		code := farFunc(g.name, g.typ)
		if j.handsOver(g) {
			code = g.name + " := " + g.text
		}
		if g.typ == "" {
			if err := j.serve(ctx, j.checks, []string{g.name}); err != nil {
				j.note("Given(%s, ...) does not reach the submission: %v", g.name, err)
				continue
			}
			a := j.checks.ready[g.name]
			typ, err := far.GoText(a.Type, j.plan.types)
			if err != nil {
				j.note("Given(%s, ...) does not reach the submission: it cannot be passed between the processes: %s", g.name, a.Text)
				continue
			}
			if code = farFunc(g.name, typ); !a.Func {
				code = farValue(g.name, typ)
			}
		}
		if !j.handsOver(g) {
			code = farImport + code
		}
		cell := evaluator.Cell{Code: code, Silent: true, Trusted: true}
		if err := j.inStudent(ctx, cell, discard{}); err == nil {
			j.replay = append(j.replay, cell)
		} else {
			j.note("Given(%s, ...) does not reach the submission: %v", g.name, err)
		}
	}
	j.stop(j.checks)
}

// handsOver reports whether the process of the submission may get a reference itself, so that later
// answers are not slowed down. This is safe, because the task has been scored by then. A reference
// that uses declarations of hidden checks stays in the process of the checks.
func (j *judge) handsOver(g givenName) bool {
	if g.text == "" {
		return false
	}
	for name := range g.uses {
		if j.plan.hidden[name] {
			return false
		}
	}
	return true
}

// trusted evaluates cells as cells of the lecturer.
type trusted struct{ ev execute.Evaluator }

func (t *trusted) Eval(ctx context.Context, cell evaluator.Cell, out evaluator.Output) (evaluator.Result, error) {
	cell.Trusted = true
	return t.ev.Eval(ctx, cell, out)
}

func (j *judge) setRunning(s *side, on bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	s.running = on
}
