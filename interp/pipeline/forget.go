package pipeline

import (
	"go/types"

	"github.com/gokernel/gokernel/interp/check"
	"github.com/gokernel/gokernel/interp/engine"
)

// Code of statements can be freed after it has run, and so can a function that another one has
// replaced. Values need their types, and types their methods, so units that declare types or
// methods are kept.

// noteCompiled records a unit that the engine has compiled.
func (c *Compiler) noteCompiled(r *check.Result) {
	for _, obj := range r.Info.Defs {
		switch obj := obj.(type) {
		case *types.TypeName:
			return
		case *types.Func:
			if obj.Signature().Recv() != nil {
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
	kept := c.compiled[:0]
	for _, pkg := range c.compiled {
		if named[pkg] {
			kept = append(kept, pkg)
		} else {
			e.Forget(pkg)
		}
	}
	clear(c.compiled[len(kept):])
	c.compiled = kept
}
