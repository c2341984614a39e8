package online_test

import (
	"fmt"

	"github.com/gokernel/gokernel/mlstd/data"
	"github.com/gokernel/gokernel/mlstd/online"
)

func ExampleConjunction() {
	c := online.Conjunction{Positive: []int{0}, Negative: []int{2}}
	fmt.Println(c, c.Holds([]float64{1, 0, 0}), c.Holds([]float64{1, 0, 1}))
	// Output:
	// x1∧¬x3 true false
}

func ExampleConjunctionClass() {
	fmt.Println(len(online.ConjunctionClass(3, true)), len(online.ConjunctionClass(3, false)))
	// Output:
	// 8 27
}

func ExampleNewElimination() {
	e := online.NewElimination(3, true)
	fmt.Println(e.Hypothesis())
	e.Learn([]float64{1, 0, 1}, 1)
	fmt.Println(e.Hypothesis())
	// Output:
	// x1∧x2∧x3
	// x1∧x3
}

// The number of mistakes of the halving algorithm is at most log₂ of the size of the class.
func ExampleNewVersionSpace() {
	target := online.Conjunction{Positive: []int{0, 2}}
	x, y := online.RandomExamples(target.Label, 4, 50, 0.7, 1)
	v := online.NewVersionSpace(online.ConjunctionClass(4, true), true, 1)
	played := online.Play(v, x, y)
	fmt.Println(played.Mistakes <= 4, len(v.Left))
	// Output:
	// true 1
}

func ExampleRandomExamples() {
	target := online.Conjunction{Positive: []int{0, 1}}
	x, y := online.RandomExamples(target.Label, 3, 100, 0.5, 1)
	right := 0
	for i, c := range y {
		if target.Label(x.RawRowView(i)) == c {
			right++
		}
	}
	fmt.Println(right)
	// Output:
	// 100
}

// The perceptron's mistakes grow with the number of variables, Winnow's with its logarithm.
func ExampleDisjunctionMistakes() {
	for _, m := range online.DisjunctionMistakes(5, []int{100, 1000}, 5000, 1) {
		fmt.Println(m.N, m.Winnow < m.Perceptron)
	}
	// Output:
	// 100 true
	// 1000 true
}

func ExamplePlay() {
	x := data.Rows([][]float64{{1, 0}, {0, 1}, {1, 0}, {0, 1}})
	played := online.Play(online.NewLinearLearner(2, false), x, []int{1, -1, 1, -1})
	fmt.Println(played.Mistakes)
	// Output:
	// 2
}

func ExampleFamilyMistakes() {
	// Winnow's mistakes grow with the logarithm of the number of variables, the
	// perceptron's with the number itself.
	for _, m := range online.DisjunctionMistakes(3, []int{50, 400}, 500, 1) {
		fmt.Println(m)
	}
	// Output:
	// {50 55 22}
	// {400 157 39}
}
