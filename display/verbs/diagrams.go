package verbs

import "github.com/gokernel/gokernel/display/graph"

// Treemap draws parts of a whole as rectangles: Treemap(names, amounts), of a map, or
// Treemap(f, "continent", "country", "people") of a frame. See [graph.NewTreemap].
func Treemap(data ...any) *graph.Treemap { return graph.NewTreemap(data...) }

// Sankey draws amounts that flow from one thing to another: Sankey(from, to, amounts), or
// Sankey(f, "from", "to", "amount") of a frame. See [graph.NewSankey].
func Sankey(data ...any) *graph.Sankey { return graph.NewSankey(data...) }
