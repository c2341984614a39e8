package prob

import (
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
)

// Contest is one of the classifiers that [RaceBySize] compares.
type Contest struct {
	Name string
	New  func() model.Classifier
}

// SampleCurves holds the error of each classifier for each number of examples.
//
// Course: PROB-26.
type SampleCurves struct {
	Names []string
	Sizes []int
	Error [][]float64 // mean error over the repeats, for each name and size
	Bayes float64     // the smallest possible error; NaN when it is not known
}

// RaceBySize fits classifiers to samples of growing size from the same source, and counts their
// errors on fresh examples. draw returns n examples; bayes is the smallest error that any
// classifier can have on this source (NaN if unknown).
//
// A generative model, such as naive Bayes or [LDA], approaches its best error after about log d
// examples; a conditional model, such as logistic regression, needs about d examples. If the
// assumptions of the generative model hold, both reach the Bayes error. If they do not hold, the
// generative model converges to a larger error.
//
// RaceBySize draws a sample again if the sample lacks a class.
//
// References: [NgJordan2002]. Course: PROB-26.
func RaceBySize(contests []Contest, draw func(n int, seed uint64) (mat.Matrix, []int), bayes float64, sizes []int, repeats int, seed uint64) (*SampleCurves, error) {
	const op = "RaceBySize"
	if len(contests) == 0 || len(sizes) == 0 || repeats < 1 {
		return nil, model.Errorf(op, "there must be at least one classifier, one size and one repeat, got %d, %d and %d", len(contests), len(sizes), repeats)
	}
	c := &SampleCurves{Sizes: append([]int(nil), sizes...), Bayes: bayes, Error: make([][]float64, len(contests))}
	for k, contest := range contests {
		c.Names = append(c.Names, contest.Name)
		c.Error[k] = make([]float64, len(sizes))
	}
	rng := model.Rand(seed, 0)
	unseen, answers := draw(2000, rng.Uint64())
	classes, _ := model.Classes(answers)
	for s, n := range sizes {
		if n < len(classes) {
			return nil, model.Errorf(op, "size %d must be at least %d (an example per class), got %d", s, len(classes), n)
		}
		for range repeats {
			x, y, err := drawAll(op, draw, n, len(classes), rng.Uint64)
			if err != nil {
				return nil, err
			}
			for k, contest := range contests {
				m := contest.New()
				if err := m.Fit(x, y); err != nil {
					return nil, err
				}
				wrong := 0
				for i, p := range m.Predict(unseen) {
					if p != answers[i] {
						wrong++
					}
				}
				c.Error[k][s] += float64(wrong) / float64(len(answers)*repeats)
			}
		}
	}
	return c, nil
}

// drawAll draws samples until one has examples of every class.
func drawAll(op string, draw func(n int, seed uint64) (mat.Matrix, []int), n, classes int, seed func() uint64) (mat.Matrix, []int, error) {
	for range 1000 {
		x, y := draw(n, seed())
		if have, _ := model.Classes(y); len(have) == classes {
			return x, y, nil
		}
	}
	return nil, nil, model.Errorf(op, "no sample of %d examples has all %d classes", n, classes).WithHint("use larger sizes")
}

// ModelChoice is the recommendation of [GenerativeOrConditional].
type ModelChoice int

const (
	EitherModel      ModelChoice = iota // between the two
	GenerativeModel                     // fewer examples than columns: model p(x, y)
	ConditionalModel                    // more than two examples per column: model p(y|x)
)

// String returns the name of the model.
func (a ModelChoice) String() string {
	switch a {
	case GenerativeModel:
		return "generative"
	case ConditionalModel:
		return "conditional"
	}
	return "either"
}

// GenerativeOrConditional applies the rule of thumb of Hal Daumé III to n examples of d columns:
// use a conditional model if n > 2d, and a generative model if n < d.
//
// Course: PROB-26.
func GenerativeOrConditional(n, d int) ModelChoice {
	switch {
	case n > 2*d:
		return ConditionalModel
	case n < d:
		return GenerativeModel
	}
	return EitherModel
}
