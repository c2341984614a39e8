package sigmoid_test

import (
	"math"
	"testing"

	"github.com/gokernel/gokernel/mlstd/internal/sigmoid"
)

// At the optimum, the mean probability and the mean of probability times score equal the means for
// the targets. An example of weight 2 counts like two examples.
func TestFit(t *testing.T) {
	scores := []float64{-2, -1, -0.5, 0, 0.3, 1, 2, 2.5}
	positive := []bool{false, false, true, false, true, false, true, true}
	a, b := sigmoid.Fit(scores, positive, nil)
	g0, g1 := 0.0, 0.0
	for i, f := range scores {
		target := 1.0 / 6
		if positive[i] {
			target = 5.0 / 6
		}
		g0 += target - sigmoid.Of(a, b, f)
		g1 += f * (target - sigmoid.Of(a, b, f))
	}
	if a >= 0 || math.Abs(g0) > 1e-7 || math.Abs(g1) > 1e-7 {
		t.Errorf("a %v, b %v: the gradients are %v and %v", a, b, g0, g1)
	}
	wa, wb := sigmoid.Fit(scores[:3], positive[:3], []float64{1, 2, 1})
	ra, rb := sigmoid.Fit([]float64{-2, -1, -1, -0.5}, []bool{false, false, false, true}, nil)
	if math.Abs(wa-ra) > 1e-9 || math.Abs(wb-rb) > 1e-9 {
		t.Errorf("weighted %v %v, repeated %v %v", wa, wb, ra, rb)
	}
	if p := sigmoid.Of(-1, 0, 1000); p != 1 {
		t.Errorf("far away: %v", p)
	}
}
