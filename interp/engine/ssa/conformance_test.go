//go:build (linux || darwin) && (amd64 || arm64)

package ssa_test

import (
	"reflect"
	"testing"

	"github.com/gokernel/gokernel/interp/engine"
	"github.com/gokernel/gokernel/interp/engine/enginetest"
	"github.com/gokernel/gokernel/interp/engine/ssa"
	"github.com/gokernel/gokernel/interp/symbols"
	"github.com/gokernel/gokernel/interp/symbols/table"
)

// newEngine makes an engine over the compiled world, as a session does.
func newEngine(hooks engine.Hooks, packages *symbols.Importer) (engine.Engine, error) {
	return ssa.New(ssa.Config{
		Hooks: hooks,
		Value: func(path, name string) (reflect.Value, bool) {
			p, ok := symbols.Lookup(path)
			if !ok {
				return reflect.Value{}, false
			}
			v, k := p.Lookup(name)
			return v, k == table.Func || k == table.Var
		},
		Type: func(path, name string) reflect.Type {
			p, ok := symbols.Lookup(path)
			if !ok {
				return nil
			}
			return p.TypeOf(name)
		},
		Roots: func(path string) (ts []reflect.Type) {
			if p, ok := symbols.Lookup(path); ok {
				for _, v := range p.All() {
					ts = append(ts, v.Type())
				}
			}
			return ts
		},
		Generics: func(path string) (*ssa.Source, error) {
			g, err := packages.Generics(path)
			if g == nil {
				return nil, err
			}
			return &ssa.Source{Fset: g.Fset, Package: g.Package, Files: g.Files, Info: g.Info}, nil
		},
	})
}

func TestMain(m *testing.M) { enginetest.Main(m, newEngine) }

func TestSuite(t *testing.T) { enginetest.Suite{New: newEngine}.Run(t) }

func TestGoPrograms(t *testing.T) { enginetest.GoPrograms{Known: notRight}.Run(t) }

// notRight are the programs of Go's own tests that the engine does not run
// right, and why.
var notRight = map[string]string{}
