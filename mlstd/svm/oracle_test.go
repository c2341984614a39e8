package svm_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gokernel/gokernel/mlstd/data"
	"github.com/gokernel/gokernel/mlstd/internal/mltest"
	"github.com/gokernel/gokernel/mlstd/kernel"
	"github.com/gokernel/gokernel/mlstd/svm"
)

type fittedSVC struct {
	Pred, Support []int
	Pairs, Scores [][]float64
}

type fittedLinear struct {
	Coef [][]float64
	Bias []float64
	Pred []int
}

// oracle holds what testdata/oracles/kernel.py computed with scikit-learn.
type oracle struct {
	Classification []struct {
		Name                        string
		X                           [][]float64
		Y                           []int
		Weights                     []float64
		RBF, Poly, Linear, Weighted fittedSVC
		SquaredHinge, Hinge         fittedLinear
	}
	Regression []struct {
		Name           string
		X              [][]float64
		Y              []float64
		SVR, SVRLinear struct {
			Pred    []float64
			Support []int
		}
	}
}

func readOracle(t *testing.T) oracle {
	t.Helper()
	var o oracle
	mltest.ReadOracle(t, "kernel", &o)
	if len(o.Classification) < 5 || len(o.Regression) < 5 {
		t.Fatal("the oracle lacks data sets")
	}
	return o
}

// distinct returns the different rows among the chosen ones: how equal examples
// share a multiplier is arbitrary.
func distinct(x [][]float64, rows []int) map[string]bool {
	set := map[string]bool{}
	for _, i := range rows {
		set[fmt.Sprint(x[i])] = true
	}
	return set
}

// scikit-learn keeps rows of the Gram matrix in single precision.
const single = 2e-5

func TestOracleSVC(t *testing.T) {
	for _, o := range readOracle(t).Classification {
		t.Run(o.Name, func(t *testing.T) {
			x := data.Rows(o.X)
			for _, m := range []struct {
				name    string
				machine svm.SVC
				weights []float64
				want    fittedSVC
			}{
				{"RBF", svm.SVC{}, nil, o.RBF},
				{"polynomial", svm.SVC{C: 0.7, Kernel: kernel.PolynomialKernel{Degree: 2, C: 1, Scale: 0.5}}, nil, o.Poly},
				{"linear", svm.SVC{C: 2, Kernel: kernel.LinearKernel{}}, nil, o.Linear},
				{"weighted", svm.SVC{Kernel: kernel.RBF(0.3)}, o.Weights, o.Weighted},
			} {
				s := &m.machine
				s.Tol = 1e-9
				var err error
				if m.weights != nil {
					err = s.FitWeighted(x, o.Y, m.weights)
				} else {
					err = s.Fit(x, o.Y)
				}
				if err != nil {
					t.Fatal(m.name, err)
				}
				if got := s.Predict(x); !slices.Equal(got, m.want.Pred) {
					t.Errorf("%s: predictions differ:\n%v\n%v", m.name, got, m.want.Pred)
				}
				if got, want := distinct(o.X, s.Support), distinct(o.X, m.want.Support); !cmp.Equal(got, want) {
					t.Errorf("%s: support vectors differ:\n%v", m.name, cmp.Diff(want, got))
				}
				few := x.Slice(0, len(m.want.Pairs), 0, len(o.X[0]))
				pairs, scores := s.PairDecision(few), s.Decision(few)
				for i, row := range m.want.Pairs {
					if len(row) > 1 { // of two classes i < j theirs is positive for i
						for k := range row {
							row[k] = -row[k]
						}
					}
					mltest.NearAll(t, m.name+" pairs", pairs.RawRowView(i), row, single)
					mltest.NearAll(t, m.name+" scores", scores.RawRowView(i), m.want.Scores[i], single)
				}
			}
		})
	}
}

func TestOracleLinearSVC(t *testing.T) {
	const tol = 1e-4 // both stop at a violation of 1e-9; the hinge's solution is flat
	for _, o := range readOracle(t).Classification {
		t.Run(o.Name, func(t *testing.T) {
			x := data.Rows(o.X)
			for _, m := range []struct {
				name  string
				hinge bool
				want  fittedLinear
			}{{"squared hinge", false, o.SquaredHinge}, {"hinge", true, o.Hinge}} {
				l := svm.LinearSVC{C: 0.5, Hinge: m.hinge, Tol: 1e-10, MaxIter: 1000000}
				if err := l.Fit(x, o.Y); err != nil || !l.Trace.Converged {
					t.Fatal(m.name, err, l.Trace.Converged)
				}
				for k, row := range m.want.Coef {
					mltest.NearAll(t, m.name, l.Coef.RawRowView(k), row, tol)
				}
				mltest.NearAll(t, m.name+" bias", l.Intercept, m.want.Bias, tol)
				scores := l.Decision(x)
				for i, c := range l.Predict(x) {
					// With w = 0 for most classes the scores tie but for the tolerance.
					row := slices.Sorted(slices.Values(scores.RawRowView(i)))
					if k := len(row); c != m.want.Pred[i] && (k == 1 || row[k-1]-row[k-2] > 1e-3) {
						t.Errorf("%s: row %d is predicted %d, want %d; scores %v", m.name, i, c, m.want.Pred[i], row)
					}
				}
			}
		})
	}
}

func TestOracleSVR(t *testing.T) {
	for _, o := range readOracle(t).Regression {
		t.Run(o.Name, func(t *testing.T) {
			x := data.Rows(o.X)
			for _, m := range []struct {
				name    string
				machine svm.SVR
				want    []float64
				support []int
			}{
				{"RBF", svm.SVR{}, o.SVR.Pred, o.SVR.Support},
				{"linear", svm.SVR{C: 0.5, Epsilon: 0.3, Kernel: kernel.LinearKernel{}}, o.SVRLinear.Pred, o.SVRLinear.Support},
			} {
				m.machine.Tol = 1e-9
				if err := m.machine.Fit(x, o.Y); err != nil {
					t.Fatal(m.name, err)
				}
				mltest.NearAll(t, m.name, m.machine.Predict(x), m.want, single)
				if !slices.Equal(m.machine.Support, m.support) {
					t.Errorf("%s: support vectors differ:\n%v\n%v", m.name, m.machine.Support, m.support)
				}
			}
		})
	}
}
