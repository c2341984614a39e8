package nn_test

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/mltest"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/nn"
	"github.com/gokernel/gokernel/mlstd/optim"
)

var (
	corners = mat.NewDense(4, 2, []float64{-1, -1, -1, 1, 1, -1, 1, 1})
	xor     = mat.NewDense(4, 1, []float64{-1, 1, 1, -1})
)

func random(rows, cols int, seed uint64) *mat.Dense {
	rng, m := model.Rand(seed, 9), mat.NewDense(rows, cols, nil)
	v := m.RawMatrix().Data
	for i := range v {
		v[i] = rng.NormFloat64()
	}
	return m
}

func checked(t *testing.T, what string, net *nn.Network, x, y *mat.Dense, loss nn.NetworkLoss) {
	t.Helper()
	worst, err := net.GradientCheck(x, y, loss)
	if err != nil {
		t.Fatal(what, err)
	}
	if !(worst < 1e-7) {
		t.Errorf("%s: the gradient differs by %g from the numerical one", what, worst)
	}
}

func train(t *testing.T, tr nn.Trainer, net *nn.Network, x, y mat.Matrix) *nn.TrainingRun {
	t.Helper()
	run, err := tr.Train(net, x, y)
	if err != nil {
		t.Fatal(err)
	}
	return run
}

// E1-31: the third author of backpropagation is Williams.
func TestNET01_Sigmoid(t *testing.T) {
	f := nn.SigmoidUnits
	mltest.Near(t, "σ(0)", f.Value(0), 0.5, 0)
	mltest.Near(t, "σ(2)", f.Value(2), 0.8807970779778823, 1e-15)
	mltest.Near(t, "σ(−800)", f.Value(-800), 0, 1e-300)
	mltest.Near(t, "slope at 0", f.Slope(0, 0.5), 0.25, 0)
	// A unit with threshold T is one with intercept −T.
	unit := &nn.Network{Layers: []nn.Layer{&nn.Dense{Units: 1, Activation: f, Coef: mat.NewDense(2, 1, []float64{1, 2}), Intercept: []float64{-3}}}}
	mltest.Near(t, "net = T", unit.Eval(1, 1)[0], 0.5, 0)
}

func TestNET02_Tanh(t *testing.T) {
	for z := -3.0; z <= 3; z += 0.25 {
		a := nn.TanhUnits.Value(z)
		mltest.Near(t, "tanh z = 2σ(2z)−1", a, 2*nn.SigmoidUnits.Value(2*z)-1, 1e-15)
		mltest.Near(t, "slope", nn.TanhUnits.Slope(z, a), 1/(math.Cosh(z)*math.Cosh(z)), 1e-14)
	}
}

func TestNET03_LinearLayersCollapse(t *testing.T) {
	net := nn.MLP(3, 4, 5, 2).With(nn.LinearUnits, nn.LinearUnits)
	var one, w mat.Dense
	ws := net.Weights()
	one.Mul(ws[0], ws[1])
	w.Mul(&one, ws[2])
	x := random(6, 3, 1)
	var want mat.Dense
	want.Mul(x, &w)
	mltest.NearAll(t, "one matrix", numbers(net.Output(x)), numbers(&want), 1e-13)
	for _, z := range []float64{-2, 0, 2} {
		if s := nn.ThresholdUnits.Slope(z, nn.ThresholdUnits.Value(z)); s != 0 {
			t.Errorf("the slope of a threshold at %v is %v", z, s)
		}
	}
}

// E3-33: softmax raises e to the net input.
func TestNET04_Softmax(t *testing.T) {
	p := nn.NewVar([]float64{1, 2, 3}).Softmax()
	mltest.NearAll(t, "softmax", numbers(p.Value), []float64{0.09003057317038046, 0.24472847105479767, 0.6652409557748219}, 1e-15)
	q := nn.NewVar([]float64{1001, 1002, 1003}).Softmax()
	mltest.NearAll(t, "shifted", numbers(q.Value), numbers(p.Value), 1e-15)
}

// twoTwoOne is a network by hand.
func twoTwoOne() *nn.Network {
	return &nn.Network{Layers: []nn.Layer{
		&nn.Dense{Units: 2, Coef: mat.NewDense(2, 2, []float64{0.1, 0.4, 0.8, 0.6}), Intercept: []float64{0, 0}},
		&nn.Dense{Units: 1, Coef: mat.NewDense(2, 1, []float64{0.3, 0.9}), Intercept: []float64{0}}}}
}

// E0-43: the output is a sum over the hidden units.
func TestNET05_Forward(t *testing.T) {
	net := twoTwoOne().Sigmoid()
	s := func(z float64) float64 { return 1 / (1 + math.Exp(-z)) }
	h1, h2 := s(0.1*0.35+0.8*0.9), s(0.4*0.35+0.6*0.9)
	mltest.Near(t, "output", net.Eval(0.35, 0.9)[0], s(0.3*h1+0.9*h2), 1e-15)
	if net.NumParams() != 9 {
		t.Errorf("there are %d parameters, want 9", net.NumParams())
	}
}

// E3-30: δ is of the unit j that the weight w_ji leads to, Δw_ji = η·δ_j·o_i.
func TestNET06_Backpropagation(t *testing.T) {
	net := twoTwoOne().Sigmoid()
	b := net.Backprop([]float64{0.35, 0.9}, 0.5)
	h, o := b.Activations[1], b.Activations[2][0]
	d := o * (1 - o) * (0.5 - o)
	mltest.Near(t, "δ of the output", b.Deltas[1][0], d, 1e-15)
	for j, w := range []float64{0.3, 0.9} {
		dh := h[j] * (1 - h[j]) * d * w
		mltest.Near(t, "δ of a hidden unit", b.Deltas[0][j], dh, 1e-15)
		mltest.Near(t, "last gradient", b.Gradients[1].At(j, 0), -d*h[j], 1e-15)
		mltest.Near(t, "first gradient", b.Gradients[0].At(1, j), -dh*0.9, 1e-15)
	}
	checked(t, "sigmoid", net, random(5, 2, 2), random(5, 1, 3), nn.SquaredOutputs)
	x, y, w, u := nn.VarOf(random(5, 2, 2)), nn.VarOf(random(5, 1, 3)), nn.VarOf(random(2, 3, 4)), nn.VarOf(random(3, 1, 5))
	if worst := nn.VarCheck(func() *nn.Var { return x.Dot(w).Sigmoid().Dot(u).Sigmoid().Sub(y).Square().Scale(0.5).Mean() }, x, w, u); worst > 1e-8 {
		t.Errorf("the gradients of Var differ by %g", worst)
	}
}

// E0-43 and E0-44: e_u sums over the units that u leads to, with (1 − tanh²) as slope.
func TestNET07_TanhNet(t *testing.T) {
	net := twoTwoOne().Tanh()
	b := net.Backprop([]float64{1, -1}, 1)
	h, e := b.Activations[1], 1-b.Activations[2][0]
	for u, w := range []float64{0.3, 0.9} {
		mltest.Near(t, "last edge", b.Gradients[1].At(u, 0), -e*h[u], 1e-15)
		mltest.Near(t, "hidden error", b.Deltas[0][u], e*w*(1-h[u]*h[u]), 1e-15)
	}
	checked(t, "tanh", nn.MLP(2, 3, 4, 2), random(5, 2, 2), random(5, 2, 3), nn.SquaredOutputs)
}

// E0-45: the first error is +y·σ(−y·g), minus the derivative of the loss.
func TestNET08_LogisticLoss(t *testing.T) {
	for _, y := range []float64{-1, 1} {
		for _, g := range []float64{-1.5, 0, 2} {
			slope := nn.LogisticOutputs.Gradient(mat.NewDense(1, 1, []float64{g}), mat.NewDense(1, 1, []float64{y})).At(0, 0)
			mltest.Near(t, "first error", -slope, y/(1+math.Exp(y*g)), 1e-15)
			if g == 0 {
				mltest.Near(t, "at 0", -slope, y/2, 0)
			}
		}
	}
}

// E0-44 and E3-29: the derivative, a partial one, is the sum over all paths.
func TestNET09_Paths(t *testing.T) {
	net := nn.MLP(2, 3, 2, 2).Sigmoid()
	x, y := []float64{0.4, -1.2}, []float64{1, 0}
	b := net.Backprop(x, y...)
	for layer := 1; layer <= 3; layer++ {
		from, to := b.Weights[layer-1].Dims()
		for i := range from {
			for j := range to {
				sum := 0.0
				paths := net.Paths(x, y, layer, i, j)
				for _, p := range paths {
					sum += p.Product
				}
				mltest.Near(t, "sum over paths", sum, b.Gradients[layer-1].At(i, j), 1e-15)
				if want := []int{4, 2, 1}[layer-1]; len(paths) != want {
					t.Errorf("layer %d has %d paths, want %d", layer, len(paths), want)
				}
			}
		}
	}
	if n := len(twoTwoOne().Paths(x, y[:1], 1, 0, 0)); n != 1 {
		t.Errorf("there are %d paths, want 1", n)
	}
}

// E3-26: the set is (x₁,y₁) to (x_m,y_m). A batch step is the mean of all gradients.
func TestNET10_Batch(t *testing.T) {
	x, y := random(7, 3, 1), random(7, 2, 2)
	net := nn.MLP(3, 4, 2)
	before := slices.Clone(net.Params()[0].Value)
	if _, err := net.Gradient(x, y, nn.SquaredOutputs); err != nil {
		t.Fatal(err)
	}
	g := slices.Clone(net.Params()[0].Grad)
	mean := make([]float64, len(g))
	for i := range 7 {
		if _, err := net.Gradient(mat.NewDense(1, 3, x.RawRowView(i)), mat.NewDense(1, 2, y.RawRowView(i)), nn.SquaredOutputs); err != nil {
			t.Fatal(err)
		}
		for j, v := range net.Params()[0].Grad {
			mean[j] += v / 7
		}
	}
	mltest.NearAll(t, "mean of the gradients", g, mean, 1e-14)
	train(t, nn.Trainer{Optimizer: nn.Momentum{}, Rate: optim.ConstantRate(0.5), Batch: 100, Epochs: 1}, net, x, y)
	for j := range g {
		before[j] -= 0.5 * g[j]
	}
	mltest.NearAll(t, "one step", net.Params()[0].Value, before, 1e-14)
	run := train(t, nn.Trainer{Optimizer: nn.Momentum{}, Rate: optim.ConstantRate(0.05), Batch: 100, Epochs: 100}, net, x, y)
	for k := 1; k < len(run.Loss); k++ {
		if run.Loss[k] > run.Loss[k-1] {
			t.Fatalf("the loss rises in epoch %d", k+1)
		}
	}
}

// E3-26 and E3-27: online training begins with random weights, too.
func TestNET11_OnLine(t *testing.T) {
	x, y := random(6, 2, 1), random(6, 1, 2)
	a, b := nn.MLP(2, 3, 1), nn.MLP(2, 3, 1)
	if slices.Max(a.Params()[0].Value) == slices.Min(a.Params()[0].Value) {
		t.Error("the weights begin equal")
	}
	train(t, nn.Trainer{Optimizer: nn.Momentum{}, Rate: optim.ConstantRate(0.1), Batch: 1, Epochs: 1, NoShuffle: true}, a, x, y)
	b.Params()
	for i := range 6 {
		if _, err := b.Gradient(mat.NewDense(1, 2, x.RawRowView(i)), mat.NewDense(1, 1, y.RawRowView(i)), nn.SquaredOutputs); err != nil {
			t.Fatal(err)
		}
		for _, p := range b.Params() {
			for j, g := range p.Grad {
				p.Value[j] -= 0.1 * g
			}
		}
	}
	for i, p := range a.Params() {
		mltest.NearAll(t, "a step an example", p.Value, b.Params()[i].Value, 1e-14)
	}
}

// E3-31: momentum adds a part of the last step.
func TestNET12_Momentum(t *testing.T) {
	loss := func(alpha float64) (weights []float64, last float64) {
		net := nn.MLP(2, 4, 1)
		run := train(t, nn.Trainer{Optimizer: nn.Momentum{Alpha: alpha}, Rate: optim.ConstantRate(0.05), Batch: 4, Epochs: 60, NoShuffle: true}, net, corners, xor)
		return net.Params()[0].Value, run.Loss[59]
	}
	plain, slow := loss(0)
	tiny, _ := loss(model.Zero)
	mltest.NearAll(t, "α = 0", tiny, plain, 1e-14)
	if _, fast := loss(0.9); fast > slow/2 {
		t.Errorf("with momentum the loss is %v after 60 epochs, without %v", fast, slow)
	}
	w, memory := []float64{0}, [][]float64{{0}}
	nn.Momentum{Alpha: 0.5}.Update(w, []float64{1}, memory, 0.1, 1)
	nn.Momentum{Alpha: 0.5}.Update(w, []float64{1}, memory, 0.1, 2)
	mltest.Near(t, "two steps", w[0], -0.25, 1e-15)
}

func TestNET13_Symmetry(t *testing.T) {
	net := &nn.Network{Layers: []nn.Layer{&nn.Dense{Units: 4, Activation: nn.SigmoidUnits, Init: nn.ZeroInit}, &nn.Dense{Units: 1, Init: nn.ZeroInit}}}
	run := train(t, nn.Trainer{Epochs: 50}, net, corners, mat.NewDense(4, 1, []float64{0, 1, 2, 2}))
	if run.Loss[49] >= run.Loss[0] {
		t.Error("it does not learn")
	}
	for i := range 2 {
		row := net.Weights()[0].RawRowView(i)
		if slices.Max(row) != slices.Min(row) || row[0] == 0 {
			t.Errorf("the units began equal and have weights %v", row)
		}
	}
	for _, v := range numbers(nn.SmallInit.Draw(20, 20, 1)) {
		if math.Abs(v) > 0.01 {
			t.Errorf("a small weight is %v", v)
		}
	}
	var q mat.Dense
	o := nn.OrthogonalInit.Draw(6, 4, 1)
	q.Mul(o.T(), o)
	q.Sub(&q, mat.NewDiagDense(4, []float64{1, 1, 1, 1}))
	mltest.Near(t, "orthonormal columns", mat.Norm(&q, 2), 0, 1e-14)
}

func TestNET14_EarlyStopping(t *testing.T) {
	x, y := random(20, 4, 1), random(20, 1, 2) // noise alone: nothing that it learns generalizes
	vx, vy := random(40, 4, 3), random(40, 1, 4)
	net := nn.MLP(4, 30, 1)
	tr := nn.Trainer{Rate: optim.ConstantRate(0.01), ValidationX: vx, ValidationY: vy, Patience: 5, Epochs: 500}
	run := train(t, tr, net, x, y)
	best := slices.Min(run.Validation)
	if run.Validation[run.BestEpoch-1] != best || len(run.Validation) != run.BestEpoch+5 || !run.Converged {
		t.Errorf("the best of %d epochs is %d", len(run.Validation), run.BestEpoch)
	}
	mltest.Near(t, "the weights kept", nn.SquaredOutputs.Value(net.Output(vx), vy), best, 1e-12)
}

func TestNET15_XORByHand(t *testing.T) {
	net := nn.XORNetwork()
	mltest.NearAll(t, "exclusive or", numbers(net.Output(corners)), numbers(xor), 0)
	if h := net.Layers[0].Forward(corners, false); h.At(0, 0) != -1 || h.At(1, 0) != 1 || h.At(2, 1) != -1 || h.At(3, 1) != 1 {
		t.Errorf("the hidden units are\n%v", mat.Formatted(h))
	}
}

func TestNET16_XORLearned(t *testing.T) {
	done := 0
	for seed := range uint64(5) {
		net := nn.MLP(2, 4, 1)
		net.Seed = seed
		run := train(t, nn.Trainer{Rate: optim.ConstantRate(0.05), Epochs: 400, Seed: seed}, net, corners, xor)
		if run.Loss[len(run.Loss)-1] < 1e-3 {
			done++
		}
	}
	if done < 4 {
		t.Errorf("%d of 5 seeds learn the exclusive or", done)
	}
	linear := nn.MLP(2, 1)
	if run := train(t, nn.Trainer{Epochs: 300, Rate: optim.ConstantRate(0.05)}, linear, corners, xor); run.Loss[299] < 0.49 {
		t.Errorf("without hidden units the loss is %v", run.Loss[299])
	}
	x, y := rings(120)
	c := nn.MLPClassifier{Hidden: []int{8}, Activation: nn.TanhUnits, Epochs: 150, Rate: optim.ConstantRate(0.03)}
	if err := c.Fit(x, y); err != nil {
		t.Fatal(err)
	}
	if right := accuracy(c.Predict(x), y); right < 0.99 {
		t.Errorf("of the circles %v are right", right)
	}
}

func rings(n int) (*mat.Dense, []int) {
	rng, x, y := model.Rand(1, 1), mat.NewDense(n, 2, nil), make([]int, n)
	for i := range n {
		y[i] = i % 2
		r, a := 1+float64(y[i])+0.1*rng.NormFloat64(), 2*math.Pi*rng.Float64()
		x.SetRow(i, []float64{r * math.Cos(a), r * math.Sin(a)})
	}
	return x, y
}

func accuracy(a, b []int) float64 {
	right := 0
	for i := range a {
		if a[i] == b[i] {
			right++
		}
	}
	return float64(right) / float64(len(a))
}

// E3-34 is about the depth; any continuous function needs one hidden layer only.
func TestNET17_Approximation(t *testing.T) {
	last := math.Inf(1)
	for _, units := range []int{1, 3, 10} {
		a, err := nn.Approximate(math.Sin, 0, 2*math.Pi, units, 1)
		if err != nil {
			t.Fatal(err)
		}
		if a.MSE > last/3 {
			t.Errorf("with %d units the error is %v, with fewer %v", units, a.MSE, last)
		}
		last = a.MSE
	}
	if last > 1e-4 {
		t.Errorf("with 10 units the error is %v", last)
	}
}

// E0-46: one hidden unit gives a linear boundary, and K units D·K weights.
func TestNET18_Capacity(t *testing.T) {
	if n := nn.MLP(1000, 100, 1).NumParams(); n != 1000*100+100+100+1 {
		t.Errorf("there are %d parameters", n)
	}
	if k := nn.RuleOfThumbHidden(10, 200); k != 10 {
		t.Errorf("the rule of thumb gives %d", k)
	}
	net := nn.MLP(2, 1, 1).Sigmoid()
	w := net.Weights()[0]
	along := []float64{-w.At(1, 0), w.At(0, 0)} // the score does not change this way
	mltest.Near(t, "along the boundary", net.Eval(0.3+along[0], 0.2+along[1])[0], net.Eval(0.3, 0.2)[0], 1e-15)
}

// E3-34: n threshold units in one hidden layer compute the parity of n bits.
func TestNET19_Parity(t *testing.T) {
	for n := 1; n <= 6; n++ {
		net := nn.ParityNetwork(n)
		for bits := range 1 << n {
			x, odd := make([]float64, n), -1.0
			for i := range x {
				if bits>>i&1 == 1 {
					x[i], odd = 1, -odd
				}
			}
			if got := net.Eval(x...)[0]; got != odd {
				t.Errorf("parity of %v: got %v", x, got)
			}
		}
		if _, units := net.Weights()[0].Dims(); units != n {
			t.Errorf("%d bits take %d units", n, units)
		}
	}
}

func TestNET26_Elman(t *testing.T) {
	x, y := temporal(400)
	net := &nn.Network{Shape: []int{20, 1}, Layers: []nn.Layer{&nn.Elman{Units: 8, Sequence: true}, &nn.Conv1D{Filters: 1, Size: 1}}}
	train(t, nn.Trainer{Loss: nn.SigmoidEntropy, Rate: optim.ConstantRate(0.02), Epochs: 30, Clip: 1}, net, x, y)
	if right := told(net.Output(x), y); right < 0.95 {
		t.Errorf("of the exclusive ors over time %v are right", right)
	}
}

// temporal returns sequences of bits, and for each step the exclusive or of the bit
// and the one before.
func temporal(n int) (x, y *mat.Dense) {
	rng := model.Rand(3, 3)
	x, y = mat.NewDense(n, 20, nil), mat.NewDense(n, 20, nil)
	for i := range n {
		before := 0
		for t := range 20 {
			b := rng.IntN(2)
			x.Set(i, t, float64(b))
			y.Set(i, t, float64(b^before))
			before = b
		}
	}
	return x, y
}

func told(s, y *mat.Dense) float64 {
	right, v := 0, numbers(s)
	for i, want := range numbers(y) {
		if (v[i] > 0) == (want == 1) {
			right++
		}
	}
	return float64(right) / float64(len(v))
}

// A Jordan layer sees its own outputs, so it can hold a bit that was on once.
func TestNET27_Jordan(t *testing.T) {
	rng := model.Rand(4, 4)
	x, y := mat.NewDense(200, 8, nil), mat.NewDense(200, 8, nil)
	for i := range 200 {
		seen := 0.0
		for t := range 8 {
			if rng.Float64() < 0.15 {
				x.Set(i, t, 1)
				seen = 1
			}
			y.Set(i, t, seen)
		}
	}
	net := &nn.Network{Shape: []int{8, 1}, Layers: []nn.Layer{&nn.Jordan{Units: 4, Sequence: true}}}
	train(t, nn.Trainer{Rate: optim.ConstantRate(0.02), Epochs: 40}, net, x, y)
	s := net.Output(x)
	s.Apply(func(_, _ int, v float64) float64 { return v - 0.5 }, s)
	if right := told(s, y); right < 0.99 {
		t.Errorf("%v are right", right)
	}
}

// An activation is the output of a unit, a transfer function computes it from the net input, and an
// epoch is a pass over the examples.
func TestNET28_Words(t *testing.T) {
	b := twoTwoOne().Sigmoid().Backprop([]float64{1, 0}, 1)
	mltest.Near(t, "activation", b.Activations[1][0], nn.SigmoidUnits.Value(0.1), 1e-15)
	steps := 0
	tr := nn.Trainer{Epochs: 3, Batch: 1}
	tr.OnStep = func(s model.Step) { steps = s.Iter }
	if run := train(t, tr, nn.MLP(2, 1), corners, xor); steps != 3 || len(run.Loss) != 3 {
		t.Errorf("there were %d epochs", steps)
	}
}

func TestNET29_Convolution(t *testing.T) {
	l := &nn.Conv1D{Filters: 1, Coef: mat.NewDense(3, 1, []float64{1, 0, -1}), Intercept: []float64{0.5}}
	net := &nn.Network{Shape: []int{5, 1}, Layers: []nn.Layer{l}}
	mltest.NearAll(t, "by hand", net.Eval(1, 2, 4, 8, 16), []float64{-2.5, -5.5, -11.5}, 0)
	edge := &nn.Conv2D{Filters: 1, Size: 2, Coef: mat.NewDense(4, 1, []float64{1, -1, 1, -1}), Intercept: []float64{0}}
	net = &nn.Network{Shape: []int{3, 3, 1}, Layers: []nn.Layer{edge, &nn.MaxPool{}}}
	mltest.NearAll(t, "edges", net.Eval(0, 0, 1, 0, 0, 1, 0, 1, 1), []float64{0}, 0)
	if edge.Picture(0, 0).At(0, 1) != -1 {
		t.Error("the picture of a filter is wrong")
	}
	// A GAN on a ring: the rows that it makes are as far from the center as the real rows.
	rng, x := model.Rand(1, 1), mat.NewDense(256, 1, nil)
	for i := range 256 {
		x.Set(i, 0, 3+0.5*rng.NormFloat64())
	}
	g := nn.GAN{Steps: 600, Seed: 2}
	if err := g.Train(x); err != nil {
		t.Fatal(err)
	}
	mean := mat.Sum(g.Sample(500, 1)) / 500
	if math.Abs(mean-3) > 0.5 {
		t.Errorf("the mean of what the GAN makes is %v, want about 3", mean)
	}
	if p := g.Discern(mat.NewDense(1, 1, []float64{-20})); p[0] > 0.1 {
		t.Errorf("a far row is real with probability %v", p[0])
	}
}
