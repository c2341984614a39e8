// Package engines has the engines that a session can run on, joined to the
// compiled packages.
package engines

import (
	"reflect"

	"github.com/gokernel/gokernel/interp/engine"
	"github.com/gokernel/gokernel/interp/engine/ssa"
	"github.com/gokernel/gokernel/interp/engine/yaegi"
	"github.com/gokernel/gokernel/interp/symbols"
	"github.com/gokernel/gokernel/interp/symbols/table"
)

// Open makes an engine for a session.
type Open func(hooks engine.Hooks, packages *symbols.Importer) (engine.Engine, error)

// Default is the name of the engine that sessions run on when nothing else is
// asked for.
const Default = "ssa"

// ByName has every engine.
var ByName = map[string]Open{"ssa": SSA, "yaegi": Yaegi}

// Check says why the default engine cannot run on this machine; nil means that
// it can.
func Check() error {
	if err := ssa.Check(); err != nil {
		return err
	}
	return symbols.Check()
}

// SSA makes the default engine. It fails where the runtime is not what it was
// built for.
func SSA(hooks engine.Hooks, packages *symbols.Importer) (engine.Engine, error) {
	if err := symbols.Check(); err != nil {
		return nil, err
	}
	return ssa.New(ssaConfig(hooks, packages))
}

// Yaegi makes the fallback engine, which runs everywhere and less of Go.
func Yaegi(hooks engine.Hooks, packages *symbols.Importer) (engine.Engine, error) {
	return yaegi.New(packages, hooks)
}

// ssaConfig returns the ssa engine the symbols.
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
		Hidden: table.Hidden,
		Generics: func(path string) (*ssa.Source, error) {
			g, err := packages.Generics(path)
			if g == nil {
				return nil, err
			}
			return &ssa.Source{Fset: g.Fset, Package: g.Package, Files: g.Files, Info: g.Info}, nil
		},
	}
}
