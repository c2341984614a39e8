package display

import (
	"errors"
	"math"
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
		{"rounded float", 44.0 / 45, "0.9778"},
		{"nearly one", 1 - 1e-9, "1.0000"},
		{"small float", 0.012345678, "0.01235"},
		{"tiny float", 1.23456789e-9, "1.2346e-09"},
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
		{"tiny beside large", mat.NewDense(2, 1, []float64{1e-9, 1}), "mat.Dense 2×1\n⎡ 1e-09⎤\n⎣1.0000⎦"},
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
		t.Errorf("a cut slice does not tell its length: %s", got)
	}
	if got := Format(mat.NewDense(1000, 1000, nil)); !strings.Contains(got, "1000×1000") || !strings.Contains(got, "⋮") {
		t.Errorf("a cut matrix does not tell its shape: %s", got)
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
			t.Fatalf("two texts of one map:\n%s\n%s", want, got)
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
		{[]float64{1e-17, 1}, []string{"1e-17", "1.0000"}},
		{[]float64{123456.5, 0.00012345}, []string{"1.235e+05", "1.234e-04"}},
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
