package linear_test

import (
	"fmt"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/data"
	"github.com/gokernel/gokernel/mlstd/internal/mltest"
	"github.com/gokernel/gokernel/mlstd/linear"
	"github.com/gokernel/gokernel/mlstd/model"
)

// With small units the curvature of a column comes only from the penalty: the fit must neither take
// many steps nor stop early. The oracle is Newton's method.
func TestOracleUnits(t *testing.T) {
	for _, o := range readOracle(t).Units {
		t.Run(fmt.Sprint(o.Name, o.Size), func(t *testing.T) {
			var x *mat.Dense
			y := o.Y
			switch o.Name {
			case "four":
				x = data.Rows(o.X)
			case "wine":
				d := data.Wine()
				x, y = mat.DenseCopyOf(d.X), d.Y
			case "iris":
				d := data.Iris()
				x, y = mat.DenseCopyOf(d.X), d.Y
			case "cancer":
				d := data.BreastCancer()
				rows := (len(d.Y) + 3) / 4
				x, y = mat.NewDense(rows, 30, nil), make([]int, rows)
				for i := range y {
					x.SetRow(i, mat.Row(nil, 4*i, d.X))
					y[i] = d.Y[4*i]
				}
			}
			for i := range y {
				for j, s := range o.Size {
					x.Set(i, j, x.At(i, j)*s)
				}
			}
			m := &linear.LogisticRegression{}
			if err := m.Fit(x, y); err != nil {
				t.Fatal(err)
			}
			t.Log(len(m.Trace.Loss), m.Trace.Converged)
			if steps := len(m.Trace.Loss); !m.Trace.Converged || steps > 200 {
				t.Errorf("%d steps, converged: %v", steps, m.Trace.Converged)
			}
			p := m.PredictProba(x)
			for i, row := range o.Proba {
				mltest.NearAll(t, "probabilities", p.RawRowView(5*i), row, 1e-6)
			}
		})
	}
}

// The maximum of the likelihood, and the standard errors, follow the units and the zero
// of a column.
func TestLogisticMLEUnits(t *testing.T) {
	x := mat.NewDense(8, 2, []float64{-2, 1, -1.5, 0, -1, 1, -0.5, 1, 0.5, 0, 1, 1, 1.5, 0, 2, 0})
	y := []int{0, 0, 1, 0, 1, 0, 1, 1}
	plain := &linear.LogisticMLE{}
	if err := plain.Fit(x, y); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ size, shift float64 }{{1, 1e4}, {1e7, 0}, {1e-7, 0}, {1e-7, 3}, {1e7, 1e9}, {1e150, 0}} {
		z := mat.DenseCopyOf(x)
		for i := range y {
			z.Set(i, 0, x.At(i, 0)*c.size+c.shift)
		}
		m := &linear.LogisticMLE{}
		if err := m.Fit(z, y); err != nil {
			t.Errorf("%v: %v", c, err)
			continue
		}
		what := fmt.Sprintf("column·%g + %g: ", c.size, c.shift)
		mltest.NearAll(t, what+"coefficients", []float64{m.Coef[0] * c.size, m.Coef[1]}, plain.Coef, 1e-7)
		mltest.Near(t, what+"intercept", m.Intercept+m.Coef[0]*c.shift, plain.Intercept, 1e-7)
		mltest.NearAll(t, what+"standard errors", []float64{m.StdErr[0] * c.size, m.StdErr[1]}, plain.StdErr[:2], 1e-7)
		mltest.Near(t, what+"log-likelihood", m.LogLikelihood, plain.LogLikelihood, 1e-9)
	}
}

// The error names a problem that cannot be fitted.
func TestLogisticMLERefusals(t *testing.T) {
	y := []int{0, 0, 0, 1, 1, 1}
	for name, c := range map[string]struct {
		x    *mat.Dense
		want string
	}{
		"separable":             {mat.NewDense(6, 1, []float64{1, 2, 3, 4, 5, 6}), "the classes must overlap: they are linearly separable, so"},
		"all but the boundary":  {mat.NewDense(6, 1, []float64{1, 2, 4, 4, 5, 6}), "the classes must overlap: they are linearly separable, so"},
		"a column twice":        {mat.NewDense(6, 2, []float64{1, 1, 5, 5, 3, 3, 4, 4, 2, 2, 6, 6}), "the columns of x must be linearly independent"},
		"a constant":            {mat.NewDense(6, 2, []float64{1, 7, 5, 7, 3, 7, 4, 7, 2, 7, 6, 7}), "the columns of x must be linearly independent"},
		"more columns than may": {mat.NewDense(6, 7, nil), "the columns of x must be linearly independent"},
	} {
		err := (&linear.LogisticMLE{}).Fit(c.x, y)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", name, err, c.want)
		}
	}
}

// A fit does not report convergence if the likelihood has no maximum: neither if the classes are
// separable, nor if all examples but some ties are.
func TestNoMaximumIsNotConverged(t *testing.T) {
	four := mat.NewDense(4, 1, []float64{-2, -1, 1, 2})
	far := mat.NewDense(4, 1, []float64{1e9 - 2, 1e9 - 1, 1e9 + 1, 1e9 + 2})
	ties := mat.NewDense(6, 1, []float64{-2, -1, 0, 0, 1, 2})
	mixed := mat.NewDense(6, 1, []float64{-2, 1, -1, 1, -3, 4})
	three := mat.NewDense(6, 1, []float64{-2, -1, 0, 1, 8, 9})
	overlap := mat.NewDense(6, 1, []float64{-2, 2, 0, 1, -1, 9})
	for _, c := range []struct {
		name string
		x    *mat.Dense
		y    []int
		want bool
	}{
		{"separable", four, []int{0, 0, 1, 1}, false},
		{"separable, far from 0", far, []int{0, 0, 1, 1}, false},
		{"separable but for ties", ties, []int{0, 0, 0, 1, 1, 1}, false},
		{"overlapping", mixed, []int{0, 0, 1, 1, 0, 1}, true},
		{"three, separable", three, []int{0, 0, 1, 1, 2, 2}, false},
		{"three, overlapping", overlap, []int{0, 0, 1, 1, 2, 2}, true},
	} {
		for name, m := range map[string]struct {
			fit   model.Classifier
			trace func(m model.Classifier) model.Trace
		}{
			"logistic": {&linear.LogisticRegression{NoPenalty: true}, func(m model.Classifier) model.Trace { return m.(*linear.LogisticRegression).Trace }},
			"softmax":  {&linear.SoftmaxRegression{NoPenalty: true}, func(m model.Classifier) model.Trace { return m.(*linear.SoftmaxRegression).Trace }},
			"entropy":  {&linear.MaxEntropy{}, func(m model.Classifier) model.Trace { return m.(*linear.MaxEntropy).Trace }},
		} {
			if err := m.fit.Fit(c.x, c.y); err != nil {
				t.Fatal(err)
			}
			if got := m.trace(m.fit).Converged; got != c.want {
				t.Errorf("%s, %s: Converged is %v after %d steps", c.name, name, got, len(m.trace(m.fit).Loss))
			}
		}
		with := &linear.LogisticRegression{C: 10}
		if err := with.Fit(c.x, c.y); err != nil || !with.Trace.Converged {
			t.Errorf("%s, with a penalty: converged %v, %v", c.name, with.Trace.Converged, err)
		}
	}
}

// Iterative scaling converges to the same model in any units, and does not report convergence if
// there is no maximum.
func TestIterativeScalingUnits(t *testing.T) {
	x := mat.NewDense(6, 2, []float64{1, 2, 3, 1, 2, 2, 4, 1, 1, 3, 3, 3})
	y := []int{0, 1, 0, 0, 1, 1}
	var want *linear.MaxEntropy
	for _, size := range []float64{1, 1e-6, 1e6} {
		z := mat.DenseCopyOf(x)
		for i := range y {
			z.Set(i, 0, x.At(i, 0)*size)
		}
		m := &linear.MaxEntropy{IterativeScaling: true, MaxIter: 50000, Tol: 1e-8}
		if err := m.Fit(z, y); err != nil {
			t.Fatal(err)
		}
		if !m.Trace.Converged {
			t.Errorf("unit %g: not converged", size)
		}
		if want == nil {
			want = m
			exact := &linear.MaxEntropy{}
			if err := exact.Fit(x, y); err != nil {
				t.Fatal(err)
			}
			mltest.NearAll(t, "the dual", m.PredictProba(x).RawMatrix().Data, exact.PredictProba(x).RawMatrix().Data, 1e-5)
			continue
		}
		mltest.NearAll(t, fmt.Sprint("unit ", size), m.PredictProba(z).RawMatrix().Data, want.PredictProba(x).RawMatrix().Data, 1e-9)
	}
	apart := &linear.MaxEntropy{IterativeScaling: true, MaxIter: 5000}
	if err := apart.Fit(mat.NewDense(4, 1, []float64{0, 1, 3, 4}), []int{0, 0, 1, 1}); err != nil {
		t.Fatal(err)
	}
	if apart.Trace.Converged {
		t.Error("separable classes: converged")
	}
	never := &linear.MaxEntropy{IterativeScaling: true}
	if err := never.Fit(mat.NewDense(4, 2, []float64{0, 1, 1, 1, 0, 1, 0, 1}), []int{0, 0, 1, 1}); err != nil {
		t.Fatal(err)
	}
	if never.Trace.Converged {
		t.Error("a feature that never occurs with a class: converged")
	}
}

// Weights act as copies of examples, in any units, if the penalty has the same units.
func TestSoftmaxWeights(t *testing.T) {
	x := mat.NewDense(7, 2, []float64{0, 1, 1, 0, 2, 2, 1, 3, 0, 0, 3, 1, 2, 0})
	y := []int{0, 1, 2, 0, 1, 2, 0}
	weights := []float64{1, 2, 0, 3, 1, 1, 2}
	var rows []float64
	var labels []int
	for i, w := range weights {
		for range int(w) {
			rows, labels = append(rows, x.RawRowView(i)...), append(labels, y[i])
		}
	}
	a, b := &linear.SoftmaxRegression{}, &linear.SoftmaxRegression{}
	if err := a.FitWeighted(x, y, weights); err != nil {
		t.Fatal(err)
	}
	if err := b.Fit(mat.NewDense(len(labels), 2, rows), labels); err != nil {
		t.Fatal(err)
	}
	mltest.NearAll(t, "coefficients", a.Coef.RawMatrix().Data, b.Coef.RawMatrix().Data, 1e-7)
	mltest.NearAll(t, "intercepts", a.Intercept, b.Intercept, 1e-7)
	if err := a.FitWeighted(x, y, nil); err == nil {
		t.Error("no weights were accepted")
	}
}
