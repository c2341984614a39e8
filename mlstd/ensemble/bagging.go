package ensemble

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/pick"
	"github.com/gokernel/gokernel/mlstd/model"
)

// Bagging fits the same kind of classifier to several bootstrap samples and lets
// them vote.
//
//	ŷ = argmaxₖ Σ_m 1{f_m(x) = k}
//
// The members' variance averages out while their bias stays: bagging improves unstable learners
// such as deep trees, but not stable learners. Each example is left out of about 37 % of the
// samples. The out-of-bag estimate predicts each example with the members that did not see it. Like
// cross-validation, this estimate uses only unseen examples, but it needs no further fits.
//
// Cost: Size fits.
//
// References: [Breiman1996]. Course: ENS-02, ENS-06.
type Bagging struct {
	New func() model.Classifier
	// Size is the number of members; 0 means 50. More members make the predictions
	// more stable, at a proportional cost.
	Size int
	Seed uint64
	model.Control

	Members []model.Classifier // set by Fit
	// OOBAccuracy is the out-of-bag accuracy on the examples that at least one member did not see.
	// Set by Fit; NaN if every member saw every example.
	OOBAccuracy float64

	classes []int

	model.Fitted // set by Fit: the columns that it was given
}

// Takes reports the kinds of columns that the members take.
func (b *Bagging) Takes() model.Takes { return takesOf(b.New) }

// takesOf returns the kinds of columns that the models of fresh take, or none if fresh is nil.
func takesOf[M any](fresh func() M) model.Takes {
	if fresh == nil {
		return model.Takes{}
	}
	return model.TakesOf(fresh())
}

// Fit fits one member to each bootstrap sample.
func (b *Bagging) Fit(x mat.Matrix, y []int) error {
	model.NoteOuterXY(&b.Fitted, x, y)
	return b.fit("Bagging.Fit", x, y, nil)
}

// FitWeighted draws the samples with probabilities in proportion to the weights, so
// that the members need not accept weights.
func (b *Bagging) FitWeighted(x mat.Matrix, y []int, weights []float64) error {
	const op = "Bagging.FitWeighted"
	model.NoteOuterXY(&b.Fitted, x, y)
	b.Members, b.OOBAccuracy, b.classes = nil, 0, nil
	if err := model.CheckWeights(op, weights, len(y)); err != nil {
		return err
	}
	return b.fit(op, x, y, weights)
}

func (b *Bagging) fit(op string, x mat.Matrix, y []int, weights []float64) error {
	b.Members, b.OOBAccuracy, b.classes = nil, 0, nil
	if b.New == nil {
		return model.Errorf(op, "New must not be nil").WithHint("set New to a function that returns a new member")
	}
	d, err := model.CheckXYFor(op, x, y, func() any { return b.New() })
	if err != nil {
		return err
	}
	x, d, y, weights = weighted(x, d, y, weights)
	classes, index := model.Classes(y)
	if err := model.CheckTwoOrMore(op, classes); err != nil {
		return err
	}
	members, err := countOr(op, "Size", b.Size, 50)
	if err != nil {
		return err
	}
	run := b.Begin("Bagging", members)
	defer run.End()
	n, _ := d.Dims()
	sample := newDrawer(n, weights)
	votes := mat.NewDense(n, len(classes), nil)
	var models []model.Classifier
	for m := range members {
		rows := sampleWithTwo(sample, index, b.Seed, uint64(m))
		f := b.New()
		if err := f.Fit(pick.Like(x, d, rows), pick.Of(y, rows)); err != nil {
			return err
		}
		models = append(models, f)
		outOfBag(rows, n, func(out []int) {
			for i, c := range f.Predict(pick.Like(x, d, out)) {
				k, _ := slices.BinarySearch(classes, c)
				votes.Set(out[i], k, votes.At(out[i], k)+1)
			}
		})
		if err := run.Step(m+1, math.NaN()); err != nil {
			return err
		}
	}
	b.Members, b.classes, b.OOBAccuracy = models, classes, oobAccuracy(votes, index)
	return nil
}

func countOr(op, field string, n, d int) (int, error) {
	if n < 0 {
		return 0, model.Errorf(op, "%s must not be negative, got %d", field, n)
	}
	if n == 0 {
		return d, nil
	}
	return n, nil
}

// sampleWithTwo draws a bootstrap sample of member m that holds at least two
// classes, which any classifier needs.
func sampleWithTwo(sample *drawer, index []int, seed, m uint64) []int {
	rng := model.Rand(seed, m)
	for {
		rows := sample.draw(rng)
		for _, r := range rows {
			if index[r] != index[rows[0]] {
				return rows
			}
		}
	}
}

func outOfBag(rows []int, n int, f func(out []int)) {
	seen := make([]bool, n)
	for _, r := range rows {
		seen[r] = true
	}
	var out []int
	for i, s := range seen {
		if !s {
			out = append(out, i)
		}
	}
	if out != nil {
		f(out)
	}
}

func oobAccuracy(votes *mat.Dense, index []int) float64 {
	right, seen := 0.0, 0.0
	for i, k := range index {
		row := votes.RawRowView(i)
		if best := maxAt(row); row[best] > 0 {
			seen++
			if best == k {
				right++
			}
		}
	}
	return right / seen
}

func maxAt(v []float64) int {
	best := 0
	for k := range v {
		if v[k] > v[best] {
			best = k
		}
	}
	return best
}

// Classes lists the classes in ascending order.
func (b *Bagging) Classes() []int { return slices.Clone(b.classes) }

// PredictProba returns the fraction of the members that vote for each class.
func (b *Bagging) PredictProba(x mat.Matrix) *mat.Dense {
	x = model.MustRead("Bagging.PredictProba", &b.Fitted, x)
	if b.Members == nil {
		panic(model.NotFitted("Bagging.PredictProba"))
	}
	n, _ := x.Dims()
	p := mat.NewDense(n, len(b.classes), nil)
	for _, m := range b.Members {
		for i, c := range m.Predict(x) {
			k, _ := slices.BinarySearch(b.classes, c)
			p.Set(i, k, p.At(i, k)+1/float64(len(b.Members)))
		}
	}
	return p
}

// Predict returns the class with the most votes; ties go to the smallest class.
func (b *Bagging) Predict(x mat.Matrix) []int {
	x = model.MustRead("Bagging.Predict", &b.Fitted, x)
	if b.Members == nil {
		panic(model.NotFitted("Bagging.Predict"))
	}
	return mostProbable(b.PredictProba(x), b.classes)
}

func mostProbable(p *mat.Dense, classes []int) []int {
	n, _ := p.Dims()
	out := make([]int, n)
	for i := range out {
		row := p.RawRowView(i)
		best := 0
		for k, v := range row {
			if v > row[best]+1e-12 { // equal shares may differ by rounding
				best = k
			}
		}
		out[i] = classes[best]
	}
	return out
}

// BaggingRegressor averages regressors fitted to bootstrap samples.
//
//	ŷ = (1/M) Σ_m f_m(x)
//
// Cost: Size fits.
//
// References: [Breiman1996]. Course: ENS-07.
type BaggingRegressor struct {
	New func() model.Regressor
	// Size is the number of members; 0 means 50. More members make the predictions
	// more stable, at a proportional cost.
	Size int
	Seed uint64
	model.Control

	Members []model.Regressor // set by Fit

	model.Fitted // set by Fit: the columns that it was given
}

// Takes reports the kinds of columns that the members take.
func (b *BaggingRegressor) Takes() model.Takes { return takesOf(b.New) }

// Fit fits one member to each bootstrap sample.
func (b *BaggingRegressor) Fit(x mat.Matrix, y []float64) error {
	model.NoteOuterXYReal(&b.Fitted, x, y)
	return b.fit("BaggingRegressor.Fit", x, y, nil)
}

// FitWeighted draws the samples with probabilities in proportion to the weights, so
// that the members need not accept weights.
func (b *BaggingRegressor) FitWeighted(x mat.Matrix, y, weights []float64) error {
	const op = "BaggingRegressor.FitWeighted"
	model.NoteOuterXYReal(&b.Fitted, x, y)
	b.Members = nil
	if err := model.CheckWeights(op, weights, len(y)); err != nil {
		return err
	}
	return b.fit(op, x, y, weights)
}

func (b *BaggingRegressor) fit(op string, x mat.Matrix, y, weights []float64) error {
	b.Members = nil
	if b.New == nil {
		return model.Errorf(op, "New must not be nil").WithHint("set New to a function that returns a new member")
	}
	d, err := model.CheckXYRealFor(op, x, y, func() any { return b.New() })
	if err != nil {
		return err
	}
	members, err := countOr(op, "Size", b.Size, 50)
	if err != nil {
		return err
	}
	x, d, y, weights = weighted(x, d, y, weights)
	run := b.Begin("BaggingRegressor", members)
	defer run.End()
	sample := newDrawer(len(y), weights)
	var models []model.Regressor
	for m := range members {
		rows := sample.draw(model.Rand(b.Seed, uint64(m)))
		f := b.New()
		if err := f.Fit(pick.Like(x, d, rows), pick.Of(y, rows)); err != nil {
			return err
		}
		models = append(models, f)
		if err := run.Step(m+1, math.NaN()); err != nil {
			return err
		}
	}
	b.Members = models
	return nil
}

// Predict returns the mean of the members' predictions.
func (b *BaggingRegressor) Predict(x mat.Matrix) []float64 {
	x = model.MustRead("BaggingRegressor.Predict", &b.Fitted, x)
	if b.Members == nil {
		panic(model.NotFitted("BaggingRegressor.Predict"))
	}
	n, _ := x.Dims()
	out := make([]float64, n)
	for _, m := range b.Members {
		for i, v := range m.Predict(x) {
			out[i] += v / float64(len(b.Members))
		}
	}
	return out
}
