package kernel_test

import (
	"fmt"

	"github.com/gokernel/gokernel/mlstd/kernel"
)

func ExampleLinearKernel() {
	fmt.Println(kernel.LinearKernel{}.Eval([]float64{1, 2}, []float64{3, 4}))
	// Output:
	// 11
}

// With C = 1 the features are all products of up to Degree coordinates.
func ExamplePolynomialKernel() {
	k := kernel.PolynomialKernel{Degree: 2, C: 1}
	fmt.Println(k.Eval([]float64{1, 2}, []float64{3, 4}))
	// Output:
	// 144
}
