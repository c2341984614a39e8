package anomaly

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
)

// thresholdOf returns the score that a fraction of the training rows exceeds: the
// quantile of 1 − share, between two scores as numbers lie between them.
func thresholdOf(op string, share float64, scores []float64) (float64, error) {
	share = model.Or(share, 0.1)
	if !(share >= 0 && share <= 0.5) {
		return 0, model.Errorf(op, "Contamination must be between 0 and 0.5 (the fraction of anomalies), got %v", share)
	}
	s := slices.Sorted(slices.Values(scores))
	at := (1 - share) * float64(len(s)-1)
	i := int(at)
	if i+1 >= len(s) {
		return s[len(s)-1], nil
	}
	part := at - float64(i)
	return s[i] + part*(s[i+1]-s[i]), nil
}

// above reports for each score whether it is above the threshold.
func above(scores []float64, threshold float64) []bool {
	out := make([]bool, len(scores))
	for i, s := range scores {
		out[i] = s > threshold
	}
	return out
}

// F1Choice is a threshold that was chosen with labeled examples.
type F1Choice struct {
	Threshold             float64
	F1, Precision, Recall float64
	Thresholds, F1s       []float64 // the F1 score of each threshold that was tried, ascending
}

// ChooseThreshold returns the threshold with the best F1 score. For a density, this is the usual
// choice of ε: a row with −log p(x) > −log ε is an anomaly. anomaly[i] reports whether row i is an
// anomaly. Thresholds lie halfway between scores; ties go to the highest threshold.
//
//	F1 = 2·precision·recall / (precision + recall)
//
// Course: DEC-12.
func ChooseThreshold(scores []float64, anomaly []bool) (*F1Choice, error) {
	const op = "ChooseThreshold"
	if len(scores) == 0 || len(scores) != len(anomaly) {
		return nil, model.Errorf(op, "scores and anomaly must have the same length, got %d and %d", len(scores), len(anomaly))
	}
	order := make([]int, len(scores))
	all := 0
	for i, s := range scores {
		if math.IsNaN(s) {
			return nil, model.Errorf(op, "scores[%d] must be a number, got NaN", i)
		}
		order[i] = i
		if anomaly[i] {
			all++
		}
	}
	if all == 0 || all == len(scores) {
		return nil, model.Errorf(op, "anomaly must have both true and false entries, got %d true of %d", all, len(scores))
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case scores[a] > scores[b]:
			return -1
		case scores[a] < scores[b]:
			return 1
		}
		return 0
	})
	c := &F1Choice{F1: -1}
	hits := 0
	for at, i := range order[:len(order)-1] {
		if anomaly[i] {
			hits++
		}
		next := scores[order[at+1]]
		if next == scores[i] {
			continue
		}
		precision, recall := float64(hits)/float64(at+1), float64(hits)/float64(all)
		f1 := 2 * float64(hits) / float64(at+1+all)
		t := next + (scores[i]-next)/2
		if math.IsInf(t, 0) || math.IsNaN(t) {
			t = next
		}
		c.Thresholds, c.F1s = append(c.Thresholds, t), append(c.F1s, f1)
		if f1 > c.F1 {
			c.Threshold, c.F1, c.Precision, c.Recall = t, f1, precision, recall
		}
	}
	if c.F1 < 0 {
		return nil, model.Errorf(op, "the scores must differ, got %v for all rows", scores[0])
	}
	slices.Reverse(c.Thresholds)
	slices.Reverse(c.F1s)
	return c, nil
}

// tuned implements Tune of a detector: it returns the threshold with the best F1 score on x.
func tuned(m model.Detector, op string, x mat.Matrix, anomaly []bool, threshold *float64) (*F1Choice, error) {
	if x == nil {
		return nil, model.Errorf(op, "x must not be nil")
	}
	if n, _ := x.Dims(); n != len(anomaly) {
		return nil, model.Errorf(op, "anomaly must have %d entries (the number of rows of x), got %d", n, len(anomaly))
	}
	c, err := ChooseThreshold(m.Score(x), anomaly)
	if err != nil {
		return nil, err
	}
	*threshold = c.Threshold
	return c, nil
}
