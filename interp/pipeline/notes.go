package pipeline

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
)

// noteSeed adds a note about calls of rand.Seed, which has no effect since Go 1.24: a reproducible
// sequence needs its own source.
func (p *Program) noteSeed(fset *token.FileSet) {
	ast.Inspect(p.unit.File, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		sel, ok := call.Fun.(*ast.SelectorExpr)
		if !ok || len(call.Args) != 1 {
			return true
		}
		fn, ok := p.checked.Info.Uses[sel.Sel].(*types.Func)
		if !ok || fn.Signature().Recv() != nil || fn.FullName() != "math/rand.Seed" {
			return true
		}
		seed := p.text(call.Args[0])
		p.Notes = append(p.Notes, fmt.Sprintf(
			"note: rand.Seed does nothing (%s line %d); r := rand.New(rand.NewSource(%s)), and then r.Intn(n) and r.Float64(), give the same numbers each time",
			p.Src.Name, fset.Position(call.Pos()).Line, seed))
		return true
	})
}
