package graph_test

import (
	"fmt"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/display/graph"
)

func ExampleNewTree() {
	t := graph.NewTree(&graph.Node{Title: "Humidity", Counts: []float64{3, 2}, Children: []*graph.Node{
		{Title: "no", Edge: "high", Counts: []float64{3, 0}},
		{Title: "yes", Edge: "normal", Counts: []float64{0, 2}},
	}}).Classes("no", "yes")
	b, err := t.Display()
	fmt.Println(err)
	fmt.Println(b.Data[display.MIMEText])
	// Output:
	// <nil>
	// Tree of 3 nodes, 2 leaves and depth 1; root: Humidity; high: no; normal: yes; classes: no, yes.
	//
	// Humidity  [n = 5  (3, 2)]
	// ├─ high: no  [n = 3  (3, 0)]
	// └─ normal: yes  [n = 2  (0, 2)]
	// classes: no, yes
}

func ExampleNew() {
	b, err := graph.New().Edge("Burglary", "Alarm").Edge("Earthquake", "Alarm").Display()
	fmt.Println(err)
	fmt.Println(b.Data[display.MIMEText])
	// Output:
	// <nil>
	// Directed graph of 3 nodes and 2 edges: Burglary to Alarm, Earthquake to Alarm.
	//
	// Burglary → Alarm
	// Alarm
	// Earthquake → Alarm
}
