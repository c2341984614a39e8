package course

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/display/chart"
	"github.com/gokernel/gokernel/display/internal/guide"
	"github.com/gokernel/gokernel/mlstd/data"
	"github.com/gokernel/gokernel/mlstd/model"
)

// regionCells is the number of cells along each side of the image of decision regions.
const regionCells = 200

// Regions draws the predictions of a fitted classifier in the plane of two features, with the
// examples on top. The examples are a *data.Dataset with two columns (use Features to choose them),
// or a matrix and its classes.
//
// The colors of a ProbClassifier are pale where its prediction is uncertain. A Scorer with two
// classes is drawn with its decision boundary and, if it has support vectors, its margins (scores
// −1 and 1). Support vectors are ringed. Regions reads them from the model's field SupportVectors
// or, if the examples are the training examples, finds their rows in the field Support. A pipeline
// is drawn like its last model.
func Regions(m model.Classifier, examples ...any) *chart.Chart {
	c, err := regions(m, examples)
	if err != nil {
		return chart.Fail(fmt.Errorf("Regions: %w", err))
	}
	return c
}

// plane is labeled points of the plane.
type plane struct {
	x       *mat.Dense
	y       []int // classes, or nil
	names   [2]string
	classes func(class int) string
	title   string
}

// planeOf converts a data set, or a matrix and its classes.
func planeOf(args []any) (*plane, error) {
	if len(args) == 0 {
		return nil, errors.New("there are no examples: pass a data set with two features, or a matrix and its classes")
	}
	p := &plane{classes: guide.Class}
	var table *model.Table
	var raw mat.Matrix
	switch d := args[0].(type) {
	case *data.Dataset:
		if d == nil || d.X == nil {
			return nil, errors.New("the data set must not be nil")
		}
		table, p.y, p.title = d.X, d.Y, d.Name
		raw = d.X
	case *model.Table:
		if d == nil {
			return nil, errors.New("the table must not be nil")
		}
		table, raw = d, d
	case mat.Matrix:
		raw = d
	default:
		return nil, fmt.Errorf("a %T holds no examples: pass a data set with two features, or a matrix and its classes", args[0])
	}
	if len(args) > 1 {
		y, ok := args[1].([]int)
		if !ok || len(args) > 2 {
			return nil, errors.New("after a matrix, pass only its classes, a []int")
		}
		p.y = y
	}
	if table != nil && (table.Dense == nil || table.IsEmpty()) {
		return nil, errors.New("there are no examples")
	}
	rows, cols := raw.Dims()
	if cols != 2 {
		err := fmt.Errorf("the examples must have two features, got %d", cols)
		if table != nil && cols > 2 {
			err = fmt.Errorf("%w: choose them with Features(%q, %q)", err, table.Columns[0].Name, table.Columns[1].Name)
		}
		return nil, err
	}
	if rows == 0 {
		return nil, errors.New("there are no examples")
	}
	if p.y != nil && len(p.y) != rows {
		return nil, fmt.Errorf("there are %d examples but %d classes", rows, len(p.y))
	}
	p.x = model.Dense(raw)
	p.names = [2]string{guide.Feature(0), guide.Feature(1)}
	if table != nil {
		for j, c := range table.Columns {
			p.names[j] = guide.Column(c.Name)
			if c.Unit != "" {
				p.names[j] += " (" + c.Unit + ")"
			}
		}
		levels := table.Target.Levels
		p.classes = func(k int) string {
			if k >= 0 && k < len(levels) {
				return levels[k]
			}
			return guide.Class(k)
		}
	}
	return p, nil
}

// bounds returns the rectangle around the points, with a margin.
func (p *plane) bounds() (x0, x1, y0, y1 float64, err error) {
	lo, hi := [2]float64{math.Inf(1), math.Inf(1)}, [2]float64{math.Inf(-1), math.Inf(-1)}
	n, _ := p.x.Dims()
	for i := range n {
		for j := range 2 {
			if v := p.x.At(i, j); !math.IsNaN(v) && !math.IsInf(v, 0) {
				lo[j], hi[j] = math.Min(lo[j], v), math.Max(hi[j], v)
			}
		}
	}
	for j := range 2 {
		if lo[j] > hi[j] {
			return 0, 0, 0, 0, fmt.Errorf("%s has no finite value", p.names[j])
		}
		pad := 0.08 * (hi[j] - lo[j])
		if pad == 0 {
			pad = math.Max(1, 0.1*math.Abs(lo[j]))
		}
		lo[j], hi[j] = lo[j]-pad, hi[j]+pad
	}
	return lo[0], hi[0], lo[1], hi[1], nil
}

// column returns one coordinate of all points.
func (p *plane) column(j int) []float64 { return mat.Col(nil, j, p.x) }

func regions(m model.Classifier, args []any) (c *chart.Chart, err error) {
	if m == nil || reflect.ValueOf(m).Kind() == reflect.Pointer && reflect.ValueOf(m).IsNil() {
		return nil, errors.New("the model must not be nil")
	}
	defer func() {
		// Predict panics if the model is not fitted or was fitted on other columns.
		if r := recover(); r != nil {
			if e, ok := r.(error); ok {
				c, err = nil, e
				return
			}
			panic(r)
		}
	}()
	if _, err := planeOf(args); err != nil {
		return nil, err
	}
	args = slices.Clone(args)
	if seen, ok := m.(data.Described); ok {
		switch d := args[0].(type) {
		case *data.Dataset:
			args[0] = d.LikeIn("Regions", seen)
		case *model.Table:
			schema := seen.Schema()
			t, err := schema.Arrange("Regions", d, true)
			if err != nil {
				return nil, err
			}
			args[0] = t
		}
	}
	p, err := planeOf(args)
	if err != nil {
		return nil, err
	}
	x0, x1, y0, y1, err := p.bounds()
	if err != nil {
		return nil, err
	}
	field := chart.Field{NX: regionCells, NY: regionCells, X0: x0, X1: x1, Y0: y0, Y1: y1, Z: make([]float64, regionCells*regionCells)}
	cells := mat.NewDense(len(field.Z), 2, nil)
	for j := range regionCells {
		for i := range regionCells {
			x, y := field.Center(i, j)
			cells.SetRow(j*regionCells+i, []float64{x, y})
		}
	}
	last, seen := m, mat.Matrix(cells) // the last model of a pipeline, and its input
	for s, ok := last.(model.Staged); ok; s, ok = last.(model.Staged) {
		last, seen = s.Last(), s.Transform(seen)
	}
	classes, sure := answers(last, seen, field.Z)
	// Classes of examples that the model never predicts are drawn too.
	all := slices.Clone(classes)
	all = append(all, p.y...)
	slices.Sort(all)
	all = slices.Compact(all)
	names := make([]string, len(all))
	for k, class := range all {
		names[k] = p.classes(class)
	}
	for i, z := range field.Z {
		field.Z[i] = float64(position(all, classes[int(z)]))
	}
	c = chart.New().Region(field, sure).Names(names...)
	score, two := last.(model.Scorer)
	support := supportVectors(m, p)
	if two && len(classes) == 2 {
		d := score.Decision(seen)
		if _, cols := d.Dims(); cols == 1 {
			f := field
			f.Z = mat.Col(nil, 0, d)
			c.Contour(f, 0).Color("black").Width(1.6)
			if support != nil {
				c.Contour(f, -1, 1).Color("black").Width(1).Dashed()
			}
		}
	}
	if p.y != nil {
		class := make([]int, len(p.y))
		for i, y := range p.y {
			class[i] = position(all, y)
		}
		c.Points(p.column(0), p.column(1)).ByClass(class, names...)
	} else {
		c.Points(p.column(0), p.column(1)).Color("black")
	}
	if support != nil {
		c.Points(mat.Col(nil, 0, support), mat.Col(nil, 1, support)).Rings().Radius(7).Color("black").Name("support vector")
	}
	return c.Title(p.title).X(p.names[0]).Y(p.names[1]).XRange(x0, x1).YRange(y0, y1).Size(560, 400), nil
}

func position(classes []int, class int) int {
	k, _ := slices.BinarySearch(classes, class)
	return k
}

// answers stores in z, for each row, the index of the predicted class in classes. If sure is not
// nil, it has the certainty of each prediction, from 0 for a tie to 1.
func answers(m model.Classifier, x mat.Matrix, z []float64) (classes []int, sure []float64) {
	if p, ok := m.(model.ProbClassifier); ok {
		classes = p.Classes()
		proba := p.PredictProba(x)
		sure = make([]float64, len(z))
		for i := range z {
			row := proba.RawRowView(i)
			best := 0
			for k, v := range row {
				if v > row[best] {
					best = k
				}
			}
			z[i] = float64(best)
			tie := 1 / float64(len(row))
			sure[i] = 1
			if tie < 1 {
				sure[i] = (row[best] - tie) / (1 - tie)
			}
		}
		return classes, sure
	}
	got := m.Predict(x)
	classes = slices.Clone(got)
	slices.Sort(classes)
	classes = slices.Compact(classes)
	for i, class := range got {
		z[i] = float64(position(classes, class))
	}
	return classes, nil
}

// supportVectors finds support vectors by field names, so that it works for any model.
func supportVectors(m model.Classifier, p *plane) *mat.Dense {
	v := reflect.Indirect(reflect.ValueOf(m))
	if v.Kind() != reflect.Struct {
		return nil
	}
	if f := v.FieldByName("SupportVectors"); f.IsValid() {
		if d, ok := f.Interface().(*mat.Dense); ok && d != nil {
			if _, c := d.Dims(); c == 2 {
				return d
			}
		}
		return nil
	}
	f := v.FieldByName("Support")
	if !f.IsValid() {
		return nil
	}
	rows, ok := f.Interface().([]int)
	n, _ := p.x.Dims()
	if !ok || len(rows) == 0 || slices.Max(rows) >= n {
		return nil
	}
	d := mat.NewDense(len(rows), 2, nil)
	for i, r := range rows {
		d.SetRow(i, p.x.RawRowView(r))
	}
	return d
}
