package bayesnet_test

import (
	"fmt"

	"github.com/gokernel/gokernel/mlstd/bayesnet"
)

func ExampleCPT() {
	n, err := bayesnet.NewBayesNetwork("lawn",
		bayesnet.CPT{Name: "Rain", P: [][]float64{{0.2}}},
		bayesnet.CPT{Name: "Wet", Parents: []string{"Rain"}, P: [][]float64{{0.9}, {0.1}}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.2f\n", n.Prob("Rain", true, "Wet", true))
	// Output:
	// 0.18
}

func ExampleLearnCPTs() {
	n, err := bayesnet.NewBayesNetwork("coin", bayesnet.CPT{Name: "Heads", P: [][]float64{{0.3}}})
	if err != nil {
		fmt.Println(err)
		return
	}
	learned, err := bayesnet.LearnCPTs(n.Uniform(), n.Sample(20000, 1))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.2f\n", learned.Prob("Heads", true))
	// Output:
	// 0.30
}
