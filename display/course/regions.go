package course

import (
	"math"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/display/chart"
	"github.com/gokernel/gokernel/mlstd/data"
	"github.com/gokernel/gokernel/mlstd/model"
)

// cells is the number of cells of a picture of regions in each direction.
const cells = 200

// Regions draws what a fitted classifier decides over the plane of the two
// features of d, with the examples of d on top. Where the classifier gives
// probabilities the color is paler the less sure it is.
//
// It panics with a [*model.Error] when d does not have two features.
func Regions(m model.Classifier, d *data.Dataset) *chart.Chart {
	n, cols := d.X.Dims()
	if cols != 2 || n == 0 {
		panic(model.Errorf("Regions", "the data set has %d examples of %d features", n, cols).
			WithHint("a plane has two: choose them with Features"))
	}
	x, y := mat.Col(nil, 0, d.X), mat.Col(nil, 1, d.X)
	x0, x1 := bounds(x)
	y0, y1 := bounds(y)
	f := chart.Field{NX: cells, NY: cells, X0: x0, X1: x1, Y0: y0, Y1: y1, Z: make([]float64, cells*cells)}
	grid := mat.NewDense(cells*cells, 2, nil)
	for j := range cells {
		for i := range cells {
			px, py := f.Center(i, j)
			grid.SetRow(j*cells+i, []float64{px, py})
		}
	}
	names, position := classNames(d)
	for k, c := range m.Predict(grid) {
		p, ok := position[c]
		if !ok {
			p = -1
		}
		f.Z[k] = float64(p)
	}
	var sure []float64
	if p, ok := m.(model.ProbClassifier); ok {
		proba := p.PredictProba(grid)
		sure = make([]float64, len(f.Z))
		for k := range sure {
			best := mat.Max(proba.RowView(k))
			least := 1 / float64(max(2, len(p.Classes())))
			sure[k] = max(0, (best-least)/(1-least))
		}
	}
	labels := make([]string, n)
	for i := range labels {
		labels[i] = names[position[d.Y[i]]]
	}
	c := chart.New().Region(f, sure).Names(names...)
	c.Points(x, y).By(labels).Names(names...)
	return c.X(d.X.Columns[0].Name).Y(d.X.Columns[1].Name).XRange(x0, x1).YRange(y0, y1)
}

// classNames gives the names of the classes and the position of each class.
func classNames(d *data.Dataset) (names []string, position map[int]int) {
	position = map[int]int{}
	if names = d.ClassNames(); names != nil {
		for k := range names {
			position[k] = k
		}
		return names, position
	}
	classes, _ := model.Classes(d.Y)
	for k, c := range classes {
		position[c] = k
		names = append(names, strconv.Itoa(c))
	}
	return names, position
}

// bounds gives the range of the values and a margin.
func bounds(v []float64) (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for _, x := range v {
		lo, hi = min(lo, x), max(hi, x)
	}
	pad := 0.06 * (hi - lo)
	if pad == 0 {
		pad = 1
	}
	return lo - pad, hi + pad
}
