package machine

import (
	"cmp"
	"fmt"
	"go/token"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/gokernel/gokernel/interp/engine"
	"github.com/gokernel/gokernel/interp/engine/ssa/native"
	"golang.org/x/tools/go/ssa"
)

// The JIT has a switch for the session and a switch for each function. A switch drops compiled
// code: the code isn't entered any more, and a goroutine that is running the code leaves it at the
// next safepoint.

// switches holds the functions that are switched off, by the names with which users have switched
// them off.
type switches struct {
	any   atomic.Bool // some are
	mu    sync.Mutex
	names map[string]bool
}

// SwitchedOff reports whether the JIT is switched off for a function. Such a function is neither
// compiled nor inlined in compiled code.
func (f *Function) SwitchedOff() bool { return f.M.switchedOff(f.SSA) }

func (m *Machine) switchedOff(fn *ssa.Function) bool {
	if !m.switches.any.Load() {
		return false
	}
	m.switches.mu.Lock()
	defer m.switches.mu.Unlock()
	for _, name := range switchNames(fn) {
		if m.switches.names[name] {
			return true
		}
	}
	return false
}

// switchedOff reports whether the code, or a part of it, is switched off.
func (n *Native) switchedOff() bool {
	return n.code.Fn.SwitchedOff() || slices.ContainsFunc(n.Guards, func(g Guard) bool { return g.F.SwitchedOff() })
}

// switchNames returns the names by which users refer to a function: f, T.m, and both with the name
// of the package. A function literal has the names of the function that contains it.
func switchNames(fn *ssa.Function) []string {
	for fn.Parent() != nil {
		fn = fn.Parent()
	}
	name := switchName(FuncName(fn))
	pkg := fn.Pkg
	if o := fn.Origin(); o != nil {
		pkg = o.Pkg
	}
	if pkg == nil {
		return []string{name}
	}
	return []string{name, pkg.Pkg.Name() + "." + name}
}

// switchName returns the name of a function without type arguments, and without the pointer of a
// receiver.
func switchName(name string) string {
	var b strings.Builder
	depth := 0
	for _, r := range name {
		switch {
		case r == '[':
			depth++
		case r == ']':
			depth--
		case depth == 0 && !strings.ContainsRune("(*) ", r):
			b.WriteRune(r)
		}
	}
	return b.String()
}

// SwitchNative sets which functions are JIT-compiled. It drops all code. The error is
// engine.ErrNoJIT if the platform has no JIT.
func (m *Machine) SwitchNative(mode NativeMode) error {
	if mode != NativeOff && !native.Supported {
		return engine.ErrNoJIT
	}
	if err := m.SetNative(mode); err != nil {
		return fmt.Errorf("%w: %w", engine.ErrNoJIT, err)
	}
	for _, f := range m.list() {
		c := f.Code.Load()
		c.cool()
		if mode == NativeForced && c.isReady.Load() {
			c.heat()
		}
	}
	return nil
}

// SwitchFunction turns the JIT on or off for the functions with a name. It reports whether any of
// them has been called.
func (m *Machine) SwitchFunction(name string, on bool) (found bool) {
	name = switchName(name)
	m.switches.mu.Lock()
	if m.switches.names == nil {
		m.switches.names = map[string]bool{}
	}
	if on {
		delete(m.switches.names, name)
	} else {
		m.switches.names[name] = true
	}
	m.switches.any.Store(len(m.switches.names) > 0)
	m.switches.mu.Unlock()
	concerns := func(f *Function) bool { return slices.Contains(switchNames(f.SSA), name) }
	for _, f := range m.list() {
		its := concerns(f)
		found = found || its
		c := f.Code.Load()
		n := c.native.Load()
		switch {
		case its && on:
			c.cool()
			if m.Native() == NativeForced && c.isReady.Load() {
				c.heat()
			}
		case its:
			c.cool()
		case n != nil && (on || slices.ContainsFunc(n.Guards, func(g Guard) bool { return concerns(g.F) })):
			// The caller was hot, so it is compiled again, either with calls of the function or
			// with the inlined body.
			c.cool()
			c.heat()
		}
	}
	return found
}

// cool drops the JIT-compiled code of a function, which can be compiled again.
func (c *Code) cool() {
	if n := c.native.Swap(nil); n != nil {
		n.dropped.Store(true)
		c.oldMu.Lock()
		c.old = append(c.old, n)
		c.oldMu.Unlock()
		if n.err == nil {
			n.forget()
		}
	}
	c.heated.Store(false)
}

// tryNative compiles code, or records why that is impossible.
func (c *Code) tryNative() *Native {
	n, err := c.Fn.M.world.Native(c)
	if n == nil {
		n = &Native{First: -1}
	}
	n.code, n.err = c, err
	if n.Code != nil {
		n.Code.Tag = unsafe.Pointer(n)
	}
	if err == nil {
		for i := range n.Exits {
			if x := &n.Exits[i]; x.Ops > 0 {
				b := c.Blocks[x.Block]
				x.ops, x.first = b.Ops[x.Op:x.Op+x.Ops], b.First+int32(x.Op)
			}
		}
		n.Code.SetOps(func(exit int32) (all []func(unsafe.Pointer), first int32, resume int) {
			x := &n.Exits[exit]
			for _, o := range x.ops {
				all = append(all, o)
			}
			return all, x.first, x.Resume
		})
	}
	return n
}

// ExplainNative describes the functions with a name line by line. fn is nil or one of them. It
// compiles the functions that have not been compiled, but does not enter their code.
func (m *Machine) ExplainNative(name string, fn *ssa.Function) []engine.JITFunction {
	if fn != nil {
		m.Function(fn)
	}
	name = switchName(name)
	is := func(f *Function) bool { return f.Code.Load().Fn == f && slices.Contains(switchNames(f.SSA), name) }
	for _, f := range m.list() {
		if is(f) {
			m.meetLiterals(f.SSA)
		}
	}
	var all []engine.JITFunction
	for _, f := range m.list() {
		if is(f) {
			all = append(all, f.explain())
		}
	}
	slices.SortFunc(all, func(a, b engine.JITFunction) int {
		return cmp.Or(strings.Compare(a.Pos.Filename, b.Pos.Filename), a.Pos.Offset-b.Pos.Offset, strings.Compare(a.Func, b.Func))
	})
	return all
}

// meetLiterals makes the functions of the function literals in fn.
func (m *Machine) meetLiterals(fn *ssa.Function) {
	for _, literal := range fn.AnonFuncs {
		m.Function(literal)
		m.meetLiterals(literal)
	}
}

// explain describes a function line by line.
func (f *Function) explain() (r engine.JITFunction) {
	c := f.Code.Load()
	defer func() {
		if v := recover(); v != nil { // it cannot be compiled to closures either
			r = (&Native{code: c, err: fmt.Errorf("%v", v)}).report(f.SSA)
		}
	}()
	c.ready()
	n := c.native.Load()
	if n == nil {
		n = c.tryNative()
	}
	r = n.report(f.SSA)
	r.Lines = n.lines(f.SSA)
	return r
}

// lines returns the lines of a function that have instructions. JIT-compiled code runs the lines
// that it can reach from its entries.
func (n *Native) lines(fn *ssa.Function) []engine.JITLine {
	compiled := map[*ssa.BasicBlock]bool{}
	if n.err == nil {
		var reach func(*ssa.BasicBlock)
		reach = func(b *ssa.BasicBlock) {
			if !compiled[b] {
				compiled[b] = true
				for _, next := range b.Succs {
					reach(next)
				}
			}
		}
		for _, head := range n.Heads {
			reach(n.code.Blocks[head].SSA)
		}
	}
	at := n.code.Fn.position(fn)
	file := at(fn.Pos()).Filename
	lines := map[int]bool{}
	for _, b := range n.code.SSA.Blocks {
		for _, in := range b.Instrs {
			if _, ok := in.(*ssa.DebugRef); ok || !in.Pos().IsValid() {
				continue
			}
			if p := at(in.Pos()); p.Filename == file {
				lines[p.Line] = lines[p.Line] || compiled[b]
			}
		}
	}
	var all []engine.JITLine
	for _, line := range slices.Sorted(maps.Keys(lines)) {
		all = append(all, engine.JITLine{Line: line, Compiled: lines[line]})
	}
	return all
}

// position returns a function that finds source positions in fn, which is the function with the
// code f.
func (f *Function) position(fn *ssa.Function) func(token.Pos) token.Position {
	return func(p token.Pos) (at token.Position) {
		if fset := fn.Prog.Fset; p.IsValid() {
			if own := f.M.FsetOf(fn); own != nil {
				fset = own
			}
			at = fset.Position(p)
		}
		return at
	}
}
