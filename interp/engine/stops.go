package engine

import (
	"go/ast"
	"go/token"
)

// Stoppable reports whether a debugger can stop code before s, a statement in a statement list.
func Stoppable(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.CaseClause, *ast.CommClause, *ast.BlockStmt, *ast.EmptyStmt:
		return false
	case *ast.DeclStmt:
		d, ok := s.Decl.(*ast.GenDecl)
		return ok && d.Tok == token.VAR
	}
	return s.Pos().IsValid()
}

// Stops returns the positions in source at which a debugger can stop code: before statements,
// before else if, and at the closing brace of a function without results. It can also stop where a
// loop begins its next iteration.
func Stops(source ast.Node) []token.Pos {
	var all []token.Pos
	list := func(stmts []ast.Stmt) {
		for _, s := range stmts {
			if Stoppable(s) {
				all = append(all, s.Pos())
			}
		}
	}
	end := func(t *ast.FuncType, body *ast.BlockStmt) {
		if EndsWithStop(t, body) {
			all = append(all, body.Rbrace)
		}
	}
	ast.Inspect(source, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			end(n.Type, n.Body)
		case *ast.FuncLit:
			end(n.Type, n.Body)
		case *ast.BlockStmt:
			list(n.List)
		case *ast.CaseClause:
			list(n.Body)
		case *ast.CommClause:
			list(n.Body)
		case *ast.ForStmt:
			if n.Post != nil && n.For.IsValid() {
				all = append(all, n.For)
			}
		case *ast.IfStmt:
			if other, ok := n.Else.(*ast.IfStmt); ok && other.If.IsValid() {
				all = append(all, other.If)
			}
		}
		return true
	})
	return all
}

// EndsWithStop reports whether a debugger stops a function at its closing brace. The function with
// the statements of a cell has no such stop.
func EndsWithStop(t *ast.FuncType, body *ast.BlockStmt) bool {
	return body != nil && t.Results == nil && t.Func.IsValid() && t.Func < body.Lbrace && body.Rbrace.IsValid()
}
