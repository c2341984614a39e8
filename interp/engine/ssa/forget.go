package ssa

import (
	"go/ast"
	"go/types"
	"maps"
	"runtime"
	"weak"

	"github.com/gokernel/gokernel/interp/engine/ssa/gossa"
	"golang.org/x/tools/go/ssa"

	"github.com/gokernel/gokernel/interp/rewrite"
)

// Cells to which no name refers any more are collected. The tables of go/ssa and of the engine
// would keep them alive. Forget removes them from the tables that are only searched by name. The
// variables leave their tables when the last code of the cell has been collected.
//
// go/ssa looks up the members of packages when it makes instances of generic functions, and when it
// builds the form for a debugger. The engine keeps the functions and variables that instances and
// these forms use: see noteUses and source.uses.

// Forget implements engine.Forgetter.
func (e *Engine) Forget(pkg *types.Package) {
	e.building.Lock()
	defer e.building.Unlock()
	p := e.prog.Package(pkg)
	if p == nil {
		return
	}
	delete(e.declared, pkg)
	if e.usedLater(p) != nil {
		e.retire(p)
		return
	}
	delete(*gossa.Packages(e.prog), pkg)
	delete(e.surveyed, p)
	var vars []types.Object
	scope := pkg.Scope()
	for _, name := range scope.Names() {
		if v, ok := scope.Lookup(name).(*types.Var); ok && v.Pkg() == pkg {
			vars = append(vars, v)
		}
	}
	// The scope has objects of earlier cells, and these objects refer to their packages.
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

// Retire implements engine.Forgetter. The runtime keeps the types of the package forever, because
// its tables refer to them in ways that the garbage collector does not see. So their methods must
// stay callable, with the functions of the package that they may call. Everything else of the cell
// is only used by code that is running, and by func values.
func (e *Engine) Retire(pkg *types.Package) bool {
	e.building.Lock()
	defer e.building.Unlock()
	if e.debugger != nil {
		return false // the debugger needs the source of functions that can still be called
	}
	if p := e.prog.Package(pkg); p != nil {
		e.retire(p)
	}
	return true
}

func (e *Engine) retire(p *ssa.Package) {
	if used := e.usedLater(p); used != nil {
		(*gossa.Packages(e.prog))[p.Pkg] = gossa.NewPackage(p.Prog, p.Pkg, used)
	} else {
		delete(*gossa.Packages(e.prog), p.Pkg)
	}
	delete(e.surveyed, p)
	session := weak.Make(e)
	kept := map[*ssa.Function]bool{}
	for o, m := range gossa.Members(p) {
		switch m := m.(type) {
		case *ssa.Function:
			if !rewrite.Reserved(m.Name()) {
				kept[m] = true
				gossa.NarrowInfo(m)
			}
			if f, ok := o.(*types.Func); ok && f.Signature().Recv() != nil {
				gossa.KeepMethod(e.prog, f, m)
			}
		case *ssa.Global:
			// Once no code refers to the variable, nothing needs its address in the table.
			runtime.AddCleanup(m, func(v types.Object) {
				if e := session.Value(); e != nil {
					e.mu.Lock()
					defer e.mu.Unlock()
					delete(e.globals, v)
				}
			}, o)
		}
	}
	gossa.DropMembers(p)
	e.m.Retire(p, kept)
	if s := p.Pkg.Scope(); !hasLocalTypes(s) {
		// The scope has the cell's objects, and the scopes of its functions have the objects of the
		// functions.
		clearScope(s)
		for fn := range kept {
			gossa.DropSyntax(fn)
		}
	}
}

// noteUses notes the functions and cell variables that the generic functions in files use. The
// engine keeps these functions and variables, because go/ssa must find them whenever it makes an
// instance.
func (e *Engine) noteUses(files []*ast.File, info *types.Info) {
	for _, f := range files {
		for _, d := range f.Decls {
			d, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			fn, ok := info.Defs[d.Name].(*types.Func)
			if !ok || fn.Signature().TypeParams().Len() == 0 && fn.Signature().RecvTypeParams().Len() == 0 {
				continue
			}
			ast.Inspect(d, func(n ast.Node) bool {
				if id, ok := n.(*ast.Ident); ok {
					if o := info.Uses[id]; o != nil && isMember(o) && o.Pkg().Path() == "main" {
						e.generic[o] = true
					}
				}
				return true
			})
		}
	}
}

// isMember reports whether go/ssa finds an object in its package.
func isMember(o types.Object) bool {
	switch o.(type) {
	case *types.Var, *types.Func:
		return o.Pkg() != nil && o.Parent() == o.Pkg().Scope()
	}
	return false
}

// usedLater returns the members of a package that instances of generic functions may use, or nil
// if there are none.
func (e *Engine) usedLater(p *ssa.Package) (members map[types.Object]ssa.Member) {
	for o, m := range gossa.Members(p) {
		if e.generic[o] {
			if members == nil {
				members = map[types.Object]ssa.Member{}
			}
			members[o] = m
		}
	}
	return members
}

// supply adds members of forgotten packages to a table of packages.
func (e *Engine) supply(packages map[*types.Package]*ssa.Package, members []ssa.Member) {
	made := map[*types.Package]map[types.Object]ssa.Member{}
	for _, m := range members {
		o := m.Object()
		pkg := o.Pkg()
		if p := packages[pkg]; p != nil && gossa.Members(p)[o] != nil {
			continue
		}
		if made[pkg] == nil {
			made[pkg] = map[types.Object]ssa.Member{}
			if p := packages[pkg]; p != nil {
				maps.Copy(made[pkg], gossa.Members(p))
			}
			packages[pkg] = gossa.NewPackage(e.prog, pkg, made[pkg])
		}
		made[pkg][o] = m
	}
}

// hasLocalTypes reports whether a function in the scope declares a type. The numbers of such types
// are computed from the scopes, and instances of generic functions need the types' syntax.
func hasLocalTypes(s *types.Scope) bool {
	for c := range s.Children() {
		for _, name := range c.Names() {
			if t, ok := c.Lookup(name).(*types.TypeName); ok {
				if _, param := t.Type().(*types.TypeParam); !param {
					return true
				}
			}
		}
		if hasLocalTypes(c) {
			return true
		}
	}
	return false
}

// clearScope empties a scope and the scopes in it.
func clearScope(s *types.Scope) {
	for c := range s.Children() {
		clearScope(c)
	}
	*s = types.Scope{}
}

// Idle implements engine.Idler.
func (e *Engine) Idle() bool { return !e.m.Running.Any() }
