package nn_test

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/mltest"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/modeltest"
	"github.com/gokernel/gokernel/mlstd/nn"
	"github.com/gokernel/gokernel/mlstd/optim"
)

const quick = optim.ConstantRate(0.02)

// ordered is why the order of the examples matters.
var ordered = map[string]string{"row permutation": "each epoch shuffles the rows, and the batches follow from their order"}

func TestConformance(t *testing.T) {
	t.Run("MLPClassifier", func(t *testing.T) {
		modeltest.Classifier(t, func() model.Classifier {
			return &nn.MLPClassifier{Hidden: []int{6}, Epochs: 20, Rate: quick}
		}, modeltest.Options{Skip: ordered})
	})
	t.Run("MLPClassifier, early stopping", func(t *testing.T) {
		modeltest.Classifier(t, func() model.Classifier {
			return &nn.MLPClassifier{Hidden: []int{6, 4}, Epochs: 20, Rate: quick, Patience: 5, Lambda: 1e-4, Clip: 5, Optimizer: nn.RMSProp{}}
		}, modeltest.Options{Skip: ordered, Binary: true})
	})
	t.Run("MLPRegressor", func(t *testing.T) {
		modeltest.Regressor(t, func() model.Regressor {
			return &nn.MLPRegressor{Hidden: []int{8}, Epochs: 300, Rate: nn.CosineRate{A: 0.05, Steps: 600}}
		}, modeltest.Options{Skip: withSkip(ordered, "target scale", "the first weights are drawn for targets of about 1")})
	})
	t.Run("Autoencoder", func(t *testing.T) {
		modeltest.Transformer(t, func() model.Transformer { return &nn.Autoencoder{Epochs: 5, Mask: 0.1} }, modeltest.Options{Skip: ordered})
	})
	t.Run("VAE", func(t *testing.T) {
		modeltest.Transformer(t, func() model.Transformer { return &nn.VAE{Hidden: []int{6}, Epochs: 5} }, modeltest.Options{Skip: ordered})
	})
	t.Run("StackedAutoencoder", func(t *testing.T) {
		modeltest.Classifier(t, func() model.Classifier {
			return &nn.StackedAutoencoder{Hidden: []int{6, 4}, Epochs: 20, Rate: quick}
		}, modeltest.Options{Skip: ordered})
	})
}

// MLPClassifier is the Network and the Trainer that the comparison with
// scikit-learn trains.
func TestMLPTrains(t *testing.T) {
	x := random(30, 3, 1)
	y := make([]int, 30)
	target, real := mat.NewDense(30, 3, nil), make([]float64, 30)
	for i := range y {
		y[i] = i % 3
		target.Set(i, y[i], 1)
		real[i] = x.At(i, 0)
	}
	same := func(net *nn.Network, loss nn.NetworkLoss, coef []*mat.Dense, y *mat.Dense) {
		train(t, nn.Trainer{Loss: loss, Optimizer: nn.Momentum{Alpha: 0.9}, Batch: 7, Epochs: 4, Lambda: 0.1, Clip: 1, Seed: 3}, net, x, y)
		for i, w := range net.Weights() {
			mltest.NearAll(t, "weights", numbers(coef[i]), numbers(w), 0)
		}
	}
	c := nn.MLPClassifier{Hidden: []int{5}, Activation: nn.TanhUnits, Optimizer: nn.Momentum{Alpha: 0.9}, Batch: 7, Epochs: 4, Lambda: 0.1, Clip: 1, Seed: 3}
	r := nn.MLPRegressor{Hidden: []int{5}, Activation: nn.TanhUnits, Optimizer: nn.Momentum{Alpha: 0.9}, Batch: 7, Epochs: 4, Lambda: 0.1, Clip: 1, Seed: 3}
	if err := c.Fit(x, y); err != nil {
		t.Fatal(err)
	}
	if err := r.Fit(x, real); err != nil {
		t.Fatal(err)
	}
	a, b := nn.MLP(3, 5, 3), nn.MLP(3, 5, 1)
	a.Seed, b.Seed = 3, 3
	same(a, nn.SoftmaxEntropy, c.Coef, target)
	same(b, nn.SquaredOutputs, r.Coef, mat.NewDense(30, 1, real))
	mltest.NearAll(t, "network", numbers(c.Network().Output(x)), numbers(c.Decision(x)), 0)
	mltest.NearAll(t, "network", numbers(r.Network().Output(x)), r.Predict(x), 0)
}

// The gradient of every layer, alone and in a network.
func TestGradients(t *testing.T) {
	for _, f := range []nn.Activation{nn.SigmoidUnits, nn.TanhUnits, nn.ReLU, nn.LeakyReLU, nn.ELU, nn.GELU, nn.SoftplusUnits, nn.LinearUnits, nn.SoftmaxUnits} {
		checked(t, string(f), nn.MLP(3, 4, 2).With(f, f), random(5, 3, 1), random(5, 2, 2), nn.SquaredOutputs)
		checked(t, string(f)+" layer", &nn.Network{Layers: []nn.Layer{&nn.Activate{F: f}}}, random(5, 3, 1), random(5, 3, 2), nn.SquaredOutputs)
	}
	bits := mat.NewDense(5, 2, []float64{1, 0, 1, 0, 0, 1, 0, 1, 1, 0})
	signs := mat.NewDense(5, 2, []float64{1, -1, 1, -1, -1, 1, -1, 1, 1, -1})
	for loss, y := range map[nn.NetworkLoss]*mat.Dense{nn.SquaredOutputs: bits, nn.AbsoluteOutputs: bits, nn.HuberOutputs: bits, nn.SoftmaxEntropy: bits,
		nn.SigmoidEntropy: bits, nn.DivergenceOutputs: bits, nn.LogisticOutputs: signs, nn.HingeOutputs: signs} {
		checked(t, string(loss), nn.MLP(3, 4, 2), random(5, 3, 1), y, loss)
	}
	for name, c := range map[string]struct {
		shape  []int
		layers []nn.Layer
		out    int
	}{
		"conv 2d":    {[]int{5, 4, 2}, []nn.Layer{&nn.Conv2D{Filters: 3, Activation: nn.TanhUnits, Pad: 1, Stride: 2}, &nn.MeanPool{}, nn.Flatten{}, &nn.Dense{Units: 2}}, 2},
		"conv 1d":    {[]int{7, 2}, []nn.Layer{&nn.Conv1D{Filters: 3, Activation: nn.GELU}, &nn.MaxPool{}, &nn.Dense{Units: 2}}, 2},
		"normal":     {[]int{4}, []nn.Layer{&nn.Dense{Units: 5}, &nn.BatchNorm{}, &nn.Activate{F: nn.TanhUnits}, &nn.Dense{Units: 2}}, 2},
		"dropout":    {[]int{4}, []nn.Layer{&nn.Dense{Units: 9, Activation: nn.TanhUnits}, &nn.Dropout{Share: 0.3}, &nn.Dense{Units: 2}}, 2},
		"elman":      {[]int{4, 3}, []nn.Layer{&nn.Elman{Units: 3, Sequence: true}, &nn.Elman{Units: 2, Activation: nn.SigmoidUnits}}, 2},
		"jordan":     {[]int{4, 3}, []nn.Layer{&nn.Jordan{Units: 3, Outputs: 2}}, 2},
		"lstm":       {[]int{4, 3}, []nn.Layer{&nn.LSTM{Units: 3, Sequence: true}, &nn.LSTM{Units: 2}}, 2},
		"gru":        {[]int{4, 3}, []nn.Layer{&nn.GRU{Units: 3, Sequence: true}, &nn.GRU{Units: 2}}, 2},
		"layer norm": {[]int{4, 3}, []nn.Layer{&nn.LayerNorm{}, &nn.Conv1D{Filters: 2, Size: 1}, &nn.LayerNorm{Epsilon: 0.1}, &nn.Dense{Units: 2}}, 2},
		"residual":   {[]int{4}, []nn.Layer{&nn.Residual{Layers: []nn.Layer{&nn.Dense{Units: 3, Activation: nn.TanhUnits}, &nn.Dropout{Share: 0.3}, &nn.Dense{Units: 4}}}, &nn.Dense{Units: 2}}, 2},
		"positions":  {[]int{4, 3}, []nn.Layer{&nn.PositionalEncoding{}, &nn.GRU{Units: 2}}, 2},
		"heads":      {[]int{4, 3}, []nn.Layer{&nn.SelfAttention{Heads: 3, Causal: true}, &nn.SelfAttention{Size: 4, Heads: 2}, &nn.Dense{Units: 2}}, 2},
		"block":      {[]int{3, 4}, append(nn.TransformerBlock{Size: 4, Heads: 2, Causal: true, Activation: nn.TanhUnits, Dropout: 0.2}.Layers(), &nn.Dense{Units: 2}), 2},
		"post norm":  {[]int{3, 4}, append(nn.TransformerBlock{Size: 4, Hidden: 3, Activation: nn.GELU, PostNorm: true}.Layers(), &nn.Dense{Units: 2}), 2},
		"attention":  {[]int{4, 3}, []nn.Layer{&nn.SelfAttention{Causal: true}, &nn.SelfAttention{Size: 2}, &nn.Dense{Units: 2}}, 2},
	} {
		cols := 1
		for _, s := range c.shape {
			cols *= s
		}
		checked(t, name, &nn.Network{Shape: c.shape, Layers: c.layers}, random(6, cols, 3), random(6, c.out, 4), nn.SquaredOutputs)
	}
	words := mat.NewDense(4, 3, []float64{0, 1, 2, 3, 3, 1, 0, 0, 0, 2, 1, 4})
	checked(t, "embedding", &nn.Network{Shape: []int{3}, Layers: []nn.Layer{&nn.Embedding{Words: 5, Size: 2}, &nn.GRU{Units: 2}}}, words, random(4, 2, 5), nn.SquaredOutputs)
	next := mat.NewDense(4, 3, []float64{1, 2, 3, 4, 1, 2, 0, 0, 3, 1, 4, 0})
	checked(t, "next words", &nn.Network{Shape: []int{3}, Layers: writer(5, 4)}, words, next, nn.StepEntropy)
}

func TestVar(t *testing.T) {
	a, b, w := nn.VarOf(random(3, 4, 1)), nn.VarOf(random(1, 4, 2)), nn.VarOf(random(4, 2, 3))
	s := nn.NewVar([]float64{1.7})
	for name, f := range map[string]func() *nn.Var{
		"arithmetic": func() *nn.Var { return a.Add(b).Mul(a.Sub(b)).Div(s.Square().Add(s)).Mean() },
		"products":   func() *nn.Var { return a.Dot(w).Tanh().Transpose().Dot(a.Exp()).Sum() },
		"softmax":    func() *nn.Var { return a.Softmax().Log().Mul(a).Neg().Sum() },
		"units":      func() *nn.Var { return a.Activate(nn.GELU).Add(a.ReLU()).Activate(nn.SoftmaxUnits).Square().Sum() },
	} {
		if worst := nn.VarCheck(f, a, b, w, s); worst > 1e-7 {
			t.Errorf("%s: the gradient differs by %g", name, worst)
		}
	}
	// A matrix that takes part twice has the sum of both gradients, and Grad adds up.
	x := nn.NewVar([]float64{3})
	y := x.Mul(x).Add(x)
	y.Backward()
	y.Backward()
	mltest.Near(t, "d(x²+x)/dx, twice", x.Grad.At(0, 0), 14, 0)
	x.Descend(0.5)
	mltest.Near(t, "a step", x.At(0, 0), -4, 0)
	mltest.Near(t, "cleared", x.Grad.At(0, 0), 0, 0)
}

func TestDropoutAndBatchNorm(t *testing.T) {
	d := &nn.Dropout{Share: 0.25}
	if _, err := d.Build([]int{1000}, model.Rand(1, 1)); err != nil {
		t.Fatal(err)
	}
	ones := mat.NewDense(50, 1000, slices.Repeat([]float64{1}, 50000))
	mltest.Near(t, "mean while training", mat.Sum(d.Forward(ones, true))/50000, 1, 0.01)
	mltest.Near(t, "mean afterwards", mat.Sum(d.Forward(ones, false)), 50000, 0)
	b := &nn.BatchNorm{}
	if _, err := b.Build([]int{3}, nil); err != nil {
		t.Fatal(err)
	}
	x := random(40, 3, 1)
	for range 400 {
		b.Forward(x, true)
	}
	mean := make([]float64, 3)
	for i := range 40 {
		for j := range mean {
			mean[j] += x.At(i, j) / 40
		}
	}
	mltest.NearAll(t, "running means", b.Mean, mean, 1e-12)
}

func TestRates(t *testing.T) {
	s := nn.StepRate{A: 1, Factor: 0.5, Every: 10}
	mltest.NearAll(t, "steps", []float64{s.Rate(1), s.Rate(10), s.Rate(11), s.Rate(21)}, []float64{1, 1, 0.5, 0.25}, 1e-15)
	c := nn.CosineRate{A: 2, Least: 1, Steps: 30, Warmup: 10}
	mltest.NearAll(t, "cosine", []float64{c.Rate(5), c.Rate(10), c.Rate(20), c.Rate(30), c.Rate(99)}, []float64{1, 2, 1.5, 1, 1}, 1e-15)
}

func TestTrainerBounds(t *testing.T) {
	net := nn.MLP(2, 3, 1)
	before := slices.Clone(net.Params()[0].Value)
	train(t, nn.Trainer{Optimizer: nn.Momentum{}, Rate: optim.ConstantRate(1), Batch: 4, Epochs: 1, Clip: 1e-3}, net, corners, mat.NewDense(4, 1, []float64{1e6, 0, 0, 0}))
	moved := 0.0
	for i, v := range net.Params()[0].Value {
		moved += (v - before[i]) * (v - before[i])
	}
	if math.Sqrt(moved) > 1e-3 {
		t.Errorf("with Clip 0.001 the weights moved by %v", math.Sqrt(moved))
	}
	if run := train(t, nn.Trainer{Tol: 1e9, Epochs: 50}, net, corners, xor); len(run.Loss) != 11 || !run.Converged {
		t.Errorf("with a large Tol there were %d epochs", len(run.Loss))
	}
	for name, bad := range map[string]nn.Trainer{"loss": {Loss: "x"}, "batch": {Batch: -1}, "epochs": {Epochs: -1}, "decay": {Lambda: -1}} {
		if _, err := bad.Train(net, corners, xor); err == nil {
			t.Errorf("a bad %s is taken", name)
		}
	}
	if _, err := (&nn.Trainer{}).Train(net, corners, mat.NewDense(4, 2, nil)); err == nil {
		t.Error("two targets for one output are taken")
	}
	for _, layers := range [][]nn.Layer{nil, {&nn.Dense{}}, {&nn.Conv2D{Filters: 1}}, {&nn.Activate{F: "x"}}, {&nn.LSTM{Units: 2}}, {&nn.Dropout{Share: 1}}} {
		if err := (&nn.Network{Shape: []int{2}, Layers: layers}).Build(); err == nil {
			t.Errorf("%v is built", layers)
		}
	}
}

func ExampleVar() {
	a, b := nn.NewVar([]float64{2}), nn.NewVar([]float64{3})
	a.Mul(b).Add(a.Square()).Backward()
	fmt.Println(a.Grad.At(0, 0), b.Grad.At(0, 0))
	// Output: 7 2
}

func ExampleMLPClassifier() {
	x := mat.NewDense(4, 2, []float64{-1, -1, -1, 1, 1, -1, 1, 1})
	m := nn.MLPClassifier{Hidden: []int{8}, Activation: nn.TanhUnits, Rate: optim.ConstantRate(0.05)}
	if err := m.Fit(x, []int{0, 1, 1, 0}); err != nil {
		panic(err)
	}
	fmt.Println(m.Predict(x))
	// Output: [0 1 1 0]
}

func ExampleNetwork_Backprop() {
	b := nn.XORNetwork().Backprop([]float64{1, -1}, 1)
	fmt.Println(b.Activations)
	// Output: [[1 -1] [1 -1] [1]]
}

// withSkip adds a check that does not apply, with the reason.
func withSkip(skip map[string]string, check, reason string) map[string]string {
	more := maps.Clone(skip)
	more[check] = reason
	return more
}
