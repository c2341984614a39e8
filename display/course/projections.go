package course

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/display/chart"
	"github.com/gokernel/gokernel/display/figure"
	"github.com/gokernel/gokernel/display/internal/guide"
	"github.com/gokernel/gokernel/mlstd/data"
	"github.com/gokernel/gokernel/mlstd/decomp"
	"github.com/gokernel/gokernel/mlstd/model"
)

// Scree draws the fraction of the variance that each principal component explains as bars, and
// their cumulative sum as a line. Components after the elbow, where the bars have similar heights,
// are mostly noise.
func Scree(p *decomp.PCA) *chart.Chart {
	if p == nil || len(p.Ratio) == 0 {
		return failed("Scree", "the components are not fitted")
	}
	x, sum, whole := make([]float64, len(p.Ratio)), make([]float64, len(p.Ratio)), 0.0
	for j, r := range p.Ratio {
		whole += r
		x[j], sum[j] = float64(j+1), whole
	}
	return chart.New().Bars(x, p.Ratio).ClassColor(0).Name("each").
		Line(x, sum).ClassColor(1).Width(2).Name("up to it").Points(x, sum).ClassColor(1).Name("").
		Title("Explained variance").X("component").Y("share of the variance").YRange(0, 1.02)
}

// Biplot draws the examples in the plane of the first two principal components, in the colors of
// their classes, and each feature as an arrow. A longer arrow means that more of the feature's
// variance is in this plane. Arrows in the same direction belong to correlated features. At most
// twelve arrows, the longest ones, are drawn.
func Biplot(p *decomp.PCA, d *data.Dataset) (c *chart.Chart) {
	defer refused("Biplot", &c)
	switch {
	case p == nil || len(p.Ratio) < 2:
		return failed("Biplot", "the model has no two components: fit it with Components of 2 or more")
	case d == nil || d.X == nil || d.X.Dense == nil:
		return failed("Biplot", "the data set has no examples")
	}
	if _, cols := d.X.Dims(); cols != len(p.Mean) {
		return failed("Biplot", "the data set must have %[2]d features, as the components have, got %[1]d", cols, len(p.Mean))
	}
	d = d.LikeIn("Biplot", p)
	z := p.Transform(d.X)
	x, y := mat.Col(nil, 0, z), mat.Col(nil, 1, z)
	if d.Y != nil {
		labels := make([]string, d.Len())
		for i := range labels {
			labels[i] = d.Label(i)
		}
		c = chart.Scatter(x, y, labels)
	} else {
		c = chart.Scatter(x, y)
	}
	c.Opacity(0.55)
	addLoadings(c, p.Loadings(), d.FeatureNames(), reach(x, y))
	return c.Title("Biplot").
		X(fmt.Sprintf("component 1 (%.0f %% of the variance)", 100*p.Ratio[0])).
		Y(fmt.Sprintf("component 2 (%.0f %%)", 100*p.Ratio[1]))
}

// refused turns a panic of a model that is not fitted, or was fitted on other columns, into the
// error of the chart.
func refused(op string, c **chart.Chart) {
	r := recover()
	if r == nil {
		return
	}
	err, ok := r.(*model.Error)
	if !ok {
		panic(r)
	}
	*c = failed(op, "%w", err)
}

// reach returns the maximum distance of points from the center.
func reach(x, y []float64) float64 {
	r := 0.0
	for i := range x {
		r = math.Max(r, math.Hypot(x[i], y[i]))
	}
	return r
}

// addLoadings adds the longest loadings as arrows. The parameter most is the length of the longest
// arrow.
func addLoadings(c *chart.Chart, loadings *mat.Dense, names []string, most float64) {
	const shown, head = 12, 0.035
	n, _ := loadings.Dims()
	size := func(j int) float64 { return math.Hypot(loadings.At(j, 0), loadings.At(j, 1)) }
	order := make([]int, n)
	for j := range order {
		order[j] = j
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(size(b), size(a)) })
	order = order[:min(n, shown)]
	if size(order[0]) == 0 {
		return
	}
	scale := 0.8 * most / size(order[0])
	for _, j := range order {
		u, v := scale*loadings.At(j, 0), scale*loadings.At(j, 1)
		length, h := math.Hypot(u, v), head*most
		if length < 2*h {
			h = length / 2
		}
		if length == 0 {
			continue
		}
		a, b := u/length, v/length
		c.Line([]float64{0, u}, []float64{0, v}).Color("black").Width(1.2).Name("")
		c.Line([]float64{u - h*(a-0.5*b), u, u - h*(a+0.5*b)}, []float64{v - h*(b+0.5*a), v, v - h*(b-0.5*a)}).Color("black").Width(1.2).Name("")
		c.Label([]float64{u + h*a}, []float64{v + h*b}, []string{guide.Column(names[j])})
	}
}

// Reconstruction draws, for each k, the reconstruction of an image from its first k principal
// components, and finally the image itself.
func Reconstruction(p *decomp.PCA, picture []float64, k ...int) *Drawing {
	return &Drawing{draw: func() (*figure.Figure, error) {
		switch {
		case p == nil || len(p.Ratio) == 0:
			return nil, errors.New("Reconstruction: the components are not fitted")
		case len(picture) != len(p.Mean):
			return nil, fmt.Errorf("Reconstruction: the picture must have %[2]d values, as the components have, got %[1]d", len(picture), len(p.Mean))
		case len(k) == 0:
			return nil, errors.New("Reconstruction: pass numbers of components, such as 1, 5, 20")
		}
		labels := make([]string, 0, len(k)+1)
		for _, k := range k {
			if k < 0 || k > len(p.Ratio) {
				return nil, fmt.Errorf("Reconstruction: there are %d components, not %d", len(p.Ratio), k)
			}
			labels = append(labels, fmt.Sprintf("k = %d", k))
		}
		rows := append(p.Reconstruct(picture, k...), picture)
		return images(clipped(rows), append(labels, "all"))
	}}
}

// clipped clips the values of all images to the range of the last one, so that small overshoots
// do not reduce the contrast.
func clipped(rows [][]float64) [][]float64 {
	last := rows[len(rows)-1]
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, v := range last {
		lo, hi = math.Min(lo, v), math.Max(hi, v)
	}
	out := make([][]float64, len(rows))
	for i, row := range rows {
		out[i] = make([]float64, len(row))
		for j, v := range row {
			out[i][j] = math.Max(lo, math.Min(hi, v))
		}
	}
	return out
}

// Anomalies draws the anomaly score of a fitted detector in the plane, the decision boundary, and
// the examples in two colors. The data set must have two features.
func Anomalies(m model.Detector, d *data.Dataset) (c *chart.Chart) {
	defer refused("Anomalies", &c)
	if m == nil || d == nil || d.X == nil || d.X.Dense == nil {
		return failed("Anomalies", "there is no detector or no data set")
	}
	n, cols := d.X.Dims()
	names := d.FeatureNames()
	if cols != 2 {
		return failed("Anomalies", "the data set has %d features: choose two with Features(%q, ...)", cols, names[0])
	}
	if seen, ok := m.(data.Described); ok {
		d = d.LikeIn("Anomalies", seen)
		names = d.FeatureNames()
	}
	// The threshold is between the scores of normal and of anomalous rows.
	score, strange := m.Score(d.X), m.Predict(d.X)
	below, above := math.Inf(-1), math.Inf(1)
	var x, y [2][]float64
	for i := range n {
		k := 0
		if strange[i] {
			k, above = 1, math.Min(above, score[i])
		} else {
			below = math.Max(below, score[i])
		}
		x[k], y[k] = append(x[k], d.X.At(i, 0)), append(y[k], d.X.At(i, 1))
	}
	x0, x1 := padded(column(d, 0))
	y0, y1 := padded(column(d, 1))
	f := scoreField(m, x0, x1, y0, y1)
	c = chart.New().HeatField(f).Scheme("greys")
	if len(x[0]) > 0 && len(x[1]) > 0 {
		c.Contour(f, (below+above)/2).Color("black").Width(1.5)
	}
	c.Points(x[0], y[0]).ClassColor(0).Opacity(0.8).Name("ordinary")
	c.Points(x[1], y[1]).ClassColor(1).Name("anomaly")
	return c.Titlef("%s: %d of %d are anomalies", strings.TrimPrefix(fmt.Sprintf("%T", m), "*anomaly."), len(x[1]), n).
		X(guide.Column(names[0])).Y(guide.Column(names[1])).XRange(x0, x1).YRange(y0, y1)
}

// padded returns the range of v, enlarged by a tenth on both sides.
func padded(v []float64) (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for _, u := range v {
		lo, hi = math.Min(lo, u), math.Max(hi, u)
	}
	pad := (hi - lo) / 10
	if pad == 0 {
		pad = 1
	}
	return lo - pad, hi + pad
}

// scoreField evaluates the score on a grid with a single call.
func scoreField(m model.Detector, x0, x1, y0, y1 float64) chart.Field {
	const n = 80
	f := chart.Field{NX: n, NY: n, X0: x0, X1: x1, Y0: y0, Y1: y1}
	at := mat.NewDense(n*n, 2, nil)
	for j := range n {
		for i := range n {
			x, y := f.Center(i, j)
			at.SetRow(j*n+i, []float64{x, y})
		}
	}
	f.Z = m.Score(at)
	return f
}
