package svm

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/pick"
	"github.com/gokernel/gokernel/mlstd/internal/sigmoid"
	"github.com/gokernel/gokernel/mlstd/kernel"
	"github.com/gokernel/gokernel/mlstd/model"
)

// CalibratedSVC is an [SVC] that computes class probabilities by Platt's method.
//
//	P(y = +1 | x) = 1/(1 + exp(A·f(x) + B))
//
// For each pair of classes, A and B maximize the likelihood of cross-validated scores f: the score
// of an example comes from a machine that was fitted without the example (Folds folds). The targets
// are (n₊+1)/(n₊+2) and 1/(n₋+2) instead of 1 and 0. The class probabilities p then follow from the
// probabilities r of the pairs: p minimizes
//
//	Σᵢ Σ_{j≠i} (rⱼᵢ·pᵢ − rᵢⱼ·pⱼ)²,  rᵢⱼ = P(i | i or j, x)
//
// Predict returns the class with the largest probability, which may differ from the class that SVC
// predicts by vote.
//
// Cost: Folds + 1 times the cost of SVC.
//
// References: [Platt1999], [LinLinWeng2007], [WuLinWeng2004]. Course: SVM-07.
type CalibratedSVC struct {
	C      float64       // as in SVC
	Kernel kernel.Kernel // as in SVC
	Tol    float64       // as in SVC
	// Folds is the number of cross-validation folds; 0 means 5.
	Folds int
	Seed  uint64 // of the folds
	model.Control

	Machine *SVC              // set by Fit: the classifier fitted on all examples
	Sigmoid []SigmoidOfScores // set by Fit: one for each of its Machines

	model.Fitted // set by Fit: the columns that it was given
}

// SigmoidOfScores converts scores f to probabilities 1/(1 + exp(A·f + B)).
type SigmoidOfScores struct{ A, B float64 }

var _ model.ProbClassifier = (*CalibratedSVC)(nil)

// Fit fits the machine and its sigmoids.
func (m *CalibratedSVC) Fit(x mat.Matrix, y []int) error {
	const op = "CalibratedSVC.Fit"
	model.NoteXY(&m.Fitted, x, y)
	m.Machine, m.Sigmoid = nil, nil
	d, err := model.CheckXY(op, x, y)
	if err != nil {
		return err
	}
	folds := m.Folds
	if folds == 0 {
		folds = 5
	}
	if folds < 2 || folds > len(y) && m.Folds != 0 {
		return model.Errorf(op, "Folds must be between 2 and %d (the number of examples), got %d", len(y), m.Folds)
	}
	classes, _ := model.Classes(y)
	if err := model.CheckTwoOrMore(op, classes); err != nil {
		return err
	}
	k := kernel.OrDefault(m.Kernel, d)
	pairs := len(classes) * (len(classes) - 1) / 2
	run := m.Begin("CalibratedSVC", pairs+1)
	defer run.End()
	// The machines inside are stopped through the context and report nothing.
	inner := model.Control{Context: run.Context(), OnStep: func(model.Step) {}}
	all := &SVC{C: m.C, Kernel: k, Tol: m.Tol, Control: inner}
	if err := all.Fit(d, y); err != nil {
		return err
	}
	if err := run.Step(1, math.NaN()); err != nil {
		return err
	}
	var sigmoids []SigmoidOfScores
	for p, pm := range all.Machines {
		var rows []int
		for i, c := range y {
			if c == pm.Negative || c == pm.Positive {
				rows = append(rows, i)
			}
		}
		scores, signs, err := m.heldOut(pick.Rows(d, rows), pick.Of(y, rows), pm, k, folds, uint64(p), inner)
		if err != nil {
			return err
		}
		a, b := sigmoid.Fit(scores, signs, nil)
		sigmoids = append(sigmoids, SigmoidOfScores{A: a, B: b})
		if err := run.Step(p+2, math.NaN()); err != nil {
			return err
		}
	}
	all.Control = model.Control{}
	m.Machine, m.Sigmoid = all, sigmoids
	return nil
}

// heldOut returns, for each example of two classes, the score of a machine that has not seen it.
func (m *CalibratedSVC) heldOut(x *mat.Dense, y []int, pm PairMachine, k kernel.Kernel, folds int, stream uint64, control model.Control) (scores []float64, positive []bool, err error) {
	n := len(y)
	scores, positive = make([]float64, n), make([]bool, n)
	order := model.Rand(m.Seed, stream).Perm(n)
	for f := range folds {
		var in, out []int
		for t, i := range order {
			if t%folds == f {
				out = append(out, i)
			} else {
				in = append(in, i)
			}
		}
		if len(out) == 0 {
			continue
		}
		machine := &SVC{C: m.C, Kernel: k, Tol: m.Tol, Control: control}
		present, _ := model.Classes(pick.Of(y, in))
		switch {
		case len(present) == 2:
			if err := machine.Fit(pick.Rows(x, in), pick.Of(y, in)); err != nil {
				return nil, nil, err
			}
			for t, v := range machine.Decision(pick.Rows(x, out)).RawMatrix().Data {
				scores[out[t]] = v
			}
		case len(present) == 1: // nothing to learn but that this class is the likely one
			v := -1.0
			if present[0] == pm.Positive {
				v = 1
			}
			for _, i := range out {
				scores[i] = v
			}
		}
	}
	for i, c := range y {
		positive[i] = c == pm.Positive
	}
	return scores, positive, nil
}

// Probability returns 1/(1 + exp(A·f + B)).
func (s SigmoidOfScores) Probability(f float64) float64 { return sigmoid.Of(s.A, s.B, f) }

// Classes returns the classes in ascending order.
func (m *CalibratedSVC) Classes() []int {
	if m.Machine == nil {
		return nil
	}
	return m.Machine.Classes()
}

// PredictProba returns the probability of each class, with one column per class.
func (m *CalibratedSVC) PredictProba(x mat.Matrix) *mat.Dense {
	const op = "CalibratedSVC.PredictProba"
	x = model.MustRead(op, &m.Fitted, x)
	if m.Machine == nil {
		panic(model.NotFitted(op))
	}
	f := m.Machine.pairDecision(op, x)
	n, _ := f.Dims()
	k := len(m.Machine.classes)
	out := mat.NewDense(n, k, nil)
	pairs := mat.NewDense(k, k, nil)
	for i := range n {
		if k == 2 {
			p := m.Sigmoid[0].Probability(f.At(i, 0))
			out.SetRow(i, []float64{1 - p, p})
			continue
		}
		t := 0
		m.Machine.eachPair(f.RawRowView(i), func(a, b int, v float64) {
			// Certainty in a pair would leave the coupling without a solution.
			p := min(max(m.Sigmoid[t].Probability(v), 1e-7), 1-1e-7)
			pairs.Set(b, a, p)
			pairs.Set(a, b, 1-p)
			t++
		})
		couple(pairs, out.RawRowView(i))
	}
	return out
}

// couple finds the class probabilities p that agree best with those of the pairs,
// r.At(i, j) = P(i | i or j), by the fixed point of [WuLinWeng2004] alg. 2.
func couple(r *mat.Dense, p []float64) {
	k := len(p)
	q := mat.NewDense(k, k, nil)
	for i := range k {
		p[i] = 1 / float64(k)
		for j := range k {
			if j != i {
				q.Set(i, i, q.At(i, i)+r.At(j, i)*r.At(j, i))
				q.Set(i, j, -r.At(j, i)*r.At(i, j))
			}
		}
	}
	qp := make([]float64, k)
	for range max(100, k) {
		total := 0.0
		for i := range k {
			qp[i] = 0
			for j, v := range q.RawRowView(i) {
				qp[i] += v * p[j]
			}
			total += p[i] * qp[i]
		}
		worst := 0.0
		for i := range k {
			worst = max(worst, math.Abs(qp[i]-total))
		}
		if worst < 1e-10 {
			break
		}
		for i := range k {
			d := (total - qp[i]) / q.At(i, i)
			p[i] += d
			total = (total + d*(d*q.At(i, i)+2*qp[i])) / (1 + d) / (1 + d)
			for j := range k {
				qp[j] = (qp[j] + d*q.At(i, j)) / (1 + d)
				p[j] /= 1 + d
			}
		}
	}
}

// Predict returns the class with the largest probability.
func (m *CalibratedSVC) Predict(x mat.Matrix) []int {
	x = model.MustRead("CalibratedSVC.Predict", &m.Fitted, x)
	if m.Machine == nil {
		panic(model.NotFitted("CalibratedSVC.Predict"))
	}
	p := m.PredictProba(x)
	n, _ := p.Dims()
	out := make([]int, n)
	for i := range out {
		row := p.RawRowView(i)
		out[i] = m.Machine.classes[slices.Index(row, slices.Max(row))]
	}
	return out
}
