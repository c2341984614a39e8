package ensemble

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/linalg"
	"github.com/gokernel/gokernel/mlstd/internal/pick"
	"github.com/gokernel/gokernel/mlstd/model"
)

// HistGradientBoosting classifies by gradient boosting over binned columns: it is
// [GradientBoosting] for large data sets.
//
//	p_k(x) = e^{F_k(x)} / Σⱼ e^{F_j(x)},   J = −Σᵢ log p_{yᵢ}(xᵢ)
//	∂J/∂F_k = p_k − 1{y=k},   ∂²J/∂F_k² = p_k(1 − p_k)
//
// For two classes there is one sum and the sigmoid. Bins, missing values, nominal columns and early
// stopping are as in [HistGradientBoostingRegressor]; the held-out part is stratified by class.
//
// Cost: one tree per round for two classes, and k trees per round for k > 2 classes.
//
// References: [Friedman2001], [ChenGuestrin2016], [Ke2017]. Course: ENS-17, ENS-18.
type HistGradientBoosting struct {
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
	Monotone []int // per column: 1 if P(second of two classes) must not fall, −1 not rise, 0 free

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

	Start       []float64     // set by Fit: F₀ of each sum
	Members     [][]*HistTree // set by Fit: one list per sum
	Importances []float64     // set by Fit: fractions of the gains of all splits; their sum is 1, or 0
	Held        []float64     // set by Fit: the mean divergence of the held-out examples before the first round and after each
	Trace       model.Trace   // Loss: the mean divergence before the first round and after each; Converged: stopped before Rounds

	seen    []*levels
	width   int
	classes []int

	model.Fitted // set by Fit: the columns that it was given
}

// Takes reports that the model takes nominal columns and missing values.
func (g *HistGradientBoosting) Takes() model.Takes {
	return model.Takes{Missing: true, Nominal: true}
}

// Fit adds trees.
func (g *HistGradientBoosting) Fit(x mat.Matrix, y []int) error {
	model.NoteXY(&g.Fitted, x, y)
	return g.fit("HistGradientBoosting.Fit", x, y, nil)
}

// FitWeighted is Fit with a weight for each example's divergence. The weights apply to the bins,
// the initial prediction and the trees. An example of weight 0 is left out. MinLeaf counts
// examples, not weights.
func (g *HistGradientBoosting) FitWeighted(x mat.Matrix, y []int, weights []float64) error {
	const op = "HistGradientBoosting.FitWeighted"
	model.NoteXY(&g.Fitted, x, y)
	g.reset()
	if err := model.CheckWeights(op, weights, len(y)); err != nil {
		return err
	}
	return g.fit(op, x, y, weights)
}

func (g *HistGradientBoosting) reset() {
	g.Start, g.Members, g.Importances, g.Held, g.Trace = nil, nil, nil, nil, model.Trace{}
	g.seen, g.classes, g.width = nil, nil, 0
}

func (g *HistGradientBoosting) fit(op string, x mat.Matrix, y []int, weights []float64) error {
	g.reset()
	d, err := g.Takes().CheckXY(op, x, y)
	if err != nil {
		return err
	}
	x, d, y, weights = weighted(x, d, y, weights)
	about := model.ColumnsOf(x)
	classes, index := model.Classes(y)
	if err := model.CheckTwoOrMore(op, classes); err != nil {
		return err
	}
	b, err := g.booster(op, about, len(classes))
	if err != nil {
		return err
	}
	run := g.Begin("HistGradientBoosting", b.rounds)
	defer run.End()
	o := &histClasses{k: len(classes), index: index, weights: weights}
	var hd *mat.Dense
	var held histObjective
	if share := model.Or(g.Validation, 0); share > 0 {
		groups := make([][]int, len(classes))
		for i, c := range index {
			groups[c] = append(groups[c], i)
		}
		train, test := holdOut(groups, share, g.Seed)
		if len(test) == 0 {
			return model.Errorf(op, "Validation must hold out at least 1 of %d examples, got %v", len(y), g.Validation).WithHint("set a larger Validation, or 0 for none")
		}
		held, hd = &histClasses{k: o.k, index: pick.Of(index, test), weights: weightsOf(weights, test)}, pick.Rows(d, test)
		o.index, o.weights, d = pick.Of(index, train), weightsOf(weights, train), pick.Rows(d, train)
	}
	binned, err := newBinned(op, about, d, o.weights, b.bins, b.seed)
	if err != nil {
		return err
	}
	t, err := b.train(run, binned, o, hd, held)
	if err != nil {
		return err
	}
	g.set(t, len(about), classes)
	return nil
}

// booster checks the parameters for a number of classes.
func (g *HistGradientBoosting) booster(op string, about []model.Column, classes int) (*histBooster, error) {
	b, err := newHistBooster(op, histSettings{
		rounds: g.Rounds, leaves: g.MaxLeaves, depth: g.MaxDepth, minLeaf: g.MinLeaf, bins: g.Bins, patience: g.Patience,
		rate: g.Rate, lambda: g.Lambda, validation: model.Or(g.Validation, 0), tol: g.Tol, monotone: g.Monotone, seed: g.Seed,
	}, about)
	if err == nil && classes > 2 && slices.ContainsFunc(g.Monotone, func(m int) bool { return m != 0 }) {
		err = model.Errorf(op, "y must have exactly two classes if Monotone is set, got %d", classes)
	}
	return b, err
}

func (g *HistGradientBoosting) set(t *histTrained, width int, classes []int) {
	g.Start, g.Members, g.Importances, g.Held, g.Trace, g.seen = t.start, t.members, t.gains, t.held, t.trace, t.seen
	g.width, g.classes = width, classes
}

// Classes lists the classes in ascending order.
func (g *HistGradientBoosting) Classes() []int { return slices.Clone(g.classes) }

func (g *HistGradientBoosting) sums(op string, x mat.Matrix) [][]float64 {
	if g.Members == nil {
		panic(model.NotFitted(op))
	}
	d := g.Takes().MustRows(op, x, g.width)
	n, _ := d.Dims()
	f := constants(g.Start, n)
	for s := range f {
		addHist(f[s], g.Members[s], d, g.seen)
	}
	return f
}

// Decision returns the sums: one column for two classes, k otherwise.
func (g *HistGradientBoosting) Decision(x mat.Matrix) *mat.Dense {
	x = model.MustRead("HistGradientBoosting.Decision", &g.Fitted, x)
	f := g.sums("HistGradientBoosting.Decision", x)
	out := mat.NewDense(len(f[0]), len(f), nil)
	for s := range f {
		out.SetCol(s, f[s])
	}
	return out
}

// PredictProba returns the class probabilities of each row.
func (g *HistGradientBoosting) PredictProba(x mat.Matrix) *mat.Dense {
	x = model.MustRead("HistGradientBoosting.PredictProba", &g.Fitted, x)
	return g.proba("HistGradientBoosting.PredictProba", x)
}

func (g *HistGradientBoosting) proba(op string, x mat.Matrix) *mat.Dense {
	f := g.sums(op, x)
	p := mat.NewDense(len(f[0]), len(g.classes), nil)
	for i := range f[0] {
		fillProbabilities(p.RawRowView(i), f, i)
	}
	return p
}

// Predict returns the most probable class; ties go to the smallest class.
func (g *HistGradientBoosting) Predict(x mat.Matrix) []int {
	x = model.MustRead("HistGradientBoosting.Predict", &g.Fitted, x)
	return mostProbable(g.proba("HistGradientBoosting.Predict", x), g.classes)
}

// histClasses is the objective of the classifier.
type histClasses struct {
	k       int
	index   []int
	weights []float64
}

func (o *histClasses) weight() float64 { return sumOfWeights(o.weights, len(o.index)) }

func (o *histClasses) curved() bool { return true }

func (o *histClasses) leaf([]float64, []int32) (float64, bool) { return 0, false }

// start returns the log odds of two classes, or the logarithms of the frequencies, less
// their mean.
func (o *histClasses) start() []float64 {
	count := make([]float64, o.k)
	for i, c := range o.index {
		count[c] += weightAt(o.weights, i)
	}
	if o.k == 2 {
		return []float64{math.Log(count[1] / count[0])}
	}
	start, sum := make([]float64, o.k), 0.0
	for c, n := range count {
		start[c] = math.Log(n / o.weight())
		sum += start[c]
	}
	for c := range start {
		start[c] -= sum / float64(o.k)
	}
	return start
}

func (o *histClasses) derive(f [][]float64, g, h [][]float32, lo, hi int) float64 {
	if o.k == 2 {
		return o.deriveTwo(f[0], g, h, lo, hi)
	}
	loss := 0.0
	row := make([]float64, o.k)
	for i := lo; i < hi; i++ {
		fillProbabilities(row, f, i)
		w := weightAt(o.weights, i)
		loss -= w * math.Log(max(row[o.index[i]], 1e-300))
		if g == nil {
			continue
		}
		for c, p := range row {
			h[c][i] = float32(w * p * (1 - p))
			if c == o.index[i] {
				p--
			}
			g[c][i] = float32(w * p)
		}
	}
	return loss
}

// deriveTwo is derive for two classes. The loss of an example is log(1 + e^−|F|), plus |F| if the
// sign of F is wrong. For equal weights it takes one logarithm of a product of several terms.
func (o *histClasses) deriveTwo(f []float64, g, h [][]float32, lo, hi int) float64 {
	loss, product := 0.0, 1.0
	powers := make([]float64, hi-lo)
	for k := range powers {
		powers[k] = -math.Abs(f[lo+k])
	}
	linalg.Exp(powers)
	for i := lo; i < hi; i++ {
		w := weightAt(o.weights, i)
		e := powers[i-lo]
		p := 1 / (1 + e) // of the likelier class
		q := e * p
		l := 0.0
		if o.weights != nil {
			l = math.Log1p(e)
		} else if product *= 1 + e; product > 1e200 {
			loss, product = loss+math.Log(product), 1
		}
		if f[i] < 0 {
			p, q = q, p
		}
		slope := p
		if o.index[i] == 1 {
			slope = -q
		}
		if (f[i] < 0) == (o.index[i] == 1) {
			l += math.Abs(f[i])
		}
		loss += w * l
		if g != nil {
			g[0][i], h[0][i] = float32(w*slope), float32(w*p*q)
		}
	}
	return loss + math.Log(product)
}
