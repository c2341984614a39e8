package model_test

import (
	"fmt"

	"github.com/gokernel/gokernel/mlstd/data"
	"github.com/gokernel/gokernel/mlstd/linear"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/neighbors"
	"github.com/gokernel/gokernel/mlstd/tree"
)

// Functions that take a Classifier work with every classifier of the library, and with your own.
func ExampleClassifier() {
	d := data.Iris()
	for _, m := range []model.Classifier{&tree.DecisionTree{MaxDepth: 1}, &neighbors.KNN{K: 1}} {
		if err := m.Fit(d.X, d.Y); err != nil {
			fmt.Println(err)
			return
		}
		wrong := 0
		for i, c := range m.Predict(d.X) {
			if c != d.Y[i] {
				wrong++
			}
		}
		fmt.Printf("%T: %d wrong\n", m, wrong)
	}
	// Output:
	// *tree.DecisionTree: 50 wrong
	// *neighbors.KNN: 0 wrong
}

func ExampleRegressor() {
	x := data.Rows([][]float64{{0}, {1}, {2}, {3}})
	y := []float64{1, 3, 5, 7}
	for _, m := range []model.Regressor{&linear.LinearRegression{}, &tree.MeanRegressor{}} {
		if err := m.Fit(x, y); err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%.1f\n", m.Predict(data.Rows([][]float64{{4}}))[0])
	}
	// Output:
	// 9.0
	// 4.0
}

func ExampleTable() {
	d := data.PlayTennis()
	fmt.Println(d.X.ColumnNames())
	fmt.Println(d.X.Columns[0].Kind, d.X.Columns[0].Levels)
	fmt.Println(d.X.At(0, 0))
	// Output:
	// [Outlook Temperature Humidity Wind]
	// nominal [sunny overcast rain]
	// 0
}

// A zero in a parameter means its default; Zero means the number 0.
func ExampleZero() {
	x := data.Rows([][]float64{{0}, {1}, {2}})
	y := []float64{0, 1, 2}
	for _, lambda := range []float64{0, model.Zero} {
		m := &linear.Ridge{Lambda: lambda}
		if err := m.Fit(x, y); err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%.2f\n", m.Coef[0])
	}
	// Output:
	// 0.67
	// 1.00
}
