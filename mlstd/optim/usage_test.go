package optim_test

import (
	"fmt"
	"math"

	"github.com/gokernel/gokernel/mlstd/data"
	"github.com/gokernel/gokernel/mlstd/optim"
)

func ExampleConstantRate() {
	rate := optim.ConstantRate(0.1)
	fmt.Println(rate.Rate(1), rate.Rate(1000))
	// Output:
	// 0.1 0.1
}

func ExampleNorm() {
	w := []float64{3, 0, -4}
	fmt.Println(optim.Norm(w, 0), optim.Norm(w, 1), optim.Norm(w, 2), optim.Norm(w, math.Inf(1)))
	// Output:
	// 2 7 5 4
}

func ExampleLinearRisk() {
	risk := &optim.LinearRisk{
		X:    data.Rows([][]float64{{1}, {2}}),
		Y:    []float64{1, 2},
		Loss: optim.SquaredLoss{},
	}
	gradient := make([]float64, risk.Parameters())
	risk.Gradient(gradient, []float64{0})
	fmt.Println(risk.Value([]float64{0}), gradient, risk.Value([]float64{1}))
	// Output:
	// 1.25 [-2.5] 0
}
