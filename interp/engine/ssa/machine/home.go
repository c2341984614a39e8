package machine

import (
	"runtime"
	"weak"

	"golang.org/x/tools/go/ssa"
)

// A home has the interpreted functions of the package of a cell. It is a member of
// the package, so that all of it can be collected when no name, no goroutine and no
// func value leads there: a table of the machine would keep it.
type home struct {
	*ssa.Function // the package's init, for what a member must have
	functions     map[*ssa.Function]*Function
}

// homeName is no name of Go.
const homeName = "functions of the machine"

// Adopt lets the functions of a package go with it. None of them has been asked for.
func (m *Machine) Adopt(pkg *ssa.Package) {
	h := &home{Function: pkg.Func("init"), functions: map[*ssa.Function]*Function{}}
	pkg.Members[homeName] = h
	w := weak.Make(h)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.homes[w] = true
	session := weak.Make(m) // which the homes of others do not keep
	runtime.AddCleanup(h, func(w weak.Pointer[home]) {
		if m := session.Value(); m != nil {
			m.mu.Lock()
			defer m.mu.Unlock()
			delete(m.homes, w)
		}
	}, w)
}

// functionsOf returns the table that has the function; mu is held.
func (m *Machine) functionsOf(fn *ssa.Function) map[*ssa.Function]*Function {
	if fn.Pkg != nil {
		if h, ok := fn.Pkg.Members[homeName].(*home); ok {
			return h.functions
		}
	}
	return m.functions
}
