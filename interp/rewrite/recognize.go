package rewrite

import "go/ast"

// These functions recognize code that rewrites have generated, for packages that convert cells to
// plain Go.

// RuntimeName returns the name of the function or type of cellrt that an expression denotes, or ""
// for others.
func RuntimeName(e ast.Expr) string {
	if s, ok := e.(*ast.SelectorExpr); ok && isRuntime(s) {
		return s.Sel.Name
	}
	return ""
}

// IsStdin reports whether the expression denotes os.Stdin or a read from it.
func IsStdin(e ast.Expr) bool { return isOf(e, askName) }

// IsNamed reports whether a function passes the name of a value to homework checks.
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
	Names  []*ast.Ident // as rewritten, including the names of the error and of copies
	Values []ast.Expr   // empty for a zero value
	// Copies maps the reserved names to the names that receive their values.
	Copies map[string]*ast.Ident
	Block  *ast.BlockStmt
}

// DefinitionOf returns the definition that a statement of the entry represents.
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

// declaredIn reports whether the block declares the name, as it does for a zero value.
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

// IsResult reports whether the name is a variable with a value to show.
func IsResult(name string) bool {
	return len(name) >= len(resultPrefix) && name[:len(resultPrefix)] == resultPrefix
}
