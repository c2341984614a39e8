package ssa_test

import (
	"bytes"
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/gokernel/gokernel/interp/engine"
	"github.com/gokernel/gokernel/interp/engine/ssa"
	"github.com/gokernel/gokernel/interp/symbols"
)

// session runs cells that consist of declarations, with the statements of each in a func main.
type session struct {
	t       testing.TB
	e       *ssa.Engine
	im      *symbols.Importer
	fset    *token.FileSet
	n       int
	visible map[string]types.Object

	mu    sync.Mutex
	out   bytes.Buffer
	wrote func() // called after a cell has written; may be nil
}

func newSession(t testing.TB, hooks engine.Hooks) *session {
	t.Helper()
	s := &session{t: t, im: symbols.NewImporter(), fset: token.NewFileSet(), visible: map[string]types.Object{}}
	write := func(_ int, b []byte) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.out.Write(b)
		if s.wrote != nil {
			s.wrote()
		}
	}
	hooks.Stdout, hooks.Stderr = write, write
	e, err := newEngine(hooks, s.im)
	if err != nil {
		t.Fatal(err)
	}
	s.e = e.(*ssa.Engine)
	return s
}

// compile checks and compiles a cell.
func (s *session) compile(src string) (engine.Code, error) {
	s.n++
	f, err := parser.ParseFile(s.fset, fmt.Sprintf("cell [%d]", s.n), "package main; "+src, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	info := &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Implicits: map[ast.Node]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{}, Scopes: map[ast.Node]*types.Scope{},
		Instances: map[*ast.Ident]types.Instance{}, FileVersions: map[*ast.File]string{},
	}
	pkg := types.NewPackage("main", "main")
	declared := map[string]bool{}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			declared[d.Name.Name] = declared[d.Name.Name] || d.Recv == nil
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					declared[spec.Name.Name] = true
				case *ast.ValueSpec:
					for _, n := range spec.Names {
						declared[n.Name] = true
					}
				}
			}
		}
	}
	for name, obj := range s.visible {
		if !declared[name] {
			pkg.Scope().Insert(obj)
		}
	}
	conf := &types.Config{Importer: s.im, GoVersion: "go1.26", Sizes: types.SizesFor("gc", runtime.GOARCH)}
	if err := types.NewChecker(conf, s.fset, pkg, info).Files([]*ast.File{f}); err != nil {
		return nil, err
	}
	cell := &engine.Cell{Number: s.n, Fset: s.fset, Package: pkg, Files: []*ast.File{f}, Info: info, Replaces: map[types.Object]types.Object{}}
	cell.Entry, _ = pkg.Scope().Lookup("main").(*types.Func)
	for name := range declared {
		obj := pkg.Scope().Lookup(name)
		if obj == nil || name == "main" || name == "_" {
			continue
		}
		if old := s.visible[name]; old != nil && reflect.TypeOf(old) == reflect.TypeOf(obj) && types.Identical(old.Type(), obj.Type()) {
			cell.Replaces[old] = obj
		}
		s.visible[name] = obj
	}
	delete(s.visible, "main")
	return s.e.Compile(cell)
}

// run runs a cell and returns its output.
func (s *session) run(ctx context.Context, src string) (string, error) {
	s.t.Helper()
	code, err := s.compile(src)
	if err != nil {
		s.t.Fatalf("cell [%d]: %v", s.n, err)
	}
	err = code.Run(ctx)
	return s.taken(), err
}

// taken returns the output since the last call of taken.
func (s *session) taken() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := s.out.String()
	s.out.Reset()
	return out
}

// want runs a cell and fails unless it prints want.
func (s *session) want(src, want string) {
	s.t.Helper()
	got, err := s.run(s.t.Context(), src)
	if err != nil {
		s.t.Fatalf("cell [%d]: %v", s.n, err)
	}
	if strings.TrimSpace(got) != strings.TrimSpace(want) {
		s.t.Errorf("cell [%d] printed:\n%s\nwant:\n%s", s.n, got, want)
	}
}

// printed runs a cell and returns its output and its panic.
func (s *session) printed(src string) string {
	s.t.Helper()
	out, err := s.run(s.t.Context(), src)
	if err != nil {
		out += err.Error()
	}
	return out
}
