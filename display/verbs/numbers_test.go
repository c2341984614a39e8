package verbs

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/gokernel/gokernel/display/chart"
)

func TestNumbers(t *testing.T) {
	for _, tt := range []struct{ got, want []float64 }{
		{Linspace(0, 1, 5), []float64{0, 0.25, 0.5, 0.75, 1}},
		{Linspace(3, -3, 3), []float64{3, 0, -3}},
		{Logspace(1, 1000, 4), []float64{1, 10, 100, 1000}},
	} {
		if !slices.EqualFunc(tt.got, tt.want, func(a, b float64) bool { return math.Abs(a-b) < 1e-12*(1+math.Abs(b)) }) {
			t.Errorf("got %v, want %v", tt.got, tt.want)
		}
	}
	if got := Linspace(0.1, 0.7, 7); got[0] != 0.1 || got[6] != 0.7 {
		t.Errorf("the ends are %v and %v", got[0], got[6])
	}
	if got := fmt.Sprint(Range(2, 5), Range(1, 0)); got != "[2 3 4 5] []" {
		t.Errorf("Range: %s", got)
	}
	for want, f := range map[string]func(){
		"n must be at least 2":       func() { Linspace(0, 1, 1) },
		"lo and hi must be positive": func() { Logspace(0, 1, 3) },
	} {
		func() {
			defer func() {
				if got := fmt.Sprint(recover()); !strings.Contains(got, want) {
					t.Errorf("got %s, want %s", got, want)
				}
			}()
			f()
		}()
	}
}

func TestEach(t *testing.T) {
	squares := Map(Range(1, 3), func(i int) float64 { return float64(i * i) })
	seeds := Repeat(3, func(seed uint64) uint64 { return seed })
	if got := fmt.Sprint(squares, seeds); got != "[1 4 9] [1 2 3]" {
		t.Error(got)
	}
	p := Panels([]float64{1, 2}, func(a float64) *chart.Chart { return Plot([]float64{0, a}).Titlef("a = %g", a) })
	f, err := p.Figure()
	if err != nil {
		t.Fatal(err)
	}
	if svg := f.SVG(); !strings.Contains(svg, "a = 1") || !strings.Contains(svg, "a = 2") {
		t.Error("the titles are not in the figure")
	}
}
