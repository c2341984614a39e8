package interp

import (
	"context"
	"fmt"
	"go/ast"
	"go/format"
	"go/types"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"sort"
	"strings"
	"sync"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/interp/complete"
	"github.com/gokernel/gokernel/interp/cursor"
	"github.com/gokernel/gokernel/interp/engine"
	"github.com/gokernel/gokernel/interp/inspect"
	"github.com/gokernel/gokernel/interp/magic"
	"github.com/gokernel/gokernel/interp/rewrite"
	"github.com/gokernel/gokernel/interp/source"
	"github.com/gokernel/gokernel/interp/split"
	"github.com/gokernel/gokernel/interp/symbols"
	"github.com/gokernel/gokernel/kernel/evaluator"
)

// IsComplete reports whether code can run as it is.
func (s *Session) IsComplete(code string) evaluator.Completeness { return split.IsComplete(code) }

// Complete returns the completions at the cursor, a byte offset.
func (s *Session) Complete(ctx context.Context, code string, cursor int) (evaluator.Completion, error) {
	if err := inside(code, cursor); err != nil {
		return evaluator.Completion{}, err
	}
	s.peek(ctx, code)
	s.mu.Lock()
	defer s.mu.Unlock()
	env := &complete.Env{
		Env:      s.cursorEnv(),
		Session:  s.compiler.Scope.Names(),
		Prelude:  s.compiler.Scope.PreludeNames(),
		Packages: packageList(),
		Imported: s.importedPackages(),
		Paths:    s.compiler.Sources.Paths,
		Magics:   magicList(),
		FieldDoc: s.fieldDoc,
		Topic:    algorithm,
		Files:    files,
		Keys:     s.keys,
	}
	return complete.At(env, code, cursor), ctx.Err()
}

// maxKeys is the maximum number of keys of a map to offer.
const maxKeys = 500

// keys returns what the value of a variable can be indexed by: the columns of a frame or the keys
// of a map. It returns none while code of cells runs, because that code may be changing the map.
// Reading a map during a write is a fatal error in Go.
func (s *Session) keys(name string) (k complete.Keys) {
	s.running.mu.Lock()
	defer s.running.mu.Unlock()
	d := s.compiler.Scope.Lookup(name)
	if s.running.busy || d == nil {
		return k
	}
	v, ok := d.Obj.(*types.Var)
	if !ok {
		return k
	}
	_, isMap := v.Type().Underlying().(*types.Map)
	if !isMap && !rewrite.IsFrame(v.Type()) {
		return k
	}
	value, err := s.compiler.Engine.Var(v)
	if err != nil {
		return k
	}
	if !isMap {
		if f, ok := value.Interface().(interface{ Names() []string }); ok && !value.IsNil() {
			return complete.Keys{List: f.Names(), Strings: true}
		}
		return k
	}
	e, ok := s.compiler.Engine.(engine.Idler)
	if !ok || !e.Idle() {
		return k
	}
	k.OfMap = true
	key := value.Type().Key().Kind()
	k.Strings = key == reflect.String
	if !k.Strings && (key < reflect.Bool || key > reflect.Float64 || key == reflect.Uintptr) {
		return k
	}
	for keys := value.MapRange(); keys.Next() && len(k.List) < maxKeys; {
		k.List = append(k.List, fmt.Sprint(keys.Key()))
	}
	slices.Sort(k.List)
	return k
}

// Inspect returns the documentation of the name at the cursor, a byte offset, or false if there is
// none. Detail 1 adds the source of declarations in cells.
func (s *Session) Inspect(ctx context.Context, code string, cursor, detail int) (display.Bundle, bool, error) {
	if err := inside(code, cursor); err != nil {
		return display.Bundle{}, false, err
	}
	s.peek(ctx, code)
	s.mu.Lock()
	defer s.mu.Unlock()
	env := &inspect.Env{Env: s.cursorEnv(), Doc: s.packageDoc, Code: s.packageCode, Source: s.compiler.Scope.Declared, Magic: magicDoc}
	b, ok := inspect.At(env, code, cursor, detail)
	return b, ok, ctx.Err()
}

func inside(code string, cursor int) error {
	if cursor < 0 || cursor > len(code) {
		return fmt.Errorf("interp: the cursor %d lies outside of the code, which has %d bytes", cursor, len(code))
	}
	return nil
}

func (s *Session) cursorEnv() cursor.Env {
	return cursor.Env{Importer: s.compiler.Sources, Visible: s.compiler.Scope.Visible, ImportPath: s.compiler.Scope.ImportPath}
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

// packageDoc returns the doc comment of a name of a package.
func (s *Session) packageDoc(path, name string) string {
	if p := s.compiler.Sources.Lookup(path); p != nil && !source.IsCompiled(path) {
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
func (s *Session) packageCode(path, name string) (text, pos string) {
	if p := s.compiler.Sources.Lookup(path); p != nil && !source.IsCompiled(path) {
		return p.Code(name)
	}
	d, _ := symbols.LookupDoc(path, name)
	if d.Source != "" {
		return d.Source, d.Pos
	}
	g, err := s.compiler.Packages.Generics(path)
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
func (s *Session) fieldDoc(t types.Type, field string) string {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || n.Obj().Pkg() == nil {
		return ""
	}
	return s.packageDoc(n.Obj().Pkg().Path(), n.Obj().Name()+"."+field)
}

// maxFiles is the maximum number of files of a directory to list.
const maxFiles = 500

// files lists the files whose paths start with the prefix. It lists hidden files only if the prefix
// asks for them.
func files(prefix string) []string {
	dir, base := filepath.Split(prefix)
	open := dir
	if open == "" {
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

// facade is the package that cells import as ml.
const facade = "github.com/gokernel/gokernel/mlstd"

// algorithm returns the family of an algorithm of the course library and the first sentence of its
// documentation.
func algorithm(o types.Object) (topic, line string) {
	t, ok := o.(*types.TypeName)
	if !ok || o.Pkg() == nil || o.Pkg().Path() != facade {
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
	return family, family + "  " + symbols.Synopsis(facade, o.Name())
}

func magicList() []complete.Magic {
	var list []complete.Magic
	for _, m := range magic.All() {
		if m.Name != "!" {
			name, _, _ := strings.Cut(m.String(), " ")
			list = append(list, complete.Magic{Name: name, Doc: m.Doc})
		}
	}
	return list
}

func magicDoc(name string) (string, bool) {
	for _, m := range magic.All() {
		if full := m.String(); full == name || strings.HasPrefix(full, name+" ") {
			return full + " " + m.Doc, true
		}
	}
	return "", false
}
