package check

import (
	"go/ast"
	"go/types"
	"strings"
)

// nameFields converts T{1, 2} to T{x: 1, y: 2} if T is a struct of an earlier cell with unexported
// fields. go/types does not let an unkeyed literal set unexported fields of another package. For
// named fields, it compares packages by their paths, and all cells have the same path. nameFields
// reports whether it has changed anything.
func (r *Result) nameFields(files []*ast.File) bool {
	if !r.hasUnnamedField() {
		return false
	}
	changed := false
	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			if lit, ok := n.(*ast.CompositeLit); ok && r.nameFieldsOf(lit) {
				changed = true
			}
			return true
		})
	}
	return changed
}

func (r *Result) hasUnnamedField() bool {
	for _, e := range r.Errors {
		if strings.HasPrefix(e.Msg, "implicit assignment to unexported field ") {
			return true
		}
	}
	return false
}

func (r *Result) nameFieldsOf(lit *ast.CompositeLit) bool {
	t := r.Info.TypeOf(lit)
	if t == nil {
		return false
	}
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem() // an element &T{} without its type
	}
	st, ok := t.Underlying().(*types.Struct)
	if !ok || len(lit.Elts) != st.NumFields() {
		return false
	}
	earlier := false
	for i, e := range lit.Elts {
		f := st.Field(i)
		if _, keyed := e.(*ast.KeyValueExpr); keyed || f.Name() == "_" {
			return false
		}
		if !f.Exported() {
			if f.Pkg().Path() != r.Package.Path() {
				return false
			}
			earlier = earlier || f.Pkg() != r.Package
		}
	}
	if !earlier {
		return false
	}
	for i, e := range lit.Elts {
		key := &ast.Ident{NamePos: e.Pos(), Name: st.Field(i).Name()}
		lit.Elts[i] = &ast.KeyValueExpr{Key: key, Colon: e.Pos(), Value: e}
	}
	return true
}
