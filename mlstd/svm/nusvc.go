package svm

import (
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/kernel"
	"github.com/gokernel/gokernel/mlstd/model"
)

// NuSVC is the support vector classifier in which Nu, instead of C, limits the fraction
// of violations.
//
//	min ½‖w‖² − Nu·ρ + (1/n)·Σᵢ ξᵢ  subject to  yᵢ(w·φ(xᵢ) + b) ≥ ρ − ξᵢ, ξᵢ ≥ 0, ρ ≥ 0
//
// Its dual has no linear term,
//
//	min ½ Σᵢⱼ αᵢαⱼyᵢyⱼK(xᵢ, xⱼ)  subject to  0 ≤ αᵢ ≤ 1/n, Σᵢ αᵢyᵢ = 0, Σᵢ αᵢ = Nu
//
// and is solved over pairs of examples of the same class, because the sum of the multipliers of
// each class is fixed. At most a fraction Nu of the examples are on the wrong side of the margin,
// and at least a fraction Nu are support vectors. The solution divided by ρ is the solution of the
// [SVC] with C = 1/(n·ρ). The field Machine is this SVC, which computes the scores.
//
// Nu cannot exceed twice the fraction of the examples in the less frequent class; otherwise this
// class has too few examples to balance the other class. If the classes overlap, a Nu that is too
// small is also an error, because ρ would be 0. More than two classes are separated pair by pair,
// and the pairs vote; n is then the number of examples of the pair.
//
// Cost: the cost of SVC, plus the computation of Nu·n rows of the Gram matrix at the start.
//
// References: [Scholkopf2000], [ChangLin2001]. Course: SVM-04, SVM-07.
type NuSVC struct {
	// Nu is an upper bound on the fraction of margin errors and a lower bound on the
	// fraction of support vectors; 0 means 0.5. A larger value regularizes more.
	Nu     float64
	Kernel kernel.Kernel // as in SVC
	// Tol stops the fit when the violation of the optimality conditions, relative to ρ, is at most
	// Tol; 0 means 1e-3. With a larger value, fitting stops earlier.
	Tol     float64
	MaxIter int // as in SVC
	CacheMB int // as in SVC
	model.Control

	Machine *SVC      // set by Fit
	Rho     []float64 // set by Fit: n·ρ of each of its Machines

	model.Fitted // set by Fit: the columns that it was given
}

var (
	_ model.WeightedClassifier = (*NuSVC)(nil)
	_ model.Scorer             = (*NuSVC)(nil)
)

// Fit solves the dual of each pair of classes.
func (m *NuSVC) Fit(x mat.Matrix, y []int) error {
	model.NoteXY(&m.Fitted, x, y)
	return m.fit("NuSVC.Fit", x, y, nil)
}

// FitWeighted is Fit with the upper bound weights[i]/n for example i. In this case, Nu is a
// fraction of the sum of the weights. An example of weight 0 is left out.
func (m *NuSVC) FitWeighted(x mat.Matrix, y []int, weights []float64) error {
	const op = "NuSVC.FitWeighted"
	model.NoteXY(&m.Fitted, x, y)
	m.Machine, m.Rho = nil, nil
	if err := model.CheckWeights(op, weights, len(y)); err != nil {
		return err
	}
	return m.fit(op, x, y, weights)
}

func (m *NuSVC) fit(op string, x mat.Matrix, y []int, weights []float64) error {
	m.Machine, m.Rho = nil, nil
	nu, err := checkNu(op, m.Nu)
	if err != nil {
		return err
	}
	s := &SVC{Kernel: m.Kernel, Tol: m.Tol, MaxIter: m.MaxIter, CacheMB: m.CacheMB, Control: m.Control}
	rho, err := s.fit(op, x, y, weights, nu)
	if err != nil {
		return err
	}
	s.Control = model.Control{}
	m.Machine, m.Rho = s, rho
	return nil
}

func checkNu(op string, nu float64) (float64, error) {
	nu = model.Or(nu, 0.5)
	if !(nu > 0 && nu <= 1) {
		return 0, model.Errorf(op, "Nu must be above 0 and at most 1, got %v", nu)
	}
	return nu, nil
}

// solveNu solves the dual of a pair in the multipliers n·α, which lie between 0 and
// the weights, and divides by n·ρ, the spread.
func (p *pairProblem) solveNu(op string, nu float64) (*solution, error) {
	p.group = make([]uint8, len(p.q))
	total, sums := 0.0, [2]float64{}
	for t := range p.q {
		p.q[t] = 0
		if p.hi[t] > 0 {
			p.group[t] = 1
		}
		w := p.hi[t] - p.lo[t]
		total += w
		sums[p.group[t]] += w
	}
	most := 2 * min(sums[0], sums[1]) / total
	if nu > most*(1+1e-12) {
		return nil, model.Errorf(op, "Nu must be at most %.4g for the classes %d and %d, got %v", most, p.negative, p.positive, nu).
			WithHint("set a smaller Nu, or use SVC")
	}
	// At the optimum the objective is half of n·ρ times the sum of the multipliers.
	// It only falls, so that a spread too small to divide by shows early.
	size := slices.Max(p.gram.Diagonal())
	floor := 1e-6 * size * nu * total / 2
	nothing := model.Errorf(op, "with Nu %v the margin between the classes %d and %d is empty", nu, p.negative, p.positive).
		WithHint("set a larger Nu, or scale the columns first")
	watch := p.watch
	p.watch = func(iter int, objective float64) error {
		if objective < floor {
			return nothing
		}
		return watch(iter, objective)
	}
	sol, err := p.solveToMargin(p.shares(nu*total/2), 1e-9*size)
	if err != nil {
		return nil, err
	}
	if !(sol.objective > floor && sol.spread > 0) {
		return nil, nothing
	}
	for t := range sol.beta {
		sol.beta[t] /= sol.spread
	}
	sol.bias /= sol.spread
	// As the objective of SVC has it: ½βᵀKβ − Σ|β|.
	sol.objective = sol.objective/(sol.spread*sol.spread) - nu*total/sol.spread
	return sol, nil
}

// solveToMargin solves from beta with the tolerance relative to the spread. Because
// the spread is not known before, it starts with the tolerance itself and continues
// with a smaller one if the spread requires it.
func (p *pairProblem) solveToMargin(beta []float64, least float64) (*solution, error) {
	share := p.tol
	for {
		sol, err := p.problem.solve(beta)
		if err != nil || !sol.converged || sol.spread > 0 && p.tol <= share*sol.spread || p.tol <= least {
			return sol, err
		}
		beta = sol.beta
		p.tol = max(least, min(p.tol/2, share*sol.spread))
	}
}

// shares returns coefficients that add up to the sum in group 1 and to minus the sum
// in group 0: the first of each group have as much as their bounds allow.
func (p *problem) shares(sum float64) []float64 {
	beta := make([]float64, len(p.q))
	left := [2]float64{sum, sum}
	for t, g := range p.group {
		v := min(left[g], p.hi[t]-p.lo[t])
		left[g] -= v
		if g == 0 {
			v = -v
		}
		beta[t] = v
	}
	return beta
}

// Classes returns the classes in ascending order.
func (m *NuSVC) Classes() []int {
	if m.Machine == nil {
		return nil
	}
	return m.Machine.Classes()
}

// Decision returns the score of each row, as [SVC.Decision] does.
func (m *NuSVC) Decision(x mat.Matrix) *mat.Dense {
	x = model.MustRead("NuSVC.Decision", &m.Fitted, x)
	return m.machine("NuSVC.Decision").Decision(x)
}

// Predict returns the class that wins most pairs; ties go to the smallest class label.
func (m *NuSVC) Predict(x mat.Matrix) []int {
	x = model.MustRead("NuSVC.Predict", &m.Fitted, x)
	return m.machine("NuSVC.Predict").Predict(x)
}

func (m *NuSVC) machine(op string) *SVC {
	if m.Machine == nil {
		panic(model.NotFitted(op))
	}
	return m.Machine
}
