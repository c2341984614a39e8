package svm

import (
	"context"
	"math"
	"slices"
	"sync"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/limits"
	"github.com/gokernel/gokernel/mlstd/internal/par"
	"github.com/gokernel/gokernel/mlstd/internal/pick"
	"github.com/gokernel/gokernel/mlstd/kernel"
	"github.com/gokernel/gokernel/mlstd/model"
)

// SVC is the soft-margin support vector classifier with a kernel.
//
//	min ½‖w‖² + C·Σᵢ ξᵢ  subject to  yᵢ(w·φ(xᵢ) + b) ≥ 1 − ξᵢ, ξᵢ ≥ 0
//
// solved in the dual form
//
//	max Σᵢ αᵢ − ½ Σᵢⱼ αᵢαⱼyᵢyⱼK(xᵢ, xⱼ)  subject to  0 ≤ αᵢ ≤ C, Σᵢ αᵢyᵢ = 0
//
// by sequential minimal optimization. Each step chooses the two multipliers with the largest
// second-order estimate of the decrease of the objective. The step moves the multipliers along
// their line to the optimum, clipped to the box. [PlattSMO] shows such steps one by one. The
// classifier is
//
//	f(x) = Σᵢ αᵢyᵢK(xᵢ, x) + b
//
// over the support vectors, which have αᵢ > 0. Removing other examples does not change the
// solution. A support vector with αᵢ < C lies on the margin, and a support vector with αᵢ = C lies
// on the margin or on its wrong side. With a larger C, there are fewer violations, and the margin
// is smaller. A feature map that makes the data separable exists only if equal examples have equal
// labels. More than two classes are separated pair by pair, and the pairs vote.
//
// Scale the columns first. [CalibratedSVC] has probabilities.
//
// Cost: between O(n²·d) and O(n³), and one kernel evaluation per support vector for a prediction.
//
// References: [CortesVapnik1995], [Platt1998], [FanChenLin2005], [ChangLin2011].
// Course: SVM-04, SVM-06, SVM-07, SVM-08.
type SVC struct {
	// C is the penalty on margin violations; 0 means 1. A larger value fits the
	// training data more closely and may overfit.
	C float64
	// Kernel is the kernel function; nil means an RBF with γ = 1/(columns·variance
	// of x).
	Kernel kernel.Kernel
	// Tol stops the fit when the violation of the optimality conditions is at most Tol; 0 means
	// 1e-3. With a larger value, fitting stops earlier.
	Tol float64
	// MaxIter is the maximum number of steps for each pair of classes; 0 means a million, or 100
	// per example if that is more.
	MaxIter     int
	NoShrinking bool // keep all multipliers in view
	// CacheMB is the memory in MB for rows of the Gram matrix; 0 means 200. With a larger value,
	// fitting many rows is faster.
	CacheMB int
	model.Control

	Support        []int         // set by Fit: the rows of x that are support vectors
	SupportVectors *mat.Dense    // set by Fit: those rows
	Machines       []PairMachine // set by Fit: one for each pair of classes
	Trace          model.Trace   // of the negative dual objective, for two classes

	classes []int
	kernel  kernel.Kernel
	rows    *kernel.GramRows

	model.Fitted // set by Fit: the columns that it was given
}

// PairMachine separates two classes.
type PairMachine struct {
	Negative, Positive int       // the classes; Negative < Positive
	Vectors            []int     // positions in SupportVectors
	DualCoef           []float64 // αᵢyᵢ of those
	Intercept          float64   // b
	Objective          float64   // the dual's maximum Σα − ½Σααyy'K
	Iterations         int
	Converged          bool
}

var (
	_ model.WeightedClassifier = (*SVC)(nil)
	_ model.Scorer             = (*SVC)(nil)
)

// Fit solves the dual of each pair of classes.
func (s *SVC) Fit(x mat.Matrix, y []int) error {
	model.NoteXY(&s.Fitted, x, y)
	_, err := s.fit("SVC.Fit", x, y, nil, 0)
	return err
}

// FitWeighted is Fit with the upper bound C·weights[i] for example i. An example of weight 0 is
// left out.
func (s *SVC) FitWeighted(x mat.Matrix, y []int, weights []float64) error {
	const op = "SVC.FitWeighted"
	model.NoteXY(&s.Fitted, x, y)
	s.reset()
	if err := model.CheckWeights(op, weights, len(y)); err != nil {
		return err
	}
	_, err := s.fit(op, x, y, weights, 0)
	return err
}

func (s *SVC) reset() {
	s.Support, s.SupportVectors, s.Machines, s.Trace = nil, nil, nil, model.Trace{}
	s.classes, s.kernel, s.rows = nil, nil, nil
}

// settings are the parameters that the kernel machines share, with defaults.
type settings struct {
	c, tol  float64
	maxIter int
	cacheMB int
}

func checkSettings(op string, c, tol float64, maxIter, cacheMB, n int) (settings, error) {
	c = model.Or(c, 1)
	if tol == 0 {
		tol = 1e-3
	}
	if maxIter == 0 {
		maxIter = max(1_000_000, 100*n)
	}
	if cacheMB == 0 {
		cacheMB = 200
	}
	switch {
	case !(c > 0) || math.IsInf(c, 0):
		return settings{}, model.Errorf(op, "C must be positive and finite, got %v", c).WithHint("set C to 1e10 for a hard margin")
	case !(tol > 0) || math.IsInf(tol, 0):
		return settings{}, model.Errorf(op, "Tol must be positive, got %v", tol)
	}
	if err := limits.Check(op, limits.NotNegative("MaxIter", maxIter), limits.NotNegative("CacheMB", cacheMB)); err != nil {
		return settings{}, err
	}
	return settings{c, tol, maxIter, cacheMB}, nil
}

// fit solves the form of [NuSVC] when nu is not 0, and returns the spread of each
// solution.
func (s *SVC) fit(op string, x mat.Matrix, y []int, weights []float64, nu float64) ([]float64, error) {
	s.reset()
	d, err := model.CheckXY(op, x, y)
	if err != nil {
		return nil, err
	}
	set, err := checkSettings(op, s.C, s.Tol, s.MaxIter, s.CacheMB, len(y))
	if err != nil {
		return nil, err
	}
	if nu == 0 && set.tol >= 2 {
		return nil, model.Errorf(op, "Tol must be below 2, got %v", set.tol).WithHint("set a Tol such as 1e-3")
	}
	var rows []int // those with weight
	for i := range y {
		if weights == nil || weights[i] > 0 {
			rows = append(rows, i)
		}
	}
	classes, _ := model.Classes(pick.Of(y, rows))
	if err := model.CheckTwoOrMore(op, classes); err != nil {
		return nil, err
	}
	k := s.Kernel
	if k == nil {
		k = kernel.RBF(kernel.ScaleGamma(pick.Rows(d, rows)))
	}
	if err := kernel.CheckKernel(op, k); err != nil {
		return nil, err
	}
	var pairs []*pairProblem
	for a := range classes {
		for b := a + 1; b < len(classes); b++ {
			p := newPair(d, y, rows, weights, classes[a], classes[b], k, set, !s.NoShrinking)
			if err := checkGram(op, p.gram); err != nil {
				return nil, err
			}
			p.op, p.nu = op, nu
			pairs = append(pairs, p)
		}
	}
	solutions, err := s.solveAll(pairs)
	if err != nil {
		s.reset()
		return nil, err
	}
	s.classes, s.kernel = classes, k
	s.collect(d, pairs, solutions)
	spreads := make([]float64, len(solutions))
	for m, sol := range solutions {
		spreads[m] = sol.spread
	}
	return spreads, nil
}

// checkGram refuses rows whose similarities overflow: no multiplier would move.
func checkGram(op string, g *kernel.GramRows) error {
	for _, v := range g.Diagonal() {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return model.Errorf(op, "the kernel of a row with itself must be finite, got %v", v).WithHint("scale the columns first")
		}
	}
	return nil
}

// pairProblem is the dual of two classes.
type pairProblem struct {
	problem
	rows               []int // of x
	negative, positive int
	op                 string
	nu                 float64 // of the form with ν, if not 0
}

func (p *pairProblem) solve() (*solution, error) {
	if p.nu != 0 {
		return p.solveNu(p.op, p.nu)
	}
	return p.problem.solve(nil)
}

func newPair(d *mat.Dense, y, rows []int, weights []float64, negative, positive int, k kernel.Kernel, set settings, shrink bool) *pairProblem {
	p := &pairProblem{negative: negative, positive: positive}
	for _, i := range rows {
		if y[i] == negative || y[i] == positive {
			p.rows = append(p.rows, i)
		}
	}
	n := len(p.rows)
	p.q, p.lo, p.hi = make([]float64, n), make([]float64, n), make([]float64, n)
	for t, i := range p.rows {
		c := set.c
		if weights != nil {
			c *= weights[i]
		}
		if y[i] == positive {
			p.q[t], p.hi[t] = -1, c
		} else {
			p.q[t], p.lo[t] = 1, -c
		}
	}
	p.gram = kernel.NewGramRows(k, pick.Rows(d, p.rows))
	p.tol, p.maxIter, p.shrink, p.cacheMB = set.tol, set.maxIter, shrink, set.cacheMB
	return p
}

// solveAll solves one problem in this goroutine, reporting its steps, and several
// at once in goroutines of their own, reporting each that is done.
func (s *SVC) solveAll(pairs []*pairProblem) ([]*solution, error) {
	if len(pairs) == 1 {
		run := s.Begin("SVC", 0)
		defer run.End()
		p := pairs[0]
		p.watch = func(iter int, objective float64) error {
			s.Trace.Loss = append(s.Trace.Loss, objective)
			return run.Step(iter, objective)
		}
		sol, err := p.solve()
		if err != nil {
			return nil, err
		}
		s.Trace.Loss = append(s.Trace.Loss, sol.objective)
		s.Trace.Converged = sol.converged
		return []*solution{sol}, run.Step(sol.iter, sol.objective)
	}
	run := s.Begin("SVC", len(pairs))
	defer run.End()
	ctx, cancel := context.WithCancel(run.Context())
	defer cancel()
	solutions, done := make([]*solution, len(pairs)), make(chan error, len(pairs))
	var wg sync.WaitGroup
	wg.Go(func() {
		par.Range(len(pairs), 1, func(lo, _ int) {
			p := pairs[lo]
			p.watch = func(int, float64) error { return ctx.Err() }
			err := ctx.Err()
			if err == nil {
				solutions[lo], err = p.solve()
			}
			done <- err
		})
	})
	defer wg.Wait()
	for k := range pairs {
		err := <-done
		if err == nil {
			err = run.Step(k+1, math.NaN())
		}
		if err != nil {
			cancel()
			return nil, err
		}
	}
	return solutions, nil
}

func (s *SVC) collect(d *mat.Dense, pairs []*pairProblem, solutions []*solution) {
	n, _ := d.Dims()
	used := make([]bool, n)
	for m, p := range pairs {
		for t, b := range solutions[m].beta {
			if b != 0 {
				used[p.rows[t]] = true
			}
		}
	}
	position := make([]int, n)
	for i, u := range used {
		if u {
			position[i] = len(s.Support)
			s.Support = append(s.Support, i)
		}
	}
	s.SupportVectors = pick.Rows(d, s.Support)
	for m, p := range pairs {
		sol := solutions[m]
		pm := PairMachine{Negative: p.negative, Positive: p.positive, Intercept: sol.bias, Objective: -sol.objective,
			Iterations: sol.iter, Converged: sol.converged}
		for t, b := range sol.beta {
			if b != 0 {
				pm.Vectors = append(pm.Vectors, position[p.rows[t]])
				pm.DualCoef = append(pm.DualCoef, b)
			}
		}
		s.Machines = append(s.Machines, pm)
	}
	s.rows = kernel.NewGramRows(s.kernel, s.SupportVectors)
}

// Classes returns the classes in ascending order.
func (s *SVC) Classes() []int { return slices.Clone(s.classes) }

// PairDecision returns f(x) of every machine, one per column, in the order of Machines. f(x) is
// above 0 for the machine's Positive class.
func (s *SVC) PairDecision(x mat.Matrix) *mat.Dense {
	x = model.MustRead("SVC.PairDecision", &s.Fitted, x)
	return s.pairDecision("SVC.PairDecision", x)
}

func (s *SVC) pairDecision(op string, x mat.Matrix) *mat.Dense {
	if s.rows == nil {
		panic(model.NotFitted(op))
	}
	_, c := s.SupportVectors.Dims()
	d := model.MustRows(op, x, c)
	n, _ := d.Dims()
	out := mat.NewDense(n, len(s.Machines), nil)
	par.Range(n, 64, func(lo, hi int) {
		sims := make([]float64, s.rows.Len())
		for i := lo; i < hi; i++ {
			s.rows.Against(d.RawRowView(i), sims)
			row := out.RawRowView(i)
			for m := range s.Machines {
				pm := &s.Machines[m]
				f := pm.Intercept
				for t, v := range pm.Vectors {
					f += pm.DualCoef[t] * sims[v]
				}
				row[m] = f
			}
		}
	})
	return out
}

// Decision returns the score of each row. For two classes, the score is f(x), which is above 0 for
// the greater class label. For more classes, there is one column per class. A score is the number
// of votes for the class, plus a term below one half in absolute value that depends on the scores
// of the class's pairs.
func (s *SVC) Decision(x mat.Matrix) *mat.Dense {
	x = model.MustRead("SVC.Decision", &s.Fitted, x)
	f := s.pairDecision("SVC.Decision", x)
	if len(s.classes) == 2 {
		return f
	}
	n, _ := f.Dims()
	out := mat.NewDense(n, len(s.classes), nil)
	for i := range n {
		row, sum := out.RawRowView(i), make([]float64, len(s.classes))
		s.eachPair(f.RawRowView(i), func(a, b int, v float64) {
			if v > 0 {
				row[b]++
			} else {
				row[a]++
			}
			sum[a] -= v
			sum[b] += v
		})
		for c, v := range sum {
			row[c] += v / (3 * (math.Abs(v) + 1))
		}
	}
	return out
}

// eachPair calls f with the positions of the classes of each machine.
func (s *SVC) eachPair(scores []float64, f func(a, b int, score float64)) {
	m := 0
	for a := range s.classes {
		for b := a + 1; b < len(s.classes); b++ {
			f(a, b, scores[m])
			m++
		}
	}
}

// Predict returns the class that wins most pairs; ties go to the smallest class label.
func (s *SVC) Predict(x mat.Matrix) []int {
	x = model.MustRead("SVC.Predict", &s.Fitted, x)
	f := s.pairDecision("SVC.Predict", x)
	n, _ := f.Dims()
	out := make([]int, n)
	votes := make([]int, len(s.classes))
	for i := range out {
		clear(votes)
		s.eachPair(f.RawRowView(i), func(a, b int, v float64) {
			if v > 0 {
				votes[b]++
			} else {
				votes[a]++
			}
		})
		best := 0
		for c, v := range votes {
			if v > votes[best] {
				best = c
			}
		}
		out[i] = s.classes[best]
	}
	return out
}

// Hyperplane returns w and b of f(x) = w·x + b for the machine with the given index. It panics if
// the kernel is not linear.
func (s *SVC) Hyperplane(machine int) (w []float64, b float64) {
	const op = "SVC.Hyperplane"
	if s.rows == nil {
		panic(model.NotFitted(op))
	}
	if _, ok := s.kernel.(kernel.LinearKernel); !ok || machine < 0 || machine >= len(s.Machines) {
		panic(model.Errorf(op, "machine must be between 0 and %[2]d, and the kernel be linear, got %[1]d and %[3]T", machine, len(s.Machines)-1, s.kernel).WithHint("fit with LinearKernel{}"))
	}
	m := s.Machines[machine]
	_, c := s.SupportVectors.Dims()
	w = make([]float64, c)
	for t, v := range m.Vectors {
		for j, u := range s.SupportVectors.RawRowView(v) {
			w[j] += m.DualCoef[t] * u
		}
	}
	return w, m.Intercept
}
