//go:build (linux || darwin || windows) && (amd64 || arm64)

package engines

import (
	"reflect"

	"github.com/gokernel/gokernel/interp/engine"
	"github.com/gokernel/gokernel/interp/engine/ssa"
	"github.com/gokernel/gokernel/interp/symbols"
	"github.com/gokernel/gokernel/interp/symbols/table"
)

// The platforms of the default engine are listed here, in package source, and in the files of
// specific architectures and systems. All other files below engine/ssa have no build constraint,
// and other platforms do not compile them.

func checkSSA() error { return ssa.Check() }

// SSA returns the default engine. It fails if the runtime differs from the one it was built for.
func SSA(hooks engine.Hooks, packages *symbols.Importer) (engine.Engine, error) {
	if err := symbols.Check(); err != nil {
		return nil, err
	}
	return ssa.New(ssaConfig(hooks, packages))
}

// ssaConfig returns the configuration that provides the symbols to the engine.
func ssaConfig(hooks engine.Hooks, packages *symbols.Importer) ssa.Config {
	return ssa.Config{
		Hooks: hooks,
		Value: func(path, name string) (reflect.Value, bool) {
			p, ok := symbols.Lookup(path)
			if !ok {
				return reflect.Value{}, false
			}
			v, kind := p.Lookup(name)
			if f, ok := roomy[path+"."+name]; ok {
				v = f
			}
			return v, kind == table.Func || kind == table.Var
		},
		Type: func(path, name string) reflect.Type {
			p, ok := symbols.Lookup(path)
			if !ok {
				return nil
			}
			return p.TypeOf(name)
		},
		Roots: func(path string) []reflect.Type {
			p, ok := symbols.Lookup(path)
			if !ok {
				return nil
			}
			var list []reflect.Type
			for _, v := range p.All() {
				list = append(list, v.Type())
			}
			return list
		},
		Hidden:     table.Hidden,
		FromSource: table.FromSource,
		Generics: func(path string) (*ssa.Source, error) {
			g, err := packages.Generics(path)
			if g == nil {
				return nil, err
			}
			return &ssa.Source{Fset: g.Fset, Package: g.Package, Files: g.Files, Info: g.Info}, nil
		},
	}
}
