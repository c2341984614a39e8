package svm_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/data"
	"github.com/gokernel/gokernel/mlstd/internal/mltest"
	"github.com/gokernel/gokernel/mlstd/kernel"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/svm"
)

type fittedNu struct {
	Nu            float64
	Score         []float64
	Pairs         [][]float64
	Pred, Support []int
}

type primal struct{ Theta, Loss []float64 }

type fittedTube struct {
	Pred    []float64
	Support []int
}

// machines holds what testdata/oracles/svm.py computed with scikit-learn, and in
// NumPy on the examples that the library draws.
type machines struct {
	Two []struct {
		Name    string
		X       [][]float64
		Y       []int
		Weights []float64
		SVC     struct {
			Score, Alpha    []float64
			Objective, Bias float64
		}
		Nu, NuLinear, NuWeighted fittedNu
		Platt                    struct {
			Proba []float64
			A, B  float64
		}
		Subgradient, Rate, Pegasos, Projected primal
	}
	Many []struct {
		Name    string
		X       [][]float64
		Y       []int
		Nu      fittedNu
		Coupled struct {
			A, B  []float64
			Proba [][]float64
		}
		Sigmoids [][2]float64
	}
	Separable []struct {
		Name      string
		X         [][]float64
		Y         []int
		W         []float64
		B, Margin float64
	}
	Real []struct {
		Name                  string
		X                     [][]float64
		Y, Weights            []float64
		RBF, Linear, Weighted fittedTube
	}
}

func readMachines(t *testing.T) machines {
	t.Helper()
	var o machines
	mltest.ReadOracle(t, "svm", &o)
	if len(o.Two) < 5 || len(o.Many) < 5 || len(o.Separable) < 5 || len(o.Real) < 5 {
		t.Fatal("the oracle lacks data sets")
	}
	return o
}

// Two machines that stop at a violation of 1e-10 agree to about its square root
// where multipliers are not unique.
func TestOracleDual(t *testing.T) {
	for _, o := range readMachines(t).Two {
		t.Run(o.Name, func(t *testing.T) {
			x := data.Rows(o.X)
			m := svm.SVC{C: 2, Kernel: kernel.RBF(0.4), Tol: 1e-10}
			p := svm.PlattSMO{C: 2, Kernel: kernel.RBF(0.4), Tol: 1e-8}
			for _, f := range []model.Classifier{&m, &p} {
				if err := f.Fit(x, o.Y); err != nil {
					t.Fatal(err)
				}
			}
			mltest.Near(t, "objective", m.Machines[0].Objective, o.SVC.Objective, single)
			mltest.Near(t, "bias", m.Machines[0].Intercept, o.SVC.Bias, single)
			mltest.NearAll(t, "scores", m.Decision(x).RawMatrix().Data, o.SVC.Score, single)
			mltest.NearAll(t, "scores of PlattSMO", p.Decision(x).RawMatrix().Data, o.SVC.Score, single)
			if len(distinct(o.X, all(len(o.X)))) == len(o.X) { // equal examples share a multiplier in any way
				mltest.NearAll(t, "α", m.Multipliers(0, len(o.Y)), o.SVC.Alpha, 1e-4)
				mltest.NearAll(t, "α of PlattSMO", p.Alpha, o.SVC.Alpha, 1e-4)
			}
		})
	}
}

func all(n int) []int {
	rows := make([]int, n)
	for i := range rows {
		rows[i] = i
	}
	return rows
}

// Scores are multiplied by 1/ρ, and with them the single precision of
// scikit-learn's rows.
func TestOracleNuSVC(t *testing.T) {
	const single = 5e-4
	o := readMachines(t)
	for _, o := range o.Two {
		t.Run(o.Name, func(t *testing.T) {
			x := data.Rows(o.X)
			for _, c := range []struct {
				name    string
				kernel  kernel.Kernel
				weights []float64
				want    fittedNu
			}{{"RBF", kernel.RBF(0.4), nil, o.Nu}, {"linear", kernel.LinearKernel{}, nil, o.NuLinear}, {"weighted", kernel.RBF(1), o.Weights, o.NuWeighted}} {
				m := svm.NuSVC{Nu: c.want.Nu, Kernel: c.kernel, Tol: 1e-10}
				err := m.Fit(x, o.Y)
				if c.weights != nil {
					err = m.FitWeighted(x, o.Y, c.weights)
				}
				if err != nil {
					t.Fatal(c.name, err)
				}
				mltest.NearAll(t, c.name, m.Decision(x).RawMatrix().Data, c.want.Score, single)
				// In few dimensions, and for equal examples, the multipliers are not unique.
				if !slices.Equal(m.Machine.Support, c.want.Support) && c.name == "RBF" && len(distinct(o.X, all(len(o.X)))) == len(o.X) {
					t.Errorf("%s: support vectors %v, want %v", c.name, m.Machine.Support, c.want.Support)
				}
			}
		})
	}
	for _, o := range o.Many {
		t.Run(o.Name, func(t *testing.T) {
			x := data.Rows(o.X)
			m := svm.NuSVC{Nu: o.Nu.Nu, Kernel: kernel.RBF(0.4), Tol: 1e-10}
			if err := m.Fit(x, o.Y); err != nil {
				t.Fatal(err)
			}
			pairs := m.Machine.PairDecision(x)
			for i, row := range o.Nu.Pairs {
				for k, v := range row {
					mltest.Near(t, "pair", pairs.At(i, k), -v, single) // theirs is positive for the smaller class
				}
			}
			if !slices.Equal(m.Predict(x), o.Nu.Pred) || !slices.Equal(m.Machine.Support, o.Nu.Support) {
				t.Errorf("predictions %v, want %v; support vectors %v, want %v", m.Predict(x), o.Nu.Pred, m.Machine.Support, o.Nu.Support)
			}
		})
	}
}

func TestOracleNuSVR(t *testing.T) {
	for _, o := range readMachines(t).Real {
		t.Run(o.Name, func(t *testing.T) {
			x := data.Rows(o.X)
			for _, c := range []struct {
				name    string
				machine svm.NuSVR
				weights []float64
				want    fittedTube
			}{
				{"RBF", svm.NuSVR{Nu: 0.43, Kernel: kernel.RBF(0.3)}, nil, o.RBF},
				{"linear", svm.NuSVR{Nu: 0.63, C: 0.5, Kernel: kernel.LinearKernel{}}, nil, o.Linear},
				{"weighted", svm.NuSVR{Nu: 0.5, C: 2, Kernel: kernel.RBF(0.3)}, o.Weights, o.Weighted},
			} {
				c.machine.Tol = 1e-10
				err := c.machine.Fit(x, o.Y)
				if c.weights != nil {
					err = c.machine.FitWeighted(x, o.Y, c.weights)
				}
				if err != nil {
					t.Fatal(c.name, err)
				}
				mltest.NearAll(t, c.name, c.machine.Predict(x), c.want.Pred, single)
				if !slices.Equal(c.machine.Machine.Support, c.want.Support) {
					t.Errorf("%s: support vectors %v, want %v", c.name, c.machine.Machine.Support, c.want.Support)
				}
			}
		})
	}
}

// The folds are the library's own. The library's Newton steps end at a gradient of
// 1e-8, scikit-learn's L-BFGS at about 1e-5.
func TestOracleCalibratedSVC(t *testing.T) {
	const fitted = 2e-3
	o := readMachines(t)
	for _, o := range o.Two {
		t.Run(o.Name, func(t *testing.T) {
			x := data.Rows(o.X)
			m := svm.CalibratedSVC{Folds: 4, Seed: 6, Tol: 1e-10}
			if err := m.Fit(x, o.Y); err != nil {
				t.Fatal(err)
			}
			mltest.Near(t, "A", m.Sigmoid[0].A, o.Platt.A, fitted)
			mltest.Near(t, "B", m.Sigmoid[0].B, o.Platt.B, fitted)
			mltest.NearAll(t, "probabilities", mat.Col(nil, 1, m.PredictProba(x)), o.Platt.Proba, fitted)
		})
	}
	for _, o := range o.Many {
		t.Run(o.Name, func(t *testing.T) {
			x := data.Rows(o.X)
			m := svm.CalibratedSVC{Folds: 4, Seed: 6, Tol: 1e-10}
			if err := m.Fit(x, o.Y); err != nil {
				t.Fatal(err)
			}
			for k, s := range o.Sigmoids {
				mltest.Near(t, "A", m.Sigmoid[k].A, s[0], fitted)
				mltest.Near(t, "B", m.Sigmoid[k].B, s[1], fitted)
			}
			// scikit-learn's own folds cannot be chosen; with its sigmoids, turned to our
			// signs, the coupling of the pairs must be the same.
			for k := range m.Sigmoid {
				m.Sigmoid[k] = svm.SigmoidOfScores{A: o.Coupled.A[k], B: -o.Coupled.B[k]}
			}
			p := m.PredictProba(x)
			for i, row := range o.Coupled.Proba {
				mltest.NearAll(t, "coupled probabilities", p.RawRowView(i), row, 3e-3) // it stops the coupling at 0.005/k
			}
		})
	}
}

// The active-set method ends at the exact solution; scikit-learn's C = 1e8 is a
// hard margin up to its tolerance.
func TestOracleHardMargin(t *testing.T) {
	for _, o := range readMachines(t).Separable {
		t.Run(o.Name, func(t *testing.T) {
			h := svm.HardMarginSVM{}
			if err := h.Fit(data.Rows(o.X), o.Y); err != nil {
				t.Fatal(err)
			}
			mltest.NearAll(t, "w", h.Coef, o.W, 1e-5)
			mltest.Near(t, "b", h.Intercept, o.B, 1e-5)
			mltest.Near(t, "margin", h.Margin, o.Margin, 1e-5)
		})
	}
}

func TestOraclePrimal(t *testing.T) {
	for _, o := range readMachines(t).Two {
		t.Run(o.Name, func(t *testing.T) {
			x := data.Rows(o.X)
			for _, c := range []struct {
				machine svm.SubgradientSVM
				want    primal
			}{
				{svm.SubgradientSVM{Lambda: 0.05, MaxIter: 40}, o.Subgradient},
				{svm.SubgradientSVM{Lambda: 0.1, MaxIter: 30, Rate: 0.2}, o.Rate},
			} {
				if err := c.machine.Fit(x, o.Y); err != nil {
					t.Fatal(err)
				}
				mltest.NearAll(t, "loss", c.machine.Trace.Loss, c.want.Loss, 1e-10)
				mltest.NearAll(t, "θ", append(slices.Clone(c.machine.Coef), c.machine.Intercept), c.want.Theta, 1e-10)
			}
			for _, c := range []struct {
				machine svm.Pegasos
				want    primal
			}{
				{svm.Pegasos{Lambda: 0.05, Epochs: 5, Seed: 8}, o.Pegasos},
				{svm.Pegasos{Lambda: 0.1, Epochs: 3, Seed: 9, Project: true}, o.Projected},
			} {
				if err := c.machine.Fit(x, o.Y); err != nil {
					t.Fatal(err)
				}
				mltest.NearAll(t, "loss of Pegasos", c.machine.Trace.Loss, c.want.Loss, 1e-10)
				mltest.NearAll(t, "θ of Pegasos", append(slices.Clone(c.machine.Coef), c.machine.Intercept), c.want.Theta, 1e-10)
			}
		})
	}
}

// Nu bounds the fraction of margin errors from above and that of support vectors
// from below, and the machine found is the one of the corresponding C or Epsilon.
func TestNuIsAShare(t *testing.T) {
	x, y := blurred(120, 21)
	for _, nu := range []float64{0.35, 0.5, 0.8} {
		m := svm.NuSVC{Nu: nu, Kernel: kernel.RBF(0.5), Tol: 1e-9}
		if err := m.Fit(x, y); err != nil {
			t.Fatal(err)
		}
		errors := 0
		for i, f := range m.Decision(x).RawMatrix().Data {
			if float64(y[i])*f < 1-1e-6 {
				errors++
			}
		}
		if n := float64(len(y)); float64(errors) > nu*n || float64(len(m.Machine.Support)) < nu*n {
			t.Errorf("Nu %v of 120: %d margin errors, %d support vectors", nu, errors, len(m.Machine.Support))
		}
		s := svm.SVC{C: 1 / m.Rho[0], Kernel: kernel.RBF(0.5), Tol: 1e-9}
		if err := s.Fit(x, y); err != nil {
			t.Fatal(err)
		}
		mltest.Near(t, "objective of SVC", s.Machines[0].Objective, m.Machine.Machines[0].Objective, 1e-6)
		mltest.NearAll(t, "scores of SVC", s.Decision(x).RawMatrix().Data, m.Decision(x).RawMatrix().Data, 1e-5)
	}
	target := make([]float64, len(y))
	for i := range target {
		target[i] = math.Sin(2*x.At(i, 0)) + x.At(i, 1)
	}
	for _, nu := range []float64{0.1, 0.4} {
		m := svm.NuSVR{Nu: nu, Kernel: kernel.RBF(0.1), Tol: 1e-9}
		if err := m.Fit(x, target); err != nil {
			t.Fatal(err)
		}
		outside := 0
		for i, f := range m.Predict(x) {
			if math.Abs(f-target[i]) > m.Epsilon+1e-6 {
				outside++
			}
		}
		if float64(outside) > nu*120 || float64(len(m.Machine.Support)) < nu*120 {
			t.Errorf("Nu %v of 120: %d outside the tube, %d support vectors", nu, outside, len(m.Machine.Support))
		}
		s := svm.SVR{Epsilon: m.Epsilon, Kernel: kernel.RBF(0.1), Tol: 1e-9}
		if err := s.Fit(x, target); err != nil {
			t.Fatal(err)
		}
		mltest.NearAll(t, "predictions of SVR", s.Predict(x), m.Predict(x), 1e-5)
	}
	for name, m := range map[string]svm.NuSVC{"too large": {Nu: 1.5}, "negative": {Nu: -1}, "below overlap": {Nu: 0.01, Kernel: kernel.LinearKernel{}}} {
		if err := m.Fit(x, y); err == nil || m.Machine != nil {
			t.Errorf("a Nu that is %s was accepted", name)
		}
	}
	few := slices.Repeat([]int{0}, 120)
	few[3], few[50] = 1, 1
	if err := (&svm.NuSVC{Nu: 0.1}).Fit(x, few); err == nil {
		t.Error("two examples balance 118 at Nu 0.1")
	}
}

// A tolerance of the default, relative to the margin, does for every Nu that there can
// be: the fraction of violations is below Nu and that of support vectors above it.
func TestSmallNu(t *testing.T) {
	d := data.Iris()
	y := make([]int, len(d.Y))
	for i, c := range d.Y {
		if c == 2 {
			y[i] = 1
		}
	}
	for _, nu := range []float64{0.3, 0.1, 0.05, 0.02, 0.01} {
		m := &svm.NuSVC{Nu: nu, Kernel: kernel.RBF(0.5)}
		if err := m.Fit(d.X, y); err != nil {
			t.Errorf("Nu %v: %v", nu, err)
			continue
		}
		if !m.Machine.Machines[0].Converged {
			t.Errorf("Nu %v: not converged", nu)
		}
		within := 0.0
		for i, s := range m.Decision(d.X).RawMatrix().Data {
			if float64(2*y[i]-1)*s < 1-2e-2 {
				within++
			}
		}
		n := float64(len(y))
		if within/n > nu+1/n || float64(len(m.Machine.Support))/n < nu-1e-9 {
			t.Errorf("Nu %v: %v violations and %d support vectors of %v", nu, within, len(m.Machine.Support), n)
		}
		// The same machine with a hundredth of the tolerance.
		exact := &svm.NuSVC{Nu: nu, Kernel: kernel.RBF(0.5), Tol: 1e-5}
		if err := exact.Fit(d.X, y); err != nil {
			t.Fatal(err)
		}
		mltest.Near(t, fmt.Sprint("ρ for Nu ", nu), m.Rho[0]/exact.Rho[0], 1, 2e-3)
	}
}

func TestSettingsThatCannotBe(t *testing.T) {
	d := data.Iris()
	x, y := d.X.Slice(0, 100, 0, 4), d.Y[:100]
	target := mat.Col(nil, 0, x)
	for name, c := range map[string]struct {
		err  error
		want string
	}{
		"SVC, Tol":           {(&svm.SVC{Tol: 2}).Fit(x, y), "Tol must be below 2, got 2"},
		"SVC, no Tol":        {(&svm.SVC{Tol: 1e300}).Fit(x, y), "Tol must be below 2, got 1e+300"},
		"CalibratedSVC":      {(&svm.CalibratedSVC{Folds: 101}).Fit(x, y), "Folds must be between 2 and 100 (the number of examples), got 101"},
		"CalibratedSVC, all": {(&svm.CalibratedSVC{Folds: 1 << 40}).Fit(x, y), "Folds must be between 2 and 100 (the number of examples), got 1099511627776"},
		"NuSVR":              {(&svm.NuSVR{C: 1e14}).Fit(x, target), "C (times the weights) must be at most 2.25e+10 for this"},
		"NuSVR, infinite":    {(&svm.NuSVR{C: 1e300}).Fit(x, target), "C (times the weights) must be at most 2.25e+10 for this"},
	} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", name, c.err, c.want)
		}
	}
	if err := (&svm.SVC{Tol: 1.99}).Fit(x, y); err != nil {
		t.Errorf("Tol 1.99: %v", err)
	}
	few := &svm.CalibratedSVC{Folds: 100}
	if err := few.Fit(x, y); err != nil {
		t.Errorf("as many folds as examples: %v", err)
	}
	// A hard task ends, and says that it has not come to its end.
	hard := &svm.NuSVR{C: 1e9, MaxIter: 20000}
	if err := hard.Fit(data.Diabetes().X.Slice(0, 200, 0, 10), data.Diabetes().Target[:200]); err != nil || hard.Machine.Trace.Converged {
		t.Errorf("%v, converged: %v", err, err == nil && hard.Machine.Trace.Converged)
	}
}
