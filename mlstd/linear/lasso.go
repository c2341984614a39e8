package linear

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/pick"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/optim"
)

// Lasso is linear regression with an l₁ penalty, which sets many coefficients to
// exactly zero.
//
//	J(θ) = (1/2n) Σᵢ (θ·xᵢ + b − yᵢ)² + λ·Σⱼ |θⱼ|
//
// Coordinate descent: θⱼ ← S(xⱼ·rⱼ/n, λ) / (xⱼ·xⱼ/n), where rⱼ is the residual
// without column j and S the soft threshold. It ends when the duality gap is
// below Tol·(1/2n)‖y‖². With orthonormal columns one sweep is enough and the
// solution is the soft threshold of least squares.
//
// Cost: O(n·d) a sweep. Scale the columns first.
//
// References: [Tibshirani1996], [FriedmanHastieTibshirani2010]. Course: LIN-06,
// OPT-13, OPT-32.
type Lasso struct {
	Lambda      float64 // 0 means 1, model.Zero none: least squares
	NoIntercept bool
	MaxIter     int     // sweeps; 0 means 1000
	Tol         float64 // 0 means 1e-8
	model.Control

	Coef      []float64 // set by Fit
	Intercept float64   // set by Fit
	Columns   []string  `snapshot:"added"` // set by Fit: the names of the columns, if x knows them
	Trace     model.Trace
}

// Fit finds Coef and Intercept.
func (l *Lasso) Fit(x mat.Matrix, y []float64) error { return l.fit("Lasso.Fit", x, y, nil) }

// FitWeighted is Fit with a weight for each squared error; n is their sum.
func (l *Lasso) FitWeighted(x mat.Matrix, y, weights []float64) error {
	const op = "Lasso.FitWeighted"
	l.Coef, l.Intercept, l.Columns, l.Trace = nil, 0, nil, model.Trace{}
	if err := model.CheckWeights(op, weights, len(y)); err != nil {
		return err
	}
	return l.fit(op, x, y, weights)
}

func (l *Lasso) fit(op string, x mat.Matrix, y, weights []float64) error {
	e := ElasticNet{Lambda: l.Lambda, L1Ratio: 1, NoIntercept: l.NoIntercept, MaxIter: l.MaxIter, Tol: l.Tol, Control: l.Control}
	l.Coef, l.Intercept, l.Columns, l.Trace = nil, 0, nil, model.Trace{}
	if err := e.fit(op, "Lasso", x, y, weights); err != nil {
		return err
	}
	l.Coef, l.Intercept, l.Columns, l.Trace = e.Coef, e.Intercept, e.Columns, e.Trace
	return nil
}

// Predict gives θ·x + b for each row.
func (l *Lasso) Predict(x mat.Matrix) []float64 {
	return predict("Lasso.Predict", x, l.Coef, l.Intercept)
}

// LassoPath fits [Lasso] for each λ: the larger λ, the more zeros. λ = 0 is least
// squares.
//
// Course: LIN-06, OPT-13.
func LassoPath(x mat.Matrix, y []float64, lambdas []float64) (*CoefPath, error) {
	return coefPath(x, y, lambdas, func(l float64) ([]float64, error) {
		m := Lasso{Lambda: l}
		err := m.Fit(x, y)
		return m.Coef, err
	})
}

// ElasticNet mixes the penalties of [Lasso] and [Ridge]: sparse like the one, and
// like the other it gives correlated columns similar coefficients.
//
//	J(θ) = (1/2n) Σᵢ (θ·xᵢ + b − yᵢ)² + λρ·Σⱼ |θⱼ| + ½λ(1−ρ)·Σⱼ θⱼ²
//
// Coordinate descent as for the lasso.
//
// Cost: O(n·d) a sweep.
//
// References: [ZouHastie2005]. Course: LIN-06, OPT-13.
type ElasticNet struct {
	Lambda      float64 // 0 means 1, model.Zero none: least squares
	L1Ratio     float64 // ρ in [0, 1]; 0 means 0.5, model.Zero the l₂ penalty alone
	NoIntercept bool
	MaxIter     int     // sweeps; 0 means 1000
	Tol         float64 // of the duality gap; 0 means 1e-8
	model.Control

	Coef      []float64 // set by Fit
	Intercept float64   // set by Fit
	Columns   []string  `snapshot:"added"` // set by Fit: the names of the columns, if x knows them
	Trace     model.Trace
}

// Fit finds Coef and Intercept.
func (e *ElasticNet) Fit(x mat.Matrix, y []float64) error {
	return e.fit("ElasticNet.Fit", "ElasticNet", x, y, nil)
}

// FitWeighted is Fit with a weight for each squared error; n is their sum.
func (e *ElasticNet) FitWeighted(x mat.Matrix, y, weights []float64) error {
	const op = "ElasticNet.FitWeighted"
	e.Coef, e.Intercept, e.Columns, e.Trace = nil, 0, nil, model.Trace{}
	if err := model.CheckWeights(op, weights, len(y)); err != nil {
		return err
	}
	return e.fit(op, "ElasticNet", x, y, weights)
}

func (e *ElasticNet) fit(op, name string, x mat.Matrix, y, weights []float64) error {
	e.Coef, e.Intercept, e.Columns, e.Trace = nil, 0, nil, model.Trace{}
	d, err := model.CheckXYReal(op, x, y)
	if err != nil {
		return err
	}
	lambda, err := penaltyOr1(op, e.Lambda)
	if err != nil {
		return err
	}
	rho := model.Or(e.L1Ratio, 0.5)
	if !(rho >= 0 && rho <= 1) {
		return model.Errorf(op, "L1Ratio is %v", e.L1Ratio).WithHint("choose it between 0 and 1")
	}
	maxIter, err := model.Iterations(op, "MaxIter", e.MaxIter, 1000)
	if err != nil {
		return err
	}
	tol := e.Tol
	if tol == 0 {
		tol = 1e-8
	}
	if !(tol > 0) {
		return model.Errorf(op, "Tol is %v", tol).WithHint("choose it positive")
	}
	if weights != nil {
		kept := positive(weights)
		d, y, weights = pick.Rows(d, kept), pick.Of(y, kept), pick.Of(weights, kept)
	}
	n, p := d.Dims()
	if lambda*rho == 0 { // nothing is sparse: it has a closed form
		total := float64(n)
		if weights != nil {
			total = floats.Sum(weights)
		}
		if err := e.fitSmooth(name, d, y, weights, lambda*total); err != nil {
			return err
		}
		e.Columns = columnNames(x)
		return nil
	}
	mean, my := make([]float64, p), 0.0
	if !e.NoIntercept {
		mean, my = centerOf(d, y, weights)
	}
	roots := slices.Repeat([]float64{1}, n) // of the weights, of which the mean is 1
	if weights != nil {
		unit := float64(n) / floats.Sum(weights)
		for i, w := range weights {
			roots[i] = math.Sqrt(w * unit)
		}
	}
	// Columns are stored one after the other: the sweeps go down them.
	cols, norm := make([]float64, n*p), make([]float64, p)
	for i := range n {
		for j, v := range d.RawRowView(i) {
			cols[j*n+i] = roots[i] * (v - mean[j])
		}
	}
	res, size := make([]float64, n), 0.0
	for i, v := range y {
		res[i] = roots[i] * (v - my)
		size += res[i] * res[i]
	}
	target := slices.Clone(res)
	if math.IsInf(size, 1) || math.IsNaN(size) {
		return model.Errorf(op, "the sum of squares of y cannot be represented").WithHint("scale the targets first")
	}
	for j := range p {
		c := cols[j*n : (j+1)*n]
		norm[j] = floats.Dot(c, c)
		if math.IsInf(norm[j], 1) || (norm[j] == 0 && floats.Norm(c, math.Inf(1)) > 0) {
			return model.Errorf(op, "the sum of squares of column %d cannot be represented", j).WithHint("scale the columns first")
		}
	}
	run := e.Begin(name, maxIter)
	defer run.End()
	w := make([]float64, p)
	l1, l2 := lambda*rho*float64(n), lambda*(1-rho)*float64(n)
	for k := 1; k <= maxIter; k++ {
		moved := 0.0
		for j, old := range w {
			if norm[j] == 0 {
				continue
			}
			c := cols[j*n : (j+1)*n]
			w[j] = optim.SoftThreshold(floats.Dot(c, res)+norm[j]*old, l1) / (norm[j] + l2)
			if w[j] != old {
				floats.AddScaled(res, old-w[j], c)
				moved = max(moved, math.Abs(w[j]-old))
			}
		}
		gap, primal := dualityGap(cols, res, target, w, l1, l2, n)
		e.Trace.Loss = append(e.Trace.Loss, primal/float64(n))
		e.Trace.Step = append(e.Trace.Step, moved)
		if err := run.Step(k, primal/float64(n)); err != nil {
			e.Trace = model.Trace{}
			return err
		}
		if gap <= tol*size/2 {
			e.Trace.Converged = true
			break
		}
	}
	e.Coef, e.Columns = w, columnNames(x)
	if !e.NoIntercept {
		e.Intercept = my - floats.Dot(mean, w)
	}
	return nil
}

// fitSmooth fits without the l₁ penalty.
func (e *ElasticNet) fitSmooth(name string, d *mat.Dense, y, weights []float64, l2 float64) error {
	run := e.Begin(name, 1)
	defer run.End()
	w, b, err := leastSquares(name+".Fit", d, y, weights, l2, !e.NoIntercept)
	if err != nil {
		return err
	}
	if err := run.Step(1, math.NaN()); err != nil {
		return err
	}
	e.Coef, e.Intercept = w, b
	e.Trace.Converged = true
	return nil
}

// dualityGap bounds from above how far the objective (times n) is from its
// minimum, by the dual point that the scaled residual gives.
func dualityGap(cols, res, target, w []float64, l1, l2 float64, n int) (gap, primal float64) {
	worst := 0.0
	for j, v := range w {
		worst = max(worst, math.Abs(floats.Dot(cols[j*n:(j+1)*n], res)-l2*v))
	}
	r2, wn := floats.Dot(res, res), floats.Dot(w, w)
	primal = r2/2 + l1*floats.Norm(w, 1) + l2/2*wn
	scale := 1.0
	if worst > l1 {
		scale = l1 / worst
	}
	ry := floats.Dot(res, target)
	dual := scale*ry - scale*scale*r2/2 - l2/2*scale*scale*wn
	return primal - dual, primal
}

// Predict gives θ·x + b for each row.
func (e *ElasticNet) Predict(x mat.Matrix) []float64 {
	return predict("ElasticNet.Predict", x, e.Coef, e.Intercept)
}
