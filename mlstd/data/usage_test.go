package data_test

import (
	"fmt"

	"github.com/gokernel/gokernel/mlstd/data"
	"github.com/gokernel/gokernel/mlstd/prep"
)

func ExampleRows() {
	x := data.Rows([][]float64{{1, 2}, {3, 4}, {5, 6}})
	rows, columns := x.Dims()
	fmt.Println(rows, columns, x.At(2, 0))
	// Output:
	// 3 2 5
}

func ExampleIris() {
	d := data.Iris()
	train, test := d.Split(0.3, 1)
	fmt.Println(d.Len(), d.ClassNames())
	fmt.Println(d.FeatureNames())
	fmt.Println(train.Len(), test.Len())
	// Output:
	// 150 [setosa versicolor virginica]
	// [sepal length sepal width petal length petal width]
	// 105 45
}

func ExampleWine() {
	d := data.Wine()
	fmt.Println(d.Len(), d.ClassCounts(), d.FeatureNames()[0])
	// Output:
	// 178 [59 71 48] alcohol
}

func ExampleBreastCancer() {
	d := data.BreastCancer()
	fmt.Println(d.Len(), d.ClassNames(), d.ClassCounts())
	// Output:
	// 569 [malignant benign] [212 357]
}

func ExampleDigits() {
	d := data.Digits()
	rows, pixels := d.X.Dims()
	fmt.Println(rows, pixels, d.Label(0))
	// Output:
	// 1797 64 0
}

func ExampleOldFaithful() {
	d := data.OldFaithful()
	fmt.Println(d.Len(), d.FeatureNames(), d.X.At(0, 0), d.X.At(0, 1))
	// Output:
	// 272 [eruption waiting] 3.6 79
}

func ExampleTwoMoons() {
	d := data.TwoMoons(100, 0.1, 1)
	fmt.Println(d.Len(), d.ClassCounts())
	// Output:
	// 200 [100 100]
}

func ExampleDiscs() {
	d := data.Discs(50, 0.5, 1)
	x, y := d.X.At(0, 0), d.X.At(0, 1)
	fmt.Println(d.Label(0), x*x+y*y <= 1)
	// Output:
	// outside false
}

func ExampleUniformCube() {
	x := data.UniformCube(10, 3, 1)
	fmt.Println(x.Dims())
	// Output:
	// 10 3
}

func ExampleNoisyCurve() {
	d := data.NoisyCurve(20, func(x float64) float64 { return x * x }, -1, 1, 0.1, 1)
	fmt.Println(d.Len(), len(d.Target))
	// Output:
	// 20 20
}

func ExampleFit() {
	d := data.Iris()
	// Fit returns the model, for use in an expression.
	scaled := data.Fit(&prep.StandardScaler{}, d).Transform(d.X)
	rows, columns := scaled.Dims()
	fmt.Println(rows, columns)
	// Output:
	// 150 4
}
