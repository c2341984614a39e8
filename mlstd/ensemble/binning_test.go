package ensemble

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
)

// Both ways put a value v into the bin b with edges[b−1] < v ≤ edges[b].
func TestBinsOfValues(t *testing.T) {
	rng := model.Rand(5, 0)
	for _, different := range []int{1, 2, 40, 255, 256, 5000} {
		d := mat.NewDense(3000, 1, nil)
		for i := range 3000 {
			if d.Set(i, 0, float64(rng.IntN(different))/7); i%50 == 0 {
				d.Set(i, 0, math.NaN())
			}
		}
		order, values := ascendingColumn(d, 0, nil)
		edges := binEdges(order, values, nil, nil, maxBins)
		if !slices.IsSorted(edges) || len(edges) >= maxBins || len(edges) < min(different, 200)-1 {
			t.Fatalf("%d values: %d edges", different, len(edges))
		}
		ordered, searched := make([]uint8, 3000), make([]uint8, 3000)
		fillOrdered(ordered, order, values, edges)
		fillNumbers(searched, d, 0, edges)
		if !slices.Equal(ordered, searched) {
			t.Fatalf("%d values: the bins differ", different)
		}
		for i, b := range ordered {
			switch v := d.At(i, 0); {
			case math.IsNaN(v):
				if b != missingBin {
					t.Fatalf("a missing value is in bin %d", b)
				}
			case b > 0 && v <= edges[b-1] || int(b) < len(edges) && v > edges[b]:
				t.Fatalf("%v is in bin %d of %v", v, b, edges)
			}
		}
	}
	if rows := sampleRows(edgeSample+1, nil, 1); len(rows) != edgeSample || sampleRows(edgeSample, nil, 1) != nil {
		t.Errorf("%d rows are drawn of more", len(rows))
	}
}
