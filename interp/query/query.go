// Package query answers questions about the code of a cell from what a compiler knows: completion
// and documentation at the cursor. Sessions of kernels and drafts of notebooks use it.
package query

import (
	"go/ast"
	"go/format"
	"go/types"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"sync"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/interp/complete"
	"github.com/gokernel/gokernel/interp/cursor"
	"github.com/gokernel/gokernel/interp/inspect"
	"github.com/gokernel/gokernel/interp/magic"
	"github.com/gokernel/gokernel/interp/pipeline"
	"github.com/gokernel/gokernel/interp/source"
	"github.com/gokernel/gokernel/interp/symbols"
	"github.com/gokernel/gokernel/kernel/evaluator"
)

// Source is what the answers are based on. Its methods must not be called while the compiler works.
type Source struct {
	Compiler *pipeline.Compiler
	// Keys returns the keys of a variable's value. It may be nil.
	Keys func(variable string) complete.Keys
	// SQL returns what the query of a cell %%sql can name. It may be nil.
	SQL func(database string) complete.SQL
	// Named lists the packages and modules that the notebook names, as in %get. If it is nil,
	// completion offers only packages that need no import line.
	Named func() []string
	// Dir is the directory that the paths of files are relative to; "" means the current one.
	Dir string
}

// Complete returns the completions at the cursor, a byte offset of the code.
func (s *Source) Complete(code string, cursor int) evaluator.Completion {
	c := s.Compiler
	env := &complete.Env{
		Env:      s.Cursor(),
		Session:  c.Scope.Names(),
		Prelude:  c.Scope.PreludeNames(),
		Packages: packageList(),
		Imported: s.importedPackages(),
		Paths:    c.Sources.Paths,
		Magics:   magicList(),
		FieldDoc: s.fieldDoc,
		Topic:    algorithm,
		Files:    s.files,
		Keys:     s.Keys,

		SQL:       s.SQL,
		Databases: c.Scope.Databases(),
		Values:    c.Scope.Values(),
	}
	if s.Named != nil {
		env.Modules, env.Load = s.Modules, s.load
	}
	return complete.At(env, code, cursor)
}

// Inspect returns the documentation of the name at the cursor, a byte offset, or false if there is
// none. Detail 1 adds the source of declarations in cells.
func (s *Source) Inspect(code string, cursor, detail int) (display.Bundle, bool) {
	return inspect.At(s.inspect(), code, cursor, detail)
}

func (s *Source) inspect() *inspect.Env {
	return &inspect.Env{Env: s.Cursor(), Doc: s.PackageDoc, Code: s.packageCode, Source: s.Compiler.Scope.Declared, Magic: MagicDoc}
}

// Cursor returns what the code of a cell can refer to.
func (s *Source) Cursor() cursor.Env {
	c := s.Compiler
	return cursor.Env{Importer: c.Sources, Visible: c.Scope.Visible, ImportPath: c.Scope.ImportPath}
}

// packageList returns the packages that cells can import; of packages with the same name, the best
// one is first.
var packageList = sync.OnceValue(func() []complete.Package {
	var list []complete.Package
	for _, p := range symbols.Packages() {
		list = append(list, complete.Package{Path: p.Path, Name: p.Name})
	}
	best := func(p complete.Package) bool { return symbols.Named(p.Name)[0].Path == p.Path }
	sort.SliceStable(list, func(i, j int) bool { return best(list[i]) && !best(list[j]) })
	return list
})

// PackageDoc returns the doc comment of a name of a package.
func (s *Source) PackageDoc(path, name string) string {
	if p := s.Compiler.Sources.Lookup(path); p != nil && !source.IsCompiled(path) {
		return p.Doc(name)
	}
	return compiledDoc(path, name)
}

// compiledDoc returns the doc comment of a name of a compiled package.
func compiledDoc(path, name string) string {
	d, _ := symbols.LookupDoc(path, name)
	return d.Text
}

// packageCode returns the text and the position of a declaration of a package. For the standard
// library, only generic functions have text here.
func (s *Source) packageCode(path, name string) (text, pos string) {
	if p := s.Compiler.Sources.Lookup(path); p != nil && !source.IsCompiled(path) {
		return p.Code(name)
	}
	d, _ := symbols.LookupDoc(path, name)
	if d.Source != "" {
		return d.Source, d.Pos
	}
	g, err := s.Compiler.Packages.Generics(path)
	if err != nil || g == nil {
		return "", d.Pos
	}
	for _, f := range g.Files {
		for _, decl := range f.Decls {
			if fn, ok := decl.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.Name == name && fn.Body != nil {
				var b strings.Builder
				if format.Node(&b, g.Fset, fn) == nil {
					return b.String(), d.Pos
				}
			}
		}
	}
	return "", d.Pos
}

// fieldDoc returns the comment of a field of a package's type.
func (s *Source) fieldDoc(t types.Type, field string) string {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || n.Obj().Pkg() == nil {
		return ""
	}
	return s.PackageDoc(n.Obj().Pkg().Path(), n.Obj().Name()+"."+field)
}

// maxFiles is the maximum number of files of a directory to list.
const maxFiles = 500

// files lists the files whose paths start with the prefix. It lists hidden files only if the prefix
// asks for them.
func (s *Source) files(prefix string) []string {
	dir, base := filepath.Split(prefix)
	open := dir
	if s.Dir != "" && !filepath.IsAbs(open) {
		open = filepath.Join(s.Dir, open)
	} else if open == "" {
		open = "."
	}
	entries, err := os.ReadDir(open)
	if err != nil {
		return nil // there is nothing to offer
	}
	var list []string
	for _, e := range entries {
		name := e.Name()
		if !strings.HasPrefix(name, base) || base == "" && strings.HasPrefix(name, ".") {
			continue
		}
		if e.IsDir() {
			name += "/"
		}
		if list = append(list, dir+name); len(list) == maxFiles {
			break
		}
	}
	return list
}

// Facade is the package that cells import as ml.
const Facade = "github.com/gokernel/gokernel/mlstd"

// algorithm returns the family of an algorithm of the course library and the first sentence of its
// documentation.
func algorithm(o types.Object) (topic, line string) {
	t, ok := o.(*types.TypeName)
	if !ok || o.Pkg() == nil || o.Pkg().Path() != Facade {
		return "", ""
	}
	n, ok := types.Unalias(t.Type()).(*types.Named)
	if !ok || types.IsInterface(n) {
		return "", ""
	}
	if fit, _, _ := types.LookupFieldOrMethod(types.NewPointer(n), false, n.Obj().Pkg(), "Fit"); fit == nil {
		return "", ""
	}
	family := n.Obj().Pkg().Name()
	return family, family + "  " + symbols.Synopsis(Facade, o.Name())
}

func magicList() []complete.Magic {
	var list []complete.Magic
	for _, m := range magic.All() {
		if m.Name != "!" {
			name, _, _ := strings.Cut(m.String(), " ")
			list = append(list, complete.Magic{Name: name, Args: m.Args, Doc: m.Doc})
		}
	}
	return list
}

// MagicDoc returns the documentation of a magic, named with its % signs.
func MagicDoc(name string) (string, bool) {
	for _, m := range magic.All() {
		if full := m.String(); full == name || strings.HasPrefix(full, name+" ") {
			return full + " " + m.Doc, true
		}
	}
	return "", false
}

// Signature returns the signature of the call whose arguments contain the cursor.
func (s *Source) Signature(code string, cursor int) (inspect.Call, bool) {
	return inspect.Signature(s.inspect(), code, cursor)
}
