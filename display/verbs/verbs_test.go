package verbs

import (
	"math"
	"testing"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/display/graph"
)

func TestVerbsShowSomething(t *testing.T) {
	y := []float64{1, 3, 2}
	for name, v := range map[string]any{
		"Plot": Plot(y), "Scatter": Scatter(y, y), "Hist": Hist(y), "Bar": Bar(map[string]int{"a": 1}), "BoxPlot": BoxPlot(y),
		"Heatmap": Heatmap([][]float64{y, y}), "Contour": Contour(math.Hypot, -1, 1, -1, 1), "Func": Func(math.Sin, 0, 1),
		"Chart": Chart().Line(y), "Grid": Grid(Plot(y), Hist(y)), "Table": Table(y), "Describe": Describe(y),
		"Tree": Tree(&graph.Node{Title: "a"}), "Graph": Graph().Edge("a", "b"),
	} {
		b, err := display.Of(v)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if len(b.Data) < 3 {
			t.Errorf("%s shows %d representations, want at least 3", name, len(b.Data))
		}
	}
}
