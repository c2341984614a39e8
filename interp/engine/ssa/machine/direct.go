package machine

import (
	"reflect"

	"github.com/gokernel/gokernel/interp/engine/ssa/goroutine"
	"github.com/gokernel/gokernel/interp/engine/ssa/layout"
	"github.com/gokernel/gokernel/interp/engine/ssa/rtype"
)

// interpreted returns the closure behind a func value and the thread of the running goroutine, or
// nil if the closure or the thread does not belong to this engine.
func interpreted(f any) (*rtype.Closure, *Thread) {
	cl := rtype.ClosureOf(layout.FuncWord(reflect.ValueOf(f)))
	l := goroutine.GetLocal()
	if cl == nil || l == nil || threadOf(l).g.Load() != goroutine.ID() {
		return nil, nil
	}
	return cl, threadOf(l)
}

// Direct2 is like Direct1, for functions of two ints such as those that package sort calls.
func (m *Machine) Direct2(f func(i, j int) bool) func(i, j int) bool {
	cl, th := interpreted(f)
	if cl == nil {
		return f
	}
	fn := (*Function)(cl.Func())
	x, y, r := fn.Sig.Params[0].Off, fn.Sig.Params[1].Off, fn.Sig.Results[0].Off
	return func(i, j int) bool {
		code := fn.Code.Load()
		if v, ok := th.callLeaf(code, cl, i, j); ok {
			return v
		}
		s := th.StackOf(code)
		fp := s.Push(th)
		*layout.Ref[int](fp, x), *layout.Ref[int](fp, y) = i, j
		code.SetCaptured(fp, cl.Env())
		code.runCallback(th, fp)
		v := *layout.Ref[bool](fp, r)
		s.Pop(th, fp)
		return v
	}
}

// Direct1 returns a function equivalent to f. Called by compiled code on the running goroutine, it
// enters an interpreted f without decoding registers.
func (m *Machine) Direct1(f func(i int) bool) func(i int) bool {
	cl, th := interpreted(f)
	if cl == nil {
		return f
	}
	fn := (*Function)(cl.Func())
	x, r := fn.Sig.Params[0].Off, fn.Sig.Results[0].Off
	return func(i int) bool {
		code := fn.Code.Load()
		if v, ok := th.callLeaf(code, cl, i, 0); ok {
			return v
		}
		s := th.StackOf(code)
		fp := s.Push(th)
		*layout.Ref[int](fp, x) = i
		code.SetCaptured(fp, cl.Env())
		code.runCallback(th, fp)
		v := *layout.Ref[bool](fp, r)
		s.Pop(th, fp)
		return v
	}
}

// callLeaf calls the form of a function without a frame, if there is one. It returns false, and has
// changed nothing, if the function has to be called in a frame.
func (th *Thread) callLeaf(code *Code, cl *rtype.Closure, x, y int) (v, ok bool) {
	if code.leaf.Load() == 0 || th.context == nil || th.Depth >= th.Bound.Load() || th.Run.M.debugging.Load() != nil {
		return false, false
	}
	n := code.native.Load()
	if n == nil || n.err != nil {
		return false, false
	}
	r, ok := n.Code.CallLeaf(th.context, cl.Env(), uintptr(x), uintptr(y))
	if ok {
		n.runs.Add(1)
	}
	return r&1 != 0, ok
}
