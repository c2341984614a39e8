package manifold_test

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/manifold"
	"github.com/gokernel/gokernel/mlstd/model"
)

// The sum over the tree is near the exact one, and the divergence of the same points
// with it.
func TestTSNETheta(t *testing.T) {
	x := clouds(400, 10)
	exact := &manifold.TSNE{Angle: model.Zero, MaxIter: 260}
	fit(t, exact, x)
	for _, theta := range []float64{0.2, 0.5, 0.8} {
		m := &manifold.TSNE{Angle: theta, MaxIter: 1, Rate: 1e-300, InitEmbedding: exact.Embedding}
		fit(t, m, x)
		if math.Abs(m.KL-exact.KL) > 0.02*theta*exact.KL {
			t.Errorf("Angle %v: the divergence is %v, and %v exactly", theta, m.KL, exact.KL)
		}
	}
}

// Clouds that are far apart stay apart, in one, two and three dimensions.
func TestTSNEClouds(t *testing.T) {
	x := clouds(200, 20)
	for k := 1; k <= 3; k++ {
		m := &manifold.TSNE{Components: k, Perplexity: 10, Seed: 1}
		fit(t, m, x)
		wrong := 0
		for i := range 200 {
			best, which := math.Inf(1), 0
			for j := range 200 {
				if d := distance(m.Embedding, i, j); j != i && d < best {
					best, which = d, j
				}
			}
			if which%10 != i%10 {
				wrong++
			}
		}
		if wrong > 4 {
			t.Errorf("%d dimensions: the nearest point of %d of 200 is of another cloud", k, wrong)
		}
	}
}

func distance(x *mat.Dense, i, j int) float64 {
	s := 0.0
	for c, v := range x.RawRowView(i) {
		s += (v - x.At(j, c)) * (v - x.At(j, c))
	}
	return math.Sqrt(s)
}

func TestTSNERefuses(t *testing.T) {
	x := clouds(20, 3)
	for what, m := range map[string]*manifold.TSNE{
		"four dimensions":     {Components: 4},
		"a large perplexity":  {Perplexity: 20},
		"a small perplexity":  {Perplexity: 0.5},
		"a coarse tree":       {Angle: 1.5},
		"a negative rate":     {Rate: -1},
		"less than no pull":   {Exaggeration: 0.5},
		"a start of 19":       {InitEmbedding: mat.NewDense(19, 2, nil)},
		"a start that is NaN": {InitEmbedding: mat.NewDense(20, 2, append(make([]float64, 39), math.NaN()))},
	} {
		if m.Fit(x) == nil {
			t.Errorf("%s was accepted", what)
		}
	}
}

func ExampleTSNE() {
	// Two groups of rows in five columns.
	x := mat.NewDense(40, 5, nil)
	for i := range 40 {
		for j := range 5 {
			x.Set(i, j, float64(10*(i%2))+math.Sin(float64(7*i+j)))
		}
	}
	m := manifold.TSNE{Perplexity: 8}
	y, err := m.FitTransform(x)
	if err != nil {
		fmt.Println(err)
		return
	}
	apart := math.Abs(y.At(0, 0)-y.At(1, 0)) + math.Abs(y.At(0, 1)-y.At(1, 1))
	n, k := y.Dims()
	fmt.Println(n, k, apart > 5)
	// Output: 40 2 true
}
