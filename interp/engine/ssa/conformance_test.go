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

// Reasons that several programs share.
const (
	asksForCaller   = "asks the runtime for its caller, which sees the frames of the engine"
	asksForGarbage  = "depends on when garbage is collected: a frame keeps what it has pointed to until it is left"
	notInThisBinary = "needs cgo, another platform or packages beside it"
	runsTools       = "runs the go command or looks for files where Go's own test runner puts them"
)

// notRight are the programs of Go's own tests that the engine does not run
// right, and why.
var notRight = map[string]string{
	"abi/uglyfib.go": "heavy recursion: takes longer than the time limit on a busy machine",

	"closure.go":             "counts allocations",
	"fixedbugs/issue4618.go": "counts allocations",
	"heapsampling.go":        "counts allocations",

	"fixedbugs/bug347.go":      asksForCaller,
	"fixedbugs/bug348.go":      asksForCaller,
	"fixedbugs/issue14646.go":  asksForCaller,
	"fixedbugs/issue18149.go":  asksForCaller,
	"fixedbugs/issue21879.go":  asksForCaller,
	"fixedbugs/issue22083.go":  asksForCaller,
	"fixedbugs/issue22662.go":  asksForCaller,
	"fixedbugs/issue27201.go":  asksForCaller,
	"fixedbugs/issue29504.go":  asksForCaller,
	"fixedbugs/issue33724.go":  asksForCaller,
	"fixedbugs/issue4562.go":   asksForCaller,
	"fixedbugs/issue58300.go":  asksForCaller,
	"fixedbugs/issue58300b.go": asksForCaller,
	"fixedbugs/issue5856.go":   asksForCaller,
	"fixedbugs/issue7690.go":   asksForCaller,

	"fixedbugs/bug369.go":        runsTools,
	"fixedbugs/issue10607.go":    runsTools,
	"fixedbugs/issue21317.go":    runsTools,
	"fixedbugs/issue9355.go":     runsTools,
	"fixedbugs/issue9862_run.go": runsTools,
	"linkobj.go":                 runsTools,

	"fixedbugs/bug514.go":              notInThisBinary,
	"fixedbugs/issue15071.dir/main.go": notInThisBinary,
	"fixedbugs/issue29612.dir/main.go": notInThisBinary,
	"fixedbugs/issue31959.dir/main.go": notInThisBinary,
	"fixedbugs/issue38093.go":          notInThisBinary,
	"fixedbugs/issue40954.go":          notInThisBinary,
	"fixedbugs/issue42032.go":          notInThisBinary,
	"fixedbugs/issue42076.go":          notInThisBinary,
	"fixedbugs/issue46903.go":          notInThisBinary,
	"fixedbugs/issue51733.go":          notInThisBinary,

	"fixedbugs/issue15002.go": "faults on purpose in memory that it has mapped",
	"fixedbugs/issue8606b.go": "faults on purpose in memory that it has mapped",

	"fixedbugs/issue15281.go":  asksForGarbage,
	"fixedbugs/issue24491b.go": asksForGarbage,
	"fixedbugs/issue27518b.go": asksForGarbage,
	"fixedbugs/issue32477.go":  asksForGarbage,
	"fixedbugs/issue45045.go":  asksForGarbage,
	"fixedbugs/issue46725.go":  asksForGarbage,
	"fixedbugs/issue57823.go":  asksForGarbage,
	"stackobj.go":              asksForGarbage,
	"stackobj3.go":             asksForGarbage,
	"typeparam/chans.go":       asksForGarbage,

	"fixedbugs/issue31546.go": "looks at a blank field",

	"fixedbugs/issue53137.go": "unsafe.Offsetof of a type parameter's field",
	"typeparam/issue47716.go": "unsafe.Offsetof of a type parameter's field",

	"fixedbugs/issue72844.go": "go/ssa reads through the pointer in a range over an array of which only the length is used",
	"fixedbugs/issue73476.go": "go/ssa reads through the pointer in a range over an array of which only the length is used",

	"nilptr.go": "needs a variable at a low address",

	"peano.go": "recurses deeper than the limit",

	"recover.go": "recovers in a method called through package reflect",
}
