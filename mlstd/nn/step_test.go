package nn

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
)

// stepOf gives a network of the shape, and what makes a step of Adam on n rows.
func stepOf(tb testing.TB, n, outputs int, shape []int, loss NetworkLoss, layers ...Layer) func() {
	tb.Helper()
	rng := model.Rand(1, 1)
	x, y := mat.NewDense(n, size(shape), nil), mat.NewDense(n, outputs, nil)
	normal(x, rng)
	for i := range n {
		y.Set(i, i%outputs, 1)
	}
	net := &Network{Shape: shape, Layers: layers}
	if err := net.Build(); err != nil {
		tb.Fatal(err)
	}
	trainer := Trainer{Loss: loss, Lambda: 1e-4, Clip: 10}
	trainer.start(net)
	return func() { trainer.step(net, x, y) }
}

func BenchmarkMLPStep(b *testing.B) {
	step := stepOf(b, 128, 10, []int{784}, SoftmaxEntropy, &Dense{Units: 256, Activation: ReLU}, &Dense{Units: 128, Activation: ReLU}, &Dense{Units: 10})
	b.ReportAllocs()
	for b.Loop() {
		step()
	}
}

func BenchmarkConvStep(b *testing.B) {
	step := stepOf(b, 64, 10, []int{16, 16, 1}, SoftmaxEntropy, &Conv2D{Filters: 16, Activation: ReLU}, &MaxPool{},
		&Conv2D{Filters: 32, Activation: ReLU}, Flatten{}, &Dense{Units: 10})
	b.ReportAllocs()
	for b.Loop() {
		step()
	}
}

func BenchmarkLSTMStep(b *testing.B) {
	step := stepOf(b, 32, 10, []int{50, 16}, SoftmaxEntropy, &LSTM{Units: 64}, &Dense{Units: 10})
	b.ReportAllocs()
	for b.Loop() {
		step()
	}
}
