package draft

import (
	"go/ast"
	"go/token"

	"github.com/gokernel/gokernel/interp/check"
	"github.com/gokernel/gokernel/interp/magic"
	"github.com/gokernel/gokernel/interp/pipeline"
	"github.com/gokernel/gokernel/interp/rewrite"
	"github.com/gokernel/gokernel/interp/scope"
	"github.com/gokernel/gokernel/kernel/evaluator"
)

// magics checks the magics of a cell and declares what they declare.
func (n *Notebook) magics(p *pipeline.Program) *evaluator.Error {
	var failed *evaluator.Error
	for _, m := range p.Cell.Lines {
		name := m.Name
		if name == "?" || name == "??" {
			name = "doc"
		}
		whole := len(m.Text) > 1 && m.Text[:2] == "%%"
		if _, err := magic.Lookup(name, whole); err != nil {
			failed = n.compiler.Advice.Present(p.Src, []check.Error{{Pos: m.Pos, End: m.Pos + token.Pos(len(m.Text)), Msg: err.Error()}}, nil)
			continue
		}
		switch {
		case name == "capture":
			if token.IsIdentifier(m.Args) {
				p.Cell.Decls = append(p.Cell.Decls, rewrite.StringVar(m.Args, m.Pos))
			}
			p.Cell.Hidden = true
		case name == "timeit" && m.Stmt != nil && m.Code:
			// The names that the statement declares are local to it.
			p.ReplaceStmt(m.Stmt, rewrite.CallStmt(m.Pos, 0, m.Stmt))
		case name == "timeit" && whole && len(p.Cell.Stmts) > 0:
			p.Cell.Stmts = []ast.Stmt{rewrite.CallStmt(m.Pos, 0, p.Cell.Stmts...)}
		}
	}
	return failed
}

// afterMagics does what magics do to the declarations of the session after the cell.
func (n *Notebook) afterMagics(c *cell, p *pipeline.Program, src *scope.Source) {
	for _, m := range p.Cell.Lines {
		if m.Name == "reset" {
			n.compiler.Scope.Reset()
		}
	}
	whole := p.Cell.Whole
	if whole == nil || whole.Name == "package" {
		return
	}
	mg, err := magic.Lookup(whole.Name, true)
	if err != nil {
		c.findings = append(c.findings, Finding{Start: int(whole.Pos - src.Base), End: int(whole.Pos-src.Base) + len(whole.Text), Message: err.Error()})
		return
	}
	if mg.Go == nil {
		return
	}
	text, err := mg.Go(magic.Call{Args: whole.Args, Body: whole.Body, Session: names{scope: n.compiler.Scope}})
	if err != nil {
		c.findings = append(c.findings, Finding{End: len(c.Text), Message: err.Error()})
		return
	}
	told := n.compiler.Advice.Told
	n.compiler.Advice.Told = nil // its positions are not those of the cell
	n.compiler.Draft(&scope.Source{Name: src.Name, Number: src.Number, Run: src.Run, Text: text}, n.magics)
	n.compiler.Advice.Told = told
}

// names is the part of a session that a magic needs to write its Go code.
type names struct {
	magic.Session
	scope *scope.Scope
}

// Frames implements magic.Session.
func (s names) Frames() []string { return s.scope.Frames() }

// Databases implements magic.Session.
func (s names) Databases() []string { return s.scope.Databases() }

// Values implements magic.Session.
func (s names) Values() []string { return s.scope.Values() }
