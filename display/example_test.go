package display_test

import (
	"fmt"

	"github.com/gokernel/gokernel/display"
)

func ExampleFormat() {
	type Point struct{ X, Y float64 }
	fmt.Println(display.Format([]float64{0.5, 1, 1.0 / 3}))
	fmt.Println(display.Format(map[string]*Point{"b": {1, 2}, "a": nil}))
	fmt.Println(display.Format([][]int{{1, 2}, {30, 4}}))
	// Output:
	// []float64{0.5000, 1.0000, 0.3333}
	// map[string]*display_test.Point{"a": nil, "b": &display_test.Point{X: 1, Y: 2}}
	// [][]int 2×2
	// ⎡ 1  2⎤
	// ⎣30  4⎦
}

func ExampleDiff() {
	b := display.Diff(map[string]int{"depth": 3, "leaves": 8}, map[string]int{"depth": 2, "leaves": 8})
	fmt.Println(b.Data[display.MIMEText])
	// Output:
	// ["depth"]: 3 → 2
}
