package kernel_test

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/data"
	"github.com/gokernel/gokernel/mlstd/internal/mltest"
	"github.com/gokernel/gokernel/mlstd/kernel"
)

type fittedPCA struct {
	Eigenvalues []float64
	Z           [][]float64 // without signs, of the first rows
}

// oracle holds what testdata/oracles/kernel.py computed with scikit-learn.
type oracle struct {
	Classification []struct {
		Name         string
		X            [][]float64
		Y            []int
		PCA, PCAPoly fittedPCA
		Gram         struct {
			Linear, Poly, RBF, Sigmoid, Cosine, Default [][]float64
		}
		Perceptron, PerceptronRBF struct {
			Alpha, Score []float64
			Mistakes     []int
		}
	}
	Regression []struct {
		Name                   string
		X                      [][]float64
		Y                      []float64
		Ridge, RidgePoly       struct{ Pred []float64 }
		Descent, DescentLinear struct {
			Rate             float64
			Beta, Loss, Pred []float64
		}
		GP struct {
			Mean, Std  []float64
			Likelihood float64
		}
	}
}

func readOracle(t *testing.T) oracle {
	t.Helper()
	var o oracle
	mltest.ReadOracle(t, "kernel", &o)
	if len(o.Classification) < 5 || len(o.Regression) < 5 {
		t.Fatal("the oracle lacks data sets")
	}
	return o
}

// direct is for solutions without iteration, up to the condition of K.
const direct = 1e-8

func TestOracleKernelPCA(t *testing.T) {
	for _, o := range readOracle(t).Classification {
		for _, m := range []struct {
			name string
			k    kernel.Kernel
			want fittedPCA
		}{
			{"RBF", kernel.RBF(0.1), o.PCA},
			{"polynomial", kernel.PolynomialKernel{Degree: 2, C: 1}, o.PCAPoly},
		} {
			t.Run(o.Name+" "+m.name, func(t *testing.T) {
				x := data.Rows(o.X)
				p := kernel.KernelPCA{Kernel: m.k, Components: 3}
				if err := p.Fit(x); err != nil {
					t.Fatal(err)
				}
				mltest.NearAll(t, "eigenvalues", p.Eigenvalues, m.want.Eigenvalues, direct)
				z := p.Transform(x)
				for i, row := range m.want.Z {
					for j, v := range row {
						mltest.Near(t, "component", math.Abs(z.At(i, j)), v, 1e-6)
					}
				}
			})
		}
	}
}

func TestOracleRegression(t *testing.T) {
	for _, o := range readOracle(t).Regression {
		t.Run(o.Name, func(t *testing.T) {
			x := data.Rows(o.X)
			r := kernel.KernelRidge{Kernel: kernel.RBF(0.2), Lambda: 0.5}
			if err := r.Fit(x, o.Y); err != nil {
				t.Fatal(err)
			}
			mltest.NearAll(t, "ridge", r.Predict(x), o.Ridge.Pred, direct)
			r = kernel.KernelRidge{Kernel: kernel.PolynomialKernel{Degree: 2, C: 1}, Lambda: 2}
			if err := r.Fit(x, o.Y); err != nil {
				t.Fatal(err)
			}
			mltest.NearAll(t, "polynomial ridge", r.Predict(x), o.RidgePoly.Pred, direct)
			g := kernel.GaussianProcess{Kernel: kernel.RBFWidth(1.5), Noise: 0.1, Normalize: true}
			if err := g.Fit(x, o.Y); err != nil {
				t.Fatal(err)
			}
			few := mat.NewDense(8, len(o.X[0]), nil)
			few.Apply(func(i, j int, _ float64) float64 { return x.At(i, j) + 0.3 }, few)
			mltest.NearAll(t, "mean", g.Predict(few), o.GP.Mean, direct)
			mltest.NearAll(t, "deviation", g.PredictStd(few), o.GP.Std, direct)
			mltest.Near(t, "likelihood", g.LogLikelihood, o.GP.Likelihood, direct)
		})
	}
}

func TestOracleGram(t *testing.T) {
	for _, o := range readOracle(t).Classification {
		t.Run(o.Name, func(t *testing.T) {
			x := data.Rows(o.X)
			for _, c := range []struct {
				name string
				k    kernel.Kernel
				want [][]float64
			}{
				{"linear", kernel.LinearKernel{}, o.Gram.Linear},
				{"polynomial", kernel.PolynomialKernel{Degree: 3, C: 2, Scale: 0.5}, o.Gram.Poly},
				{"RBF", kernel.RBF(0.3), o.Gram.RBF},
				{"sigmoid", kernel.SigmoidKernel{Scale: 0.2, C: -0.5}, o.Gram.Sigmoid},
				{"cosine", kernel.NormalizedKernel{K: kernel.LinearKernel{}}, o.Gram.Cosine},
				{"default", kernel.OrDefault(nil, x), o.Gram.Default},
			} {
				g, whole := kernel.CrossGram(c.k, x.Slice(0, 5, 0, len(o.X[0])), x.Slice(0, 9, 0, len(o.X[0]))), kernel.Gram(c.k, x)
				for i, row := range c.want {
					mltest.NearAll(t, c.name, g.RawRowView(i), row, direct)
					for j, v := range row {
						mltest.Near(t, c.name+" of all rows", whole.At(i, j), v, direct)
						mltest.Near(t, c.name+" of a pair", c.k.Eval(o.X[i], o.X[j]), v, direct)
					}
				}
			}
		})
	}
}

func TestOracleKernelPerceptron(t *testing.T) {
	for _, o := range readOracle(t).Classification {
		t.Run(o.Name, func(t *testing.T) {
			x, y := data.Rows(o.X), make([]int, len(o.Y))
			for i, c := range o.Y {
				y[i] = min(c, 1)
			}
			for _, c := range []struct {
				k     kernel.Kernel
				want  []float64
				all   []float64
				wrong []int
			}{
				{kernel.PolynomialKernel{Degree: 2, C: 1}, o.Perceptron.Alpha, o.Perceptron.Score, o.Perceptron.Mistakes},
				{kernel.RBF(0.2), o.PerceptronRBF.Alpha, o.PerceptronRBF.Score, o.PerceptronRBF.Mistakes},
			} {
				p := kernel.KernelPerceptron{Kernel: c.k, Epochs: 6}
				if err := p.Fit(x, y); err != nil {
					t.Fatal(err)
				}
				if !slices.Equal(p.DualCoef, c.want) || !slices.Equal(p.Mistakes, c.wrong) {
					t.Errorf("%T: mistakes %v, want %v; α %v, want %v", c.k, p.Mistakes, c.wrong, p.DualCoef, c.want)
				}
				mltest.NearAll(t, "scores", p.Decision(x.Slice(0, 8, 0, len(o.X[0]))).RawMatrix().Data, c.all, direct)
			}
		})
	}
}

func TestOracleKernelLeastSquares(t *testing.T) {
	for _, o := range readOracle(t).Regression {
		t.Run(o.Name, func(t *testing.T) {
			x := data.Rows(o.X)
			for _, c := range []struct {
				k          kernel.Kernel
				rate       float64
				beta, loss []float64
				pred       []float64
			}{
				{kernel.RBF(0.2), o.Descent.Rate, o.Descent.Beta, o.Descent.Loss, o.Descent.Pred},
				{kernel.LinearKernel{}, o.DescentLinear.Rate, o.DescentLinear.Beta, o.DescentLinear.Loss, o.DescentLinear.Pred},
			} {
				m := kernel.KernelLeastSquares{Kernel: c.k, Rate: c.rate, MaxIter: 40, Tol: 1e-300}
				if err := m.Fit(x, o.Y); err != nil {
					t.Fatal(err)
				}
				mltest.NearAll(t, "β", m.DualCoef, c.beta, direct)
				mltest.NearAll(t, "loss", m.Trace.Loss, c.loss, direct)
				mltest.NearAll(t, "predictions", m.Predict(x), c.pred, direct)
			}
		})
	}
}
