// Package homework checks the solutions of students and counts the points:
//
//	Check(score, w, 0.5, x).Is(1.5).Points(2).Hint("w·x + b, with b = 0.5")
//
// Pass the function and its arguments separately. The check explains wrong types in words, calls
// the function with a time limit, and catches failures: a panic, an endless loop, an exit of the
// program, or changed arguments. Then it compares the result with the expected result; numbers are
// equal up to a relative difference of 1e-9. The value of a cell that ends in checks is a number of
// points for graders and a table for readers.
//
// If a function does not exist in the notebook, its check fails, but the cell does not fail.
package homework

import (
	"fmt"
	"reflect"
	"slices"
	"time"
)

// Session is the notebook in which checks run.
type Session interface {
	// Call runs f until it returns or the time limit is over. If f fails, failed is a sentence
	// without a subject: "panics: ...", "takes longer than 2s". stopped is an error of the session,
	// such as an interrupt; after such an error, no more checks run.
	Call(limit time.Duration, f func()) (failed string, stopped error)
	// Uses returns the names and keywords that a function of the notebook uses, itself or through
	// the notebook's functions that it calls: "ml.Dot", "sort", "for". Uses returns nil if the
	// source is not known.
	Uses(function string) map[string]bool
	// Done is closed when the checks are stopped.
	Done() <-chan struct{}
}

// Item is a check that a cell can contain: a [Task], [Text] or [Plot], or a [Sheet] of them.
type Item interface {
	// Run runs the checks that have not run yet. It returns an error if the session fails or if a
	// check itself is wrong.
	Run(in Session) error
	cards() []*card
}

// card is the common part of all checks: their points and their outcome.
type card struct {
	name    string
	points  float64
	hint    string
	hidden  bool
	kind    string // what the check tests
	partial bool
	err     error // a mistake of the author of the check
	ran     bool
	done    []outcome
}

func (c *card) cards() []*card { return []*card{c} }

func (c *card) wrong(format string, args ...any) {
	if c.err == nil {
		c.err = fmt.Errorf("check of %s: "+format, append([]any{c.name}, args...)...)
	}
}

func (c *card) worth(p float64) {
	if !(p >= 0) {
		c.wrong("the points must not be negative, got %v", p)
	}
	c.points = p
}

// Sheet is a list of checks whose points are added.
type Sheet struct{ list []Item }

func (s *Sheet) cards() (all []*card) {
	for _, it := range s.list {
		all = append(all, it.cards()...)
	}
	return all
}

// Checks combines several checks in one value: their points are added, and one table shows them. If
// a check forbids a function from using a name (see [Task.Without]), the rule applies to all checks
// of that function.
func Checks(items ...Item) *Sheet {
	s := &Sheet{}
	forbidden, allowed := map[string][]string{}, map[string][]string{}
	for _, it := range items {
		if it != nil && !reflect.ValueOf(it).IsNil() {
			s.list = append(s.list, it)
		}
		if t, ok := it.(*Task); ok && t != nil {
			forbidden[t.name] = append(forbidden[t.name], t.without...)
			allowed[t.name] = append(allowed[t.name], t.except...)
		}
	}
	for _, it := range s.list {
		if t, ok := it.(*Task); ok {
			t.without, t.except = unique(forbidden[t.name]), unique(allowed[t.name])
		}
	}
	return s
}

func unique(names []string) []string {
	return slices.Compact(slices.Sorted(slices.Values(names)))
}

// Run runs the checks that have not run yet. See [Item].
func (s *Sheet) Run(in Session) error {
	for _, it := range s.list {
		if err := it.Run(in); err != nil {
			return err
		}
	}
	return nil
}

// Task is the check of a function: one or more calls that share their points. Its methods return
// the task, so that they can be chained.
type Task struct {
	card
	fn        reflect.Value
	remote    *remote // set if the function is in another process
	missing   string  // why there is no function
	calls     []*call
	mayChange bool
	limit     time.Duration
	tolerance float64
	without   []string
	except    []string // names that are allowed from a forbidden package
}

// call is one call of the function and its expected result.
type call struct {
	args []any
	want []any
	is   bool
	like reflect.Value
	that []property
}

// property is a condition on the results.
type property struct {
	what string
	ok   reflect.Value
}

// Function is a function, or another value to check, with its name in the notebook.
type Function struct {
	name    string
	value   any
	missing bool
}

// Named returns a function with its name. The cell language inserts this call around the first
// argument of Check.
func Named(name string, f any) Function { return Function{name: name, value: f} }

// Missing returns the value for a function that does not exist in the notebook.
func Missing(name string) Function { return Function{name: name, missing: true} }

func (f Function) lacks() string {
	return f.name + " is not defined: the cell that should define it is missing, was not run, or has an error"
}

// DefaultLimit is the time limit of one call.
const DefaultLimit = 10 * time.Second

// DefaultTolerance is the maximum relative difference at which two numbers count as equal.
const DefaultTolerance = 1e-9

// Check returns a task that checks a function; args are the arguments of the first call. Set the
// expected result with [Task.Is], [Task.Like] or [Task.That]; add calls with [Task.Call].
func Check(f any, args ...any) *Task {
	t := &Task{card: card{points: 1}, limit: DefaultLimit, tolerance: DefaultTolerance}
	switch f := f.(type) {
	case Function:
		t.name = f.name
		if f.missing {
			t.missing = f.lacks()
			break
		}
		t.fn = reflect.ValueOf(f.value)
		if t.remote, t.err = asked(f); t.err != nil {
			t.missing = t.err.Error()
		}
		if t.remote != nil {
			t.foreign()
			t.calls = []*call{{args: copies(args)}}
			return t
		}
	default:
		t.name, t.fn = "the function", reflect.ValueOf(f)
	}
	if t.missing == "" && (t.fn.Kind() != reflect.Func || t.fn.IsNil()) {
		t.missing = t.name + " is not a function"
		if t.fn.IsValid() {
			t.missing += ", it is a " + t.fn.Type().String()
		}
		t.fn = reflect.Value{}
	}
	t.calls = []*call{{args: copies(args)}}
	return t
}

// foreign checks a function of another process before it is called.
func (t *Task) foreign() {
	switch r := t.remote; {
	case r.Missing:
		t.missing = Missing(t.name).lacks()
	case !r.Func:
		t.missing = t.name + " is not a function"
		if r.Text != "" {
			t.missing += ", it is a " + r.Text
		}
	}
}

func (t *Task) last() *call {
	if len(t.calls) == 0 {
		t.wrong("it must make a call first")
		return &call{}
	}
	return t.calls[len(t.calls)-1]
}

// Call adds a call of the same function with other arguments.
func (t *Task) Call(args ...any) *Task {
	t.calls = append(t.calls, &call{args: copies(args)})
	return t
}

// Is sets the expected results of the last call. Numbers, also in slices, maps, structs and
// matrices, can differ by the tolerance; NaN equals NaN. You can omit a last result of type
// error; it must then be nil.
func (t *Task) Is(want ...any) *Task {
	c := t.last()
	c.want, c.is = copies(want), true
	return t
}

// Like sets the expected results of all calls so far to the results of the reference for the same
// arguments.
func (t *Task) Like(reference any) *Task {
	if f, ok := reference.(Function); ok {
		reference = f.value
	}
	ref := reflect.ValueOf(reference)
	if ref.Kind() != reflect.Func || ref.IsNil() {
		t.wrong("Like must get a function, got %T", reference)
		return t
	}
	for _, c := range t.calls {
		if !c.is && len(c.that) == 0 {
			c.like = ref
		}
	}
	return t
}

// On adds n calls like the last call, with other data. It resamples the rows of the longest slice
// or matrix with replacement, together with slices and matrices of the same length. If no argument
// is a slice or a matrix, it changes floating-point numbers at random. The same n leads to the same
// data each time.
func (t *Task) On(n int) *Task {
	from := t.last()
	if !from.like.IsValid() {
		t.wrong("On must come after Like, which computes the expected results for other data")
		return t
	}
	for seed := 1; seed <= n; seed++ {
		t.calls = append(t.calls, &call{args: resample(from.args, uint64(seed)), like: from.like})
	}
	return t
}

// For adds n calls with the arguments that make returns for the seeds 1, 2, ..., n. The results of
// these calls are compared with the results of the reference; you can call Like before or after
// For.
func (t *Task) For(n int, make func(seed uint64) []any) *Task {
	var like reflect.Value
	if len(t.calls) > 0 {
		like = t.last().like
	}
	if len(t.calls) == 1 && len(t.calls[0].args) == 0 && !t.calls[0].is && len(t.calls[0].that) == 0 {
		t.calls = nil // Check(f) without arguments was not a call
	}
	for seed := 1; seed <= n; seed++ {
		t.calls = append(t.calls, &call{args: make(uint64(seed)), like: like})
	}
	return t
}

// That checks a property of the results of the last call. ok is a function that takes the results
// and returns a bool, and what describes the property, such as "the rows sum to 1".
func (t *Task) That(what string, ok any) *Task {
	f := reflect.ValueOf(ok)
	if f.Kind() != reflect.Func || f.IsNil() || f.Type().NumOut() != 1 || f.Type().Out(0).Kind() != reflect.Bool {
		t.wrong("That must get a function that returns a bool, got %T", ok)
		return t
	}
	c := t.last()
	c.that = append(c.that, property{what, f})
	return t
}

// Points sets the points of the task; the default is 1.
func (t *Task) Points(p float64) *Task { t.worth(p); return t }

// Partial counts each call separately: if half of the calls are right, the task earns half of the
// points. By default, all calls must be right.
func (t *Task) Partial() *Task { t.partial = true; return t }

// Hint sets a text that is shown if the check fails.
func (t *Task) Hint(h string) *Task { t.hint = h; return t }

// Kind names what the check tests, such as "ties" or "no rows". If the check is hidden and fails,
// students learn its kind, unless the grader is set to withhold it.
func (t *Task) Kind(what string) *Task { t.kind = what; return t }

// Hidden hides calls and results: the table shows only the number of failed checks, the kind of the
// failure, such as a panic, and the hint.
func (t *Task) Hidden() *Task { t.hidden = true; return t }

// Within sets the time limit of each call; the default is [DefaultLimit].
func (t *Task) Within(limit time.Duration) *Task {
	if limit <= 0 {
		t.wrong("the time limit must be positive, got %v", limit)
		return t
	}
	t.limit = limit
	return t
}

// Tolerance sets the maximum relative difference at which numbers are equal. For numbers below 1 it
// is the absolute difference.
func (t *Task) Tolerance(rel float64) *Task {
	if !(rel >= 0) {
		t.wrong("the tolerance must not be negative, got %v", rel)
		return t
	}
	t.tolerance = rel
	return t
}

// MayChange allows the function to change its arguments, as a function that sorts a slice does.
func (t *Task) MayChange() *Task { t.mayChange = true; return t }

// Without forbids names and keywords in the source of the function and of the notebook's functions
// that it calls: Without("ml.Dot", "for"). The name of a package forbids the whole package:
// Without("ml"). Functions replaced by Given are not checked.
func (t *Task) Without(names ...string) *Task {
	t.without = append(t.without, names...)
	return t
}

// ByHand forbids package ml except for its arithmetic (ml.Dot, ml.Norm, ml.Hadamard and
// ml.Sigmoid). It also forbids the names that you pass, as Without does.
func (t *Task) ByHand(names ...string) *Task {
	t.except = append(t.except, "ml.Dot", "ml.Norm", "ml.Hadamard", "ml.Sigmoid")
	return t.Without("ml").Without(names...)
}
