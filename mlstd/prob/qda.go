package prob

import (
	"math"
	"slices"
	"sync"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/linalg"
	"github.com/gokernel/gokernel/mlstd/internal/par"
	"github.com/gokernel/gokernel/mlstd/model"
)

// QDA is quadratic (Gaussian) discriminant analysis: each class has a normal distribution with its
// own mean and covariance.
//
//	log p(x, y) = log πᵧ − ½ log|Σᵧ| − ½ (x−μᵧ)ᵀΣᵧ⁻¹(x−μᵧ) + const
//
// Boundaries between classes are conic sections. Σᵧ is the scatter of a class divided by nᵧ, the
// maximum likelihood estimate, or shrunk to (1−s)·S + s·(tr S/d)·I. There are about k·d²/2
// parameters to estimate: with few examples per class, [LDA] can have a smaller error even if the
// covariances differ.
//
// Scale the columns first: the shrunk covariance and the ridge treat all columns alike, so a column
// with large values outweighs the others. If a covariance is singular, a small ridge is added to
// its diagonal (Ridge).
//
// Cost: O(n·d² + k·d³) to fit, O(k·d²) per row to predict.
//
// References: [HastieTibshiraniFriedman2009] §4.3, [LedoitWolf2004]. Course: PROB-24.
type QDA struct {
	// Shrinkage is the shrinkage s of the covariances, between 0 (none, the default)
	// and 1. A larger value helps when there are few examples per column.
	Shrinkage  float64
	LedoitWolf bool // find s of each class from the data
	// Prior is the prior probability of each class, in ascending order of the classes; nil means
	// the fractions of the classes in the data.
	Prior        []float64
	UniformPrior bool // equal priors for all classes, when Prior is nil

	LogPrior    []float64       // set by Fit: one per class
	Means       *mat.Dense      // set by Fit: one row per class
	Covariances []*mat.SymDense // set by Fit: Σ of each class
	Ridge       []float64       // set by Fit: the amount added to the diagonal of each covariance

	inverse [][]float64 // L⁻¹ of each class, Σ = L·Lᵀ, d x d
	base    []float64   // log π − ½ log|Σ|
	classes []int

	model.Fitted // set by Fit: the columns that it was given
}

// Fit estimates means and covariances.
func (q *QDA) Fit(x mat.Matrix, y []int) error {
	model.NoteXY(&q.Fitted, x, y)
	return q.fit("QDA.Fit", x, y, nil, false)
}

// FitWeighted is Fit with a weight for each example.
func (q *QDA) FitWeighted(x mat.Matrix, y []int, weights []float64) error {
	model.NoteXY(&q.Fitted, x, y)
	return q.fit("QDA.FitWeighted", x, y, weights, true)
}

func (q *QDA) fit(op string, x mat.Matrix, y []int, weights []float64, weighted bool) error {
	*q = QDA{Shrinkage: q.Shrinkage, LedoitWolf: q.LedoitWolf, Prior: q.Prior, UniformPrior: q.UniformPrior, Fitted: q.Fitted}
	s := shrinkage{q.Shrinkage, q.LedoitWolf}
	if err := s.check(op); err != nil {
		return err
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
	logPrior, err := logPriors(op, q.Prior, q.UniformPrior, count)
	if err != nil {
		return err
	}
	covs := make([][]float64, len(classes))
	largest := 0.0
	for c, r := range rows {
		if len(r) < 2 && !s.on() {
			return model.Errorf(op, "each class must have at least 2 examples (for a covariance), got 1 of class %d", classes[c]).WithHint("add examples, or set Shrinkage")
		}
		covs[c] = s.covariance(e.dense, r, e.weights, means.RawRowView(c))
		for j := range e.d {
			largest = max(largest, covs[c][j*e.d+j])
		}
	}
	if !(largest <= math.MaxFloat64) {
		return model.Errorf(op, "the variances within the classes must be finite").WithHint("scale the columns first, for instance with StandardScaler")
	}
	if largest == 0 {
		return model.Errorf(op, "at least one column must vary within the classes").WithHint("drop constant columns")
	}
	for c, cov := range covs {
		ridge, inverse, logDet := invert(cov, e.d, largest)
		q.Ridge, q.inverse = append(q.Ridge, ridge), append(q.inverse, inverse)
		q.Covariances = append(q.Covariances, mat.NewSymDense(e.d, cov))
		q.base = append(q.base, logPrior[c]-logDet/2)
	}
	q.LogPrior, q.Means, q.classes = logPrior, means, classes
	return nil
}

// invert returns L⁻¹ and log|Σ| for Σ = L·Lᵀ. The amount added to the diagonal of a
// singular matrix starts at 1e-9 of the largest variance.
func invert(cov []float64, d int, largest float64) (ridge float64, inverse []float64, logDet float64) {
	for {
		l := slices.Clone(cov)
		// A matrix that is positive definite only because of rounding counts as singular.
		if linalg.Cholesky(l, d) && wellConditioned(cov, l, d) {
			for i := range d {
				logDet += 2 * math.Log(l[i*d+i])
			}
			return ridge, lowerInverse(l, d), logDet
		}
		more := max(1e-9*largest, 9*ridge)
		ridge += more
		for i := range d {
			cov[i*d+i] += more
		}
	}
}

// wellConditioned reports whether the conditional variance of each column, given the columns before
// it, exceeds the rounding error.
func wellConditioned(cov, l []float64, d int) bool {
	for i := range d {
		if v := l[i*d+i]; v*v <= 1e-13*float64(d)*cov[i*d+i] {
			return false
		}
	}
	return true
}

// lowerInverse is the inverse of a lower triangular matrix.
func lowerInverse(l []float64, d int) []float64 {
	out := make([]float64, d*d)
	for c := range d {
		out[c*d+c] = 1 / l[c*d+c]
		for i := c + 1; i < d; i++ {
			sum := 0.0
			for k := c; k < i; k++ {
				sum -= l[i*d+k] * out[k*d+c]
			}
			out[i*d+c] = sum / l[i*d+i]
		}
	}
	return out
}

// blockRows is how many rows are multiplied with L⁻¹ at a time: few enough for one
// task of a product.
const blockRows = 48

func (q *QDA) joint(op string, x mat.Matrix) *mat.Dense {
	if q.Means == nil {
		panic(model.NotFitted(op))
	}
	k, d := q.Means.Dims()
	rows := model.MustRows(op, x, d)
	n, _ := rows.Dims()
	panels := make([]*linalg.Panels, k)
	for c := range panels {
		panels[c] = linalg.Pack(q.inverse[c], d, d, d)
	}
	buffers := sync.Pool{New: func() any { b := make([]float64, 2*blockRows*d); return &b }}
	out := mat.NewDense(n, k, nil)
	par.Range(n, blockRows, func(lo, hi int) {
		buf := buffers.Get().(*[]float64)
		defer buffers.Put(buf)
		from, to := (*buf)[:blockRows*d], (*buf)[blockRows*d:]
		for c := range k {
			for i := lo; i < hi; i++ {
				floats.SubTo(from[(i-lo)*d:(i-lo+1)*d], rows.RawRowView(i), q.Means.RawRowView(c))
			}
			clear(to)
			linalg.AddProduct(to, d, from, hi-lo, d, panels[c])
			for i := lo; i < hi; i++ {
				z := to[(i-lo)*d : (i-lo+1)*d]
				out.Set(i, c, q.base[c]-floats.Dot(z, z)/2)
			}
		}
	})
	return out
}

// Classes lists the classes in ascending order.
func (q *QDA) Classes() []int { return slices.Clone(q.classes) }

// Decision returns, for two classes, the log odds of the second class and, for more classes, log
// p(x, y) up to a constant.
func (q *QDA) Decision(x mat.Matrix) *mat.Dense {
	x = model.MustRead("QDA.Decision", &q.Fitted, x)
	return scores(q.joint("QDA.Decision", x))
}

// Predict returns the most probable class of each row.
func (q *QDA) Predict(x mat.Matrix) []int {
	x = model.MustRead("QDA.Predict", &q.Fitted, x)
	return best(q.joint("QDA.Predict", x), q.classes)
}

// PredictProba returns p(y|x) for each row.
func (q *QDA) PredictProba(x mat.Matrix) *mat.Dense {
	x = model.MustRead("QDA.PredictProba", &q.Fitted, x)
	return normalize(q.joint("QDA.PredictProba", x), q.LogPrior)
}

// Gaussians returns the distribution of each class, for sampling and plotting.
func (q *QDA) Gaussians() []*MultivariateGaussian {
	if q.Means == nil {
		panic(model.NotFitted("QDA.Gaussians"))
	}
	out := make([]*MultivariateGaussian, len(q.Covariances))
	for c, cov := range q.Covariances {
		out[c] = &MultivariateGaussian{slices.Clone(q.Means.RawRowView(c)), cov}
	}
	return out
}

// Sample draws n rows and their classes from the model.
//
// Course: PROB-25.
func (q *QDA) Sample(n int, seed uint64) (x *mat.Dense, y []int) {
	const op = "QDA.Sample"
	if q.Means == nil {
		panic(model.NotFitted(op))
	}
	roots := make([]*mat.Dense, len(q.classes))
	for c, cov := range q.Covariances {
		_, roots[c], _ = whiten(flat(cov), cov.SymmetricDim())
	}
	return drawGaussians(op, q.LogPrior, q.Means, roots, q.classes, n, seed)
}
