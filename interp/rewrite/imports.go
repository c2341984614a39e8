package rewrite

import (
	"go/ast"
	"go/token"
	"strconv"

	"github.com/gokernel/gokernel/interp/check"
)

// Import adds imports for package names that the files of the unit mention and nothing declares.
// Path returns the import path for a name and for the members that the files use.
func (u *Unit) Import(visible func(name string) bool, path func(f *ast.File, name string, members []string) (string, bool)) {
	declared := check.Declared(u.Files())
	for _, f := range u.Files() {
		imported := map[string]bool{}
		for _, s := range f.Imports {
			imported[ImportName(s)] = true
		}
		var order []string
		members := map[string][]string{}
		at := map[string]token.Pos{}
		for _, d := range f.Decls {
			ast.Inspect(d, func(n ast.Node) bool {
				sel, ok := n.(*ast.SelectorExpr)
				if !ok {
					return true
				}
				id, ok := sel.X.(*ast.Ident)
				if !ok || declared[id.Name] || imported[id.Name] || Reserved(id.Name) || visible(id.Name) {
					return true
				}
				if members[id.Name] == nil {
					order = append(order, id.Name)
					at[id.Name] = id.Pos()
				}
				members[id.Name] = append(members[id.Name], sel.Sel.Name)
				return true
			})
		}
		for _, name := range order {
			p, ok := path(f, name, members[name])
			if !ok {
				continue
			}
			spec := &ast.ImportSpec{Name: ident(name, at[name]), Path: &ast.BasicLit{ValuePos: at[name], Kind: token.STRING, Value: strconv.Quote(p)}}
			if f == u.File {
				u.addImport(spec)
			} else {
				f.Imports = append(f.Imports, spec)
				f.Decls = append([]ast.Decl{&ast.GenDecl{TokPos: at[name], Tok: token.IMPORT, Specs: []ast.Spec{spec}}}, f.Decls...)
			}
		}
	}
}

// Added reports whether Import added the import. A name that is declared within a function looks
// like the name of a package to Import, so nothing may use such an import.
func Added(s *ast.ImportSpec) bool { return s.Name != nil && s.Name.Pos() == s.Path.Pos() }

// ImportName returns the name of an import in a file: its explicit name, or the name that the path
// suggests.
func ImportName(s *ast.ImportSpec) string {
	if s.Name != nil {
		return s.Name.Name
	}
	path, err := strconv.Unquote(s.Path.Value)
	if err != nil {
		return ""
	}
	return PackageName(path)
}

// PackageName returns the name that an import path suggests: its last element
// that is not a version.
func PackageName(path string) string {
	end := len(path)
	for {
		start := end
		for start > 0 && path[start-1] != '/' {
			start--
		}
		elem := path[start:end]
		if start > 0 && len(elem) > 1 && elem[0] == 'v' && isDigits(elem[1:]) {
			end = start - 1
			continue
		}
		return elem
	}
}

func isDigits(s string) bool {
	for _, c := range s {
		if c < '0' || c > '9' {
			return false
		}
	}
	return s != ""
}
