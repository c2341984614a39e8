// Package course draws the figures of a machine learning course and shows the values of the course
// library. Data sets and results are shown as tables, fitted trees as trees, and models as decision
// regions, curves, networks and partitions of the plane.
//
// The library does not import display, so its types cannot implement Displayer. [Install]
// registers them with packages display, table and graph instead. The functions of this package
// return charts, graphs, tables or a [Drawing], which report wrong arguments when they are shown.
// In a cell, call them through the verbs of package verbs.
package course

import (
	"fmt"
	"sync"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/display/chart"
	"github.com/gokernel/gokernel/display/graph"
	"github.com/gokernel/gokernel/display/table"
	"github.com/gokernel/gokernel/mlstd/cluster"
	"github.com/gokernel/gokernel/mlstd/eval"
	"github.com/gokernel/gokernel/mlstd/latent"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/nn"
	"github.com/gokernel/gokernel/mlstd/online"
	"github.com/gokernel/gokernel/mlstd/optim"
	"github.com/gokernel/gokernel/mlstd/prob"
	"github.com/gokernel/gokernel/mlstd/rl"
	"github.com/gokernel/gokernel/mlstd/rules"
	"github.com/gokernel/gokernel/mlstd/theory"
)

var install sync.Once

// Install registers the types of the course library, so that their values are shown as the last
// value of a cell and in Show, Table, Describe and Tree. A session calls it once; further calls do
// nothing.
func Install() {
	install.Do(func() {
		table.Adapt(tableOf)
		graph.Adapt(treeOf)
		display.Register(render)
	})
}

// render returns the Displayer for a value of the course library.
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
	case *eval.Sweeping:
		if v != nil {
			return Sweep(v), true
		}
	case *eval.Dependence:
		if v != nil && v.Mean != nil {
			return dependence(v), true
		}
	case *cluster.Hierarchy:
		if v != nil && len(v.Merges) > 0 {
			return Dendrogram(v.Merges), true
		}
	case *cluster.KCurve:
		if v != nil {
			return ChoiceOfK(v), true
		}
	case *theory.Shattering:
		if v != nil {
			return Shatter(v), true
		}
	case *latent.Decoding:
		if v != nil {
			return Trellis(v), true
		}
	case *rl.GridWorld, *rl.MountainCar, *rl.CartPole, *rl.Blackjack, rl.TaxiState:
		return World(v), true
	case model.Trace, *model.Trace, online.MistakeTrace, *online.MistakeTrace, *optim.Minimum:
		if p := tracePanels(v); p != nil {
			return p, true
		}
	}
	switch v := v.(type) {
	case *prob.SampleCurves:
		if v != nil {
			return SampleCurves(v), true
		}
	case *rules.CandidateElimination:
		if v != nil && len(v.Specific) > 0 {
			return VersionLattice(v), true
		}
	case *prob.IndependenceTable:
		if v != nil {
			return Independence(v), true
		}
	case *nn.TrainingRun:
		if v != nil && len(v.Loss) > 0 {
			return TrainingCurves(v), true
		}
	case *nn.Backpropagation:
		if v != nil {
			return Backpropagation(v), true
		}
	case *nn.Network:
		if v != nil && dense(v) {
			return Network(v.Weights(), v.Intercepts()), true
		}
	}
	if d, ok := statisticsOf(v); ok {
		return d, true
	}
	if d, ok := bayesOf(v); ok {
		return d, true
	}
	if _, ok := tableOf(v); ok {
		return table.New(v), true // which shows how to see more rows
	}
	if t, ok := treeOf(v); ok {
		return t, true
	}
	return estimatorOf(v)
}

// failed returns a chart that reports wrong arguments of a figure.
func failed(op, format string, args ...any) *chart.Chart {
	return chart.Fail(fmt.Errorf(op+": "+format, args...))
}
