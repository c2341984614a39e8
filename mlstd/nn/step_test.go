package nn

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
)

// stepOf returns a network of the shape, and what makes a step of Adam on n rows,
// with products in single precision or double.
func stepOf(tb testing.TB, single bool, n, outputs int, shape []int, loss NetworkLoss, layers ...Layer) func() {
	tb.Helper()
	rng := model.Rand(1, 1)
	x, y := mat.NewDense(n, size(shape), nil), mat.NewDense(n, outputs, nil)
	normal(x, rng)
	for i := range n {
		y.Set(i, i%outputs, 1)
	}
	net := &Network{Shape: shape, Layers: layers, Single: single}
	if err := net.Build(); err != nil {
		tb.Fatal(err)
	}
	trainer := Trainer{Loss: loss, Lambda: 1e-4, Clip: 10}
	trainer.start(net)
	return func() { trainer.step(net, x, y) }
}

func BenchmarkMLPStep(b *testing.B) {
	for name, single := range map[string]bool{"double": false, "single": true} {
		b.Run(name, func(b *testing.B) {
			step := stepOf(b, single, 128, 10, []int{784}, SoftmaxEntropy, &Dense{Units: 256, Activation: ReLU}, &Dense{Units: 128, Activation: ReLU}, &Dense{Units: 10})
			b.ReportAllocs()
			for b.Loop() {
				step()
			}
		})
	}
}

func BenchmarkConvStep(b *testing.B) {
	for name, single := range map[string]bool{"double": false, "single": true} {
		b.Run(name, func(b *testing.B) {
			step := stepOf(b, single, 64, 10, []int{28, 28, 1}, SoftmaxEntropy, &Conv2D{Filters: 16, Activation: ReLU}, &MaxPool{},
				&Conv2D{Filters: 32, Activation: ReLU}, &MaxPool{}, Flatten{}, &Dense{Units: 10})
			b.ReportAllocs()
			for b.Loop() {
				step()
			}
		})
	}
}

func BenchmarkLSTMStep(b *testing.B) {
	step := stepOf(b, false, 32, 10, []int{50, 16}, SoftmaxEntropy, &LSTM{Units: 64}, &Dense{Units: 10})
	b.ReportAllocs()
	for b.Loop() {
		step()
	}
}

// The quick forms are the plain ones.
func TestQuickActivations(t *testing.T) {
	special := []float64{0, math.Copysign(0, -1), 1e-320, -1e-320, 1e300, -1e300, math.Inf(1), math.Inf(-1), math.NaN(), 745, -745, 709.5}
	z := mat.NewDense(1, 200, nil)
	normal(z, model.Rand(3, 0))
	v := append(special, z.RawRowView(0)...)
	a, da, dz := make([]float64, len(v)), slices.Repeat([]float64{2.5}, len(v)), make([]float64, len(v))
	SigmoidUnits.apply(a, v, len(v))
	ReLU.applyBack(dz, v, a, da, len(v))
	for i, x := range v {
		if x != x {
			if a[i] == a[i] {
				t.Errorf("the sigmoid of NaN is %v", a[i])
			}
			continue
		}
		if want := sigmoid(x); math.Abs(a[i]-want) > 1e-15*want+1e-307 {
			t.Errorf("the sigmoid of %v is %v, want %v", x, a[i], want)
		}
		if want := 2.5 * ReLU.Slope(x, 0); dz[i] != want {
			t.Errorf("the gradient at %v is %v, want %v", x, dz[i], want)
		}
	}
}
