package vet

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"

	"github.com/gokernel/gokernel/interp/check"
	"github.com/gokernel/gokernel/interp/symbols"
)

// TestFind checks functions with and without a probable mistake.
func TestFind(t *testing.T) {
	const quotient = "a quotient of whole numbers"
	for _, tt := range []struct{ body, want string }{
		{"_ = float64(a / b)", quotient},
		{"_ = float64(a/b + 1)", ""},
		{"_, _ = float64(a / 6), a % 6", ""},
		{"_ = float64(6 / 2)", ""},
		{"_ = x * (1 / 2)", quotient},
		{"_ = 1 / 3", quotient},
		{"_ = 7 / 2", ""},
		{"_ = x * (7 / 2)", quotient},
		{"_ = 1 / 2.0", ""},
		{"for v := range xs { x += float64(v) }", "v is the index"},
		{"for i := range xs { x += float64(i) }", ""},
		{"for index := range words { println(index) }", ""},
		{"for word := range words { println(word) }", "word is the index"},
		{"for v := range xs { x += xs[v] }", ""},
		{"for v := range xs { _ = len(xs); println(v) }", ""},
		{"for name := range ages { println(name) }", ""},
		{"for _, v := range xs { v *= 2 }", "v is a copy"},
		{"for _, v := range xs { v *= 2; println(v) }", ""},
		{"for _, p := range points { p.X = 1 }", "p is a copy"},
		{"for _, p := range pointers { p.X = 1 }", ""},
		{"for _, p := range points { p.X = 1; list = append(list, p) }", ""},
		{"for _, p := range points { q := &p; p.X = 1; _ = q }", ""},
		{"for _, v := range rows { v[0] = 1 }", ""},
		{"for _, v := range arrays { v[0] = 1 }", "v is a copy"},
		{"_ = 2 ^ 3", "exclusive or"},
		{"_ = a ^ 2", "exclusive or"},
		{"_ = a ^ b", ""},
		{"_ = a ^ 0x2", ""},
		{"_ = a ^ 1", ""},
		{"_ = a // 2", "begins a comment"},
		{"_ = a // b", "begins a comment"},
		{"_ = (a + b) // 2", "begins a comment"},
		{"_ = len(xs) // 2", "begins a comment"},
		{"_ = xs[0] // 2", "begins a comment"},
		{"_ = a + b // 7", ""},
		{"_ = a // 2 of them", ""},
		{"_ = a // s", ""},
		{"_ = a // nothing", ""},
		{"_ = 7 // 2", ""},
		{"fmt.Println(a) // 2", ""},
		{"_ = a\n// 2", ""},
		{"strings.ToUpper(s)", "returns a new value"},
		{"_ = strings.ToUpper(s)", ""},
		{"fmt.Printf(\"%d\", x)", "of wrong type"},
		{"fmt.Printf(\"%d\", a)", ""},
		{"fmt.Println(\"%d\", a)", "formatting directive"},
		{"fmt.Printf(s)", "non-constant format string"},
		{"fmt.Printf(\"%d %d\", a)", "reads arg"},
		{"_ = string(rune(a))", ""},
		{"_ = string(a)", "the character with that number"},
	} {
		text := `package main
import ("fmt"; "strings")
type point struct{ X int }
var ( a, b int; x float64; s string; xs []float64; words []string; ages map[string]int; points, list []point; pointers []*point; rows [][]int; arrays [][2]int )
var _, _ = fmt.Sprint, strings.ToUpper
func f() { ` + tt.body + "\n}"
		found := find(t, text)
		switch {
		case tt.want == "" && len(found) > 0:
			t.Errorf("%s: found %q", tt.body, found)
		case tt.want != "" && (len(found) != 1 || !strings.Contains(found[0], tt.want)):
			t.Errorf("%s: found %q, want %q", tt.body, found, tt.want)
		}
	}
}

// TestReceivers checks methods that change their copy.
func TestReceivers(t *testing.T) {
	for method, want := range map[string]bool{
		"func (c counter) Add() { c.n++ }":                          true,
		"func (c *counter) Add() { c.n++ }":                         false,
		"func (c counter) Plus() counter { c.n++; return c }":       false,
		"func (c counter) N() int { return c.n }":                   false,
		"func (c counter) Reset() { for i := range 3 { c.n = i } }": false, // a loop may read it again
	} {
		found := find(t, "package main\ntype counter struct{ n int }\n"+method)
		if got := len(found) > 0; got != want {
			t.Errorf("%s: found %q", method, found)
		}
	}
}

func find(t *testing.T, text string) []string {
	t.Helper()
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "cell", text, parser.SkipObjectResolution)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	checker := &check.Checker{Fset: fset, Importer: symbols.NewImporter(), Visible: func(string) types.Object { return nil }}
	r := checker.Check([]*ast.File{f})
	if len(r.Errors) > 0 {
		t.Fatalf("%s: %v", text, r.Errors)
	}
	var list []string
	for _, e := range Find(&Cell{Fset: fset, File: f, Package: r.Package, Info: r.Info, Base: token.Pos(fset.File(f.Pos()).Base()), Text: text}) {
		list = append(list, e.Msg)
	}
	return list
}
