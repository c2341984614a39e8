package reduce

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/pick"
	"github.com/gokernel/gokernel/mlstd/model"
)

// CostMethod determines how [CostSensitive] converts a weighted problem to an unweighted problem.
type CostMethod string

// These methods raise the cost of mistakes on the positive class.
const (
	CostSubsample  CostMethod = "subsample"  // keep 1/α of the negatives
	CostOversample CostMethod = "oversample" // α copies of each positive
	CostWeights    CostMethod = "weights"    // pass weights to the base learner
)

// CostSensitive is a binary classifier for unequal costs: a mistake on a positive example costs α
// times as much as a mistake on a negative example.
//
//	minimize E[α^{y=+1}·1{f(x) ≠ y}]
//
// Subsampling keeps every positive example, and each negative example with probability 1/α: for
// example, 49 of 98 negatives with α = 2. Oversampling repeats the positives. With both methods, an
// error ε on the unweighted problem means a cost of at most α·ε ([CostBound]). Oversampling reaches
// a lower ε in practice, since it discards no examples. The positive class is the greater class
// label.
//
// Cost: one fit of the base classifier.
//
// References: [Elkan2001], [Daume2017] ch. 6. Course: RED-01, RED-02, RED-03.
type CostSensitive struct {
	New func() model.Classifier
	// Alpha is the cost of a false negative relative to a false positive, at least 1; 0 means 1. A
	// larger Alpha predicts the positive class more often.
	Alpha  float64
	Method CostMethod // empty means CostOversample
	Seed   uint64
	model.Control

	Model model.Classifier // set by Fit

	classes []int

	model.Fitted // set by Fit: the columns that it was given
}

// Takes returns the kinds of columns that the base models accept.
func (c *CostSensitive) Takes() model.Takes { return takesOf(c.New) }

// Fit converts the problem to an unweighted problem and fits a base classifier to it.
func (c *CostSensitive) Fit(x mat.Matrix, y []int) error {
	const op = "CostSensitive.Fit"
	model.NoteOuterXY(&c.Fitted, x, y)
	c.Model, c.classes = nil, nil
	if c.New == nil {
		return noBase(op)
	}
	d, err := model.CheckXYFor(op, x, y, func() any { return c.New() })
	if err != nil {
		return err
	}
	classes, _ := model.Classes(y)
	if len(classes) != 2 {
		return model.Errorf(op, "y must have exactly two classes, got %d", len(classes))
	}
	alpha := model.Or(c.Alpha, 1)
	if !(alpha >= 1) || math.IsInf(alpha, 0) {
		return model.Errorf(op, "Alpha must be at least 1, got %v", alpha).WithHint("exchange the classes to weight the other one")
	}
	run := c.Begin("CostSensitive", 1)
	defer run.End()
	m := c.New()
	switch c.Method {
	case CostSubsample:
		rows := Subsample(y, classes[1], alpha, c.Seed)
		err = m.Fit(pick.Like(x, d, rows), pick.Of(y, rows))
	case CostOversample, "":
		rows := Oversample(y, classes[1], alpha, c.Seed)
		err = m.Fit(pick.Like(x, d, rows), pick.Of(y, rows))
	case CostWeights:
		w, ok := m.(model.WeightedClassifier)
		if !ok || !model.TakesWeights(m) {
			return model.Errorf(op, "the classifier must have FitWeighted, got %T", m).WithHint("set Method to CostOversample")
		}
		weights := make([]float64, len(y))
		for i, v := range y {
			weights[i] = 1
			if v == classes[1] {
				weights[i] = alpha
			}
		}
		err = w.FitWeighted(x, y, weights)
	default:
		return model.Errorf(op, "Method must be CostSubsample, CostOversample or CostWeights, got %q", c.Method)
	}
	if err != nil {
		return err
	}
	if err := run.Step(1, math.NaN()); err != nil {
		return err
	}
	c.Model, c.classes = m, classes
	return nil
}

// Classes lists the two classes in ascending order.
func (c *CostSensitive) Classes() []int { return slices.Clone(c.classes) }

// Predict returns the predictions of the base classifier.
func (c *CostSensitive) Predict(x mat.Matrix) []int {
	x = model.MustRead("CostSensitive.Predict", &c.Fitted, x)
	if c.Model == nil {
		panic(model.NotFitted("CostSensitive.Predict"))
	}
	return c.Model.Predict(x)
}

// Subsample returns the rows of the unweighted problem: all positives, and a random sample of the
// negatives. The size of the sample is 1/α of the number of negatives, rounded to the nearest
// integer.
//
// (For α = 10, Subsample keeps a tenth of the negatives; one line of the lecture notes says
// positives.)
//
// Course: RED-02.
func Subsample(y []int, positive int, alpha float64, seed uint64) []int {
	mustAlpha("Subsample", alpha)
	var keep, negatives []int
	for i, v := range y {
		if v == positive {
			keep = append(keep, i)
		} else {
			negatives = append(negatives, i)
		}
	}
	model.Rand(seed, 0).Shuffle(len(negatives), func(i, j int) { negatives[i], negatives[j] = negatives[j], negatives[i] })
	keep = append(keep, negatives[:int(math.Round(float64(len(negatives))/alpha))]...)
	slices.Sort(keep)
	return keep
}

// Oversample returns the rows of the unweighted problem: all negatives, and α copies of each
// positive. The fractional part of α is the probability of one more copy.
//
// Course: RED-03.
func Oversample(y []int, positive int, alpha float64, seed uint64) []int {
	mustAlpha("Oversample", alpha)
	rng := model.Rand(seed, 0)
	var rows []int
	for i, v := range y {
		copies := 1
		if v == positive {
			whole, rest := math.Modf(alpha)
			copies = int(whole)
			if rng.Float64() < rest {
				copies++
			}
		}
		for range copies {
			rows = append(rows, i)
		}
	}
	return rows
}

func mustAlpha(op string, alpha float64) {
	if !(alpha >= 1) || math.IsInf(alpha, 0) {
		panic(model.Errorf(op, "alpha must be at least 1, got %v", alpha))
	}
}

// CostBound returns the guarantee of subsampling: an unweighted error ε on the subsampled
// distribution means a weighted error of α·Z·ε. Z = p₊ + p₋/α ≤ 1 is the normalizer of that
// distribution, so the weighted error is at most α·ε. (The lecture notes omit Z, as if the two
// distributions were equal.)
//
// Course: RED-02.
func CostBound(eps, alpha, positives float64) (exact, bound float64) {
	mustAlpha("CostBound", alpha)
	z := positives + (1-positives)/alpha
	return alpha * z * eps, alpha * eps
}

// RejectionSample keeps each example with probability w/max w, so the result is an unweighted
// sample from the weighted distribution.
//
// References: [ZadroznyLangfordAbe2003]. Course: RED-04.
func RejectionSample(weights []float64, seed uint64) []int {
	if err := model.CheckWeights("RejectionSample", weights, len(weights)); err != nil {
		panic(err)
	}
	rng := model.Rand(seed, 0)
	top := slices.Max(weights)
	var rows []int
	for i, w := range weights {
		if rng.Float64() < w/top {
			rows = append(rows, i)
		}
	}
	return rows
}

// Costing learns from weighted examples with a base classifier that does not accept weights. It
// fits one classifier to each of several rejection samples and lets the classifiers vote.
//
//	E[w·1{f(x) ≠ y}] = E[w]·ε_b,   ε_b the error on the resampled distribution
//
// Oversampling would need w copies of an example with weight w.
//
// Cost: Size fits of the base classifier.
//
// References: [ZadroznyLangfordAbe2003]. Course: RED-04.
type Costing struct {
	New  func() model.Classifier
	Size int // 0 means 10
	Seed uint64
	model.Control

	Members []model.Classifier // set by Fit

	classes []int

	model.Fitted // set by Fit: the columns that it was given
}

// Takes returns the kinds of columns that the base models accept.
func (c *Costing) Takes() model.Takes { return takesOf(c.New) }

// Fit is FitWeighted with weight 1 for every example.
func (c *Costing) Fit(x mat.Matrix, y []int) error {
	model.NoteOuterXY(&c.Fitted, x, y)
	return c.FitWeighted(x, y, slices.Repeat([]float64{1}, len(y)))
}

// FitWeighted fits one base classifier to each sample.
func (c *Costing) FitWeighted(x mat.Matrix, y []int, weights []float64) error {
	const op = "Costing.Fit"
	model.NoteOuterXY(&c.Fitted, x, y)
	c.Members, c.classes = nil, nil
	if c.New == nil {
		return noBase(op)
	}
	d, err := model.CheckXYFor(op, x, y, func() any { return c.New() })
	if err != nil {
		return err
	}
	if err := model.CheckWeights(op, weights, len(y)); err != nil {
		return err
	}
	var used []int
	for i, w := range weights {
		if w > 0 {
			used = append(used, i)
		}
	}
	classes, _ := model.Classes(pick.Of(y, used))
	if err := model.CheckTwoOrMore(op, classes); err != nil {
		return err
	}
	samples, err := model.Iterations(op, "Size", c.Size, 10)
	if err != nil {
		return err
	}
	run := c.Begin("Costing", samples)
	defer run.End()
	var models []model.Classifier
	for s := range samples {
		var m model.Classifier
		for try := range uint64(20) {
			rows := RejectionSample(weights, c.Seed+uint64(s)*20+try)
			part := pick.Of(y, rows)
			if present, _ := model.Classes(part); len(present) < 2 {
				continue // no classifier learns from one class: draw again
			}
			m = c.New()
			if err := m.Fit(pick.Like(x, d, rows), part); err != nil {
				return err
			}
			break
		}
		if m == nil {
			return model.Errorf(op, "20 samples in a row had one class only").WithHint("use larger weights for the other class")
		}
		models = append(models, m)
		if err := run.Step(s+1, math.NaN()); err != nil {
			return err
		}
	}
	c.Members, c.classes = models, classes
	return nil
}

// Classes lists the classes in ascending order.
func (c *Costing) Classes() []int { return slices.Clone(c.classes) }

// Predict returns the class that most classifiers vote for; ties go to the smallest class label.
func (c *Costing) Predict(x mat.Matrix) []int {
	x = model.MustRead("Costing.Predict", &c.Fitted, x)
	if c.Members == nil {
		panic(model.NotFitted("Costing.Predict"))
	}
	n, _ := x.Dims()
	votes := mat.NewDense(n, len(c.classes), nil)
	for _, m := range c.Members {
		for i, v := range m.Predict(x) {
			k, _ := slices.BinarySearch(c.classes, v)
			votes.Set(i, k, votes.At(i, k)+1)
		}
	}
	return argmax(votes, c.classes)
}

func argmax(s *mat.Dense, classes []int) []int {
	n, _ := s.Dims()
	out := make([]int, n)
	for i := range out {
		best := 0
		for k, v := range s.RawRowView(i) {
			if v > s.At(i, best) {
				best = k
			}
		}
		out[i] = classes[best]
	}
	return out
}
