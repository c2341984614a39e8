package ssa_test

import (
	"os"
	"reflect"
	"testing"

	"github.com/gokernel/gokernel/interp/engine"
	"github.com/gokernel/gokernel/interp/engine/enginetest"
	"github.com/gokernel/gokernel/interp/engine/enginetest/progen"
	"github.com/gokernel/gokernel/interp/engine/enginetest/suites"
	"github.com/gokernel/gokernel/interp/engine/ssa"
	"github.com/gokernel/gokernel/interp/symbols"
	"github.com/gokernel/gokernel/interp/symbols/table"
)

// newEngine returns an engine over the compiled packages, like a session's, that checks its
// compiled functions.
func newEngine(hooks engine.Hooks, packages *symbols.Importer) (engine.Engine, error) {
	e, err := ssa.New(ssa.Config{
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
		Hidden: table.Hidden,
		Generics: func(path string) (*ssa.Source, error) {
			g, err := packages.Generics(path)
			if g == nil {
				return nil, err
			}
			return &ssa.Source{Fset: g.Fset, Package: g.Package, Files: g.Files, Info: g.Info}, nil
		},
	})
	if err != nil {
		return nil, err
	}
	switch os.Getenv(debuggedVariable) {
	case "attached":
		e.Debugged()
	case "stepping":
		e.Stepped()
	}
	return e.Checked(), nil
}

// debuggedVariable is the environment variable that attaches a debugger to each engine. The
// debugger either never stops, or steps into each statement.
const debuggedVariable = "GOKERNEL_DEBUGGED"

func TestMain(m *testing.M) {
	suites.Main(newEngine)
	enginetest.Main(m, newEngine)
}

func TestSuite(t *testing.T) { enginetest.Suite{New: newEngine}.Run(t) }

// Code in the form that can be stopped behaves like code in the other form.
func TestSuiteDebugged(t *testing.T) {
	for _, how := range []string{"attached", "stepping"} {
		t.Run(how, func(t *testing.T) {
			t.Setenv(debuggedVariable, how)
			enginetest.Suite{New: newEngine}.Run(t)
		})
	}
}

func TestRandomProgramsDebugged(t *testing.T) {
	t.Setenv(debuggedVariable, "attached")
	enginetest.RandomPrograms{}.Run(t)
}

func TestGeneratedProgramsDebugged(t *testing.T) {
	for _, how := range []string{"attached", "stepping"} {
		t.Run(how, func(t *testing.T) {
			t.Setenv(debuggedVariable, how)
			enginetest.GeneratedPrograms(t)
		})
	}
}

func TestGoPrograms(t *testing.T) { enginetest.GoPrograms{Known: notRight}.Run(t) }

func TestRandomPrograms(t *testing.T) { enginetest.RandomPrograms{}.Run(t) }

// Random programs whose order of evaluation the specification leaves open.
func TestRandomOrders(t *testing.T) { enginetest.RandomPrograms{Source: progen.Orders}.Run(t) }

func TestGeneratedPrograms(t *testing.T) { enginetest.GeneratedPrograms(t) }

func FuzzPrograms(f *testing.F) { enginetest.FuzzPrograms(f) }

// Reasons that several programs share.
const (
	countsMemory = "counts allocations or samples the heap: the engine allocates frames and closures of its own"
	pragma       = "needs the compiler's pragma go:uintptrescapes"
	needsCgo     = "imports runtime/cgo: there is no C in cells"
	faults       = "reads memory that it has made unreadable, to see in which order the compiler checks and reads"
)

// notRight has a reason for each program in Go's own tests that the engine runs incorrectly.
var notRight = map[string]string{
	"abi/uglyfib.go": "recursion of many results for minutes: takes longer than the time limit",

	"closure.go":             countsMemory,
	"fixedbugs/issue4618.go": countsMemory,
	"heapsampling.go":        countsMemory,

	"fixedbugs/issue24491a.go": pragma,
	"fixedbugs/issue24491b.go": pragma,
	"uintptrescapes3.go":       pragma,

	"fixedbugs/bug514.go":     needsCgo,
	"fixedbugs/issue40954.go": needsCgo,
	"fixedbugs/issue42032.go": needsCgo,
	"fixedbugs/issue42076.go": needsCgo,
	"fixedbugs/issue46903.go": needsCgo,
	"fixedbugs/issue51733.go": needsCgo,

	"fixedbugs/issue15002.go": faults,
	"fixedbugs/issue8606b.go": faults,

	"fixedbugs/issue7690.go": "wants the directory of the source file in a stack trace; cells have none",

	"nilptr.go": "needs a variable at an address above 256 MB below which nothing is mapped",
}
