package prob_test

import (
	"fmt"

	"github.com/gokernel/gokernel/mlstd/data"
	"github.com/gokernel/gokernel/mlstd/prob"
)

func ExampleBernoulliNB() {
	// Rows: does a message have the words "offer" and "meeting"? Class 1 is spam.
	x := data.Rows([][]float64{{1, 0}, {1, 0}, {0, 1}, {0, 1}})
	m := &prob.BernoulliNB{}
	if err := m.Fit(x, []int{1, 1, 0, 0}); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.2f\n", m.PredictProba(data.Rows([][]float64{{1, 0}})).At(0, 1))
	// Output:
	// 0.90
}

func ExampleGaussian() {
	height := prob.Gaussian{Mu: 170, Sigma: 10}
	fmt.Printf("%.3f %.3f\n", height.CDF(180), height.Tail(190))
	fmt.Printf("%.1f\n", height.Quantile(0.975))
	// Output:
	// 0.841 0.023
	// 189.6
}
