package interp_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
)

// Types whose declarations have been replaced stay in memory, but little else of their cells does.
// The test compares their memory with that of a cell of statements, which keeps less than 1 kB.
func TestReplacedTypesCostLittle(t *testing.T) {
	const cells = 300
	for _, tt := range []struct {
		format string
		most   float64 // kB
	}{
		{"type reading struct{ At, Value%[1]d float64 }\n\nfunc (r reading) Double() float64 { return 2 * r.Value%[1]d }\n\nreading{1, 2}.Double()", 8},
		{"type record struct{ Name string; Age%[1]d int }\n\nvar one record\nfmt.Println(one)", 4},
		{"type shape interface{ Area() float64 }\n\ntype square struct{ Side, Tilt%[1]d float64 }\n\nfunc (s square) Area() float64 { return s.Side * s.Side }\n\nshapes := []shape{square{2, 0}}\nfor _, s := range shapes {\n\tfmt.Println(s.Area())\n}", 12},
		{"type stack[T any] struct{ items []T; used%[1]d int }\n\nfunc (s *stack[T]) Push(x T) { s.items = append(s.items, x) }\n\nwords := &stack[string]{}\nwords.Push(\"a\")\nlen(words.items)", 22},
		// The method is called, and the cell has much else.
		{"type counter struct{ N, Step%[1]d int }\n\nfunc (c *counter) add(n int) {\n\tfor range n {\n\t\tc.N++\n\t}\n}\n\nc := &counter{}\nfor i := range 10 {\n\tif i%%3 == 0 {\n\t\tc.add(i)\n\t}\n}\ntotals := map[string]int{\"a\": c.N, \"b\": 2}\nfor k, v := range totals {\n\tfmt.Println(k, v)\n}", 12},
	} {
		n := open(t)
		for i := range 50 {
			n.must(fmt.Sprintf(tt.format, i))
		}
		n.forgotten()
		before := heap()
		for i := range cells {
			n.must(fmt.Sprintf(tt.format, 1000+i))
		}
		n.forgotten()
		if got := float64(heap()-before) / cells / 1000; got > tt.most {
			t.Errorf("%.1f kB are left of each cell, want at most %v: %s", got, tt.most, tt.format)
		}
		runtime.KeepAlive(n)
	}
}

// The variables of a cell that declares types are freed when nothing can refer to them, and only
// then.
func TestVariablesOfReplacedTypes(t *testing.T) {
	n := open(t)
	n.must("type block struct{ a [1 << 10]int }\nlarge := make([]block, 4<<10)\nsmall := 7\nfunc (b block) use() int { return small + b.a[0] }\nvar keep interface{ use() int } = large[0]")
	n.must("held := keep\nread := func() int { return small }")
	before := heap()
	n.must("type block struct{ b int }\nlarge, small, keep := 1, \"other\", 2")
	n.forgotten()
	if freed := before - heap(); freed < 30<<20 {
		t.Errorf("%d MB are freed, want the 32 MB of the variable that was replaced", freed>>20)
	}
	for _, code := range []string{"held.use()", "read()"} {
		if got := n.must(code); got != "7" {
			t.Errorf("%s is %s, want 7", code, got)
		}
	}
}

// generation declares the same names in another way each time, and keeps values of them wherever a
// value can be. %[1]d is the number of the generation.
const generation = `import (
	"encoding/json"
	"errors"
	"reflect"
	"slices"
)

type inner struct{ N%[1]d int }

func (i inner) Name() string { return fmt.Sprint("inner", i.N%[1]d) }

func (i *inner) Add(n int) { i.N%[1]d += n }

type Item struct {
	inner
	Label%[1]d string
}

func (x Item) String() string { return fmt.Sprint("<", x.Label%[1]d, suffix(x.N%[1]d), ">") }

func (x Item) MarshalJSON() ([]byte, error) { return json.Marshal(map[string]any{"gen": generation[%[1]d], "label": x.Label%[1]d}) }

func (x *Item) Later() int { calls[%[1]d]++; x.Add(calls[%[1]d]); return x.N%[1]d }

func (x Item) Wait() int {
	n := <-gate
	return n + x.late()
}

func (x Item) late() int { return limit + len(suffix(x.N%[1]d)) }

type Fault struct{ Code%[1]d int }

func (f *Fault) Error() string { return fmt.Sprint("fault ", f.Code%[1]d) }

type Stack[T any] struct{ items []T; gen%[1]d int }

func (s *Stack[T]) Push(x T) { s.items = append(s.items, x) }

func (s *Stack[T]) Len() int { return len(s.items) + generation[%[1]d] }

type Kind int

func (k Kind) String() string { return [...]string{"zero", "one", "two"}[int(k)%%3] + suffix(int(k)) }

func suffix(n int, _ ...[%[1]d]int) string { return fmt.Sprint("/", n, "/", generation[%[1]d]) }

func local() any {
	type point struct{ X, Y%[1]d int }
	return []point{{generation[%[1]d], 2}}
}

const limit = 1000 * (%[1]d + 1)

// Objects of another type do not replace those of the generation before.
var generation = [%[1]d + 1]int{%[1]d: %[1]d}
var calls = [%[1]d + 1]int{%[1]d: 10 * %[1]d}

item := Item{inner{%[1]d}, "g%[1]d"}
all = append(all, item, &item, []Item{item}, map[Item]int{item: %[1]d}, Kind(%[1]d), local(), [2]any{item, Kind(1)})
keys[item], keys[Kind(%[1]d)], keys[inner{%[1]d}] = %[1]d, %[1]d, %[1]d
types[reflect.TypeFor[Item]()] = %[1]d
failures = append(failures, fmt.Errorf("wrapped: %%w", &Fault{%[1]d}))
bound = append(bound, item.String, (&item).Name, item.inner.Name)
stacks = append(stacks, &Stack[Item]{items: []Item{item}}, &Stack[int]{})
tests = append(tests, func(x any) string {
	switch x := x.(type) {
	case Item:
		return "Item " + x.Label%[1]d
	case *Item:
		return "*Item " + x.Label%[1]d
	case Kind:
		return "Kind " + x.String()
	}
	return "other"
})
go func(x Item) { results <- x.Wait() }(item)
channels = append(channels, func() chan any { c := make(chan any, 2); c <- item; c <- &Fault{%[1]d}; return c }())
slices.Sort([]Kind{2, 1})
text, err := json.Marshal(item)
fmt.Println(string(text), err, errors.Is(err, err))`

const generations = `all := []any{}
keys := map[any]int{}
types := map[reflect.Type]int{}
failures := []error{}
bound := []func() string{}
stacks := []interface{ Len() int }{}
tests := []func(any) string{}
channels := []chan any{}
gate, results := make(chan int), make(chan int, 100)`

// TestRetiredTypesLive uses values of types whose declarations have been replaced: in interfaces,
// as keys of maps, in channels, in goroutines that wait in their methods, in func values, and in
// the tables of compiled packages. Methods are called for the first time after their cell has been
// retired. `make collector` repeats it with a collector that overwrites what it frees.
func TestRetiredTypesLive(t *testing.T) {
	n := open(t)
	n.must(`import "reflect"
` + generations)
	const count = 4
	for i := range count {
		n.must(fmt.Sprintf(generation, i))
		n.forgotten()
	}
	// The last generation is replaced, too.
	n.must("type Item struct{ last bool }")
	n.must("type inner float64\ntype Kind float64\ntype Fault []int\ntype Stack struct{}\nfunc suffix(s string) string { return s }\nfunc local(n int) {}\nvar limit, generation, calls, item string")
	n.forgotten()
	const each = 7
	for i := range count {
		at := func(k int) string { return fmt.Sprintf("all[%d]", each*i+k) }
		for _, tt := range [][2]string{
			{"fmt.Sprint(" + at(0) + ")", fmt.Sprintf(`"<g%d/%[1]d/%[1]d>"`, i)},
			{"fmt.Sprint(" + at(1) + ")", fmt.Sprintf(`"<g%d/%[1]d/%[1]d>"`, i)},
			{"fmt.Sprint(" + at(2) + ")", fmt.Sprintf(`"[<g%d/%[1]d/%[1]d>]"`, i)},
			{"fmt.Sprint(" + at(3) + ")", fmt.Sprintf(`"map[<g%d/%[1]d/%[1]d>:%[1]d]"`, i)},
			{"fmt.Sprint(" + at(4) + ")", fmt.Sprintf(`"%s/%d/%d"`, []string{"zero", "one", "two"}[i%3], i, count-1)}, // identical in all generations
			{"fmt.Sprintf(`%+v`, " + at(5) + ")", fmt.Sprintf(`"[{X:%d Y%[1]d:2}]"`, i)},
			{"text, err = json.Marshal(" + at(0) + ")\nstring(text)", fmt.Sprintf("%q", fmt.Sprintf(`{"gen":%d,"label":"g%[1]d"}`, i))},
			// Later is called for the first time: through an interface, and by way of reflection.
			{at(1) + ".(interface{ Later() int }).Later()", fmt.Sprint(i + 10*i + 1)},
			{"reflect.ValueOf(" + at(1) + ").MethodByName(`Later`).Call(nil)[0].Int()", fmt.Sprint(i + 10*i + 1 + 10*i + 2)},
			{at(1) + ".(interface{ Name() string }).Name()", fmt.Sprintf(`"inner%d"`, i+10*i+1+10*i+2)}, // promoted
			{"keys[" + at(0) + "]", fmt.Sprint(i)},
			{"keys[" + at(4) + "]", fmt.Sprint(i)},
			{"types[reflect.TypeOf(" + at(0) + ")]", fmt.Sprint(i)},
			{fmt.Sprintf("failures[%d].Error()", i), fmt.Sprintf(`"wrapped: fault %d"`, i)},
			{fmt.Sprintf("bound[%d]() + bound[%d]() + bound[%d]()", 3*i, 3*i+1, 3*i+2), fmt.Sprintf(`"<g%d/%[1]d/%[1]d>inner%[1]dinner%[1]d"`, i)},
			{fmt.Sprintf("stacks[%d].Len()", 2*i), fmt.Sprint(1 + i)},
			{fmt.Sprintf("stacks[%d].(interface{ Push(int) }).Push(1)\nstacks[%[1]d].Len()", 2*i+1), fmt.Sprint(1 + i)},
			{fmt.Sprintf("tests[%d](", i) + at(0) + ") + " + fmt.Sprintf("tests[%d](all[%d])", i, each*((i+1)%count)), fmt.Sprintf(`"Item g%dother"`, i)},
			{fmt.Sprintf("fmt.Sprint(<-channels[%d], <-channels[%[1]d])", i), fmt.Sprintf(`"<g%d/%[1]d/%[1]d> fault %[1]d"`, i)},
		} {
			if got := n.must(tt[0]); got != tt[1] {
				t.Errorf("%s is %s, want %s", tt[0], got, tt[1])
			}
			if strings.Contains(tt[0], "Later") {
				n.forgotten()
			}
		}
	}
	// The goroutines continue in methods of types that no name refers to.
	if got, want := n.must(fmt.Sprintf("sum := 0\nfor range %d {\n\tgate <- 5\n}\nfor range %[1]d {\n\tsum += <-results\n}\nsum", count)), "10036"; got != want {
		t.Errorf("the goroutines return %s together, want %s", got, want)
	}
}

// A debugger can be attached after types have been replaced, and stops in what is left.
func TestDebuggerAfterReplacedTypes(t *testing.T) {
	n := open(t)
	n.must("var shelf any")
	n.must("type old struct{ A int }\nfunc (o old) get() int { return o.A + extra }\nextra := 2\nshelf = old{1}")
	n.must("func twice(n int) int { return 2*n + extra }\nvalue := old{5}.get()")
	n.must("type old struct{ B string }\nextra := \"other\"")
	n.forgotten()
	p := &panel{notebook: n}
	for _, command := range []string{"initialize", "attach"} {
		if r := p.ask(command, nil); r["success"] != true {
			t.Fatalf("%s: %v", command, r["message"])
		}
	}
	if got := n.must("twice(4) + shelf.(interface{ get() int }).get()"); got != "13" {
		t.Errorf("got %s, want 13", got)
	}
	n.must("type old struct{ C float64 }\nold{1.5}")
	n.forgotten()
	if got := n.must("twice(5) + shelf.(interface{ get() int }).get()"); got != "15" {
		t.Errorf("got %s, want 15", got)
	}
}

func TestWhoShowsReplacedTypes(t *testing.T) {
	n := open(t)
	who := func(magic string) string {
		t.Helper()
		_, out, err := n.eval(t.Context(), magic)
		if err != nil {
			t.Fatal(err)
		}
		return out.stdout.String()
	}
	n.must("type P struct{ X int }\ntype Q interface{ M() }\nfunc (P) M() {}\nfunc (*P) N() {}\nx := 1")
	if got := who("%who"); strings.Contains(got, "replaced") {
		t.Errorf("%%who says %q, but nothing has been replaced", got)
	}
	n.must("type P struct{ Y string }\ntype Q int\nx := \"a\"")
	const want = "replaced types: 2, with 2 methods, about 11.2 kB; they stay in memory, because values of these types can still exist\n"
	for _, magic := range []string{"%who", "%who type"} {
		if got := who(magic); got != want {
			t.Errorf("%s says %q, want %q", magic, got, want)
		}
	}
	if got := who("%who var"); got != "" {
		t.Errorf("%%who var says %q", got)
	}
}
