package ml_test

import (
	"fmt"

	ml "github.com/gokernel/gokernel/mlstd"
)

func ExampleFit() {
	d := ml.Iris()
	fmt.Printf("%.3f\n", ml.Score(ml.Fit(&ml.KNN{K: 5}, d), d))
	// Output:
	// 0.967
}

func ExampleSweep() {
	// Twenty data sets for each number of neighbors, the same ones for each.
	sweep := ml.Sweep("K", []int{1, 5, 25}, 20, func(k int, seed uint64) ml.Scores {
		train, test := ml.TwoMoons(100, 0.3, seed).Split(0.5, seed)
		return ml.Scores{"test error": 1 - ml.Score(ml.Fit(&ml.KNN{K: k}, train), test)}
	})
	fmt.Printf("%.2f\n", sweep.Mean("test error"))
	fmt.Printf("%.3f\n", sweep.StdErr("test error"))
	// Output:
	// [0.13 0.11 0.12]
	// [0.007 0.007 0.007]
}
