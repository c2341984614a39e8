package nn_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/nn"
	"github.com/gokernel/gokernel/mlstd/optim"
)

func fit(t *testing.T, a *nn.Autoencoder, x mat.Matrix) {
	t.Helper()
	if err := a.Fit(x); err != nil {
		t.Fatal(err)
	}
}

// plane returns rows near a plane in 5 dimensions.
func plane(n int, noise float64) *mat.Dense {
	z, w := random(n, 2, 7), mat.NewDense(2, 5, []float64{1, 0.5, -1, 0.2, 0.3, 0.1, -0.6, 0.4, 0.9, -0.8})
	x := mat.NewDense(n, 5, nil)
	x.Mul(z, w)
	e := random(n, 5, 8)
	e.Scale(noise, e)
	x.Add(x, e)
	for j := range 5 {
		mean := 0.0
		for i := range n {
			mean += x.At(i, j) / float64(n)
		}
		for i := range n {
			x.Set(i, j, x.At(i, j)-mean)
		}
	}
	return x
}

func squares(a, b *mat.Dense) float64 {
	var d mat.Dense
	d.Sub(a, b)
	n, _ := a.Dims()
	s := mat.Norm(&d, 2)
	return s * s / float64(n)
}

func TestNET20_SpansPrincipalComponents(t *testing.T) {
	x := plane(80, 0.1)
	a := nn.Autoencoder{Activation: nn.LinearUnits, Batch: 80, Epochs: 2000, Rate: nn.CosineRate{A: 0.05, Steps: 2000}}
	fit(t, &a, x)
	var svd mat.SVD
	svd.Factorize(x, mat.SVDThin)
	var v mat.Dense
	svd.VTo(&v)
	// The decoder lies in the span of the first two components.
	var in, back, codes mat.Dense
	v2 := v.Slice(0, 5, 0, 2)
	in.Mul(a.DecoderCoef, v2)
	back.Mul(&in, v2.T())
	if d := squares(&back, a.DecoderCoef); d > 1e-6 {
		t.Errorf("the decoder is %v off the space of the components", d)
	}
	codes.Mul(x, v2)
	back.Reset()
	back.Mul(&codes, v2.T())
	if got, best := squares(a.Reconstruct(x), x), squares(&back, x); got > best*1.001 || got < best-1e-9 {
		t.Errorf("the error is %v, of two components %v", got, best)
	}
}

// Mitchell, Machine Learning, section 4.6.4: eight patterns through three units.
func TestNET21_Bottleneck(t *testing.T) {
	x := mat.NewDense(8, 8, nil)
	for i := range 8 {
		x.Set(i, i, 1)
	}
	a := nn.Autoencoder{Components: 3, Output: nn.SigmoidUnits, Batch: 8, Epochs: 3000, Rate: optim.ConstantRate(0.05)}
	fit(t, &a, x)
	out, codes := a.Reconstruct(x), a.Transform(x)
	for i := range 8 {
		for j := range 8 {
			if (out.At(i, j) > 0.5) != (i == j) {
				t.Errorf("pattern %d, output %d is %v", i, j, out.At(i, j))
			}
		}
		for k := range i {
			d := 0.0
			for j := range 3 {
				d += math.Abs(codes.At(i, j) - codes.At(k, j))
			}
			if d < 0.3 {
				t.Errorf("the codes of %d and %d are alike", i, k)
			}
		}
	}
}

func TestNET22_Sparse(t *testing.T) {
	x := plane(100, 0.3)
	mean := func(weight float64) float64 {
		a := nn.Autoencoder{Components: 8, Sparsity: weight, Target: 0.1, Batch: 100, Epochs: 600, Rate: optim.ConstantRate(0.02)}
		fit(t, &a, x)
		return mat.Sum(a.Transform(x)) / 800
	}
	if m := mean(3); math.Abs(m-0.1) > 0.02 {
		t.Errorf("the mean activation is %v, want about 0.1", m)
	}
	if m := mean(0); m < 0.2 {
		t.Errorf("without the penalty the mean activation is %v", m)
	}
}

// E3-35: the clean input is predicted from a corrupted one.
func TestNET23_Denoising(t *testing.T) {
	x, e := plane(200, 0), random(200, 5, 11)
	e.Scale(0.5, e)
	var noisy mat.Dense
	noisy.Add(x, e)
	a := nn.Autoencoder{Components: 4, Activation: nn.TanhUnits, Noise: 0.5, Epochs: 150, Rate: optim.ConstantRate(0.01)}
	fit(t, &a, x)
	if got, identity := squares(a.Reconstruct(&noisy), x), squares(&noisy, x); got > 0.7*identity {
		t.Errorf("the error is %v, that of the noisy rows %v", got, identity)
	}
}

func TestNET24_Contractive(t *testing.T) {
	x := plane(60, 0.2)
	size := func(weight float64) float64 {
		a := nn.Autoencoder{Components: 4, Contraction: weight, Epochs: 100, Rate: optim.ConstantRate(0.02)}
		fit(t, &a, x)
		sum := 0.0
		for i := range 60 {
			n := mat.Norm(a.Jacobian(x.RawRowView(i)), 2)
			sum += n * n
		}
		return sum / 60
	}
	if with, without := size(0.5), size(0); with > without/2 {
		t.Errorf("the squared norm of the Jacobian is %v with the penalty, %v without", with, without)
	}
	a := nn.Autoencoder{Components: 3, Activation: nn.TanhUnits, Epochs: 5}
	fit(t, &a, x)
	row := x.RawRowView(0)
	j := a.Jacobian(row)
	for i := range row {
		up, down := mat.NewDense(1, 5, append([]float64(nil), row...)), mat.NewDense(1, 5, append([]float64(nil), row...))
		up.Set(0, i, row[i]+1e-5)
		down.Set(0, i, row[i]-1e-5)
		for k := range 3 {
			slope := (a.Transform(up).At(0, k) - a.Transform(down).At(0, k)) / 2e-5
			if math.Abs(slope-j.At(i, k)) > 1e-8 {
				t.Errorf("∂h%d/∂x%d is %v, numerically %v", k, i, j.At(i, k), slope)
			}
		}
	}
}

func TestNET25_Stacked(t *testing.T) {
	x, y := rings(80)
	s := nn.StackedAutoencoder{Hidden: []int{12, 6}, Epochs: 100, Rate: optim.ConstantRate(0.02)}
	if err := s.Fit(x, y); err != nil {
		t.Fatal(err)
	}
	if !(s.AfterTune < s.BeforeTune/2) {
		t.Errorf("the loss before fine tuning is %v, afterwards %v", s.BeforeTune, s.AfterTune)
	}
	if len(s.Layers) != 3 || accuracy(s.Predict(x), y) < 0.95 {
		t.Errorf("of the circles %v are right", accuracy(s.Predict(x), y))
	}
}

var _ model.Transformer = (*nn.Autoencoder)(nil)
