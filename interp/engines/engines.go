// Package engines has the engines that a session can run on, joined to the
// compiled packages.
package engines

import (
	"github.com/gokernel/gokernel/interp/engine"
	"github.com/gokernel/gokernel/interp/engine/yaegi"
	"github.com/gokernel/gokernel/interp/symbols"
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
	if err := checkSSA(); err != nil {
		return err
	}
	return symbols.Check()
}

// Yaegi makes the fallback engine, which runs everywhere and less of Go.
func Yaegi(hooks engine.Hooks, packages *symbols.Importer) (engine.Engine, error) {
	return yaegi.New(packages, hooks)
}
