package pipeline

import (
	"go/types"
	"slices"

	"github.com/gokernel/gokernel/interp/check"
	"github.com/gokernel/gokernel/interp/engine"
)

// Code of statements can be freed after it has run, and so can a function that another one has
// replaced. Values need their types, and types their methods, so these stay when a unit that
// declares them is retired: the engine only frees the rest.

// noteCompiled records a unit that the engine has compiled.
func (c *Compiler) noteCompiled(r *check.Result) {
	for _, obj := range r.Info.Defs {
		switch obj := obj.(type) {
		case *types.TypeName:
			c.typed = append(c.typed, r.Package)
			return
		case *types.Func:
			if obj.Signature().Recv() != nil {
				c.typed = append(c.typed, r.Package)
				return
			}
		}
	}
	c.compiled = append(c.compiled, r.Package)
}

// forget lets the engine free the units that no name refers to.
func (c *Compiler) forget() {
	e, ok := c.Engine.(engine.Forgetter)
	if !ok {
		return
	}
	named := c.Scope.Packages()
	c.compiled = slices.DeleteFunc(c.compiled, func(pkg *types.Package) bool {
		if !named[pkg] {
			e.Forget(pkg)
		}
		return !named[pkg]
	})
	c.typed = slices.DeleteFunc(c.typed, func(pkg *types.Package) bool {
		return !named[pkg] && e.Retire(pkg)
	})
}
