package nn_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/data"
	"github.com/gokernel/gokernel/mlstd/internal/mltest"
	"github.com/gokernel/gokernel/mlstd/nn"
	"github.com/gokernel/gokernel/mlstd/optim"
	"github.com/gokernel/gokernel/mlstd/persist"
)

// mixedIris are the irises in an order that mixes the classes.
func mixedIris() (*mat.Dense, []int) {
	iris := data.Iris()
	x, y := mat.NewDense(150, 4, nil), make([]int, 150)
	for i := range 150 {
		from := i/3 + 50*(i%3)
		x.SetRow(i, mat.Row(nil, from, iris.X))
		y[i] = iris.Y[from]
	}
	return x, y
}

func flatten(coef []*mat.Dense, intercept [][]float64) []float64 {
	var all []float64
	for i, c := range coef {
		all = append(append(all, c.RawMatrix().Data...), intercept[i]...)
	}
	return all
}

// With all examples in each step their order does not matter, but for rounding: an epoch
// of Fit is a batch of PartialFit.
func TestPartialFitIsAnEpoch(t *testing.T) {
	x, y := mixedIris()
	real := make([]float64, len(y))
	for i := range y {
		real[i] = x.At(i, 3) + 0.5*float64(y[i])
	}
	for name, optimizer := range map[string]nn.Optimizer{"Adam": nil, "momentum": nn.Momentum{Alpha: 0.9}, "AdaGrad": nn.AdaGrad{}} {
		classifier := func(epochs int) *nn.MLPClassifier {
			return &nn.MLPClassifier{Hidden: []int{6, 5}, Activation: nn.TanhUnits, Optimizer: optimizer, Batch: 150, Epochs: epochs, Lambda: 1e-3, Seed: 5}
		}
		whole, parts, after := classifier(4), classifier(1), classifier(2)
		must(t, whole.Fit(x, y))
		must(t, after.Fit(x, y))
		for i := range 4 {
			must(t, parts.PartialFit(x, y))
			if i < 2 {
				must(t, after.PartialFit(x, y))
			}
		}
		want := flatten(whole.Coef, whole.Intercept)
		mltest.NearAll(t, name+", four batches", flatten(parts.Coef, parts.Intercept), want, 1e-9)
		mltest.NearAll(t, name+", batches after Fit", flatten(after.Coef, after.Intercept), want, 1e-9)
		mltest.NearAll(t, name+", the losses", parts.Trace.Loss, whole.Trace.Loss, 1e-9)

		regressor := func(epochs int) *nn.MLPRegressor {
			return &nn.MLPRegressor{Hidden: []int{7}, Optimizer: optimizer, Rate: nil, Batch: 150, Epochs: epochs, Seed: 2}
		}
		all, some := regressor(3), regressor(1)
		must(t, all.Fit(x, real))
		for range 3 {
			must(t, some.PartialFit(x, real))
		}
		mltest.NearAll(t, name+", regression", flatten(some.Coef, some.Intercept), flatten(all.Coef, all.Intercept), 1e-9)
	}
}

// A Trainer that takes the examples in their order is the same arithmetic.
func TestPartialFitIsATrainer(t *testing.T) {
	x, y := mixedIris()
	target := mat.NewDense(150, 3, nil)
	for i, k := range y {
		target.Set(i, k, 1)
	}
	net := &nn.Network{Shape: []int{4}, Seed: 9, Layers: []nn.Layer{&nn.Dense{Units: 8, Activation: nn.ReLU}, &nn.Dense{Units: 3}}}
	if _, err := (&nn.Trainer{Loss: nn.SoftmaxEntropy, NoShuffle: true, Batch: 16, Epochs: 1, Seed: 9}).Train(net, x, target); err != nil {
		t.Fatal(err)
	}
	m := &nn.MLPClassifier{Hidden: []int{8}, Batch: 16, Seed: 9}
	must(t, m.PartialFit(x.Slice(0, 64, 0, 4), y[:64]))
	// A saved model continues as one that was not saved.
	var file bytes.Buffer
	must(t, persist.Save(&file, m))
	loaded, err := persist.Load(&file)
	must(t, err)
	m = loaded.(*nn.MLPClassifier)
	must(t, m.PartialFit(x.Slice(64, 150, 0, 4), y[64:]))
	if got, want := flatten(m.Coef, m.Intercept), flatten(net.Weights(), net.Intercepts()); !slices.Equal(got, want) {
		t.Errorf("the weights are\n%v, want\n%v", got, want)
	}
}

func TestPartialFitRefuses(t *testing.T) {
	x, y := mixedIris()
	m := &nn.MLPClassifier{Hidden: []int{4}, Seed: 1}
	must(t, m.PartialFit(x, y))
	before := flatten(m.Coef, m.Intercept)
	for _, c := range []struct {
		what string
		x    mat.Matrix
		y    []int
		want string
	}{
		{"another width", x.Slice(0, 10, 0, 3), y[:10], "3"},
		{"a new class", x.Slice(0, 2, 0, 4), []int{1, 7}, "7"},
		{"lengths", x, y[:3], "entries (the number of rows of x), got 3"},
	} {
		if err := m.PartialFit(c.x, c.y); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.what, err, c.want)
		}
	}
	m.Optimizer, m.Rate = nn.Momentum{}, optim.ConstantRate(1e308)
	if err := m.PartialFit(x, y); err == nil || !strings.Contains(err.Error(), "the loss must be finite, got") {
		t.Errorf("weights that overflow: %v", err)
	}
	if !slices.Equal(flatten(m.Coef, m.Intercept), before) {
		t.Error("the model is another after an error")
	}
	if err := (&nn.MLPClassifier{}).PartialFit(x.Slice(0, 1, 0, 4), y[:1]); err == nil || !strings.Contains(err.Error(), "Known") {
		t.Errorf("one class in the first batch: %v", err)
	}
	if err := (&nn.MLPClassifier{Known: []int{}}).PartialFit(x, y); err == nil || !strings.Contains(err.Error(), "Known must list at least two classes, or be nil, got 0") {
		t.Errorf("an empty list of classes: %v", err)
	}
	known := &nn.MLPClassifier{Hidden: []int{4}, Known: []int{2, 0, 1}}
	must(t, known.PartialFit(x.Slice(0, 1, 0, 4), y[:1]))
	must(t, known.PartialFit(x, y))
	if !slices.Equal(known.Classes(), []int{0, 1, 2}) {
		t.Errorf("the classes are %v", known.Classes())
	}
	r := &nn.MLPRegressor{Hidden: []int{4}}
	must(t, r.PartialFit(x, make([]float64, 150)))
	if err := r.PartialFit(x.Slice(0, 9, 0, 2), make([]float64, 9)); err == nil || !strings.Contains(err.Error(), "x must have 4 columns, as in the earlier batches, got 2") {
		t.Errorf("a regressor, another width: %v", err)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
