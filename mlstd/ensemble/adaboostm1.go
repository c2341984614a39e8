package ensemble

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
)

// AdaBoostM1 is AdaBoost for any number of classes in the form with β.
//
//	ε = Σ p_i·[f_m(xᵢ) ≠ yᵢ],  β = ε/(1−ε)
//	wᵢ ← wᵢ·β if f_m(xᵢ) = yᵢ,  ŷ = argmaxₖ Σ_{m: f_m(x)=k} log(1/β_m)
//
// It stops when ε exceeds ½: more than chance for two classes, and much to ask of
// a weak learner for many. For two classes it makes the same members as
// [AdaBoost]. ([·] is 1 when the condition holds, here and everywhere; the notes
// switch.)
//
// Cost: Rounds fits of the base classifier.
//
// References: [FreundSchapire1996]. Course: ENS-10, ENS-12.
type AdaBoostM1 struct {
	New      func() model.Classifier // nil means decision stumps
	Rounds   int                     // 0 means 50
	Resample bool                    // fit to a sample drawn by the weights
	Oversize int                     // of samples, in multiples of n; 0 means 10
	Seed     uint64
	model.Control

	Models []model.Classifier // set by Fit
	Say    []float64          // set by Fit: log(1/β)
	Trace  BoostTrace

	classes []int
	width   int
}

// Fit adds at most Rounds members.
func (a *AdaBoostM1) Fit(x mat.Matrix, y []int) error {
	const op = "AdaBoostM1.Fit"
	a.Models, a.Say, a.Trace, a.classes, a.width = nil, nil, BoostTrace{}, nil, 0
	d, err := model.CheckXY(op, x, y)
	if err != nil {
		return err
	}
	classes, _ := model.Classes(y)
	if err := model.CheckTwoOrMore(op, classes); err != nil {
		return err
	}
	rounds, err := countOr(op, "Rounds", a.Rounds, 50)
	if err != nil {
		return err
	}
	fitter, err := newWeakFitter(op, a.New, columned(x, d), d, y, a.Resample, a.Oversize, a.Seed)
	if err != nil {
		return err
	}
	run := a.Begin("AdaBoostM1", rounds)
	defer run.End()
	n, p := d.Dims()
	w := slices.Repeat([]float64{1 / float64(n)}, n)
	votes := mat.NewDense(n, len(classes), nil)
	var models []model.Classifier
	var says []float64
	var trace BoostTrace
	for m := range rounds {
		f, pred, err := fitter.fit(w, uint64(m))
		if err != nil {
			return err
		}
		eps := 0.0
		for i, c := range pred {
			if c != y[i] {
				eps += w[i]
			}
		}
		if eps > 0.5-1e-12 {
			break
		}
		if n <= 64 {
			trace.Weights = append(trace.Weights, slices.Clone(w))
		}
		beta := max(eps, 1e-10) / (1 - eps)
		say := math.Log(1 / beta)
		z, wrong := 0.0, 0.0
		for i, c := range pred {
			k, _ := slices.BinarySearch(classes, c)
			votes.Set(i, k, votes.At(i, k)+say)
			if classes[maxAt(votes.RawRowView(i))] != y[i] {
				wrong++
			}
			if c == y[i] {
				w[i] *= beta
			}
			z += w[i]
		}
		for i := range w {
			w[i] /= z
		}
		models, says = append(models, f), append(says, say)
		trace.Error, trace.Alpha = append(trace.Error, eps), append(trace.Alpha, say)
		trace.Training = append(trace.Training, wrong/float64(n))
		if err := run.Step(m+1, wrong/float64(n)); err != nil {
			return err
		}
		if eps < 1e-10 {
			break
		}
	}
	if models == nil {
		return model.Errorf(op, "the first base classifier errs on half of the examples or more").
			WithHint("use a stronger one, such as a DecisionTree with MaxDepth, or OneVsAll of AdaBoost")
	}
	a.Models, a.Say, a.Trace, a.classes, a.width = models, says, trace, classes, p
	return nil
}

// Classes lists the classes in ascending order.
func (a *AdaBoostM1) Classes() []int { return a.classes }

// Decision gives the summed votes of each class.
func (a *AdaBoostM1) Decision(x mat.Matrix) *mat.Dense { return a.votes("AdaBoostM1.Decision", x) }

func (a *AdaBoostM1) votes(op string, x mat.Matrix) *mat.Dense {
	if a.Models == nil {
		panic(model.NotFitted(op))
	}
	d := model.MustWidth(op, x, a.width)
	n, _ := d.Dims()
	v := mat.NewDense(n, len(a.classes), nil)
	for m, f := range a.Models {
		for i, c := range f.Predict(d) {
			k, _ := slices.BinarySearch(a.classes, c)
			v.Set(i, k, v.At(i, k)+a.Say[m])
		}
	}
	return v
}

// Predict gives the class with the largest vote, the least of equals.
func (a *AdaBoostM1) Predict(x mat.Matrix) []int {
	return mostProbable(a.votes("AdaBoostM1.Predict", x), a.classes)
}
