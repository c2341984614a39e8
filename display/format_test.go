package display

import (
	"errors"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/mat"
)

type point struct {
	X, Y  float64
	label string
}

type node struct {
	Value int
	Next  *node
}

type grumpy struct{}

func (grumpy) String() string { panic("no") }

type celsius float64

func TestFormat(t *testing.T) {
	loop := &node{Value: 1}
	loop.Next = loop
	var self []any
	self = append(self, nil)
	self[0] = self
	shared := &node{Value: 7}
	long := make([]int, 1000)
	for i := range long {
		long[i] = i
	}
	tests := []struct {
		name string
		in   any
		want string
	}{
		{"nil", nil, "nil"},
		{"int", 42, "42"},
		{"named number", celsius(20.5), "display.celsius(20.5)"},
		{"whole float", 3.0, "3"},
		{"float", 44.0 / 45, "0.9777777777777777"},
		{"sum", func(a, b float64) float64 { return a + b }(0.1, 0.2), "0.30000000000000004"},
		{"nearly 100000", 99999.99999, "99999.99999"},
		{"large float", 1e15, "1e+15"},
		{"float32", float32(0.1), "0.1"},
		{"field", struct{ P float64 }{1.0 / 3}, "struct{P: 0.3333333333333333}"},
		{"any of floats", []any{1.0 / 3}, "[]any{0.3333333333333333}"},
		{"map of floats", map[string]float64{"a": 1.0 / 3, "b": 1}, `map[string]float64{"a": 0.3333, "b": 1.0000}`},
		{"floats far apart", []float64{1e-9, 123456789.123}, "[]float64{1e-09, 123456789.123}"},
		{"nearly one", 1 - 1e-9, "0.999999999"},
		{"small float", 0.012345678, "0.012345678"},
		{"tiny float", 1.23456789e-9, "1.23456789e-09"},
		{"money", 123456.789, "123456.789"},
		{"NaN", math.NaN(), "NaN"},
		{"complex", complex(1, -0.5), "(1-0.5i)"},
		{"string", "a \"b\"", `"a \"b\""`},
		{"lines", "a\nb", "`a\nb`"},
		{"escape codes", "a\n\x1b[31mb", `"a\n\x1b[31mb"`},
		{"bytes of text", []byte("hi"), `[]byte("hi")`},
		{"floats", []float64{0.5, 1, 1.0 / 3}, "[]float64{0.5000, 1.0000, 0.3333}"},
		{"nil slice", []int(nil), "[]int(nil)"},
		{"nil pointer", (*point)(nil), "(*display.point)(nil)"},
		{"struct hides fields of others", point{1, 2, "p"}, "display.point{X: 1, Y: 2, …}"},
		{"pointer", &node{Value: 3}, "&display.node{Value: 3, Next: nil}"},
		{"cycle", loop, "&display.node{Value: 1, Next: &display.node{…}}"},
		{"slice of itself", self, "[]any{[]any{…}}"},
		{"shared, not cyclic", []*node{shared, shared}, "[]*display.node{\n    &display.node{Value: 7, Next: nil},\n    &display.node{Value: 7, Next: nil},\n}"},
		{"map", map[string]int{"b": 2, "a": 1, "c": 3}, `map[string]int{"a": 1, "b": 2, "c": 3}`},
		{"map of mixed keys", map[any]bool{"x": true, 2: true, 1: false}, `map[any]bool{1: false, 2: true, "x": true}`},
		{"map of NaN", map[float64]int{math.NaN(): 1, 2: 2}, "map[float64]int{NaN: 1, 2: 2}"},
		{"error", errors.New("no such file"), "error: no such file"},
		{"stringer", 90 * time.Second, "1m30s"},
		{"stringer in a struct", struct{ D time.Duration }{time.Second}, "struct{D: 1s}"},
		{"stringer that panics", grumpy{}, "display.grumpy{}"},
		{"function", math.Max, "func(float64, float64) float64"},
		{"channel", make(chan int, 3), "chan int with 0 of 3 values"},
		{"rectangle", [][]int{{1, 2}, {30, 4}}, "[][]int 2×2\n⎡ 1  2⎤\n⎣30  4⎦"},
		{"ragged", [][]int{{1}, {2, 3}}, "[][]int{{1}, {2, 3}}"},
		{"matrix", mat.NewDense(2, 2, []float64{1, 0.25, -3, math.NaN()}), "mat.Dense 2×2\n⎡ 1  0.25⎤\n⎣-3   NaN⎦"},
		{"matrix by value", *mat.NewDense(1, 2, []float64{1, 2}), "mat.Dense 1×2\n[1  2]"},
		{"vector", mat.NewVecDense(3, []float64{1, 2, 3}), "mat.VecDense 3×1\n⎡1⎤\n⎢2⎥\n⎣3⎦"},
		{"empty matrix", &mat.Dense{}, "mat.Dense 0×0 (empty)"},
		{"tiny beside large", mat.NewDense(2, 1, []float64{1e-9, 1}), "mat.Dense 2×1\n⎡1e-09⎤\n⎣    1⎦"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, Format(tt.in)); diff != "" {
				t.Errorf("Format (-want +got):\n%s", diff)
			}
		})
	}
}

func TestFormatCutsLongValues(t *testing.T) {
	ints := make([]int, 1000)
	big := map[int]string{}
	for i := range ints {
		ints[i] = i
		big[i] = strings.Repeat("x", 300)
	}
	deep := any(1)
	for range 100 {
		deep = []any{deep}
	}
	list := (*node)(nil)
	for i := range 100000 {
		list = &node{i, list}
	}
	for name, v := range map[string]any{
		"slice": ints, "map": big, "string": strings.Repeat("é", 1e6), "deep": deep, "list": list,
		"matrix": mat.NewDense(1000, 1000, nil), "slices": [][]int{ints, ints[:1]},
	} {
		if s := Format(v); len(s) > 20000 || !strings.Contains(s, "…") {
			t.Errorf("%s: %d bytes, want it cut to at most 20000:\n%.300s", name, len(s), s)
		}
	}
	if got := Format(ints); !strings.Contains(got, "(1000 values)") {
		t.Errorf("the text of a cut slice lacks its length: %s", got)
	}
	if got := Format(mat.NewDense(1000, 1000, nil)); !strings.Contains(got, "1000×1000") || !strings.Contains(got, "⋮") {
		t.Errorf("the text of a cut matrix lacks its shape: %s", got)
	}
}

func TestFormatIsDeterministic(t *testing.T) {
	m := map[*node]int{}
	for i := range 20 {
		m[&node{Value: i}] = i
	}
	want := Format(m)
	if strings.Contains(want, "0xc") {
		t.Errorf("an address is written: %s", want)
	}
	for range 20 {
		if got := Format(m); got != want {
			t.Fatalf("one map has two texts:\n%s\n%s", want, got)
		}
	}
}

func TestNumbers(t *testing.T) {
	tests := []struct {
		in   []float64
		want []string
	}{
		{[]float64{1, 2}, []string{"1", "2"}},
		{[]float64{1, 2.5}, []string{"1.0", "2.5"}},
		{[]float64{1, 1.0 / 3}, []string{"1.0000", "0.3333"}},
		{[]float64{1e-17, 1}, []string{"1e-17", "1"}},
		{[]float64{123456.5, 0.00012345}, []string{"123456.5", "1.234e-04"}},
		{[]float64{99999.99999, 1, 1.0 / 3}, []string{"99999.99999", "1.0000", "0.3333"}},
		{[]float64{0.99998, 0.00002, 0.5}, []string{"0.99998", "2e-05", "0.5000"}},
		{[]float64{1 - 1e-16, 5.5511151231257827e-17, 1.0 / 3}, []string{"1.0000", "5.6e-17", "0.3333"}},
		{[]float64{1e16, 0.25, 0}, []string{"1e+16", "0.25", "0.00"}},
		{[]float64{1e-9, 2.5e-9, 0}, []string{"1.0e-09", "2.5e-09", "0"}},
		{[]float64{-0.00001, 1}, []string{"-1e-05", "1"}},
		{[]float64{math.Inf(1), 0.5}, []string{"+Inf", "0.5"}},
		{[]float64{0.001234567, 0.002}, []string{"0.001235", "0.002000"}},
		{nil, []string{}},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, Numbers(tt.in)); diff != "" {
			t.Errorf("Numbers(%v) (-want +got):\n%s", tt.in, diff)
		}
	}
}

// TestNumbersAreNotMistaken checks columns of all sizes. The text must be the number, rounded to
// the digits that are shown. It may look like zero, or like a whole number, only if the number is
// one.
func TestNumbersAreNotMistaken(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		xs := make([]float64, 1+r.IntN(4))
		for i := range xs {
			xs[i] = r.NormFloat64() * math.Pow(10, float64(r.IntN(30)-14))
			switch r.IntN(4) {
			case 0:
				xs[i] = math.Round(xs[i])
			case 1:
				xs[i] = math.Round(xs[i]) + math.Pow10(-r.IntN(8))
			}
		}
		column := Numbers(xs)
		for i, x := range xs {
			for _, s := range []string{column[i], Number(x)} {
				shown, err := strconv.ParseFloat(s, 64)
				if err != nil {
					t.Fatal(err)
				}
				if x != 0 && (shown == 0 || math.Signbit(shown) != math.Signbit(x)) {
					t.Fatalf("%v is shown as %s in %v", x, s, column)
				}
				mantissa, _, _ := strings.Cut(s, "e")
				whole := looksWhole(mantissa) && mantissa == s
				if whole && math.Abs(x-shown) > 1e-9 && math.Abs(x-shown) > roundingNoise*math.Abs(x) {
					t.Fatalf("%v is shown as %s in %v", x, s, column)
				}
				if !strings.Contains(s, "e") && math.Abs(x-shown) > 0.51*math.Pow10(-fraction(s))+1e-15*math.Abs(x) {
					t.Fatalf("%v is shown as %s in %v", x, s, column)
				}
			}
			if back, err := strconv.ParseFloat(exact(x, 64), 64); err != nil || back != x {
				t.Fatalf("%v is written as %s", x, exact(x, 64))
			}
		}
	}
}
