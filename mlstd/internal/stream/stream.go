// Package stream runs the steps of lazy frames over data that need not fit into memory. Rows flow
// in batches, which are frames. Sources read batches in parallel, and steps that need all rows,
// such as groups and sorting, write to a temporary file what exceeds their memory.
//
// The result does not depend on the number of goroutines: batches are numbered, and each step takes
// them in order.
package stream

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"slices"
	"sync"

	"github.com/gokernel/gokernel/mlstd/frame"
	"github.com/gokernel/gokernel/mlstd/frame/lazy"
	"github.com/gokernel/gokernel/mlstd/internal/raw"
	"github.com/gokernel/gokernel/mlstd/model"
)

// Source has rows that can be read in parts.
type Source interface {
	// Empty returns the columns, without rows.
	Empty() *frame.Frame
	// Tasks calls yield with the tasks that read the named columns of all rows, in order. It leaves
	// out parts in which no row passes all tests, and stops when yield returns an error. Tasks
	// count what they could not read, by keys of the source; count can be called from any
	// goroutine.
	Tasks(columns []string, tests []Test, count func(key string, n int), yield func(Task) error) error
	// Notes returns notes about the source, and about what a run has counted.
	Notes(counts map[string]int) []string
	// Size returns the number of bytes that the tasks read.
	Size(columns []string, tests []Test) int64
	// Describe describes the parts that Tasks reads.
	Describe(columns []string, tests []Test) string
}

// Task reads some rows of a source. Bytes is the size of what it reads.
type Task struct {
	Bytes int64
	Read  func() (*frame.Frame, error)
}

// Test is a condition of the form "column operator value", where the operator is <, <=, >, >= or =,
// and the value is an int64, float64, string, bool or time.Time.
type Test struct {
	Column, Op string
	Value      any
}

// task is a batch that any goroutine can compute.
type task func() (*frame.Frame, error)

// flow makes the batches of a step.
type flow struct {
	empty *frame.Frame // the columns, without rows
	tasks func(yield func(task) error) error
}

// then returns the flow with a function applied to each batch.
func (f *flow) then(do func(*frame.Frame) (*frame.Frame, error)) (*flow, error) {
	empty, err := safely(f.empty, do)
	if err != nil {
		return nil, err
	}
	return &flow{empty, func(yield func(task) error) error {
		return f.tasks(func(t task) error {
			return yield(func() (*frame.Frame, error) {
				b, err := t()
				if err != nil {
					return nil, err
				}
				if b, err = do(b); err != nil {
					return nil, err
				}
				return b, alike(b, empty)
			})
		})
	}}, nil
}

// alike returns an error unless a batch has the columns of the step.
func alike(b, empty *frame.Frame) error {
	for _, like := range empty.Columns() {
		if c := b.Col(like.Name()); c.Kind() != like.Kind() {
			return model.Errorf("Scan", "column %q must have the same kind in all rows, got %v and %v", like.Name(), like.Kind(), c.Kind())
		}
	}
	return nil
}

// safely turns panics of the frame's verbs into errors.
func safely(b *frame.Frame, do func(*frame.Frame) (*frame.Frame, error)) (out *frame.Frame, err error) {
	defer rescue(&err)
	return do(b)
}

// panicked is a panic on its way to the goroutine of the caller.
type panicked struct{ value any }

func (p *panicked) Error() string { return fmt.Sprint(p.value) }

// rescue is deferred where panics must become errors.
func rescue(err *error) {
	switch p := recover().(type) {
	case nil:
	case *model.Error:
		*err = p
	default:
		*err = &panicked{p}
	}
}

// ready is a task whose batch is known.
func ready(b *frame.Frame) task { return func() (*frame.Frame, error) { return b, nil } }

// Options are for tests; the zero value chooses what fits the machine.
type Options struct {
	Memory int64 // bytes that steps may hold
	Rows   int   // rows of the batches that steps make
	Spills *int  // counts the blocks written to the temporary file

	lost *lost
}

// lost counts what a run leaves out: missing values of aggregates by column, and what the sources
// of the plan could not read.
type lost struct {
	mu     sync.Mutex
	names  []string
	counts map[string]int64
	plan   *node
	read   map[*node]map[string]int
}

// counter returns the function that counts for a source.
func (l *lost) counter(p *node) func(key string, n int) {
	return func(key string, n int) {
		if l == nil {
			return
		}
		l.mu.Lock()
		defer l.mu.Unlock()
		if l.read[p] == nil {
			l.read[p] = map[string]int{}
		}
		l.read[p][key] += n
	}
}

// sources adds the notes of the sources of a plan to a list.
func (l *lost) sources(p *node, list []string) []string {
	if n, ok := p.step.(*lazy.Source); ok {
		for _, note := range n.Origin.(Source).Notes(l.read[p]) {
			list = with(list, note)
		}
	}
	for _, in := range p.in {
		list = l.sources(in, list)
	}
	return list
}

func (l *lost) add(b *frame.Frame, aggs []frame.Agg) {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	var seen []string
	for _, a := range aggs {
		p := a.Parts()
		for _, name := range []string{p.Column, p.Second} {
			if name == "" || slices.Contains(seen, name) {
				continue
			}
			seen = append(seen, name)
			if !slices.Contains(l.names, name) {
				l.names = append(l.names, name)
			}
			l.counts[name] += int64(b.Col(name).Missing())
		}
	}
}

// notes are those of the frame's Agg.
func (l *lost) notes() []string {
	var notes []string
	for _, name := range l.names {
		switch n := l.counts[name]; n {
		case 0:
		case 1:
			notes = append(notes, "1 missing value of "+name+" left out")
		default:
			notes = append(notes, fmt.Sprintf("%d missing values of %s left out", n, name))
		}
	}
	slices.Sort(notes)
	return notes
}

// exec is one run of a plan.
type exec struct {
	control *model.Run
	ctx     context.Context
	memory  int64
	rows    int
	workers int
	spills  *int
	lost    *lost
	mu      sync.Mutex
	file    *spillFile
	done    int64 // bytes read
	sized   int64 // bytes to be read
	shown   int64
}

const (
	// leastMemory is what steps may hold at least, even if other variables fill the memory.
	leastMemory = 32 << 20
	// usualLimit is the memory limit if the process has none.
	usualLimit = 2 << 30
	batchRows  = 1 << 17
)

// allowed returns the bytes that steps may hold: two fifths of the memory below the limit of the
// process. The kernel sets this limit from its own limit for cells. Batches on their way and
// garbage need the rest.
func allowed() int64 {
	limit := debug.SetMemoryLimit(-1)
	if limit == math.MaxInt64 {
		limit = usualLimit
	}
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	return max(leastMemory, (limit-int64(min(sample[0].Value.Uint64(), math.MaxInt64)))*2/5)
}

// shownRows is the maximum number of rows that yield gets at a time. Between calls of yield, which
// can be slow because it compresses, a run can stop.
const shownRows = 1 << 14

// Run calls yield with the rows of a plan, some at a time and in order.
func Run(f *lazy.Frame, o Options, yield func(*frame.Frame) error) error {
	return run(f, o, func(ctx context.Context, b *frame.Frame) error {
		for lo := 0; lo == 0 || lo < b.Len(); lo += shownRows {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			if err := yield(b.Slice(lo, min(lo+shownRows, b.Len()))); err != nil {
				return err
			}
		}
		return nil
	})
}

func run(f *lazy.Frame, o Options, yield func(context.Context, *frame.Frame) error) (err error) {
	defer func() {
		var p *panicked
		if errors.As(err, &p) {
			panic(p.value)
		}
	}()
	e := &exec{memory: o.Memory, rows: o.Rows, workers: runtime.GOMAXPROCS(0), spills: o.Spills, lost: o.lost}
	if e.memory == 0 {
		e.memory = allowed()
	}
	if e.rows == 0 {
		e.rows = batchRows
	}
	p, err := plan(f)
	if err != nil {
		return err
	}
	if o.lost != nil {
		o.lost.plan = p
	}
	e.sized = p.size()
	e.control = (&model.Control{}).Begin("scanning", int(e.sized>>20))
	defer e.control.End()
	var cancel func()
	e.ctx, cancel = context.WithCancel(e.control.Context())
	defer e.close()
	defer cancel()
	out, err := e.build(p)
	if err != nil {
		return err
	}
	any := false
	err = e.ordered(out, func(b *frame.Frame) error {
		if b.Len() == 0 {
			return nil
		}
		any = true
		return yield(e.ctx, b)
	})
	if err == nil && !any {
		err = yield(e.ctx, out.empty)
	}
	return err
}

// read counts bytes, and reports progress from time to time.
func (e *exec) read(bytes int64) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.done += bytes
	if e.sized > 1<<25 && e.done-e.shown > e.sized/200 {
		e.shown = e.done
		e.control.Step(int(e.done>>20), math.NaN())
	}
}

// errEnded is the error of a goroutine that runtime.Goexit has ended, as a stack overflow in a
// function of a cell does.
var errEnded = errors.New("a function passed to the lazy frame has ended its goroutine")

// result is what a goroutine has made of a batch.
type result[T any] struct {
	value T
	err   error
}

// each computes the batches of a flow on several goroutines, applies work to each, and calls
// consume with the results in order. The number of batches on their way is bounded. Goroutines that
// wait for others must return when abort is called, which happens at the end.
func each[T any](e *exec, f *flow, work func(n int, b *frame.Frame) (T, error), consume func(T) error, abort ...func()) error {
	type job struct {
		n   int
		t   task
		out chan result[T]
	}
	ctx, cancel := context.WithCancel(e.ctx)
	jobs := make(chan job)
	order := make(chan chan result[T], e.workers)
	var wait sync.WaitGroup
	defer wait.Wait()
	defer cancel()
	defer func() {
		for _, a := range abort {
			a()
		}
	}()
	made := make(chan error, 1)
	wait.Go(func() {
		defer close(order)
		defer close(jobs)
		n := 0
		err := errEnded
		defer func() { made <- err }()
		err = func() (err error) {
			defer rescue(&err)
			return f.tasks(func(t task) error {
				out := make(chan result[T], 1)
				select {
				case order <- out:
				case <-ctx.Done():
					return context.Cause(ctx)
				}
				select {
				case jobs <- job{n, t, out}:
				case <-ctx.Done():
					return context.Cause(ctx)
				}
				n++
				return nil
			})
		}()
	})
	compute := func(j job) {
		r := result[T]{err: errEnded}
		defer func() { j.out <- r }()
		defer rescue(&r.err)
		if err := ctx.Err(); err != nil {
			r.err = err
			return
		}
		b, err := j.t()
		if err == nil {
			r.value, err = work(j.n, b)
		}
		r.err = err
	}
	for range e.workers {
		wait.Go(func() {
			for j := range jobs {
				compute(j)
			}
		})
	}
	for out := range order {
		var r result[T]
		select {
		case r = <-out:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
		if r.err != nil {
			return r.err
		}
		if ctx.Err() != nil { // select chooses any of several cases
			return context.Cause(ctx)
		}
		if err := consume(r.value); err != nil {
			return err
		}
	}
	return <-made
}

// ordered calls consume with the batches in order.
func (e *exec) ordered(f *flow, consume func(*frame.Frame) error) error {
	return each(e, f, func(_ int, b *frame.Frame) (*frame.Frame, error) { return b, nil }, consume)
}

// limit returns the first n rows.
func (e *exec) limit(in *flow, n int) *flow {
	return &flow{in.empty, func(yield func(task) error) error {
		left := n
		if left == 0 {
			return nil
		}
		enough := errors.New("enough")
		err := e.ordered(in, func(b *frame.Frame) error {
			if b.Len() > left {
				b = b.Head(left)
			}
			left -= b.Len()
			if err := yield(ready(b)); err != nil {
				return err
			}
			if left == 0 {
				return enough
			}
			return nil
		})
		if err == enough {
			return nil
		}
		return err
	}}
}

// pieces calls do with slices of a frame that have at most e.rows rows.
func (e *exec) pieces(b *frame.Frame, do func(*frame.Frame) error) error {
	for lo := 0; lo < b.Len(); lo += e.rows {
		if err := do(b.Slice(lo, min(lo+e.rows, b.Len()))); err != nil {
			return err
		}
	}
	return nil
}

// take returns rows of a frame.
func take(b *frame.Frame, rows []int32) *frame.Frame { return raw.Take(b, rows).(*frame.Frame) }

// bytesOf estimates the memory of a frame.
func bytesOf(b *frame.Frame) int64 {
	sum := int64(0)
	for _, c := range b.Columns() {
		n := int64(c.Len())
		switch c.Kind() {
		case frame.BoolKind:
			sum += n
		case frame.StringKind, frame.CategoryKind:
			v := raw.Of(c)
			if v.Codes == nil {
				sum += 16 * n
				for _, s := range v.Texts {
					sum += int64(len(s))
				}
				continue
			}
			words := int64(len(v.Words))
			some := v.Words[:min(words, 100)]
			width := int64(16)
			for _, s := range some {
				width += int64(len(s) / len(some))
			}
			sum += 4*n + min(words, n)*width
		default:
			sum += 8 * n
		}
		if c.Missing() > 0 {
			sum += n / 8
		}
	}
	return sum
}
