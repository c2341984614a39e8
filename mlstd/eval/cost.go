package eval

import (
	"math"

	"github.com/gokernel/gokernel/mlstd/internal/limits"
)

// Costs are the costs of the two kinds of mistake, both in the same unit.
//
// Course: EVAL-08.
type Costs struct {
	FalsePositive, FalseNegative float64
}

// Threshold is the smallest probability of the positive class at which predicting this class has
// the lower expected cost.
//
//	p·c_FN ≥ (1−p)·c_FP  ⇔  p ≥ c_FP / (c_FP + c_FN)
//
// It presumes calibrated probabilities. If a miss costs ten times as much as a false alarm, the
// threshold is 1/11.
//
// References: [Elkan2001]. Course: EVAL-08.
func (c Costs) Threshold() float64 {
	c.must("Costs.Threshold")
	return c.FalsePositive / (c.FalsePositive + c.FalseNegative)
}

// Mean is the mean cost of the predictions per example.
func (c Costs) Mean(y, predicted []int, positive int) float64 {
	c.must("Costs.Mean")
	_, fp, fn, _ := counts("Costs.Mean", y, predicted, positive)
	return (c.FalsePositive*float64(fp) + c.FalseNegative*float64(fn)) / float64(len(y))
}

func (c Costs) must(op string) {
	if err := limits.Check(op,
		limits.NotNegative("FalsePositive", c.FalsePositive),
		limits.NotNegative("FalseNegative", c.FalseNegative),
		limits.Must("FalsePositive", c.FalsePositive, c.FalsePositive+c.FalseNegative > 0, "be positive when FalseNegative is 0")); err != nil {
		panic(err)
	}
}

// ThresholdChoice is a threshold and the metric's value at this threshold. Predict the positive
// class if score >= Threshold.
type ThresholdChoice struct {
	Threshold float64
	Value     float64 // the F measure or the mean cost at the threshold
}

// BestFThreshold chooses the threshold with the highest F_β among the distinct scores. Ties go to
// the highest threshold. Choose on a tuning set, never on the test set.
//
// Course: EVAL-06, EVAL-13.
func BestFThreshold(y []int, score []float64, positive int, beta float64) ThresholdChoice {
	c := PrecisionRecall(y, score, positive)
	best := ThresholdChoice{Threshold: math.Inf(1), Value: 0}
	b := beta * beta
	for i := range c.Threshold {
		p, r := c.Precision[i], c.Recall[i]
		if f := (1 + b) * p * r / (b*p + r); p+r > 0 && f > best.Value {
			best = ThresholdChoice{c.Threshold[i], f}
		}
	}
	return best
}

// BestCostThreshold chooses the threshold with the smallest mean cost among the distinct scores and
// +Inf, which makes every prediction negative.
//
// Course: EVAL-08, EVAL-13.
func BestCostThreshold(y []int, score []float64, positive int, costs Costs) ThresholdChoice {
	costs.must("BestCostThreshold")
	ranked, pos, _ := rank("BestCostThreshold", y, score, positive)
	n := float64(len(y))
	best := ThresholdChoice{math.Inf(1), costs.FalseNegative * float64(pos) / n}
	tp, fp := 0, 0
	for i, e := range ranked {
		if e.positive {
			tp++
		} else {
			fp++
		}
		if i+1 < len(ranked) && ranked[i+1].score == e.score {
			continue
		}
		if v := (costs.FalseNegative*float64(pos-tp) + costs.FalsePositive*float64(fp)) / n; v < best.Value {
			best = ThresholdChoice{e.score, v}
		}
	}
	return best
}

// AtThreshold converts scores to predictions: positive if score >= threshold, and negative
// otherwise.
//
// Course: EVAL-13.
func AtThreshold(score []float64, threshold float64, positive, negative int) []int {
	out := make([]int, len(score))
	for i, s := range score {
		out[i] = negative
		if s >= threshold {
			out[i] = positive
		}
	}
	return out
}
