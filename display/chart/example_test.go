package chart_test

import (
	"fmt"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/display/chart"
)

// A chart in a terminal; in a notebook the same value is an image.
func ExampleBar() {
	c := chart.Bar([]string{"Outlook", "Humidity", "Windy"}, []float64{0.247, 0.152, 0.048}).Y("information gain")
	b, err := c.Display()
	fmt.Println(err)
	fmt.Println(b.Data[display.MIMEText])
	// Output:
	// <nil>
	// Bar chart of information gain; x: Outlook, Humidity and Windy; information gain from 0 to 0.247; largest Outlook (0.247), smallest Windy (0.048).
	//
	//  Outlook ████████████████████████████████████████ 0.247
	// Humidity █████████████████████████ 0.152
	//    Windy ████████ 0.048
	// information gain
}

// Invalid data are reported when the chart is shown.
func ExamplePlot() {
	_, err := chart.Plot([]int{1, 2, 3}, []int{1, 2}).Display()
	fmt.Println(err)
	// Output:
	// chart.Line: x has 3 values, y has 2; they must be equally long
}
