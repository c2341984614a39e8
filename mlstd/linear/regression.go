package linear

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/linalg"
	"github.com/gokernel/gokernel/mlstd/internal/par"
	"github.com/gokernel/gokernel/mlstd/internal/pick"
	"github.com/gokernel/gokernel/mlstd/internal/rows"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/optim"
)

// LinearRegression fits a linear function by least squares.
//
//	J(θ) = ½ Σᵢ (θ·xᵢ + b − yᵢ)²,  ∂J/∂θⱼ = Σᵢ xᵢⱼ (θ·xᵢ + b − yᵢ)
//
// J is half the sum of squared errors. The MSE is the mean of the squared errors, not J. Without
// Gradient the minimum is computed directly: from the normal equations if they are well
// conditioned, and otherwise by the singular value decomposition, which finds the solution of
// minimum norm if there are several. With Gradient, batch gradient descent on the mean of J
// approaches the minimum; Trace records its steps.
//
// If the noise is Gaussian, the same θ maximizes the likelihood; see [GaussianLikelihood].
//
// A sparse x stays sparse, because conjugate gradients find the same solution without a dense copy.
//
// Cost: O(n·d²) for the direct solution, O(n·d) per iteration of descent. With a sparse x, an
// iteration costs the number of nonzero entries. Columns of very different scales slow down
// gradient descent and conjugate gradients; scale the columns first.
//
// References: [HastieTibshiraniFriedman2009] §3.2. Course: LIN-01, LIN-02, LIN-03.
type LinearRegression struct {
	NoIntercept bool
	Gradient    bool // descend instead of solving
	// Rate is the learning rate as a function of the step; nil means ConstantRate(0.1). With a
	// larger rate, fitting is faster, but diverges if the rate is too large.
	Rate optim.Schedule
	// MaxIter is the maximum number of iterations of the descent; 0 means 1000.
	MaxIter int
	// Tol stops the fit when the gradient's norm is at most Tol; 0 means 1e-8 times the
	// largest target. A larger value stops earlier.
	Tol float64
	model.Control

	Coef      []float64 // set by Fit: one per column
	Intercept float64   // set by Fit
	Columns   []string  `snapshot:"added"` // set by Fit: the names of the columns, if x has names
	Trace     model.Trace

	model.Fitted // set by Fit: the columns that it was given
}

// Fit finds Coef and Intercept.
func (l *LinearRegression) Fit(x mat.Matrix, y []float64) error {
	model.NoteXYReal(&l.Fitted, x, y)
	return l.fit("LinearRegression.Fit", x, y, nil)
}

// FitWeighted is Fit with a weight for each squared error.
func (l *LinearRegression) FitWeighted(x mat.Matrix, y, weights []float64) error {
	const op = "LinearRegression.FitWeighted"
	model.NoteXYReal(&l.Fitted, x, y)
	l.Coef, l.Intercept, l.Columns, l.Trace = nil, 0, nil, model.Trace{}
	if err := model.CheckWeights(op, weights, len(y)); err != nil {
		return err
	}
	return l.fit(op, x, y, weights)
}

func (l *LinearRegression) fit(op string, x mat.Matrix, y, weights []float64) error {
	l.Coef, l.Intercept, l.Columns, l.Trace = nil, 0, nil, model.Trace{}
	d, err := rows.CheckReal(op, x, y)
	if err != nil {
		return err
	}
	if _, err := model.Iterations(op, "MaxIter", l.MaxIter, 1000); err != nil {
		return err
	}
	if l.Gradient {
		if weights != nil {
			return model.Errorf(op, "Gradient must be nil for a weighted fit").WithHint("leave Gradient out")
		}
		if d.Sparse != nil {
			return model.Errorf(op, "x must be dense if Gradient is set").WithHint("leave Gradient out, or pass a dense x")
		}
		return l.descend(x, d.Dense, y)
	}
	run := l.Begin("LinearRegression", 1)
	defer run.End()
	coef, intercept, err := solve(op, run, d, y, weights, 0, !l.NoIntercept)
	if err != nil {
		return err
	}
	if err := run.Step(1, math.NaN()); err != nil {
		return err
	}
	l.Coef, l.Intercept, l.Columns = coef, intercept, columnNames(x)
	return nil
}

func (l *LinearRegression) descend(x mat.Matrix, d *mat.Dense, y []float64) error {
	_, p := d.Dims()
	risk := &optim.LinearRisk{X: d, Y: y, Loss: optim.SquaredLoss{}, Intercept: !l.NoIntercept}
	tol := l.Tol
	if size := floats.Norm(y, math.Inf(1)); tol == 0 && size > 0 {
		tol = 1e-8 * size
	}
	gd := optim.GradientDescent{Rate: l.Rate, MaxIter: l.MaxIter, Tol: tol, Control: l.Control}
	m, err := gd.Minimize(risk, make([]float64, risk.Parameters()))
	if err != nil {
		return err
	}
	if m.Reason == optim.StopDiverged {
		return model.Errorf("LinearRegression.Fit", "gradient descent diverged after %d iterations", m.Iter).
			WithHint("set a smaller Rate, or scale the columns first")
	}
	l.Coef, l.Columns, l.Trace = m.X[:p:p], columnNames(x), m.Trace
	if !l.NoIntercept {
		l.Intercept = m.X[p]
	}
	return nil
}

// Predict returns θ·x + b for each row.
func (l *LinearRegression) Predict(x mat.Matrix) []float64 {
	x = model.MustRead("LinearRegression.Predict", &l.Fitted, x)
	return predict("LinearRegression.Predict", x, l.Coef, l.Intercept)
}

// columnNames returns the names of the columns of x, or nil if x has no names.
func columnNames(x mat.Matrix) []string {
	if !model.Described(x) {
		return nil
	}
	return x.(*model.Table).ColumnNames()
}

func predict(op string, x mat.Matrix, coef []float64, intercept float64) []float64 {
	if coef == nil {
		panic(model.NotFitted(op))
	}
	d := rows.Must(op, x, len(coef))
	out := make([]float64, d.N)
	for i := range out {
		out[i] = d.Dot(i, coef) + intercept
	}
	return out
}

// solve is leastSquares for a dense or a sparse x.
func solve(op string, run *model.Run, x rows.Matrix, y, weights []float64, lambda float64, intercept bool) (w []float64, b float64, err error) {
	if x.Sparse == nil {
		return leastSquares(op, x.Dense, y, weights, lambda, intercept)
	}
	if weights != nil {
		kept := positive(weights)
		x, y, weights = x.Take(kept), pick.Of(y, kept), pick.Of(weights, kept)
	}
	return sparseLeastSquares(op, run, x, y, weights, lambda, intercept)
}

// leastSquares minimizes ½ Σᵢ cᵢ(yᵢ − w·xᵢ − b)² + (λ/2)‖w‖²; nil weights c are all 1.
// The intercept is never penalized: the columns and y are centered instead.
func leastSquares(op string, x *mat.Dense, y, weights []float64, lambda float64, intercept bool) (w []float64, b float64, err error) {
	if weights != nil {
		kept := positive(weights)
		x, y, weights = pick.Rows(x, kept), pick.Of(y, kept), pick.Of(weights, kept)
	}
	n, p := x.Dims()
	mean, my := make([]float64, p), 0.0
	if intercept {
		mean, my = centerOf(x, y, weights)
	}
	gram, xty := normalEquations(x, y, weights, mean, my)
	for j := range p {
		gram.SetSym(j, j, gram.At(j, j)+lambda)
	}
	if w = solveNormal(gram, xty, n); w == nil {
		if w, err = leastNorm(op, x, y, weights, mean, my, lambda); err != nil {
			return nil, 0, err
		}
	}
	if intercept {
		b = my - floats.Dot(mean, w)
	}
	return w, b, nil
}

// solveNormal solves the normal equations of n examples, in units in which the columns have the
// same length. It returns nil if they are ill-conditioned even in these units.
func solveNormal(gram *mat.SymDense, xty []float64, n int) []float64 {
	p := len(xty)
	if n <= p {
		return nil
	}
	unit := make([]float64, p)
	for j := range unit {
		length := gram.At(j, j)
		if !(length > 1e-280 && length < 1e280) { // the squares may have lost digits
			return nil
		}
		unit[j] = 1 / math.Sqrt(length)
	}
	scaled, w := mat.NewSymDense(p, nil), make([]float64, p)
	for i := range p {
		for j := i; j < p; j++ {
			scaled.SetSym(i, j, unit[i]*gram.At(i, j)*unit[j])
		}
		w[i] = unit[i] * xty[i]
	}
	// The condition of the equations is the square of that of X: beyond 1e10 half
	// of the digits would be lost.
	var chol mat.Cholesky
	if !chol.Factorize(scaled) || !(chol.Cond() < 1e10) {
		return nil
	}
	solution := mat.NewVecDense(p, w)
	if chol.SolveVecTo(solution, solution) != nil {
		return nil
	}
	floats.Mul(w, unit)
	return w
}

func columnMeans(x *mat.Dense) []float64 {
	n, p := x.Dims()
	sums := make([][]float64, (n+chunk-1)/chunk)
	par.Range(n, chunk, func(lo, hi int) {
		s := make([]float64, p)
		for i := lo; i < hi; i++ {
			floats.Add(s, x.RawRowView(i))
		}
		sums[lo/chunk] = s
	})
	mean := sums[0]
	for _, s := range sums[1:] {
		floats.Add(mean, s)
	}
	floats.Scale(1/float64(n), mean)
	return mean
}

// centerOf returns the means of the columns and of y.
func centerOf(x *mat.Dense, y, weights []float64) (mean []float64, my float64) {
	if weights == nil {
		return columnMeans(x), floats.Sum(y) / float64(len(y))
	}
	m := rows.OfDense(x)
	mean = columnSums(&m, func(sum []float64, i int) { floats.AddScaled(sum, weights[i], x.RawRowView(i)) })
	total := floats.Sum(weights)
	floats.Scale(1/total, mean)
	return mean, floats.Dot(weights, y) / total
}

// normalEquations returns XᵀX and Xᵀy of the centered data, weighted.
func normalEquations(x *mat.Dense, y, weights, mean []float64, my float64) (*mat.SymDense, []float64) {
	n, p := x.Dims()
	chunks := (n + chunk - 1) / chunk
	grams, rights := make([][]float64, chunks), make([][]float64, chunks)
	par.Range(n, chunk, func(lo, hi int) {
		const block = 256 // rows that stay in the cache
		gram, right, centered := make([]float64, p*p), make([]float64, p), make([]float64, block*p)
		for at := lo; at < hi; at += block {
			end := min(at+block, hi)
			for i := at; i < end; i++ {
				row := centered[(i-at)*p : (i-at+1)*p]
				floats.SubTo(row, x.RawRowView(i), mean)
				if weights == nil {
					floats.AddScaled(right, y[i]-my, row)
					continue
				}
				floats.AddScaled(right, weights[i]*(y[i]-my), row)
				floats.Scale(math.Sqrt(weights[i]), row)
			}
			linalg.AddGram(gram, p, centered, end-at, p, p)
		}
		grams[lo/chunk], rights[lo/chunk] = gram, right
	})
	gram, right := grams[0], rights[0]
	for c := 1; c < chunks; c++ {
		floats.Add(gram, grams[c])
		floats.Add(right, rights[c])
	}
	return mat.NewSymDense(p, gram), right
}

// leastNorm solves by the singular value decomposition, treating singular values
// below max(n, p)·ε·σ₁ as zero.
func leastNorm(op string, x *mat.Dense, y, weights, mean []float64, my, lambda float64) ([]float64, error) {
	n, p := x.Dims()
	c, cy := mat.NewDense(n, p, nil), make([]float64, n)
	for i := range n {
		floats.SubTo(c.RawRowView(i), x.RawRowView(i), mean)
		cy[i] = y[i] - my
		if weights != nil {
			floats.Scale(math.Sqrt(weights[i]), c.RawRowView(i))
			cy[i] *= math.Sqrt(weights[i])
		}
	}
	var svd mat.SVD
	if !svd.Factorize(c, mat.SVDThin) {
		return nil, model.Errorf(op, "the singular value decomposition of x failed")
	}
	s := svd.Values(nil)
	var u, v mat.Dense
	svd.UTo(&u)
	svd.VTo(&v)
	k := len(s)
	uty := make([]float64, k)
	mat.NewVecDense(k, uty).MulVec(u.T(), mat.NewVecDense(n, cy))
	for i, sv := range s {
		if sv <= float64(max(n, p))*2.2e-16*s[0] {
			uty[i] = 0
			continue
		}
		uty[i] /= sv + lambda/sv
	}
	w := make([]float64, p)
	mat.NewVecDense(p, w).MulVec(&v, mat.NewVecDense(k, uty))
	return w, nil
}

// Likelihood is the result of [GaussianLikelihood].
type Likelihood struct {
	Log    float64 // log-likelihood of the residuals, in nats
	Sigma2 float64 // maximum likelihood estimate of the noise variance, RSS/n
}

// GaussianLikelihood returns the log-likelihood of predictions under y = ŷ + N(0, σ²), at the σ²
// that maximizes it.
//
//	log L = −(n/2)·(log 2πσ² + 1),  σ² = RSS/n
//
// It falls as the residual sum of squares grows: the least-squares solution is
// the maximum likelihood solution. (RSS/n is biased down; RSS/(n−d) is not.)
//
// Course: LIN-03.
func GaussianLikelihood(y, predicted []float64) Likelihood {
	if len(y) != len(predicted) || len(y) == 0 {
		panic(model.Errorf("GaussianLikelihood", "y and predicted must have the same length, got %d and %d", len(y), len(predicted)))
	}
	rss := 0.0
	for i := range y {
		rss += (y[i] - predicted[i]) * (y[i] - predicted[i])
	}
	n := float64(len(y))
	s2 := rss / n
	return Likelihood{Log: -n / 2 * (math.Log(2*math.Pi*s2) + 1), Sigma2: s2}
}
