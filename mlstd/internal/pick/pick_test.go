package pick_test

import (
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/pick"
)

func TestPick(t *testing.T) {
	d, rows := mat.NewDense(3, 2, []float64{1, 2, 3, 4, 5, 6}), []int{2, 0, 2}
	got := pick.Rows(d, rows)
	if want := mat.NewDense(3, 2, []float64{5, 6, 1, 2, 5, 6}); !mat.Equal(got, want) {
		t.Errorf("rows: got %v, want %v", mat.Formatted(got), mat.Formatted(want))
	}
	got.Set(0, 0, 9)
	if d.At(2, 0) != 5 {
		t.Error("the rows are not copies")
	}
	if got := pick.Of([]string{"a", "b", "c"}, rows); !slices.Equal(got, []string{"c", "a", "c"}) {
		t.Errorf("entries: got %v", got)
	}
}
