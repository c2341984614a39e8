package cluster_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/cluster"
	"github.com/gokernel/gokernel/mlstd/data"
	"github.com/gokernel/gokernel/mlstd/internal/mltest"
	"github.com/gokernel/gokernel/mlstd/model"
)

// shaken moves values a little, so that no row is as near to one row as to another.
func shaken(x mat.Matrix) *mat.Dense {
	out, rng := mat.DenseCopyOf(x), model.Rand(1, 0)
	for i := range out.RawMatrix().Data {
		out.RawMatrix().Data[i] += 1e-3 * rng.NormFloat64()
	}
	return out
}

// Bounds skip comparisons but change no result: steps, labels and means equal those of Lloyd's
// algorithm, even if clusters lose all their rows.
func TestHamerlyIsLloyd(t *testing.T) {
	noise := mat.NewDense(3000, 6, nil)
	rng := model.Rand(3, 0)
	for i := range noise.RawMatrix().Data {
		noise.RawMatrix().Data[i] = rng.NormFloat64()
	}
	for name, x := range map[string]mat.Matrix{
		"iris": shaken(data.Iris().X), "digits": data.Digits().X, "noise": noise, "equal rows": column(1, 1, 1, 5, 5, 9),
	} {
		for _, k := range []int{1, 2, 5, 17} {
			n, cols := x.Dims()
			if k > n {
				continue
			}
			// The last center is far from all rows, so that its cluster is empty.
			start := mat.NewDense(k, cols, nil)
			for c := range k {
				for j := range cols {
					start.Set(c, j, x.At(c*n/k, j))
				}
			}
			start.Set(k-1, 0, start.At(k-1, 0)+1e4)
			t.Run(fmt.Sprintf("%s, K=%d", name, k), func(t *testing.T) {
				lloyd := fitted(t, &cluster.KMeans{InitCenters: start, Tol: model.Zero}, x)
				other := fitted(t, &cluster.KMeans{InitCenters: start, Tol: model.Zero, Algorithm: cluster.HamerlyKMeans}, x)
				mltest.Near(t, "J", other.Inertia, lloyd.Inertia, 1e-9*(1+lloyd.Inertia))
				if !slices.Equal(other.Labels, lloyd.Labels) || !slices.Equal(other.Steps, lloyd.Steps) || other.Reseeded != lloyd.Reseeded {
					t.Errorf("%v steps and %d reseeded, want %v and %d", other.Steps, other.Reseeded, lloyd.Steps, lloyd.Reseeded)
				}
				if !mat.EqualApprox(other.Centers, lloyd.Centers, 1e-9*math.Max(1, mat.Max(lloyd.Centers))) {
					t.Error("the centers differ")
				}
			})
		}
	}
	if err := (&cluster.KMeans{Algorithm: 2}).Fit(noise); err == nil {
		t.Error("an algorithm that is none was taken")
	}
}
