package ensemble

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/pick"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/tree"
)

// AdaBoostM1 is AdaBoost for any number of classes, formulated with the factor β.
//
//	ε = Σ p_i·[f_m(xᵢ) ≠ yᵢ],  β = ε/(1−ε)
//	wᵢ ← wᵢ·β if f_m(xᵢ) = yᵢ,  ŷ = argmaxₖ Σ_{m: f_m(x)=k} log(1/β_m)
//
// It stops if ε exceeds ½. For two classes, an error below ½ is merely better than chance, but with
// many classes, weak learners rarely reach it. With SAMME, a member only has to be better than
// chance among K classes: ε < 1 − 1/K, with β = ε/((1−ε)(K−1)). For two classes, both variants have
// the same members as [AdaBoost]. ([·] is 1 if the condition holds. The lecture notes use both
// conventions.)
//
// Cost: Rounds fits of the base classifier.
//
// References: [FreundSchapire1996], [Zhu2009]. Course: ENS-10, ENS-12.
type AdaBoostM1 struct {
	New func() model.Classifier // nil means decision stumps
	// Rounds is the number of boosting rounds; 0 means 50. More rounds fit the
	// training data more closely and may overfit.
	Rounds   int
	SAMME    bool `snapshot:"added"` // ask for less than ½ of many classes
	Resample bool // fit to a sample drawn by the weights
	// Oversize is the size of the sample to which a member is fitted, in multiples of the number of
	// examples; 0 means 10. A larger sample represents the weights more exactly.
	Oversize int
	Seed     uint64
	model.Control

	Members []model.Classifier // set by Fit
	Say     []float64          // set by Fit: log(1/β)
	Trace   BoostTrace

	classes []int
	width   int

	model.Fitted // set by Fit: the columns that it was given
}

// Fit adds at most Rounds members.
func (a *AdaBoostM1) Fit(x mat.Matrix, y []int) error {
	model.NoteOuterXY(&a.Fitted, x, y)
	return a.fit("AdaBoostM1.Fit", x, y, slices.Repeat([]float64{1}, len(y)))
}

// FitWeighted starts from the given weights instead of equal weights.
func (a *AdaBoostM1) FitWeighted(x mat.Matrix, y []int, weights []float64) error {
	model.NoteOuterXY(&a.Fitted, x, y)
	a.reset()
	if err := model.CheckWeights("AdaBoostM1.FitWeighted", weights, len(y)); err != nil {
		return err
	}
	return a.fit("AdaBoostM1.FitWeighted", x, y, weights)
}

func (a *AdaBoostM1) reset() {
	a.Members, a.Say, a.Trace, a.classes, a.width = nil, nil, BoostTrace{}, nil, 0
}

func (a *AdaBoostM1) fit(op string, x mat.Matrix, y []int, weights []float64) error {
	a.reset()
	b, err := newBoosting(op, x, y, weights, a.Rounds, a.New, a.Resample, a.Oversize, a.Seed)
	if err != nil {
		return err
	}
	run := a.Begin("AdaBoostM1", b.rounds)
	defer run.End()
	k := len(b.classes)
	rivals := 1.0 // that share the mistakes of a member no better than chance
	if a.SAMME {
		rivals = float64(k - 1)
	}
	start, votes := slices.Clone(b.weights), mat.NewDense(len(b.y), k, nil)
	say := func(_ int, eps float64) (float64, bool) {
		return math.Log((1 - eps) * rivals / max(eps, 1e-10)), eps <= rivals/(rivals+1)-1e-12
	}
	models, says, trace, err := b.run(run, say, func(_, say float64, pred []int) (loss, wrong float64) {
		for i, c := range pred {
			at, _ := slices.BinarySearch(b.classes, c)
			row := votes.RawRowView(i)
			row[at] += say
			if maxAt(row) != b.index[i] {
				wrong += start[i]
			}
		}
		return wrong, wrong
	})
	if err != nil {
		return err
	}
	if models == nil {
		return model.Errorf(op, "the first base classifier must have an error below 1/2").
			WithHint("use a stronger one, such as a DecisionTree with MaxDepth, or SAMME")
	}
	trace.Alpha = slices.Clone(says)
	_, p := b.d.Dims()
	a.Members, a.Say, a.Trace, a.classes, a.width = models, says, *trace, b.classes, p
	return nil
}

// Takes reports the kinds of columns that the members take.
func (a *AdaBoostM1) Takes() model.Takes {
	if a.New == nil {
		return model.TakesOf(&tree.DecisionStump{})
	}
	return takesOf(a.New)
}

// Classes lists the classes in ascending order.
func (a *AdaBoostM1) Classes() []int { return slices.Clone(a.classes) }

// Decision returns the summed votes of each class.
func (a *AdaBoostM1) Decision(x mat.Matrix) *mat.Dense {
	x = model.MustRead("AdaBoostM1.Decision", &a.Fitted, x)
	return a.votes("AdaBoostM1.Decision", x)
}

func (a *AdaBoostM1) votes(op string, x mat.Matrix) *mat.Dense {
	if a.Members == nil {
		panic(model.NotFitted(op))
	}
	x = pick.As(x, model.MustWidth(op, x, a.width))
	n, _ := x.Dims()
	v := mat.NewDense(n, len(a.classes), nil)
	for m, f := range a.Members {
		for i, c := range f.Predict(x) {
			k, _ := slices.BinarySearch(a.classes, c)
			v.Set(i, k, v.At(i, k)+a.Say[m])
		}
	}
	return v
}

// PredictProba returns the softmax of the votes: for two classes the probabilities of [AdaBoost],
// and for more classes the probabilities that minimize the multi-class exponential loss of the
// votes. Many rounds drive the probabilities to 0 and 1.
//
//	p(k|x) = e^{v_k} / Σⱼ e^{v_j}
//
// References: [Zhu2009]. Course: ENS-12.
func (a *AdaBoostM1) PredictProba(x mat.Matrix) *mat.Dense {
	x = model.MustRead("AdaBoostM1.PredictProba", &a.Fitted, x)
	v := a.votes("AdaBoostM1.PredictProba", x)
	n, _ := v.Dims()
	for i := range n {
		softmax(v.RawRowView(i))
	}
	return v
}

// Predict returns the class with the largest vote; ties go to the smallest class.
func (a *AdaBoostM1) Predict(x mat.Matrix) []int {
	x = model.MustRead("AdaBoostM1.Predict", &a.Fitted, x)
	return mostProbable(a.votes("AdaBoostM1.Predict", x), a.classes)
}
