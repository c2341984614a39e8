package machine

import (
	"errors"
	"go/ast"
	"go/token"
	"reflect"
	"slices"
	"sort"
	"strings"
	"time"

	"golang.org/x/tools/go/ssa"

	"github.com/gokernel/gokernel/interp/engine"
	"github.com/gokernel/gokernel/interp/engine/ssa/goroutine"
)

// How long a stopped cell may take. Code that does not answer within
// answerTime is blocked in a compiled function, or the machine is busy, for which
// it has busyTime; then it is left behind. Deferred functions may run for graceTime.
const (
	answerTime = 50 * time.Millisecond
	busyTime   = 500 * time.Millisecond
	graceTime  = 100 * time.Millisecond
)

// end stops the run and gives it the time to end. It gives the calls in which the
// first goroutine was; nil when they are not known.
func (r *Run) end(finished <-chan error) []engine.Frame {
	r.stop(false)
	select {
	case err := <-finished:
		return stackOf(err)
	case <-r.answered:
	case <-time.After(answerTime):
		if stack := r.leftIn(); stack != nil {
			return stack
		}
	}
	select {
	case err := <-finished:
		return stackOf(err)
	case <-r.answered:
	case <-time.After(busyTime):
		return r.leftIn()
	}
	select {
	case err := <-finished:
		return stackOf(err)
	case <-time.After(graceTime):
	}
	r.stop(true)
	select {
	case err := <-finished:
		return stackOf(err)
	case <-time.After(answerTime):
		return r.leftIn()
	}
}

// stackOf returns the calls in which a goroutine was that has ended.
func stackOf(err error) []engine.Frame {
	var (
		stopped *engine.Stopped
		p       *engine.Panic
	)
	switch {
	case errors.As(err, &stopped):
		return stopped.Stack
	case errors.As(err, &p): // a compiled function has told that it was stopped
		return p.Stack
	}
	return nil
}

// leftIn returns the calls in which the first goroutine of a stopped run is, which
// does not answer. It waits, or it is in a compiled function: when that returns,
// the goroutine waits for the lock of the run, so that its frames stay as they are.
func (r *Run) leftIn() []engine.Frame {
	th := r.main.Load()
	if th == nil {
		return nil
	}
	var stack []engine.Frame
	if th.inspect(func() { stack = Frames(th.Trace()) }) {
		return stack
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.M.firstsAreCompiled() {
		return nil
	}
	all := th.peek()
	sort.Slice(all, func(i, j int) bool { return all[i].depth > all[j].depth })
	for _, t := range all {
		t.code.ready() // long since: what it has written can be seen now
	}
	return Frames(all)
}

// peek is trace, in no order, for a goroutine that is in a compiled function. The
// race detector does not know that its frames were written before: nothing but the
// profile that was taken meanwhile says so.
//
//go:norace
func (th *Thread) peek() []Traced {
	var all []Traced
	for _, e := range th.entries() {
		if e.stack == nil {
			continue
		}
		for i := e.stack.n - 1; i >= 0; i-- {
			h := Head(e.stack.frames[i])
			if h.depth <= th.Depth-traceMost {
				break
			}
			if h.PC > 0 && h.depth <= th.Depth {
				all = append(all, Traced{code: e.stack.Code, pc: h.PC, depth: h.depth})
			}
		}
	}
	return all
}

// yield waits while somebody looks at the frames of the run's goroutines.
func (r *Run) yield() {
	r.mu.Lock()
	defer r.mu.Unlock()
}

// firstsAreCompiled reports whether the first goroutines of all runs are in compiled
// functions: those of runs that were stopped before can be nowhere else.
func (m *Machine) firstsAreCompiled() bool {
	all, ok := goroutine.Stacks(labelKey, m.label)
	found := 0
	for _, g := range all {
		if slices.Contains(g.Functions, rooms+"machine.(*Run).first") {
			found += g.N
			if !inCompiled(g.Functions) {
				return false
			}
		}
	}
	return ok && found > 0 && found == int(m.firsts.Load())
}

// rooms is how the names of the engine's functions begin.
var rooms = strings.TrimSuffix(reflect.TypeFor[Machine]().PkgPath(), "machine")

// inCompiled reports whether a goroutine with these functions on its stack, innermost
// first, is in a compiled function that interpreted code has called: all such
// calls are made by package outcall.
func inCompiled(functions []string) bool {
	for _, fn := range functions {
		fn, ok := strings.CutPrefix(fn, rooms)
		switch {
		case !ok:
		case strings.HasPrefix(fn, "outcall."):
			return true
		case fn == "machine.Loop", fn == "machine.sampledLoop", strings.HasPrefix(fn, "machine.(*Code)."), fn == "machine.(*Thread).accept":
			return false
		}
	}
	return false
}

// stoppedIn is calls for a call that was told to stop before a block.
func (t Traced) stoppedIn() []Call {
	own := Call{t.code.SSA, t.code.SSA.Pos(), t.depth}
	if t.pc > 0 {
		next := t.next
		t.next = nil
		calls := t.calls()
		own, t.next = calls[len(calls)-1], next
	}
	b := t.next.SSA
	fn := b.Parent()
	at := Call{fn, known(placeIn(b, own.Pos), fn), t.depth}
	if fn == own.Fn {
		return []Call{at}
	}
	return []Call{at, own} // of an inlined body
}

// placeIn returns the first place in a block, or in the one that it leads to. Empty
// loops have no code with a place: for these it is that of the first one of their
// kind behind the place after, or of the first in the function.
func placeIn(b *ssa.BasicBlock, after token.Pos) token.Pos {
	fn := b.Parent()
	conditional := false
	for seen := map[*ssa.BasicBlock]bool{}; !seen[b]; b = b.Succs[0] {
		seen[b] = true
		for _, in := range b.Instrs {
			switch in := in.(type) {
			case *ssa.If:
				conditional = true
			case *ssa.Phi: // its place is that of the variable
				continue
			case *ssa.Alloc: // that of variadic arguments is where they end
				if in.Comment == "varargs" {
					continue
				}
			}
			if pos := PlaceOf(in); pos.IsValid() {
				return pos
			}
		}
		if len(b.Succs) == 0 {
			break
		}
	}
	first, next := token.NoPos, token.NoPos
	if fn.Syntax() == nil {
		return first
	}
	ast.Inspect(fn.Syntax(), func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return n == fn.Syntax()
		case *ast.ForStmt:
			if len(n.Body.List) > 0 || (n.Cond != nil) != conditional {
				break
			}
			if !first.IsValid() {
				first = n.Pos()
			}
			if !next.IsValid() && n.Pos() > after {
				next = n.Pos()
			}
		}
		return true
	})
	if next.IsValid() {
		return next
	}
	return first
}
