package yaegi_test

import (
	"strings"
	"testing"
	"time"

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
		"Cells/faults": "the interpreter does not report which index was out of range",
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
	"Programs/order":       "values with methods in any do not reach compiled code",
	"Programs/reflection":  "package reflect sees struct types without names",
	"Programs/services":    "templates see struct types without names",
	"Programs/variables":   "values with methods in any do not reach compiled code",
	"Cells/generics":       "%T needs names of types",
	"Cells/types":          "%T needs names of types",
}

func TestGoPrograms(t *testing.T) {
	enginetest.GoPrograms{Known: notRight(), MayRefuse: true, Limit: 20 * time.Second}.Run(t)
}

// notRight lists the programs of GOROOT/test that this engine neither runs correctly nor refuses.
func notRight() map[string]string {
	known := make(map[string]string)
	for reason, programs := range map[string]string{
		"the interpreter does not report which index was out of range": `
			fixedbugs/issue15002.go fixedbugs/issue30116.go fixedbugs/issue30116u.go fixedbugs/issue75327.go fixedbugs/issue7690.go`,
		"there is no stack with the functions and lines of cells, nor an error type of the runtime": `
			fixedbugs/issue19040.go fixedbugs/issue22083.go fixedbugs/issue27201.go fixedbugs/issue33724.go fixedbugs/issue58300.go
			fixedbugs/issue58300b.go inline_literal.go fixedbugs/issue16130.go`,
		"counts allocations or samples the heap": `
			closure.go fixedbugs/issue15277.go fixedbugs/issue4618.go fixedbugs/issue4667.go`,
		"a value that is not used is not evaluated, so that a nil pointer in it is not noticed": `
			fixedbugs/issue23734.go fixedbugs/issue38496.go fixedbugs/issue43835.go`,
		"a shift by a negative count is not noticed": `
			fixedbugs/issue19113.go`,
		"the nil of a composite type is not the nil of a case": `
			fixedbugs/issue53635.go`,
		"channels of different directions are not compared": `
			fixedbugs/issue67190.go`,
		"the length of an array behind a nil pointer is taken from the array": `
			const4.go fixedbugs/bug454.go fixedbugs/issue26094.go fixedbugs/issue52072.go fixedbugs/issue72844.go fixedbugs/issue73476.go
			range.go`,
		"types are distinguished by their structure, not by their names": `
			fixedbugs/bug461.go fixedbugs/issue18595.go fixedbugs/issue31546.go fixedbugs/issue56990.go fixedbugs/issue57309.go recover2.go
			typeparam/cons.go typeparam/eface.go typeparam/equal.go typeparam/issue49295.go typeparam/issue51522a.go typeparam/issue54456.go
			typeparam/list2.go typeparam/typeswitch1.go typeparam/typeswitch2.go`,
		"operands of one statement are evaluated in an order that the specification does not allow": `
			fixedbugs/issue21687.go fixedbugs/issue23017.go fixedbugs/issue50672.go chan/powser2.go fixedbugs/bug343.go`,
		"a type that is a pointer to itself is walked without end": `
			fixedbugs/bug336.go`,
		"the sign of a zero constant is lost": `
			fixedbugs/issue27718.go`,
		"print of nil pointers, slices and maps shows nil": `
			deferprint.go goprint.go`,
		"a size that is too large for make is reported in the words of package reflect": `
			fixedbugs/issue4085b.go makeslice.go`,
		enginetest.TooSlow: `
			abi/defer_aggregate.go abi/fibish.go abi/uglyfib.go copy.go divmod.go fixedbugs/issue13169.go
			fixedbugs/issue16249.go fixedbugs/issue40629.go fixedbugs/issue59680.go fixedbugs/issue79186.go fixedbugs/issue80188.go
			ken/divconst.go ken/modconst.go gc2.go nosplit.go
			typeparam/issue47901.go`,
	} {
		for program := range strings.FieldsSeq(programs) {
			known[program] = reason
		}
	}
	return known
}
