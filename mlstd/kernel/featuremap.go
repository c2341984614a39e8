package kernel

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
)

// FeatureMap computes the features φ(x) of a vector. Data that no line separates may be separable
// after the mapping; a kernel has the same effect without computing the features.
//
// Course: KER-01.
type FeatureMap func(x []float64) []float64

// MapRows returns a matrix whose rows are the features of the rows of x.
func MapRows(phi FeatureMap, x mat.Matrix) *mat.Dense {
	r, c := x.Dims()
	var out *mat.Dense
	row := make([]float64, c)
	for i := range r {
		mat.Row(row, i, x)
		f := phi(slices.Clone(row))
		if out == nil {
			out = mat.NewDense(r, len(f), nil)
		}
		if _, w := out.Dims(); len(f) != w {
			panic(model.Errorf("MapRows", "all rows must have the same number of features, but row %d has %d and row 0 has %d", i, len(f), w))
		}
		out.SetRow(i, f)
	}
	return out
}

// PowerMap returns the powers x, x², …, x^degree of each coordinate: with degree 2, it maps a line
// to a parabola.
//
// Course: KER-01.
func PowerMap(degree int) FeatureMap {
	mustDegree("PowerMap", degree)
	return func(x []float64) []float64 {
		out := make([]float64, 0, degree*len(x))
		for d := 1; d <= degree; d++ {
			for _, v := range x {
				out = append(out, power(v, d))
			}
		}
		return out
	}
}

// SquareMap returns the squares of the coordinates: the disc x₁² + x₂² ≤ 1 becomes
// the half plane x'₁ + x'₂ ≤ 1.
//
// Course: KER-02.
func SquareMap(x []float64) []float64 {
	out := make([]float64, len(x))
	for j, v := range x {
		out[j] = v * v
	}
	return out
}

// Disc draws n points uniformly from the square [−2, 2]², labeled +1 inside the
// unit disc and −1 outside; points within gap of the circle are left out.
//
// Course: KER-02.
func Disc(n int, gap float64, seed uint64) (*mat.Dense, []int) {
	if n < 1 || !(gap >= 0 && gap < 1) {
		panic(model.Errorf("Disc", "n must be at least 1, and gap at least 0 and below 1, got %d and %v", n, gap))
	}
	rng := model.Rand(seed, 0)
	x, y := mat.NewDense(n, 2, nil), make([]int, n)
	for i := 0; i < n; {
		a, b := 4*rng.Float64()-2, 4*rng.Float64()-2
		r := math.Hypot(a, b)
		if math.Abs(r-1) < gap {
			continue
		}
		x.SetRow(i, []float64{a, b})
		y[i] = -1
		if r <= 1 {
			y[i] = 1
		}
		i++
	}
	return x, y
}

// SeparatingDegree returns the smallest degree p for which a polynomial of degree p, that is, a
// hyperplane in the space of (x, x², …, x^p), separates points on a line. It is the number of times
// the class changes along the line. It is 0 if all points are in one class. No degree separates
// equal points of different classes.
//
// Course: KER-01.
func SeparatingDegree(x []float64, y []int) (int, error) {
	if len(x) != len(y) {
		return 0, model.Errorf("SeparatingDegree", "x and y must have the same length, got %d points and %d classes", len(x), len(y))
	}
	order := make([]int, len(x))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case x[a] < x[b]:
			return -1
		case x[a] > x[b]:
			return 1
		}
		return 0
	})
	changes := 0
	for t := 1; t < len(order); t++ {
		i, j := order[t-1], order[t]
		if y[i] == y[j] {
			continue
		}
		if x[i] == x[j] {
			return 0, model.Errorf("SeparatingDegree", "equal points must have the same class, but %v has two", x[i])
		}
		changes++
	}
	return changes, nil
}
