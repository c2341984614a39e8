package pipeline

import (
	"go/types"
	"slices"

	"github.com/gokernel/gokernel/interp/check"
	"github.com/gokernel/gokernel/interp/engine"
)

// The code of statements can be freed after it has run. A function can be freed when another
// function has replaced it. Values need their types, and types their methods, so these stay when a
// unit that declares them is retired: the engine only frees the rest.

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
		if named[pkg] {
			return false
		}
		types, methods := declaredTypes(pkg)
		if !e.Retire(pkg) {
			return false
		}
		c.Replaced.Types += types
		c.Replaced.Methods += methods
		return true
	})
}

// Replaced counts types whose declarations have been replaced, and their methods. They stay in
// memory, because values can have them.
type Replaced struct{ Types, Methods int }

// Bytes returns about how much memory the types take. TestReplacedTypesCostLittle measures it.
func (r Replaced) Bytes() int64 { return int64(r.Types)*1800 + int64(r.Methods)*3800 }

// declaredTypes counts the types that a unit declares, and their methods.
func declaredTypes(pkg *types.Package) (kinds, methods int) {
	for _, name := range pkg.Scope().Names() {
		t, ok := pkg.Scope().Lookup(name).(*types.TypeName)
		if !ok || t.IsAlias() || t.Pkg() != pkg {
			continue
		}
		if n, ok := t.Type().(*types.Named); ok {
			kinds++
			methods += n.NumMethods()
		}
	}
	return kinds, methods
}
