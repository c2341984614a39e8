package yaegi_test

import (
	"context"
	"errors"
	"go/types"
	"strings"
	"testing"
	"time"

	"github.com/gokernel/gokernel/interp/engine"
)

func TestCellsShareTheirDeclarations(t *testing.T) {
	s := newSession(t)
	for _, tt := range []struct{ cell, want string }{
		{`var x = 1`, ""},
		{`import "fmt"; var y = x + 1; func f(a int) int { return a + y }; func run() { x = 10; fmt.Println(x, y, f(3)) }`, "10 2 5\n"},
		{`type P struct{ a int }; func (p P) Sum(b int) int { return p.a + b }; var p = P{3}`, ""},
		{`import "fmt"; func run() { fmt.Println(p.Sum(1), x) }`, "4 10\n"},
		{`func Twice[T any](v T) []T { return []T{v, v} }`, ""},
		{`import "fmt"; func run() { fmt.Println(Twice("a"), len(Twice(p))) }`, "[a a] 2\n"},
		{`func g() int { return 1 }; func h() int { return 10 * g() }; var lit = func() int { return g() }`, ""},
		{`import "fmt"; func run() { fmt.Println(h(), lit()) }`, "10 1\n"},
		{`func g() int { return 2 }`, ""},
		{`import "fmt"; func run() { fmt.Println(h(), lit()) }`, "20 2\n"},
		{`func g() int { return 3 }`, ""},
		{`import "fmt"; func run() { fmt.Println(h(), lit()) }`, "30 3\n"},
		{`var x int`, ""}, // the session zeroes it
		{`import "fmt"; func run() { fmt.Println(x, f(0)) }`, "10 2\n"},
		{`var x = "text"`, ""},
		{`import "fmt"; func run() { fmt.Println(x) }`, "text\n"},
		{`type P struct{ b string }; func (p P) Sum(b int) string { return p.b }`, ""},
		{`import "fmt"; func run() { fmt.Println(P{b: "new"}.Sum(1), p.Sum(1)) }`, "new 4\n"},
	} {
		if got := s.text(tt.cell); got != tt.want {
			t.Errorf("%s\ngot  %q\nwant %q", tt.cell, got, tt.want)
		}
	}
}

// If one value of an assignment is a composite literal, the interpreter assigns none of the other
// values.
func TestSeveralValuesWithALiteral(t *testing.T) {
	s := newSession(t)
	cell := `import "fmt"
type T struct{ n int }
func run() {
	d, e := 0, any(nil)
	for i := range 2 {
		a, b := 0, []int{i}
		m, c := map[int]T{i: {i}}, 0
		d, e = 0, T{i}
		fmt.Print(a, b, m, c, d, e.(T).n, ";")
		a, c, d = 1, 1, 1
	}
}`
	if got, want := s.text(cell), "0 [0] map[0:{0}] 0 0 0;0 [1] map[1:{1}] 0 0 1;"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestRefusals(t *testing.T) {
	for _, tt := range []struct{ name, cell, want string }{
		{"reflect", `import "reflect"; type T struct{}; func run() { _ = reflect.TypeOf(T{}) }`, "reflect.TypeOf of T, a type of a cell"},
		{"json", `import "encoding/json"; type T struct{ a int }; func run() { _, _ = json.Marshal(T{}) }`, "json.Marshal of T"},
		{"defer in a loop", `func run() { for i := range 3 { defer print(i) } }`, "defer with computed arguments in a loop"},
		{"defer in a range over a function", `func run() { for range func(y func() bool) { y() } { defer print() } }`, "defer inside a range over a function"},
		{"verb", `import "fmt"; type T struct{}; func run() { fmt.Printf("%T", T{}) }`, "%T of T"},
		{"Stringer in a slice", `import "fmt"; type T struct{}; func (T) String() string { return "" }; func run() { fmt.Println([]T{{}}) }`, "whose method String compiled code would not find"},
		{"named number in any", `type C float64; func run() { var x any = C(1); _, _ = x.(float64) }`, "cannot tell apart"},
		{"error value", `import "os"; type E struct{}; func (E) Error() string { return "" }; func run() { _, err := os.Open("/no"); _, _ = err.(E) }`, "an assertion from error"},
		{"error comparison", `import ("io"; "os"); type E struct{}; func (E) Error() string { return "" }; func run() { _, err := os.Open("/no"); _ = err == io.EOF }`, "a comparison of error values"},
		{"atomic", `import "sync/atomic"; func run() { var p atomic.Pointer[int]; _ = p.Load() }`, "the generic type sync/atomic.Pointer"},
		{"iter.Pull", `import ("iter"; "slices"); func run() { iter.Pull(slices.Values([]int{1})) }`, "the generic function iter.Pull"},
	} {
		s := newSession(t)
		got := s.text(tt.cell)
		if !strings.HasPrefix(got, "refused: ") || !strings.Contains(got, tt.want) {
			t.Errorf("%s: got %q, want a refusal with %q", tt.name, got, tt.want)
		}
		if got := s.text(`import "fmt"; func run() { fmt.Print("alive") }`); got != "alive" {
			t.Errorf("%s: the next cell gave %q", tt.name, got)
		}
	}
}

func TestPanicSaysWhere(t *testing.T) {
	s := newSession(t)
	_, err := s.run("func at(a []int, i int) int {\n\tb := i + 1\n\treturn a[b]\n}\nfunc run() {\n\tat([]int{1}, 3)\n}")
	var p *engine.Panic
	if !errors.As(err, &p) {
		t.Fatalf("got %v, want a panic", err)
	}
	if len(p.Stack) == 0 || p.Stack[0].Func != "at" || p.Stack[0].Pos.Line != 4 {
		t.Errorf("stack is %v, want at in line 4", p.Stack)
	}
}

func TestInterrupt(t *testing.T) {
	for _, cell := range []string{
		`func run() { for {} }`,
		`func run() { select {} }`,
		`func run() { <-make(chan int) }`,
	} {
		s := newSession(t)
		if got := s.text(`var kept = 7`); got != "" {
			t.Fatal(got)
		}
		c, err := s.check(cell)
		if err != nil {
			t.Fatal(err)
		}
		code, err := s.engine.Compile(c)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		err = code.Run(ctx)
		cancel()
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s: got %v, want the context's error", cell, err)
		}
		if got := s.text(`import "fmt"; func run() { fmt.Print(kept) }`); got != "7" {
			t.Errorf("%s: the next cell gave %q", cell, got)
		}
	}
}

func TestVarTypeFunc(t *testing.T) {
	s := newSession(t)
	if got := s.text(`type P struct{ X, Y int }; var n = 3; var p = P{1, 2}; func add(a, b int) int { return a + b }`); got != "" {
		t.Fatal(got)
	}
	objects := map[string]types.Object{}
	for _, obj := range s.scope {
		objects[obj.Name()] = obj
	}
	n, err := s.engine.Var(objects["n"].(*types.Var))
	if err != nil || n.Int() != 3 {
		t.Fatalf("n is %v, %v", n, err)
	}
	n.SetInt(8)
	if got := s.text(`import "fmt"; func run() { fmt.Print(n) }`); got != "8" {
		t.Errorf("after setting it n is %s", got)
	}
	p, err := s.engine.Var(objects["p"].(*types.Var))
	if err != nil || p.Field(1).Int() != 2 {
		t.Errorf("p is %v, %v", p, err)
	}
	typ, err := s.engine.Type(types.NewSlice(objects["P"].Type()))
	if err != nil || typ.Elem() != p.Type() {
		t.Errorf("type of []P is %v, %v", typ, err)
	}
	add, err := s.engine.Func(objects["add"].(*types.Func))
	if err != nil {
		t.Fatal(err)
	}
	if got := add.Interface().(func(int, int) int)(2, 3); got != 5 {
		t.Errorf("add(2, 3) is %d", got)
	}
}

// Functions of package slices are compiled for slices of basic types, no matter how the types are
// named, and interpreted for all other slices.
func TestCompiledInstances(t *testing.T) {
	s := newSession(t)
	for _, tt := range []struct{ cell, want string }{
		{`import ("fmt"; "slices"); func run() { x := []float64{3, 1, 2}; slices.Sort(x); i, ok := slices.BinarySearch(x, 2); fmt.Println(x, i, ok, slices.Max(x), slices.Min(x)) }`, "[1 2 3] 1 true 3 1\n"},
		{`import ("fmt"; "slices"); func run() { x := []string{"b", "a", "a"}; slices.Reverse(x); x = slices.Compact(x); fmt.Println(x, slices.Contains(x, "b"), slices.Index(x, "b"), slices.IsSorted(x)) }`, "[a b] true 1 true\n"},
		{`import ("fmt"; "slices"); func run() { x := []byte("cab"); f := slices.Sort[[]byte]; f(x); fmt.Println(string(x), slices.Equal(x, []byte("abc")), slices.Compare([]rune("a"), []rune("b"))) }`, "abc true -1\n"},
		{`import ("fmt"; "slices"); func sorted[T int | float64](x ...T) []T { slices.Sort(x); return x }; func run() { fmt.Println(sorted(3, 1), sorted(2.5, 1)) }`, "[1 3] [1 2.5]\n"},
		{`import ("fmt"; "slices"); type S []int; func run() { x := S{2, 1}; slices.Sort(x); fmt.Println(x) }`, "[1 2]\n"},
		{`import ("fmt"; "slices"); type N int; func run() { x := []N{2, 1}; slices.Sort(x); fmt.Println(x, slices.Max(x)) }`, "[1 2] 2\n"},
		{`import ("fmt"; "slices"); func run() { defer func() { fmt.Println(recover()) }(); slices.Max([]int{}) }`, "slices.Max: empty list\n"},
		// This sort would take minutes if it were interpreted.
		{`import ("fmt"; "slices"); func run() { x := make([]float64, 1_000_000); for i := range x { x[i] = float64(i * 7919 % 1_000_003) }; slices.Sort(x); fmt.Println(slices.IsSorted(x)) }`, "true\n"},
	} {
		if got := s.text(tt.cell); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.cell, got, tt.want)
		}
	}
}
