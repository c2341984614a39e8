package prob

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/par"
	"github.com/gokernel/gokernel/mlstd/model"
)

// LDA is linear (Gaussian) discriminant analysis: each class has a normal distribution with its own
// mean, and all classes share one covariance.
//
//	p(x, y) = πᵧ·N(x; μᵧ, Σ)
//	log p(y|x) = μᵧᵀΣ⁻¹x − ½ μᵧᵀΣ⁻¹μᵧ + log πᵧ + const
//
// The score is linear in x: boundaries between classes are planes. Σ is the scatter within the
// classes divided by n, the maximum likelihood estimate. With shrinkage, Σ is the mean of the
// classes' shrunk covariances (1−s)·S + s·(tr S/d)·I, weighted by the prior. Directions without
// variation within the classes are left out.
//
// If its assumptions hold, LDA needs fewer examples than logistic regression, which also has linear
// boundaries but estimates only p(y|x).
//
// [LDA.Transform] projects rows onto Fisher's discriminants: the directions in which the means
// differ most relative to Σ. There are at most K − 1 discriminants.
//
// Cost: O(n·d² + d³) to fit, O(k·d) per row to predict.
//
// References: [Fisher1936], [HastieTibshiraniFriedman2009] §4.3, [LedoitWolf2004].
// Course: PROB-24.
type LDA struct {
	// Shrinkage is the shrinkage s of the covariances, between 0 (none, the default)
	// and 1. A larger value helps when there are few examples per column.
	Shrinkage  float64
	LedoitWolf bool // find s from the data
	// Prior is the prior probability of each class, in ascending order of the classes; nil means
	// the fractions of the classes in the data.
	Prior        []float64
	UniformPrior bool // equal priors for all classes, when Prior is nil
	Components   int  // columns of Transform; 0 means all there are

	Coef       *mat.Dense    // set by Fit: 1 x d for two classes, k x d for more
	Intercept  []float64     // set by Fit: one per row of Coef
	LogPrior   []float64     // set by Fit: one per class
	Means      *mat.Dense    // set by Fit: one row per class
	Covariance *mat.SymDense // set by Fit: Σ
	Axes       *mat.Dense    // set by Fit: the discriminants, one per column
	Explained  []float64     // set by Fit: fraction of the between-class variance along each

	center  []float64
	classes []int

	model.Fitted // set by Fit: the columns that it was given
}

// Fit estimates the means, the covariance and the discriminants.
func (l *LDA) Fit(x mat.Matrix, y []int) error {
	model.NoteXY(&l.Fitted, x, y)
	return l.fit("LDA.Fit", x, y, nil, false)
}

// FitWeighted is Fit with a weight for each example.
func (l *LDA) FitWeighted(x mat.Matrix, y []int, weights []float64) error {
	model.NoteXY(&l.Fitted, x, y)
	return l.fit("LDA.FitWeighted", x, y, weights, true)
}

func (l *LDA) fit(op string, x mat.Matrix, y []int, weights []float64, weighted bool) error {
	*l = LDA{Shrinkage: l.Shrinkage, LedoitWolf: l.LedoitWolf, Prior: l.Prior, UniformPrior: l.UniformPrior, Components: l.Components, Fitted: l.Fitted}
	s := shrinkage{l.Shrinkage, l.LedoitWolf}
	if err := s.check(op); err != nil {
		return err
	}
	if l.Components < 0 {
		return model.Errorf(op, "Components must be positive (0 means all), got %d", l.Components)
	}
	if !isDense(x) {
		x = model.Dense(x)
	}
	e, err := checkExamples(op, x, y, weights, weighted, model.Takes{})
	if err != nil {
		return err
	}
	classes, index := model.Classes(e.y)
	if err := model.CheckTwoOrMore(op, classes); err != nil {
		return err
	}
	e.weights = unitWeights(e.weights)
	rows := byClass(index, len(classes))
	means, count := classMeans(e, rows)
	logPrior, err := logPriors(op, l.Prior, l.UniformPrior, count)
	if err != nil {
		return err
	}
	cov := pooled(e, index, rows, means, exps(logPrior), s)
	t, _, rank := whiten(cov, e.d)
	if rank == 0 {
		return model.Errorf(op, "at least one column must vary within the classes").WithHint("drop constant columns, or set Shrinkage")
	}
	fitted := &LDA{LogPrior: logPrior, Means: means, Covariance: mat.NewSymDense(e.d, cov), classes: classes}
	if err := fitted.discriminate(op, t, e.n); err != nil {
		return err
	}
	if _, have := fitted.Axes.Dims(); l.Components > have {
		return model.Errorf(op, "Components must be at most %d (the discriminants of %d classes), got %d", have, len(classes), l.Components)
	}
	fitted.Shrinkage, fitted.LedoitWolf, fitted.Prior, fitted.UniformPrior, fitted.Components = l.Shrinkage, l.LedoitWolf, l.Prior, l.UniformPrior, l.Components
	fitted.Fitted = l.Fitted
	*l = *fitted
	return nil
}

// pooled is the covariance within the classes.
func pooled(e examples, index []int, rows [][]int32, means *mat.Dense, prior []float64, s shrinkage) []float64 {
	if !s.on() {
		cov := scatter(e.dense, allRows(e.n), e.weights, func(i int) []float64 { return means.RawRowView(index[i]) })
		floats.Scale(1/float64(e.n), cov)
		return cov
	}
	cov := make([]float64, e.d*e.d)
	for c, r := range rows {
		floats.AddScaled(cov, prior[c], s.covariance(e.dense, r, e.weights, means.RawRowView(c)))
	}
	return cov
}

// discriminate finds the scores and the axes from T with TᵀΣT = I.
func (l *LDA) discriminate(op string, t *mat.Dense, n int) error {
	k, d := l.Means.Dims()
	prior := exps(l.LogPrior)
	l.center = make([]float64, d)
	for c, p := range prior {
		floats.AddScaled(l.center, p, l.Means.RawRowView(c))
	}
	between := mat.NewDense(k, d, nil)
	for c := range k {
		floats.SubTo(between.RawRowView(c), l.Means.RawRowView(c), l.center)
	}
	var white, coef mat.Dense
	white.Mul(between, t)
	coef.Mul(&white, t.T())
	intercept := make([]float64, k)
	for c := range k {
		w := white.RawRowView(c)
		intercept[c] = l.LogPrior[c] - floats.Dot(w, w)/2 - floats.Dot(l.center, coef.RawRowView(c))
	}
	l.Coef, l.Intercept = linearOf(&coef, intercept)

	// The axes are the principal axes of the means, weighted by the prior, in the space in which Σ
	// is the identity.
	for c, p := range prior {
		floats.Scale(math.Sqrt(float64(n)*p/float64(k-1)), white.RawRowView(c))
	}
	var svd mat.SVD
	if !svd.Factorize(&white, mat.SVDThin) {
		return model.Errorf(op, "the eigenvalues of the discriminants could not be computed").WithHint("scale the columns first")
	}
	values := svd.Values(nil)
	m := 0
	for m < min(len(values), k-1) && values[m] > 1e-10*values[0] {
		m++
	}
	if m == 0 {
		return model.Errorf(op, "the means of the classes must differ").WithHint("use QDA, which can separate classes by their covariances")
	}
	var v, axes mat.Dense
	svd.VTo(&v)
	r, _ := v.Dims()
	axes.Mul(t, v.Slice(0, r, 0, m))
	square := 0.0
	for _, s := range values {
		square += s * s
	}
	for a := range m {
		l.Explained = append(l.Explained, values[a]*values[a]/square)
		col := mat.Col(nil, a, &axes)
		if largest := slices.MaxFunc(col, func(a, b float64) int { return compareSize(a, b) }); largest < 0 {
			floats.Scale(-1, col)
			axes.SetCol(a, col)
		}
	}
	l.Axes = &axes
	return nil
}

func compareSize(a, b float64) int {
	switch a, b = math.Abs(a), math.Abs(b); {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// joint returns log p(x, y) without the terms that all classes have in common.
func (l *LDA) joint(op string, x mat.Matrix) *mat.Dense {
	s := l.linear(op, x)
	if len(l.classes) > 2 {
		return s
	}
	n, _ := s.Dims()
	out := mat.NewDense(n, 2, nil)
	for i := range n {
		out.Set(i, 1, s.At(i, 0))
	}
	return out
}

func (l *LDA) linear(op string, x mat.Matrix) *mat.Dense {
	if l.Coef == nil {
		panic(model.NotFitted(op))
	}
	_, d := l.Coef.Dims()
	rows := model.MustRows(op, x, d)
	n, _ := rows.Dims()
	e := examples{dense: rows, n: n, d: d}
	return e.linearJoint(l.Coef, l.Intercept)
}

// Classes lists the classes in ascending order.
func (l *LDA) Classes() []int { return slices.Clone(l.classes) }

// Decision returns, for two classes, the log odds of the second class. For more classes, it returns
// log p(x, y) without the terms that all classes have in common.
func (l *LDA) Decision(x mat.Matrix) *mat.Dense {
	x = model.MustRead("LDA.Decision", &l.Fitted, x)
	return l.linear("LDA.Decision", x)
}

// Predict returns the most probable class of each row.
func (l *LDA) Predict(x mat.Matrix) []int {
	x = model.MustRead("LDA.Predict", &l.Fitted, x)
	return best(l.joint("LDA.Predict", x), l.classes)
}

// PredictProba returns p(y|x) for each row.
func (l *LDA) PredictProba(x mat.Matrix) *mat.Dense {
	x = model.MustRead("LDA.PredictProba", &l.Fitted, x)
	return normalize(l.joint("LDA.PredictProba", x), l.LogPrior)
}

// Transform projects rows onto the first Components discriminants. In the projected space, the mean
// of the classes is the origin and Σ is the identity.
func (l *LDA) Transform(x mat.Matrix) *model.Table {
	const op = "LDA.Transform"
	x = model.MustRead(op, &l.Fitted, x)
	if l.Axes == nil {
		panic(model.NotFitted(op))
	}
	return projected(op, x, l.center, l.Axes, l.Components)
}

func projected(op string, x mat.Matrix, center []float64, axes *mat.Dense, components int) *model.Table {
	d, m := axes.Dims()
	if components > 0 {
		m = min(m, components)
	}
	rows := model.MustRows(op, x, d)
	n, _ := rows.Dims()
	out := mat.NewDense(n, m, nil)
	columns := make([][]float64, m)
	for a := range columns {
		columns[a] = mat.Col(nil, a, axes)
	}
	par.Range(n, grain, func(lo, hi int) {
		row := make([]float64, d)
		for i := lo; i < hi; i++ {
			floats.SubTo(row, rows.RawRowView(i), center)
			for a, c := range columns {
				out.Set(i, a, floats.Dot(row, c))
			}
		}
	})
	return model.Named(x, out, model.Numbered("discriminant", m))
}

// Gaussians returns the distribution of each class, for sampling and plotting.
func (l *LDA) Gaussians() []*MultivariateGaussian {
	if l.Means == nil {
		panic(model.NotFitted("LDA.Gaussians"))
	}
	k, _ := l.Means.Dims()
	out := make([]*MultivariateGaussian, k)
	for c := range out {
		out[c] = &MultivariateGaussian{slices.Clone(l.Means.RawRowView(c)), l.Covariance}
	}
	return out
}

// Sample draws n rows and their classes from the model.
//
// Course: PROB-25.
func (l *LDA) Sample(n int, seed uint64) (x *mat.Dense, y []int) {
	const op = "LDA.Sample"
	if l.Means == nil {
		panic(model.NotFitted(op))
	}
	_, root, _ := whiten(flat(l.Covariance), l.Covariance.SymmetricDim())
	roots := make([]*mat.Dense, len(l.classes))
	for c := range roots {
		roots[c] = root
	}
	return drawGaussians(op, l.LogPrior, l.Means, roots, l.classes, n, seed)
}

// flat returns both triangles of s.
func flat(s *mat.SymDense) []float64 {
	p := s.SymmetricDim()
	out := make([]float64, 0, p*p)
	for i := range p {
		for j := range p {
			out = append(out, s.At(i, j))
		}
	}
	return out
}
