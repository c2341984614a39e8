// Package homework checks what students write and counts the points:
//
//	Check(score, w, 0.5, x).Is(1.5).Points(2).Hint("w·x + b, with b = 0.5")
//
// The function and its arguments are passed apart. The check compares their types in
// words, calls the function within a limit of time, catches what it does wrong (a
// panic, an endless loop, the end of the program, arguments that it changes), and
// compares what comes back with what is expected, numbers up to a relative
// difference of 1e-9. The value of a cell that ends in checks is a number of points,
// which graders read, and a table for people.
//
// A function that the notebook lacks is a failed check and no error of the cell.
package homework

import (
	"fmt"
	"reflect"
	"slices"
	"time"
)

// Session is what checks need of the notebook in which they run.
type Session interface {
	// Call runs f to its end or for limit at most, and gives what went wrong as a
	// sentence without a subject: "panics: ...", "takes longer than 2s". The second
	// error is that of the session, such as an interrupt: then nothing more is run.
	Call(limit time.Duration, f func()) (failed string, stopped error)
	// Uses returns the names and keywords in the text of a function of the notebook, and
	// in those of the notebook's functions that it calls: "ml.Dot", "sort", "for". It
	// gives nil when the text is not known.
	Uses(function string) map[string]bool
	// Done is closed when the checks are stopped.
	Done() <-chan struct{}
}

// Item is what a cell can check: a [Task], [Text] or [Plot], or a [Sheet] of them.
type Item interface {
	// Run makes the checks that have not been made. The error is that of the session, or
	// says what is wrong with a check itself.
	Run(in Session) error
	cards() []*card
}

// card is what every kind of check has: what it is worth, and what came of it.
type card struct {
	name    string
	points  float64
	hint    string
	hidden  bool
	partial bool
	err     error // of the one who wrote the check
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
		c.wrong("it cannot be worth %v points", p)
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

// Checks puts several checks into one value: their points are added, and one table
// shows them. What one of them forbids a function to use (see [Task.Without]), all of them
// forbid that function.
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

// Run makes the checks that have not been made, see [Item].
func (s *Sheet) Run(in Session) error {
	for _, it := range s.list {
		if err := it.Run(in); err != nil {
			return err
		}
	}
	return nil
}

// Task is the check of a function: one or several calls that are worth points together.
// Its methods give it back, so that they can be chained.
type Task struct {
	card
	fn        reflect.Value
	remote    *remote // the function, where it is that of another process
	missing   string  // why there is no function
	calls     []*call
	mayChange bool
	limit     time.Duration
	tolerance float64
	without   []string
	except    []string // of a package that without forbids
}

// call is one call of the function and what is expected of it.
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

// Function is a function, or another value that is checked, with the name that the
// notebook has for it.
type Function struct {
	name    string
	value   any
	missing bool
}

// Named returns a function its name. The cell language writes it around the first
// argument of Check.
func Named(name string, f any) Function { return Function{name: name, value: f} }

// Missing stands for a function that the notebook does not have.
func Missing(name string) Function { return Function{name: name, missing: true} }

func (f Function) lacks() string {
	return f.name + " is not defined: the cell that should define it is missing, was not run, or has an error"
}

// DefaultLimit is how long one call may take.
const DefaultLimit = 10 * time.Second

// DefaultTolerance is the relative difference up to which numbers are equal.
const DefaultTolerance = 1e-9

// Check begins the check of a function with a call of it. What is expected is said by
// [Task.Is], [Task.Like] or [Task.That]; [Task.Call] adds a call.
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

// foreign finds out what is wrong with a function of another process before it is called.
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
		t.wrong("it has no call yet")
		return &call{}
	}
	return t.calls[len(t.calls)-1]
}

// Call adds a call of the same function with other arguments.
func (t *Task) Call(args ...any) *Task {
	t.calls = append(t.calls, &call{args: copies(args)})
	return t
}

// Is says what the last call gives. Numbers, and numbers in slices, maps, structs and
// matrices, may differ by the tolerance; NaN equals NaN. A last result of type error
// need not be named: it must be nil then.
func (t *Task) Is(want ...any) *Task {
	c := t.last()
	c.want, c.is = copies(want), true
	return t
}

// Like says that the calls so far give what the reference gives for the same arguments.
func (t *Task) Like(reference any) *Task {
	if f, ok := reference.(Function); ok {
		reference = f.value
	}
	ref := reflect.ValueOf(reference)
	if ref.Kind() != reflect.Func || ref.IsNil() {
		t.wrong("Like takes a function, not %T", reference)
		return t
	}
	for _, c := range t.calls {
		if !c.is && len(c.that) == 0 {
			c.like = ref
		}
	}
	return t
}

// On adds n calls like the last one, with other data: the rows of its longest slice or
// matrix are drawn again with replacement, and slices and matrices of the same length
// with it; without any, its floating-point numbers are changed at random. The same
// n gives the same data each time.
func (t *Task) On(n int) *Task {
	from := t.last()
	if !from.like.IsValid() {
		t.wrong("On stands behind Like, which tells what is right for other data")
		return t
	}
	for seed := 1; seed <= n; seed++ {
		t.calls = append(t.calls, &call{args: resample(from.args, uint64(seed)), like: from.like})
	}
	return t
}

// For adds n calls with the arguments that make gives for the seeds 1, 2 ... n; what
// they give is compared with the reference of Like, which stands before or behind.
func (t *Task) For(n int, make func(seed uint64) []any) *Task {
	var like reflect.Value
	if len(t.calls) > 0 {
		like = t.last().like
	}
	if len(t.calls) == 1 && len(t.calls[0].args) == 0 && !t.calls[0].is && len(t.calls[0].that) == 0 {
		t.calls = nil // Check(f) alone was no call
	}
	for seed := 1; seed <= n; seed++ {
		t.calls = append(t.calls, &call{args: make(uint64(seed)), like: like})
	}
	return t
}

// That says a property of the results of the last call: ok is a function that takes
// them and gives a bool, and what says it in words, as "the rows sum to 1".
func (t *Task) That(what string, ok any) *Task {
	f := reflect.ValueOf(ok)
	if f.Kind() != reflect.Func || f.IsNil() || f.Type().NumOut() != 1 || f.Type().Out(0).Kind() != reflect.Bool {
		t.wrong("That takes a function that gives a bool, not %T", ok)
		return t
	}
	c := t.last()
	c.that = append(c.that, property{what, f})
	return t
}

// Points says what the task is worth; without it, 1.
func (t *Task) Points(p float64) *Task { t.worth(p); return t }

// Partial counts each call for itself: half of the calls right give half of the points.
// Otherwise all calls must be right.
func (t *Task) Partial() *Task { t.partial = true; return t }

// Hint is shown when the check fails.
func (t *Task) Hint(h string) *Task { t.hint = h; return t }

// Hidden keeps calls and results to itself: the table says how many checks failed, and
// the hint.
func (t *Task) Hidden() *Task { t.hidden = true; return t }

// Within limits the time of each call; without it, [DefaultLimit].
func (t *Task) Within(limit time.Duration) *Task {
	if limit <= 0 {
		t.wrong("a limit of %v leaves no time", limit)
		return t
	}
	t.limit = limit
	return t
}

// Tolerance sets the relative difference up to which numbers are equal; of numbers below
// 1 it is the absolute one.
func (t *Task) Tolerance(rel float64) *Task {
	if !(rel >= 0) {
		t.wrong("a tolerance of %v is none", rel)
		return t
	}
	t.tolerance = rel
	return t
}

// MayChange allows the function to change its arguments, as one that sorts a slice does.
func (t *Task) MayChange() *Task { t.mayChange = true; return t }

// Without forbids names and keywords in the text of the function and of the notebook's
// functions that it calls: Without("ml.Dot", "for"). The name of a package forbids all of it:
// Without("ml"). Functions that Given has replaced are not looked at.
func (t *Task) Without(names ...string) *Task {
	t.without = append(t.without, names...)
	return t
}

// ByHand forbids the library, package ml, but for its arithmetic: ml.Dot, ml.Norm, ml.Hadamard and
// ml.Sigmoid; and with it what Without would forbid.
func (t *Task) ByHand(names ...string) *Task {
	t.except = append(t.except, "ml.Dot", "ml.Norm", "ml.Hadamard", "ml.Sigmoid")
	return t.Without("ml").Without(names...)
}
