package advice

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"testing"

	"github.com/gokernel/gokernel/interp/check"
	"github.com/gokernel/gokernel/interp/fault"
	"github.com/gokernel/gokernel/interp/scope"
	"github.com/gokernel/gokernel/interp/symbols"
)

// TestHintsOfTheTree checks statements with one error each, whose hints need the checked tree.
func TestHintsOfTheTree(t *testing.T) {
	const (
		power    = "^ is exclusive or; x * x squares, math.Pow(x, y) raises to a power"
		elements = "X.At(i, j) is an element of a matrix, mat.Row(nil, i, X) a row, mat.Col(nil, j, X) a column"
		vectors  = "operators take []float64, []int and numbers: convert the elements in a loop, or declare the vector with one of these types"
		isNil    = "pointers, slices, maps, channels, functions and interfaces can be nil; v, ok := m[key] reports whether a map has a key"
		places   = "only variables, fields and elements can be assigned to"
	)
	packages := symbols.NewImporter()
	for src, want := range map[string]string{
		"_ = xs ^ 2":                          "^ is exclusive or; to raise to a power, write math.Pow(x, 2)",
		"_ = x ^ 2":                           "^ is exclusive or; to raise to a power, write math.Pow(x, 2)",
		"_ = n ^ x":                           "^ is exclusive or; to raise to a power, write math.Pow(float64(n), x)",
		"x ^= 2":                              "^ is exclusive or; to raise to a power, write math.Pow(x, 2)",
		"_ = n ^ s":                           "a string and a number cannot be joined by ^: convert one of them, so that both are numbers or both are strings",
		"_ = x % 2":                           "for the remainder of numbers with fractions, write math.Mod(x, 2)",
		"_ = n == nil":                        "only pointers, slices, maps, channels, functions and interfaces can be nil; to learn whether a map has a key, write v, ok := m[\"a\"]",
		"_ = nil != x":                        "only pointers, slices, maps, channels, functions and interfaces can be nil; to learn whether a map has a key, write v, ok := m[\"a\"]",
		"_ = xs == xs":                        "compare them with slices.Equal(xs, xs)",
		"_ = m != m":                          "compare them with !maps.Equal(m, m)",
		"_ = xs && xs":                        "",
		"_ = n + x":                           "convert it: float64(n)",
		"n += x":                              "n is an int; to keep fractions, begin with n := 0.0",
		"_ = x < n":                           "convert it: float64(n)",
		"switch n { case x: }":                "convert it: float64(n)",
		"_ = s * n":                           "to repeat a string, write strings.Repeat(s, n)",
		"_ = s % n":                           "to put values into a string, write fmt.Sprintf(s, n)",
		"_ = s + n":                           "convert it to a string: fmt.Sprint(n)",
		"_ = s == 'a'":                        "write a string in double quotes: \"a\"",
		"_ = n * time.Second":                 "convert the number: time.Duration(n)",
		"_ = any(n) + n":                      "to use the value of an any, convert it with a type assertion: v, ok := holder.(float64)",
		"_ = []uint8{1} + n":                  vectors,
		"_ = *X * X":                          "operators take pointers to matrices: &*X",
		"_ = X[0]":                            "write a row of a matrix as mat.Row(nil, 0, X), an element as X.At(i, j), a column as mat.Col(nil, j, X)",
		"_ = mat.Matrix(X)[0]":                "write a row of a matrix as mat.Row(nil, 0, mat.Matrix(X)), an element as X.At(i, j), a column as mat.Col(nil, j, X)",
		"_ = n[0]":                            "",
		"_ = min(xs)":                         "for the elements of a slice, write slices.Min(xs)",
		"for range X { }":                     "range goes over slices, maps, strings, channels, functions and whole numbers",
		"s[0] = 'a'":                          "a string can't be changed in place: convert it to a slice with chars := []rune(s), change that slice, and convert it back with string(chars)",
		"pi = 3":                              "a constant keeps its value: declare it with var or := to change it",
		"one() = 3":                           places,
		"_ = slices.Max(1, 2)":                "it takes x S",
		"_ = floats.Sum(1, 2)":                "it takes one slice: []float64{1, 2}",
		"_ = floats.Sum()":                    "it takes s []float64",
		"a := two(); _ = a":                   "assign the error too: a, err := two(), and handle it with if err != nil { panic(err) } or a return",
		"a, b, c := two(); _, _, _ = a, b, c": "the call returns fewer values than there are names: leave names out",
		"_ = float64":                         "for its documentation, write float64?",
		"_ = X.Dim()":                         "did you mean Dims?",
		"_ = xs.Len()":                        "the number of elements is len(xs)",
		"xs.Append(1)":                        "append returns the longer slice: xs = append(xs, 1)",
		"_ = s.Upper()":                       "write strings.ToUpper(s)",
		"_ = m.get(1)":                        "write m[1]; v, ok := m[key] also reports whether the map has the key",
		"_ = pair{Frist: 1}":                  "did you mean First?",
		"_ = []pair{{Last: 1}}":               "its fields are First, Second",
		"_ = int(s)":                          "read the number first: v, err := strconv.Atoi(s), check err, and use v here",
		"_ = []string(s)":                     "put the value into a slice: []string{s}",
		"switch n { case \"1\": }":            "the cases must have the type of the switch value, int",
		"_ = xs[\"a\"]":                       "the elements of xs are counted from 0: write a whole number; only a map with string keys is indexed by a string",
		"_ = n + 2.5":                         "convert it: float64(n)",
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
		if got := fault.Unmarked(s.hint()); got != want {
			t.Errorf("%s: %s (code %d)\n got %q\nwant %q", src, s.Msg, s.Code, got, want)
		}
	}
}
