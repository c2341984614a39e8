package prob

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/par"
	"github.com/gokernel/gokernel/mlstd/model"
)

// GaussianNB is naive Bayes for real columns: given the class, the columns are
// independent and normal, each with its own mean and variance.
//
//	p(x, y) = πᵧ·Πⱼ N(xⱼ; μᵧⱼ, σᵧⱼ²)
//	μᵧⱼ, σᵧⱼ² = mean and variance of column j over the examples of class y
//
// VarSmoothing times the largest variance of a column is added to every variance, so that no
// variance is zero. The boundary between two classes is a conic section. It is a plane only if the
// classes share their variances (SharedVariance), a condition that the lecture notes omit. For
// missing values see [NaiveBayes].
//
// Cost: O(n·d) to fit, O(k·d) per row to predict.
//
// References: [DudaHartStork2001] §2.6, [ChanGolubLeVeque1983]. Course: PROB-11, PROB-21,
// PROB-23.
type GaussianNB struct {
	// VarSmoothing is the fraction of the largest variance that is added to all variances; 0 means
	// 1e-9, and model.Zero means no smoothing. A larger value makes the classes smoother.
	VarSmoothing   float64
	SharedVariance bool // one variance per column for all classes
	// Prior is the prior probability of each class, in ascending order of the classes; nil means
	// the fractions of the classes in the data.
	Prior        []float64
	UniformPrior bool // equal priors for all classes, when Prior is nil

	LogPrior   []float64  // set by Fit: one per class
	Means      *mat.Dense // set by Fit: one row per class
	Variances  *mat.Dense // set by Fit: one row per class, smoothed
	ClassCount []float64  // set by Fit: number or weight of the examples of each class

	squares *mat.Dense // Σ w(x−μ)², one row per class
	classes []int

	model.Fitted // set by Fit: the columns that it was given
}

// Fit estimates means and variances.
func (g *GaussianNB) Fit(x mat.Matrix, y []int) error {
	model.NoteXY(&g.Fitted, x, y)
	g.reset()
	return g.learn("GaussianNB.Fit", x, y, nil, false)
}

// FitWeighted is Fit with a weight for each example.
func (g *GaussianNB) FitWeighted(x mat.Matrix, y []int, weights []float64) error {
	model.NoteXY(&g.Fitted, x, y)
	g.reset()
	return g.learn("GaussianNB.FitWeighted", x, y, weights, true)
}

// PartialFit adds examples to the model, with the same result, up to rounding, as one Fit to all
// examples. New classes may appear. After an error, the model is unchanged.
func (g *GaussianNB) PartialFit(x mat.Matrix, y []int) (err error) {
	defer model.Unread(&g.Fitted, g.Fitted, &err)
	x, err = model.ReadBatch("GaussianNB.PartialFit", &g.Fitted, x, y)
	if err != nil {
		return err
	}
	return g.learn("GaussianNB.PartialFit", x, y, nil, false)
}

func (g *GaussianNB) reset() {
	*g = GaussianNB{VarSmoothing: g.VarSmoothing, SharedVariance: g.SharedVariance, Prior: g.Prior, UniformPrior: g.UniformPrior, Fitted: g.Fitted}
}

// spreads holds the moments of the examples of each class.
type spreads struct {
	count          []float64
	means, squares *mat.Dense
}

func newSpreads(k, d int) spreads {
	return spreads{make([]float64, k), mat.NewDense(k, d, nil), mat.NewDense(k, d, nil)}
}

// add merges b into s.
//
//	δ = μᵦ − μ,  n = nₛ + nᵦ,  μ += δ·nᵦ/n,  S += Sᵦ + δ²·nₛ·nᵦ/n
func (s *spreads) add(b spreads) {
	for c, nb := range b.count {
		if nb == 0 {
			continue
		}
		na := s.count[c]
		s.count[c] += nb
		mean, square, other := s.means.RawRowView(c), s.squares.RawRowView(c), b.squares.RawRowView(c)
		for j, v := range b.means.RawRowView(c) {
			delta := v - mean[j]
			mean[j] += delta * nb / (na + nb)
			square[j] += other[j] + delta*delta*na*nb/(na+nb)
		}
	}
}

// of computes the moments of examples whose classes are numbered by index.
func (e *examples) moments(index []int, k int) spreads {
	count, each := stripesOf(e.n)
	parts := make([]spreads, count)
	par.Range(count, 1, func(lo, hi int) {
		for s := lo; s < hi; s++ {
			p := newSpreads(k, e.d)
			from, to := min(s*each, e.n), min((s+1)*each, e.n)
			for i := from; i < to; i++ {
				w, c := e.weight(i), index[i]
				p.count[c] += w
				floats.AddScaled(p.means.RawRowView(c), w, e.dense.RawRowView(i))
			}
			for c, n := range p.count {
				if n > 0 {
					floats.Scale(1/n, p.means.RawRowView(c))
				}
			}
			for i := from; i < to; i++ {
				w, c := e.weight(i), index[i]
				mean, square := p.means.RawRowView(c), p.squares.RawRowView(c)
				row := e.dense.RawRowView(i)
				square, row = square[:len(mean)], row[:len(mean)]
				for j, m := range mean {
					v := row[j] - m
					square[j] += w * v * v
				}
			}
			parts[s] = p
		}
	})
	all := newSpreads(k, e.d)
	for _, p := range parts {
		all.add(p)
	}
	return all
}

// largestVariance returns the largest variance of a column over all classes together.
func (s *spreads) largestVariance() float64 {
	k, d := s.means.Dims()
	one := newSpreads(1, d)
	for c := range k {
		one.add(spreads{s.count[c : c+1], s.means.Slice(c, c+1, 0, d).(*mat.Dense), s.squares.Slice(c, c+1, 0, d).(*mat.Dense)})
	}
	return floats.Max(one.squares.RawRowView(0)) / one.count[0]
}

func (g *GaussianNB) learn(op string, x mat.Matrix, y []int, weights []float64, weighted bool) error {
	share, err := g.share(op)
	if err != nil {
		return err
	}
	if !isDense(x) {
		x = model.Dense(x)
	}
	classes, s, err := g.gather(op, x, y, weights, weighted)
	if err != nil {
		return err
	}
	return g.estimate(op, share, classes, s)
}

func (g *GaussianNB) share(op string) (float64, error) {
	share := model.Or(g.VarSmoothing, 1e-9)
	if !(share >= 0) || math.IsInf(share, 0) {
		return 0, model.Errorf(op, "VarSmoothing must not be negative (0 means 1e-9, model.Zero means none), got %v", g.VarSmoothing)
	}
	return share, nil
}

// gather returns the moments of the examples so far and of more examples.
func (g *GaussianNB) gather(op string, x mat.Matrix, y []int, weights []float64, weighted bool) ([]int, spreads, error) {
	e, err := checkExamples(op, x, y, weights, weighted, model.Takes{})
	if err != nil {
		return nil, spreads{}, err
	}
	if g.Means != nil {
		if _, d := g.Means.Dims(); d != e.d {
			return nil, spreads{}, model.Errorf(op, "x must have %d columns, as in the examples before, got %d", d, e.d).WithHint("pass the same features, in the same order")
		}
	}
	classes, from, index := merged(g.classes, e.y)
	k := len(classes)
	s := newSpreads(k, e.d)
	if g.Means != nil {
		s = spreads{spread(g.ClassCount, from, k), spreadRows(g.Means, from, k, e.d), spreadRows(g.squares, from, k, e.d)}
	}
	s.add(e.moments(index, k))
	return classes, s, nil
}

// estimate sets the fitted fields.
func (g *GaussianNB) estimate(op string, share float64, classes []int, s spreads) error {
	logPrior, err := logPriors(op, g.Prior, g.UniformPrior, s.count)
	if err != nil {
		return err
	}
	variances, err := s.variances(op, share, g.SharedVariance)
	if err != nil {
		return err
	}
	g.classes, g.ClassCount, g.LogPrior = classes, s.count, logPrior
	g.Means, g.Variances, g.squares = s.means, variances, s.squares
	return nil
}

func isDense(x mat.Matrix) bool {
	switch x.(type) {
	case nil, *mat.Dense, *model.Table:
		return true
	}
	return false
}

func (s *spreads) variances(op string, share float64, shared bool) (*mat.Dense, error) {
	k, d := s.means.Dims()
	out := mat.NewDense(k, d, nil)
	for c := range k {
		row := out.RawRowView(c)
		if shared {
			for other := range k {
				floats.Add(row, s.squares.RawRowView(other))
			}
			floats.Scale(1/floats.Sum(s.count), row)
		} else {
			floats.ScaleTo(row, 1/s.count[c], s.squares.RawRowView(c))
		}
		floats.AddConst(share*s.largestVariance(), row)
		for j, v := range row {
			if !(v > 0) {
				return nil, model.Errorf(op, "column %d must vary within each class if there is no smoothing", j).
					WithHint("drop constant columns, or set VarSmoothing")
			}
		}
	}
	return out, nil
}

func (g *GaussianNB) joint(op string, x mat.Matrix) *mat.Dense {
	d := 0
	if g.Means != nil {
		_, d = g.Means.Dims()
	}
	if !isDense(x) {
		x = model.Dense(x)
	}
	e := mustExamples(op, x, g.Means != nil, d)
	k := len(g.classes)
	precision, base := mat.NewDense(k, d, nil), make([]float64, k)
	for c := range k {
		row := precision.RawRowView(c)
		base[c] = g.LogPrior[c]
		for j, v := range g.Variances.RawRowView(c) {
			row[j] = 1 / v
			base[c] -= math.Log(2*math.Pi*v) / 2
		}
	}
	out := mat.NewDense(e.n, k, nil)
	par.Range(e.n, grain, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			s := out.RawRowView(i)
			for c := range s {
				s[c] = base[c] - squared(e.dense.RawRowView(i), g.Means.RawRowView(c), precision.RawRowView(c))/2
			}
		}
	})
	return out
}

// squared returns Σⱼ wⱼ·(xⱼ−mⱼ)². It uses four sums, because a single sum would make each addition
// wait for the one before.
func squared(x, m, w []float64) float64 {
	var s0, s1, s2, s3 float64
	m, w = m[:len(x)], w[:len(x)]
	for len(x) >= 4 && len(m) >= 4 && len(w) >= 4 {
		a, b, c, d := x[0]-m[0], x[1]-m[1], x[2]-m[2], x[3]-m[3]
		s0 += w[0] * a * a
		s1 += w[1] * b * b
		s2 += w[2] * c * c
		s3 += w[3] * d * d
		x, m, w = x[4:], m[4:], w[4:]
	}
	for j, v := range x {
		s0 += w[j] * (v - m[j]) * (v - m[j])
	}
	return s0 + s1 + (s2 + s3)
}

// Classes lists the classes in ascending order.
func (g *GaussianNB) Classes() []int { return slices.Clone(g.classes) }

// Predict returns the most probable class of each row.
func (g *GaussianNB) Predict(x mat.Matrix) []int {
	x = model.MustRead("GaussianNB.Predict", &g.Fitted, x)
	return best(g.joint("GaussianNB.Predict", x), g.classes)
}

// PredictProba returns p(y|x) for each row.
func (g *GaussianNB) PredictProba(x mat.Matrix) *mat.Dense {
	x = model.MustRead("GaussianNB.PredictProba", &g.Fitted, x)
	return normalize(g.joint("GaussianNB.PredictProba", x), g.LogPrior)
}

// Decision returns, for two classes, the log odds of the second class and, for more classes, log
// p(x, y).
func (g *GaussianNB) Decision(x mat.Matrix) *mat.Dense {
	x = model.MustRead("GaussianNB.Decision", &g.Fitted, x)
	return scores(g.joint("GaussianNB.Decision", x))
}

// Linear returns the model as a linear classifier when the classes share their
// variances; for two classes coef·x + intercept is Decision.
//
//	w = (μ₁ − μ₀)/σ²,   b = log π₁/π₀ − Σⱼ (μ₁ⱼ² − μ₀ⱼ²)/2σⱼ²
//
// It panics with a [*model.Error] if SharedVariance is not set, because the boundary is then not a
// plane.
//
// Course: PROB-23.
func (g *GaussianNB) Linear() (coef *mat.Dense, intercept []float64) {
	const op = "GaussianNB.Linear"
	if g.Means == nil {
		panic(model.NotFitted(op))
	}
	if !g.SharedVariance {
		panic(model.Errorf(op, "SharedVariance must be set for a linear score").WithHint("set SharedVariance, and fit again"))
	}
	k, d := g.Means.Dims()
	coef = mat.NewDense(k, d, nil)
	intercept = slices.Clone(g.LogPrior)
	for c := range k {
		for j, m := range g.Means.RawRowView(c) {
			v := g.Variances.At(c, j)
			coef.Set(c, j, m/v)
			intercept[c] -= m * m / (2 * v)
		}
	}
	return linearOf(coef, intercept)
}

// Sample draws n rows and their classes from the model.
//
// Course: PROB-25.
func (g *GaussianNB) Sample(n int, seed uint64) (x *mat.Dense, y []int) {
	y = drawClasses("GaussianNB.Sample", g.LogPrior, n, seed)
	_, d := g.Means.Dims()
	x = mat.NewDense(n, d, nil)
	rng := model.Rand(seed, 1)
	for i, c := range y {
		for j := range d {
			x.Set(i, j, g.Means.At(c, j)+math.Sqrt(g.Variances.At(c, j))*rng.NormFloat64())
		}
		y[i] = g.classes[c]
	}
	return x, y
}
