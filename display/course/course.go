// Package course draws what a course on machine learning draws, and shows the
// values of the course library: data sets and results as tables, fitted trees as
// trees, models as decision regions, curves, networks and partitions of the plane.
//
// The library knows nothing of pictures, so its types cannot choose their looks
// themselves: [Install] teaches them to packages display, table and graph.
// Figures are functions that give charts, graphs, tables or a [Drawing]; they
// report wrong arguments when they are shown. In a cell they are called by the
// verbs of package verbs.
package course

import (
	"fmt"
	"sync"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/display/chart"
	"github.com/gokernel/gokernel/display/graph"
	"github.com/gokernel/gokernel/display/table"
	"github.com/gokernel/gokernel/mlstd/eval"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/online"
	"github.com/gokernel/gokernel/mlstd/optim"
)

var install sync.Once

// Install makes the values of the course library show themselves: as the last
// value of a cell, in Show, Table, Describe and Tree. A session calls it once;
// calling it again does nothing.
func Install() {
	install.Do(func() {
		table.Adapt(tableOf)
		graph.Adapt(treeOf)
		display.Register(render)
	})
}

// render chooses the looks of a value of the course library.
func render(v any) (display.Displayer, bool) {
	switch v := v.(type) {
	case *eval.ROCCurve:
		if v != nil {
			return ROC(v), true
		}
	case *eval.PRCurve:
		if v != nil {
			return PR(v), true
		}
	case model.Trace, *model.Trace, online.MistakeTrace, *online.MistakeTrace, *optim.Minimum:
		if p := tracePanels(v); p != nil {
			return p, true
		}
	}
	if t, ok := tableOf(v); ok {
		return t, true
	}
	if t, ok := treeOf(v); ok {
		return t, true
	}
	return estimatorOf(v)
}

// failed is a chart that says what was wrong with the arguments of a figure.
func failed(op, format string, args ...any) *chart.Chart {
	return chart.Fail(fmt.Errorf(op+": "+format, args...))
}
