package course

import (
	"strings"
	"testing"

	"github.com/gokernel/gokernel/mlstd/theory"
)

func TestShatter(t *testing.T) {
	corners := [][]float64{{0, 0}, {1, 0}, {0, 1}, {1, 1}}
	f, err := Shatter(theory.Shatter(theory.HalfSpaces{}, corners)).Figure()
	if err != nil {
		t.Fatal(err)
	}
	if f.Text != "half-spaces: 14 of 16 labelings" {
		t.Errorf("the text is %q", f.Text)
	}
	if svg := f.SVG(); strings.Count(svg, "#cc3311") == 0 || strings.Count(svg, "<svg") != 1 {
		t.Error("what is impossible has no red frame")
	}
	if f, err = Shatter(theory.Shatter(theory.Intervals{}, [][]float64{{0}, {1}, {2}})).Figure(); err != nil || f.Text != "intervals: 7 of 8 labelings" {
		t.Errorf("points of a line: %v", err)
	}
	for what, s := range map[string]*theory.Shattering{
		"nothing":          nil,
		"no points":        theory.Shatter(theory.HalfSpaces{}, nil),
		"three dimensions": theory.Shatter(theory.HalfSpaces{}, [][]float64{{1, 2, 3}}),
		"six points":       theory.Shatter(theory.Intervals{}, [][]float64{{1}, {2}, {3}, {4}, {5}, {6}}),
	} {
		if _, err := Shatter(s).Figure(); err == nil {
			t.Errorf("%s: drawn", what)
		}
	}
}
