package machine

import (
	"runtime"
	"weak"

	"golang.org/x/tools/go/ssa"
)

// A home holds the interpreted functions of a cell's package. It is a member of the package, so
// that everything in it can be collected when no name, goroutine or func value refers to it. A
// table of the machine would keep it alive.
type home struct {
	*ssa.Function // the package's init, for what a member must have
	functions     map[*ssa.Function]*Function
}

// homeName is not a valid Go identifier, so it can't collide with a declaration.
const homeName = "functions of the machine"

// Adopt makes a home for a package, so that its functions are collected with it. It must be called
// before any of them is requested.
func (m *Machine) Adopt(pkg *ssa.Package) {
	h := &home{Function: pkg.Func("init"), functions: map[*ssa.Function]*Function{}}
	pkg.Members[homeName] = h
	w := weak.Make(h)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.homes[w] = true
	session := weak.Make(m) // the homes of other packages must not keep the session alive
	runtime.AddCleanup(h, func(w weak.Pointer[home]) {
		if m := session.Value(); m != nil {
			m.mu.Lock()
			defer m.mu.Unlock()
			delete(m.homes, w)
		}
	}, w)
}

// functionsOf returns the table that holds the function. The caller holds mu.
func (m *Machine) functionsOf(fn *ssa.Function) map[*ssa.Function]*Function {
	if fn.Pkg != nil {
		if h, ok := fn.Pkg.Members[homeName].(*home); ok {
			return h.functions
		}
	}
	return m.functions
}
