package ensemble

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/tree"
)

// GradientBoosting classifies by one sum of regression trees per class, and converts the sums to
// probabilities by the softmax (one sum and the sigmoid for two classes).
//
//	p_k(x) = e^{F_k(x)} / Σⱼ e^{F_j(x)}
//	J = Σᵢ KL(yᵢ ‖ p(xᵢ)) = −Σᵢ log p_{yᵢ}(xᵢ),  −∂J/∂F_k(xᵢ) = 1{yᵢ=k} − p_k(xᵢ)
//
// Each round fits one tree per class to these residuals Y_k − P_k; leaves take one Newton step.
// With Uniform, fitting starts from equal probabilities instead of the class frequencies: with 26
// classes, such as the letters, every P starts at 1/26 and the divergence at log 26.
//
// Cost: Rounds·k trees (Rounds for two classes).
//
// References: [Friedman2001]. Course: ENS-17, ENS-18.
type GradientBoosting struct {
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
	Uniform   bool // start at equal probabilities instead of the class frequencies
	Seed      uint64
	model.Control

	Start       []float64                // set by Fit: the initial score F₀ of each class
	Members     [][]*tree.RegressionTree // set by Fit: one list of trees per class
	Importances []float64                // set by Fit: fractions of error reduction; sum 1, or 0
	Trace       model.Trace              // Loss: mean divergence before the first round and after each

	rate    float64
	width   int
	classes []int

	model.Fitted // set by Fit: the columns that it was given
}

// Takes reports that the model takes nominal columns and missing values: see [tree.BetterSide].
func (g *GradientBoosting) Takes() model.Takes {
	return model.Takes{Missing: true, Nominal: true}
}

// Fit adds Rounds rounds of trees.
func (g *GradientBoosting) Fit(x mat.Matrix, y []int) error {
	model.NoteXY(&g.Fitted, x, y)
	return g.fit("GradientBoosting.Fit", x, y, nil)
}

// FitWeighted is Fit with a weight for each example's divergence. The weights apply to the trees,
// their leaves and the initial class frequencies. An example of weight 0 is left out.
func (g *GradientBoosting) FitWeighted(x mat.Matrix, y []int, weights []float64) error {
	const op = "GradientBoosting.FitWeighted"
	model.NoteXY(&g.Fitted, x, y)
	g.reset()
	if err := model.CheckWeights(op, weights, len(y)); err != nil {
		return err
	}
	return g.fit(op, x, y, weights)
}

func (g *GradientBoosting) reset() {
	g.Start, g.Members, g.Importances, g.Trace, g.classes, g.width = nil, nil, nil, model.Trace{}, nil, 0
}

func (g *GradientBoosting) fit(op string, x mat.Matrix, y []int, weights []float64) error {
	g.reset()
	d, err := g.Takes().CheckXY(op, x, y)
	if err != nil {
		return err
	}
	x, d, y, weights = weighted(x, d, y, weights)
	classes, index := model.Classes(y)
	if err := model.CheckTwoOrMore(op, classes); err != nil {
		return err
	}
	b, err := newBooster(op, x, d, g.Rounds, g.Rate, g.MaxDepth, g.MinLeaf, g.Subsample, g.Seed)
	if err != nil {
		return err
	}
	n, p := d.Dims()
	b.weights = weights
	k := len(classes)
	start := g.start(k, index, weights)
	sums := len(start)
	f := make([][]float64, sums)
	for s := range f {
		f[s] = slices.Repeat([]float64{start[s]}, n)
	}
	run := g.Begin("GradientBoosting", b.rounds)
	defer run.End()
	prob := mat.NewDense(n, k, nil)
	members := make([][]*tree.RegressionTree, sums)
	r := make([]float64, n)
	var trace model.Trace
	trace.Loss = append(trace.Loss, divergence(prob, f, index, weights))
	for m := range b.rounds {
		for s := range sums {
			class := s
			if sums == 1 {
				class = 1
			}
			for i := range r {
				r[i] = -prob.At(i, class)
				if index[i] == class {
					r[i]++
				}
			}
			t, err := b.add(f[s], r, m*sums+s, func(rows []int) float64 {
				v := newtonStep(r, weights, rows)
				if sums == 1 {
					return v
				}
				return float64(k-1) / float64(k) * v
			})
			if err != nil {
				return err
			}
			members[s] = append(members[s], t)
		}
		loss := divergence(prob, f, index, weights)
		trace.Loss = append(trace.Loss, loss)
		if err := run.Step(m+1, loss); err != nil {
			return err
		}
	}
	g.Start, g.Members, g.Trace, g.rate, g.width, g.classes = start, members, trace, b.rate, p, classes
	all := slices.Concat(members...)
	g.Importances = meanImportances(len(all), p, func(m int) []float64 { return all[m].Decreases() })
	return nil
}

// start returns F₀ of each sum: the logarithms of the class frequencies, or 0.
func (g *GradientBoosting) start(k int, index []int, weights []float64) []float64 {
	count, total := make([]float64, k), 0.0
	for i, c := range index {
		count[c] += weightAt(weights, i)
		total += weightAt(weights, i)
	}
	start := make([]float64, k)
	if k == 2 {
		start = start[:1]
	}
	for c := range start {
		switch {
		case g.Uniform:
		case k == 2:
			start[0] = math.Log(count[1] / count[0])
		default:
			start[c] = math.Log(count[c] / total)
		}
	}
	return start
}

// newtonStep returns the Newton step for the residuals r of a leaf's examples.
func newtonStep(r, weights []float64, rows []int) float64 {
	var num, den float64
	for _, i := range rows {
		a, w := math.Abs(r[i]), weightAt(weights, i)
		num += w * r[i]
		den += w * a * (1 - a)
	}
	if den < 1e-150 {
		return 0
	}
	return num / den
}

// divergence fills in the probabilities that the sums give and returns the mean
// of −log p of the true class.
func divergence(prob *mat.Dense, f [][]float64, index []int, weights []float64) float64 {
	n, _ := prob.Dims()
	loss, total := 0.0, 0.0
	for i := range n {
		row, w := prob.RawRowView(i), weightAt(weights, i)
		fillProbabilities(row, f, i)
		loss -= w * math.Log(max(row[index[i]], 1e-300))
		total += w
	}
	return loss / total
}

func fillProbabilities(row []float64, f [][]float64, i int) {
	if len(f) == 1 {
		row[1] = 1 / (1 + math.Exp(-f[0][i]))
		row[0] = 1 / (1 + math.Exp(f[0][i]))
		return
	}
	for s := range f {
		row[s] = f[s][i]
	}
	softmax(row)
}

// softmax replaces scores by probabilities.
func softmax(row []float64) {
	top, z := slices.Max(row), 0.0
	for s, v := range row {
		row[s] = math.Exp(v - top)
		z += row[s]
	}
	for s := range row {
		row[s] /= z
	}
}

// Classes lists the classes in ascending order.
func (g *GradientBoosting) Classes() []int { return slices.Clone(g.classes) }

func (g *GradientBoosting) sums(op string, x mat.Matrix) [][]float64 {
	if g.Members == nil {
		panic(model.NotFitted(op))
	}
	d := g.Takes().MustRows(op, x, g.width)
	n, _ := d.Dims()
	f := make([][]float64, len(g.Members))
	for s := range f {
		f[s] = slices.Repeat([]float64{g.Start[s]}, n)
		addTrees(f[s], g.Members[s], d, g.rate)
	}
	return f
}

// Decision returns the sums: one column for two classes, k otherwise.
func (g *GradientBoosting) Decision(x mat.Matrix) *mat.Dense {
	x = model.MustRead("GradientBoosting.Decision", &g.Fitted, x)
	f := g.sums("GradientBoosting.Decision", x)
	out := mat.NewDense(len(f[0]), len(f), nil)
	for s := range f {
		out.SetCol(s, f[s])
	}
	return out
}

// PredictProba returns the class probabilities of each row.
func (g *GradientBoosting) PredictProba(x mat.Matrix) *mat.Dense {
	x = model.MustRead("GradientBoosting.PredictProba", &g.Fitted, x)
	return g.proba("GradientBoosting.PredictProba", x)
}

func (g *GradientBoosting) proba(op string, x mat.Matrix) *mat.Dense {
	f := g.sums(op, x)
	p := mat.NewDense(len(f[0]), len(g.classes), nil)
	for i := range f[0] {
		fillProbabilities(p.RawRowView(i), f, i)
	}
	return p
}

// Predict returns the most probable class; ties go to the smallest class.
func (g *GradientBoosting) Predict(x mat.Matrix) []int {
	x = model.MustRead("GradientBoosting.Predict", &g.Fitted, x)
	return mostProbable(g.proba("GradientBoosting.Predict", x), g.classes)
}
