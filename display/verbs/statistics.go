package verbs

import (
	"github.com/gokernel/gokernel/display/chart"
	"github.com/gokernel/gokernel/display/course"
	"github.com/gokernel/gokernel/mlstd/data"
)

// named replaces a data set in the first argument by a table of named columns.
func named(args []any) []any {
	if len(args) > 1 {
		if d, ok := args[0].(*data.Dataset); ok {
			return append([]any{course.Columns(d)}, args[1:]...)
		}
	}
	return args
}

// KDE draws kernel density estimates: KDE(values), or KDE(f, "x") for a column of a frame or a
// data set. See [chart.KDE].
func KDE(values ...any) *chart.Chart { return chart.KDE(named(values)...) }

// KDE2D draws the density of two variables as contours: KDE2D(x, y), or KDE2D(f, "x", "y"). See
// [chart.KDE2D].
func KDE2D(data ...any) *chart.Chart { return chart.KDE2D(named(data)...) }

// Violin draws the density of each group: Violin(f, "zone", "fare"). It also accepts a map, a
// matrix or one slice. See [chart.Violin].
func Violin(data ...any) *chart.Chart { return chart.Violin(named(data)...) }

// Strip draws the values of each group as points: Strip(f, "zone", "fare"). See
// [chart.Strip].
func Strip(data ...any) *chart.Chart { return chart.Strip(named(data)...) }

// Swarm draws the values of each group as points that do not overlap: Swarm(f, "zone", "fare").
// See [chart.Swarm].
func Swarm(data ...any) *chart.Chart { return chart.Swarm(named(data)...) }

// Ridgeline draws the densities of groups, one above the other: Ridgeline(f, "month",
// "temperature"). See [chart.Ridgeline].
func Ridgeline(data ...any) *chart.Chart { return chart.Ridgeline(named(data)...) }

// ECDF draws empirical distribution functions: ECDF(values), or ECDF(f, "x"). See
// [chart.ECDF].
func ECDF(values ...any) *chart.Chart { return chart.ECDF(named(values)...) }

// QQ draws the quantiles of values against the quantiles of a distribution: QQ(values), QQ(f, "x"),
// or QQ(values, distuv.Exponential{Rate: 1}). The default is the normal distribution. See
// [chart.QQ].
func QQ(data ...any) *chart.Chart { return chart.QQ(named(data)...) }

// Regression draws points, a fitted line and its confidence band: Regression(x, y), or
// Regression(f, "x", "y"). See [chart.Regression].
func Regression(data ...any) *chart.Chart { return chart.Regression(named(data)...) }

// Hexbin counts points in hexagons: Hexbin(x, y), or Hexbin(f, "x", "y"). See
// [chart.Hexbin].
func Hexbin(data ...any) *chart.Chart { return chart.Hexbin(named(data)...) }

// Pairs draws each of several variables against each other variable: Pairs(f), or Pairs(f, "a",
// "b", "c"), for a frame, a data set or a matrix. The classes of a data set have different colors.
// See [chart.Pairs].
func Pairs(table any, columns ...string) *chart.PairPlot {
	d, ok := table.(*data.Dataset)
	if !ok || d == nil || d.X == nil {
		return chart.Pairs(table, columns...)
	}
	if len(columns) == 0 {
		columns = d.FeatureNames()
	}
	t := course.Columns(d)
	p := chart.Pairs(t, columns...)
	if d.Y != nil {
		p.By(t.Names()[len(t.Names())-1])
	}
	return p
}

// Joint draws two variables against each other, with the distribution of each at the margins:
// Joint(x, y), or Joint(f, "x", "y"). See [chart.Joint].
func Joint(data ...any) *chart.JointPlot { return chart.Joint(named(data)...) }

// Clustermap draws a matrix, a data set or columns of a frame as a heat map with the dendrograms
// of its rows and columns. See [course.Clustermap].
func Clustermap(z any, columns ...string) *chart.ClusterMap { return course.Clustermap(z, columns...) }
