package course

import (
	"math"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/display/chart"
	"github.com/gokernel/gokernel/display/internal/guide"
	"github.com/gokernel/gokernel/mlstd/eval"
)

// mostIndividual is the maximum number of curves of single examples.
const mostIndividual = 200

// dependence draws how predictions depend on one column (one curve per output), or on two columns
// (one panel of colored cells per output).
func dependence(d *eval.Dependence) display.Displayer {
	points := 1
	for _, g := range d.Grid {
		points *= len(g)
	}
	if len(d.Grid) != len(d.Names) || len(d.Grid) < 1 || len(d.Grid) > 2 || d.Mean == nil || d.Mean.RawMatrix().Rows != points {
		return failed("Dependence", "the grid and the means must have the same shape")
	}
	_, outputs := d.Mean.Dims()
	what := "mean prediction"
	first := 0
	if d.Classes != nil {
		what = "mean probability"
		if outputs == 2 {
			first = 1 // the other probability is its complement
		}
	}
	if len(d.Grid) == 1 {
		return dependenceCurves(d, first, outputs, what)
	}
	var panels []*chart.Chart
	for k := first; k < outputs; k++ {
		panels = append(panels, dependenceCells(d, k).Legend(what).Title(outputName(d, k)))
	}
	if len(panels) == 1 {
		return panels[0].Title(joined("Partial dependence", outputName(d, first)))
	}
	return chart.Grid(panels...).Title("Partial dependence")
}

func dependenceCurves(d *eval.Dependence, first, outputs int, what string) *chart.Chart {
	x := d.Grid[0]
	c := chart.New().Title("Partial dependence").X(guide.Column(d.Names[0])).Y(what)
	for k := first; k < outputs; k++ {
		if k < len(d.Individual) {
			n, _ := d.Individual[k].Dims()
			for i := 0; i < n; i += 1 + (n-1)/mostIndividual {
				c.Line(x, mat.Row(nil, i, d.Individual[k])).Color("gray").Width(0.6).Opacity(0.25).Name("")
			}
		}
	}
	for k := first; k < outputs; k++ {
		c.Line(x, mat.Col(nil, k, d.Mean)).ClassColor(k).Width(2.4).Name(outputName(d, k))
	}
	return c
}

// dependenceCells colors the cells around the points of a grid. Values that are unevenly spaced,
// or are few integers, have a cell with a name each.
func dependenceCells(d *eval.Dependence, k int) *chart.Chart {
	xs, ys := d.Grid[0], d.Grid[1]
	z := make([]float64, len(xs)*len(ys))
	rows := make([][]float64, len(ys))
	for j := range ys {
		for i := range xs {
			z[j*len(xs)+i] = d.Mean.At(i*len(ys)+j, k)
		}
		rows[j] = z[j*len(xs) : (j+1)*len(xs)]
	}
	if !even(xs) || !even(ys) {
		return chart.Heatmap(rows).XNames(numbersAsNames(xs)...).YNames(numbersAsNames(ys)...).X(guide.Column(d.Names[0])).Y(guide.Column(d.Names[1]))
	}
	dx, dy := (xs[len(xs)-1]-xs[0])/float64(len(xs)-1), (ys[len(ys)-1]-ys[0])/float64(len(ys)-1)
	f := chart.Field{NX: len(xs), NY: len(ys), X0: xs[0] - dx/2, X1: xs[len(xs)-1] + dx/2, Y0: ys[0] - dy/2, Y1: ys[len(ys)-1] + dy/2, Z: z}
	return chart.New().HeatField(f).X(guide.Column(d.Names[0])).Y(guide.Column(d.Names[1]))
}

// even reports whether there are several values with equal distances. Few integers are treated as
// names.
func even(v []float64) bool {
	if len(v) < 2 {
		return false
	}
	const few = 12
	step := (v[len(v)-1] - v[0]) / float64(len(v)-1)
	whole := len(v) <= few
	for i := range v {
		whole = whole && v[i] == math.Trunc(v[i])
		if math.Abs(v[i]-v[0]-step*float64(i)) > 1e-6*step {
			return false
		}
	}
	return step > 0 && !whole
}

func numbersAsNames(v []float64) []string {
	names := make([]string, len(v))
	for i, x := range v {
		names[i] = guide.Minus(strconv.FormatFloat(x, 'g', 4, 64))
	}
	return names
}

// outputName returns the name of output k of a classifier, or "" for a regressor.
func outputName(d *eval.Dependence, k int) string {
	if k < len(d.Classes) {
		return "class " + guide.Class(d.Classes[k])
	}
	return ""
}

func joined(title, name string) string {
	if name == "" {
		return title
	}
	return title + ", " + name
}
