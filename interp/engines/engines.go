// Package engines lists the engines for sessions and connects them to the compiled packages.
package engines

import (
	"github.com/gokernel/gokernel/interp/engine"
	"github.com/gokernel/gokernel/interp/engine/yaegi"
	"github.com/gokernel/gokernel/interp/symbols"
)

// Open creates an engine for a session.
type Open func(hooks engine.Hooks, packages *symbols.Importer) (engine.Engine, error)

// Default is the name of the engine that sessions use by default.
const Default = "ssa"

// ByName maps names to engines.
var ByName = map[string]Open{"ssa": SSA, "yaegi": Yaegi}

// Check explains why the default engine can't run on this machine, or returns nil if it can.
func Check() error {
	if err := checkSSA(); err != nil {
		return err
	}
	return symbols.Check()
}

// Yaegi returns the fallback engine, which runs everywhere but supports less of Go.
func Yaegi(hooks engine.Hooks, packages *symbols.Importer) (engine.Engine, error) {
	return yaegi.New(packages, hooks)
}
