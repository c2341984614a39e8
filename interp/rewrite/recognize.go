package rewrite

import "go/ast"

// What rewrites have made, for who writes cells as plain Go.

// RuntimeName returns the name of the function or type of cellrt that an expression is,
// "" of others.
func RuntimeName(e ast.Expr) string {
	if s, ok := e.(*ast.SelectorExpr); ok && isRuntime(s) {
		return s.Sel.Name
	}
	return ""
}

// IsStdin reports whether the expression stands for os.Stdin or for reading from it.
func IsStdin(e ast.Expr) bool { return isOf(e, askName) }

// IsNamed reports whether a function gives a value of homework its name.
func IsNamed(fun ast.Expr) bool { return isOf(fun, homeworkName) }

func isOf(e ast.Expr, pkg string) bool {
	s, ok := e.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	id, ok := s.X.(*ast.Ident)
	return ok && id.Name == pkg
}

// Definition is a definition at the top level of a cell, after Finish.
type Definition struct {
	Names  []*ast.Ident // as the rewrites have them: those of the error and of copies among them
	Values []ast.Expr   // none of a zero value
	// Copies maps the reserved names to those that get their values.
	Copies map[string]*ast.Ident
	Block  *ast.BlockStmt
}

// DefinitionOf returns the definition that a statement of the entry stands for.
func DefinitionOf(s ast.Stmt) (*Definition, bool) {
	b, ok := s.(*ast.BlockStmt)
	if !ok {
		return nil, false
	}
	d := &Definition{Copies: map[string]*ast.Ident{}, Block: b}
	reached := false
	zeros := map[string]bool{}
	for i, s := range b.List {
		a, ok := s.(*ast.AssignStmt)
		if !ok {
			continue // the declaration of a zero value, the check of an error
		}
		first, ok := a.Lhs[0].(*ast.Ident)
		if !ok {
			return nil, false
		}
		from, _ := a.Rhs[0].(*ast.Ident)
		switch {
		case first.Name == ReachedName:
			reached = true
		case from != nil && Reserved(from.Name) && len(a.Lhs) == 1 && i > 0:
			if declaredIn(b, from.Name) {
				if !zeros[first.Name] {
					zeros[first.Name] = true
					d.Names = append(d.Names, first)
				}
				continue
			}
			d.Copies[from.Name] = first
		case i == 0:
			for _, l := range a.Lhs {
				if id, ok := l.(*ast.Ident); ok {
					d.Names = append(d.Names, id)
				}
			}
			d.Values = a.Rhs
		}
	}
	return d, reached
}

// declaredIn reports whether the block declares the name, as it does of a zero value.
func declaredIn(b *ast.BlockStmt, name string) bool {
	for _, s := range b.List {
		if d, ok := s.(*ast.DeclStmt); ok {
			if g, ok := d.Decl.(*ast.GenDecl); ok {
				for _, spec := range g.Specs {
					if v, ok := spec.(*ast.ValueSpec); ok && v.Names[0].Name == name {
						return true
					}
				}
			}
		}
	}
	return false
}

// IsResult reports whether the name is that of a variable that holds a value to show.
func IsResult(name string) bool {
	return len(name) >= len(resultPrefix) && name[:len(resultPrefix)] == resultPrefix
}
