package pipeline

import (
	"go/ast"

	"github.com/gokernel/gokernel/interp/advice"
	"github.com/gokernel/gokernel/interp/check"
	"github.com/gokernel/gokernel/interp/fault"
	"github.com/gokernel/gokernel/interp/vet"
)

// vet records warnings about probable mistakes in a checked cell, one line each.
func (c *Compiler) vet(p *Program) {
	if !c.Warn || c.Graded {
		return
	}
	for _, m := range p.Cell.Lines {
		if m.Name == "warn" && m.Args == "off" {
			return
		}
	}
	var last ast.Stmt
	if n := len(p.Cell.Stmts); n > 0 && !p.Cell.Hidden {
		last = p.Cell.Stmts[n-1]
	}
	late := map[*ast.FuncDecl]string{}
	for _, m := range p.late {
		late[m.decl] = m.name.Name
	}
	found := vet.Find(&vet.Cell{
		Fset: c.Fset, File: p.unit.File, Package: p.checked.Package, Info: p.checked.Info,
		Base: p.Src.Base, Text: p.Src.Text, Last: last, Late: late,
	})
	seen := map[string]bool{}
	for _, e := range found {
		d := fault.Diagnostic{Pos: c.Fset.Position(e.Pos), Msg: advice.PlainWords(e.Msg), Hint: e.Hint}
		if line := "warning: " + d.String(); !seen[line] {
			seen[line] = true
			c.told(p, e)
			p.Warnings = append(p.Warnings, line)
		}
	}
}

// told passes a finding to the function that collects hints.
func (c *Compiler) told(p *Program, e check.Error) {
	if e.Warning = true; c.Advice.Told != nil {
		c.Advice.Told(p.Src, e, e.Hint)
	}
}
