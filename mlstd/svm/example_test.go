package svm_test

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/kernel"
	"github.com/gokernel/gokernel/mlstd/svm"
)

func ExampleSVC() {
	x := mat.NewDense(4, 2, []float64{-1, -1, -1, 1, 1, -1, 1, 1})
	m := &svm.SVC{C: 1, Kernel: kernel.RBF(0.5)}
	if err := m.Fit(x, []int{0, 1, 1, 0}); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(m.Predict(x), m.Support)
	// Output: [0 1 1 0] [0 1 2 3]
}

func ExampleHardMarginSVM() {
	x := mat.NewDense(2, 2, []float64{1, 1, -1, -1})
	m := &svm.HardMarginSVM{}
	if err := m.Fit(x, []int{1, -1}); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("w %.2f  margin %.4f  alpha %.2f\n", m.Coef, m.Margin, m.Alpha)
	// Output: w [0.50 0.50]  margin 1.4142  alpha [0.25 0.25]
}

func ExamplePlattSMO() {
	x := mat.NewDense(2, 2, []float64{1, 1, -1, -1})
	m := &svm.PlattSMO{Kernel: kernel.LinearKernel{}}
	if err := m.Fit(x, []int{1, -1}); err != nil {
		fmt.Println(err)
		return
	}
	for _, s := range m.Steps {
		fmt.Printf("η %.0f  L %.0f  H %.0f  α₂ %.2f → %.2f  b %.1f  objective %.2f\n", s.Eta, s.Low, s.High, s.Old2, s.New2, s.B, s.Objective)
	}
	// Output: η 8  L 0  H 1  α₂ 0.00 → 0.25  b 0.0  objective 0.25
}

func ExampleSVR() {
	x := mat.NewDense(5, 1, []float64{0, 1, 2, 3, 4})
	m := &svm.SVR{C: 100, Epsilon: 0.1, Kernel: kernel.LinearKernel{}, Tol: 1e-8}
	if err := m.Fit(x, []float64{0, 2, 4, 6, 8}); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.2f %d\n", m.Predict(x), len(m.Support))
	// Output: [0.10 2.05 4.00 5.95 7.90] 2
}

func ExampleLinearSVC() {
	x := mat.NewDense(4, 1, []float64{-2, -1, 1, 2})
	m := &svm.LinearSVC{}
	if err := m.Fit(x, []int{3, 3, 8, 8}); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(m.Predict(mat.NewDense(2, 1, []float64{-5, 0.3})))
	// Output: [3 8]
}

func ExampleCalibratedSVC() {
	x, y := separable(60, 3)
	m := &svm.CalibratedSVC{Kernel: kernel.LinearKernel{}}
	if err := m.Fit(x, y); err != nil {
		fmt.Println(err)
		return
	}
	p := m.PredictProba(mat.NewDense(2, 2, []float64{-3, 0, 3, 0}))
	fmt.Println(p.At(0, 0) > 0.9, p.At(1, 1) > 0.9)
	// Output: true true
}

func ExamplePegasos() {
	p := &svm.Pegasos{Lambda: 0.1}
	p.Learn([]float64{1, 2}, 1)
	fmt.Println(p.Coef, p.Intercept) // 10·y·x, 10·y
	// Output: [10 20] 10
}

func ExampleSubgradientSVM() {
	x, y := separable(60, 3)
	m := &svm.SubgradientSVM{}
	if err := m.Fit(x, y); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(m.Predict(mat.NewDense(2, 2, []float64{-2, 0, 3, 0})))
	// Output: [-1 1]
}

func ExampleNuSVC() {
	x := mat.NewDense(6, 1, []float64{-3, -2, -1, 1, 2, 3})
	m := &svm.NuSVC{Nu: 0.4, Kernel: kernel.LinearKernel{}, Tol: 1e-9}
	if err := m.Fit(x, []int{0, 0, 0, 1, 1, 1}); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%v support vectors %v\n", m.Predict(x), m.Machine.Support)
	// Output: [0 0 0 1 1 1] support vectors [1 2 3 4]
}

func ExampleNuSVR() {
	x := mat.NewDense(5, 1, []float64{0, 1, 2, 3, 4})
	m := &svm.NuSVR{Nu: 0.4, C: 100, Kernel: kernel.LinearKernel{}, Tol: 1e-9}
	if err := m.Fit(x, []float64{0.1, 1.9, 4.1, 5.9, 8.1}); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("half the width %.3f\n", m.Epsilon)
	// Output: half the width 0.100
}
