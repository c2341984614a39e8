package svm

import (
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/kernel"
	"github.com/gokernel/gokernel/mlstd/model"
)

// NuSVR is support vector regression in which Nu limits the fraction of examples outside the tube
// and thereby determines the width of the tube.
//
//	min ½‖w‖² + C·(n·Nu·ε + Σᵢ (ξᵢ + ξ̂ᵢ))  over w, b, ε, ξ, ξ̂
//
// with the constraints of [SVR]. At most a fraction Nu of the examples are outside the tube, and at
// least a fraction Nu are support vectors. The dual is the dual of SVR without ε, but with Σ|βᵢ| =
// C·Nu·n: the multipliers above the tube have a fixed sum, and so do the multipliers below it. The
// SVR with the resulting Epsilon has the same solution; the field Machine is this SVR.
//
// Cost: the cost of SVR, plus the computation of Nu·n rows of the Gram matrix at the start.
//
// References: [Scholkopf2000], [ChangLin2001]. Course: SVM-14.
type NuSVR struct {
	// C is the penalty on errors outside the tube; 0 means 1. A larger value fits
	// the training data more closely and may overfit.
	C float64
	// Nu is an upper bound on the fraction of examples outside the tube and a lower bound on the
	// fraction of support vectors; 0 means 0.5. A larger value regularizes more.
	Nu      float64
	Kernel  kernel.Kernel // as in SVR
	Tol     float64       // as in SVR
	MaxIter int           // as in SVR
	CacheMB int           // as in SVR
	model.Control

	Machine *SVR    // set by Fit
	Epsilon float64 // set by Fit: half the width of the tube

	model.Fitted // set by Fit: the columns that it was given
}

var _ model.Regressor = (*NuSVR)(nil)

// Fit solves the dual.
func (m *NuSVR) Fit(x mat.Matrix, y []float64) error {
	model.NoteXYReal(&m.Fitted, x, y)
	return m.fit("NuSVR.Fit", x, y, nil)
}

// FitWeighted is Fit with the upper bound C·weights[i] for example i. In this case, Nu is a
// fraction of the sum of the weights. An example of weight 0 is left out.
func (m *NuSVR) FitWeighted(x mat.Matrix, y []float64, weights []float64) error {
	const op = "NuSVR.FitWeighted"
	model.NoteXYReal(&m.Fitted, x, y)
	m.Machine, m.Epsilon = nil, 0
	if err := model.CheckWeights(op, weights, len(y)); err != nil {
		return err
	}
	return m.fit(op, x, y, weights)
}

func (m *NuSVR) fit(op string, x mat.Matrix, y, weights []float64) error {
	m.Machine, m.Epsilon = nil, 0
	nu, err := checkNu(op, m.Nu)
	if err != nil {
		return err
	}
	s := &SVR{C: m.C, Kernel: m.Kernel, Tol: m.Tol, MaxIter: m.MaxIter, CacheMB: m.CacheMB, Control: m.Control}
	if err := s.fit(op, x, y, weights, nu); err != nil {
		return err
	}
	s.Control = model.Control{}
	m.Machine, m.Epsilon = s, s.Epsilon
	return nil
}

// solveNu solves the dual of a tube of any width; half of it is minus the spread.
func (p *problem) solveNu(nu float64) (*solution, error) {
	p.group = make([]uint8, len(p.q))
	total := 0.0
	largest := 0.0
	for t := range p.q {
		if p.hi[t] > 0 {
			p.group[t] = 1
			total += p.hi[t]
			largest = max(largest, p.hi[t])
		}
	}
	// Multipliers as large as C cancel in the gradient, and leave their rounding in it.
	if most := p.tol / (0x1p-52 * float64(len(p.q)) * max(slices.Max(p.gram.Diagonal()), 1e-300)); largest > most {
		return nil, model.Errorf("NuSVR.Fit", "C (times the weights) must be at most %.3g for this Tol, got %.3g", most, largest).WithHint("set a smaller C or a larger Tol")
	}
	return p.solve(p.shares(nu * total / 2))
}

// Predict returns f(x) for each row.
func (m *NuSVR) Predict(x mat.Matrix) []float64 {
	x = model.MustRead("NuSVR.Predict", &m.Fitted, x)
	if m.Machine == nil {
		panic(model.NotFitted("NuSVR.Predict"))
	}
	return m.Machine.Predict(x)
}
