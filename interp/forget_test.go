package interp_test

import (
	"fmt"
	"runtime"
	"testing"
)

// The session frees cells that are no longer needed. A freed cell costs 2 kB, including its text
// for excerpts in errors.
func TestCellsAreGivenBack(t *testing.T) {
	const cells = 500
	for _, format := range []string{
		"x := %[1]d; s := 0; for j := range x%%50 { s += j }; _ = s",
		"func f(a int) int { if a > %[1]d { return a*%[1]d }; return a + %[1]d }",
		`len("abc%[1]d") + %[1]d`,
		`fmt.Println("hello", %[1]d)`,
		"total := 0\nadd := func(n int) { total += n }\nfor i := range 3 { add(i + %[1]d) }\ntotal",
		"v := []float64{1, 2, %[1]d}\nw := v*2 + 1\nw",
		"done := make(chan int)\ngo func() { done <- %[1]d }()\n<-done",
	} {
		n := open(t)
		for i := range 50 {
			n.must(fmt.Sprintf(format, i))
		}
		n.forgotten()
		before := heap()
		for i := range cells {
			n.must(fmt.Sprintf(format, 1000+i))
		}
		n.forgotten()
		if got := float64(heap()-before) / cells / 1000; got > 2 {
			t.Errorf("%.1f kB are left of each cell %s", got, format)
		}
		runtime.KeepAlive(n)
	}
}

// forgotten frees the unreachable cells. Each collection finds some of them, which refer to others,
// and the next cell removes those.
func (n *notebook) forgotten() {
	n.tb.Helper()
	for range 3 {
		n.must("_ = 0")
		runtime.GC()
	}
}

// Code that can still be called continues to work when no name refers to its cell.
func TestForgottenCellsGoOn(t *testing.T) {
	n := open(t)
	n.must(`kept := []func() int{}
type Shape interface{ Area() float64 }
type Square struct{ Side float64 }
var shapes []any`)
	n.must(`count := 40
func next() int { count++; return count }
kept = append(kept, next, func() int { return func() int { return next() + count }() })`)
	n.must(`wait, answer := make(chan int), make(chan int)
func later(n int) int { if n == 0 { return count }; return later(n - 1) }
go func() { answer <- <-wait + func() int { return later(2) }() }()`)
	n.must(`use := func(x any) string { s, ok := x.(Shape); return fmt.Sprint(ok && s != nil, ok && s.Area() == 4) }
shapes = append(shapes, use, Square{2})`)
	n.must("w, a := wait, answer")
	n.must(`func next() int { return -1 }
func later(s string) string { return s }
count, wait, answer, use := "other", 1.5, 2.5, 0`)
	n.forgotten()
	// next was declared again with the same type, so earlier code uses the new declaration; count
	// was not.
	for _, tt := range [][2]string{
		{"kept[0]()", "-1"},
		{"kept[1]()", "39"},
		{"w <- 1; <-a", "41"},
		{`shapes[0].(func(any) string)(shapes[1])`, `"false false"`},
		{"func (s Square) Area() float64 { return s.Side * s.Side }\nshapes[0].(func(any) string)(Square{2})", `"true true"`},
	} {
		if got := n.must(tt[0]); got != tt[1] {
			t.Errorf("%s is %s, want %s", tt[0], got, tt[1])
		}
		n.forgotten()
	}
}

// Instances of generic functions, and forms for a debugger, are made from code that refers to
// variables and functions of cells that no name refers to.
func TestForgottenCellsAreUsedLater(t *testing.T) {
	n := open(t)
	n.must("extra := 2\nfunc plus(n int) int { return n + extra }")
	n.must(`func twice(n int) int { return 2*n + plus(0) + extra }
func pair[T any](x T) (T, int) { return x, plus(1) + extra }`)
	n.must("extra := \"other\"\nfunc plus(s string) string { return s }")
	n.forgotten()
	for _, tt := range [][2]string{
		{"twice(4)", "12"},
		{"fmt.Sprint(pair(1.5))", `"1.5 5"`},
	} {
		if got := n.must(tt[0]); got != tt[1] {
			t.Errorf("%s is %s, want %s", tt[0], got, tt[1])
		}
		n.forgotten()
	}
	p := &panel{notebook: n}
	for _, command := range []string{"initialize", "attach"} {
		if r := p.ask(command, nil); r["success"] != true {
			t.Fatalf("%s: %v", command, r["message"])
		}
	}
	for _, tt := range [][2]string{
		{"twice(5)", "14"},
		{"fmt.Sprint(pair(\"a\"))", `"a5"`},
	} {
		if got := n.must(tt[0]); got != tt[1] {
			t.Errorf("%s with a debugger is %s, want %s", tt[0], got, tt[1])
		}
	}
}
