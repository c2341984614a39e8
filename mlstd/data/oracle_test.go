package data_test

import (
	"math"
	"slices"
	"testing"

	"github.com/gokernel/gokernel/mlstd/data"
	"github.com/gokernel/gokernel/mlstd/internal/mltest"
)

// The classic data sets are those that scikit-learn ships, value for value and
// in the same order, so that numbers can be compared across the two.
func TestOracleClassicSets(t *testing.T) {
	var oracle []struct {
		Name                    string
		Rows                    int
		Sums, Weighted, Squares []float64
		Target                  float64
		Classes                 []string
	}
	mltest.ReadOracle(t, "data", &oracle)
	sets := map[string]*data.Dataset{"Iris": data.Iris(), "Wine": data.Wine(), "BreastCancer": data.BreastCancer(),
		"Digits": data.Digits(), "Diabetes": data.Diabetes()}
	if len(oracle) != len(sets) {
		t.Fatalf("the oracle has %d data sets, want %d", len(oracle), len(sets))
	}
	for _, o := range oracle {
		d := sets[o.Name]
		n, k := d.X.Dims()
		if n != o.Rows || k != len(o.Sums) {
			t.Errorf("%s: %dx%d, want %dx%d", o.Name, n, k, o.Rows, len(o.Sums))
			continue
		}
		sums, weighted, squares, target := make([]float64, k), make([]float64, k), make([]float64, k), 0.0
		for i := range n {
			w := float64((i*i*7+13*i)%1009) / 1009
			for j, v := range d.X.RawRowView(i) {
				sums[j] += v
				weighted[j] += w * v
				squares[j] += w * v * v
			}
			if d.Target != nil {
				target += w * d.Target[i]
			} else {
				target += w * float64(d.Y[i])
			}
		}
		near := func(what string, got, want []float64) {
			for j := range want {
				if math.Abs(got[j]-want[j]) > 1e-10*math.Max(1, math.Abs(want[j])) { // sums of up to 1797 values
					t.Errorf("%s, %s of column %d: got %v, want %v", o.Name, what, j, got[j], want[j])
				}
			}
		}
		near("sum", sums, o.Sums)
		near("weighted sum", weighted, o.Weighted)
		near("weighted squares", squares, o.Squares)
		near("target", []float64{target}, []float64{o.Target})
		if len(o.Classes) > 0 && !slices.Equal(d.ClassNames(), o.Classes) {
			t.Errorf("%s: classes %q, want %q", o.Name, d.ClassNames(), o.Classes)
		}
	}
}
