package pipeline

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/gokernel/gokernel/interp/check"
	"github.com/gokernel/gokernel/interp/engine"
	"github.com/gokernel/gokernel/interp/source"
	"github.com/gokernel/gokernel/interp/symbols"
	"github.com/gokernel/gokernel/kernel/evaluator"
)

// A cell that begins with %%package NAME is a plain Go file: a complete package of that name, which
// later cells can import. The session checks it at once and initializes it when a cell first uses
// it.

// ownPackage declares the package of a cell.
func (c *Compiler) ownPackage(p *Program) *evaluator.Error {
	m := p.Cell.Whole
	fail := func(msg, hint string) *evaluator.Error {
		return c.Advice.Present(p.Src, []check.Error{{Pos: m.Pos, End: m.Pos + token.Pos(len(m.Text)), Msg: msg, Hint: hint}}, nil)
	}
	name := m.Args
	switch _, runs := c.Engine.(engine.PackageRunner); {
	case !runs:
		return fail("%%package: the fallback engine runs no packages from source", "")
	case !token.IsIdentifier(name) || name == "_" || name == "main":
		return fail(fmt.Sprintf("%%%%package: %q is not the name of a package", name), "write %%package stats, and import \"stats\" in a later cell")
	case source.IsCompiled(name):
		return fail("%%package: "+name+" is a package of the standard library", "choose another name")
	}
	if strings.TrimSpace(m.Body) == "" {
		return fail("%%package: the cell holds nothing else", "write imports and declarations on the next lines")
	}
	text := strings.Repeat("\n", strings.Count(p.Src.Text[:int(m.Pos-p.Src.Base)], "\n")) + "package " + name + "\n" + m.Body
	f, err := parser.ParseFile(c.Fset, p.Src.Name, text, parser.ParseComments)
	if err != nil {
		return c.Advice.Present(p.Src, c.syntaxErrors(f, err), nil)
	}
	c.addPackages(f)
	var paths []string
	for _, s := range f.Imports {
		if path, err := strconv.Unquote(s.Path.Value); err == nil && !source.IsCompiled(path) && c.Sources.Lookup(path) == nil {
			paths = append(paths, path)
		}
	}
	if len(paths) > 0 {
		at := map[string]token.Pos{}
		for _, s := range f.Imports {
			if path, err := strconv.Unquote(s.Path.Value); err == nil {
				at[path] = s.Path.Pos()
			}
		}
		if err := c.prepare(p, paths, at); err != nil {
			return err
		}
	}
	change, errs, err := c.Sources.Declare(name, f, text)
	switch {
	case len(errs) > 0:
		return c.Advice.Present(p.Src, typeErrors(errs), nil)
	case err != nil:
		return fail(err.Error(), "")
	}
	if change != nil {
		c.changes = append(c.changes, *change)
	}
	c.Scope.AddSource(p.Src)
	c.Scope.SetImport(name, name)
	return nil
}

// syntaxErrors returns the errors of the parser.
func (c *Compiler) syntaxErrors(f *ast.File, err error) []check.Error {
	list, ok := err.(scanner.ErrorList)
	if !ok || f == nil {
		return []check.Error{{Msg: err.Error()}}
	}
	var errs []check.Error
	file := c.Fset.File(f.FileStart)
	for _, e := range list {
		pos := file.Pos(min(e.Pos.Offset, file.Size()))
		errs = append(errs, check.Error{Pos: pos, Msg: e.Msg})
	}
	return errs
}

func typeErrors(list []types.Error) []check.Error {
	var errs []check.Error
	for _, e := range list {
		errs = append(errs, check.Error{Pos: e.Pos, End: e.Pos + 1, Msg: e.Msg})
	}
	return errs
}

// addPackages adds missing imports to a file, as in cells.
func (c *Compiler) addPackages(f *ast.File) {
	open := map[*ast.Ident]bool{}
	for _, id := range f.Unresolved {
		open[id] = true
	}
	for _, s := range f.Imports {
		for id := range open {
			if path, err := strconv.Unquote(s.Path.Value); err == nil && id.Name == c.importName(s, path) {
				delete(open, id)
			}
		}
	}
	members := map[string][]string{}
	ast.Inspect(f, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			if id, ok := sel.X.(*ast.Ident); ok && open[id] {
				members[id.Name] = append(members[id.Name], sel.Sel.Name)
			}
		}
		return true
	})
	for _, name := range slices.Sorted(maps.Keys(members)) {
		path, ok := c.Scope.ImportPath(name, members[name])
		if !ok {
			continue
		}
		spec := &ast.ImportSpec{Name: &ast.Ident{Name: name, NamePos: f.Name.End()}, Path: &ast.BasicLit{Kind: token.STRING, Value: strconv.Quote(path), ValuePos: f.Name.End()}}
		f.Imports = append(f.Imports, spec)
		f.Decls = append([]ast.Decl{&ast.GenDecl{Tok: token.IMPORT, TokPos: f.Name.End(), Specs: []ast.Spec{spec}}}, f.Decls...)
	}
}

// importName returns the name of an import in a file.
func (c *Compiler) importName(s *ast.ImportSpec, path string) string {
	if s.Name != nil {
		return s.Name.Name
	}
	if q := c.Sources.Lookup(path); q != nil {
		return q.Types.Name()
	}
	if q, ok := symbols.Lookup(path); ok {
		return q.Name
	}
	return path[strings.LastIndexByte(path, '/')+1:]
}
