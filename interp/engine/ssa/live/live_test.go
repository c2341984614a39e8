package live_test

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"testing"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"

	"github.com/gokernel/gokernel/interp/engine/ssa/live"
)

// function builds the function f of a file.
func function(t *testing.T, src string) *ssa.Function {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "f.go", "package p\n"+src, 0)
	if err != nil {
		t.Fatal(err)
	}
	conf := &types.Config{Importer: importer.Default()}
	pkg, _, err := ssautil.BuildPackage(conf, fset, types.NewPackage("p", "p"), []*ast.File{file}, 0)
	if err != nil {
		t.Fatal(err)
	}
	return pkg.Func("f")
}

// plan assigns a slot of its own to every value.
var plan = &live.Plan{
	Placed: func(v ssa.Value) bool {
		_, alloc := v.(*ssa.Alloc)
		_, extract := v.(*ssa.Extract)
		return !alloc && !extract
	},
	Fused: func(ssa.Value) bool { return false },
	Alike: types.Identical,
}

// phis returns the phis of a function by the names of their variables.
func phis(fn *ssa.Function) map[string]*ssa.Phi {
	all := map[string]*ssa.Phi{}
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			if phi, ok := in.(*ssa.Phi); ok {
				all[phi.Comment] = phi
			}
		}
	}
	return all
}

func TestCounterOfLoopSharesItsPlace(t *testing.T) {
	fn := function(t, `func f(n int) int {
		s := 0
		for i := 0; i < n; i++ {
			s += i
		}
		return s
	}`)
	class := live.Share(fn, plan)
	for name, phi := range phis(fn) {
		next := phi.Edges[1] // i + 1 or s + i
		if class[next] == nil || class[next] != class[phi] {
			t.Errorf("%s and what it becomes have places %v and %v", name, class[phi], class[next])
		}
	}
}

// The old value is still live when the new value is set.
func TestValueThatIsNeededLongerHasItsOwnPlace(t *testing.T) {
	fn := function(t, `func g(a, b int)
	func f(n int) {
		i := 0
		for i < n {
			next := i + 1
			g(i, next)
			i = next
		}
	}`)
	phi := phis(fn)["i"]
	next := phi.Edges[1]
	class := live.Share(fn, plan)
	if class[phi] != nil && class[phi] == class[next] {
		t.Errorf("%v and %v share a place", phi, next)
	}
	if _, _, clash := live.Find(fn, plan).Clash([]ssa.Value{phi, next}); !clash {
		t.Errorf("%v and %v do not clash", phi, next)
	}
}

// No class has two values that are live at the same time, and a swap has both live.
func TestClassesDoNotClash(t *testing.T) {
	fn := function(t, `func f(n int) (int, int) {
		a, b := 1, n
		for i := 0; i < n; i++ {
			if i%3 == 0 {
				a, b = b, a
			} else {
				a, b = b, a+b
			}
		}
		return a, b
	}`)
	classes := map[ssa.Value][]ssa.Value{}
	for v, leader := range live.Share(fn, plan) {
		classes[leader] = append(classes[leader], v)
	}
	if len(classes) == 0 {
		t.Fatal("nothing shares a place")
	}
	ranges := live.Find(fn, plan)
	for _, values := range classes {
		if a, b, clash := ranges.Clash(values); clash {
			t.Errorf("%s and %s share a place", a.Name(), b.Name())
		}
	}
	if _, _, clash := ranges.Clash([]ssa.Value{phis(fn)["a"], phis(fn)["b"]}); !clash {
		t.Error("a and b do not clash")
	}
}

func TestFlow(t *testing.T) {
	fn := function(t, `
	func use(*int)
	func gc()
	func f(p, q *int, again bool) {
		for again {
			use(p)
			gc()
		}
		use(q)
		gc()
	}`)
	flow := live.Flow{
		Operands: func(in ssa.Instruction) (vs []ssa.Value) {
			for _, o := range in.Operands(nil) {
				if *o != nil {
					vs = append(vs, *o)
				}
			}
			return vs
		},
		Derived: map[ssa.Value][]ssa.Value{},
	}
	flow.Solve(fn.Blocks)
	p, q := fn.Params[0], fn.Params[1]
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			call, ok := in.(*ssa.Call)
			if !ok || call.Call.StaticCallee().Name() != "gc" {
				continue
			}
			inLoop := len(b.Succs) > 0
			if live := flow.At(in); live[p] != inLoop || live[q] != inLoop {
				t.Errorf("in the loop %v: p is needed %v, q %v", inLoop, live[p], live[q])
			}
		}
	}
	if at := flow.AtStart(fn.Blocks[0]); !at[p] || !at[q] {
		t.Error("the parameters are not needed at the start")
	}
}

func TestDerived(t *testing.T) {
	fn := function(t, `
	func use(*[3]int)
	func f() int {
		var kept, gone [3]int
		use(&gone)
		s := kept[1:]
		s[0] = 1
		return kept[2] + len(s)
	}`)
	n := map[string]int{"kept": -1, "gone": -1}
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			if a, ok := in.(*ssa.Alloc); ok {
				if addresses, ok := live.Derived(a, nil); ok {
					n[a.Comment] = len(addresses)
				}
			}
		}
	}
	// The addresses for kept are the slice, the slice's element and the array's element.
	if n["kept"] != 3 || n["gone"] != -1 {
		t.Errorf("addresses are %v", n)
	}
}
