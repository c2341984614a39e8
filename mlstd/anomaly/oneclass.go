package anomaly

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/magnitude"
	"github.com/gokernel/gokernel/mlstd/internal/par"
	"github.com/gokernel/gokernel/mlstd/internal/pick"
	"github.com/gokernel/gokernel/mlstd/kernel"
	"github.com/gokernel/gokernel/mlstd/model"
)

// OneClassSVM separates all but a fraction of the rows from the origin by a hyperplane in feature
// space, whose distance from the origin it maximizes.
//
//	min_α ½·αᵀKα,  0 ≤ αᵢ ≤ 1,  Σαᵢ = Nu·n;  score(x) = ρ − Σᵢ αᵢ·k(xᵢ, x)
//
// Each step optimizes the pair of multipliers that violates the optimality conditions most,
// estimated to second order. Fitting stops when no pair violates the conditions by more than Tol.
// At most a fraction Nu of the training rows is outside, where the score is positive, and at least
// a fraction Nu of them are support vectors. The threshold is 0.
//
// Cost: O(n) per step, about n² in all; O(n²) memory. More than 15,000 rows are an error.
//
// References: [Scholkopf2001].
// Course: DEC-12.
type OneClassSVM struct {
	model.Control

	// Kernel is the kernel function; nil means RBF with the γ of kernel.ScaleGamma.
	Kernel kernel.Kernel
	// Nu is an upper bound on the fraction of training rows called anomalies; 0
	// means ½. A larger value makes the region of normal rows smaller.
	Nu float64
	// Tol is the tolerance at which fitting stops; 0 means 1e-3. A larger value
	// stops earlier.
	Tol float64
	// MaxIter is the maximum number of steps; 0 means ten million.
	MaxIter int

	Vectors   *mat.Dense    // set by Fit: the support vectors
	DualCoef  []float64     // set by Fit: their αᵢ
	Support   []int         // set by Fit: their rows
	Intercept float64       // set by Fit: −ρ
	Threshold float64       // set by Fit, to 0, and by Tune
	Used      kernel.Kernel // set by Fit

	model.Fitted // set by Fit: the columns that it was given
}

var _ model.Detector = (*OneClassSVM)(nil)

const mostRows = 15000 // of which the Gram matrix takes 1.8 GB

// Fit finds the hyperplane.
func (s *OneClassSVM) Fit(x mat.Matrix) error {
	const op = "OneClassSVM.Fit"
	model.NoteX(&s.Fitted, x)
	s.Vectors, s.DualCoef, s.Support, s.Intercept, s.Threshold, s.Used = nil, nil, nil, 0, 0, nil
	d, err := model.CheckX(op, x)
	if err != nil {
		return err
	}
	if err := magnitude.Check(op, d); err != nil {
		return err
	}
	n, _ := d.Dims()
	nu := model.Or(s.Nu, 0.5)
	if !(nu > 0 && nu <= 1) {
		return model.Errorf(op, "Nu must be above 0 and at most 1, got %v", s.Nu)
	}
	if n > mostRows {
		return model.Errorf(op, "x must have at most %d rows, got %d", mostRows, n).WithHint("fit a random sample of the rows")
	}
	most, err := model.Iterations(op, "MaxIter", s.MaxIter, 10_000_000)
	if err != nil {
		return err
	}
	k := s.Kernel
	if k == nil {
		k = kernel.RBF(kernel.ScaleGamma(d))
	}
	gram := mat.NewDense(n, n, nil)
	rows := kernel.NewGramRows(k, d)
	par.Range(n, 16, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			rows.Row(i, gram.RawRowView(i))
		}
	})
	run := s.Begin("OneClassSVM", most)
	defer run.End()
	q := oneClass{k: gram, alpha: make([]float64, n), g: make([]float64, n)}
	q.start(nu)
	if err := q.solve(model.Or(s.Tol, 1e-3), most, run); err != nil {
		return err
	}
	var support []int
	var coef []float64
	for i, a := range q.alpha {
		if a > 0 {
			support, coef = append(support, i), append(coef, a)
		}
	}
	s.Vectors, s.DualCoef, s.Support, s.Intercept, s.Used = pick.Rows(d, support), coef, support, -q.rho(), k
	return nil
}

// oneClass is the program min ½αᵀKα; g is Kα.
type oneClass struct {
	k        *mat.Dense
	alpha, g []float64
}

// start sets the first multipliers to 1, so that they add up to nu·n.
func (q *oneClass) start(nu float64) {
	left := nu * float64(len(q.alpha))
	for i := range q.alpha {
		q.alpha[i] = min(1, left)
		left -= q.alpha[i]
		if q.alpha[i] > 0 {
			floats.AddScaled(q.g, q.alpha[i], q.k.RawRowView(i))
		}
	}
}

func (q *oneClass) solve(tol float64, most int, run *model.Run) error {
	n := len(q.alpha)
	for iter := range most {
		// i can grow and has the smallest gradient; j can shrink and lowers the objective most
		// together with i.
		i, j := -1, -1
		low, high := math.Inf(1), math.Inf(-1)
		for t, g := range q.g {
			if q.alpha[t] < 1 && g < low {
				i, low = t, g
			}
		}
		if i < 0 {
			return nil
		}
		row, best := q.k.RawRowView(i), 0.0
		for t, g := range q.g {
			if q.alpha[t] <= 0 {
				continue
			}
			high = max(high, g)
			if gap := g - low; gap > 0 {
				curve := max(row[i]+q.k.At(t, t)-2*row[t], 1e-12)
				if gain := gap * gap / curve; gain > best {
					best, j = gain, t
				}
			}
		}
		if iter%1000 == 0 {
			if err := run.Step(iter+1, high-low); err != nil {
				return err
			}
		}
		if j < 0 || high-low < tol {
			return nil
		}
		curve := max(row[i]+q.k.At(j, j)-2*row[j], 1e-12)
		step := min((q.g[j]-q.g[i])/curve, 1-q.alpha[i], q.alpha[j])
		grow, shrink := step == 1-q.alpha[i], step == q.alpha[j]
		q.alpha[i] += step
		q.alpha[j] -= step
		if grow {
			q.alpha[i] = 1
		}
		if shrink {
			q.alpha[j] = 0
		}
		other := q.k.RawRowView(j)
		for t := range n {
			q.g[t] += step * (row[t] - other[t])
		}
	}
	return nil
}

// rho returns the mean gradient of the free multipliers.
func (q *oneClass) rho() float64 {
	sum, free, low, high := 0.0, 0, math.Inf(-1), math.Inf(1)
	for t, g := range q.g {
		switch a := q.alpha[t]; {
		case a >= 1:
			low = max(low, g)
		case a <= 0:
			high = min(high, g)
		default:
			sum, free = sum+g, free+1
		}
	}
	switch {
	case free > 0:
		return sum / float64(free)
	case math.IsInf(high, 1):
		return low
	}
	return (low + high) / 2
}

// Score returns ρ − Σ αᵢ·k(xᵢ, x), positive outside.
func (s *OneClassSVM) Score(x mat.Matrix) []float64 {
	const op = "OneClassSVM.Score"
	x = model.MustRead(op, &s.Fitted, x)
	if s.Vectors == nil {
		panic(model.NotFitted(op))
	}
	_, cols := s.Vectors.Dims()
	k := kernel.CrossGram(s.Used, model.MustRows(op, x, cols), s.Vectors)
	n, _ := k.Dims()
	out := make([]float64, n)
	for i := range out {
		out[i] = -s.Intercept - floats.Dot(k.RawRowView(i), s.DualCoef)
	}
	return out
}

// Predict reports whether each row is outside the region of normal rows.
func (s *OneClassSVM) Predict(x mat.Matrix) []bool {
	x = model.MustRead("OneClassSVM.Predict", &s.Fitted, x)
	return above(s.Score(x), s.Threshold)
}

// Tune sets the threshold that has the best F1 score on x, where anomaly[i] reports whether row i
// is an anomaly.
func (s *OneClassSVM) Tune(x mat.Matrix, anomaly []bool) (*F1Choice, error) {
	x, err := model.Read("OneClassSVM.Tune", &s.Fitted, x)
	if err != nil {
		return nil, err
	}
	return tuned(s, "OneClassSVM.Tune", x, anomaly, &s.Threshold)
}
