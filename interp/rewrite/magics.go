package rewrite

import (
	"go/ast"
	"go/token"
)

// CallStmt returns the statement that calls the function registered under the number id. If body
// has statements, they are passed to the function as a function literal.
func CallStmt(pos token.Pos, id int, body ...ast.Stmt) ast.Stmt {
	if len(body) == 0 {
		return &ast.ExprStmt{X: runtimeCallExpr(pos, "Do", intLit(id, pos))}
	}
	for i, s := range body {
		body[i] = used(s)
	}
	fn := &ast.FuncLit{
		Type: &ast.FuncType{Func: pos, Params: &ast.FieldList{Opening: pos, Closing: pos}},
		Body: &ast.BlockStmt{Lbrace: pos, List: body, Rbrace: body[len(body)-1].End()},
	}
	return &ast.ExprStmt{X: runtimeCallExpr(pos, "Call", intLit(id, pos), fn)}
}

// used converts any expression to a statement.
func used(s ast.Stmt) ast.Stmt {
	e, ok := s.(*ast.ExprStmt)
	if !ok {
		return s
	}
	if _, ok := ast.Unparen(e.X).(*ast.CallExpr); ok {
		return s
	}
	return &ast.AssignStmt{Lhs: []ast.Expr{ident("_", e.Pos())}, TokPos: e.Pos(), Tok: token.ASSIGN, Rhs: []ast.Expr{e.X}}
}

// StringVar returns the declaration of a string variable, which a magic sets.
func StringVar(name string, pos token.Pos) ast.Decl {
	return &ast.GenDecl{TokPos: pos, Tok: token.VAR, Specs: []ast.Spec{
		&ast.ValueSpec{Names: []*ast.Ident{ident(name, pos)}, Type: ident("string", pos)},
	}}
}
