package ensemble

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/pick"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/tree"
)

// AdaBoost adds weak classifiers one by one. Each classifier is fitted to weighted examples; the
// examples that the current sum misclassifies have larger weights. There are two classes, y = ±1.
//
//	ε = Σ dᵢ·[f_m(xᵢ) ≠ yᵢ],  α = ½·log((1−ε)/ε)
//	dᵢ ← dᵢ·exp(−α·yᵢ·f_m(xᵢ)) / Z,   ŷ = sign Σ_m α_m·f_m(x)
//
// After the update the member's weighted error is exactly ½. (The lecture notes omit the factor ½.
// With the same update, the weighted error would then be 1−ε. [AdaBoostM1] omits the factor too,
// but changes the update.) AdaBoost is coordinate descent on the exponential loss (1/n)Σ
// exp(−yᵢF(xᵢ)), which each round multiplies by 2√(ε(1−ε)). The training error is therefore at most
// exp(−2Σγ²) with γ = ½ − ε. Boosting stops if ε is at least ½, or if ε is 0; in the second case,
// the last member has a very large weight.
//
// Examples with wrong labels get ever larger weights, so AdaBoost is sensitive to outliers.
//
// Cost: Rounds fits of the base classifier; with stumps, the columns are sorted only once.
//
// References: [FreundSchapire1997], [SchapireFreund2012]. Course: ENS-09, ENS-11,
// ENS-12, ENS-13, ENS-14.
type AdaBoost struct {
	// New makes a base classifier; nil means decision stumps. A classifier that does not take
	// weights is fitted to a sample drawn in proportion to the weights.
	New func() model.Classifier
	// Rounds is the number of boosting rounds; 0 means 50. More rounds fit the
	// training data more closely and may overfit.
	Rounds int
	// Resample fits each member to a sample of Oversize·n examples drawn in proportion to the
	// weights, even if the base classifier takes weights.
	Resample bool
	// Oversize is the size of the sample to which a member is fitted, in multiples of the number of
	// examples; 0 means 10. A larger sample represents the weights more exactly.
	Oversize int
	Seed     uint64
	model.Control

	Members []model.Classifier // set by Fit
	Alpha   []float64          // set by Fit
	Trace   BoostTrace

	classes []int
	width   int

	model.Fitted // set by Fit: the columns that it was given
}

// Fit adds at most Rounds members.
func (a *AdaBoost) Fit(x mat.Matrix, y []int) error {
	model.NoteOuterXY(&a.Fitted, x, y)
	return a.fit("AdaBoost.Fit", x, y, slices.Repeat([]float64{1}, len(y)))
}

// FitWeighted starts from the given weights instead of equal weights.
func (a *AdaBoost) FitWeighted(x mat.Matrix, y []int, weights []float64) error {
	model.NoteOuterXY(&a.Fitted, x, y)
	a.reset()
	if err := model.CheckWeights("AdaBoost.FitWeighted", weights, len(y)); err != nil {
		return err
	}
	return a.fit("AdaBoost.FitWeighted", x, y, weights)
}

func (a *AdaBoost) reset() {
	a.Members, a.Alpha, a.Trace, a.classes, a.width = nil, nil, BoostTrace{}, nil, 0
}

func (a *AdaBoost) fit(op string, x mat.Matrix, y []int, weights []float64) error {
	a.reset()
	b, err := newBoosting(op, x, y, weights, a.Rounds, a.New, a.Resample, a.Oversize, a.Seed)
	if err != nil {
		return err
	}
	if len(b.classes) != 2 {
		return model.Errorf(op, "y must have exactly two classes, got %d", len(b.classes)).WithHint("use AdaBoostM1 for more")
	}
	run := a.Begin("AdaBoost", b.rounds)
	defer run.End()
	start, score := slices.Clone(b.weights), make([]float64, len(b.y))
	bound := 1.0
	say := func(round int, eps float64) (float64, bool) {
		e := min(max(eps, 1e-10), 0.5-1e-10)
		return math.Log((1 - e) / e), eps < 0.5-1e-12 || round == 0
	}
	var losses, bounds []float64
	models, says, trace, err := b.run(run, say, func(eps, say float64, pred []int) (loss, wrong float64) {
		for i, c := range pred {
			sign := float64(2*b.index[i] - 1)
			h := -1.0
			if c == b.classes[1] {
				h = 1
			}
			score[i] += say / 2 * h
			loss += start[i] * math.Exp(-sign*score[i])
			if sign*score[i] <= 0 {
				wrong += start[i]
			}
		}
		bound *= 2 * math.Sqrt(eps*(1-eps))
		losses, bounds = append(losses, loss), append(bounds, bound)
		return loss, wrong
	})
	if err != nil {
		return err
	}
	for m := range says {
		says[m] /= 2
	}
	trace.Alpha, trace.Loss, trace.Bound = slices.Clone(says), losses, bounds
	_, p := b.d.Dims()
	a.Members, a.Alpha, a.Trace, a.classes, a.width = models, says, *trace, b.classes, p
	return nil
}

// Takes reports the kinds of columns that the members take.
func (a *AdaBoost) Takes() model.Takes {
	if a.New == nil {
		return model.TakesOf(&tree.DecisionStump{})
	}
	return takesOf(a.New)
}

// Classes lists the two classes in ascending order.
func (a *AdaBoost) Classes() []int { return slices.Clone(a.classes) }

// Decision returns Σ α_m·f_m(x) as one column.
func (a *AdaBoost) Decision(x mat.Matrix) *mat.Dense {
	x = model.MustRead("AdaBoost.Decision", &a.Fitted, x)
	s := a.staged("AdaBoost.Decision", x, nil)
	return mat.NewDense(len(s), 1, s)
}

func (a *AdaBoost) staged(op string, x mat.Matrix, each func(round int, score []float64)) []float64 {
	if a.Members == nil {
		panic(model.NotFitted(op))
	}
	x = pick.As(x, model.MustWidth(op, x, a.width))
	n, _ := x.Dims()
	score := make([]float64, n)
	for m, f := range a.Members {
		for i, c := range f.Predict(x) {
			if c == a.classes[1] {
				score[i] += a.Alpha[m]
			} else {
				score[i] -= a.Alpha[m]
			}
		}
		if each != nil {
			each(m, score)
		}
	}
	return score
}

// PredictProba returns the probabilities under which the sum F = Σ α_m·f_m(x) minimizes the
// expected exponential loss.
//
//	p(y=1|x) = σ(2F)
//
// Many rounds make these probabilities overconfident: they approach 0 and 1.
//
// References: [FriedmanHastieTibshirani2000]. Course: ENS-12.
func (a *AdaBoost) PredictProba(x mat.Matrix) *mat.Dense {
	x = model.MustRead("AdaBoost.PredictProba", &a.Fitted, x)
	s := a.staged("AdaBoost.PredictProba", x, nil)
	p := mat.NewDense(len(s), 2, nil)
	for i, v := range s {
		p.SetRow(i, []float64{1 / (1 + math.Exp(2*v)), 1 / (1 + math.Exp(-2*v))})
	}
	return p
}

// Predict returns the second class if the sum is positive, and the first class otherwise.
func (a *AdaBoost) Predict(x mat.Matrix) []int {
	x = model.MustRead("AdaBoost.Predict", &a.Fitted, x)
	s := a.staged("AdaBoost.Predict", x, nil)
	out := make([]int, len(s))
	for i, v := range s {
		out[i] = a.classes[0]
		if v > 0 {
			out[i] = a.classes[1]
		}
	}
	return out
}

// mustAnswer panics unless there is one class for each row.
func mustAnswer(op string, x mat.Matrix, y []int) {
	if _, err := (model.Takes{Missing: true, Nominal: true}).CheckXY(op, x, y); err != nil {
		panic(err)
	}
}

// StagedError returns the error on x, y after each round: the error may continue to fall after the
// training error is 0.
//
// Course: ENS-14.
func (a *AdaBoost) StagedError(x mat.Matrix, y []int) []float64 {
	x = model.MustRead("AdaBoost.StagedError", &a.Fitted, x)
	mustAnswer("AdaBoost.StagedError", x, y)
	var out []float64
	a.staged("AdaBoost.StagedError", x, func(_ int, score []float64) {
		wrong := 0.0
		for i, s := range score {
			if (s > 0) != (y[i] == a.classes[1]) {
				wrong++
			}
		}
		out = append(out, wrong/float64(len(y)))
	})
	return out
}

// Margins returns y·Σ α_m·f_m(x) / Σ α_m for each row, in [−1, 1]. Boosting continues to raise
// small margins after the training error is 0. This explains why more rounds need not overfit.
//
// References: [SchapireEtAl1998]. Course: ENS-14.
func (a *AdaBoost) Margins(x mat.Matrix, y []int) []float64 {
	x = model.MustRead("AdaBoost.Margins", &a.Fitted, x)
	mustAnswer("AdaBoost.Margins", x, y)
	s := a.staged("AdaBoost.Margins", x, nil)
	total := 0.0
	for _, v := range a.Alpha {
		total += v
	}
	for i := range s {
		s[i] /= total
		if y[i] != a.classes[1] {
			s[i] = -s[i]
		}
	}
	return s
}
