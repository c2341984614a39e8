package kernel_test

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/kernel"
)

func ExampleKernelPerceptron() {
	x := mat.NewDense(4, 2, []float64{-1, -1, -1, 1, 1, -1, 1, 1})
	p := &kernel.KernelPerceptron{Kernel: kernel.PolynomialKernel{Degree: 2, C: 1}}
	if err := p.Fit(x, []int{-1, 1, 1, -1}); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(p.DualCoef, p.Mistakes)
	fmt.Println(p.Decision(x).RawMatrix().Data)
	// Output:
	// [-1 1 1 -1] [4 0]
	// [-8 8 8 -8]
}

func ExampleRBF() {
	x := mat.NewDense(3, 1, []float64{0, 1, 3})
	fmt.Printf("%.3f\n", mat.Formatted(kernel.Gram(kernel.RBF(0.5), x)))
	// Output:
	// ⎡1.000  0.607  0.011⎤
	// ⎢0.607  1.000  0.135⎥
	// ⎣0.011  0.135  1.000⎦
}

func ExampleKernelRidge() {
	x := mat.NewDense(5, 1, []float64{0, 1, 2, 3, 4})
	r := &kernel.KernelRidge{Kernel: kernel.RBF(0.5), Lambda: 0.001}
	if err := r.Fit(x, []float64{0, math.Sin(1), math.Sin(2), math.Sin(3), math.Sin(4)}); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.2f\n", r.Predict(mat.NewDense(2, 1, []float64{1, 2.5})))
	// Output: [0.84 0.60]
}

func ExampleKernelLeastSquares() {
	x := mat.NewDense(3, 1, []float64{0, 1, 2})
	m := &kernel.KernelLeastSquares{Kernel: kernel.RBF(1)}
	if err := m.Fit(x, []float64{1, 0, 1}); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.3f\n", m.Predict(x))
	// Output: [1.000 0.000 1.000]
}

func ExampleKernelPCA() {
	x := mat.NewDense(4, 2, []float64{-2, -2, -1, -1, 1, 1, 2, 2})
	p := &kernel.KernelPCA{Kernel: kernel.LinearKernel{}}
	if err := p.Fit(x); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.2f\n", p.Eigenvalues)
	// Output: [20.00]
}

func ExampleGaussianProcess() {
	g := &kernel.GaussianProcess{Kernel: kernel.RBF(0.5), Noise: 0.01}
	if err := g.Fit(mat.NewDense(2, 1, []float64{0, 1}), []float64{0, 1}); err != nil {
		fmt.Println(err)
		return
	}
	at := mat.NewDense(2, 1, []float64{1, 9})
	fmt.Printf("%.2f ± %.2f\n", g.Predict(at), g.PredictStd(at))
	// Output: [0.98 0.00] ± [0.10 1.00]
}

func ExampleTreeKernel() {
	a, _ := kernel.ReadParseTree("(NP (D the) (N dog))")
	b, _ := kernel.ReadParseTree("(NP (D the) (N cat))")
	shared, _, _ := kernel.SharedFragments(a, b)
	fmt.Println(kernel.TreeKernel{}.Eval(a, b), shared)
	// Output: 3 [(D the) (NP (D the) (N)) (NP (D) (N))]
}

func ExampleGaussianProcess_tune() {
	x, y := mat.NewDense(20, 1, nil), make([]float64, 20)
	for i := range y {
		x.Set(i, 0, float64(i)/2)
		y[i] = math.Sin(float64(i) / 2)
	}
	g := &kernel.GaussianProcess{Kernel: kernel.ScaledKernel{Factor: 1, K: kernel.RBF(5)}, Tune: true}
	if err := g.Fit(x, y); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.3f, the sine is %.3f\n", g.Predict(mat.NewDense(1, 1, []float64{4.25}))[0], math.Sin(4.25))
	// Output: -0.895, the sine is -0.895
}
