package reduce_test

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/linear"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/reduce"
)

func ExampleOneVsAll() {
	m := &reduce.OneVsAll{New: func() model.Classifier { return &linear.LogisticRegression{} }}
	x := mat.NewDense(6, 2, []float64{0, 0, 0, 1, 5, 0, 5, 1, 0, 6, 1, 6})
	if err := m.Fit(x, []int{1, 1, 2, 2, 3, 3}); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(m.Predict(x))
	// Output: [1 1 2 2 3 3]
}

func ExampleExhaustiveCode() {
	c := reduce.ExhaustiveCode(4)
	fmt.Println(c.Length(), "bits, distance", c.RowDistance(), "corrects", c.Corrects())
	// Output: 7 bits, distance 4 corrects 1
}

func ExampleQuicksortRank() {
	height := []float64{1.6, 1.9, 1.7}
	fmt.Println(reduce.QuicksortRank(3, func(u, v int) float64 {
		if height[u] > height[v] {
			return 1
		}
		return 0
	}, 1))
	// Output: [1 2 0]
}
