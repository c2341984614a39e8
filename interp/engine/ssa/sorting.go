//go:build (linux || darwin) && (amd64 || arm64)

package ssa

import (
	"reflect"
	"slices"
	"sort"

	"golang.org/x/tools/go/ssa"

	"github.com/gokernel/gokernel/interp/engine/ssa/rtype"
)

// Functions of package sort call their argument a great many times, on the
// goroutine of the caller. They get one that enters the interpreted function
// without taking registers apart.

// sorting gives the overrides of those functions.
func (e *Engine) sorting() map[string]any {
	return map[string]any{
		"sort.Slice": func(x any, less func(i, j int) bool) { sort.Slice(x, e.direct2(less)) },
		"sort.SliceStable": func(x any, less func(i, j int) bool) {
			sort.SliceStable(x, e.direct2(less))
		},
		"sort.SliceIsSorted": func(x any, less func(i, j int) bool) bool {
			return sort.SliceIsSorted(x, e.direct2(less))
		},
		"sort.Search": func(n int, f func(i int) bool) int { return sort.Search(n, e.direct1(f)) },
	}
}

// interpreted gives the closure that a func value is and the thread of the
// running goroutine; nil when either is not of this engine.
func interpreted(f any) (*rtype.Closure, *thread) {
	cl := rtype.ClosureOf(funcWord(reflect.ValueOf(f)))
	l := rtype.GetLocal()
	if cl == nil || l == nil || threadOf(l).g.Load() != rtype.Goroutine() {
		return nil, nil
	}
	return cl, threadOf(l)
}

func (e *Engine) direct2(f func(i, j int) bool) func(i, j int) bool {
	cl, th := interpreted(f)
	if cl == nil {
		return f
	}
	fn := (*function)(cl.Func())
	x, y, r := fn.sig.params[0].off, fn.sig.params[1].off, fn.sig.results[0].off
	return func(i, j int) bool {
		code := fn.code.Load()
		s := th.stackOf(code)
		fp := s.push(th)
		*ref[int](fp, x), *ref[int](fp, y) = i, j
		code.setCaptured(fp, cl.Env())
		code.run(th, fp)
		v := *ref[bool](fp, r)
		s.pop(th, fp)
		return v
	}
}

func (e *Engine) direct1(f func(i int) bool) func(i int) bool {
	cl, th := interpreted(f)
	if cl == nil {
		return f
	}
	fn := (*function)(cl.Func())
	x, r := fn.sig.params[0].off, fn.sig.results[0].off
	return func(i int) bool {
		code := fn.code.Load()
		s := th.stackOf(code)
		fp := s.push(th)
		*ref[int](fp, x) = i
		code.setCaptured(fp, cl.Env())
		code.run(th, fp)
		v := *ref[bool](fp, r)
		s.pop(th, fp)
		return v
	}
}

// sortOp is slices.Sort for elements of a basic type, which need not be
// interpreted; nil for other calls.
func (c *compiler) sortOp(fn *ssa.Function, call *ssa.CallCommon) op {
	o := fn.Origin()
	if o == nil || o.String() != "slices.Sort" {
		return nil
	}
	x := c.slotOf(call.Args[0])
	switch repOf(rtype.TypeOf(x.typ.Reflect().Elem())) {
	case repInt64:
		return sortSlice[int64](x.off)
	case repFloat64:
		return sortSlice[float64](x.off)
	case repString:
		return sortSlice[string](x.off)
	case repInt32:
		return sortSlice[int32](x.off)
	case repUint8:
		return sortSlice[uint8](x.off)
	}
	return nil
}

func sortSlice[T ordered](x uintptr) op {
	return func(fp frame) { slices.Sort(*ref[[]T](fp, x)) }
}
