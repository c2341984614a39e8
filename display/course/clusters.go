package course

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/display/chart"
	"github.com/gokernel/gokernel/display/internal/guide"
	"github.com/gokernel/gokernel/mlstd/cluster"
	"github.com/gokernel/gokernel/mlstd/eval"
	"github.com/gokernel/gokernel/mlstd/model"
)

// Clusters draws the rows of x by their first two columns. The color of a point shows its cluster;
// noise is gray. The given centers are drawn as crosses.
func Clusters(x mat.Matrix, labels []int, centers ...mat.Matrix) *chart.Chart {
	if x == nil {
		return failed("Clusters", "there are no rows")
	}
	n, cols := x.Dims()
	switch {
	case cols < 2:
		return failed("Clusters", "x must have at least two columns, got %d", cols)
	case n != len(labels):
		return failed("Clusters", "x has %d rows, there are %d labels", n, len(labels))
	}
	c := chart.New()
	addClusters(c, x, labels)
	for _, m := range centers {
		if m == nil {
			continue
		}
		if _, k := m.Dims(); k < 2 {
			return failed("Clusters", "the centers have %d columns", k)
		}
		addCenters(c, m)
	}
	names := model.ColumnsOf(x)
	return c.Title("Clusters").X(guide.Column(names[0].Name)).Y(guide.Column(names[1].Name))
}

// addClusters adds the rows of each label as points in one color.
func addClusters(c *chart.Chart, x mat.Matrix, labels []int) {
	for _, l := range distinct(labels) {
		var px, py []float64
		for i, v := range labels {
			if v == l {
				px, py = append(px, x.At(i, 0)), append(py, x.At(i, 1))
			}
		}
		c.Points(px, py)
		if l < 0 {
			c.Color("gray").Opacity(0.6).Name("noise")
			continue
		}
		c.ClassColor(l).Opacity(0.7).Name(fmt.Sprint(l))
	}
}

// addCenters marks each center with a point and a ring in its color.
func addCenters(c *chart.Chart, m mat.Matrix) {
	k, _ := m.Dims()
	for i := range k {
		x, y := []float64{m.At(i, 0)}, []float64{m.At(i, 1)}
		c.Points(x, y).Color("black").Radius(5.5).Name("")
		c.Points(x, y).ClassColor(i).Radius(4).Name("")
	}
}

// mostSteps is the number of panels that KMeansSteps draws.
const mostSteps = 6

// KMeansSteps draws the first steps and the last step of a k-means model that was fitted to two
// columns, with one panel per step. A panel shows the rows in the color of their nearest center,
// the centers, and the paths of the centers.
func KMeansSteps(x mat.Matrix, m *cluster.KMeans) *chart.Panels {
	if m == nil || len(m.Trace.Weights) == 0 {
		return chart.Grid(failed("KMeansSteps", "the model is not fitted, or has too many centers for its steps to be kept"))
	}
	if x == nil {
		return chart.Grid(failed("KMeansSteps", "there are no rows"))
	}
	n, cols := x.Dims()
	if cols != 2 {
		return chart.Grid(failed("KMeansSteps", "x must have two columns for a drawing of the steps, got %d", cols))
	}
	x, err := model.Read("KMeansSteps", &m.Fitted, x)
	if err != nil {
		return chart.Grid(failed("KMeansSteps", "%w", err))
	}
	steps := len(m.Trace.Weights)
	var shown []int
	for s := range min(steps, mostSteps-1) {
		shown = append(shown, s)
	}
	if last := steps - 1; !slices.Contains(shown, last) {
		shown = append(shown, last)
	}
	var panels []*chart.Chart
	for _, s := range shown {
		at := m.Trace.Weights[s]
		centers := mat.NewDense(len(at)/2, 2, slices.Clone(at))
		labels := make([]int, n)
		for i := range labels {
			near := math.Inf(1)
			for c := range len(at) / 2 {
				if d := math.Hypot(x.At(i, 0)-at[2*c], x.At(i, 1)-at[2*c+1]); d < near {
					near, labels[i] = d, c
				}
			}
		}
		c := chart.New()
		addClusters(c, x, labels)
		addWays(c, m.Trace.Weights[:s+1])
		addCenters(c, centers)
		panels = append(panels, c.NoLegend().Title(fmt.Sprintf("step %d: J = %.4g", s+1, m.Trace.Loss[s])))
	}
	return chart.Grid(panels...)
}

// addWays draws the paths of the centers.
func addWays(c *chart.Chart, steps [][]float64) {
	if len(steps) < 2 {
		return
	}
	for k := range len(steps[0]) / 2 {
		var x, y []float64
		for _, at := range steps {
			x, y = append(x, at[2*k]), append(y, at[2*k+1])
		}
		c.Line(x, y).Color("black").Width(1).Name("")
	}
}

// ChoiceOfK draws the criteria computed by ml.ChooseK as functions of K: the objective,
// silhouettes, gap, AIC and BIC. For each criterion, a rule marks the K that it chooses.
func ChoiceOfK(k *cluster.KCurve) *chart.Panels {
	if k == nil || len(k.K) == 0 || len(k.Inertia) != len(k.K) {
		return chart.Grid(failed("ChoiceOfK", "the curve is empty: make one with ml.ChooseK{}.Curve(x)"))
	}
	x := make([]float64, len(k.K))
	for i, v := range k.K {
		x[i] = float64(v)
	}
	panel := func(title string, best int, y []float64) *chart.Chart {
		var px, py []float64
		for i, v := range y {
			if !math.IsNaN(v) && !math.IsInf(v, 0) {
				px, py = append(px, x[i]), append(py, v)
			}
		}
		c := chart.New().Title(fmt.Sprintf("%s: K = %d", title, best)).X("K").Y("")
		if len(px) == 0 {
			return c.VRule(float64(best)).Color("gray").Dashed()
		}
		return c.Line(px, py).ClassColor(0).Width(2).Points(px, py).ClassColor(0).VRule(float64(best)).Color("gray").Dashed()
	}
	return chart.Grid(
		panel("objective, elbow", k.Elbow(), k.Inertia),
		panel("silhouette", k.BestSilhouette(), k.Silhouette),
		panel("gap", k.BestGap(), k.Gap),
		panel("BIC", k.BestBIC(), k.BIC))
}

// Silhouettes draws the silhouette of every row, grouped by cluster in descending order, and
// their mean as a rule.
func Silhouettes(x mat.Matrix, labels []int) (c *chart.Chart) {
	if x == nil {
		return failed("Silhouettes", "there are no rows")
	}
	if n, _ := x.Dims(); n != len(labels) {
		return failed("Silhouettes", "x has %d rows, there are %d labels", n, len(labels))
	}
	defer func() {
		switch err := recover().(type) {
		case nil:
		case *model.Error:
			c = failed("Silhouettes", "%w", err)
		default:
			panic(err)
		}
	}()
	s := eval.SilhouetteSamples(x, labels)
	c = chart.New()
	at, sum := 0.0, 0.0
	for _, l := range distinct(labels) {
		var v []float64
		for i, k := range labels {
			if k == l {
				v = append(v, s[i])
				sum += s[i]
			}
		}
		v = sortedDown(v)
		xs, ys := make([]float64, 0, 2*len(v)), make([]float64, 0, 2*len(v))
		for i, w := range v {
			xs, ys = append(xs, at+float64(i), at+float64(i)+1), append(ys, w, w)
		}
		c.Area(xs, 0.0, ys)
		if name := fmt.Sprint(l); l < 0 {
			c.Color("gray").Name("noise")
		} else {
			c.ClassColor(l).Name(name)
		}
		at += float64(len(v)) + math.Ceil(0.02*float64(len(s)))
	}
	return c.HRule(sum / float64(len(s))).Color("gray").Dashed().
		Title(fmt.Sprintf("Silhouettes, mean %.3f", sum/float64(len(s)))).X("rows by cluster").Y("silhouette")
}
