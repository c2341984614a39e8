package nn_test

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/mltest"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/nn"
)

// With Causal, an output does not change if later steps change; without, it does.
func TestCausal(t *testing.T) {
	for _, causal := range []bool{true, false} {
		l := &nn.SelfAttention{Heads: 2, Causal: causal}
		if _, err := l.Build([]int{5, 4}, model.Rand(1, 0)); err != nil {
			t.Fatal(err)
		}
		x := random(2, 20, 1)
		before := mat.DenseCopyOf(l.Forward(x, false))
		for _, w := range []*mat.Dense{l.Weights(1), l.HeadWeights(1, 0), l.HeadWeights(1, 1)} {
			for i := range 5 {
				mltest.Near(t, "sum of the weights", mat.Sum(w.RowView(i)), 1, 1e-14)
			}
			if later := w.At(1, 3); (later == 0) != causal {
				t.Errorf("causal %v: the weight of a later step is %v", causal, later)
			}
		}
		mean := l.HeadWeights(0, 0)
		mean.Add(mean, l.HeadWeights(0, 1))
		mean.Scale(0.5, mean)
		mltest.NearAll(t, "mean of the heads", numbers(l.Weights(0)), numbers(mean), 1e-15)
		for j := 12; j < 20; j++ { // steps 3 and 4
			x.Set(1, j, 9)
		}
		after := l.Forward(x, false)
		if same := mat.Equal(before.Slice(1, 2, 0, 12), after.Slice(1, 2, 0, 12)); same != causal {
			t.Errorf("causal %v: the first steps stay the same: %v", causal, same)
		}
		mltest.NearAll(t, "the other row", after.RawRowView(0), before.RawRowView(0), 0)
	}
}

// One head computes the attention without an output projection, with the weights of three matrices.
func TestOneHead(t *testing.T) {
	for _, heads := range []int{0, 1} {
		l := &nn.SelfAttention{Size: 3, Heads: heads}
		out, err := l.Build([]int{5, 4}, model.Rand(1, 0))
		if err != nil {
			t.Fatal(err)
		}
		if out[1] != 3 || len(l.Params()) != 3 || l.OutputCoef != nil {
			t.Errorf("Heads %d: the shape is %v with %d matrices", heads, out, len(l.Params()))
		}
	}
}
