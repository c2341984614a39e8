package linear_test

import (
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/data"
	"github.com/gokernel/gokernel/mlstd/internal/mltest"
	"github.com/gokernel/gokernel/mlstd/internal/pick"
	"github.com/gokernel/gokernel/mlstd/linear"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/modeltest"
	"github.com/gokernel/gokernel/mlstd/optim"
	"github.com/gokernel/gokernel/mlstd/sparse"
)

type descentAnswer struct {
	Coef      [][]float64
	Intercept []float64
	Pred      []int
	Proba     [][]float64
}

type lineAnswer struct {
	Coef      []float64
	Intercept float64
}

// sgdOracle holds the results that testdata/oracles/sgd.py computed with scikit-learn.
type sgdOracle struct {
	Classification []struct {
		Name                                                        string
		X                                                           [][]float64
		Y                                                           []int
		W                                                           []float64
		Log, Hinge, SquaredHinge, L1, Net, Average, Weighted, Parts descentAnswer
	}
	Regression []struct {
		Name                                                      string
		X                                                         [][]float64
		Y, W                                                      []float64
		Squared, Huber, Insensitive, L1, Average, Weighted, Parts lineAnswer
	}
}

func readSGD(t *testing.T) sgdOracle {
	t.Helper()
	var o sgdOracle
	mltest.ReadOracle(t, "sgd", &o)
	if len(o.Classification) < 5 || len(o.Regression) < 5 {
		t.Fatal("the oracle lacks data sets")
	}
	return o
}

// checkDescent is strict except where scikit-learn approximates: it rounds the logistic loss of
// large scores, and applies the l₁ penalty of zeros at another time.
func checkDescent(t *testing.T, name string, m *linear.SGDClassifier, x mat.Matrix, want descentAnswer) {
	t.Helper()
	tol := 1e-9
	switch {
	case m.L1Ratio > 0:
		tol = 1e-5
	case m.Loss == nil:
		tol = 1e-6
	}
	for c, row := range want.Coef {
		mltest.NearAll(t, name+" coefficients", m.Coef.RawRowView(c), row, tol)
	}
	mltest.NearAll(t, name+" intercepts", m.Intercept, want.Intercept, tol)
	if !slices.Equal(m.Predict(x), want.Pred) {
		t.Errorf("%s: other predictions", name)
	}
	if len(want.Proba) > 0 {
		p := m.PredictProba(x)
		for i, row := range want.Proba {
			mltest.NearAll(t, name+" probabilities", p.RawRowView(i), row, tol)
		}
	}
}

func TestOracleSGDClassifier(t *testing.T) {
	for _, o := range readSGD(t).Classification {
		x := data.Rows(o.X)
		for key, c := range map[string]struct {
			m    linear.SGDClassifier
			w    []float64
			want descentAnswer
		}{
			"log":          {linear.SGDClassifier{}, nil, o.Log},
			"hinge":        {linear.SGDClassifier{Loss: optim.HingeLoss{}, Lambda: 0.01}, nil, o.Hinge},
			"squaredHinge": {linear.SGDClassifier{Loss: optim.SquaredHingeLoss{}, Rate: optim.ConstantRate(0.01)}, nil, o.SquaredHinge},
			"l1":           {linear.SGDClassifier{Lambda: 0.02, L1Ratio: 1, Rate: optim.ConstantRate(0.05)}, nil, o.L1},
			"net":          {linear.SGDClassifier{Loss: optim.HingeLoss{}, Lambda: 0.05, L1Ratio: 0.3, Rate: optim.InverseSqrtRate(0.1)}, nil, o.Net},
			"average":      {linear.SGDClassifier{Lambda: 0.01, Average: true}, nil, o.Average},
			"weighted":     {linear.SGDClassifier{Lambda: 0.001, NoIntercept: true}, o.W, o.Weighted},
		} {
			for _, x := range []mat.Matrix{x, sparse.FromDense(x)} {
				m := c.m
				m.NoShuffle, m.Epochs, m.Tol = true, 4, 1e-300
				err := m.Fit(x, o.Y)
				if c.w != nil {
					err = m.FitWeighted(x, o.Y, c.w)
				}
				if err != nil {
					t.Fatal(err)
				}
				checkDescent(t, o.Name+" "+key, &m, x, c.want)
			}
		}
		parts := &linear.SGDClassifier{Known: o.Y}
		for _, part := range [][2]int{{0, 30}, {30, 50}, {50, 70}} {
			if err := parts.PartialFit(x.Slice(part[0], part[1], 0, 4+min(2, len(o.X[0])-4)), o.Y[part[0]:part[1]]); err != nil {
				t.Fatal(err)
			}
		}
		checkDescent(t, o.Name+" parts", parts, x, o.Parts)
	}
}

func TestOracleSGDRegressor(t *testing.T) {
	for _, o := range readSGD(t).Regression {
		x := data.Rows(o.X)
		for key, c := range map[string]struct {
			m    linear.SGDRegressor
			w    []float64
			want lineAnswer
		}{
			"squared":     {linear.SGDRegressor{}, nil, o.Squared},
			"huber":       {linear.SGDRegressor{Loss: optim.HuberLoss{Delta: 0.3}, Lambda: 0.01}, nil, o.Huber},
			"insensitive": {linear.SGDRegressor{Loss: optim.EpsilonInsensitiveLoss{Epsilon: 0.1}, Rate: optim.ConstantRate(0.02)}, nil, o.Insensitive},
			"l1":          {linear.SGDRegressor{Lambda: 0.05, L1Ratio: 1}, nil, o.L1},
			"average":     {linear.SGDRegressor{Average: true, Rate: optim.ConstantRate(0.05)}, nil, o.Average},
			"weighted":    {linear.SGDRegressor{Lambda: 0.1, NoIntercept: true}, o.W, o.Weighted},
		} {
			m := c.m
			m.NoShuffle, m.Epochs, m.Tol = true, 4, 1e-300
			err := m.Fit(x, o.Y)
			if c.w != nil {
				err = m.FitWeighted(x, o.Y, c.w)
			}
			if err != nil {
				t.Fatal(err)
			}
			tol := 1e-9
			if m.L1Ratio > 0 {
				tol = 1e-5
			}
			mltest.NearAll(t, o.Name+" "+key, m.Coef, c.want.Coef, tol)
			mltest.Near(t, o.Name+" "+key+" intercept", m.Intercept, c.want.Intercept, tol)
		}
		parts := &linear.SGDRegressor{}
		for _, part := range [][2]int{{0, 20}, {20, 25}, {25, 50}} {
			var list []int
			for i := part[0]; i < part[1]; i++ {
				list = append(list, i)
			}
			if err := parts.PartialFit(pick.Rows(x, list), pick.Of(o.Y, list)); err != nil {
				t.Fatal(err)
			}
		}
		mltest.NearAll(t, o.Name+" parts", parts.Coef, o.Parts.Coef, 1e-9)
		mltest.Near(t, o.Name+" parts intercept", parts.Intercept, o.Parts.Intercept, 1e-9)
	}
}

// The averaged weights are the mean of the weights after each example, even if the weights shrink
// so much that their scale is folded in.
func TestAverageOfWeights(t *testing.T) {
	x, y, _ := thin(60, 6, 3)
	rate := optim.ConstantRate(0.05)
	for _, lambda := range []float64{0.1, 19} {
		sum, bSum := make([]float64, 6), 0.0
		step := &linear.SGDRegressor{Lambda: lambda, Rate: rate}
		all := &linear.SGDRegressor{Lambda: lambda, Rate: rate, Average: true}
		for i := range y {
			if err := step.PartialFit(x.Rows([]int{i}), y[i:i+1]); err != nil {
				t.Fatal(err)
			}
			for j, v := range step.Coef {
				sum[j] += v / float64(len(y))
			}
			bSum += step.Intercept / float64(len(y))
		}
		if err := all.PartialFit(x, y); err != nil {
			t.Fatal(err)
		}
		mltest.NearAll(t, fmt.Sprint("mean of the weights, λ = ", lambda), all.Coef, sum, 1e-9)
		mltest.Near(t, "mean of the intercept", all.Intercept, bSum, 1e-9)
	}
}

func TestSGDConformance(t *testing.T) {
	rowOrder := map[string]string{"row permutation": "the order of the examples decides the path"}
	t.Run("SGDClassifier", func(t *testing.T) {
		modeltest.Classifier(t, func() model.Classifier { return &linear.SGDClassifier{} }, modeltest.Options{Skip: rowOrder})
	})
	t.Run("hinge", func(t *testing.T) {
		modeltest.Classifier(t, func() model.Classifier {
			return &hinged{linear.SGDClassifier{Loss: optim.HingeLoss{}, Average: true, L1Ratio: 0.2}}
		}, modeltest.Options{Skip: rowOrder})
	})
	t.Run("SGDRegressor", func(t *testing.T) {
		modeltest.Regressor(t, func() model.Regressor { return &linear.SGDRegressor{Rate: optim.PowerRate{A: 0.001}} }, modeltest.Options{Skip: map[string]string{
			"row permutation": rowOrder["row permutation"], "constant target": "it comes as near as Tol asks", "target scale": "large targets are fitted more closely, since Tol is absolute for them"}})
	})
}

// hinged returns a support vector machine, which has no probabilities.
type hinged struct{ m linear.SGDClassifier }

func (h *hinged) Fit(x mat.Matrix, y []int) error { return h.m.Fit(x, y) }
func (h *hinged) Predict(x mat.Matrix) []int      { return h.m.Predict(x) }

func TestSGDRefusals(t *testing.T) {
	x := mat.NewDense(4, 2, []float64{1, 2, 2, 1, 3, 4, 4, 3})
	y := []int{0, 1, 0, 1}
	going := &linear.SGDClassifier{}
	if err := going.PartialFit(x, y); err != nil {
		t.Fatal(err)
	}
	coef := mat.DenseCopyOf(going.Coef)
	for want, f := range map[string]func() error{
		"y[2] must be a class of the first batch, got 7":                   func() error { return going.PartialFit(x, []int{0, 1, 7, 1}) },
		"x must have 2 columns, as in the earlier batches, got 1":          func() error { return going.PartialFit(x.Slice(0, 4, 0, 1), y) },
		"the first batch must have at least two classes, got only class 1": func() error { return (&linear.SGDClassifier{}).PartialFit(x, []int{1, 1, 1, 1}) },
		"Known must list at least two classes, or be nil, got 1":           func() error { return (&linear.SGDClassifier{Known: []int{1}}).Fit(x, y) },
		"y[0] must be one of the classes in Known, got 0":                  func() error { return (&linear.SGDClassifier{Known: []int{1, 2}}).Fit(x, y) },
		"Rate must be set if there is no penalty":                          func() error { return (&linear.SGDClassifier{Lambda: model.Zero}).Fit(x, y) },
		"L1Ratio must be between 0 and 1, got 2":                           func() error { return (&linear.SGDRegressor{L1Ratio: 2}).Fit(x, []float64{1, 2, 3, 4}) },
		"Lambda must be finite and not negative, got -1":                   func() error { return (&linear.SGDRegressor{Lambda: -1}).Fit(x, []float64{1, 2, 3, 4}) },
		"the weights overflowed": func() error {
			return (&linear.SGDRegressor{Rate: optim.ConstantRate(1e10)}).Fit(x, []float64{1, 2, 3, 4})
		},
	} {
		if err := f(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	if !mat.Equal(coef, going.Coef) {
		t.Error("a batch that was refused changed the model")
	}
	defer func() {
		if r := recover(); r == nil || !strings.Contains(fmt.Sprint(r), "Calibrated") {
			t.Errorf("probabilities of the hinge loss: %v", r)
		}
	}()
	h := &linear.SGDClassifier{Loss: optim.HingeLoss{}}
	if err := h.Fit(x, y); err != nil {
		t.Fatal(err)
	}
	h.PredictProba(x)
}

// The cost of learning a wide sparse x is proportional to its nonzero entries.
func TestSGDStaysSparse(t *testing.T) {
	x, y, _ := thin(1000, 200000, 10)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	m := &linear.SGDClassifier{}
	if err := m.Fit(x, signs(y, 2)); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	if took := after.TotalAlloc - before.TotalAlloc; took > 100<<20 {
		t.Errorf("it takes %d MB", took>>20)
	}
	right := 0
	for i, k := range m.Predict(x) {
		if k == signs(y, 2)[i] {
			right++
		}
	}
	if right < 950 || math.IsNaN(m.Intercept[0]) {
		t.Errorf("%d of 1000 are right", right)
	}
}

func ExampleSGDClassifier() {
	d := data.BreastCancer()
	m := &linear.SGDClassifier{Known: []int{0, 1}}
	scale := func(x mat.Matrix) *mat.Dense { // columns of about one size, known beforehand
		z := mat.DenseCopyOf(x)
		z.Apply(func(_, j int, v float64) float64 { return v / (1 + mat.Max(d.X.ColView(j))) }, z)
		return z
	}
	for at := 0; at < d.Len(); at += 100 { // as if the batches came one by one
		to := min(at+100, d.Len())
		if err := m.PartialFit(scale(d.X.Slice(at, to, 0, 30)), d.Y[at:to]); err != nil {
			fmt.Println(err)
			return
		}
	}
	right := 0
	for i, k := range m.Predict(scale(d.X)) {
		if k == d.Y[i] {
			right++
		}
	}
	fmt.Printf("%d of %d after one pass\n", right, d.Len())
	// Output: 546 of 569 after one pass
}

func ExampleSGDRegressor() {
	x := mat.NewDense(4, 1, []float64{-1, 0, 1, 2})
	m := &linear.SGDRegressor{Rate: optim.ConstantRate(0.1), Lambda: model.Zero, Tol: 1e-12}
	if err := m.Fit(x, []float64{-1, 1, 3, 5}); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("y = %.2f x + %.2f\n", m.Coef[0], m.Intercept)
	// Output: y = 2.00 x + 1.00
}

// The stopping rule is a fraction of the loss, so that targets in small units are learned.
func TestSGDRegressorOnSmallTargets(t *testing.T) {
	x, y := mat.NewDense(200, 2, nil), make([]float64, 200)
	rng := model.Rand(3, 0)
	for i := range y {
		x.SetRow(i, []float64{rng.NormFloat64(), rng.NormFloat64()})
		y[i] = (3*x.At(i, 0) - x.At(i, 1)) * 1e-9
	}
	m := &linear.SGDRegressor{}
	if err := m.Fit(x, y); err != nil {
		t.Fatal(err)
	}
	for j, want := range []float64{3e-9, -1e-9} {
		if math.Abs(m.Coef[j]-want) > 0.05e-9 {
			t.Errorf("coefficient %d is %g, want %g", j, m.Coef[j], want)
		}
	}
}
