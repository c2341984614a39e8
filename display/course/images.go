package course

import (
	"errors"
	"fmt"
	"image"
	"image/color"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/display/figure"
	"github.com/gokernel/gokernel/mlstd/data"
	"github.com/gokernel/gokernel/mlstd/model"
)

// mostImages is the maximum number of images that are drawn.
const mostImages = 100

// Images draws rows of numbers as square gray images in which large numbers are dark: digits,
// faces, components, or weights of units. x is a data set, whose classes are shown below the
// images, or a matrix. If there are more than 100 rows, the first 100 are drawn. If the values
// have both signs, they are blue and red. labels, one per image, replace the classes.
func Images(x any, labels ...string) *Drawing {
	return &Drawing{draw: func() (*figure.Figure, error) { return images(x, labels) }}
}

func images(v any, labels []string) (*figure.Figure, error) {
	var x mat.Matrix
	switch v := v.(type) {
	case *data.Dataset:
		if v == nil || v.X == nil || v.X.Dense == nil {
			return nil, errors.New("Images: the data set is empty")
		}
		x = v.X
		if len(labels) == 0 && v.Y != nil {
			for i := range min(v.Len(), mostImages) {
				labels = append(labels, v.Label(i))
			}
		}
	case mat.Matrix:
		x = v
	case [][]float64:
		if len(v) == 0 || len(v[0]) == 0 {
			return nil, errors.New("Images: there are no rows")
		}
		d := mat.NewDense(len(v), len(v[0]), nil)
		for i, row := range v {
			if len(row) != len(v[0]) {
				return nil, fmt.Errorf("Images: row %d has %d values, row 0 has %d", i, len(row), len(v[0]))
			}
			d.SetRow(i, row)
		}
		x = d
	default:
		return nil, fmt.Errorf("Images: a %T has no images: pass a data set or a matrix", v)
	}
	n, pixels := x.Dims()
	side := int(math.Round(math.Sqrt(float64(pixels))))
	if n == 0 || side*side != pixels {
		return nil, fmt.Errorf("Images: the rows have %d values; a square picture has 64, 784 or another square number", pixels)
	}
	if len(labels) > 0 && len(labels) < min(n, mostImages) {
		return nil, fmt.Errorf("Images: there are %d labels for %d pictures", len(labels), n)
	}
	d := model.Dense(x)
	total := n
	n = min(n, mostImages)
	lo, hi := math.Inf(1), math.Inf(-1)
	for i := range n {
		for _, p := range d.RawRowView(i) {
			if !math.IsNaN(p) && !math.IsInf(p, 0) {
				lo, hi = math.Min(lo, p), math.Max(hi, p)
			}
		}
	}
	at := func(p float64) color.NRGBA { return figure.Grays.At((p - lo) / math.Max(hi-lo, 1e-300)) }
	if lo < 0 && hi > 0 {
		most := math.Max(-lo, hi)
		at = func(p float64) color.NRGBA { return figure.RedBlue.At(0.5 + 0.5*p/most) }
	}
	const (
		most   = 10
		gap    = 8
		margin = 12
	)
	size := math.Max(48, math.Min(96, 2*float64(side)))
	below := 0.0
	if len(labels) > 0 {
		below = 15
	}
	cols := min(n, most)
	rows := (n + most - 1) / most
	foot := 0.0
	if total > n {
		foot = 18
	}
	f := figure.New(2*margin+float64(cols)*(size+gap)-gap, 2*margin+float64(rows)*(size+gap+below)-gap+foot)
	f.Text = fmt.Sprintf("%s of %d×%d pixels", count(total, "picture"), side, side)
	for i := range n {
		img := image.NewNRGBA(image.Rect(0, 0, side, side))
		for k, p := range d.RawRowView(i) {
			img.SetNRGBA(k%side, k/side, at(p))
		}
		px, py := margin+float64(i%most)*(size+gap), margin+float64(i/most)*(size+gap+below)
		f.Picture(px, py, size, size, figure.Stretch(img, size, size))
		f.Rect(px, py, size, size, 0, figure.Style{Stroke: figure.Faint(), Width: 1})
		if len(labels) > 0 {
			f.Label(px+size/2, py+size+12, unitFont.Fit(labels[i], size+gap-2), figure.TextStyle{Font: unitFont, Color: figure.Ink(), Anchor: figure.Middle})
		}
	}
	if foot > 0 {
		f.Label(margin, f.H-8, fmt.Sprintf("%d more", total-n), figure.TextStyle{Font: unitFont, Color: figure.Soft()})
	}
	return f, nil
}
