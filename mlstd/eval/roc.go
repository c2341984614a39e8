package eval

import (
	"math"
	"slices"

	"github.com/gokernel/gokernel/mlstd/internal/radix"
	"github.com/gokernel/gokernel/mlstd/model"
)

// ROCCurve is the receiver operating characteristic: the true positive rate (TPR) against the false
// positive rate (FPR), as the threshold falls. For point i, the examples with score >= Threshold[i]
// are predicted positive. The first point is (0, 0) with threshold +Inf; the last point is (1, 1).
//
// Course: EVAL-09.
type ROCCurve struct {
	FPR, TPR, Threshold []float64
	Name                string // in pictures; may be empty
}

// Named returns the curve with a name, for a chart of several curves.
func (c *ROCCurve) Named(name string) *ROCCurve {
	out := *c
	out.Name = name
	return &out
}

// ROC sorts the examples by descending score and adds a point after each
// distinct score, so that examples with equal scores move together.
//
// It panics unless both classes occur. Cost: O(n log n).
//
// References: [Fawcett2006]. Course: EVAL-09.
func ROC(y []int, score []float64, positive int) *ROCCurve {
	ranked, pos, neg := rank("ROC", y, score, positive)
	if pos == 0 || neg == 0 {
		panic(model.Errorf("ROC", "there must be positive and negative examples, got %d and %d", pos, neg).WithHint("pass the class that counts as positive instead of %d", positive))
	}
	points := levels(ranked) + 1
	c := &ROCCurve{FPR: make([]float64, 1, points), TPR: make([]float64, 1, points), Threshold: make([]float64, 1, points)}
	c.Threshold[0] = math.Inf(1)
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
		c.FPR = append(c.FPR, float64(fp)/float64(neg))
		c.TPR = append(c.TPR, float64(tp)/float64(pos))
		c.Threshold = append(c.Threshold, e.score)
	}
	return c
}

type scored struct {
	score    float64
	positive bool
}

// rank returns the examples by descending score and the counts of both classes.
func rank(op string, y []int, score []float64, positive int) (r []scored, pos, neg int) {
	mustPair(op, len(y), len(score))
	falling := make([]float64, len(y))
	for i, v := range score {
		if math.IsNaN(v) {
			panic(model.Errorf(op, "score[%d] must be a number, got NaN", i))
		}
		falling[i] = -v
	}
	r = make([]scored, len(y))
	for at, i := range radix.NewSorter(len(y)).Order(falling) {
		r[at] = scored{score[i], y[i] == positive}
		if r[at].positive {
			pos++
		} else {
			neg++
		}
	}
	return r, pos, neg
}

// levels counts the distinct scores of examples in their order.
func levels(ranked []scored) int {
	k := 0
	for i, e := range ranked {
		if i == 0 || ranked[i-1].score != e.score {
			k++
		}
	}
	return k
}

// AUC is the area under the curve by the trapezoidal rule. It is the probability that a positive
// example scores higher than a negative example, where ties count half. This is the Mann-Whitney
// statistic divided by the number of pairs.
//
// References: [HanleyMcNeil1982]. Course: EVAL-10.
func (c *ROCCurve) AUC() float64 {
	a := 0.0
	for i := 1; i < len(c.FPR); i++ {
		a += (c.FPR[i] - c.FPR[i-1]) * (c.TPR[i] + c.TPR[i-1]) / 2
	}
	return a
}

// AUC is the area under the [ROC] curve of the scores.
//
// Course: EVAL-10.
func AUC(y []int, score []float64, positive int) float64 { return ROC(y, score, positive).AUC() }

// Hull is the upper convex hull of the curve: the best points that a random choice between two
// thresholds can reach. A threshold whose point is below the hull is not optimal for any
// combination of costs and class ratio.
//
// References: [Fawcett2006]. Course: EVAL-11.
func (c *ROCCurve) Hull() *ROCCurve {
	var keep []int
	for i := range c.FPR {
		for len(keep) >= 2 {
			a, b := keep[len(keep)-2], keep[len(keep)-1]
			turn := (c.FPR[b]-c.FPR[a])*(c.TPR[i]-c.TPR[a]) - (c.TPR[b]-c.TPR[a])*(c.FPR[i]-c.FPR[a])
			if turn < 0 {
				break
			}
			keep = keep[:len(keep)-1]
		}
		keep = append(keep, i)
	}
	h := &ROCCurve{Name: c.Name}
	for _, i := range keep {
		h.FPR = append(h.FPR, c.FPR[i])
		h.TPR = append(h.TPR, c.TPR[i])
		h.Threshold = append(h.Threshold, c.Threshold[i])
	}
	return h
}

// At interpolates the true positive rate at a false positive rate in [0, 1]; on a vertical step it
// returns the upper end.
func (c *ROCCurve) At(fpr float64) float64 {
	_, hi := c.step(fpr)
	return hi
}

// step returns both ends of the curve at a false positive rate; they differ on a
// vertical step only.
func (c *ROCCurve) step(fpr float64) (lo, hi float64) {
	first, _ := slices.BinarySearch(c.FPR, fpr)
	last := first
	for last < len(c.FPR) && c.FPR[last] == fpr {
		last++
	}
	if last > first {
		return c.TPR[first], c.TPR[last-1]
	}
	if first == 0 || first == len(c.FPR) {
		panic(model.Errorf("ROCCurve.At", "fpr must be between 0 and 1, got %v", fpr))
	}
	x0, x1 := c.FPR[first-1], c.FPR[first]
	v := c.TPR[first-1] + (c.TPR[first]-c.TPR[first-1])*(fpr-x0)/(x1-x0)
	return v, v
}

// PRCurve is precision against recall as the threshold falls. For point i, the examples with score
// >= Threshold[i] are predicted positive. It suits problems with many negatives, on which a ROC
// curve looks too good.
//
// Course: EVAL-12.
type PRCurve struct {
	Recall, Precision, Threshold []float64
	Name                         string // in pictures; may be empty
}

// Named returns the curve with a name, for a chart of several curves.
func (c *PRCurve) Named(name string) *PRCurve {
	out := *c
	out.Name = name
	return &out
}

// PrecisionRecall adds a point after each distinct score, from the highest down.
// It panics when there is no positive example.
//
// References: [DavisGoadrich2006]. Course: EVAL-12.
func PrecisionRecall(y []int, score []float64, positive int) *PRCurve {
	ranked, pos, _ := rank("PrecisionRecall", y, score, positive)
	if pos == 0 {
		panic(model.Errorf("PrecisionRecall", "there must be a positive example, got none").WithHint("pass the class that counts as positive instead of %d", positive))
	}
	points := levels(ranked)
	c := &PRCurve{Recall: make([]float64, 0, points), Precision: make([]float64, 0, points), Threshold: make([]float64, 0, points)}
	tp := 0
	for i, e := range ranked {
		if e.positive {
			tp++
		}
		if i+1 < len(ranked) && ranked[i+1].score == e.score {
			continue
		}
		c.Recall = append(c.Recall, float64(tp)/float64(pos))
		c.Precision = append(c.Precision, float64(tp)/float64(i+1))
		c.Threshold = append(c.Threshold, e.score)
	}
	return c
}

// AveragePrecision is the area under the curve as a sum of rectangles: the precision weighted by
// the step in recall. Linear interpolation between points would be too optimistic.
//
//	AP = Σᵢ (Rᵢ − Rᵢ₋₁)·Pᵢ
//
// Course: EVAL-12.
func (c *PRCurve) AveragePrecision() float64 {
	a, last := 0.0, 0.0
	for i, r := range c.Recall {
		a += (r - last) * c.Precision[i]
		last = r
	}
	return a
}

// AveragePrecision is the area under the [PrecisionRecall] curve of the scores.
//
// Course: EVAL-12.
func AveragePrecision(y []int, score []float64, positive int) float64 {
	return PrecisionRecall(y, score, positive).AveragePrecision()
}

// PooledROC returns one curve for the scores of all folds. It is valid only if all folds' scores
// are on the same scale; otherwise use [AverageROC].
//
// Course: EVAL-14.
func PooledROC(y [][]int, score [][]float64, positive int) *ROCCurve {
	mustPair("PooledROC", len(y), len(score))
	return ROC(slices.Concat(y...), slices.Concat(score...), positive)
}

// AverageROC averages the folds' curves vertically: the mean true positive rate at each false
// positive rate where any fold has a point. The thresholds of this curve have no meaning and are
// NaN.
//
// References: [Fawcett2006]. Course: EVAL-14.
func AverageROC(y [][]int, score [][]float64, positive int) *ROCCurve {
	mustPair("AverageROC", len(y), len(score))
	folds := make([]*ROCCurve, len(y))
	var at []float64
	for i := range y {
		folds[i] = ROC(y[i], score[i], positive)
		at = append(at, folds[i].FPR...)
	}
	slices.Sort(at)
	at = slices.Compact(at)
	c := &ROCCurve{}
	for _, x := range at {
		var lo, hi float64
		for _, f := range folds {
			l, h := f.step(x)
			lo += l / float64(len(folds))
			hi += h / float64(len(folds))
		}
		c.FPR, c.TPR, c.Threshold = append(c.FPR, x), append(c.TPR, lo), append(c.Threshold, math.NaN())
		if hi > lo {
			c.FPR, c.TPR, c.Threshold = append(c.FPR, x), append(c.TPR, hi), append(c.Threshold, math.NaN())
		}
	}
	return c
}
