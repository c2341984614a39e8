package ssa

import (
	"go/types"
	"runtime"
	"weak"
)

// Cells to which no name refers any more are collected. The tables of go/ssa and of the engine
// would keep them alive. Forget removes them from the tables that are only searched by name. The
// variables leave their tables when the last code of the cell has been collected.

// Forget implements engine.Forgetter.
func (e *Engine) Forget(pkg *types.Package) {
	e.building.Lock()
	defer e.building.Unlock()
	p := e.prog.Package(pkg)
	if p == nil {
		return
	}
	delete(*packagesIn(e.prog), pkg)
	delete(e.surveyed, p)
	delete(e.declared, pkg)
	var vars []types.Object
	scope := pkg.Scope()
	for _, name := range scope.Names() {
		if v, ok := scope.Lookup(name).(*types.Var); ok && v.Pkg() == pkg {
			vars = append(vars, v)
		}
	}
	// The scope has objects of earlier cells, and those refer to their packages.
	*scope = types.Scope{}
	session := weak.Make(e)
	runtime.AddCleanup(p, func(vars []types.Object) {
		e := session.Value()
		if e == nil {
			return
		}
		e.m.Fsets.Delete(pkg)
		e.mu.Lock()
		defer e.mu.Unlock()
		for _, v := range vars {
			delete(e.globals, v)
		}
	}, vars)
}

// Idle implements engine.Idler.
func (e *Engine) Idle() bool { return !e.m.Running.Any() }
