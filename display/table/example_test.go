package table_test

import (
	"fmt"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/display/table"
)

func ExampleNew() {
	type result struct {
		Model    string
		Accuracy float64
	}
	t := table.New([]result{{"k-NN", 0.96}, {"forest", 0.9733}}).Caption("Iris").Percent("Accuracy", 1).Best("Accuracy").SortDown("Accuracy")
	b, err := t.Display()
	fmt.Println(err)
	fmt.Println(b.Data[display.MIMEText])
	// Output:
	// <nil>
	// Iris
	// Model   Accuracy ▼
	// ──────────────────
	// forest    *97.3 %*
	// k-NN        96.0 %
}
