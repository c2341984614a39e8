package homework

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/gokernel/gokernel/internal/far"
)

// outcome is the result of one call.
type outcome struct {
	call, got, want string
	problem         string // replaces got and want
	failure         string // the kind of the problem, without test data
	ok              bool
}

// Run runs the check the first time it is called. See [Item].
func (t *Task) Run(in Session) error {
	if t.ran || t.err != nil {
		return t.err
	}
	if err := t.complete(); err != nil {
		return err
	}
	t.ran = true
	if t.missing != "" {
		t.done = []outcome{{call: t.name, problem: t.missing, failure: "no such function"}}
		return nil
	}
	if used := t.forbidden(in); used != "" {
		t.done = []outcome{{call: t.name, problem: used, failure: "a forbidden name"}}
		return nil
	}
	for i, c := range t.calls {
		o, err := t.make(in, c)
		if err != nil {
			t.ran, t.done = false, nil
			return err
		}
		t.done = append(t.done, o)
		if o.problem != "" && !t.partial {
			if left := len(t.calls) - i - 1; left > 0 {
				t.done[i].problem += fmt.Sprintf(" (%s not made)", plural(left, "more call"))
			}
			break // the next calls would fail too, and may take a long time
		}
	}
	return nil
}

// complete returns an error if a check has no expected result.
func (t *Task) complete() error {
	if len(t.calls) == 0 {
		return fmt.Errorf("check of %s: it must make a call", t.name)
	}
	for _, c := range t.calls {
		if !c.is && !c.like.IsValid() && len(c.that) == 0 {
			return fmt.Errorf("check of %s: it must state what is right; end it with .Is(value), .Like(reference) or .That(words, condition)", t.name)
		}
	}
	return nil
}

// forbidden returns a sentence about forbidden names that the function uses, or "".
func (t *Task) forbidden(in Session) string {
	if len(t.without) == 0 {
		return ""
	}
	used := map[string]bool(nil)
	if t.remote != nil {
		used = t.remote.uses()
	} else {
		used = in.Uses(t.name)
	}
	if used == nil {
		return fmt.Sprintf("the code of %s cannot be inspected: declare it with func %s(...)", t.name, t.name)
	}
	var found []string
	for _, name := range t.without {
		if !used[name] {
			continue
		}
		// For a package, list the names that are used and not allowed.
		var of []string
		for u := range used {
			if strings.HasPrefix(u, name+".") && !strings.Contains(u[len(name)+1:], ".") {
				of = append(of, u)
			}
		}
		if len(of) == 0 {
			found = append(found, name)
		}
		for _, u := range of {
			if !slices.Contains(t.except, u) {
				found = append(found, u)
			}
		}
	}
	found = unique(found)
	if len(found) == 0 {
		return ""
	}
	return fmt.Sprintf("%s uses %s, which this task forbids", t.name, strings.Join(found, " and "))
}

// make calls the function once and compares the results.
func (t *Task) make(in Session, c *call) (o outcome, err error) {
	o.call = t.name + "(" + list(c.args) + ")"
	got, args, before, why, err := t.call(in, c)
	if why != "" || err != nil {
		o.problem, o.failure = why, failureOf(strings.TrimPrefix(why, t.name+" "))
		return o, err
	}
	if len(got) > 0 && len(got) == t.wanted(c)+1 && isError(got[len(got)-1].Type()) {
		if e := got[len(got)-1]; !e.IsNil() {
			o.problem, o.failure = fmt.Sprintf("%s returns the error %q", t.name, e.Interface()), "an error"
			return o, nil
		}
		got = got[:len(got)-1]
	}
	o.got = texts(got)
	if !t.mayChange {
		for i := range args {
			if args[i].IsValid() && differs(args[i], before[i], 0) != "" {
				o.failure = "a changed argument"
				o.problem = fmt.Sprintf("%s changes its argument %d: %s", t.name, i+1, changed(before[i], args[i]))
				return o, nil
			}
		}
	}
	if why, err := t.properties(in, c, got); why != "" || err != nil {
		o.problem, o.failure = why, "a wrong result"
		return o, err
	}
	want, failed := reflected(c.want), ""
	if c.like.IsValid() {
		fresh, why := arguments("the reference", c.like.Type(), c.args)
		if why != "" {
			return o, fmt.Errorf("check of %s: %s", t.name, why)
		}
		for i, a := range fresh {
			fresh[i] = copyOf(a)
		}
		if want, failed, err = t.invoke(in, c.like, fresh); err != nil {
			return o, err
		}
		if failed != "" {
			return o, fmt.Errorf("check of %s: the reference %s", t.name, failed)
		}
		if n := len(want); n == len(got)+1 && isError(want[n-1].Type()) {
			want = want[:n-1]
		}
	} else if !c.is {
		o.ok = true
		return o, nil
	}
	return t.compare(o, got, want), nil
}

// failureOf returns the kind of the problem of a call from a sentence without its subject.
func failureOf(problem string) string {
	switch {
	case strings.HasPrefix(problem, "panics"):
		return "a panic"
	case strings.HasPrefix(problem, "takes longer"):
		return "too slow"
	case strings.HasPrefix(problem, "takes ("), strings.HasPrefix(problem, "returns "):
		return "a wrong type"
	}
	return "no result"
}

// call calls the function. It returns the results, and the arguments after and before the call. A
// problem is a sentence that describes what went wrong.
func (t *Task) call(in Session, c *call) (got, args, before []reflect.Value, problem string, err error) {
	if t.remote != nil {
		if why := t.results(c); why != "" {
			return nil, nil, nil, why, nil
		}
		got, after, problem, err := t.invokeRemote(in, c)
		before = reflected(c.args)
		args = make([]reflect.Value, len(before)) // invalid if unchanged
		for i, v := range after {
			args[i] = v
		}
		return got, args, before, problem, err
	}
	args, why := arguments(t.name, t.fn.Type(), c.args)
	if why == "" {
		why = t.results(c)
	}
	if why != "" {
		return nil, nil, nil, why, nil
	}
	before = make([]reflect.Value, len(args))
	for i, a := range args {
		args[i], before[i] = copyOf(a), copyOf(a)
	}
	got, failed, err := t.invoke(in, t.fn, args)
	if failed != "" || err != nil {
		return nil, nil, nil, t.name + " " + failed, err
	}
	return got, args, before, "", nil
}

// compare completes the outcome of a call.
func (t *Task) compare(o outcome, got, want []reflect.Value) outcome {
	o.want = texts(want)
	if len(got) != len(want) {
		o.problem, o.failure = fmt.Sprintf("%s returns %s, expected %d", t.name, plural(len(got), "value"), len(want)), "a wrong type"
		return o
	}
	for i := range got {
		if diff := differs(got[i], want[i], t.tolerance); diff != "" {
			o.problem, o.failure = fmt.Sprintf("%s is %s, expected %s", o.call, o.got, o.want), "a wrong result"
			if diff != whole {
				o.problem += "; " + diff
			}
			return o
		}
	}
	o.ok = true
	return o
}

// wanted returns the number of results to compare.
func (t *Task) wanted(c *call) int {
	switch {
	case c.is:
		return len(c.want)
	case c.like.IsValid():
		n := c.like.Type().NumOut()
		if n > 0 && isError(c.like.Type().Out(n-1)) {
			n--
		}
		return n
	}
	return c.that[0].ok.Type().NumIn()
}

// results returns a problem if the function has the wrong number of results.
func (t *Task) results(c *call) string {
	var (
		have, want = 0, t.wanted(c)
		failing    bool // whether the last result is an error
	)
	if t.remote != nil {
		have, failing = t.remote.Out, t.remote.Err
	} else {
		have = t.fn.Type().NumOut()
		failing = have > 0 && isError(t.fn.Type().Out(have-1))
	}
	if have == want || have == want+1 && failing {
		return ""
	}
	return fmt.Sprintf("%s returns %s, but the task wants %d", t.name, plural(have, "value"), want)
}

// properties returns the first property that the results do not have.
func (t *Task) properties(in Session, c *call, got []reflect.Value) (why string, err error) {
	for _, p := range c.that {
		args, why := arguments("the condition", p.ok.Type(), interfaces(got))
		if why != "" {
			return "", fmt.Errorf("check of %s, %q: %s", t.name, p.what, why)
		}
		for i, a := range args {
			args[i] = copyOf(a)
		}
		out, failed, err := t.invoke(in, p.ok, args)
		if err != nil {
			return "", err
		}
		if failed != "" {
			return fmt.Sprintf("%s: the check whether %s %s", texts(got), p.what, failed), nil
		}
		if !out[0].Bool() {
			return fmt.Sprintf("%s(%s) is %s; expected: %s", t.name, list(c.args), texts(got), p.what), nil
		}
	}
	return "", nil
}

// invoke calls a function through the session.
func (t *Task) invoke(in Session, fn reflect.Value, args []reflect.Value) (out []reflect.Value, failed string, err error) {
	defer far.Within(t.limit)()
	failed, err = in.Call(t.limit, func() { out = fn.Call(args) })
	if failed == "" && err == nil && len(out) != fn.Type().NumOut() {
		failed = "does not return" // runtime.Goexit
	}
	return out, failed, err
}

var errorType = reflect.TypeFor[error]()

func isError(t reflect.Type) bool { return t == errorType }

// arguments converts values to the parameters of a function, or says in words why they do not
// fit.
func arguments(name string, t reflect.Type, values []any) (args []reflect.Value, why string) {
	n := t.NumIn()
	fits := len(values) == n || t.IsVariadic() && len(values) >= n-1
	for i := 0; fits && i < len(values); i++ {
		param := t.In(min(i, n-1))
		if t.IsVariadic() && i >= n-1 {
			param = param.Elem()
		}
		v, ok := fit(reflect.ValueOf(values[i]), param)
		fits = ok
		args = append(args, v)
	}
	if fits {
		return args, ""
	}
	have := make([]string, n)
	for i := range have {
		have[i] = typeName(t.In(i))
	}
	want := make([]string, len(values))
	for i, v := range values {
		want[i] = typeName(reflect.TypeOf(v))
	}
	return nil, fmt.Sprintf("%s takes (%s), but the task calls it with (%s)", name, strings.Join(have, ", "), strings.Join(want, ", "))
}

func typeName(t reflect.Type) string {
	if t == nil {
		return "nil"
	}
	return strings.ReplaceAll(t.String(), "main.", "")
}

// fit converts v to type t if Go would convert a constant with this value.
func fit(v reflect.Value, t reflect.Type) (reflect.Value, bool) {
	if !v.IsValid() {
		switch t.Kind() {
		case reflect.Pointer, reflect.Slice, reflect.Map, reflect.Func, reflect.Chan, reflect.Interface:
			return reflect.Zero(t), true
		}
		return v, false
	}
	if v.Type().AssignableTo(t) {
		if v.Type() != t {
			w := reflect.New(t).Elem()
			w.Set(v)
			return w, true
		}
		return v, true
	}
	number := func(k reflect.Kind) bool { return k >= reflect.Int && k <= reflect.Float64 && k != reflect.Uintptr }
	switch {
	case number(v.Kind()) && number(t.Kind()):
		if v.CanFloat() && !reflect.Zero(t).CanFloat() {
			return v, false
		}
		w := v.Convert(t)
		if back := w.Convert(v.Type()); !back.Equal(v) {
			return v, false
		}
		return w, true
	case v.Kind() == t.Kind() && v.Type().ConvertibleTo(t):
		return v.Convert(t), true
	}
	return v, false
}

// alone runs checks without a session, in a program.
type alone struct{}

func (alone) Call(limit time.Duration, f func()) (failed string, stopped error) {
	end := make(chan string, 1)
	go func() {
		how := "does not return"
		defer func() {
			if r := recover(); r != nil {
				how = fmt.Sprintf("panics: %v", r)
			}
			end <- how
		}()
		f()
		how = ""
	}()
	select {
	case how := <-end:
		return how, nil
	case <-time.After(limit):
		return TooLong(limit), nil
	}
}

func (alone) Uses(string) map[string]bool { return nil }

func (alone) Done() <-chan struct{} { return nil }

// TooLong returns the sentence that reports a call that has reached its time limit.
func TooLong(limit time.Duration) string { return fmt.Sprintf("takes longer than %v", limit) }
