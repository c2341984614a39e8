package site

import (
	"bytes"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"go/types"
	"html/template"
	"slices"
	"strings"

	"github.com/gokernel/gokernel/cmd/gokernel/internal/page"
)

// pretty formats source as gofmt does.
func pretty(src string) string {
	if s, err := format.Source([]byte(src)); err == nil {
		return string(s)
	}
	return src
}

// goCode colors Go for a page below the top directory.
func (b *builder) goCode(src string) template.HTML {
	return page.Highlight(src, page.Options{Name: func(pkg, n string) string {
		if pkg == "" {
			return ""
		}
		if f := b.api.page(pkg, n); f != "" {
			return "../" + f
		}
		if v := b.api.of["mlstd/"+pkg+"."+n]; v != nil {
			return "../" + v.File
		}
		return ""
	}})
}

// exportedPart returns the declaration of a type without unexported parts and without field tags.
// Source that does not parse stays unchanged.
func exportedPart(src string) string {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", "package p\n"+src, parser.ParseComments)
	if err != nil || len(file.Decls) != 1 {
		return pretty(src)
	}
	left := false
	ast.Inspect(file.Decls[0], func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.StructType:
			left = onlyExported(n.Fields) || left
			for _, f := range n.Fields.List {
				f.Tag = nil
			}
		case *ast.InterfaceType:
			left = onlyExported(n.Methods) || left
		case *ast.FuncType:
			return false
		}
		return true
	})
	var out bytes.Buffer
	if err := format.Node(&out, fset, file.Decls[0]); err != nil {
		return pretty(src)
	}
	s := out.String()
	if body, ok := strings.CutSuffix(s, "}"); ok && left {
		body = strings.TrimRight(body, " \n")
		if fields, ok := strings.CutSuffix(body, "{"); ok { // none
			body = strings.TrimRight(fields, " ") + " {"
		}
		s = body + "\n\t// what is not exported is left out\n}"
	}
	return s
}

// onlyExported removes unexported fields, and reports whether there were any.
func onlyExported(list *ast.FieldList) (left bool) {
	list.List = slices.DeleteFunc(list.List, func(f *ast.Field) bool {
		names := len(f.Names)
		f.Names = slices.DeleteFunc(f.Names, func(n *ast.Ident) bool { return !n.IsExported() })
		gone := names > 0 && len(f.Names) == 0 || names == 0 && !embedsExported(f.Type)
		left = left || gone || len(f.Names) < names
		return gone
	})
	return left
}

// embedsExported reports whether the name of an embedded type is exported, or the type is a union.
func embedsExported(t ast.Expr) bool {
	switch t := t.(type) {
	case *ast.Ident:
		return t.IsExported() || types.Universe.Lookup(t.Name) != nil
	case *ast.StarExpr:
		return embedsExported(t.X)
	case *ast.IndexExpr:
		return embedsExported(t.X)
	}
	return true
}
