package ssa

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"

	"golang.org/x/tools/go/ssa"
)

// While a debugger is attached, the functions of cells run in another form: with stops
// before statements, and with variables that stay in their places (ssa.NaiveForm). What
// is not of cells is the same in both. go/ssa builds the other form as further packages
// for the same types.Package, whose bodies refer to the functions of the first form, so
// that there is one machine.Function for a function in both forms. Instances of generic
// functions are apart: those of the second form belong to it.
//
// Two fields of ssa.Program that are not exported (private.go) are changed for this while the lock
// building is held: its mode, and the packages by types.Package.

// source is what the form of a cell is made of that can be stopped. It is a member of the
// package of the cell, so that it goes when the cell is collected.
type source struct {
	*ssa.Function // the package's init, for what a member must have
	order         int
	fset          *token.FileSet
	files         []*ast.File
	info          *types.Info
	second        *ssa.Package
}

// sourceName is no name of Go.
const sourceName = "source of the cell"

// keepSource keeps the source of a cell for a debugger, and builds the other form when one
// is attached. The lock building is held.
func (e *Engine) keepSource(pkg *ssa.Package, s *source) {
	e.sourced++
	s.order, s.Function = e.sourced, pkg.Func("init")
	pkg.Members[sourceName] = s
	if e.debugger != nil {
		e.debugForm(pkg, s)
	}
}

// sourceOf returns the source of a cell; nil for another package.
func sourceOf(pkg *ssa.Package) *source {
	s, _ := pkg.Members[sourceName].(*source)
	return s
}

// debugForm builds the form of a cell that can be stopped. The lock building is held.
func (e *Engine) debugForm(of *ssa.Package, s *source) {
	e.declare(stopPackage, map[types.Object]bool{stopFunc: true})
	files, info, form := instrument(s.fset, s.files, s.info)
	packages, mode := packagesIn(e.prog), modeOf(e.prog)
	first, usual := *packages, *mode
	second := maps.Clone(first)
	for p, pkg := range first {
		if s := sourceOf(pkg); s != nil && s.second != nil {
			second[p] = s.second
		}
	}
	*packages, *mode = second, usual|ssa.NaiveForm
	defer func() { *packages, *mode = first, usual }()
	pkg := e.prog.CreatePackage(of.Pkg, ordered(files, info, of.Pkg), info, false)
	e.m.Adopt(pkg)
	members := objectsIn(pkg)
	twins := map[*ssa.Function]*ssa.Function{}
	for obj, m := range members {
		fn, ok := m.(*ssa.Function)
		if !ok || isGeneric(fn) {
			continue
		}
		was, _ := objectsIn(of)[obj].(*ssa.Function)
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

// twin says that two functions are one in two forms, with the function literals in them.
func (e *Engine) twin(was, fn *ssa.Function) {
	if len(was.AnonFuncs) != len(fn.AnonFuncs) || len(was.FreeVars) != len(fn.FreeVars) {
		return
	}
	e.m.Twin(was, fn)
	for i, f := range was.AnonFuncs {
		e.twin(f, fn.AnonFuncs[i])
	}
}

func isGeneric(fn *ssa.Function) bool {
	return fn.TypeParams().Len() > 0 || fn.Signature.RecvTypeParams().Len() > 0
}
