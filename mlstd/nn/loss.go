package nn

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
)

// NetworkLoss is the loss of the outputs of a network, averaged over the examples. In the formulas,
// s are the outputs, y are the targets, and the sums are over the outputs of an example.
//
//	squared               ½ Σ (s − y)²
//	absolute              Σ |s − y|
//	huber                 Σ ½e² if |e| ≤ 1, else |e| − ½,   e = s − y
//	cross-entropy         −Σ y·ln softmax(s)
//	binary cross-entropy  −Σ y·ln σ(s) + (1−y)·ln(1−σ(s))
//	logistic              Σ ln(1 + e^(−y·s)),   y = ±1
//	hinge                 Σ max(0, 1 − y·s),    y = ±1
//	kl                    Σ y·ln(y / softmax(s))
//	step cross-entropy    −(1/T) Σ over the T steps of ln softmax(s_t)[y_t]
//
// For the step cross-entropy, the outputs are a sequence with a net input per class and step, and
// the targets have one class per step, as an index that starts at 0. It predicts each step of a
// sequence; e raised to the loss is the perplexity.
//
// The cross-entropies and the divergence take net inputs, not probabilities. The last layer must be
// linear, because the loss applies the softmax or sigmoid itself. This cannot overflow, and the
// gradient is simply softmax(s) − y or σ(s) − y.
//
// Course: NET-04, NET-06, NET-08.
type NetworkLoss string

// The available losses.
const (
	SquaredOutputs    NetworkLoss = "squared"
	AbsoluteOutputs   NetworkLoss = "absolute"
	HuberOutputs      NetworkLoss = "huber"
	SoftmaxEntropy    NetworkLoss = "cross-entropy"
	SigmoidEntropy    NetworkLoss = "binary cross-entropy"
	LogisticOutputs   NetworkLoss = "logistic"
	HingeOutputs      NetworkLoss = "hinge"
	DivergenceOutputs NetworkLoss = "kl"
	StepEntropy       NetworkLoss = "step cross-entropy"
)

var networkLosses = []NetworkLoss{SquaredOutputs, AbsoluteOutputs, HuberOutputs, SoftmaxEntropy, SigmoidEntropy, LogisticOutputs, HingeOutputs, DivergenceOutputs, StepEntropy}

func (l NetworkLoss) err(op string) error {
	if l != "" && !slices.Contains(networkLosses, l) {
		return model.Errorf(op, "Loss must be one of %q, got %q", networkLosses, string(l))
	}
	return nil
}

// Value returns the mean loss of the outputs.
func (l NetworkLoss) Value(outputs, targets mat.Matrix) float64 {
	s, y := l.pair("NetworkLoss.Value", outputs, targets)
	return l.gradient(nil, s, y)
}

// Gradient is ∂loss/∂outputs.
func (l NetworkLoss) Gradient(outputs, targets mat.Matrix) *mat.Dense {
	s, y := l.pair("NetworkLoss.Gradient", outputs, targets)
	g := new(mat.Dense)
	l.gradient(g, s, y)
	return g
}

func (l NetworkLoss) pair(op string, outputs, targets mat.Matrix) (s, y *mat.Dense) {
	if err := l.err(op); err != nil {
		panic(err)
	}
	r, c := outputs.Dims()
	tr, tc := targets.Dims()
	if tr != r || tc != c && l != StepEntropy {
		panic(model.Errorf(op, "outputs and targets must have the same shape, got %dx%d and %dx%d", r, c, tr, tc))
	}
	y = model.Dense(targets)
	if l == StepEntropy {
		if err := checkSteps(op, c, y); err != nil {
			panic(err)
		}
	}
	return model.Dense(outputs), y
}

// checkSteps returns an error unless y has a class per step, for outputs with a number per class
// and step.
func checkSteps(op string, outputs int, y *mat.Dense) error {
	n, steps := y.Dims()
	classes := outputs / steps
	if classes < 2 || outputs%steps != 0 {
		return model.Errorf(op, "the columns of y (the steps) must divide the number of outputs (steps times classes), which is %d, got %d", outputs, steps)
	}
	for i := range n {
		for t, c := range y.RawRowView(i) {
			if c != math.Trunc(c) || c < 0 || c >= float64(classes) {
				return model.Errorf(op, "y[%d][%d] must be the index of a class, between 0 and %d, got %v", i, t, classes-1, c)
			}
		}
	}
	return nil
}

// gradient returns the mean loss and writes its gradient into g, if there is one.
func (l NetworkLoss) gradient(g, s, y *mat.Dense) float64 {
	n, k := s.Dims()
	if g != nil {
		sized(g, n, k)
	}
	sum, over := 0.0, 1/float64(n)
	for i := range n {
		row, target := s.RawRowView(i), y.RawRowView(i)
		var to []float64
		if g != nil {
			to = g.RawRowView(i)
		}
		switch l {
		case SoftmaxEntropy, DivergenceOutputs:
			sum += l.softmaxRow(to, row, target, over)
			continue
		case StepEntropy:
			sum += stepRow(to, row, target, over)
			continue
		}
		for j, v := range row {
			value, slope := l.one(v, target[j])
			sum += value
			if to != nil {
				to[j] = slope * over
			}
		}
	}
	return sum * over
}

// stepRow returns the mean of the cross-entropies of the steps of a row.
func stepRow(to, s, y []float64, over float64) float64 {
	sum, k := 0.0, len(s)/len(y)
	over /= float64(len(y))
	for t, class := range y {
		part, c := s[t*k:(t+1)*k], int(class)
		log := logSum(part)
		sum += log - part[c]
		if to == nil {
			continue
		}
		g := to[t*k : (t+1)*k]
		for j, v := range part {
			g[j] = math.Exp(v-log) * over
		}
		g[c] -= over
	}
	return sum / float64(len(y))
}

// logSum is ln Σ eᵛ without overflow.
func logSum(s []float64) float64 {
	top, sum := slices.Max(s), 0.0
	for _, v := range s {
		sum += math.Exp(v - top)
	}
	return top + math.Log(sum)
}

// softmaxRow returns the cross-entropy of a row, or the divergence, which is the cross-entropy
// minus the entropy of the target.
func (l NetworkLoss) softmaxRow(to, s, y []float64, over float64) float64 {
	log, mass, value := logSum(s), 0.0, 0.0
	for j, t := range y {
		mass += t
		value += t * (log - s[j])
		if l == DivergenceOutputs && t > 0 {
			value += t * math.Log(t)
		}
	}
	for j := range to {
		to[j] = (mass*math.Exp(s[j]-log) - y[j]) * over
	}
	return value
}

// one returns the loss of one output and its derivative.
func (l NetworkLoss) one(s, y float64) (value, slope float64) {
	e := s - y
	switch l {
	case AbsoluteOutputs:
		if e == 0 {
			return 0, 0
		}
		return math.Abs(e), math.Copysign(1, e)
	case HuberOutputs:
		if math.Abs(e) > 1 {
			return math.Abs(e) - 0.5, math.Copysign(1, e)
		}
	case SigmoidEntropy:
		return softplus(s) - y*s, sigmoid(s) - y
	case LogisticOutputs:
		return softplus(-y * s), -y * sigmoid(-y*s)
	case HingeOutputs:
		if y*s < 1 {
			return 1 - y*s, -y
		}
		return 0, 0
	}
	return e * e / 2, e
}
