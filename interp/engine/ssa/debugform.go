package ssa

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"

	"github.com/gokernel/gokernel/interp/engine/ssa/gossa"
	"golang.org/x/tools/go/ssa"
)

// While a debugger is attached, the functions of cells run in another form: with stops before
// statements, and with variables that keep their addresses (ssa.NaiveForm). Code outside cells is
// the same in both forms. go/ssa builds the second form as further packages for the same
// types.Package. Their bodies refer to the functions of the first form, so one machine.Function
// represents a function in both forms. Instances of generic functions are separate: each form has
// its own.
//
// To build the second form, the engine changes two unexported fields of ssa.Program while it holds
// the lock building (package gossa): the mode, and the table of packages by types.Package.

// source is the input from which the debug form of a cell is built. It is a member of the cell's
// package, so it is collected with the cell.
type source struct {
	*ssa.Function // the package's init, which has the methods of an ssa.Member
	order         int
	fset          *token.FileSet
	files         []*ast.File
	info          *types.Info
	uses          []ssa.Member // the functions and variables of other cells that the cell uses
	second        *ssa.Package
}

// sourceName is not a valid Go identifier, so it can't collide with a declaration.
const sourceName = "source of the cell"

// keepSource keeps the source of a cell for a debugger. If a debugger is attached, keepSource also
// builds the second form. The caller must hold the lock building.
func (e *Engine) keepSource(pkg *ssa.Package, s *source) {
	e.sourced++
	s.order, s.Function = e.sourced, pkg.Func("init")
	pkg.Members[sourceName] = s
	seen := map[types.Object]bool{}
	for _, o := range s.info.Uses {
		if o.Pkg() == pkg.Pkg || seen[o] || !isMember(o) {
			continue
		}
		seen[o] = true
		if p := e.prog.Package(o.Pkg()); p != nil && sourceOf(p) != nil {
			if m := gossa.Members(p)[o]; m != nil {
				s.uses = append(s.uses, m)
			}
		}
	}
	if e.debugger != nil {
		e.debugForm(pkg, s)
	}
}

// sourceOf returns the source of a cell, or nil for any other package.
func sourceOf(pkg *ssa.Package) *source {
	s, _ := pkg.Members[sourceName].(*source)
	return s
}

// debugForm builds the form of a cell that can be stopped. The caller must hold the lock building.
func (e *Engine) debugForm(of *ssa.Package, s *source) {
	e.declare(stopPackage, map[types.Object]bool{stopFunc: true})
	files, info, form := instrument(s.fset, s.files, s.info)
	packages, mode := gossa.Packages(e.prog), gossa.Mode(e.prog)
	first, usual := *packages, *mode
	second := maps.Clone(first)
	for p, pkg := range first {
		if s := sourceOf(pkg); s != nil && s.second != nil {
			second[p] = s.second
		}
	}
	e.supply(second, s.uses)
	*packages, *mode = second, usual|ssa.NaiveForm
	defer func() { *packages, *mode = first, usual }()
	pkg := e.prog.CreatePackage(of.Pkg, ordered(files, info, of.Pkg), info, false)
	e.m.Adopt(pkg)
	members := gossa.Members(pkg)
	twins := map[*ssa.Function]*ssa.Function{}
	for obj, m := range members {
		fn, ok := m.(*ssa.Function)
		if !ok || gossa.IsGeneric(fn) {
			continue
		}
		was, _ := gossa.Members(of)[obj].(*ssa.Function)
		if was != nil {
			members[obj] = was
			twins[was] = fn
		}
	}
	twins[of.Func("init")] = pkg.Func("init")
	e.make(pkg.Build)
	s.second = pkg
	form.JoinTo(pkg)
	for was, fn := range twins {
		e.twin(was, fn)
	}
	e.arm(form)
}

// twin records that two functions, and the function literals in them, are two forms of the same
// function.
func (e *Engine) twin(was, fn *ssa.Function) {
	if len(was.AnonFuncs) != len(fn.AnonFuncs) || len(was.FreeVars) != len(fn.FreeVars) {
		return
	}
	e.m.Twin(was, fn)
	for i, f := range was.AnonFuncs {
		e.twin(f, fn.AnonFuncs[i])
	}
}
