package eval_test

import (
	"fmt"

	"github.com/gokernel/gokernel/mlstd/eval"
)

func ExampleConfusion() {
	truth := []int{0, 0, 1, 1, 1}
	guess := []int{0, 1, 1, 1, 0}
	fmt.Println(eval.Confusion(truth, guess))
	// Output:
	// true\pred          0          1
	//         0          1          1
	//         1          1          2
}

func ExampleROC() {
	c := eval.ROC([]int{1, 0, 1, 0}, []float64{0.9, 0.8, 0.4, 0.2}, 1)
	fmt.Println(c.FPR)
	fmt.Println(c.TPR)
	fmt.Println(c.AUC())
	// Output:
	// [0 0 0.5 0.5 1]
	// [0 0.5 0.5 1 1]
	// 0.75
}

func ExamplePairedTTest() {
	fmt.Println(eval.PairedTTest([]float64{.90, .85, .88}, []float64{.86, .84, .82}))
	// Output: paired t-test: statistic 2.524, 2 d.f., p = 0.1276; mean difference 0.03667 [-0.02585, 0.09918]; Cohen's d 1.46
}

func ExampleMcNemarCounts() {
	fmt.Println(eval.McNemarCounts(10, 2).Exact)
	// Output: McNemar exact: statistic 10, p = 0.03857
}
