package linear_test

import (
	"fmt"

	"github.com/gokernel/gokernel/mlstd/linear"
)

func ExampleSigmoid() {
	fmt.Printf("%.2f %.2f %.2f\n", linear.Sigmoid(-2), linear.Sigmoid(0), linear.Sigmoid(2))
	// Output:
	// 0.12 0.50 0.88
}
