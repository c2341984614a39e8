package debug

import (
	"context"
	"errors"
	"fmt"
	"go/types"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/google/go-dap"

	"github.com/gokernel/gokernel/interp/engine"
	"github.com/gokernel/gokernel/interp/value"
)

// breakpoint is a breakpoint of a frontend with its expressions.
type breakpoint struct {
	dap.SourceBreakpoint
	id int
	d  *Debugger

	mu    sync.Mutex
	hits  int
	forms map[string][]form // compiled expressions by their text
}

// form is an expression of a breakpoint, compiled for the variables of a function.
type form struct {
	locals []engine.Local
	Expression
}

// maxForms is the maximum number of functions with different variables for which the forms of an
// expression are kept. There can be several forms, because a line of a generic function is in all
// its instances.
const maxForms = 8

// breakpoints numbers the breakpoints of a frontend. The caller holds the lock of stops.
func (d *Debugger) breakpoints(list []dap.SourceBreakpoint) []*breakpoint {
	var set []*breakpoint
	for _, b := range list {
		d.stops.lastID++
		set = append(set, &breakpoint{SourceBreakpoint: b, id: d.stops.lastID, d: d, forms: map[string][]form{}})
	}
	return set
}

// enginePoints converts breakpoints to the engine's type.
func enginePoints(set []*breakpoint) []engine.Breakpoint {
	var points []engine.Breakpoint
	for _, b := range set {
		p := engine.Breakpoint{ID: b.id, Line: b.Line}
		if b.Condition != "" || b.HitCondition != "" || b.LogMessage != "" {
			p.When = b.when
		}
		points = append(points, p)
	}
	return points
}

// when reports whether the breakpoint stops: its condition is true, it was hit often enough, and it
// is not a logpoint.
func (b *breakpoint) when(f engine.StackFrame) bool {
	fail := func(what string, err error) bool {
		b.d.tellBody("output", dap.OutputEventBody{Category: "stderr", Output: fmt.Sprintf("%s of the breakpoint at line %d: %v\n", what, b.Line, err)})
		return true
	}
	if b.Condition != "" {
		v, err := b.value(b.Condition, f.Locals)
		if err == nil && (!v.IsValid() || v.Kind() != reflect.Bool) {
			err = fmt.Errorf("%s is not a condition", b.Condition)
		}
		if err != nil {
			return fail("the condition", err)
		}
		if !v.Bool() {
			return false
		}
	}
	b.mu.Lock()
	b.hits++
	n := b.hits
	b.mu.Unlock()
	if b.HitCondition != "" {
		hit, err := oftenEnough(b.HitCondition, n)
		if err != nil {
			return fail("the hit count", err)
		}
		if !hit {
			return false
		}
	}
	if b.LogMessage == "" {
		return true
	}
	b.d.tellBody("output", dap.OutputEventBody{Category: "console", Output: b.message(f) + "\n"})
	return false
}

// oftenEnough reports whether the hit count satisfies a hit condition, such as "5", ">= 3" or "%
// 10".
func oftenEnough(condition string, n int) (bool, error) {
	rest := strings.TrimSpace(condition)
	op := strings.TrimRight(rest, "0123456789 ")
	k, err := strconv.Atoi(strings.TrimSpace(rest[len(op):]))
	if err != nil || k < 0 || k == 0 && op == "%" {
		return false, fmt.Errorf("%q is not a hit count: write 5, >= 5, > 5, < 5, <= 5 or %% 5", condition)
	}
	switch strings.TrimSpace(op) {
	case "", "=", "==":
		return n == k, nil
	case ">=":
		return n >= k, nil
	case ">":
		return n > k, nil
	case "<=":
		return n <= k, nil
	case "<":
		return n < k, nil
	case "%":
		return n%k == 0, nil
	}
	return false, fmt.Errorf("%q is not a hit count: write 5, >= 5, > 5, < 5, <= 5 or %% 5", condition)
}

// message returns what the breakpoint logs: its text with the values of the expressions in braces.
func (b *breakpoint) message(f engine.StackFrame) string {
	var out strings.Builder
	text := b.LogMessage
	for {
		before, rest, found := strings.Cut(text, "{")
		out.WriteString(before)
		expr, after, closed := strings.Cut(rest, "}")
		if !found || !closed {
			out.WriteString(text[len(before):])
			return out.String()
		}
		if v, err := b.value(expr, f.Locals); err != nil {
			fmt.Fprintf(&out, "{%s: %v}", expr, err)
		} else if v.IsValid() {
			out.WriteString(value.Line(v))
		}
		text = after
	}
}

// value evaluates an expression of the breakpoint. It compiles the expression once for each set of
// variables.
func (b *breakpoint) value(text string, locals []engine.Local) (reflect.Value, error) {
	x, err := b.compiled(text, locals)
	if err != nil {
		return reflect.Value{}, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), evaluateLimit)
	defer cancel()
	return x.Value(ctx, locals)
}

// compiled returns an expression compiled for the variables of a function.
func (b *breakpoint) compiled(text string, locals []engine.Local) (Expression, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, f := range b.forms[text] {
		if slices.EqualFunc(f.locals, locals, alike) {
			return f.Expression, nil
		}
	}
	x, err := b.d.compile(text, locals)
	if err != nil {
		return nil, err
	}
	forms := append(b.forms[text], form{slices.Clone(locals), x})
	if len(forms) > maxForms {
		forms[0].Close()
		forms = forms[1:]
	}
	b.forms[text] = forms
	return x, nil
}

// alike reports whether code compiled for one variable also works for the other.
func alike(a, b engine.Local) bool {
	return a.Name == b.Name && (a.Type == b.Type || types.Identical(a.Type, b.Type))
}

// forget drops the compiled expressions.
func (b *breakpoint) forget() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, forms := range b.forms {
		for _, f := range forms {
			f.Close()
		}
	}
	clear(b.forms)
}

// compile compiles an expression for the variables of a function.
func (d *Debugger) compile(code string, locals []engine.Local) (Expression, error) {
	h, ok := d.host.(Stopper)
	if !ok {
		return nil, errors.New("cells of this session cannot be stopped")
	}
	return h.Compile(code, locals)
}

// evaluateIn evaluates an expression once with the variables of a frame.
func (d *Debugger) evaluateIn(ctx context.Context, code string, locals []engine.Local) (reflect.Value, error) {
	x, err := d.compile(code, locals)
	if err != nil {
		return reflect.Value{}, err
	}
	defer x.Close()
	ctx, cancel := context.WithTimeout(ctx, evaluateLimit)
	defer cancel()
	return x.Value(ctx, locals)
}
