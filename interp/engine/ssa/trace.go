//go:build (linux || darwin) && (amd64 || arm64)

package ssa

import (
	"fmt"
	"go/token"
	"go/types"
	"reflect"
	"runtime"
	"sort"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/gokernel/gokernel/interp/engine"
)

// traceMost bounds the frames of a stack trace.
const traceMost = 64

// traced is a call on a stack: the code, and the number of the op in it.
type traced struct {
	code  *code
	pc    int32
	depth int32
	next  *block // that it was told to stop before; nil if it was not
}

// trace gives the stack of the thread, innermost first.
func (th *thread) trace() []traced {
	var all []traced
	floor := max(th.depth-traceMost, 0)
	th.alive(floor, func(fp frame) {
		h := head(fp)
		if h.depth > th.depth {
			return
		}
		t := traced{code: h.stack.code, pc: h.pc, depth: h.depth}
		if h.depth == th.depth {
			t.next = th.next
		}
		if t.pc > 0 || t.next != nil {
			all = append(all, t)
		}
	})
	sort.Slice(all, func(i, j int) bool { return all[i].depth > all[j].depth })
	return all
}

// innermost names the function of the innermost call.
func (th *thread) innermost() string {
	for _, t := range th.traceAll() {
		return funcName(t.code.fn.ssa)
	}
	return ""
}

// traceAll is trace with the call that has not begun.
func (th *thread) traceAll() []traced {
	var all []traced
	th.alive(th.depth-1, func(fp frame) {
		all = append(all, traced{code: head(fp).stack.code, pc: head(fp).pc, depth: head(fp).depth})
	})
	return all
}

// frames makes a trace readable. Wrappers that the compiler made are left out.
func frames(ts []traced) []engine.Frame {
	var fs []engine.Frame
	for _, t := range ts {
		if t.code.wrapper {
			continue
		}
		for _, call := range t.calls() {
			f := engine.Frame{Func: funcName(call.fn)}
			if fset := t.code.fn.e.fsetOf(call.fn); fset != nil && call.pos.IsValid() {
				f.Pos = fset.Position(call.pos)
			}
			fs = append(fs, f)
		}
	}
	return fs
}

// funcName names a function as its source does.
func funcName(fn *ssa.Function) string {
	if p := fn.Parent(); p != nil {
		if fn.Synthetic != "" { // the body of a range-over-func loop
			return funcName(p)
		}
		return "func literal in " + strings.TrimPrefix(funcName(p), "func literal in ")
	}
	if recv := fn.Signature.Recv(); recv != nil {
		t := types.TypeString(recv.Type(), func(*types.Package) string { return "" })
		if strings.HasPrefix(t, "*") {
			t = "(" + t + ")"
		}
		return t + "." + fn.Name()
	}
	return fn.Name()
}

// panicError describes the panic with the value r that has reached the root of
// a goroutine.
func (th *thread) panicError(r any) *engine.Panic {
	p := th.current(r)
	e := &engine.Panic{Value: r, Text: panicText(p), Stack: frames(p.trace)}
	switch r := r.(type) {
	case *overflow:
		e.Overflow, e.Depth, e.Stack = r.function, r.depth, frames(r.trace)
	case fatalError:
		e.Fatal = true
	}
	return e
}

// panicText writes a panic as the runtime does, behind "panic: ".
func panicText(p *panicking) string {
	if p.goexit {
		return "runtime.Goexit called"
	}
	text := ""
	if e := p.earlier; e != nil {
		text = panicText(e)
		if e.recovered && sameValue(e.value, p.value) {
			return strings.TrimSuffix(text, " [recovered]") + " [recovered, repanicked]"
		}
		text += "\n\tpanic: "
	}
	text += valueText(p.value)
	if p.recovered {
		text += " [recovered]"
	}
	return text
}

// sameValue compares two panic values; those that cannot be compared differ.
func sameValue(a, b any) bool {
	return reflect.ValueOf(a).Comparable() && reflect.ValueOf(b).Comparable() && a == b
}

func valueText(v any) string {
	switch v := v.(type) {
	case nil:
		return "nil"
	case error:
		return v.Error()
	case fmt.Stringer:
		return v.String()
	case string:
		return v
	}
	rv := reflect.ValueOf(v)
	t := rv.Type()
	basic := string(engine.AppendPrinted(nil, addressable(rv)))
	switch rv.Kind() {
	case reflect.String:
		return fmt.Sprintf("%s(%q)", t, rv.String())
	case reflect.Bool, reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr,
		reflect.Float32, reflect.Float64, reflect.Complex64, reflect.Complex128:
		if t.PkgPath() == "" {
			return basic
		}
		return fmt.Sprintf("%s(%s)", t, basic)
	}
	return fmt.Sprintf("(%s) %#x", t, wordOf(v))
}

func addressable(v reflect.Value) reflect.Value {
	p := reflect.New(v.Type()).Elem()
	p.Set(v)
	return p
}

var _ runtime.Error = plainError("")

// lineOf gives the line of a position in the function being compiled.
func (c *compiler) lineOf(pos token.Pos) int {
	fset := c.e.fsetOf(c.ssa)
	if fset == nil {
		return 0
	}
	f := fset.File(pos)
	if f == nil {
		return 0
	}
	return f.Line(pos)
}
