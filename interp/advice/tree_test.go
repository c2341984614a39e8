package advice

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"testing"

	"github.com/gokernel/gokernel/interp/check"
	"github.com/gokernel/gokernel/interp/scope"
	"github.com/gokernel/gokernel/interp/symbols"
)

// TestHintsOfTheTree checks statements with one error each, whose advice needs what the
// checked tree has.
func TestHintsOfTheTree(t *testing.T) {
	const (
		power    = "^ is exclusive or; x * x squares, math.Pow(x, y) raises to a power"
		elements = "X.At(i, j) is an element of a matrix, mat.Row(nil, i, X) a row, mat.Col(nil, j, X) a column"
		vectors  = "operators take []float64, []int and numbers: convert the elements in a loop, or make the vector of one of these types"
		isNil    = "pointers, slices, maps, channels, functions and interfaces can be nil; v, ok := m[key] reports whether a map has a key"
		places   = "only variables, fields and elements can be assigned"
	)
	packages := symbols.NewImporter()
	for src, want := range map[string]string{
		"_ = xs ^ 2":                          power,
		"_ = x ^ 2":                           power,
		"_ = n ^ x":                           power,
		"x ^= 2":                              power,
		"_ = n ^ s":                           "fmt.Sprint(...) makes text of a number",
		"_ = x % 2":                           "math.Mod(x, y) is the remainder of real numbers",
		"_ = n == nil":                        isNil,
		"_ = nil != x":                        isNil,
		"_ = xs == xs":                        "slices.Equal(a, b) compares slices",
		"_ = m != m":                          "maps.Equal(a, b) compares maps",
		"_ = xs && xs":                        "",
		"_ = n + x":                           "convert one of them with float64(...)",
		"n += x":                              "convert one of them with float64(...)",
		"_ = x < n":                           "convert one of them with float64(...)",
		"switch n { case x: }":                "convert one of them with float64(...)",
		"_ = s * n":                           "strings.Repeat(text, n) repeats a text",
		"_ = s % n":                           "fmt.Sprintf(\"n is %d\", n) puts values into text",
		"_ = s + n":                           "fmt.Sprint(...) makes text of a number",
		"_ = s == 'a'":                        "single quotes make one character, double quotes text; string(c) makes text of a character",
		"_ = n * time.Second":                 "convert the number: time.Duration(n) * time.Second",
		"_ = any(n) + n":                      "an any may hold a value of each type: x.(string) takes a text out, x.(float64) a number",
		"_ = []uint8{1} + n":                  vectors,
		"_ = *X * X":                          "operators take pointers to matrices: write &m for a variable m of type mat.Dense",
		"_ = X[0]":                            elements,
		"_ = mat.Matrix(X)[0]":                elements,
		"_ = n[0]":                            "",
		"_ = min(xs)":                         "slices.Max(xs) and slices.Min(xs) look at all elements",
		"for range X { }":                     "range goes over slices, maps, text, channels, functions and whole numbers: for i := range int(x)",
		"s[0] = 'a'":                          "text cannot be changed in place: make a []byte or []rune of it",
		"pi = 3":                              "a constant stays what it is: declare it with := or var",
		"one() = 3":                           places,
		"_ = slices.Max(1, 2)":                "",
		"_ = floats.Sum(1, 2)":                "it takes one slice: []float64{...}",
		"_ = floats.Sum()":                    "",
		"a := two(); _ = a":                   "take all of them, with _ for those that you do not need; only at the top level of a cell an error may be left out",
		"a, b, c := two(); _, _, _ = a, b, c": "",
		"_ = float64":                         "a question mark behind the name shows its documentation",
		"_ = X.Dim()":                         "did you mean Dims?",
		"_ = xs.Len()":                        "len(xs) is the number of elements",
		"xs.Append(1)":                        "append makes the longer slice: xs = append(xs, x)",
		"_ = s.Upper()":                       "strings.ToUpper does it",
		"_ = m.get(1)":                        "v, ok := m[key] reports whether the key is there",
		"_ = pair{Frist: 1}":                  "did you mean First?",
		"_ = []pair{{Last: 1}}":               "its fields are First, Second",
		"_ = int(s)":                          "strconv.Atoi(s) reads a number from text",
		"_ = []string(s)":                     "[]string{s} is a slice of one",
		"switch n { case \"1\": }":            "strconv.Atoi(\"1\") reads a number from text",
		"_ = xs[\"a\"]":                       "strconv.Atoi(\"a\") reads a number from text",
		"_ = n + 2.5":                         "whole numbers have no fraction: convert the others with float64(...), or this one with int(x)",
	} {
		text := `package main
import ("gonum.org/v1/gonum/floats"; "gonum.org/v1/gonum/mat"; "slices"; "time")
type pair struct{ First, Second int }
const pi = 3.14
var ( n int; x float64; s string; xs []float64; m map[int]int; X *mat.Dense; _ = floats.Sum; _ = slices.Max[[]int]; _ = time.Second )
func one() int { return 1 }
func two() (float64, error) { return 1, nil }
func main() { ` + src + " }"
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, "", text, parser.SkipObjectResolution)
		if err != nil {
			t.Fatalf("%s: %v", src, err)
		}
		checker := &check.Checker{Fset: fset, Importer: packages, Visible: func(string) types.Object { return nil }}
		r := checker.Check([]*ast.File{f})
		if len(r.Errors) != 1 {
			t.Errorf("%s: the errors are %v", src, r.Errors)
			continue
		}
		source := &scope.Source{Base: token.Pos(fset.Base() - len(text) - 1), Text: text}
		s := &slip{Error: r.Errors[0], advisor: &Advisor{Fset: fset, Packages: packages, Scope: scope.New(packages)}, src: source, result: r}
		if got := s.hint(); got != want {
			t.Errorf("%s: %s (code %d)\n got %q\nwant %q", src, s.Msg, s.Code, got, want)
		}
	}
}
