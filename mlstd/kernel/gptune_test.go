package kernel

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/mltest"
)

// tuned is what testdata/oracles/gp.py computed with scikit-learn.
type tuned struct {
	Name     string
	X, Asked [][]float64
	Y        []float64
	Fits     []struct {
		Kernel        string
		At, Best      float64
		Slopes, Theta []float64
		Mean, Std     []float64
	}
	Nystroem [][]float64
	Fourier  struct {
		Directions [][]float64
		Phases     []float64
		Z          [][]float64
	}
}

func readTuned(t *testing.T) []tuned {
	var o struct{ Sets []tuned }
	mltest.ReadOracle(t, "gp", &o)
	if len(o.Sets) < 5 {
		t.Fatal("the oracle lacks data sets")
	}
	return o.Sets
}

func matrix(rows [][]float64) *mat.Dense {
	return mat.NewDense(len(rows), len(rows[0]), slices.Concat(rows...))
}

// start is the kernel that a fit of the oracle begins with, and what its slopes are in
// scikit-learn's order and parameters: the length ℓ of RBF(γ) is √(1/2γ), and α comes
// before the length.
func start(name string, cols int) (k Kernel, slopes func(s []float64) []float64) {
	same := func(s []float64) []float64 { return s }
	switch name {
	case "matern half":
		return MaternKernel{Nu: 0.5}, same
	case "matern 3/2":
		return MaternKernel{}, same
	case "matern 5/2":
		return MaternKernel{Nu: 2.5}, same
	case "quadratic":
		return RationalQuadraticKernel{}, func(s []float64) []float64 { return []float64{s[1], s[0], s[2]} }
	case "lengths":
		return LengthKernel(slices.Repeat([]float64{1}, cols)), same
	case "rbf":
		return RBF(0.5), func(s []float64) []float64 { return []float64{-2 * s[0], s[1]} }
	case "scaled":
		return ScaledKernel{2, MaternKernel{Nu: 2.5}}, same
	case "sum":
		return SumKernel{ScaledKernel{1, LengthKernel(slices.Repeat([]float64{1}, cols))}, ScaledKernel{0.5, RationalQuadraticKernel{Length: 2}}},
			func(s []float64) []float64 {
				// One length for all columns there: the sum of the slopes of all lengths.
				shared := 0.0
				for _, v := range s[1 : 1+cols] {
					shared += v
				}
				s = s[1+cols:]
				return []float64{math.NaN(), shared, s[0], s[2], s[1], s[3]}
			}
	case "periodic":
		return SumKernel{ScaledKernel{1, ProductKernel{PeriodicKernel{Period: 1.4}, LengthKernel{3}}}, LinearKernel{}}, same
	}
	return nil, nil
}

func TestOracleTuned(t *testing.T) {
	for _, o := range readTuned(t) {
		for _, f := range o.Fits {
			t.Run(o.Name+" "+f.Kernel, func(t *testing.T) {
				x := matrix(o.X)
				k, order := start(f.Kernel, len(o.X[0]))
				e := &evidence{d: x, y: o.Y, k: k, noise: 0.1}
				logs, err := e.parameters("test")
				if err != nil {
					t.Fatal(err)
				}
				slopes := make([]float64, len(logs))
				at, ok := e.value(logs, slopes)
				if !ok {
					t.Fatal("not positive definite")
				}
				mltest.Near(t, "log p", at, f.At, 1e-8)
				for j, s := range order(slopes) {
					if !math.IsNaN(s) {
						mltest.Near(t, "slope", s, f.Slopes[j], 1e-6)
					}
				}
				g := &GaussianProcess{Kernel: k, Noise: 0.1, Tune: true, Restarts: 4}
				if err := g.Fit(x, o.Y); err != nil {
					t.Fatal(err)
				}
				if f.Kernel == "sum" && len(o.X[0]) > 1 {
					if g.LogLikelihood < f.Best-1e-3 { // a length a column can only do better
						t.Errorf("log p is %v, there %v", g.LogLikelihood, f.Best)
					}
					return
				}
				if g.LogLikelihood < f.Best-1e-4 {
					t.Errorf("log p is %v, there %v", g.LogLikelihood, f.Best)
				}
				if g.LogLikelihood < f.Best+1e-4 {
					asked := matrix(o.Asked)
					mltest.NearAll(t, "mean", g.Predict(asked), f.Mean, 5e-3)
					mltest.NearAll(t, "standard deviation", g.PredictStd(asked), f.Std, 5e-3)
				}
			})
		}
	}
}

func TestOracleApproximate(t *testing.T) {
	for _, o := range readTuned(t) {
		t.Run(o.Name, func(t *testing.T) {
			x, asked := matrix(o.X), matrix(o.Asked)
			n := &Nystroem{Kernel: RBF(0.3), Components: 20, Seed: 7}
			if err := n.Fit(x); err != nil {
				t.Fatal(err)
			}
			// The features are compared where they do not hang on rounding: their products.
			want, z := matrix(o.Nystroem), n.Transform(asked)
			var a, b mat.Dense
			a.Mul(z, z.T())
			b.Mul(want, want.T())
			mltest.NearAll(t, "products of features", a.RawMatrix().Data, b.RawMatrix().Data, 1e-6)
			f := &RandomFourier{Gamma: 0.3, Components: 12}
			if err := f.Fit(x); err != nil {
				t.Fatal(err)
			}
			f.Directions, f.Phases = matrix(o.Fourier.Directions), o.Fourier.Phases
			mltest.NearAll(t, "waves", f.Transform(asked).RawMatrix().Data, slices.Concat(o.Fourier.Z...), 1e-10)
		})
	}
}

// Every derivative is that of a small difference.
func TestKernelSlopes(t *testing.T) {
	a, b := []float64{0.3, -1.2}, []float64{1.1, 0.4}
	for _, k := range []TunableKernel{
		RBF(0.7), LengthKernel{0.5, 2}, MaternKernel{0.5, 1.3}, MaternKernel{1.5, 1.3}, MaternKernel{2.5, 0.8}, RationalQuadraticKernel{0.9, 2.2},
		PeriodicKernel{1.2, 2.9}, ScaledKernel{1.7, RBF(0.4)}, SumKernel{RBF(0.4), LinearKernel{}, MaternKernel{}},
		ProductKernel{MaternKernel{}, RationalQuadraticKernel{}, PeriodicKernel{}, LinearKernel{}},
	} {
		p := k.Parameters()
		slopes := make([]float64, len(p))
		mltest.Near(t, "value", k.EvalSlopes(a, b, slopes), k.Eval(a, b), 1e-14)
		for j := range p {
			const h = 1e-6
			up, down := slices.Clone(p), slices.Clone(p)
			up[j] *= math.Exp(h)
			down[j] *= math.Exp(-h)
			mltest.Near(t, "slope", slopes[j], (k.WithParameters(up).Eval(a, b)-k.WithParameters(down).Eval(a, b))/(2*h), 1e-8)
		}
	}
}

func TestNystroemExact(t *testing.T) {
	x := mat.NewDense(30, 2, nil)
	for i := range 30 {
		x.Set(i, 0, math.Sin(float64(i)))
		x.Set(i, 1, math.Cos(float64(3*i)))
	}
	n := &Nystroem{Kernel: MaternKernel{}}
	if err := n.Fit(x); err != nil {
		t.Fatal(err)
	}
	z := n.Transform(x)
	var g mat.Dense
	g.Mul(z, z.T())
	mltest.NearAll(t, "similarities", g.RawMatrix().Data, CrossGram(MaternKernel{}, x, x).RawMatrix().Data, 1e-9)
	f := &RandomFourier{Gamma: 0.5, Components: 20000, Seed: 1}
	if err := f.Fit(x); err != nil {
		t.Fatal(err)
	}
	z = f.Transform(x)
	g.Mul(z, z.T())
	mltest.NearAll(t, "similarities by waves", g.RawMatrix().Data, CrossGram(RBF(0.5), x, x).RawMatrix().Data, 0.05)
}

func TestTuneRefusals(t *testing.T) {
	x, y := mat.NewDense(4, 1, []float64{1, 2, 3, 4}), []float64{1, 2, 1, 3}
	for what, g := range map[string]*GaussianProcess{
		"no parameters":     {Kernel: LinearKernel{}, Tune: true},
		"a parameter of 0":  {Kernel: ScaledKernel{0, RBF(1)}, Tune: true},
		"Restarts below 0":  {Tune: true, Restarts: -1, Noise: 0.1},
		"a length below 0":  {Kernel: LengthKernel{-1}},
		"ν of 2":            {Kernel: MaternKernel{Nu: 2}},
		"a period below 0":  {Kernel: PeriodicKernel{Period: -1}},
		"a mixture below 0": {Kernel: RationalQuadraticKernel{Alpha: -1}},
	} {
		if err := g.Fit(x, y); err == nil {
			t.Errorf("%s is accepted", what)
		}
	}
}
