package score

import (
	"math"

	"github.com/gokernel/gokernel/mlstd/frame/lazy"
)

// float writes a number.
func float(v float64) *lazy.Column { return lazy.Literal(v) }

// far bounds arguments of the exponential function, so that no database sees an overflow or an
// underflow.
const far = 700

// exp is e to the power of c within the bounds: it is 0 below them.
func exp(c *lazy.Column) *lazy.Column {
	return lazy.Case(c.Greater(float64(far)), float(math.Exp(far)), c.Less(float64(-far)), float(0), lazy.Function("exp", c))
}

// sigmoid returns 1/(1 + e^(−z)).
func sigmoid(z *lazy.Column) *lazy.Column {
	return lazy.Sum(float(1), exp(z.Times(-1.0))).Rover(1.0)
}

// bySign is the outcome of a score of the second class: the first class wins up to the limit. The
// probability is the sigmoid of the score times scale; there is none if scale is 0.
func bySign(classes []int, score *lazy.Column, limit, scale float64) *outcome {
	out := &outcome{classes: classes, choose: func(values []*lazy.Column) *lazy.Column {
		return lazy.Case(score.Greater(limit), values[1], values[0])
	}}
	if scale != 0 {
		out.proba = func(k int) *lazy.Column { return logistic(score, scale, k) }
	}
	return out
}

// logistic returns the probability of the first or the second class.
func logistic(score *lazy.Column, scale float64, k int) *lazy.Column {
	if k == 0 {
		scale = -scale
	}
	if scale != 1 {
		score = score.Times(scale)
	}
	return sigmoid(score)
}

// largest returns the value of the class with the largest score. The first class wins among scores
// that differ by at most the limit.
func largest(scores []*lazy.Column, limit float64, values []*lazy.Column) *lazy.Column {
	var args []*lazy.Column
	for k, s := range scores {
		if k == len(scores)-1 {
			args = append(args, s.IsNA().Not(), values[k])
			break
		}
		var masks []*lazy.Column
		if limit > 0 {
			s = s.Plus(limit)
		}
		for l, other := range scores {
			if l != k {
				masks = append(masks, s.GreaterEqual(other))
			}
		}
		args = append(args, all(masks, (*lazy.Column).And), values[k])
	}
	return lazy.Case(args...)
}

// softmax returns the probability of a class, e^{sₖ} / Σⱼ e^{sⱼ} = 1 / (1 + Σ_{j≠k} e^{sⱼ−sₖ}).
func softmax(scores []*lazy.Column, k int) *lazy.Column {
	terms := []*lazy.Column{float(1)}
	for j, s := range scores {
		if j != k {
			terms = append(terms, exp(s.Minus(scores[k])))
		}
	}
	return lazy.Sum(terms...).Rover(1.0)
}

// byScores is the outcome of one score per class; see largest. The probabilities are those of
// softmax if soft is set.
func byScores(classes []int, scores []*lazy.Column, limit float64, soft bool) *outcome {
	out := &outcome{classes: classes, choose: func(values []*lazy.Column) *lazy.Column { return largest(scores, limit, values) }}
	if soft {
		out.proba = func(k int) *lazy.Column { return softmax(scores, k) }
	}
	return out
}
