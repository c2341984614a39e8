package yaegi_test

import (
	"testing"

	"github.com/gokernel/gokernel/interp/engine"
	"github.com/gokernel/gokernel/interp/engine/enginetest"
	"github.com/gokernel/gokernel/interp/engine/yaegi"
	"github.com/gokernel/gokernel/interp/symbols"
)

func newEngine(hooks engine.Hooks, packages *symbols.Importer) (engine.Engine, error) {
	return yaegi.New(packages, hooks)
}

func TestMain(m *testing.M) { enginetest.Main(m, newEngine) }

func TestSuite(t *testing.T) {
	enginetest.Suite{New: newEngine, Known: known, Inexact: map[string]string{
		"Cells/faults": "the interpreter does not tell which index was out of range",
	}}.Run(t)
}

// known are the programs and cells of the suite that this engine refuses.
var known = map[string]string{
	"Programs/containers":  "iter.Pull ends in the runtime",
	"Programs/embedding":   "an assertion from any to an interface misses methods of cells' types",
	"Programs/encoding":    "encoders see struct types without names, with all fields exported",
	"Programs/errorvalues": "errors.As cannot find a cell's type",
	"Programs/format":      "fmt does not find methods of what lies inside a value",
	"Programs/learning":    "a named number cannot be wrapped as a compiled interface",
	"Programs/mapkeys":     "keys of interface type lose the types of cells",
	"Programs/reflection":  "package reflect sees struct types without names",
	"Programs/services":    "templates see struct types without names",
	"Cells/concurrency":    "the interpreter has no receive with ok in a select",
	"Cells/generics":       "%T needs names of types",
	"Cells/types":          "%T needs names of types",
}
