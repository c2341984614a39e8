package linear_test

import (
	"fmt"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/data"
	"github.com/gokernel/gokernel/mlstd/linear"
)

type randSource = rand.Rand

func ExampleLinearRegression() {
	m := &linear.LinearRegression{}
	if err := m.Fit(mat.NewDense(3, 1, []float64{1, 2, 3}), []float64{3, 5, 7}); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("y = %.1f x + %.1f\n", m.Coef[0], m.Intercept)
	// Output: y = 2.0 x + 1.0
}

func ExampleLogisticRegression() {
	m := &linear.LogisticRegression{}
	x := mat.NewDense(6, 1, []float64{-3, -2, -1, 1, 2, 3})
	if err := m.Fit(x, []int{0, 0, 0, 1, 1, 1}); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(m.Predict(mat.NewDense(2, 1, []float64{-0.5, 0.5})))
	fmt.Printf("%.2f\n", m.PredictProba(mat.NewDense(1, 1, []float64{0})).At(0, 1))
	// Output:
	// [0 1]
	// 0.50
}

func ExampleLasso() {
	x := mat.NewDense(4, 2, []float64{1, 1, 1, -1, -1, 1, -1, -1})
	m := &linear.Lasso{Lambda: 0.5}
	if err := m.Fit(x, []float64{3.2, 2.8, -2.8, -3.2}); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.2f\n", m.Coef)
	// Output: [2.50 0.00]
}

func ExampleRidge() {
	m := &linear.Ridge{Lambda: 2}
	if err := m.Fit(mat.NewDense(3, 1, []float64{-1, 0, 1}), []float64{-2, 0, 2}); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.2f\n", m.Coef)
	// Output: [1.00]
}

func ExamplePolynomialRegression() {
	m := &linear.PolynomialRegression{Degree: 2}
	if err := m.Fit(mat.NewDense(4, 1, []float64{0, 1, 2, 3}), []float64{1, 3, 7, 13}); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.1f\n", m.Coef)
	// Output: [1.0 1.0 1.0]
}

func ExampleLassoCV() {
	d := data.Diabetes()
	m := &linear.LassoCV{}
	if err := m.Fit(d.X, d.Target); err != nil {
		fmt.Println(err)
		return
	}
	kept := 0
	for _, w := range m.Coef {
		if w != 0 {
			kept++
		}
	}
	fmt.Printf("λ = %.4f keeps %d of %d columns\n", m.Lambda, kept, len(m.Coef))
	// Output: λ = 0.5644 keeps 10 of 10 columns
}

func ExampleElasticNetCV() {
	d := data.Diabetes()
	m := &linear.ElasticNetCV{L1Ratios: []float64{0.5, 0.9, 1}}
	if err := m.Fit(d.X, d.Target); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("ρ = %v, λ = %.4f\n", m.L1Ratio, m.Lambda)
	// Output: ρ = 1, λ = 0.5644
}
