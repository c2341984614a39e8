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

// The limits on the time that a stopped cell takes. Code that does not respond within answerTime is
// blocked in a compiled function, or the machine is busy. Code that is not known to be blocked gets
// busyTime more. Then it is abandoned. Deferred functions may run for graceTime.
const (
	answerTime = 50 * time.Millisecond
	busyTime   = 500 * time.Millisecond
	graceTime  = 100 * time.Millisecond
)

// end stops the run and gives it time to end. It returns the calls that were in progress in the
// first goroutine, or nil if they are not known.
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

// stackOf returns the calls that were in progress when a goroutine ended.
func stackOf(err error) []engine.Frame {
	var (
		stopped *engine.Stopped
		p       *engine.Panic
	)
	switch {
	case errors.As(err, &stopped):
		return stopped.Stack
	case errors.As(err, &p): // a compiled function has reported that it was stopped
		return p.Stack
	}
	return nil
}

// leftIn returns the calls in progress in the first goroutine of a stopped run, if the goroutine
// does not respond. The goroutine waits, or it is in a compiled function. When that function
// returns, the goroutine waits for the lock of the run, so its frames stay as they are.
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
		t.code.ready() // the code is compiled: this makes the writes of the compiler visible
	}
	return Frames(all)
}

// peek is like trace, for a goroutine that is in a compiled function, but returns the calls in no
// particular order. The goroutine profile that was taken in the meantime guarantees that the
// goroutine wrote its frames earlier, but the race detector does not know this.
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

// yield waits while another goroutine reads the frames of the run's goroutines.
func (r *Run) yield() {
	r.mu.Lock()
	defer r.mu.Unlock()
}

// firstsAreCompiled reports whether the first goroutines of all runs are in compiled functions. The
// first goroutines of runs that were stopped before can't be anywhere else.
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

// rooms is the common prefix of the names of the engine's functions.
var rooms = strings.TrimSuffix(reflect.TypeFor[Machine]().PkgPath(), "machine")

// inCompiled reports whether a goroutine is in a compiled function that interpreted code has
// called, given the functions on its stack, innermost first. Package outcall makes all such calls.
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

// stoppedIn is like calls, for a call that got a stop request before a block.
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
	return []Call{at, own} // the position is in a body inlined into own
}

// placeIn returns the first position in a block, or in the block to which it leads. Empty loops
// have no code with a position. For an empty loop, placeIn returns the position of the next loop of
// the same kind after the given position. If there is none, it returns the first such position in
// the function.
func placeIn(b *ssa.BasicBlock, after token.Pos) token.Pos {
	fn := b.Parent()
	conditional := false
	for seen := map[*ssa.BasicBlock]bool{}; !seen[b]; b = b.Succs[0] {
		seen[b] = true
		for _, in := range b.Instrs {
			switch in := in.(type) {
			case *ssa.If:
				conditional = true
			case *ssa.Phi: // its position is the variable's
				continue
			case *ssa.Alloc: // the position of variadic arguments is their end
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
