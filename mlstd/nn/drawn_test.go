package nn

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
)

// The gradients through the drawn code, and of the divergence, agree with numerical ones.
func TestVAEGradients(t *testing.T) {
	x := mat.NewDense(6, 4, nil)
	normal(x, model.Rand(1, 1))
	for name, v := range map[string]*VAE{
		"tanh":            {Components: 3, Hidden: []int{5}},
		"linear":          {Components: 2, Hidden: []int{}, Variance: 0.5},
		"sigmoid outputs": {Components: 2, Hidden: []int{6, 5}, Output: SigmoidUnits},
	} {
		g := v.training(4)
		if err := g.net.Build(); err != nil {
			t.Fatal(err)
		}
		g.gradients(g.net, x, x)
		g.code.hold = true
		var grads [][]float64
		for _, p := range g.net.params {
			grads = append(grads, append([]float64(nil), p.Grad...))
		}
		for i, p := range g.net.params {
			if worst := numericalError(p.Value, grads[i], func() float64 { return g.gradients(g.net, x, x) }); !(worst < 1e-7) || math.IsNaN(worst) {
				t.Errorf("%s: the gradient by %s differs by %g", name, p.Name, worst)
			}
		}
	}
}

// By hand: N(1, ¼) and N(0, 1) differ by ln 2 + 1.25/2 − ½, equal distributions by 0.
func TestDivergence(t *testing.T) {
	if got, want := divergence(mat.NewDense(2, 2, []float64{1, -2 * math.Ln2, 0, 0})), math.Ln2+0.125; math.Abs(got-want) > 1e-15 {
		t.Errorf("the divergence is %v, want %v", got, want)
	}
}

// The noise that a batch adds has the variance of its level, and leaves the fraction √p_t of the
// row.
func TestNoisyBatch(t *testing.T) {
	rows, b := mat.NewDense(1, 2, []float64{3, -1}), newNoisyBatch(4, 2)
	b.draw(rows, []float64{1, 0.64}, model.Rand(1, 0))
	for i := range 4 {
		for j, want := range []float64{0.8*3 + 0.6*b.eps.At(i, 0), -0.8 + 0.6*b.eps.At(i, 1), 0.8, 0.6} {
			if got := b.in.At(i, j); math.Abs(got-want) > 1e-15 {
				t.Errorf("row %d, column %d of the batch is %v, want %v", i, j, got, want)
			}
		}
	}
}

func BenchmarkVAEEpoch(b *testing.B) {
	x := mat.NewDense(640, 64, nil)
	normal(x, model.Rand(1, 1))
	b.ReportAllocs()
	for b.Loop() {
		if err := (&VAE{Epochs: 1}).Fit(x); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkDiffusion(b *testing.B) {
	x := mat.NewDense(640, 2, nil)
	normal(x, model.Rand(1, 1))
	m := &Diffusion{Steps: 100}
	if err := m.Fit(x); err != nil {
		b.Fatal(err)
	}
	b.Run("fit", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if err := m.Fit(x); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("sample", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			m.Sample(640, 1)
		}
	})
}
