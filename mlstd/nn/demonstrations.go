package nn

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/optim"
)

// XORNetwork returns a network with hand-chosen weights that computes the exclusive or of two
// numbers ±1. One hidden unit computes "or", the other computes "and", and the output is "or, but
// not and".
//
//	or = tanh(1000x₁ + 1000x₂ + 1000),   and = tanh(1000x₁ + 1000x₂ − 1000)
//	y = tanh(1000·or − 1000·and − 1000)
//
// Course: NET-15.
func XORNetwork() *Network {
	const w = 1000
	return stackAll(TanhUnits,
		[]*mat.Dense{mat.NewDense(2, 2, []float64{w, w, w, w}), mat.NewDense(2, 1, []float64{w, -w})},
		[][]float64{{w, -w}, {-w}})
}

// ParityNetwork computes the parity of n bits, 0 or 1: its output is positive if an odd number of
// bits is 1. It has n threshold units in one hidden layer; unit k is on if at least k bits are 1.
//
//	u_k = sign(Σ x − k + ½),   y = sign(Σ_k (−1)^(k+1)·(u_k + 1)/2 − ½)
//
// The lecture notes state that one hidden layer needs exponentially many units for parity. This is
// true for circuits of "and" and "or", but not for threshold units.
//
// References: [MinskyPapert1969]. Course: NET-19.
func ParityNetwork(n int) *Network {
	if n < 1 {
		panic(model.Errorf("ParityNetwork", "n must be at least 1 (the number of bits), got %d", n))
	}
	in, out := mat.NewDense(n, n, nil), mat.NewDense(n, 1, nil)
	hidden, last := make([]float64, n), -0.5
	for k := range n {
		sign := 0.5
		if k%2 == 1 {
			sign = -0.5
		}
		for i := range n {
			in.Set(i, k, 1)
		}
		hidden[k] = -float64(k) - 0.5
		out.Set(k, 0, sign)
		last += sign
	}
	return stackAll(ThresholdUnits, []*mat.Dense{in, out}, [][]float64{hidden, {last}})
}

// stackAll returns a network with the weights and the same transfer function in all layers.
func stackAll(f Activation, coef []*mat.Dense, intercept [][]float64) *Network {
	net := stack(coef, intercept, f).With(f, f)
	if err := net.Build(); err != nil {
		panic(err)
	}
	return net
}

// Approximation holds a function of one number and a network that was fitted to it.
type Approximation struct {
	Network *Network
	X, Y    []float64 // 101 points of the function, in equal steps
	Fitted  []float64
	MSE     float64
	Trace   model.Trace
}

// Approximate fits a network with one hidden layer of tanh units to f between lo and hi. With
// enough units, such a network can approximate any continuous function arbitrarily well. The
// theorem does not say how many units are enough, or whether training finds the weights.
//
// References: [Cybenko1989]. Course: NET-17, NET-18.
func Approximate(f func(x float64) float64, lo, hi float64, units int, seed uint64) (*Approximation, error) {
	const op, points = "Approximate", 101
	if !(hi > lo) || units < 1 || math.IsInf(lo, 0) || math.IsInf(hi, 0) {
		return nil, model.Errorf(op, "lo must be less than hi, and units at least 1, got %v, %v and %d", lo, hi, units)
	}
	a := &Approximation{Network: MLP(1, units, 1)}
	a.Network.Seed = seed
	x, y := mat.NewDense(points, 1, nil), mat.NewDense(points, 1, nil)
	for i := range points {
		t := float64(i)/(points-1)*2 - 1
		v := lo + (hi-lo)*(t+1)/2
		a.X, a.Y = append(a.X, v), append(a.Y, f(v))
		x.Set(i, 0, v)
		y.Set(i, 0, a.Y[i])
	}
	// Spread the hidden units over the range, so that training works for any range of inputs.
	if err := a.Network.Build(); err != nil {
		return nil, err
	}
	rng, first := model.Rand(seed, 5), a.Network.Layers[0].(*Dense)
	for j := range units {
		w := 2 / (hi - lo) * (1 + 2*rng.Float64())
		first.Coef.Set(0, j, w)
		first.Intercept[j] = -w * (lo + (hi-lo)*rng.Float64())
	}
	const epochs = 3000
	run, err := (&Trainer{Rate: optim.Schedule(CosineRate{A: 0.05, Steps: epochs}), Batch: points, Epochs: epochs, Seed: seed}).Train(a.Network, x, y)
	if err != nil {
		return nil, err
	}
	a.Trace = run.Trace
	out := a.Network.Output(x)
	for i := range points {
		a.Fitted = append(a.Fitted, out.At(i, 0))
		a.MSE += (a.Fitted[i] - a.Y[i]) * (a.Fitted[i] - a.Y[i]) / points
	}
	return a, nil
}

// RuleOfThumbHidden returns the number K of hidden units recommended in the lecture notes for d
// inputs and n examples. The rule is two examples for each of the d·K weights of the first layer.
//
//	K = n/(2d), at least 1
//
// With one hidden unit, the decision boundary is linear: the output is a monotone function of one
// linear score.
//
// Course: NET-18.
func RuleOfThumbHidden(d, n int) int {
	if d < 1 || n < 1 {
		panic(model.Errorf("RuleOfThumbHidden", "the numbers of inputs and examples must be positive, got %d and %d", d, n))
	}
	return max(1, n/(2*d))
}
