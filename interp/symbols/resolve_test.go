package symbols_test

import (
	"testing"

	"github.com/gokernel/gokernel/interp/symbols"
)

func TestResolve(t *testing.T) {
	for _, tt := range []struct {
		name     string
		selected []string
		want     string
	}{
		{"fmt", nil, "fmt"},
		{"rand", nil, "math/rand/v2"},
		{"rand", []string{"IntN"}, "math/rand/v2"},
		{"rand", []string{"Intn", "Seed"}, "math/rand"},
		{"rand", []string{"Read"}, "crypto/rand"},
		{"template", []string{"New"}, "text/template"},
		{"template", []string{"JS"}, "html/template"},
		{"scanner", nil, "text/scanner"},
		{"heap", nil, "container/heap"},
		{"mat", nil, "gonum.org/v1/gonum/mat"},
		{"stat", []string{"Mean"}, "gonum.org/v1/gonum/stat"},
		{"ml", nil, "github.com/gokernel/gokernel/mlstd"},
		{"display", nil, "github.com/gokernel/gokernel/display"},
		{"draw", []string{"Op"}, "image/draw"},
		{"fmt", []string{"Nonsense"}, ""},
		{"nonsense", nil, ""},
	} {
		got := ""
		if p, ok := symbols.Resolve(tt.name, tt.selected...); ok {
			got = p.Path
		}
		if got != tt.want {
			t.Errorf("%s %v: got %q, want %q", tt.name, tt.selected, got, tt.want)
		}
	}
}
