package pipeline

import (
	"go/types"

	"github.com/gokernel/gokernel/interp/check"
	"github.com/gokernel/gokernel/interp/engine"
)

// A cell of statements needs no place once it has run, and neither does a function
// that another has replaced. Values keep their types, and those their methods: units
// that declare such stay.

// noteCompiled notes a unit that the engine has compiled.
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

// forget lets the engine give back the units that no name leads to.
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
