package ssa

import (
	"context"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/gokernel/gokernel/interp/engine"
)

// loaded is a package from source that is in the program.
type loaded struct {
	in          *engine.Package
	info        *types.Info
	pkg         *ssa.Package
	initialized bool
	completed   map[*ssa.Function]bool // built with everything they reach; see bodies.go
}

// load adds packages from source to the program and returns the packages that have not been
// initialized. The caller must hold the lock building. load panics with an *engine.Refusal.
func (e *Engine) load(packages []*engine.Package) ([]*loaded, error) {
	var waiting, created []*loaded
	for _, p := range packages {
		l := e.packageOf(p.Types)
		if l == nil {
			e.m.Fsets.Store(p.Types, p.Fset)
			info, err := e.resolve(p.Info)
			if err != nil {
				return nil, err
			}
			l = &loaded{in: p, completed: map[*ssa.Function]bool{}}
			l.info = ownInfo(info)
			orderAhead(p.Files, l.info, p.Types)
			l.pkg = e.prog.CreatePackage(p.Types, p.Files, l.info, false)
			e.packages.Store(p.Types, l)
			created = append(created, l)
		}
		if !l.initialized {
			waiting = append(waiting, l)
		}
	}
	e.link(created)
	for _, l := range created {
		e.begin(l.pkg)
	}
	return waiting, nil
}

// packageOf returns a package from source, or nil for any other package.
func (e *Engine) packageOf(pkg *types.Package) *loaded {
	l, _ := e.packages.Load(pkg)
	p, _ := l.(*loaded)
	return p
}

// initialize sets the embedded variables of a package and runs its initialization.
func (l *loaded) initialize(ctx context.Context, e *Engine, number int) error {
	for _, p := range l.in.Preset {
		v, err := e.Var(p.Var)
		if err != nil {
			return err
		}
		if err := p.Set(v); err != nil {
			return err
		}
	}
	if err := e.m.Run(ctx, number, e.m.Function(l.pkg.Func("init"))); err != nil {
		return err
	}
	l.initialized = true
	return nil
}

// packages refuses packages whose initialization needs something that the engine does not support.
func (s *survey) packages(list []*loaded) {
	for _, l := range list {
		s.function(l.pkg.Func("init"), token.NoPos)
	}
}
