package nn_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/data"
	"github.com/gokernel/gokernel/mlstd/eval"
	"github.com/gokernel/gokernel/mlstd/internal/mltest"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/modeltest"
	"github.com/gokernel/gokernel/mlstd/nn"
	"github.com/gokernel/gokernel/mlstd/prep"
)

func TestNetworkConformance(t *testing.T) {
	t.Run("NetworkClassifier", func(t *testing.T) {
		modeltest.Classifier(t, func() model.Classifier {
			return &nn.NetworkClassifier{Epochs: 20, Rate: quick, Patience: 3, New: func() []nn.Layer {
				return []nn.Layer{&nn.Dense{Units: 6, Activation: nn.ReLU}, &nn.BatchNorm{}}
			}}
		}, modeltest.Options{Skip: ordered})
	})
	t.Run("NetworkRegressor", func(t *testing.T) {
		modeltest.Regressor(t, func() model.Regressor {
			return &nn.NetworkRegressor{Epochs: 300, Rate: nn.CosineRate{A: 0.05, Steps: 600}, New: func() []nn.Layer {
				return []nn.Layer{&nn.Dense{Units: 8, Activation: nn.ReLU}}
			}}
		}, modeltest.Options{Skip: withSkip(ordered, "target scale", "the first weights are drawn for targets of about 1")})
	})
}

// Without New it is the MLPClassifier of one layer, weight by weight.
func TestNetworkClassifierIsMLP(t *testing.T) {
	d := data.Iris()
	a, b := &nn.NetworkClassifier{Epochs: 10, Seed: 3, Lambda: 1e-3}, &nn.MLPClassifier{Epochs: 10, Seed: 3, Lambda: 1e-3}
	if err := errors.Join(a.Fit(d.X, d.Y), b.Fit(d.X, d.Y)); err != nil {
		t.Fatal(err)
	}
	mltest.NearAll(t, "probabilities", a.PredictProba(d.X).RawMatrix().Data, b.PredictProba(d.X).RawMatrix().Data, 1e-12)
	r, s := &nn.NetworkRegressor{Epochs: 10, Seed: 3}, &nn.MLPRegressor{Epochs: 10, Seed: 3}
	y := slices.Clone(mat.Col(nil, 2, d.X))
	if err := errors.Join(r.Fit(d.X, y), s.Fit(d.X, y)); err != nil {
		t.Fatal(err)
	}
	mltest.NearAll(t, "predictions", r.Predict(d.X), s.Predict(d.X), 1e-12)
}

// filters is a small network for the pictures of the digits.
func filters() []nn.Layer {
	return []nn.Layer{&nn.Conv2D{Filters: 8, Activation: nn.ReLU}, &nn.MaxPool{}, &nn.Dropout{Share: 0.1}}
}

// A convolutional network after a scaler, with its batch size chosen by validation.
func TestNetworkInPipelineAndSearch(t *testing.T) {
	d := data.Digits()
	x, y := d.X.Slice(0, 600, 0, 64), d.Y[:600]
	s := &eval.Search{
		New: func(p eval.Params) model.Classifier {
			return &eval.Pipeline{Steps: []model.Transformer{&prep.MinMaxScaler{}}, Model: &nn.NetworkClassifier{
				Shape: []int{8, 8, 1}, New: filters, Epochs: 8, Rate: quick, Batch: int(p["batch"]), Single: true,
			}}
		},
		Points: eval.GridPoints(map[string][]float64{"batch": {16, 600}}),
		Split:  eval.ShuffleSplit{Repeats: 1, Seed: 1},
	}
	if err := s.Fit(x, y); err != nil {
		t.Fatal(err)
	}
	if s.Best["batch"] != 16 {
		t.Errorf("8 steps in all won over 8 epochs of small batches: %v", s.Candidates)
	}
	if got := eval.Accuracy(d.Y[1000:1400], s.Predict(d.X.Slice(1000, 1400, 0, 64))); got < 0.9 {
		t.Errorf("accuracy on other digits is %v", got)
	}
}

func TestNetworkOutputsAtOnce(t *testing.T) {
	d := data.Digits()
	m := &nn.NetworkClassifier{Shape: []int{8, 8, 1}, New: filters, Epochs: 1}
	if err := m.Fit(d.X, d.Y); err != nil {
		t.Fatal(err)
	}
	want := m.Predict(d.X)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			if !slices.Equal(m.Predict(d.X), want) {
				t.Error("predictions at the same time differ")
			}
		})
	}
	wg.Wait()
}

func TestNetworkRefuses(t *testing.T) {
	d := data.Iris()
	shared := &nn.Dense{Units: 3}
	for name, m := range map[string]*nn.NetworkClassifier{
		"shape": {Shape: []int{2, 3}},
		"nil":   {New: func() []nn.Layer { return []nn.Layer{nil} }},
		"fit":   {New: func() []nn.Layer { return []nn.Layer{&nn.LSTM{Units: 3}} }},
		"held":  {Patience: 2, Held: 1},
	} {
		var e *model.Error
		if err := m.Fit(d.X, d.Y); !errors.As(err, &e) {
			t.Errorf("%s: got %v, want a *model.Error", name, err)
		}
	}
	m := &nn.NetworkClassifier{Epochs: 1, New: func() []nn.Layer { return []nn.Layer{shared} }}
	if err := m.Fit(d.X, d.Y); err != nil {
		t.Fatal(err)
	}
	if err := m.Fit(d.X, d.Y); err == nil {
		t.Error("the layers of one fit were taken for another")
	}
}

// Products with six digits train to the same loss, up to rounding.
func TestSinglePrecision(t *testing.T) {
	d := data.Digits()
	double, single := &nn.MLPClassifier{Hidden: []int{40, 20}, Epochs: 5, Seed: 1}, &nn.MLPClassifier{Hidden: []int{40, 20}, Epochs: 5, Seed: 1, Single: true}
	if err := errors.Join(double.Fit(d.X, d.Y), single.Fit(d.X, d.Y)); err != nil {
		t.Fatal(err)
	}
	equal := true
	for i, v := range double.Trace.Loss {
		equal = equal && v == single.Trace.Loss[i]
		if math.Abs(v-single.Trace.Loss[i]) > 1e-2*v {
			t.Errorf("the loss after epoch %d is %v, in double precision %v", i+1, single.Trace.Loss[i], v)
		}
	}
	if equal {
		t.Error("Single changed nothing")
	}
	if p, q := double.Decision(d.X), double.Network().Output(d.X); !mat.Equal(p, q) {
		t.Error("the rows that go through all layers together differ from those that go layer by layer")
	}
	exact := single.Network().Output(d.X) // in double precision
	if p := single.Decision(d.X); mat.Equal(p, exact) || !mat.EqualApprox(p, exact, 1e-4) {
		t.Error("the outputs are not in single precision")
	}
	net := &nn.Network{Shape: []int{6, 6, 1}, Single: true, Layers: []nn.Layer{&nn.Conv2D{Filters: 3, Activation: nn.TanhUnits}, nn.Flatten{}, &nn.Dense{Units: 2}}}
	worst, err := net.GradientCheck(random(5, 36, 1), random(5, 2, 2), nn.SquaredOutputs)
	if err != nil || worst > 0.1 || worst < 1e-9 {
		t.Errorf("the gradient is off by %v, %v", worst, err)
	}
}

func ExampleNetworkClassifier() {
	d := data.Digits()
	m := &nn.NetworkClassifier{
		Shape: []int{8, 8, 1}, Epochs: 15, Seed: 1,
		New: func() []nn.Layer {
			return []nn.Layer{&nn.Conv2D{Filters: 8, Activation: nn.ReLU}, &nn.MaxPool{}}
		},
	}
	m.Fit(d.X, d.Y)
	fmt.Println(eval.Accuracy(d.Y, m.Predict(d.X)) > 0.95)
	// Output: true
}
