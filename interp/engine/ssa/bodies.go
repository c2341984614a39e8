package ssa

import (
	"go/ast"

	"github.com/gokernel/gokernel/interp/engine/ssa/gossa"
	"golang.org/x/tools/go/ssa"
)

// go/ssa builds all functions of a package at once. A cell calls few functions of the packages that
// it imports, so the engine first builds only the initialization of a package. The engine builds
// any other function when it surveys or compiles a function that refers to it (package gossa).

// begin builds the initialization of a package from source and, if possible, nothing else of the
// package. The caller must hold the lock building.
func (e *Engine) begin(pkg *ssa.Package) {
	gossa.OnlyInit(pkg)
	e.make(pkg.Build)
}

// body builds a function that has not been built. The caller must hold the lock building.
func (e *Engine) body(fn *ssa.Function) {
	if fn.Blocks != nil || fn.Parent() != nil {
		return
	}
	d, ok := fn.Syntax().(*ast.FuncDecl)
	if !ok || d.Body == nil || fn.TypeParams().Len() > 0 {
		return // instances of generic functions are built when they are made
	}
	if fn.Pkg != nil {
		if l := e.packageOf(fn.Pkg.Pkg); l != nil {
			order(d, l.info, l.in.Types)
		}
	}
	e.make(func() { gossa.BuildAlone(fn) })
}

// complete builds a function and everything that the function reaches by static calls, because the
// compiler inspects all of it. The caller must not hold the lock building.
func (e *Engine) complete(fn *ssa.Function) {
	e.building.Lock()
	defer e.building.Unlock()
	r := reach{e: e, seen: map[*ssa.Function]*loaded{}}
	r.function(fn)
	for fn, l := range r.seen {
		if l != nil {
			l.completed[fn] = true
		}
	}
}

// reach collects the functions that a function reaches. seen maps each function to the package from
// source that declares the function, or to nil for other functions. complete does not remember the
// other functions, because survey has built them or they reach little.
type reach struct {
	e    *Engine
	seen map[*ssa.Function]*loaded
}

func (r *reach) function(fn *ssa.Function) {
	var l *loaded
	if fn.Pkg != nil {
		l = r.e.packageOf(fn.Pkg.Pkg)
	}
	if _, seen := r.seen[fn]; seen || l != nil && l.completed[fn] || r.e.surveyed[fn.Pkg][fn] {
		return
	}
	r.seen[fn] = l
	r.e.body(fn)
	var buffer [8]*ssa.Value
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			for _, v := range in.Operands(buffer[:0]) {
				if f, ok := (*v).(*ssa.Function); ok {
					r.function(r.e.relink(in, v, f))
				}
			}
		}
	}
}
