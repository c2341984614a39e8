package nn_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/mltest"
	"github.com/gokernel/gokernel/mlstd/nn"
	"github.com/gokernel/gokernel/mlstd/optim"
)

// recorded is what testdata/oracles/nn.py wrote.
type recorded struct {
	Runs []struct {
		Name, Activation string
		X                [][]float64
		Y                []float64
		Classes          bool
		Batch            int
		Lambda, Momentum float64
		Coef             [][][]float64
		Intercept        [][]float64
		Loss             []float64
		CoefAfter        [][][]float64
		InterceptAfter   [][]float64
		Out              [][]float64
	}
	Layers []struct {
		Name          string
		Shape         []int
		X, Y, DY, DX  [][]float64
		Params, Grads map[string][]float64
	}
	Losses []struct {
		Name     string
		S, Y     [][]float64
		Value    float64
		Gradient [][]float64
	}
	Optimizers []struct {
		Name string
		Path [][]float64
	}
	Run struct {
		X      [][]float64
		Y      []float64
		Start  [][]float64
		Losses []float64
		After  [][]float64
	}
}

func oracle(t *testing.T) (r recorded) {
	t.Helper()
	mltest.ReadOracle(t, "nn", &r)
	return r
}

func matrix(rows [][]float64) *mat.Dense {
	m := mat.NewDense(len(rows), len(rows[0]), nil)
	for i, r := range rows {
		m.SetRow(i, r)
	}
	return m
}

func numbers(m *mat.Dense) []float64 { return mat.DenseCopyOf(m).RawMatrix().Data }

// targets returns a column of numbers, or a column a class.
func targets(y []float64, classes int) *mat.Dense {
	if classes < 3 {
		return mat.NewDense(len(y), 1, append([]float64(nil), y...))
	}
	m := mat.NewDense(len(y), classes, nil)
	for i, c := range y {
		m.Set(i, int(c), 1)
	}
	return m
}

func proportions(s *mat.Dense, classes bool) []float64 {
	switch _, k := s.Dims(); {
	case !classes:
		return numbers(s)
	case k == 1:
		var out []float64
		for _, v := range numbers(s) {
			p := nn.SigmoidUnits.Value(v)
			out = append(out, 1-p, p)
		}
		return out
	}
	return numbers(nn.VarOf(s).Softmax().Value)
}

// The training of MLPClassifier and MLPRegressor, from scikit-learn's weights.
// TestMLPTrains shows that they train this way.
func TestOracleMLP(t *testing.T) {
	for _, r := range oracle(t).Runs {
		classes, loss := 1, nn.SquaredOutputs
		if r.Classes {
			loss = nn.SoftmaxEntropy
			if classes = len(r.Out[0]); classes == 2 {
				loss = nn.SigmoidEntropy
			}
		}
		net := &nn.Network{}
		for i, w := range r.Coef {
			d := &nn.Dense{Units: len(w[0]), Coef: matrix(w), Intercept: append([]float64(nil), r.Intercept[i]...)}
			if i < len(r.Coef)-1 {
				d.Activation = nn.Activation(strings.Replace(r.Activation, "logistic", "sigmoid", 1))
			}
			net.Layers = append(net.Layers, d)
		}
		trainer := nn.Trainer{Loss: loss, Optimizer: nn.Momentum{Alpha: r.Momentum, Nesterov: true}, Rate: optim.ConstantRate(0.05),
			Batch: r.Batch, Epochs: 10, Lambda: r.Lambda, NoShuffle: true}
		x := matrix(r.X)
		run, err := trainer.Train(net, x, targets(r.Y, classes))
		if err != nil {
			t.Fatal(r.Name, err)
		}
		mltest.NearAll(t, r.Name+": loss", run.Loss, r.Loss, 1e-9)
		for i, w := range net.Weights() {
			mltest.NearAll(t, r.Name+": weights", numbers(w), numbers(matrix(r.CoefAfter[i])), 1e-9)
			mltest.NearAll(t, r.Name+": intercepts", net.Intercepts()[i], r.InterceptAfter[i], 1e-9)
		}
		mltest.NearAll(t, r.Name+": outputs", proportions(net.Output(x), r.Classes), numbers(matrix(r.Out)), 1e-9)
	}
}

// layersOf returns the layers of a name in nn.py.
func layersOf(name string, params map[string][]float64) []nn.Layer {
	switch name {
	case "block":
		return nn.TransformerBlock{Size: 6, Heads: 2, Hidden: 7}.Layers()
	case "block causal":
		return nn.TransformerBlock{Size: 6, Heads: 3, Hidden: 7, Causal: true, Activation: nn.GELU}.Layers()
	case "block post":
		return nn.TransformerBlock{Size: 6, Heads: 2, Hidden: 7, Causal: true, PostNorm: true}.Layers()
	}
	return []nn.Layer{layerOf(name, params)}
}

// layerOf returns the layer of a name in nn.py.
func layerOf(name string, params map[string][]float64) nn.Layer {
	sequence := strings.HasSuffix(name, "sequence")
	switch {
	case name == "conv2d":
		return &nn.Conv2D{Filters: 4}
	case name == "conv2d stride 2 pad 1":
		return &nn.Conv2D{Filters: 4, Stride: 2, Pad: 1}
	case name == "conv1d":
		return &nn.Conv1D{Filters: 4, Stride: 2, Pad: 1}
	case name == "maxpool", name == "maxpool1d":
		return &nn.MaxPool{}
	case name == "meanpool":
		return &nn.MeanPool{Size: 3, Stride: 1}
	case strings.HasPrefix(name, "batchnorm"):
		return &nn.BatchNorm{}
	case strings.HasPrefix(name, "layernorm"):
		return &nn.LayerNorm{}
	case name == "residual":
		return &nn.Residual{Layers: []nn.Layer{&nn.Dense{Units: 4, Activation: nn.TanhUnits}}}
	case strings.HasPrefix(name, "positions"):
		return &nn.PositionalEncoding{}
	case strings.HasPrefix(name, "heads"):
		return &nn.SelfAttention{Size: 6, Heads: int(name[6] - '0'), Causal: strings.HasSuffix(name, "causal")}
	case name == "embedding":
		return &nn.Embedding{Words: 6, Size: 3}
	case strings.HasPrefix(name, "elman"):
		return &nn.Elman{Units: 4, Sequence: sequence}
	case strings.HasPrefix(name, "lstm"):
		return &nn.LSTM{Units: 4, Sequence: sequence}
	case strings.HasPrefix(name, "gru"):
		return &nn.GRU{Units: 4, Sequence: sequence}
	case strings.HasPrefix(name, "jordan"):
		return &nn.Jordan{Units: 4, Outputs: 2, Sequence: sequence}
	case strings.HasPrefix(name, "attention"):
		return &nn.SelfAttention{Size: 4, Causal: strings.HasSuffix(name, "causal")}
	case strings.HasPrefix(name, "dense "):
		return &nn.Dense{Units: 5, Activation: nn.Activation(name[6:])}
	}
	return &nn.Activate{F: nn.Activation(name)}
}

// Layers forward and backward as PyTorch has them.
func TestOracleLayers(t *testing.T) {
	for _, c := range oracle(t).Layers {
		net := &nn.Network{Shape: c.Shape, Layers: layersOf(c.Name, c.Params)}
		if err := net.Build(); err != nil {
			t.Fatal(c.Name, err)
		}
		if len(net.Params()) != len(c.Params) {
			t.Fatalf("%s has %d parameters, want %d", c.Name, len(net.Params()), len(c.Params))
		}
		keys := make([]string, len(net.Params())) // the layers of a block share names
		for i, p := range net.Params() {
			if keys[i] = p.Name; c.Params[p.Name] == nil {
				keys[i] = fmt.Sprint(i, " ", p.Name)
			}
			if copy(p.Value, c.Params[keys[i]]) != len(p.Value) {
				t.Fatalf("%s: %s has %d values, want %d", c.Name, keys[i], len(c.Params[keys[i]]), len(p.Value))
			}
		}
		y, dx := matrix(c.X), matrix(c.DY)
		for _, l := range net.Layers {
			y = l.Forward(y, true)
		}
		mltest.NearAll(t, c.Name+": output", numbers(y), numbers(matrix(c.Y)), 1e-9)
		for i := range slices.Backward(net.Layers) {
			dx = net.Layers[i].Backward(dx, i > 0 || c.DX != nil)
		}
		if c.DX != nil {
			mltest.NearAll(t, c.Name+": gradient by the input", numbers(dx), numbers(matrix(c.DX)), 1e-9)
		}
		for i, p := range net.Params() {
			mltest.NearAll(t, c.Name+": gradient by "+keys[i], p.Grad, c.Grads[keys[i]], 1e-9)
		}
	}
}

func TestOracleLosses(t *testing.T) {
	for _, c := range oracle(t).Losses {
		l := nn.NetworkLoss(c.Name)
		mltest.Near(t, c.Name, l.Value(matrix(c.S), matrix(c.Y)), c.Value, 1e-9)
		mltest.NearAll(t, c.Name+": gradient", numbers(l.Gradient(matrix(c.S), matrix(c.Y))), numbers(matrix(c.Gradient)), 1e-9)
	}
}

// Ten steps of each optimizer on a quadratic function.
func TestOracleOptimizers(t *testing.T) {
	rules := map[string]nn.Optimizer{"descent": nn.Momentum{}, "momentum": nn.Momentum{Alpha: 0.9}, "nesterov": nn.Momentum{Alpha: 0.9, Nesterov: true},
		"adagrad": nn.AdaGrad{}, "rmsprop": nn.RMSProp{}, "adam": nn.Adam{}, "adamw": nn.Adam{Decay: 0.1}}
	target, curve := []float64{1, -2, 0.5}, []float64{1, 10, 0.1}
	for _, c := range oracle(t).Optimizers {
		rule, w, g := rules[c.Name], []float64{3, 2, -1}, make([]float64, 3)
		memory := [][]float64{make([]float64, 3), make([]float64, 3)}[:rule.Memory()]
		for k, want := range c.Path {
			for i := range w {
				g[i] = curve[i] * (w[i] - target[i])
			}
			rule.Update(w, g, memory, 0.05, k+1)
			mltest.NearAll(t, c.Name, w, want, 1e-9)
		}
	}
}

// A training run of PyTorch, batch by batch.
func TestOracleRun(t *testing.T) {
	r := oracle(t).Run
	x, y := matrix(r.X), targets(r.Y, 3)
	net := &nn.Network{Layers: []nn.Layer{
		&nn.Dense{Units: 8, Activation: nn.GELU, Coef: mat.NewDense(4, 8, r.Start[0]), Intercept: r.Start[1]},
		&nn.Dense{Units: 3, Coef: mat.NewDense(8, 3, r.Start[2]), Intercept: r.Start[3]}}}
	trainer := nn.Trainer{Loss: nn.SoftmaxEntropy, Rate: optim.ConstantRate(0.01), Batch: 16, Epochs: 3, NoShuffle: true}
	run, err := trainer.Train(net, x, y)
	if err != nil {
		t.Fatal(err)
	}
	for epoch, loss := range run.Loss {
		want := 0.0
		for b, size := range []float64{16, 16, 16, 12} {
			want += r.Losses[4*epoch+b] * size / 60
		}
		mltest.Near(t, "loss", loss, want, 1e-9)
	}
	for i, p := range net.Params() {
		mltest.NearAll(t, p.Name, p.Value, r.After[i], 1e-8)
	}
}
