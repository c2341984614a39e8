package interp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/types"
	"slices"

	"github.com/gokernel/gokernel/interp/engine"
	"github.com/gokernel/gokernel/interp/magic"
	"github.com/gokernel/gokernel/interp/scope"
	"github.com/gokernel/gokernel/interp/source"
	"github.com/gokernel/gokernel/interp/tests"
)

// mayTest returns an error if the engine can't run tests.
func (s *Session) mayTest() error {
	if _, ok := s.compiler.Engine.(engine.PanicCarrier); !ok {
		return fmt.Errorf("%%test: on the engine %s, a test that fails could end the session; choose the default engine", s.compiler.Engine.Name())
	}
	return nil
}

// Tests implements magic.Session. The tests are in the order of their declarations.
func (h host) Tests() (*tests.Set, error) {
	h.s.mu.Lock()
	defer h.s.mu.Unlock()
	c := h.s.compiler
	if err := h.s.mayTest(); err != nil {
		return nil, err
	}
	var list []*scope.Declaration
	for _, name := range c.Scope.Names() {
		d := c.Scope.Lookup(name)
		if f, ok := d.Obj.(*types.Func); ok && f.Signature().TypeParams().Len() == 0 {
			list = append(list, d)
		}
	}
	slices.SortStableFunc(list, func(a, b *scope.Declaration) int {
		return cmp.Or(cmp.Compare(a.Cell.Run, b.Cell.Run), cmp.Compare(a.Start, b.Start))
	})
	set := &tests.Set{}
	for _, d := range list {
		if !tests.Named(d.Name) {
			continue
		}
		if f, err := c.Engine.Func(d.Obj.(*types.Func)); err == nil {
			set.Add(d.Name, f, d.Cell.Slice(d.Start, d.End))
		}
	}
	return set, nil
}

// CellPackages implements magic.Session.
func (h host) CellPackages() []string { return h.s.compiler.Sources.Declared() }

// Stop implements magic.Session.
func (h host) Stop(cause error) { h.s.running.cancel(cause) }

// PackageTests implements magic.Session.
func (h host) PackageTests(ctx context.Context, path string, out magic.Output) (*tests.Set, error) {
	s := h.s
	if err := s.mayTest(); err != nil {
		return nil, err
	}
	if s.compiler.Graded && !slices.Contains(h.CellPackages(), path) {
		return nil, errors.New("%test: homework can use only the packages that are compiled into the kernel")
	}
	t, changes, err := s.compiler.Sources.Tests(ctx, path, func(line string) { out.Stderr(line + "\n") })
	if err != nil {
		return nil, fmt.Errorf("%%test: %w", err)
	}
	s.mu.Lock()
	s.compiler.NoteChanges(changes)
	code, err := s.compiler.Initializer(h.p.Src.Run, t.Packages)
	s.mu.Unlock()
	if err == nil {
		err = code.Run(ctx)
	}
	if err != nil {
		return nil, fmt.Errorf("%%test %s: %w", path, err)
	}
	set := &tests.Set{Dir: t.Dir}
	err = t.Functions(func(p *source.Package, fn *ast.FuncDecl, text string) {
		f, ok := p.Types.Scope().Lookup(fn.Name.Name).(*types.Func)
		if !ok || f.Signature().TypeParams().Len() > 0 || !tests.Named(fn.Name.Name) {
			return
		}
		if v, err := s.compiler.Engine.Func(f); err == nil {
			set.Add(fn.Name.Name, v, text)
		}
	})
	return set, err
}
