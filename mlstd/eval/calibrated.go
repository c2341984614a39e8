package eval

import (
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/pick"
	"github.com/gokernel/gokernel/mlstd/internal/sigmoid"
	"github.com/gokernel/gokernel/mlstd/model"
)

// Calibrated calibrates the probabilities of any classifier. If a calibrated classifier predicts a
// class with probability 0.8 for many examples, about 80 % of these examples belong to the class.
//
//	P(k | x) = (1/F) Σ_f c_fk(s_fk(x))
//
// In each of F folds a member is fitted to the training part. Then a calibration function, which
// turns the member's scores s into probabilities, is fitted to the test part, which the member has
// not seen. The function is Platt's sigmoid 1/(1 + exp(A·s + B)) or, with Isotonic, a nondecreasing
// function. The scores are the results of Decision, or the probabilities if the classifier has no
// Decision method. With more than two classes, each class is calibrated against the rest, and the
// results are divided by their sum. The members' probabilities are averaged.
//
// A sigmoid corrects underconfident classifiers, such as margin classifiers and boosting; an
// isotonic function corrects any order-preserving distortion but needs more examples. Neither
// function improves the ranking of examples much.
//
// Cost: Folds fits.
//
// References: [Platt1999], [ZadroznyElkan2002], [NiculescuMizilCaruana2005]. Course: EVAL-08.
type Calibrated struct {
	New      func() model.Classifier // makes a member
	Isotonic bool                    // calibrate by IsotonicRegression, not by a sigmoid
	// Folds is the number of stratified folds of the cross-fitting; 0 means 5.
	Folds int
	model.Control

	Members []model.Classifier // set by Fit: one per fold
	// Maps holds the calibration functions of each member, one for each score. Set by Fit.
	Maps [][]ScoreMap

	classes []int

	model.Fitted // set by Fit: the columns that it was given
}

// ScoreMap is a calibration function, which turns scores into probabilities.
type ScoreMap struct {
	A, B     float64             // of the sigmoid 1/(1 + exp(A·s + B))
	Isotonic *IsotonicRegression // instead of the sigmoid, if it is not nil
}

// Probability returns the probability for a score.
func (s ScoreMap) Probability(score float64) float64 {
	if s.Isotonic != nil {
		return s.Isotonic.at(score)
	}
	return sigmoid.Of(s.A, s.B, score)
}

var _ model.ProbClassifier = (*Calibrated)(nil)

// Takes reports the kinds of columns that the members take.
func (c *Calibrated) Takes() model.Takes {
	if c.New == nil {
		return model.Takes{}
	}
	return model.TakesOf(c.New())
}

// Fit fits a member and its calibration functions in each fold.
func (c *Calibrated) Fit(x mat.Matrix, y []int) error {
	model.NoteOuterXY(&c.Fitted, x, y)
	return c.fit("Calibrated.Fit", x, y, nil)
}

// FitWeighted fits the members and calibration functions to examples with weights; the classifier
// must take weights.
func (c *Calibrated) FitWeighted(x mat.Matrix, y []int, weights []float64) error {
	const op = "Calibrated.FitWeighted"
	model.NoteOuterXY(&c.Fitted, x, y)
	c.Members, c.Maps, c.classes = nil, nil, nil
	if err := model.CheckWeights(op, weights, len(y)); err != nil {
		return err
	}
	return c.fit(op, x, y, weights)
}

func (c *Calibrated) fit(op string, x mat.Matrix, y []int, weights Weights) error {
	c.Members, c.Maps, c.classes = nil, nil, nil
	if c.New == nil {
		return model.Errorf(op, "New must not be nil").WithHint("set New to a function that returns the classifier to calibrate")
	}
	d, err := model.CheckXYFor(op, x, y, func() any { return c.New() })
	if err != nil {
		return err
	}
	classes, index := model.Classes(y)
	if err := model.CheckTwoOrMore(op, classes); err != nil {
		return err
	}
	folds, err := StratifiedKFold{K: c.Folds}.Split(len(y), y)
	if err != nil {
		return err
	}
	run := c.Begin("Calibrated", len(folds))
	defer run.End()
	var members []model.Classifier
	var maps [][]ScoreMap
	for f, fold := range folds {
		m := c.New()
		if err := fitWith(op, m, pick.Like(x, d, fold.Train), pick.Of(y, fold.Train), weights.of(fold.Train)); err != nil {
			return foldError(op, f, err)
		}
		scores, err := scoresOf(op, m, pick.Like(x, d, fold.Test), len(classes))
		if err != nil {
			return foldError(op, f, err)
		}
		members = append(members, m)
		maps = append(maps, c.mapScores(scores, pick.Of(index, fold.Test), weights.of(fold.Test)))
		if err := run.Step(f+1, LogLoss(pick.Of(y, fold.Test), mapped(scores, maps[f], len(classes)), classes)); err != nil {
			return err
		}
	}
	c.Members, c.Maps, c.classes = members, maps, classes
	return nil
}

// mapScores fits, for each column of scores, a map to the probability of its class. Two classes
// have one column, for the second class.
func (c *Calibrated) mapScores(scores *mat.Dense, index []int, weights []float64) []ScoreMap {
	n, cols := scores.Dims()
	maps := make([]ScoreMap, cols)
	for k := range maps {
		class := k
		if cols == 1 {
			class = 1
		}
		positive, target := make([]bool, n), make([]float64, n)
		for i, own := range index {
			if own == class {
				positive[i], target[i] = true, 1
			}
		}
		column := mat.Col(nil, k, scores)
		if c.Isotonic {
			maps[k].Isotonic = &IsotonicRegression{}
			maps[k].Isotonic.learn(column, target, weights)
		} else {
			maps[k].A, maps[k].B = sigmoid.Fit(column, positive, weights)
		}
	}
	return maps
}

// scoresOf returns the scores of a model, or its probabilities if it has no scores: one column for
// two classes, one per class otherwise.
func scoresOf(op string, m model.Classifier, x mat.Matrix, classes int) (*mat.Dense, error) {
	scores, err := decisionOf(op, m, x)
	if err != nil {
		return nil, err
	}
	want := classes
	if classes == 2 {
		want = 1
	}
	if _, cols := scores.Dims(); cols != want {
		last, _ := lastOf(m, nil)
		return nil, model.Errorf(op, "the classifier must return one score per class, got %[2]d for %[3]d classes from %[1]T", last, cols, classes).
			WithHint("wrap it in ml.OneVsAll, which returns one score per class")
	}
	return scores, nil
}

// decisionOf returns the scores of a model, or its probabilities if it has no scores. For two
// classes, it returns only those of the second class.
func decisionOf(op string, m model.Classifier, x mat.Matrix) (*mat.Dense, error) {
	last, rows := lastOf(m, x)
	if s, ok := last.(model.Scorer); ok {
		return s.Decision(rows), nil
	}
	p, ok := last.(model.ProbClassifier)
	if !ok {
		return nil, model.Errorf(op, "the classifier must have Decision or PredictProba, got %T", last)
	}
	scores := p.PredictProba(rows)
	if n, cols := scores.Dims(); cols == 2 {
		scores = mat.NewDense(n, 1, mat.Col(nil, 1, scores))
	}
	return scores, nil
}

// mapped returns the calibrated class probabilities for a member's scores.
func mapped(scores *mat.Dense, maps []ScoreMap, classes int) *mat.Dense {
	n, cols := scores.Dims()
	out := mat.NewDense(n, classes, nil)
	for i := range n {
		row := out.RawRowView(i)
		if cols == 1 {
			row[1] = maps[0].Probability(scores.At(i, 0))
			row[0] = 1 - row[1]
			continue
		}
		sum := 0.0
		for k := range row {
			row[k] = maps[k].Probability(scores.At(i, k))
			sum += row[k]
		}
		for k := range row {
			if sum > 0 {
				row[k] /= sum
			} else { // no class claims the example
				row[k] = 1 / float64(classes)
			}
		}
	}
	return out
}

// Classes lists the classes in ascending order.
func (c *Calibrated) Classes() []int { return slices.Clone(c.classes) }

// PredictProba returns the mean of the members' calibrated probabilities.
func (c *Calibrated) PredictProba(x mat.Matrix) *mat.Dense {
	x = model.MustRead("Calibrated.PredictProba", &c.Fitted, x)
	return c.proba("Calibrated.PredictProba", x)
}

func (c *Calibrated) proba(op string, x mat.Matrix) *mat.Dense {
	if c.Members == nil {
		panic(model.NotFitted(op))
	}
	var sum *mat.Dense
	for f, m := range c.Members {
		scores, err := scoresOf(op, m, x, len(c.classes))
		if err != nil {
			panic(err)
		}
		p := mapped(scores, c.Maps[f], len(c.classes))
		if sum == nil {
			sum = p
		} else {
			sum.Add(sum, p)
		}
	}
	sum.Scale(1/float64(len(c.Members)), sum)
	return sum
}

// Predict returns the most probable class; ties go to the smallest class.
func (c *Calibrated) Predict(x mat.Matrix) []int {
	x = model.MustRead("Calibrated.Predict", &c.Fitted, x)
	p := c.proba("Calibrated.Predict", x)
	n, _ := p.Dims()
	out := make([]int, n)
	for i := range out {
		row := p.RawRowView(i)
		out[i] = c.classes[slices.Index(row, slices.Max(row))]
	}
	return out
}
