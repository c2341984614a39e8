package machine

import (
	"go/token"
	"reflect"
	"slices"
	"sort"
	"unsafe"

	"github.com/gokernel/gokernel/interp/engine"
	"github.com/gokernel/gokernel/interp/engine/ssa/layout"
	"golang.org/x/tools/go/ssa"
)

// thread returns the thread with an id, or nil if there is none.
func (m *Machine) thread(id int) *Thread {
	for _, th := range m.threads() {
		if int(th.id.Load()) == id {
			return th
		}
	}
	return nil
}

// Goroutines returns the threads of cells, in the order in which they began.
func (d *Debugging) Goroutines() []engine.Goroutine {
	var all []engine.Goroutine
	for _, th := range d.m.threads() {
		if th.Run.quiet || th.Run.outside() {
			continue
		}
		g := engine.Goroutine{ID: int(th.id.Load()), Cell: th.Run.Number, First: th.Run.main.Load() == th, Stopped: th.parked.Load()}
		th.inspect(func() {
			if frames := Frames(th.Trace()); len(frames) > 0 {
				g.Func = frames[len(frames)-1].Func
			}
		})
		all = append(all, g)
	}
	sort.Slice(all, func(i, j int) bool { return all[i].ID < all[j].ID })
	return all
}

// Stack returns the calls of a thread that has stopped or waits, innermost first.
func (d *Debugging) Stack(id int) []engine.StackFrame {
	th := d.m.thread(id)
	if th == nil {
		return nil
	}
	var all []engine.StackFrame
	th.inspect(func() { all = th.stack(traceMost) })
	return all
}

// stack returns at most the given number of calls of a thread that does not run, innermost first.
func (th *Thread) stack(most int32) []engine.StackFrame {
	var frames []layout.Frame
	th.alive(max(th.Depth-most, 0), func(fp layout.Frame) {
		if h := Head(fp); h.depth <= th.Depth && h.PC > 0 {
			frames = append(frames, fp)
		}
	})
	sort.Slice(frames, func(i, j int) bool { return Head(frames[i]).depth > Head(frames[j]).depth })
	var all []engine.StackFrame
	for _, fp := range frames {
		h := Head(fp)
		code := h.stack.Code
		if code.Wrapper {
			continue
		}
		for _, call := range (Traced{code: code, pc: h.PC, depth: h.depth}).placed(told) {
			f := engine.StackFrame{Frame: engine.Frame{Func: FuncName(call.Fn)}, Package: packageOf(call.Fn)}
			if fset := th.Run.M.FsetOf(call.Fn); fset != nil && call.Pos.IsValid() {
				f.Pos = fset.Position(call.Pos)
			}
			if s := code.siteOf(fp); s != nil {
				f.Scope = s.Scope
				if len(all) > 0 { // it is in a call: the statement is the relevant position
					f.Pos = code.Debug.Fset.Position(s.Pos)
				}
				f.Locals = code.locals(fp, s)
			}
			all = append(all, f)
		}
	}
	return all
}

// statement returns the depth, the line and the scope of a thread's current statement.
func (th *Thread) statement() (depth int32, line int, scope token.Pos) {
	th.alive(th.Depth-1, func(fp layout.Frame) {
		h := Head(fp)
		if h.depth != th.Depth {
			return
		}
		if s := h.stack.Code.siteOf(fp); s != nil {
			line, scope = h.stack.Code.Debug.Fset.Position(s.Pos).Line, s.Scope
		}
	})
	return th.Depth, line, scope
}

// locals returns the variables that are in scope at a site, innermost last.
func (c *Code) locals(fp layout.Frame, s *Site) []engine.Local {
	var in []LocalVar
	for _, v := range c.Debug.Locals {
		if scope := v.Var.Parent(); scope != nil && scope.Contains(s.Scope) && v.Var.Pos() < s.Scope {
			in = append(in, v)
		}
	}
	slices.SortStableFunc(in, func(a, b LocalVar) int {
		if x, y := a.Var.Parent(), b.Var.Parent(); x != y {
			return int(x.Pos()) - int(y.Pos())
		}
		return int(a.Var.Pos()) - int(b.Var.Pos())
	})
	var all []engine.Local
	for i, v := range in {
		if slices.ContainsFunc(in[i+1:], func(w LocalVar) bool { return w.Var.Name() == v.Var.Name() }) {
			continue // another variable of the same name shadows it
		}
		p := unsafe.Add(fp, v.Off)
		if v.Pointer {
			if p = *(*unsafe.Pointer)(p); p == nil {
				continue
			}
		}
		all = append(all, engine.Local{
			Name: v.Var.Name(), Type: v.Type, Value: reflect.NewAt(v.Place.Reflect(), p).Elem(), Captured: v.Captured,
		})
	}
	return all
}

// recovers reports whether a pending deferred call recovers panics.
func (th *Thread) recovers() bool {
	found := false
	th.alive(0, func(fp layout.Frame) {
		for d := Head(fp).Defers; d != nil; d = d.Next {
			found = found || d.Recovers || d.Passes || d.Code != nil && callsRecover(d.Code.Fn.SSA)
		}
	})
	return found
}

// callsRecover reports whether a function calls recover itself.
func callsRecover(fn *ssa.Function) bool {
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			if call, ok := in.(*ssa.Call); ok {
				if bi, ok := call.Call.Value.(*ssa.Builtin); ok && bi.Name() == "recover" {
					return true
				}
			}
		}
	}
	return false
}
