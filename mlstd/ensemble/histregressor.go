package ensemble

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/pick"
	"github.com/gokernel/gokernel/mlstd/model"
)

// Losses of [HistGradientBoostingRegressor] besides SquaredError and AbsoluteError.
const (
	QuantileError RegressionLoss = "quantile" // (y − F)·(q − 1{y < F}): F is the quantile q
	PoissonError  RegressionLoss = "poisson"  // e^F − y·F, of counts: F is the logarithm of their mean
)

// HistGradientBoostingRegressor is gradient boosting for large data sets. Columns are binned once,
// into at most 255 bins. To choose a split, a node needs only the sums of the derivatives in each
// bin.
//
//	F ← F + ν·tree,   a leaf adds  −G/(H + λ),   G = Σ ∂L/∂F,  H = Σ ∂²L/∂F²
//	gain of a split = G_l²/(H_l+λ) + G_r²/(H_r+λ) − G²/(H+λ)
//
// The leaf whose split has the largest gain is split next, until there are MaxLeaves leaves. Only
// the histogram of the smaller child is computed from examples; the histogram of the larger child
// is the parent's histogram minus the smaller child's histogram. Missing values have their own bin,
// and go to the side with the larger gain. A split of a nominal column divides the levels into two
// sets. Levels are sorted by G/(H+10), and one of the sets is a prefix or suffix of this order.
// Levels with fewer than 10 examples at a node go right. With AbsoluteError, a leaf's value is the
// median of its residuals; with QuantileError, it is a quantile of the residuals.
//
// With Validation, some examples are held out, and fitting stops when the held-out loss has not
// fallen in Patience successive rounds. All trees are kept; PredictAt can use fewer.
//
// Cost: O(n·d·log n) once, then at most O(n·d·depth) per tree. For a few thousand examples,
// [GradientBoostingRegressor] is as fast and considers every threshold.
//
// References: [Friedman2001], [ChenGuestrin2016], [Ke2017]. Course: ENS-15, ENS-17.
type HistGradientBoostingRegressor struct {
	Loss     RegressionLoss // SquaredError (empty means that), AbsoluteError, QuantileError or PoissonError
	Quantile float64        // q of QuantileError; 0 means 0.5
	// Rounds is the number of boosting rounds; 0 means 100. More rounds fit the
	// training data more closely and may overfit.
	Rounds int
	// Rate is the learning rate ν, by which the prediction of each tree is
	// multiplied; 0 means 0.1. A smaller value needs more Rounds, and often
	// generalizes better.
	Rate float64
	// MaxLeaves is the maximum number of leaves of a tree; 0 means 31. A larger
	// value fits the training data more closely and may overfit.
	MaxLeaves int
	// MaxDepth is the maximum depth of a tree; 0 means no limit. A larger value
	// fits the training data more closely and may overfit.
	MaxDepth int
	// MinLeaf is the minimum number of examples in a leaf; 0 means 20. A larger
	// value makes the trees smaller and the predictions smoother.
	MinLeaf int
	// Lambda is the l₂ penalty λ on the values of the leaves; 0 means no penalty. A
	// larger value shrinks the values and reduces overfitting.
	Lambda float64
	// Bins is the maximum number of bins of a column; 0 means 255, the upper limit.
	// A smaller value is faster and coarser.
	Bins     int
	Monotone []int // per column: 1 if predictions must not fall, −1 not rise, 0 free; nil: all 0

	// Validation is the fraction of the examples held out for early stopping; 0 means that none are
	// held out and all Rounds are run.
	Validation float64
	// Patience is the number of rounds without a lower validation loss after which
	// fitting stops; 0 means 10.
	Patience int
	// Tol is the minimum decrease of the validation loss that counts as an
	// improvement; 0 means 1e-7. A larger value stops earlier.
	Tol  float64
	Seed uint64 // for the held-out part and, beyond 200,000 rows, the rows for the bins
	model.Control

	Start       float64     // set by Fit: F₀
	Members     []*HistTree // set by Fit
	Importances []float64   // set by Fit: fractions of the gains of splits; sum 1, or 0
	Held        []float64   // set by Fit: the mean loss of the held-out examples before the first round and after each
	Trace       model.Trace // Loss: the mean loss before the first round and after each; Converged: stopped before Rounds

	seen  []*levels
	width int

	model.Fitted // set by Fit: the columns that it was given
}

// Takes reports that the model takes nominal columns and missing values.
func (g *HistGradientBoostingRegressor) Takes() model.Takes {
	return model.Takes{Missing: true, Nominal: true}
}

// Fit adds trees.
func (g *HistGradientBoostingRegressor) Fit(x mat.Matrix, y []float64) error {
	model.NoteXYReal(&g.Fitted, x, y)
	return g.fit("HistGradientBoostingRegressor.Fit", x, y, nil)
}

// FitWeighted is Fit with a weight for each example's loss. The weights apply to the bins, the
// initial prediction and the trees. An example of weight 0 is left out. MinLeaf counts examples,
// not weights.
func (g *HistGradientBoostingRegressor) FitWeighted(x mat.Matrix, y, weights []float64) error {
	const op = "HistGradientBoostingRegressor.FitWeighted"
	model.NoteXYReal(&g.Fitted, x, y)
	g.reset()
	if err := model.CheckWeights(op, weights, len(y)); err != nil {
		return err
	}
	return g.fit(op, x, y, weights)
}

func (g *HistGradientBoostingRegressor) reset() {
	g.Start, g.Members, g.Importances, g.Held, g.Trace, g.seen, g.width = 0, nil, nil, nil, model.Trace{}, nil, 0
}

func (g *HistGradientBoostingRegressor) fit(op string, x mat.Matrix, y, weights []float64) error {
	g.reset()
	d, err := g.Takes().CheckXYReal(op, x, y)
	if err != nil {
		return err
	}
	x, d, y, weights = weighted(x, d, y, weights)
	about := model.ColumnsOf(x)
	b, err := g.booster(op, about)
	if err != nil {
		return err
	}
	o, err := g.objective(op, y, weights)
	if err != nil {
		return err
	}
	run := g.Begin("HistGradientBoostingRegressor", b.rounds)
	defer run.End()
	var hd *mat.Dense
	var held histObjective
	if share := model.Or(g.Validation, 0); share > 0 {
		train, test := holdOut([][]int{everyRow(len(y))}, share, g.Seed)
		if len(test) == 0 {
			return model.Errorf(op, "Validation must hold out at least 1 of %d examples, got %v", len(y), g.Validation).WithHint("set a larger Validation, or 0 for none")
		}
		part := *o
		part.y, part.weights = pick.Of(y, test), weightsOf(weights, test)
		held, hd = &part, pick.Rows(d, test)
		o.y, o.weights = pick.Of(y, train), weightsOf(weights, train)
		d = pick.Rows(d, train)
	}
	binned, err := newBinned(op, about, d, o.weights, b.bins, b.seed)
	if err != nil {
		return err
	}
	t, err := b.train(run, binned, o, hd, held)
	if err != nil {
		return err
	}
	g.set(t, len(about))
	return nil
}

func (g *HistGradientBoostingRegressor) booster(op string, about []model.Column) (*histBooster, error) {
	return newHistBooster(op, histSettings{
		rounds: g.Rounds, leaves: g.MaxLeaves, depth: g.MaxDepth, minLeaf: g.MinLeaf, bins: g.Bins, patience: g.Patience,
		rate: g.Rate, lambda: g.Lambda, validation: model.Or(g.Validation, 0), tol: g.Tol, monotone: g.Monotone, seed: g.Seed,
	}, about)
}

func (g *HistGradientBoostingRegressor) set(t *histTrained, width int) {
	g.Start, g.Members, g.Importances, g.Held, g.Trace, g.seen = t.start[0], t.members[0], t.gains, t.held, t.trace, t.seen
	g.width = width
}

// objective checks the loss and the targets.
func (g *HistGradientBoostingRegressor) objective(op string, y, weights []float64) (*histRegression, error) {
	o := &histRegression{loss: g.Loss, q: g.Quantile, y: y, weights: weights}
	if o.loss == "" {
		o.loss = SquaredError
	}
	switch o.loss {
	case SquaredError, AbsoluteError:
	case QuantileError:
		if o.q = model.Or(g.Quantile, 0.5); !(o.q > 0 && o.q < 1) {
			return nil, model.Errorf(op, "Quantile must be between 0 and 1, got %v", o.q)
		}
	case PoissonError:
		sum := 0.0
		for i, v := range y {
			if v < 0 {
				return nil, model.Errorf(op, "y[%d] must not be negative for PoissonError, got %v", i, v)
			}
			sum += v
		}
		if sum == 0 {
			return nil, model.Errorf(op, "y must have a count above 0 for PoissonError, got only zeros")
		}
	default:
		return nil, model.Errorf(op, "Loss must be SquaredError, AbsoluteError, QuantileError or PoissonError, got %q", g.Loss)
	}
	return o, nil
}

// Predict returns F₀ plus the sum of the trees' predictions. With PoissonError, it returns the
// exponential of this sum, which is the predicted mean count.
func (g *HistGradientBoostingRegressor) Predict(x mat.Matrix) []float64 {
	x = model.MustRead("HistGradientBoostingRegressor.Predict", &g.Fitted, x)
	return g.predict("HistGradientBoostingRegressor.Predict", x, len(g.Members))
}

// PredictAt predicts as if fitting had stopped after the given number of rounds.
//
// Course: ENS-15.
func (g *HistGradientBoostingRegressor) PredictAt(x mat.Matrix, rounds int) []float64 {
	x = model.MustRead("HistGradientBoostingRegressor.PredictAt", &g.Fitted, x)
	return g.predict("HistGradientBoostingRegressor.PredictAt", x, min(rounds, len(g.Members)))
}

func (g *HistGradientBoostingRegressor) predict(op string, x mat.Matrix, trees int) []float64 {
	if g.Members == nil {
		panic(model.NotFitted(op))
	}
	d := g.Takes().MustRows(op, x, g.width)
	n, _ := d.Dims()
	out := slices.Repeat([]float64{g.Start}, n)
	addHist(out, g.Members[:trees], d, g.seen)
	if g.Loss == PoissonError {
		for i, v := range out {
			out[i] = math.Exp(v)
		}
	}
	return out
}

// histRegression is the objective of the regressor.
type histRegression struct {
	loss       RegressionLoss
	q          float64
	y, weights []float64
}

func (o *histRegression) weight() float64 { return sumOfWeights(o.weights, len(o.y)) }

func (o *histRegression) curved() bool { return o.loss == PoissonError || o.weights != nil }

func (o *histRegression) start() []float64 {
	switch o.loss {
	case AbsoluteError:
		return []float64{weightedMedian(o.y, o.weights)}
	case QuantileError:
		return []float64{weightedQuantile(slices.Clone(o.y), o.weights, o.q)}
	case PoissonError:
		return []float64{math.Log(weightedMean(o.y, o.weights))}
	}
	return []float64{weightedMean(o.y, o.weights)}
}

func (o *histRegression) derive(f [][]float64, g, h [][]float32, lo, hi int) float64 {
	loss := 0.0
	for i := lo; i < hi; i++ {
		y, p, w := o.y[i], f[0][i], weightAt(o.weights, i)
		var slope, curve, l float64
		curve = 1
		switch r := y - p; o.loss {
		case SquaredError:
			slope, l = -r, r*r/2
		case AbsoluteError:
			slope, l = -1, math.Abs(r)
			if r < 0 {
				slope = 1
			}
		case QuantileError:
			slope, l = -o.q, o.q*r
			if r < 0 {
				slope, l = 1-o.q, (o.q-1)*r
			}
		case PoissonError:
			curve = math.Exp(p)
			slope, l = curve-y, curve-y*p
		}
		loss += w * l
		if g == nil {
			continue
		}
		g[0][i] = float32(w * slope)
		if h[0] != nil {
			h[0][i] = float32(w * curve)
		}
	}
	return loss
}

func (o *histRegression) leaf(f []float64, rows []int32) (float64, bool) {
	if o.loss != AbsoluteError && o.loss != QuantileError {
		return 0, false
	}
	r := make([]float64, len(rows))
	var weights []float64
	for k, i := range rows {
		r[k] = o.y[i] - f[i]
		if o.weights != nil {
			weights = append(weights, o.weights[i])
		}
	}
	if o.loss == AbsoluteError {
		return weightedMedian(r, weights), true
	}
	return weightedQuantile(r, weights, o.q), true
}
