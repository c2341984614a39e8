package ensemble

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/limits"
	"github.com/gokernel/gokernel/mlstd/internal/pick"
	"github.com/gokernel/gokernel/mlstd/internal/quantile"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/tree"
)

// RegressionLoss is the loss that [GradientBoostingRegressor] minimizes.
type RegressionLoss string

// The losses of gradient boosting for regression.
const (
	SquaredError  RegressionLoss = "squared"  // ½(y − F)²
	AbsoluteError RegressionLoss = "absolute" // |y − F|, robust
	HuberError    RegressionLoss = "huber"    // quadratic inside δ, linear outside
)

// GradientBoostingRegressor adds regression trees, each fitted to the negative
// gradient of the loss at the predictions so far.
//
//	F₀ = argmin_c Σ L(yᵢ, c),  rᵢ = −∂L/∂F(xᵢ),  F ← F + ν·tree(r)
//
// For the squared loss r is the residual y − F, the NEGATIVE gradient. For example, y = (1, 2, 6)
// has F₀ = 3 and residuals (−2, −1, 3). For the absolute loss, r is the sign of the residual, and
// the leaves predict medians. For the Huber loss, r is the residual clipped to [−δ, δ]; each round
// recomputes δ as the quantile Quantile of the absolute residuals. A learning rate ν (Rate) below 1
// is called shrinkage. It lowers the test error, but needs more trees. With Subsample, each tree
// and the values of its leaves are fitted to a random subset of the examples.
//
// Cost: Trees·O(n·d·depth); columns are sorted once.
//
// References: [Friedman2001], [Friedman2002]. Course: ENS-15, ENS-16, ENS-17.
type GradientBoostingRegressor struct {
	Loss     RegressionLoss // empty means SquaredError
	Quantile float64        // of Huber's δ; 0 means 0.9
	// Rounds is the number of boosting rounds; 0 means 100. More rounds fit the
	// training data more closely and may overfit.
	Rounds int
	// Rate is the learning rate ν, by which the prediction of each tree is
	// multiplied; 0 means 0.1. A smaller value needs more Rounds, and often
	// generalizes better.
	Rate float64
	// MaxDepth is the maximum depth of a tree; 0 means 3. A larger value fits the
	// training data more closely and may overfit.
	MaxDepth int
	// MinLeaf is the minimum weight of the examples in a leaf; 0 means 1. A larger
	// value makes the trees smaller and the predictions smoother.
	MinLeaf float64
	// Subsample is the fraction of the examples drawn for each tree; 0 means all. A
	// value below 1 is faster and reduces overfitting.
	Subsample float64
	Seed      uint64
	model.Control

	Start       float64                // set by Fit: F₀
	Members     []*tree.RegressionTree // set by Fit
	Importances []float64              // set by Fit: fractions of error reduction; sum 1, or 0
	Trace       model.Trace            // Loss: the mean loss after each tree

	rate  float64
	width int

	model.Fitted // set by Fit: the columns that it was given
}

// Takes reports that the model takes nominal columns and missing values: see [tree.BetterSide].
func (g *GradientBoostingRegressor) Takes() model.Takes {
	return model.Takes{Missing: true, Nominal: true}
}

// Fit adds Rounds trees.
func (g *GradientBoostingRegressor) Fit(x mat.Matrix, y []float64) error {
	model.NoteXYReal(&g.Fitted, x, y)
	return g.fit("GradientBoostingRegressor.Fit", x, y, nil)
}

// FitWeighted is Fit with a weight for each example's loss. The weights apply to the initial
// prediction, the trees, their leaves and Huber's δ. An example of weight 0 is left out.
func (g *GradientBoostingRegressor) FitWeighted(x mat.Matrix, y, weights []float64) error {
	const op = "GradientBoostingRegressor.FitWeighted"
	model.NoteXYReal(&g.Fitted, x, y)
	g.reset()
	if err := model.CheckWeights(op, weights, len(y)); err != nil {
		return err
	}
	return g.fit(op, x, y, weights)
}

func (g *GradientBoostingRegressor) reset() {
	g.Start, g.Members, g.Importances, g.Trace, g.width = 0, nil, nil, model.Trace{}, 0
}

func (g *GradientBoostingRegressor) fit(op string, x mat.Matrix, y, weights []float64) error {
	g.reset()
	d, err := g.Takes().CheckXYReal(op, x, y)
	if err != nil {
		return err
	}
	x, d, y, weights = weighted(x, d, y, weights)
	b, err := newBooster(op, x, d, g.Rounds, g.Rate, g.MaxDepth, g.MinLeaf, g.Subsample, g.Seed)
	if err != nil {
		return err
	}
	q := g.Quantile
	if q == 0 {
		q = 0.9
	}
	if !(q > 0 && q < 1) {
		return model.Errorf(op, "Quantile must be between 0 and 1, got %v", g.Quantile)
	}
	loss := g.Loss
	if loss == "" {
		loss = SquaredError
	}
	if loss != SquaredError && loss != AbsoluteError && loss != HuberError {
		return model.Errorf(op, "Loss must be SquaredError, AbsoluteError or HuberError, got %q", g.Loss)
	}
	run := g.Begin("GradientBoostingRegressor", b.rounds)
	defer run.End()
	n, p := d.Dims()
	b.weights = weights
	start := weightedMean(y, weights)
	if loss != SquaredError {
		start = weightedMedian(y, weights)
	}
	f, r := slices.Repeat([]float64{start}, n), make([]float64, n)
	var members []*tree.RegressionTree
	var trace model.Trace
	delta := 0.0
	for m := range b.rounds {
		for i := range r {
			r[i] = y[i] - f[i]
		}
		if loss == HuberError {
			delta = weightedQuantile(absolutes(r), weights, q)
		}
		t, err := b.add(f, gradients(loss, r, delta), m, func(rows []int) float64 { return leafValue(loss, r, weights, rows, delta) })
		if err != nil {
			return err
		}
		losses := make([]float64, n)
		for i := range y {
			losses[i] = lossOf(loss, y[i]-f[i], delta)
		}
		members = append(members, t)
		trace.Loss = append(trace.Loss, weightedMean(losses, weights))
		if err := run.Step(m+1, trace.Loss[m]); err != nil {
			return err
		}
	}
	g.Start, g.Members, g.Trace, g.rate, g.width = start, members, trace, b.rate, p
	g.Importances = meanImportances(len(members), p, func(m int) []float64 { return members[m].Decreases() })
	return nil
}

func lossOf(l RegressionLoss, r, delta float64) float64 {
	a := math.Abs(r)
	switch {
	case l == AbsoluteError:
		return a
	case l == HuberError && a > delta:
		return delta * (a - delta/2)
	}
	return r * r / 2
}

func gradients(l RegressionLoss, r []float64, delta float64) []float64 {
	out := slices.Clone(r)
	for i, v := range r {
		switch l {
		case AbsoluteError:
			out[i] = 0
			if v != 0 {
				out[i] = math.Copysign(1, v)
			}
		case HuberError:
			out[i] = min(max(v, -delta), delta)
		}
	}
	return out
}

// leafValue returns the value of a leaf: the mean, the median, or Friedman's one-step estimate for
// the Huber loss, of the residuals in it.
func leafValue(l RegressionLoss, r, weights []float64, rows []int, delta float64) float64 {
	part := pick.Of(r, rows)
	if weights != nil {
		weights = pick.Of(weights, rows)
	}
	switch l {
	case AbsoluteError:
		return weightedMedian(part, weights)
	case HuberError:
		m := weightedMedian(part, weights)
		for k, v := range part {
			part[k] = math.Copysign(min(delta, math.Abs(v-m)), v-m)
		}
		return m + weightedMean(part, weights)
	}
	return weightedMean(part, weights)
}

func mean(v []float64) float64 {
	s := 0.0
	for _, x := range v {
		s += x
	}
	return s / float64(len(v))
}

// quantileOf sorts v and returns a quantile.
func quantileOf(v []float64, q float64) float64 {
	slices.Sort(v)
	return quantile.Of(v, q)
}

func absolutes(v []float64) []float64 {
	out := make([]float64, len(v))
	for i, x := range v {
		out[i] = math.Abs(x)
	}
	return out
}

// Predict returns F₀ plus ν times the sum of the trees' predictions.
func (g *GradientBoostingRegressor) Predict(x mat.Matrix) []float64 {
	x = model.MustRead("GradientBoostingRegressor.Predict", &g.Fitted, x)
	return g.predict("GradientBoostingRegressor.Predict", x, len(g.Members))
}

// PredictAt predicts as if fitting had stopped after the given number of rounds.
//
// Course: ENS-15.
func (g *GradientBoostingRegressor) PredictAt(x mat.Matrix, rounds int) []float64 {
	x = model.MustRead("GradientBoostingRegressor.PredictAt", &g.Fitted, x)
	return g.predict("GradientBoostingRegressor.PredictAt", x, min(rounds, len(g.Members)))
}

func (g *GradientBoostingRegressor) predict(op string, x mat.Matrix, trees int) []float64 {
	if g.Members == nil {
		panic(model.NotFitted(op))
	}
	d := g.Takes().MustRows(op, x, g.width)
	n, _ := d.Dims()
	out := slices.Repeat([]float64{g.Start}, n)
	addTrees(out, g.Members[:trees], d, g.rate)
	return out
}

func addTrees(out []float64, members []*tree.RegressionTree, d *mat.Dense, rate float64) {
	eachLeaf(members, d, func(_ *tree.RegressionTree, i int, leaf *tree.Node) { out[i] += rate * leaf.Value })
}

// booster grows the trees of a sum over columns that are sorted once.
type booster struct {
	op        string
	d         *mat.Dense
	sorted    *tree.SortedColumns
	rounds    int
	rate      float64
	depth     int
	minLeaf   float64
	subsample float64
	seed      uint64
	weights   []float64 // of the examples; nil means all 1
}

func newBooster(op string, x mat.Matrix, d *mat.Dense, rounds int, rate float64, depth int, minLeaf, subsample float64, seed uint64) (*booster, error) {
	rounds, err := countOr(op, "Rounds", rounds, 100)
	if err != nil {
		return nil, err
	}
	if depth, err = countOr(op, "MaxDepth", depth, 3); err != nil {
		return nil, err
	}
	rate = model.Or(rate, 0.1)
	if err := limits.Check(op,
		limits.Rate("Rate", rate),
		limits.Must("Subsample", subsample, subsample >= 0 && subsample <= 1, "be between 0 and 1")); err != nil {
		return nil, err
	}
	sorted, err := tree.SortColumns(x)
	if err != nil {
		return nil, err
	}
	return &booster{op: op, d: d, sorted: sorted, rounds: rounds, rate: rate, depth: depth, minLeaf: minLeaf, subsample: subsample, seed: seed}, nil
}

// add fits tree number m to the targets, sets the value of each leaf from its examples, and updates
// the sums f. With a subsample, only its examples determine the splits and the values.
func (b *booster) add(f, target []float64, m int, value func(rows []int) float64) (*tree.RegressionTree, error) {
	n := len(target)
	weights := b.weights
	if b.subsample > 0 && b.subsample < 1 {
		weights = make([]float64, n)
		for _, i := range model.Rand(b.seed, uint64(m)).Perm(n)[:max(1, int(b.subsample*float64(n)))] {
			weights[i] = weightAt(b.weights, i)
		}
	}
	t := &tree.RegressionTree{MaxDepth: b.depth, MinLeaf: b.minLeaf, Missing: sideOf(b.sorted)}
	if err := t.FitSorted(b.sorted, target, weights); err != nil {
		return nil, err
	}
	leaf := make([]*tree.Node, n)
	eachLeaf([]*tree.RegressionTree{t}, b.d, func(_ *tree.RegressionTree, i int, end *tree.Node) { leaf[i] = end })
	rows := map[*tree.Node][]int{}
	for i, l := range leaf {
		if weights == nil || weights[i] > 0 {
			rows[l] = append(rows[l], i)
		}
	}
	for l, own := range rows {
		l.Value = value(own)
	}
	for i, l := range leaf {
		f[i] += b.rate * l.Value
	}
	return t, nil
}
