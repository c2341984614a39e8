package online_test

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/online"
)

func ExamplePerceptron() {
	x := mat.NewDense(4, 2, []float64{2, 1, 1, 3, -1, -2, -2, -1})
	p := &online.Perceptron{}
	if err := p.Fit(x, []int{1, 1, 0, 0}); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(p.Predict(x), p.Trace.Mistakes)
	// Output: [1 1 0 0] [1 0]
}

func ExampleElimination() {
	e := online.NewElimination(4, true)
	e.Learn([]float64{1, 1, 0, 1}, 1)
	e.Learn([]float64{1, 1, 1, 0}, 1)
	fmt.Println(e.Hypothesis())
	// Output: x1∧x2
}

func ExampleWinnow() {
	x, y := online.RandomExamples(online.Conjunction{Positive: []int{0}}.Label, 20, 200, 0.5, 1)
	w := &online.Winnow{}
	if err := w.Fit(x, y); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(w.Trace.Converged)
	// Output: true
}

func ExamplePassiveAggressive() {
	p := &online.PassiveAggressive{NoIntercept: true}
	if err := p.Fit(mat.NewDense(2, 1, []float64{2, -2}), []int{1, 0}); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(p.Coef)
	// Output: [0.5]
}
