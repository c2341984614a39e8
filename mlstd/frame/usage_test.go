package frame_test

import (
	"fmt"

	"github.com/gokernel/gokernel/mlstd/frame"
)

func ExampleCount() {
	f := frame.FromRows([]struct{ City string }{{"Rome"}, {"Oslo"}, {"Rome"}})
	fmt.Print(f.By("City").Agg(frame.Count()))
	// Output:
	// 2 rows x 2 columns
	// City  count
	// Oslo      1
	// Rome      2
}

func ExampleMean() {
	f := frame.FromRows([]struct {
		City string
		Fare float64
	}{{"Rome", 8}, {"Oslo", 20}, {"Rome", 10}})
	fmt.Print(f.By("City").Agg(frame.Mean("Fare")))
	// Output:
	// 2 rows x 2 columns
	// City  Fare_mean
	// Oslo         20
	// Rome          9
}
