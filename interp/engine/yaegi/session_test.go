package yaegi_test

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gokernel/gokernel/interp/engine"
	"github.com/gokernel/gokernel/interp/engine/yaegi"
	"github.com/gokernel/gokernel/interp/symbols"
)

// session is a minimal frontend for the engine's tests: cells are files of declarations, whose
// function run (or main) holds the statements.
type session struct {
	t      testing.TB
	engine *yaegi.Engine
	im     *symbols.Importer
	scope  []types.Object // still visible
	cells  int
	mu     sync.Mutex
	out    strings.Builder
}

func newSession(t testing.TB) *session {
	s := &session{t: t, im: symbols.NewImporter()}
	write := func(_ int, text []byte) {
		s.mu.Lock()
		s.out.Write(text)
		s.mu.Unlock()
	}
	e, err := yaegi.New(s.im, engine.Hooks{
		Stdout: write, Stderr: write,
		GoPanic: func(cell int, p *engine.Panic) { write(cell, []byte("goroutine: "+p.Text+"\n")) },
	})
	if err != nil {
		t.Fatal(err)
	}
	s.engine = e
	return s
}

// check returns a checked cell for the source of a file without imports or package clause.
func (s *session) check(src string) (*engine.Cell, error) {
	s.cells++
	if !strings.Contains(src, "package ") {
		src = "package main\n" + src
	}
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, fmt.Sprintf("cell[%d]", s.cells), src, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	info := &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Implicits: map[ast.Node]types.Object{}, Instances: map[*ast.Ident]types.Instance{},
		Selections: map[*ast.SelectorExpr]*types.Selection{}, Scopes: map[ast.Node]*types.Scope{},
	}
	pkg := types.NewPackage("main", "main")
	declared := map[string]bool{}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil {
				declared[d.Name.Name] = true
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					declared[spec.Name.Name] = true
				case *ast.ValueSpec:
					for _, id := range spec.Names {
						declared[id.Name] = true
					}
				}
			}
		}
	}
	older := map[string]types.Object{}
	for _, obj := range s.scope {
		older[obj.Name()] = obj
		if !declared[obj.Name()] {
			pkg.Scope().Insert(obj)
		}
	}
	conf := types.Config{Importer: s.im}
	if err := types.NewChecker(&conf, fset, pkg, info).Files([]*ast.File{f}); err != nil {
		return nil, err
	}
	cell := &engine.Cell{Number: s.cells, Fset: fset, Package: pkg, Files: []*ast.File{f}, Info: info, Replaces: map[types.Object]types.Object{}}
	s.scope = nil
	for _, name := range pkg.Scope().Names() {
		obj := pkg.Scope().Lookup(name)
		if name == "run" || name == "main" {
			if obj.Pkg() == pkg {
				cell.Entry = obj.(*types.Func)
			}
			continue
		}
		if old := older[name]; old != nil && old != obj && types.Identical(old.Type(), obj.Type()) {
			cell.Replaces[old] = obj
		}
		s.scope = append(s.scope, obj)
	}
	return cell, nil
}

// run runs a cell and returns its output and its error.
func (s *session) run(src string) (out string, err error) {
	cell, err := s.check(src)
	if err != nil {
		return "", fmt.Errorf("check: %w", err)
	}
	code, err := s.engine.Compile(cell)
	if err != nil {
		return "", err
	}
	s.mu.Lock()
	s.out.Reset()
	s.mu.Unlock()
	ctx, cancel := context.WithTimeout(s.t.Context(), 3*time.Second)
	defer cancel()
	err = code.Run(ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.out.String(), err
}

// text runs a cell and returns the text that a user of the notebook would see.
func (s *session) text(src string) string {
	out, err := s.run(src)
	var r *engine.Refusal
	var p *engine.Panic
	switch {
	case errors.As(err, &r):
		return out + "refused: " + r.Error()
	case errors.As(err, &p):
		return out + "panic: " + p.Text
	case err != nil:
		return out + "error: " + err.Error()
	}
	return out
}
