// Package execute runs the cells of a notebook in order, and stores their outputs in the notebook.
package execute

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gokernel/gokernel/cmd/gokernel/internal/notebook"
	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/kernel/evaluator"
)

// Evaluator runs cells; *worker.Client implements it.
type Evaluator interface {
	Eval(ctx context.Context, cell evaluator.Cell, out evaluator.Output) (evaluator.Result, error)
}

// Options configures how a notebook is run.
type Options struct {
	// Timeout is the time limit of each cell; 0 means no limit.
	Timeout time.Duration
	// If AllowErrors is true, the run continues after a cell that fails.
	AllowErrors bool
	// Begin and End are called when a cell starts and ends, with the index of the cell in Cells;
	// either may be nil.
	Begin func(index int, c *notebook.Cell)
	End   func(index int, c *notebook.Cell, took time.Duration, err error)
	// If Frames is true, the controls of each Interact are moved after all cells have run, and the
	// outputs are stored for pages. Each call of a function has the time limit Timeout. Moved is
	// called for each Interact that was moved, with the number of frames; it may be nil.
	Frames bool
	Moved  func(index int, c *notebook.Cell, frames int, took time.Duration)
}

// Result is the result of a run.
type Result struct {
	Cells  int // code cells that were run
	Failed int // number of cells that failed unexpectedly
}

// textLimit is the maximum length of one cell's text in a notebook. Frontends can't open files with
// much more text.
const textLimit = 16 << 20

// Cells returns the cells of a notebook with code to run.
func Cells(nb *notebook.Notebook) []*notebook.Cell {
	var code []*notebook.Cell
	for _, c := range nb.Cells {
		if c.Type == notebook.Code && strings.TrimSpace(c.Source) != "" {
			code = append(code, c)
		}
	}
	return code
}

// Notebook runs the code cells of nb in order and replaces their outputs. Cells that are not
// reached have no outputs. If the context ended the run, Notebook returns the error of the context.
// The Result counts failed cells, and the notebook contains their errors.
func Notebook(ctx context.Context, nb *notebook.Notebook, ev Evaluator, opt Options) (res Result, err error) {
	for _, c := range nb.Cells {
		c.Outputs, c.Count = nil, 0
	}
	rec := &recorder{displays: make(map[string][]*notebook.Output)}
	defer rec.finish()
	if err := nb.SetFrames(nil); err != nil {
		return res, err
	}
	// The state of widgets is stored even if the run is interrupted.
	defer func() { err = errors.Join(err, rec.keepWidgets(nb)) }()
	for i, c := range Cells(nb) {
		if err := ctx.Err(); err != nil {
			return res, err
		}
		res.Cells++
		c.Count = res.Cells
		if opt.Begin != nil {
			opt.Begin(i, c)
		}
		start := time.Now()
		err := rec.run(ctx, ev, c, opt.Timeout)
		if opt.End != nil {
			opt.End(i, c, time.Since(start), err)
		}
		if err != nil && !c.Tagged("raises-exception") {
			res.Failed++
			if !opt.AllowErrors {
				return res, ctx.Err()
			}
		}
	}
	if err := ctx.Err(); err != nil || !opt.Frames {
		return res, err
	}
	return res, rec.frames(ctx, nb, ev, opt)
}

// Runner runs selected cells, one at a time.
type Runner struct {
	rec *recorder
	ev  Evaluator
}

// NewRunner returns a runner of cells in ev.
func NewRunner(ev Evaluator) *Runner {
	return &Runner{rec: &recorder{displays: make(map[string][]*notebook.Output)}, ev: ev}
}

// Cell runs c, whose Count the caller has set, and replaces its outputs. The timeout limits the run
// unless it is 0.
func (r *Runner) Cell(ctx context.Context, c *notebook.Cell, timeout time.Duration) error {
	c.Outputs = nil
	return r.rec.run(ctx, r.ev, c, timeout)
}

// Close discards later output.
func (r *Runner) Close() { r.rec.finish() }

// recorder converts what cells show to outputs of the notebook.
type recorder struct {
	mu       sync.Mutex
	displays map[string][]*notebook.Output // by display_id
	widgets  widgets
	done     bool // the notebook must not change any more
}

func (r *recorder) keepWidgets(nb *notebook.Notebook) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.widgets.keep(nb)
}

// finish discards later output.
func (r *recorder) finish() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.done = true
}

func (r *recorder) run(ctx context.Context, ev Evaluator, c *notebook.Cell, timeout time.Duration) error {
	cellCtx := ctx
	if timeout > 0 {
		var cancel context.CancelFunc
		cellCtx, cancel = context.WithTimeout(ctx, timeout)
		defer cancel()
	}
	out := &cellOutput{rec: r, cell: c}
	res, err := ev.Eval(cellCtx, evaluator.Cell{Code: c.Source, Number: c.Count}, out)
	if err == nil && res.Value != nil {
		err = out.value(*res.Value)
	}
	if err == nil {
		return nil
	}
	var ce *evaluator.Error
	if !errors.As(err, &ce) {
		ce = &evaluator.Error{Name: "error", Value: err.Error(), Traceback: []string{err.Error()}}
	}
	if ctx.Err() == nil && cellCtx.Err() != nil {
		why := fmt.Sprintf("the cell took longer than %v", timeout)
		ce = &evaluator.Error{Name: "timeout", Value: why, Traceback: append([]string{"timeout: " + why}, ce.Traceback...)}
	}
	out.add(&notebook.Output{Type: notebook.Error, ErrorName: ce.Name, ErrorValue: ce.Value, Traceback: ce.Traceback})
	return ce
}

// cellOutput receives the output of one cell.
type cellOutput struct {
	rec     *recorder
	cell    *notebook.Cell
	size    int  // bytes of text so far
	pending bool // the next output replaces the others
	stream  *notebook.Output
	buf     strings.Builder // the text of stream
}

func (o *cellOutput) Stdout(text string) { o.text("stdout", text) }
func (o *cellOutput) Stderr(text string) { o.text("stderr", text) }

func (o *cellOutput) text(name, text string) {
	o.rec.mu.Lock()
	defer o.rec.mu.Unlock()
	if o.rec.done || o.size > textLimit {
		return
	}
	if o.size += len(text); o.size > textLimit {
		text = fmt.Sprintf("\n[the rest of the output is left out: it is more than %d MB]\n", textLimit>>20)
	}
	o.clearLocked()
	if n := len(o.cell.Outputs); n == 0 || o.cell.Outputs[n-1] != o.stream || o.stream.Name != name {
		o.stream = &notebook.Output{Type: notebook.Stream, Name: name}
		o.buf = strings.Builder{}
		o.cell.Outputs = append(o.cell.Outputs, o.stream)
	}
	o.buf.WriteString(text)
	o.stream.Text = o.buf.String()
}

func (o *cellOutput) clearLocked() {
	if o.pending {
		o.pending = false
		o.cell.Outputs = nil
	}
}

func (o *cellOutput) add(out *notebook.Output) {
	o.rec.mu.Lock()
	defer o.rec.mu.Unlock()
	if o.rec.done {
		return
	}
	o.clearLocked()
	o.cell.Outputs = append(o.cell.Outputs, out)
}

func (o *cellOutput) show(out *notebook.Output, b display.Bundle) {
	o.add(out)
	if id := displayID(b); id != "" {
		o.rec.mu.Lock()
		defer o.rec.mu.Unlock()
		o.rec.displays[id] = append(o.rec.displays[id], out)
	}
}

// value shows the value of the cell.
func (o *cellOutput) value(b display.Bundle) error {
	out, err := o.convert(b)
	if err != nil {
		return err
	}
	out.Type, out.Count = notebook.ExecuteResult, o.cell.Count
	o.show(out, b)
	return nil
}

func (o *cellOutput) Display(b display.Bundle) error {
	out, err := o.convert(b)
	if err != nil {
		return err
	}
	o.show(out, b)
	return nil
}

func (o *cellOutput) Update(b display.Bundle) error {
	id := displayID(b)
	if id == "" {
		return errors.New("display: an update must have the display_id of an output")
	}
	fresh, err := o.convert(b)
	if err != nil {
		return err
	}
	o.rec.mu.Lock()
	defer o.rec.mu.Unlock()
	if o.rec.done {
		return nil
	}
	if len(b.Data) == 0 {
		shown := o.rec.displays[id]
		o.cell.Outputs = slices.DeleteFunc(o.cell.Outputs, func(out *notebook.Output) bool { return slices.Contains(shown, out) })
		delete(o.rec.displays, id)
		return nil
	}
	for _, out := range o.rec.displays[id] {
		out.Data, out.Metadata = fresh.Data, fresh.Metadata
	}
	return nil
}

func (o *cellOutput) Clear(wait bool) error {
	o.rec.mu.Lock()
	defer o.rec.mu.Unlock()
	if o.rec.done {
		return nil
	}
	if o.pending = wait; !wait {
		o.cell.Outputs = nil
	}
	return nil
}

// Page adds to the outputs what a frontend would show in its pager.
func (o *cellOutput) Page(b display.Bundle) error { return o.Display(b) }

// SetNextInput does nothing, because nobody can run a proposed cell.
func (o *cellOutput) SetNextInput(string, bool) error { return nil }

func (o *cellOutput) Input(context.Context, string, bool) (string, error) {
	return "", errors.New("this cell asks for input, but no user is connected: run the notebook in JupyterLab")
}

func displayID(b display.Bundle) string {
	id, _ := b.Transient["display_id"].(string)
	return id
}

// convert returns a bundle in the form of the notebook, with the notebook's own names of widgets.
func (o *cellOutput) convert(b display.Bundle) (*notebook.Output, error) {
	out, err := convert(b)
	if err != nil {
		return nil, err
	}
	o.rec.mu.Lock()
	defer o.rec.mu.Unlock()
	return out, o.rec.widgets.name(out)
}

// convert returns a bundle in the form of a notebook, with bytes in base64.
func convert(b display.Bundle) (*notebook.Output, error) {
	out := &notebook.Output{Type: notebook.DisplayData, Data: make(map[string]any), Metadata: b.Metadata}
	for mime, v := range b.Data {
		switch v := v.(type) {
		case string:
			out.Data[mime] = v
		case []byte:
			out.Data[mime] = base64.StdEncoding.EncodeToString(v)
		default:
			if !notebook.IsJSON(mime) {
				return nil, fmt.Errorf("display: %s must be a string or bytes, got %T", mime, v)
			}
			raw, err := json.Marshal(v)
			if err != nil {
				return nil, fmt.Errorf("display: %s: %w", mime, err)
			}
			// Decode it again, because the keys of a notebook are sorted.
			var val any
			d := json.NewDecoder(strings.NewReader(string(raw)))
			d.UseNumber()
			if err := d.Decode(&val); err != nil {
				return nil, fmt.Errorf("display: %s: %w", mime, err)
			}
			out.Data[mime] = val
		}
	}
	return out, nil
}

// Language returns an error if the language of the notebook is not Go.
func Language(nb *notebook.Notebook) error {
	if l := nb.Language(); !slices.Contains([]string{"", "go", "golang"}, l) {
		return fmt.Errorf("the notebook is in %s, and gokernel runs Go: if its cells are Go, choose the kernel Go (gokernel) for it in JupyterLab and save it", l)
	}
	return nil
}
