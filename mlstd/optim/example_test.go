package optim_test

import (
	"fmt"

	"github.com/gokernel/gokernel/mlstd/optim"
)

func ExampleGradientDescent() {
	f := optim.Function{F: func(x []float64) float64 { return (x[0] - 3) * (x[0] - 3) }}
	g := optim.GradientDescent{Rate: optim.ConstantRate(0.4), Tol: 1e-6}
	m, err := g.Minimize(f, []float64{0})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.4f, %s\n", m.X[0], m.Reason)
	// Output: 3.0000, gradient below the tolerance
}

func ExampleSGD() {
	// Fit y = 2x by one example at a time.
	r := &optim.LinearRisk{X: column(1, 2, 3), Y: []float64{2, 4, 6}, Loss: optim.SquaredLoss{}}
	s := optim.SGD{Rate: optim.ConstantRate(0.05), Epochs: 200}
	m, err := s.Minimize(r, []float64{0})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.3f\n", m.X[0])
	// Output: 2.000
}

func ExampleMultinomialMLE() {
	theta, _ := optim.MultinomialMLE([]float64{2, 3, 5})
	fmt.Println(theta)
	// Output: [0.2 0.3 0.5]
}

func ExampleCoordinateDescent() {
	c := optim.CoordinateDescent{}
	m, err := c.Minimize(func(x []float64) float64 { return x[0]*x[0] + x[0]*x[1] + x[1]*x[1] - x[1] }, []float64{0, 0})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.4f\n", m.X)
	// Output: [-0.3333 0.6667]
}
