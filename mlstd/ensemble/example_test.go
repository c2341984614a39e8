package ensemble_test

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/ensemble"
)

func ExampleMajorityVoteError() {
	fmt.Printf("%.3f\n", ensemble.MajorityVoteError(21, 0.3))
	// Output: 0.026
}

func ExampleAdaBoost() {
	x := mat.NewDense(6, 1, []float64{1, 2, 3, 4, 5, 6})
	a := &ensemble.AdaBoost{Rounds: 10}
	if err := a.Fit(x, []int{1, 1, 0, 0, 1, 1}); err != nil { // no single threshold
		fmt.Println(err)
		return
	}
	fmt.Println(a.Predict(x))
	// Output: [1 1 0 0 1 1]
}

func ExampleRandomForest() {
	x := mat.NewDense(8, 2, []float64{0, 0, 0, 1, 1, 0, 1, 1, 5, 5, 5, 6, 6, 5, 6, 6})
	f := &ensemble.RandomForest{Trees: 25}
	if err := f.Fit(x, []int{0, 0, 0, 0, 1, 1, 1, 1}); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(f.Predict(mat.NewDense(2, 2, []float64{0.5, 0.5, 5.5, 5.5})))
	// Output: [0 1]
}
