package ensemble

import (
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/eval"
	"github.com/gokernel/gokernel/mlstd/internal/pick"
	"github.com/gokernel/gokernel/mlstd/model"
)

// Stacking learns how to combine classifiers of several kinds: another classifier is fitted to the
// members' predictions for examples on which the members were not trained.
//
//	ŷ = g(p₁(x), …, p_M(x)),   g fitted to z_i = (p₁^(−f(i))(x_i), …, p_M^(−f(i))(x_i))
//
// where p_m^(−f) was fitted without the fold f, so that a member that memorizes its examples has no
// advantage. Then every member is fitted to all examples. Each member contributes its probabilities
// (for two classes, only the probability of the second class). If it has no probabilities, it
// contributes its scores or, without scores, indicators of the predicted class.
//
// The folds are stratified and follow the order of the examples: shuffle sorted examples first. The
// final classifier needs enough examples to learn from; with few examples, a vote is as good.
//
// Cost: Folds + 1 fits of every member.
//
// References: [Wolpert1992]. Course: ENS-04.
type Stacking struct {
	New   []func() model.Classifier // makes each member
	Final func() model.Classifier   // makes the classifier that combines them
	// Folds is the number of cross-validation folds from which the final model learns; 0 means 5.
	// With more folds, fitting takes longer, and each member is trained on more of the examples.
	Folds int
	Pass  bool // the columns of x go to the final classifier, too
	model.Control

	Members    []model.Classifier // set by Fit: fitted to all examples
	FinalModel model.Classifier   // set by Fit: the fitted combination

	classes []int
	width   int

	model.Fitted // set by Fit: the columns that it was given
}

var (
	_ model.ProbClassifier = (*Stacking)(nil)
	_ model.Staged         = (*Stacking)(nil)
)

// Takes reports the kinds of columns that all members take; with Pass, the final classifier must
// take them too.
func (s *Stacking) Takes() model.Takes {
	t := takesOfAll(s.New)
	if s.Pass {
		last := takesOf(s.Final)
		t = model.Takes{Missing: t.Missing && last.Missing, Nominal: t.Nominal && last.Nominal}
	}
	return t
}

// Fit fits the members and their combination.
func (s *Stacking) Fit(x mat.Matrix, y []int) error {
	model.NoteOuterXY(&s.Fitted, x, y)
	return s.fit("Stacking.Fit", x, y, nil)
}

// TakesWeights reports whether all members and the final model take weights.
func (s *Stacking) TakesWeights() bool {
	return allTakeWeights(s.New) && s.Final != nil && model.TakesWeights(s.Final())
}

// FitWeighted is Fit with a weight for each example. Every member and the final model must take
// weights. An example of weight 0 is left out.
func (s *Stacking) FitWeighted(x mat.Matrix, y []int, weights []float64) error {
	const op = "Stacking.FitWeighted"
	model.NoteOuterXY(&s.Fitted, x, y)
	s.Members, s.FinalModel, s.classes, s.width = nil, nil, nil, 0
	if err := model.CheckWeights(op, weights, len(y)); err != nil {
		return err
	}
	return s.fit(op, x, y, weights)
}

func (s *Stacking) fit(op string, x mat.Matrix, y []int, weights []float64) error {
	s.Members, s.FinalModel, s.classes, s.width = nil, nil, nil, 0
	if err := checkNew(op, s.New); err != nil {
		return err
	}
	if s.Final == nil {
		return model.Errorf(op, "Final must not be nil").WithHint("set Final to a function that returns the classifier that combines the others, such as a LogisticRegression")
	}
	d, err := s.Takes().CheckXY(op, x, y)
	if err != nil {
		return err
	}
	if weights != nil {
		x, d, y, weights = weighted(x, d, y, weights)
	}
	classes, _ := model.Classes(y)
	if err := model.CheckTwoOrMore(op, classes); err != nil {
		return err
	}
	folds, err := eval.StratifiedKFold{K: s.Folds}.Split(len(y), y)
	if err != nil {
		return err
	}
	run := s.Begin("Stacking", len(s.New)+1)
	defer run.End()
	members, parts := make([]model.Classifier, len(s.New)), make([]*mat.Dense, len(s.New))
	for m, fresh := range s.New {
		for _, fold := range folds {
			f := fresh()
			if err := fitMember(op, "member "+strconv.Itoa(m), f, pick.Like(x, d, fold.Train), pick.Of(y, fold.Train), weightsOf(weights, fold.Train)); err != nil {
				return err
			}
			said := says(f, pick.Like(x, d, fold.Test), classes)
			_, cols := said.Dims()
			if parts[m] == nil {
				parts[m] = mat.NewDense(len(y), cols, nil)
			}
			for k, i := range fold.Test {
				copy(parts[m].RawRowView(i), said.RawRowView(k))
			}
			if err := run.Err(); err != nil {
				return err
			}
		}
		members[m] = fresh()
		if err := fitMember(op, "member "+strconv.Itoa(m), members[m], x, y, weights); err != nil {
			return err
		}
		if err := run.Step(m+1, math.NaN()); err != nil {
			return err
		}
	}
	final := s.Final()
	if err := fitMember(op, "the final model", final, stacked(x, d, parts, s.Pass), y, weights); err != nil {
		return err
	}
	if err := run.Step(len(s.New)+1, math.NaN()); err != nil {
		return err
	}
	s.Members, s.FinalModel, s.classes = members, final, classes
	_, s.width = d.Dims()
	return nil
}

// anything takes all kinds of columns: each member checks its own input, and a loaded stack has no
// New to ask.
var anything = model.Takes{Missing: true, Nominal: true}

// says returns the contribution of a fitted member for each row of x.
func says(f model.Classifier, x mat.Matrix, classes []int) *mat.Dense {
	last, rows := lastOf(f, x)
	switch m := last.(type) {
	case model.ProbClassifier:
		p := m.PredictProba(rows)
		n, cols := p.Dims()
		if cols == 2 {
			return mat.NewDense(n, 1, mat.Col(nil, 1, p))
		}
		return p
	case model.Scorer:
		return m.Decision(rows)
	}
	predicted := last.Predict(rows)
	out := mat.NewDense(len(predicted), len(classes), nil)
	for i, c := range predicted {
		if k, ok := slices.BinarySearch(classes, c); ok {
			out.Set(i, k, 1)
		}
	}
	return out
}

// stacked puts the contributions of the members side by side, followed by x if pass is set.
func stacked(x mat.Matrix, d *mat.Dense, parts []*mat.Dense, pass bool) mat.Matrix {
	n, width := d.Dims()
	cols := 0
	for _, p := range parts {
		_, c := p.Dims()
		cols += c
	}
	columns := model.Numbered("member", cols)
	if pass {
		cols += width
		columns = append(columns, model.ColumnsOf(x)...)
	}
	out := mat.NewDense(n, cols, nil)
	for i := range n {
		row := out.RawRowView(i)
		for _, p := range parts {
			row = row[copy(row, p.RawRowView(i)):]
		}
		if pass {
			copy(row, d.RawRowView(i))
		}
	}
	return model.Named(x, out, columns)
}

// Classes lists the classes in ascending order.
func (s *Stacking) Classes() []int { return slices.Clone(s.classes) }

// Transform returns the input of the final classifier for x: the predictions of the
// members.
func (s *Stacking) Transform(x mat.Matrix) mat.Matrix {
	const op = "Stacking.Transform"
	x = model.MustRead(op, &s.Fitted, x)
	if s.Members == nil {
		panic(model.NotFitted(op))
	}
	d := anything.MustRows(op, x, s.width)
	parts := make([]*mat.Dense, len(s.Members))
	for m, f := range s.Members {
		parts[m] = says(f, x, s.classes)
	}
	return stacked(x, d, parts, s.Pass)
}

// Last returns the final classifier.
func (s *Stacking) Last() model.Classifier { return s.FinalModel }

func (s *Stacking) fitted(op string) model.Classifier {
	if s.Members == nil {
		panic(model.NotFitted(op))
	}
	return s.FinalModel
}

// Predict returns the predictions of the final classifier.
func (s *Stacking) Predict(x mat.Matrix) []int {
	x = model.MustRead("Stacking.Predict", &s.Fitted, x)
	return s.fitted("Stacking.Predict").Predict(s.Transform(x))
}

// PredictProba returns the probabilities of the final classifier, which must predict probabilities.
func (s *Stacking) PredictProba(x mat.Matrix) *mat.Dense {
	const op = "Stacking.PredictProba"
	x = model.MustRead(op, &s.Fitted, x)
	last, rows := lastOf(s.fitted(op), s.Transform(x))
	p, ok := last.(model.ProbClassifier)
	if !ok {
		panic(model.Errorf(op, "the final classifier must have PredictProba, got %T", last))
	}
	return p.PredictProba(rows)
}

// StackingRegressor learns how to combine regressors of several kinds: another regressor is fitted
// to the members' predictions for examples on which the members were not trained.
//
//	ŷ = g(f₁(x), …, f_M(x)),   g fitted to z_i = (f₁^(−f(i))(x_i), …, f_M^(−f(i))(x_i))
//
// The folds are consecutive; see [Stacking].
//
// Cost: Folds + 1 fits of every member.
//
// References: [Wolpert1992]. Course: ENS-04.
type StackingRegressor struct {
	New   []func() model.Regressor // makes each member
	Final func() model.Regressor   // makes the regressor that combines them
	// Folds is the number of cross-validation folds from which the final model learns; 0 means 5.
	// With more folds, fitting takes longer, and each member is trained on more of the examples.
	Folds int
	Pass  bool // the columns of x go to the final regressor, too
	model.Control

	Members    []model.Regressor // set by Fit: fitted to all examples
	FinalModel model.Regressor   // set by Fit: the fitted combination

	width int

	model.Fitted // set by Fit: the columns that it was given
}

// Takes reports the kinds of columns that all members take; with Pass, the final regressor must
// take them too.
func (s *StackingRegressor) Takes() model.Takes {
	t := takesOfAll(s.New)
	if s.Pass {
		last := takesOf(s.Final)
		t = model.Takes{Missing: t.Missing && last.Missing, Nominal: t.Nominal && last.Nominal}
	}
	return t
}

// Fit fits the members and their combination.
func (s *StackingRegressor) Fit(x mat.Matrix, y []float64) error {
	model.NoteOuterXYReal(&s.Fitted, x, y)
	return s.fit("StackingRegressor.Fit", x, y, nil)
}

// TakesWeights reports whether all members and the final model take weights.
func (s *StackingRegressor) TakesWeights() bool {
	return allTakeWeights(s.New) && s.Final != nil && model.TakesWeights(s.Final())
}

// FitWeighted is Fit with a weight for each example. Every member and the final model must take
// weights. An example of weight 0 is left out.
func (s *StackingRegressor) FitWeighted(x mat.Matrix, y, weights []float64) error {
	const op = "StackingRegressor.FitWeighted"
	model.NoteOuterXYReal(&s.Fitted, x, y)
	s.Members, s.FinalModel, s.width = nil, nil, 0
	if err := model.CheckWeights(op, weights, len(y)); err != nil {
		return err
	}
	return s.fit(op, x, y, weights)
}

func (s *StackingRegressor) fit(op string, x mat.Matrix, y, weights []float64) error {
	s.Members, s.FinalModel, s.width = nil, nil, 0
	if err := checkNew(op, s.New); err != nil {
		return err
	}
	if s.Final == nil {
		return model.Errorf(op, "Final must not be nil").WithHint("set Final to a function that returns the regressor that combines the others, such as a Ridge")
	}
	d, err := s.Takes().CheckXYReal(op, x, y)
	if err != nil {
		return err
	}
	if weights != nil {
		x, d, y, weights = weighted(x, d, y, weights)
	}
	folds, err := eval.KFold{K: s.Folds}.Split(len(y), nil)
	if err != nil {
		return err
	}
	run := s.Begin("StackingRegressor", len(s.New)+1)
	defer run.End()
	members, parts := make([]model.Regressor, len(s.New)), make([]*mat.Dense, len(s.New))
	for m, fresh := range s.New {
		parts[m] = mat.NewDense(len(y), 1, nil)
		for _, fold := range folds {
			f := fresh()
			if err := fitRegressor(op, "member "+strconv.Itoa(m), f, pick.Like(x, d, fold.Train), pick.Of(y, fold.Train), weightsOf(weights, fold.Train)); err != nil {
				return err
			}
			for k, v := range f.Predict(pick.Like(x, d, fold.Test)) {
				parts[m].Set(fold.Test[k], 0, v)
			}
			if err := run.Err(); err != nil {
				return err
			}
		}
		members[m] = fresh()
		if err := fitRegressor(op, "member "+strconv.Itoa(m), members[m], x, y, weights); err != nil {
			return err
		}
		if err := run.Step(m+1, math.NaN()); err != nil {
			return err
		}
	}
	final := s.Final()
	if err := fitRegressor(op, "the final model", final, stacked(x, d, parts, s.Pass), y, weights); err != nil {
		return err
	}
	if err := run.Step(len(s.New)+1, math.NaN()); err != nil {
		return err
	}
	s.Members, s.FinalModel = members, final
	_, s.width = d.Dims()
	return nil
}

// Predict returns the predictions of the final regressor.
func (s *StackingRegressor) Predict(x mat.Matrix) []float64 {
	const op = "StackingRegressor.Predict"
	x = model.MustRead(op, &s.Fitted, x)
	if s.Members == nil {
		panic(model.NotFitted(op))
	}
	d := anything.MustRows(op, x, s.width)
	parts := make([]*mat.Dense, len(s.Members))
	for m, f := range s.Members {
		p := f.Predict(x)
		parts[m] = mat.NewDense(len(p), 1, p)
	}
	return s.FinalModel.Predict(stacked(x, d, parts, s.Pass))
}
