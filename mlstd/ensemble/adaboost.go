package ensemble

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/tree"
)

// BoostTrace records boosting, one entry a round.
type BoostTrace struct {
	Error    []float64   // weighted error ε of the round's member
	Alpha    []float64   // its say
	Loss     []float64   // mean exponential loss after the round (AdaBoost)
	Training []float64   // training error of the combination so far
	Bound    []float64   // Π 2√(ε(1−ε)), above the training error
	Weights  [][]float64 // of the examples before the round, if there are at most 64
}

// AdaBoost adds weak classifiers one by one, each fitted to examples weighted by
// how badly the sum so far does on them. Two classes, y = ±1.
//
//	ε = Σ dᵢ·[f_m(xᵢ) ≠ yᵢ],  α = ½·log((1−ε)/ε)
//	dᵢ ← dᵢ·exp(−α·yᵢ·f_m(xᵢ)) / Z,   ŷ = sign Σ_m α_m·f_m(x)
//
// After the update the member's weighted error is exactly ½. (With α = log((1−ε)/ε)
// and the same update, as the notes print it, it would be 1−ε; use one ½ or the
// form of [AdaBoostM1].) It is coordinate descent on the exponential loss
// (1/n)Σ exp(−yᵢF(xᵢ)), which falls by the factor 2√(ε(1−ε)) a round, and so the
// training error is at most exp(−2Σγ²) with γ = ½ − ε. Rounds stop when ε is 0
// (that member alone decides) or not below ½.
//
// Noisy labels get ever larger weights: mind outliers.
//
// Cost: Rounds fits of the base classifier; stumps share the sorting of columns.
//
// References: [FreundSchapire1997], [SchapireFreund2012]. Course: ENS-09, ENS-11,
// ENS-12, ENS-13, ENS-14.
type AdaBoost struct {
	// New makes a base classifier; nil means decision stumps. One that takes no
	// weights is fitted to a sample drawn by them.
	New    func() model.Classifier
	Rounds int // 0 means 50
	// Resample fits to a sample of Oversize·n examples drawn by the weights, even
	// when the base classifier takes weights.
	Resample bool
	Oversize int // of samples; 0 means 10
	Seed     uint64
	model.Control

	Models []model.Classifier // set by Fit
	Alpha  []float64          // set by Fit
	Trace  BoostTrace

	classes []int
	width   int
}

// Fit adds at most Rounds members.
func (a *AdaBoost) Fit(x mat.Matrix, y []int) error {
	return a.fit("AdaBoost.Fit", x, y, slices.Repeat([]float64{1}, len(y)))
}

// FitWeighted starts from the given weights instead of equal ones.
func (a *AdaBoost) FitWeighted(x mat.Matrix, y []int, weights []float64) error {
	if err := model.CheckWeights("AdaBoost.FitWeighted", weights, len(y)); err != nil {
		return err
	}
	return a.fit("AdaBoost.FitWeighted", x, y, weights)
}

func (a *AdaBoost) fit(op string, x mat.Matrix, y []int, weights []float64) error {
	a.Models, a.Alpha, a.Trace, a.classes, a.width = nil, nil, BoostTrace{}, nil, 0
	d, err := model.CheckXY(op, x, y)
	if err != nil {
		return err
	}
	d, y, weights = withoutZero(d, y, weights)
	classes, index := model.Classes(y)
	if len(classes) != 2 {
		return model.Errorf(op, "y has %d classes", len(classes)).WithHint("it takes two; for more use AdaBoostM1")
	}
	rounds, err := countOr(op, "Rounds", a.Rounds, 50)
	if err != nil {
		return err
	}
	fitter, err := newWeakFitter(op, a.New, columned(x, d), d, y, a.Resample, a.Oversize, a.Seed)
	if err != nil {
		return err
	}
	run := a.Begin("AdaBoost", rounds)
	defer run.End()
	n, p := d.Dims()
	w := normalized(weights)
	start := slices.Clone(w)
	score := make([]float64, n)
	bound := 1.0
	var models []model.Classifier
	var alphas []float64
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
		if eps >= 0.5-1e-12 && len(models) > 0 {
			break
		}
		if n <= 64 {
			trace.Weights = append(trace.Weights, slices.Clone(w))
		}
		e := min(max(eps, 1e-10), 0.5-1e-10)
		alpha := math.Log((1-e)/e) / 2
		loss, wrong, z := 0.0, 0.0, 0.0
		for i, c := range pred {
			s := float64(2*index[i] - 1)
			h := -1.0
			if c == classes[1] {
				h = 1
			}
			score[i] += alpha * h
			w[i] *= math.Exp(-alpha * s * h)
			z += w[i]
			loss += start[i] * math.Exp(-s*score[i])
			if s*score[i] <= 0 {
				wrong += start[i]
			}
		}
		for i := range w {
			w[i] /= z
		}
		bound *= 2 * math.Sqrt(eps*(1-eps))
		models, alphas = append(models, f), append(alphas, alpha)
		trace.Error, trace.Alpha = append(trace.Error, eps), append(trace.Alpha, alpha)
		trace.Loss, trace.Training = append(trace.Loss, loss), append(trace.Training, wrong)
		trace.Bound = append(trace.Bound, bound)
		if err := run.Step(m+1, loss); err != nil {
			return err
		}
		if eps < 1e-10 || eps >= 0.5-1e-12 {
			break
		}
	}
	a.Models, a.Alpha, a.Trace, a.classes, a.width = models, alphas, trace, classes, p
	return nil
}

func withoutZero(d *mat.Dense, y []int, w []float64) (*mat.Dense, []int, []float64) {
	if !slices.Contains(w, 0) {
		return d, y, w
	}
	var used []int
	for i, v := range w {
		if v > 0 {
			used = append(used, i)
		}
	}
	return takeRows(d, used), pick(y, used), pick(w, used)
}

// columned gives d the column descriptions of x, if it has any.
func columned(x mat.Matrix, d *mat.Dense) mat.Matrix {
	if t, ok := x.(*model.Table); ok {
		return &model.Table{Dense: d, Columns: t.Columns, Target: t.Target}
	}
	return d
}

func normalized(w []float64) []float64 {
	sum := 0.0
	for _, v := range w {
		sum += v
	}
	out := make([]float64, len(w))
	for i, v := range w {
		out[i] = v / sum
	}
	return out
}

// weakFitter fits base classifiers to weighted examples: by weights where they
// are taken, by a sample otherwise.
type weakFitter struct {
	op       string
	fresh    func() model.Classifier
	x        mat.Matrix
	d        *mat.Dense
	y        []int
	resample bool
	size     int
	seed     uint64
	sorted   *tree.SortedColumns // for stumps and trees
}

func newWeakFitter(op string, fresh func() model.Classifier, x mat.Matrix, d *mat.Dense, y []int, resample bool, oversize int, seed uint64) (*weakFitter, error) {
	if oversize == 0 {
		oversize = 10
	}
	if oversize < 1 {
		return nil, model.Errorf(op, "Oversize is %d", oversize).WithHint("draw at least as many examples as there are")
	}
	if fresh == nil {
		fresh = func() model.Classifier { return &tree.DecisionStump{} }
	}
	w := &weakFitter{op: op, fresh: fresh, x: x, d: d, y: y, resample: resample, size: oversize * len(y), seed: seed}
	if _, ok := fresh().(sortedFitter); ok && !resample {
		var err error
		if w.sorted, err = tree.SortColumns(x); err != nil {
			return nil, err
		}
	}
	return w, nil
}

// sortedFitter is a tree that can reuse sorted columns.
type sortedFitter interface {
	FitSorted(s *tree.SortedColumns, y []int, weights []float64) error
}

func (f *weakFitter) fit(w []float64, round uint64) (model.Classifier, []int, error) {
	m := f.fresh()
	var err error
	switch c := m.(type) {
	case sortedFitter:
		if f.resample {
			err = f.fitSample(m, w, round)
		} else {
			err = c.FitSorted(f.sorted, f.y, w)
		}
	case model.WeightedClassifier:
		if f.resample {
			err = f.fitSample(m, w, round)
		} else {
			err = c.FitWeighted(f.x, f.y, w)
		}
	default:
		err = f.fitSample(m, w, round)
	}
	if err != nil {
		return nil, nil, err
	}
	return m, m.Predict(f.x), nil
}

// fitSample fits to a sample much larger than the data, drawn by the weights, so
// that it stands for the distribution. An example of each class is always in it.
func (f *weakFitter) fitSample(m model.Classifier, w []float64, round uint64) error {
	cumulative, sum := make([]float64, len(w)), 0.0
	for i, v := range w {
		sum += v
		cumulative[i] = sum
	}
	rng := model.Rand(f.seed, round)
	rows := make([]int, f.size)
	for k := range rows {
		at, _ := slices.BinarySearch(cumulative, rng.Float64()*sum)
		rows[k] = min(at, len(w)-1)
	}
	have := map[int]bool{}
	for _, r := range rows {
		have[f.y[r]] = true
	}
	for i, c := range f.y {
		if !have[c] {
			have[c] = true
			rows = append(rows, i)
		}
	}
	return m.Fit(takeRows(f.d, rows), pick(f.y, rows))
}

// Classes lists the two classes in ascending order.
func (a *AdaBoost) Classes() []int { return a.classes }

// Decision gives Σ α_m·f_m(x) as one column.
func (a *AdaBoost) Decision(x mat.Matrix) *mat.Dense {
	s := a.staged("AdaBoost.Decision", x, nil)
	return mat.NewDense(len(s), 1, s)
}

func (a *AdaBoost) staged(op string, x mat.Matrix, each func(round int, score []float64)) []float64 {
	if a.Models == nil {
		panic(model.NotFitted(op))
	}
	d := model.MustWidth(op, x, a.width)
	n, _ := d.Dims()
	score := make([]float64, n)
	for m, f := range a.Models {
		for i, c := range f.Predict(d) {
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

// Predict gives the greater class where the sum is positive.
func (a *AdaBoost) Predict(x mat.Matrix) []int {
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

// StagedError gives the error on x, y after each round: it may go on falling when
// the training error is 0 already.
//
// Course: ENS-14.
func (a *AdaBoost) StagedError(x mat.Matrix, y []int) []float64 {
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

// Margins gives y·Σ α_m·f_m(x) / Σ α_m for each row, in [−1, 1]: boosting goes on
// raising small margins after the training error is 0, which explains that it
// need not overfit.
//
// References: [SchapireEtAl1998]. Course: ENS-14.
func (a *AdaBoost) Margins(x mat.Matrix, y []int) []float64 {
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
