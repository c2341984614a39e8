package linear

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/pick"
	"github.com/gokernel/gokernel/mlstd/internal/rows"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/optim"
)

// SGDClassifier is a linear classifier trained by stochastic gradient descent. It suits data sets
// that are too large for other models, and can learn batch by batch.
//
//	θ ← (1 − ηλ(1−ρ))·θ − η·L′(y, s)·x,  b ← b − η·L′(y, s),   s = θ·x + b,  y ∈ {−1, +1}
//
// for one example at a time, where L is a loss such as [LogisticLoss] (logistic regression) or
// [HingeLoss] (a support vector machine). Then each weight moves toward 0 by ηλρ but never past 0,
// so weights become exactly 0. With more than two classes, one linear function per class separates
// the class from all others.
//
// Without a Rate, η = 1/(λ(t₀ + t)) for the t-th example, with t₀ such that the length of the first
// step is the expected size of the weights. Fit ends when none of 5 successive passes lowers the
// smallest mean loss so far by Tol. PartialFit makes one pass over a batch, in the order of its
// examples, and continues from the current weights.
//
// Cost: O(d) per example; for a sparse x, the number of nonzero entries. Scale the columns first:
// the learning rate is the same in all directions.
//
// References: [Bottou2010], [TsuruokaTsujiiAnaniadou2009]. Course: OPT-20, OPT-25, LIN-10.
type SGDClassifier struct {
	Loss optim.Loss // nil means LogisticLoss
	// Lambda is the strength λ of the penalty; 0 means 1e-4, model.Zero means none.
	// A larger value shrinks the coefficients more.
	Lambda float64
	// L1Ratio is the weight ρ of the l₁ penalty, between 0 and 1. A larger value sets more
	// coefficients to exactly zero.
	L1Ratio float64
	// Rate is the learning rate of the t-th example; nil means 1/(λ(t₀ + t)). With a larger rate,
	// fitting is faster, but diverges if the rate is too large.
	Rate        optim.Schedule
	Average     bool // predict by the mean of the weights after each example
	NoIntercept bool
	// Epochs is the maximum number of passes over the training examples; 0 means
	// 1000.
	Epochs int
	// Tol is the smallest decrease of the mean loss that counts as progress; 0 means 1e-3,
	// model.Zero means any decrease. A larger value stops earlier.
	Tol       float64
	NoShuffle bool   // take the examples in their order
	Seed      uint64 // of the order
	Known     []int  // the classes, for PartialFit; nil means those of the first batch
	model.Control

	Coef      *mat.Dense  // set by Fit: one row for two classes, one per class otherwise
	Intercept []float64   // set by Fit: one per row of Coef
	Columns   []string    // set by Fit: the names of the columns, if x has names
	Trace     model.Trace // of the mean loss before each example's step, summed over the rows of Coef

	classes []int
	states  []*stochastic

	model.Fitted // set by Fit: the columns that it was given
}

var (
	_ model.PartialFitter      = (*SGDClassifier)(nil)
	_ model.WeightedClassifier = (*SGDClassifier)(nil)
	_ model.PartialRegressor   = (*SGDRegressor)(nil)
	_ model.WeightedRegressor  = (*SGDRegressor)(nil)
)

// Fit makes passes over the examples.
func (s *SGDClassifier) Fit(x mat.Matrix, y []int) error {
	model.NoteXY(&s.Fitted, x, y)
	s.reset()
	return s.fit("SGDClassifier.Fit", x, y, nil)
}

// FitWeighted is Fit with steps in proportion to the weights. An example of weight zero
// is left out.
func (s *SGDClassifier) FitWeighted(x mat.Matrix, y []int, weights []float64) error {
	const op = "SGDClassifier.FitWeighted"
	model.NoteXY(&s.Fitted, x, y)
	s.reset()
	if err := model.CheckWeights(op, weights, len(y)); err != nil {
		return err
	}
	return s.fit(op, x, y, weights)
}

func (s *SGDClassifier) reset() {
	s.Coef, s.Intercept, s.Columns, s.Trace, s.classes, s.states = nil, nil, nil, model.Trace{}, nil, nil
}

func (s *SGDClassifier) fit(op string, x mat.Matrix, y []int, weights []float64) error {
	d, err := rows.Check(op, x, len(y))
	if err != nil {
		return err
	}
	if slices.Contains(weights, 0) {
		kept := positive(weights)
		d, y, weights = d.Take(kept), pick.Of(y, kept), pick.Of(weights, kept)
	}
	run, classes, err := s.descents(op, y, d.Width)
	if err != nil {
		return err
	}
	run.targets = against(y, classes)
	return s.keep(run, classes, columnNames(x), func() (model.Trace, error) {
		return run.run(op, "SGDClassifier", &s.Control, &d, weights)
	})
}

// descents returns the classes in y, and the descents at their start.
func (s *SGDClassifier) descents(op string, y []int, width int) (*descents, []int, error) {
	set, tol, epochs, err := s.settings(op)
	if err != nil {
		return nil, nil, err
	}
	classes, err := s.known(op, y)
	if err != nil {
		return nil, nil, err
	}
	run := &descents{set: set, epochs: epochs, tol: tol, shuffle: !s.NoShuffle, seed: s.Seed}
	for range against(nil, classes) {
		run.states = append(run.states, set.start(width))
	}
	return run, classes, nil
}

// keep descends, and keeps the result.
func (s *SGDClassifier) keep(run *descents, classes []int, columns []string, descend func() (model.Trace, error)) error {
	trace, err := descend()
	if err != nil {
		return err
	}
	s.classes, s.states, s.Columns, s.Trace = classes, run.states, columns, trace
	s.tell()
	return nil
}

// PartialFit makes one pass over a batch of examples, in their order, and continues from the
// current weights. PartialFit returns an error for a class that is not in the first batch, unless
// Known lists the class. An error leaves the model unchanged, except if the weights overflow.
func (s *SGDClassifier) PartialFit(x mat.Matrix, y []int) (err error) {
	const op = "SGDClassifier.PartialFit"
	defer model.Unread(&s.Fitted, s.Fitted, &err)
	x, err = model.ReadBatch(op, &s.Fitted, x, y)
	if err != nil {
		return err
	}
	d, err := rows.Check(op, x, len(y))
	if err != nil {
		return err
	}
	set, _, _, err := s.settings(op)
	if err != nil {
		return err
	}
	if s.states == nil {
		classes, err := model.FirstClasses(op, y, s.Known)
		if err != nil {
			return err
		}
		s.reset()
		s.classes = classes
		for range against(nil, classes) {
			s.states = append(s.states, set.start(d.Width))
		}
		s.Columns = columnNames(x)
	}
	for i, v := range y {
		if _, ok := slices.BinarySearch(s.classes, v); !ok {
			return model.Errorf(op, "y[%d] must be a class of the first batch, got %d", i, v).WithHint("list all classes in Known before the first batch")
		}
	}
	order, err := batchOrder(op, &d, len(s.states[0].v))
	if err != nil {
		return err
	}
	sum := 0.0
	for c, target := range against(y, s.classes) {
		sum += set.pass(s.states[c], &d, target, nil, order)
		if s.states[c].runaway() {
			s.reset()
			return model.Errorf(op, "the weights overflowed").WithHint("scale the columns, or set a smaller Rate, and start again")
		}
	}
	s.Trace.Loss = append(s.Trace.Loss, sum)
	s.tell()
	return nil
}

// batchOrder refuses a batch of another width, and returns its rows in order.
func batchOrder(op string, d *rows.Matrix, width int) ([]int, error) {
	if d.Width != width {
		return nil, model.Errorf(op, "x must have %d columns, as in the earlier batches, got %d", width, d.Width)
	}
	order := make([]int, d.N)
	for i := range order {
		order[i] = i
	}
	return order, nil
}

// known returns the classes of the examples for Fit in ascending order.
func (s *SGDClassifier) known(op string, y []int) ([]int, error) {
	if s.Known != nil {
		return model.FirstClasses(op, y, s.Known)
	}
	classes, _ := model.Classes(y)
	return classes, model.CheckTwoOrMore(op, classes)
}

// against returns −1 and +1 for each score: one of two classes, one per class
// otherwise.
func against(y, classes []int) [][]float64 {
	of := classes
	if len(classes) == 2 {
		of = classes[1:]
	}
	signs := make([][]float64, len(of))
	for c, k := range of {
		signs[c] = make([]float64, len(y))
		for i, v := range y {
			signs[c][i] = -1
			if v == k {
				signs[c][i] = 1
			}
		}
	}
	return signs
}

func (s *SGDClassifier) settings(op string) (*stochasticSettings, float64, int, error) {
	lambda, ratio, tol, epochs, err := stochasticParams{s.Lambda, s.L1Ratio, s.Tol, s.Epochs}.check(op)
	if err != nil {
		return nil, 0, 0, err
	}
	set := &stochasticSettings{loss: s.Loss, rate: s.Rate, l1: lambda * ratio, l2: lambda * (1 - ratio), intercept: !s.NoIntercept, average: s.Average}
	if set.loss == nil {
		set.loss = optim.LogisticLoss{}
	}
	if set.rate == nil {
		if lambda == 0 {
			return nil, 0, 0, model.Errorf(op, "Rate must be set if there is no penalty").WithHint("set Rate, for example to ml.InverseRate{A: 1, B: 100}")
		}
		typical := math.Sqrt(1 / math.Sqrt(lambda)) // size of the weights
		first := typical / max(1, set.loss.Derivative(1, -typical))
		set.rate = optim.InverseRate{A: 1 / lambda, B: 1/(first*lambda) - 1}
	}
	return set, tol, epochs, nil
}

// tell sets Coef and Intercept.
func (s *SGDClassifier) tell() {
	s.Coef, s.Intercept = mat.NewDense(len(s.states), len(s.states[0].v), nil), make([]float64, len(s.states))
	for c, state := range s.states {
		w, b := state.weights()
		s.Coef.SetRow(c, w)
		s.Intercept[c] = b
	}
}

// Classes lists the classes in ascending order.
func (s *SGDClassifier) Classes() []int { return slices.Clone(s.classes) }

// Decision returns θ·x + b: one column for two classes, k otherwise.
func (s *SGDClassifier) Decision(x mat.Matrix) *mat.Dense {
	x = model.MustRead("SGDClassifier.Decision", &s.Fitted, x)
	return decision("SGDClassifier.Decision", x, s.Coef, s.Intercept)
}

// Predict returns the class of the largest score.
func (s *SGDClassifier) Predict(x mat.Matrix) []int {
	x = model.MustRead("SGDClassifier.Predict", &s.Fitted, x)
	return classify(decision("SGDClassifier.Predict", x, s.Coef, s.Intercept), s.classes)
}

// PredictProba returns the class probabilities of each row: the sigmoids of the scores, divided by
// their sum if there are more than two classes. It panics with a [*model.Error] for any loss except
// the logistic loss.
func (s *SGDClassifier) PredictProba(x mat.Matrix) *mat.Dense {
	const op = "SGDClassifier.PredictProba"
	x = model.MustRead(op, &s.Fitted, x)
	scores := decision(op, x, s.Coef, s.Intercept)
	if _, ok := s.Loss.(optim.LogisticLoss); s.Loss != nil && !ok {
		panic(model.Errorf(op, "Loss must be the logistic loss for probabilities, got %s", s.Loss.Name()).WithHint("leave Loss out, or wrap the model in Calibrated"))
	}
	n, k := scores.Dims()
	if k == 1 {
		return probabilities(scores)
	}
	for i := range n {
		row, sum := scores.RawRowView(i), 0.0
		for c, v := range row {
			row[c] = Sigmoid(v)
			sum += row[c]
		}
		for c := range row {
			if sum == 0 {
				row[c] = 1 / float64(k)
			} else {
				row[c] /= sum
			}
		}
	}
	return scores
}

// SGDRegressor is linear regression trained by stochastic gradient descent. It suits data sets that
// are too large for other models, and can learn batch by batch.
//
//	θ ← (1 − ηλ(1−ρ))·θ − η·L′(y, s)·x,  b ← b − η·L′(y, s),   s = θ·x + b
//
// for one example at a time, where L is a loss such as [SquaredLoss], [HuberLoss] or
// [EpsilonInsensitiveLoss]. Then each weight moves toward 0 by ηλρ but never past 0. [LMS] is the
// special case of the squared loss without a penalty. Fit ends when none of 5 successive passes
// lowers the smallest mean loss so far by Tol. PartialFit makes one pass over a batch, in the order
// of its examples, and continues from the current weights.
//
// Cost: O(d) per example; for a sparse x, the number of nonzero entries. Scale the columns first;
// otherwise the weights can overflow, and Fit returns an error.
//
// References: [Bottou2010], [TsuruokaTsujiiAnaniadou2009]. Course: OPT-20, LIN-04.
type SGDRegressor struct {
	Loss optim.Loss // nil means SquaredLoss
	// Lambda is the strength λ of the penalty; 0 means 1e-4, model.Zero means none.
	// A larger value shrinks the coefficients more.
	Lambda float64
	// L1Ratio is the weight ρ of the l₁ penalty, between 0 and 1. A larger value sets more
	// coefficients to exactly zero.
	L1Ratio float64
	// Rate is the learning rate of the t-th example; nil means PowerRate{A: 0.01, Power: 0.25}.
	// With a larger rate, fitting is faster, but diverges if the rate is too large.
	Rate        optim.Schedule
	Average     bool // predict by the mean of the weights after each example
	NoIntercept bool
	// Epochs is the maximum number of passes over the training examples; 0 means
	// 1000.
	Epochs int
	// Tol is the smallest decrease of the mean loss that counts as progress. 0 means 1e-3,
	// multiplied by the mean loss of predicting 0 if that loss is below 1; model.Zero means any
	// decrease. A larger value stops earlier.
	Tol       float64
	NoShuffle bool   // take the examples in their order
	Seed      uint64 // of the order
	model.Control

	Coef      []float64   // set by Fit
	Intercept float64     // set by Fit
	Columns   []string    // set by Fit: the names of the columns, if x has names
	Trace     model.Trace // of the mean loss before each example's step

	state *stochastic

	model.Fitted // set by Fit: the columns that it was given
}

// Fit makes passes over the examples.
func (s *SGDRegressor) Fit(x mat.Matrix, y []float64) error {
	model.NoteXYReal(&s.Fitted, x, y)
	s.reset()
	return s.fit("SGDRegressor.Fit", x, y, nil)
}

// FitWeighted is Fit with steps in proportion to the weights. An example of weight zero
// is left out.
func (s *SGDRegressor) FitWeighted(x mat.Matrix, y, weights []float64) error {
	const op = "SGDRegressor.FitWeighted"
	model.NoteXYReal(&s.Fitted, x, y)
	s.reset()
	if err := model.CheckWeights(op, weights, len(y)); err != nil {
		return err
	}
	return s.fit(op, x, y, weights)
}

func (s *SGDRegressor) reset() {
	s.Coef, s.Intercept, s.Columns, s.Trace, s.state = nil, 0, nil, model.Trace{}, nil
}

func (s *SGDRegressor) fit(op string, x mat.Matrix, y, weights []float64) error {
	d, err := rows.CheckReal(op, x, y)
	if err != nil {
		return err
	}
	if slices.Contains(weights, 0) {
		kept := positive(weights)
		d, y, weights = d.Take(kept), pick.Of(y, kept), pick.Of(weights, kept)
	}
	run, err := s.descents(op, d.Width)
	if err != nil {
		return err
	}
	run.targets = [][]float64{y}
	if s.Tol == 0 { // small targets have small losses
		run.tol *= min(1, meanLoss(run.set.loss, y, weights))
	}
	return s.keep(run, columnNames(x), func() (model.Trace, error) {
		return run.run(op, "SGDRegressor", &s.Control, &d, weights)
	})
}

// descents returns the descent at its start.
func (s *SGDRegressor) descents(op string, width int) (*descents, error) {
	set, tol, epochs, err := s.settings(op)
	if err != nil {
		return nil, err
	}
	return &descents{set: set, states: []*stochastic{set.start(width)}, epochs: epochs, tol: tol, shuffle: !s.NoShuffle, seed: s.Seed}, nil
}

// keep descends, and keeps the result.
func (s *SGDRegressor) keep(run *descents, columns []string, descend func() (model.Trace, error)) error {
	trace, err := descend()
	if err != nil {
		return err
	}
	s.state, s.Columns, s.Trace = run.states[0], columns, trace
	s.Coef, s.Intercept = s.state.weights()
	return nil
}

// PartialFit makes one pass over a batch of examples, in their order, and continues from the
// current weights. An error leaves the model unchanged, except if the weights overflow.
func (s *SGDRegressor) PartialFit(x mat.Matrix, y []float64) (err error) {
	const op = "SGDRegressor.PartialFit"
	defer model.Unread(&s.Fitted, s.Fitted, &err)
	x, err = model.ReadBatch(op, &s.Fitted, x, nil)
	if err != nil {
		return err
	}
	d, err := rows.CheckReal(op, x, y)
	if err != nil {
		return err
	}
	set, _, _, err := s.settings(op)
	if err != nil {
		return err
	}
	if s.state == nil {
		s.reset()
		s.state, s.Columns = set.start(d.Width), columnNames(x)
	}
	order, err := batchOrder(op, &d, len(s.state.v))
	if err != nil {
		return err
	}
	s.Trace.Loss = append(s.Trace.Loss, set.pass(s.state, &d, y, nil, order))
	if s.state.runaway() {
		s.reset()
		return model.Errorf(op, "the weights overflowed").WithHint("scale the columns, or set a smaller Rate, and start again")
	}
	s.Coef, s.Intercept = s.state.weights()
	return nil
}

// meanLoss is the weighted mean loss of predicting 0.
func meanLoss(loss optim.Loss, y, weights []float64) float64 {
	sum, total := 0.0, 0.0
	for i, v := range y {
		w := 1.0
		if weights != nil {
			w = weights[i]
		}
		sum += w * loss.Value(v, 0)
		total += w
	}
	return sum / total
}

func (s *SGDRegressor) settings(op string) (*stochasticSettings, float64, int, error) {
	lambda, ratio, tol, epochs, err := stochasticParams{s.Lambda, s.L1Ratio, s.Tol, s.Epochs}.check(op)
	if err != nil {
		return nil, 0, 0, err
	}
	set := &stochasticSettings{loss: s.Loss, rate: s.Rate, l1: lambda * ratio, l2: lambda * (1 - ratio), intercept: !s.NoIntercept, average: s.Average}
	if set.loss == nil {
		set.loss = optim.SquaredLoss{}
	}
	if set.rate == nil {
		set.rate = optim.PowerRate{A: 0.01, Power: 0.25}
	}
	return set, tol, epochs, nil
}

// Predict returns θ·x + b for each row.
func (s *SGDRegressor) Predict(x mat.Matrix) []float64 {
	x = model.MustRead("SGDRegressor.Predict", &s.Fitted, x)
	return predict("SGDRegressor.Predict", x, s.Coef, s.Intercept)
}
