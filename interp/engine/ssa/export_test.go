package ssa

import (
	"go/ast"
	"go/types"

	"github.com/gokernel/gokernel/interp/engine"
)

// Unlearn removes the functions of a compiled package from the go/ssa program, so that go/ssa
// panics on cells that need them. The function that it returns restores them.
func (e *Engine) Unlearn(path string) (remember func()) {
	for pkg, objects := range e.declared {
		if pkg.Path() == path {
			e.prog.CreatePackage(pkg, []*ast.File{{Name: ast.NewIdent(pkg.Name())}}, &types.Info{}, false)
			return func() {
				delete(e.declared, pkg)
				e.declare(pkg, objects)
			}
		}
	}
	panic("no cell has used " + path)
}

// Checked makes the engine check the functions that it compiles; see package compile.
func (e *Engine) Checked() *Engine {
	e.compiler.Check()
	return e
}

// Dumped makes the engine dump the functions that it compiles; see package compile.
func (e *Engine) Dumped(to func(text string)) { e.compiler.Dump(to) }

// Debugged attaches a debugger that stops nothing.
func (e *Engine) Debugged() *Engine {
	if _, err := e.Debug(engine.DebugEvents{}); err != nil {
		panic(err)
	}
	return e
}

// Stepped attaches a debugger that steps into each statement of the first goroutine that stops.
func (e *Engine) Stepped() *Engine {
	var d engine.Debugger
	d, err := e.Debug(engine.DebugEvents{Stopped: func(s engine.Stop) { d.Step(s.Goroutine, engine.StepIn) }})
	if err != nil {
		panic(err)
	}
	d.Pause()
	return e
}

// Built reports whether the engine has built a function of a package from source.
func (e *Engine) Built(pkg *types.Package, name string) bool {
	e.building.Lock()
	defer e.building.Unlock()
	return e.packageOf(pkg).pkg.Func(name).Blocks != nil
}
