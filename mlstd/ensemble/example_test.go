package ensemble_test

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/ensemble"
	"github.com/gokernel/gokernel/mlstd/model"
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

func ExampleHistGradientBoosting() {
	// Names and gaps are taken as they are: Ulm is the second class, and so is a missing number.
	x := &model.Table{Dense: mat.NewDense(90, 2, nil), Columns: []model.Column{
		{Name: "city", Kind: model.Nominal, Levels: []string{"Bonn", "Jena", "Ulm"}}, {Name: "income"}}}
	y := make([]int, 90)
	for i := range y {
		x.Set(i, 0, float64(i%3))
		x.Set(i, 1, float64(i%7))
		if i%5 == 0 {
			x.Set(i, 1, math.NaN())
		}
		if i%3 == 2 || i%5 == 0 {
			y[i] = 1
		}
	}
	g := &ensemble.HistGradientBoosting{MinLeaf: 5}
	if err := g.Fit(x, y); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(g.Predict(mat.NewDense(3, 2, []float64{2, 1, 0, 1, 0, math.NaN()})))
	// Output: [1 0 1]
}
