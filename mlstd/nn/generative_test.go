package nn_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/gokernel/gokernel/mlstd/data"
	"github.com/gokernel/gokernel/mlstd/internal/mltest"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/neighbors"
	"github.com/gokernel/gokernel/mlstd/nn"
)

// With linear units, the bound is tight, and its maximum is the likelihood of probabilistic
// principal components with the variance σ² (Lucas et al., 2019):
//
//	J = ½ Σ_{j≤k} (ln(λ_j/σ²) + 1) + ½ Σ_{j>k} λ_j/σ²
func TestVAELinearIsPCA(t *testing.T) {
	x, variance := plane(200, 0.3), 0.1
	var svd mat.SVD
	svd.Factorize(x, mat.SVDNone)
	want := 0.0
	for j, s := range svd.Values(nil) {
		ratio := s * s / 200 / variance
		if j < 2 {
			ratio = math.Log(ratio) + 1
		}
		want += ratio / 2
	}
	v := nn.VAE{Hidden: []int{}, Variance: variance, Batch: 200, Epochs: 3000, Rate: nn.CosineRate{A: 0.02, Steps: 3000}, Seed: 1}
	if err := v.Fit(x); err != nil {
		t.Fatal(err)
	}
	sum := 0.0
	for seed := range uint64(200) {
		squares, kl := v.Bound(x, seed)
		sum += (squares + kl) / 200
	}
	mltest.Near(t, "the bound", sum, want, 0.02*want)
}

// Codes that are drawn decode to rows like the training rows, and a large variance makes the codes
// collapse: the divergence is 0, and every code decodes to the mean row.
func TestVAESamples(t *testing.T) {
	moons := data.TwoMoons(300, 0.05, 1).X.Dense
	v := nn.VAE{Variance: 0.03, Epochs: 300, Rate: nn.CosineRate{A: 0.01, Steps: 5700}, Seed: 1}
	if err := v.Fit(moons); err != nil {
		t.Fatal(err)
	}
	// Normal rows with the same mean and covariance are about 0.18 from them.
	if d := apart(v.Sample(300, 1), moons); d > 0.11 {
		t.Errorf("the samples are %v from the rows on average", d)
	}
	if d := apart(moons, v.Sample(300, 1)); d > 0.07 {
		t.Errorf("the rows are %v from the samples on average", d)
	}
	mltest.NearAll(t, "the same seed", v.Sample(5, 3).RawMatrix().Data, v.Sample(5, 3).RawMatrix().Data, 0)
	c := nn.VAE{Variance: 100, Epochs: 100, Rate: nn.CosineRate{A: 0.01, Steps: 1900}}
	if err := c.Fit(moons); err != nil {
		t.Fatal(err)
	}
	if _, kl := c.Bound(moons, 1); kl > 1e-3 {
		t.Errorf("the divergence is %v with a large variance", kl)
	}
	for j := range 2 {
		mltest.Near(t, "the mean row", c.Sample(1, 1).At(0, j), stat.Mean(mat.Col(nil, j, moons), nil), 0.1)
	}
}

// apart is the mean distance from the rows of a to the nearest rows of b.
func apart(a, b *mat.Dense) (mean float64) {
	tree := neighbors.NewKDTree(b, neighbors.Euclidean, 2)
	n, _ := a.Dims()
	for i := range n {
		_, d, _ := tree.Nearest(a.RawRowView(i), 1)
		mean += d[0] / float64(n)
	}
	return mean
}

func TestDiffusion(t *testing.T) {
	moons := data.TwoMoons(300, 0.05, 1).X.Dense
	n, _ := moons.Dims()
	scaled := mat.NewDense(n, 2, nil)
	scaled.Apply(func(i, j int, v float64) float64 { return 100*float64(j) + 10*v }, moons)
	m := nn.Diffusion{Steps: 4000, Seed: 1}
	if err := m.Fit(scaled); err != nil {
		t.Fatal(err)
	}
	made := m.Sample(n, 1)
	if d := apart(made, scaled); d > 1 {
		t.Errorf("the samples are %v from the rows on average", d)
	}
	if d := apart(scaled, made); d > 1 {
		t.Errorf("the rows are %v from the samples on average", d)
	}
	path := m.Path(n, 1)
	if len(path) != 51 || !mat.Equal(path[50], made) {
		t.Errorf("a path of %d steps does not end with the sample", len(path))
	}
	// Pure noise has the mean and the variance of the columns, and so have noisy rows.
	for name, x := range map[string]*mat.Dense{"noise": path[0], "half": m.Noised(scaled, 25, 1), "none": m.Noised(scaled, 0, 1)} {
		for j := range 2 {
			mean, sd := stat.MeanStdDev(mat.Col(nil, j, x), nil)
			mltest.Near(t, name+": the mean", mean, m.Mean[j], 0.12*m.Scale[j])
			mltest.Near(t, name+": the deviation", sd, m.Scale[j], 0.1*m.Scale[j])
		}
	}
	mltest.NearAll(t, "no noise", m.Noised(scaled, 0, 1).RawMatrix().Data, scaled.RawMatrix().Data, 1e-9)
	mltest.Near(t, "one level", m.Signal[1], 1-0.2/50, 1e-15)
	// A constant column stays as it is.
	constant := mat.NewDense(20, 2, nil)
	constant.Apply(func(i, j int, _ float64) float64 { return float64(j*7 + (1-j)*i) }, constant)
	c := nn.Diffusion{Steps: 300, Hidden: []int{16}}
	if err := c.Fit(constant); err != nil {
		t.Fatal(err)
	}
	for _, v := range mat.Col(nil, 1, c.Sample(10, 1)) {
		mltest.Near(t, "the constant column", v, 7, 0.5)
	}
}

func TestGenerativeErrors(t *testing.T) {
	x := random(10, 2, 1)
	for want, err := range map[string]error{
		"Noise must be at least 0 and below 1, got 1":               (&nn.Diffusion{Noise: 1}).Fit(x),
		"Levels must be positive":                                   (&nn.Diffusion{Levels: -1}).Fit(x),
		"Steps must be positive":                                    (&nn.Diffusion{Steps: -1}).Fit(x),
		"Batch must not be negative":                                (&nn.Diffusion{Batch: -1}).Fit(x),
		"each layer of Hidden must have at least 1 unit, got [3 0]": (&nn.VAE{Hidden: []int{3, 0}}).Fit(x),
		"Diffusion.Fit: each layer of Hidden must have at least 1":  (&nn.Diffusion{Hidden: []int{0}}).Fit(x),
		"Components must not be negative, got -2":                   (&nn.VAE{Components: -2}).Fit(x),
		"Variance must be finite and not negative, got -1":          (&nn.VAE{Variance: -1}).Fit(x),
		"the loss must be finite":                                   (&nn.Diffusion{Rate: nn.StepRate{A: math.Inf(1)}, Steps: 5}).Fit(x),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the error is %v, want %q", err, want)
		}
	}
	fitted, diffused := &nn.VAE{Epochs: 1}, &nn.Diffusion{Steps: 1}
	if err := errors.Join(fitted.Fit(x), diffused.Fit(x)); err != nil {
		t.Fatal(err)
	}
	for want, call := range map[string]func(){
		"VAE.Sample":            func() { new(nn.VAE).Sample(1, 1) },
		"VAE.Decode":            func() { new(nn.VAE).Decode(x) },
		"VAE.Transform":         func() { new(nn.VAE).Transform(x) },
		"VAE.Bound":             func() { new(nn.VAE).Bound(x, 1) },
		"Diffusion.Sample":      func() { new(nn.Diffusion).Sample(1, 1) },
		"Diffusion.Path":        func() { new(nn.Diffusion).Path(1, 1) },
		"Diffusion.Noised":      func() { new(nn.Diffusion).Noised(x, 1, 1) },
		"n must be at least 1":  func() { fitted.Sample(0, 1) },
		"n must be at least 1,": func() { diffused.Sample(0, 1) },
		"t must be between 0 and 50 (the number of levels), got 51": func() { diffused.Noised(x, 51, 1) },
	} {
		func() {
			defer func() {
				if err, _ := recover().(error); err == nil || !strings.Contains(err.Error(), want) {
					t.Errorf("the panic is %v, want %q", err, want)
				}
			}()
			call()
		}()
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for name, err := range map[string]error{
		"VAE":       (&nn.VAE{Control: model.Control{Context: ctx}}).Fit(x),
		"Diffusion": (&nn.Diffusion{Control: model.Control{Context: ctx}}).Fit(x),
	} {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s returns %v when its context is done", name, err)
		}
	}
}
