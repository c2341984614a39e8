package nn_test

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/mltest"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/nn"
	"github.com/gokernel/gokernel/mlstd/optim"
)

// writer returns a small network that predicts the next of some words.
func writer(words, features int) []nn.Layer {
	layers := []nn.Layer{&nn.Embedding{Words: words, Size: features}, &nn.PositionalEncoding{}}
	layers = append(layers, nn.TransformerBlock{Size: features, Heads: 2, Causal: true, Activation: nn.GELU}.Layers()...)
	return append(layers, &nn.LayerNorm{}, &nn.Conv1D{Filters: words, Size: 1})
}

// A shift of the position is a rotation of each pair of features, whatever the position: the dot
// product of two positions depends only on their distance.
func TestPositionalEncoding(t *testing.T) {
	v := (&nn.PositionalEncoding{}).Vectors(40, 8)
	mltest.NearAll(t, "position 0", v.RawRowView(0), []float64{0, 1, 0, 1, 0, 1, 0, 1}, 0)
	mltest.NearAll(t, "position 1", v.RawRowView(1)[:4], []float64{math.Sin(1), math.Cos(1), math.Sin(0.1), math.Cos(0.1)}, 1e-15)
	dot := func(a, b int) float64 { return mat.Dot(v.RowView(a), v.RowView(b)) }
	for step := range 8 {
		for from := range 30 {
			mltest.Near(t, "dot product", dot(from, from+step), dot(0, step), 1e-12)
		}
	}
	short := (&nn.PositionalEncoding{Base: 10}).Vectors(2, 4)
	mltest.Near(t, "base 10", short.At(1, 2), math.Sin(1/math.Sqrt(10)), 1e-15)
}

// The network learns to repeat a sequence: the second half of each row equals its first half, so
// that only the first half is uncertain. Without positions or without attention, it can't.
func TestTransformerCopies(t *testing.T) {
	const words, half, n = 6, 4, 256
	rng := model.Rand(1, 0)
	x, y := mat.NewDense(n, 2*half-1, nil), mat.NewDense(n, 2*half-1, nil)
	for i := range n {
		row := make([]float64, 2*half)
		for j := range half {
			row[j] = float64(rng.IntN(words))
			row[half+j] = row[j]
		}
		x.SetRow(i, row[:2*half-1])
		y.SetRow(i, row[1:])
	}
	net := &nn.Network{Shape: []int{2*half - 1}, Layers: writer(words, 16)}
	run := train(t, nn.Trainer{Loss: nn.StepEntropy, Rate: optim.ConstantRate(0.01), Epochs: 40}, net, x, y)
	// The first three of the seven steps are random: at best, they cost ln 6 each.
	best := math.Log(words) * (half - 1) / (2*half - 1)
	if got := run.Loss[39]; got > best+0.05 || got < best-0.1 {
		t.Errorf("the loss is %v, want about %v", got, best)
	}
	right := 0
	s := net.Output(x)
	for i := range n {
		for step := half - 1; step < 2*half-1; step++ {
			part := s.RawRowView(i)[step*words : (step+1)*words]
			if best := int(y.At(i, step)); part[best] == maxOf(part) {
				right++
			}
		}
	}
	if right < n*half*98/100 {
		t.Errorf("%d of %d repeated words are right", right, n*half)
	}
}

func maxOf(v []float64) float64 {
	top := math.Inf(-1)
	for _, x := range v {
		top = max(top, x)
	}
	return top
}

// Errors name the rule and the value.
func TestTransformerErrors(t *testing.T) {
	dense := func() []nn.Layer { return []nn.Layer{&nn.Dense{Units: 3}} }
	for want, c := range map[string]struct {
		shape []int
		layer nn.Layer
	}{
		"must return rows of the shape [4]": {[]int{4}, &nn.Residual{Layers: dense()}},
		"Layers must not be empty":          {[]int{4}, &nn.Residual{}},
		"layer 1 of *nn.Dropout":            {[]int{4}, &nn.Residual{Layers: []nn.Layer{&nn.Dropout{Share: 2}}}},
		"at least 2 features":               {[]int{4, 1}, &nn.LayerNorm{}},
		"Epsilon must not be negative":      {[]int{4}, &nn.LayerNorm{Epsilon: -1}},
		"Scale and Shift must have 4":       {[]int{4}, &nn.LayerNorm{Scale: []float64{1}, Shift: []float64{1}}},
		"[]int{steps, features}":            {[]int{4}, &nn.PositionalEncoding{}},
		"Base must be at least 1":           {[]int{4, 2}, &nn.PositionalEncoding{Base: 0.5}},
		"divide 4 (the columns":             {[]int{3, 4}, &nn.SelfAttention{Heads: 3}},
		"OutputCoef must be 4x4, got 0x0": {[]int{3, 4}, &nn.SelfAttention{Heads: 2, QueryCoef: random(4, 4, 1),
			KeyCoef: random(4, 4, 2), ValueCoef: random(4, 4, 3)}},
	} {
		err := (&nn.Network{Shape: c.shape, Layers: []nn.Layer{c.layer}}).Build()
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the error is %v, want one with %q", err, want)
		}
	}
	for want, b := range map[string]nn.TransformerBlock{
		"Size must be at least 2":     {},
		"divide Size, which is 4":     {Size: 4, Heads: 3},
		"Hidden must not be negative": {Size: 4, Hidden: -1},
		"Dropout must be at least 0":  {Size: 4, Dropout: 1},
		"Activation must be one of":   {Size: 4, Activation: "x"},
	} {
		func() {
			defer func() {
				if err, _ := recover().(error); err == nil || !strings.Contains(err.Error(), want) {
					t.Errorf("the panic is %v, want one with %q", err, want)
				}
			}()
			b.Layers()
		}()
	}
	x := mat.NewDense(2, 3, []float64{0, 1, 2, 2, 1, 0})
	for want, y := range map[string]*mat.Dense{
		"must divide the number of outputs": mat.NewDense(2, 4, nil),
		"between 0 and 4, got 5":            mat.NewDense(2, 3, []float64{0, 0, 0, 0, 5, 0}),
		"between 0 and 4, got 0.5":          mat.NewDense(2, 3, []float64{0, 0, 0.5, 0, 0, 0}),
		"between 0 and 4, got -1":           mat.NewDense(2, 3, []float64{0, 0, 0, 0, 0, -1}),
	} {
		net := &nn.Network{Shape: []int{3}, Layers: writer(5, 4)}
		if _, err := (&nn.Trainer{Loss: nn.StepEntropy}).Train(net, x, y); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the error is %v, want one with %q", err, want)
		}
	}
}

// Single precision reaches the layers inside of a residual layer.
func TestNestedSingle(t *testing.T) {
	out := func(single bool) []float64 {
		net := &nn.Network{Shape: []int{3}, Single: single, Layers: writer(5, 8)}
		return numbers(net.Output(mat.NewDense(1, 3, []float64{0, 1, 4})))
	}
	double, single := out(false), out(true)
	mltest.NearAll(t, "single", single, double, 1e-4)
	if double[0] == single[0] {
		t.Error("the products are in double precision")
	}
}
