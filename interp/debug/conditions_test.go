package debug

import (
	"context"
	"fmt"
	"go/types"
	"reflect"
	"testing"

	"github.com/google/go-dap"

	"github.com/gokernel/gokernel/interp/engine"
)

// counting is a host that counts the compiled and the released expressions.
type counting struct {
	Host
	Stopper
	compiled, closed int
}

type counted struct{ *counting }

func (h *counting) Compile(string, []engine.Local) (Expression, error) {
	h.compiled++
	return counted{h}, nil
}

// Value returns whether the first variable is above 2.
func (counted) Value(_ context.Context, locals []engine.Local) (reflect.Value, error) {
	return reflect.ValueOf(locals[0].Value.Int() > 2), nil
}

func (c counted) Close() { c.closed++ }

// A condition is compiled once for the variables of a function. It is compiled again after a cell
// has run, which may have declared the names in the condition.
func TestConditionsAreCompiledOnce(t *testing.T) {
	h := &counting{}
	d := New(h)
	b := d.breakpoints([]dap.SourceBreakpoint{{Line: 1, Condition: "i > 2"}})[0]
	in := func(name string, v int) bool {
		return b.when(engine.StackFrame{Locals: []engine.Local{{Name: name, Type: types.Typ[types.Int], Value: reflect.ValueOf(v)}}})
	}
	for i := range 100 {
		if in("i", i) != (i > 2) || in("j", i) != (i > 2) {
			t.Fatalf("with %d", i)
		}
	}
	if h.compiled != 2 || h.closed != 0 {
		t.Errorf("%d were compiled and %d given back, want 2 and none", h.compiled, h.closed)
	}
	for k := range 2 * maxForms {
		in(fmt.Sprint("v", k), 1)
	}
	if left := h.compiled - h.closed; left != maxForms {
		t.Errorf("%d are kept, want %d", left, maxForms)
	}
	b.forget()
	if h.compiled != h.closed {
		t.Errorf("%d were compiled, %d given back", h.compiled, h.closed)
	}
}

func TestHitCounts(t *testing.T) {
	for condition, want := range map[string]string{"3": "3", "== 2": "2", ">= 5": "56", "> 5": "6", "< 3": "12", "<= 2": "12", "% 3": "36", "%0": "", "often": "", "": ""} {
		got := ""
		for n := 1; n <= 6; n++ {
			if hit, err := oftenEnough(condition, n); err == nil && hit {
				got += fmt.Sprint(n)
			}
		}
		if got != want {
			t.Errorf("%q stops at %s, want %s", condition, got, want)
		}
	}
}
