package linear_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/data"
	"github.com/gokernel/gokernel/mlstd/internal/mltest"
	"github.com/gokernel/gokernel/mlstd/linear"
	"github.com/gokernel/gokernel/mlstd/model"
)

// told holds the results that testdata/oracles/summary.py computed with statsmodels.
type told struct {
	Coef, Err, T, P, Low, High90, Whole []float64
	Pred                                [][]float64 // prediction, standard error, 90 % intervals
}

func TestOracleSummary(t *testing.T) {
	var sets []struct {
		Name                      string
		X                         [][]float64
		Y, W                      []float64
		Plain, Weighted, Through0 told
	}
	mltest.ReadOracle(t, "summary", &sets)
	if len(sets) < 5 {
		t.Fatal("the oracle lacks data sets")
	}
	linears := map[string]regressionSet{}
	for _, r := range readOracle(t).Regression {
		linears[r.Name] = r
	}
	for _, o := range sets {
		if o.X == nil {
			o.X, o.Y = linears[o.Name].X, linears[o.Name].Y
		}
		x := data.Rows(o.X)
		for _, c := range []struct {
			name string
			w    []float64
			m    linear.LinearRegression
			want told
		}{
			{"plain", nil, linear.LinearRegression{}, o.Plain},
			{"weighted", o.W, linear.LinearRegression{}, o.Weighted},
			{"through 0", nil, linear.LinearRegression{NoIntercept: true}, o.Through0},
		} {
			var s *linear.RegressionSummary
			var err error
			if c.w == nil {
				if err = c.m.Fit(x, o.Y); err == nil {
					s, err = c.m.Summary(x, o.Y)
				}
			} else if err = c.m.FitWeighted(x, o.Y, c.w); err == nil {
				s, err = c.m.SummaryWeighted(x, o.Y, c.w)
			}
			if err != nil {
				t.Fatal(o.Name, c.name, err)
			}
			c.want.compare(t, o.Name+" "+c.name, s, x)
		}
	}
}

func (o told) compare(t *testing.T, what string, s *linear.RegressionSummary, x *mat.Dense) {
	t.Helper()
	const tol = 1e-6 // the normal equations of powers and years lose digits
	ninety := s.At(0.9)
	for j, term := range s.Terms {
		mltest.NearAll(t, what+" "+term.Name, []float64{term.Coef, term.StdErr, term.T, term.Low, ninety.Terms[j].High},
			[]float64{o.Coef[j], o.Err[j], o.T[j], o.Low[j], o.High90[j]}, tol)
		if math.Abs(term.P-o.P[j]) > 1e-5*o.P[j]+1e-300 {
			t.Errorf("%s %s: P is %v, want %v", what, term.Name, term.P, o.P[j])
		}
	}
	if len(s.Terms) != len(o.Coef) {
		t.Errorf("%s: got %d terms, want %d", what, len(s.Terms), len(o.Coef))
	}
	mltest.NearAll(t, what, []float64{s.Sigma, s.R2, s.AdjR2, s.F, s.FP, s.LogLikelihood, s.AIC, s.BIC}, o.Whole, tol)
	if math.Abs(s.FP-o.Whole[4]) > 1e-5*o.Whole[4]+1e-300 {
		t.Errorf("%s: P of F is %v, want %v", what, s.FP, o.Whole[4])
	}
	rows := mat.DenseCopyOf(x.Slice(0, 4, 0, x.RawMatrix().Cols))
	rows.Apply(func(_, _ int, v float64) float64 { return v + 1 }, rows)
	for i, p := range ninety.Intervals(rows) {
		mltest.NearAll(t, what+" intervals", []float64{p.Prediction, p.StdErr, p.Low, p.High, p.From, p.To}, o.Pred[i], tol)
	}
}

// Intervals of 90 % cover the true slope in 90 % of samples; for 2000 samples the fraction has a
// standard error of 0.0067.
func TestSummaryCovers(t *testing.T) {
	x, y := mat.NewDense(12, 1, nil), make([]float64, 12)
	rng := model.Rand(8, 0)
	for i := range y {
		x.Set(i, 0, float64(i))
	}
	covered := 0.0
	for range 2000 {
		for i := range y {
			y[i] = 2 + 0.5*float64(i) + rng.NormFloat64()
		}
		var m linear.LinearRegression
		if err := m.Fit(x, y); err != nil {
			t.Fatal(err)
		}
		s, err := m.Summary(x, y)
		if err != nil {
			t.Fatal(err)
		}
		if slope := s.At(0.9).Terms[1]; slope.Low <= 0.5 && 0.5 <= slope.High {
			covered++
		}
	}
	mltest.Near(t, "coverage", covered/2000, 0.9, 0.025)
}

func TestSummaryRefuses(t *testing.T) {
	x, y := mat.NewDense(5, 2, []float64{0, 1, 1, 0, 2, 2, 3, 1, 4, 5}), []float64{1, 2, 2, 5, 3}
	var m linear.LinearRegression
	if err := m.Fit(x, y); err != nil {
		t.Fatal(err)
	}
	twice := mat.NewDense(5, 2, []float64{0, 0, 1, 1, 2, 2, 3, 3, 4, 4})
	var same linear.LinearRegression
	if err := same.Fit(twice, y); err != nil {
		t.Fatal(err)
	}
	for want, f := range map[string]func() (*linear.RegressionSummary, error){
		"not fitted": func() (*linear.RegressionSummary, error) { return (&linear.LinearRegression{}).Summary(x, y) },
		"the coefficients must be the least-squares fit of these":    func() (*linear.RegressionSummary, error) { return m.Summary(x, []float64{5, 4, 3, 2, 1}) },
		"the columns of x must be linearly independent":              func() (*linear.RegressionSummary, error) { return same.Summary(twice, y) },
		"there must be more examples than coefficients, got 3 and 3": func() (*linear.RegressionSummary, error) { return m.Summary(x.Slice(0, 3, 0, 2), y[:3]) },
		"x must have 2 columns, as in Fit, got 1":                    func() (*linear.RegressionSummary, error) { return m.Summary(x.Slice(0, 5, 0, 1), y) },
		"weights must have 5 entries, got 2":                         func() (*linear.RegressionSummary, error) { return m.SummaryWeighted(x, y, []float64{1, 2}) },
	} {
		var e *model.Error
		if _, err := f(); !errors.As(err, &e) || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want an error with %q", err, want)
		}
	}
}

// Models keep the names of the columns that they were fitted to.
func TestColumnsOfModels(t *testing.T) {
	d := data.Diabetes()
	m, r, l, e := &linear.LinearRegression{}, &linear.Ridge{}, &linear.Lasso{}, &linear.ElasticNet{}
	for _, f := range []model.Regressor{m, r, l, e} {
		if err := f.Fit(d.X, d.Target); err != nil {
			t.Fatal(err)
		}
	}
	for _, names := range [][]string{m.Columns, r.Columns, l.Columns, e.Columns} {
		if strings.Join(names, " ") != strings.Join(d.X.ColumnNames(), " ") {
			t.Errorf("got columns %v", names)
		}
	}
	if err := m.Fit(d.X.Dense, d.Target); err != nil || m.Columns != nil {
		t.Errorf("got columns %v of a matrix without names, %v", m.Columns, err)
	}
	iris, c := data.Iris(), &linear.LogisticRegression{}
	if err := c.Fit(iris.X, iris.Y); err != nil || len(c.Columns) != 4 {
		t.Errorf("got columns %v, %v", c.Columns, err)
	}
}

func ExampleLinearRegression_Summary() {
	x := mat.NewDense(6, 1, []float64{1, 2, 3, 4, 5, 6})
	y := []float64{1.1, 2.3, 2.9, 4.2, 4.8, 6.1}
	var m linear.LinearRegression
	if err := m.Fit(x, y); err != nil {
		panic(err)
	}
	s, err := m.Summary(x, y)
	if err != nil {
		panic(err)
	}
	for _, t := range s.Terms {
		fmt.Printf("%-9s %.3f ± %.3f, P %.2g, %.3f to %.3f\n", t.Name, t.Coef, t.StdErr, t.P, t.Low, t.High)
	}
	next := s.Intervals(mat.NewDense(1, 1, []float64{7}))[0]
	fmt.Printf("at 7: %.2f, a new y between %.2f and %.2f\n", next.Prediction, next.From, next.To)
	// Output:
	// intercept 0.187 ± 0.182, P 0.36, -0.318 to 0.692
	// x1        0.966 ± 0.047, P 3.2e-05, 0.836 to 1.095
	// at 7: 6.95, a new y between 6.21 and 7.69
}
