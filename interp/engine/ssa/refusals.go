package ssa

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/gokernel/gokernel/interp/engine"
)

// Function bodies are compiled when they are first called, but code that the engine can't evaluate
// must be refused before any of the cell has run. A survey searches for such code in the functions
// of a cell, and in all functions that the cell's functions reach by static calls.
type survey struct {
	e    *Engine
	cell *cell
	seen map[*ssa.Function]bool
}

// survey refuses the cell if it calls something that the engine does not support.
func (e *Engine) survey(c *cell, in *engine.Cell) {
	s := &survey{e: e, cell: c, seen: map[*ssa.Function]bool{}}
	s.packages(c.waiting)
	s.function(c.pkg.Func("init"), token.NoPos)
	for _, f := range in.Files {
		for _, d := range f.Decls {
			if d, ok := d.(*ast.FuncDecl); ok {
				if obj, ok := in.Info.Defs[d.Name].(*types.Func); ok {
					s.function(e.prog.FuncValue(obj), d.Pos())
				}
			}
		}
	}
	for fn := range s.seen {
		if e.surveyed[fn.Pkg] == nil {
			e.surveyed[fn.Pkg] = map[*ssa.Function]bool{}
		}
		e.surveyed[fn.Pkg][fn] = true
	}
}

// function surveys a function that the cell uses at pos.
func (s *survey) function(fn *ssa.Function, pos token.Pos) {
	if fn == nil || s.seen[fn] || s.e.surveyed[fn.Pkg][fn] {
		return
	}
	if fn.TypeParams().Len() > 0 && len(fn.TypeArgs()) == 0 {
		return // its instances are surveyed instead
	}
	s.seen[fn] = true
	s.e.body(fn)
	if fn.Blocks == nil {
		s.e.external(fn, pos)
		return
	}
	s.e.noteLocals(fn)
	ours := s.e.m.FsetOf(fn) == s.cell.fset && fn.Synthetic != "package initializer"
	var buffer [8]*ssa.Value
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			at := pos
			if p := in.Pos(); p.IsValid() && (ours || !pos.IsValid()) {
				at = p
			}
			for _, v := range in.Operands(buffer[:0]) {
				if f, ok := (*v).(*ssa.Function); ok {
					s.function(s.e.relink(in, v, f), at)
				}
			}
		}
	}
}
