package interp_test

import (
	"context"
	"strings"
	"testing"
	"time"
)

// If a cell fails before it defines a name, the name keeps its meaning from before the cell: an
// older value, or nothing.
func TestNamesOfFailedCells(t *testing.T) {
	const f = "type T struct{ A, B int }\nfunc f() int { panic(\"no\") }\nfunc g() (int, string) { panic(\"no\") }"
	for _, tt := range []struct {
		name   string
		before string // a cell
		code   string // one that fails
		want   map[string]string
	}{
		{"var", "", "var q = f()", map[string]string{"q": ""}},
		{"define", "", "q := f()", map[string]string{"q": ""}},
		{"var behind a statement", "", "x := 1\nvar q = f()", map[string]string{"x": "1", "q": ""}},
		{"typed var", "", "var q float64 = float64(f())", map[string]string{"q": ""}},
		{"interface", "", "var q any = f()", map[string]string{"q": ""}},
		{"several values", "", "var a, b = 1, f()", map[string]string{"a": "1", "b": ""}},
		{"one call", "", "var a, b = g()", map[string]string{"a": "", "b": ""}},
		{"define from one call", "", "a, b := g()", map[string]string{"a": "", "b": ""}},
		{"group", "", "var (\n\tx = 1\n\ty = f()\n\tz = 3\n)", map[string]string{"x": "1", "y": "", "z": ""}},
		{"one after another", "", "var x = len(\"abc\")\nvar y = f()\nvar z = len(\"z\")", map[string]string{"x": "3", "y": "", "z": ""}},
		{"what needs it", "", "var c = d + 1\nvar d = f()\nvar e = 5", map[string]string{"c": "", "d": "", "e": ""}},
		{"a statement", "", "var k = 3\nvar l = k * 2\npanic(\"no\")", map[string]string{"k": "3", "l": "6"}},
		{"without a value", "", "var n int\nvar q = f()", map[string]string{"n": "0", "q": ""}},
		{"index", "var xs = []int{1}", "var q = xs[3]", map[string]string{"q": "", "xs": "[]int{1}"}},
		{"nil pointer", "var p *T", "var q = p.A", map[string]string{"q": ""}},
		{"assertion", "var v any = 1", "var q = v.(string)", map[string]string{"q": ""}},
		{"literal", "", "var q = []int{1, f()}", map[string]string{"q": ""}},
		{"over a value of the type", "var q = 5", "var q = f()", map[string]string{"q": "5"}},
		{"define over a value of the type", "var q = 5", "q := f()", map[string]string{"q": "5"}},
		{"over a value of another type", "var q = \"old\"", "var q = f()", map[string]string{"q": "\"old\""}},
		{"over a function", "func q() int { return 7 }", "var q = f()", map[string]string{"q()": "7"}},
		{"over a constant", "const q = 8", "var q = f()", map[string]string{"q": "8"}},
		{"over one of two", "var a, b = 1, 2", "var a, b = 3, f()", map[string]string{"a": "3", "b": "2"}},
		{"struct over a struct", "var q = T{1, 2}", "var q = T{A: 3, B: f()}", map[string]string{"q": "T{A: 1, B: 2}"}},
		{"array over an array", "var q = [2]int{1, 2}", "var q = [2]int{3, f()}", map[string]string{"q": "[2]int{1, 2}"}},
		{"struct defined over a struct", "var q = T{1, 2}", "q := T{A: 3, B: f()}", map[string]string{"q": "T{A: 1, B: 2}"}},
	} {
		for _, e := range engineCases {
			t.Run(tt.name+"/"+e.name, func(t *testing.T) {
				n := &notebook{Session: e.open(t), tb: t}
				n.must(f)
				if tt.before != "" {
					n.must(tt.before)
				}
				if _, _, err := n.eval(context.Background(), tt.code); err == nil {
					t.Fatal("the cell has not failed")
				}
				for name, want := range tt.want {
					if e.name == "yaegi" {
						want = strings.ReplaceAll(want, "T{", "struct{") // types of cells have no names in the output
					}
					got, _, err := n.eval(context.Background(), name)
					switch {
					case want == "" && (err == nil || !strings.Contains(err.Error(), "undefined: "+name)):
						t.Errorf("%s is %s, error %v; want that it is undefined", name, got, err)
					case want != "" && (err != nil || got != want):
						t.Errorf("%s is %s, error %v; want %s", name, got, err, want)
					}
				}
			})
		}
	}
}

// The same holds for a stopped cell.
func TestNamesOfStoppedCells(t *testing.T) {
	for _, e := range engineCases {
		t.Run(e.name, func(t *testing.T) {
			n := &notebook{Session: e.open(t), tb: t}
			n.must("started := make(chan bool, 1)")
			ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
			defer cancel()
			if _, _, err := n.eval(ctx, "var a = len(\"a\")\nvar q = func() int { for { a++ } }()\nvar z = 1"); err == nil {
				t.Fatal("the cell has not failed")
			}
			if got := n.must("a > 0"); got != "true" {
				t.Errorf("a > 0 is %s", got)
			}
			for _, name := range []string{"q", "z"} {
				if _, _, err := n.eval(context.Background(), name); err == nil || !strings.Contains(err.Error(), "undefined: "+name) {
					t.Errorf("%s: error %v; want that it is undefined", name, err)
				}
			}
		})
	}
}

// A literal that replaces an older value keeps nothing of it.
func TestLiteralsOverOlderValues(t *testing.T) {
	for _, e := range engineCases {
		t.Run(e.name, func(t *testing.T) {
			n := &notebook{Session: e.open(t), tb: t}
			n.must("type T struct{ A, B int; C [2]int }\nvar q = T{1, 2, [2]int{3, 4}}\nvar a = [3]int{1, 2, 3}")
			n.must("var q = T{B: 5, C: [2]int{1: 6}}\nvar a = [3]int{1: 7}")
			if got := n.must("fmt.Sprint(q, a)"); got != `"{0 5 [0 6]} [0 7 0]"` {
				t.Errorf("got %s", got)
			}
			n.must("q := T{B: 8}\na := [3]int{2: 9}")
			if got := n.must("fmt.Sprint(q, a)"); got != `"{0 8 [0 0]} [0 0 9]"` {
				t.Errorf("got %s", got)
			}
		})
	}
}
