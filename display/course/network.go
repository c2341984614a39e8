package course

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/display/figure"
	"github.com/gokernel/gokernel/mlstd/latent"
)

// mostUnits is the maximum number of units of a layer that are drawn. Of larger layers, the first
// and last units are drawn.
const mostUnits = 12

var (
	titleFont = figure.Font{Size: 14, Bold: true}
	unitFont  = figure.Font{Size: 11}
	smallFont = figure.Font{Size: 10}
)

// Network draws a feed-forward network from left to right. weights[l] has a row for each unit of
// layer l and a column for each unit of layer l+1. Positive weights are blue lines, negative
// weights are red lines, and larger weights have wider lines. biases is nil or has a row for each
// layer after the input layer; the biases are shown below the units. For large layers, only the
// first and last units are drawn.
func Network(weights []*mat.Dense, biases [][]float64) *Drawing {
	return &Drawing{draw: func() (*figure.Figure, error) { return network(weights, biases) }}
}

func network(weights []*mat.Dense, biases [][]float64) (*figure.Figure, error) {
	sizes, largest, err := layers(weights, biases)
	if err != nil {
		return nil, err
	}
	g := newColumns(len(sizes), 130, 46, 15)
	shown := make([][]int, len(sizes))
	labels := 0
	for l, n := range sizes {
		shown[l] = some(n, mostUnits)
		g.rows[l] = len(shown[l])
	}
	f := g.figure(40, 34)
	for l, w := range weights {
		_, c := w.Dims()
		labels = max(labels, c*sizes[l])
		g.connect(f, l, w, shown, largest)
	}
	// Weights are shown if there is enough space.
	if labels <= 12 {
		var written [][2]float64
		for l, w := range weights {
			for i := range shown[l] {
				for j := range shown[l+1] {
					g.write(f, l, i, j, signed(w.At(i, j)), &written)
				}
			}
		}
	}
	text := "network of layers with"
	for l := range sizes {
		name := "h"
		switch l {
		case 0:
			name = "x"
		case len(sizes) - 1:
			name = "y"
		}
		text += " " + strconv.Itoa(sizes[l])
		for i, u := range shown[l] {
			p := g.at(l, i)
			if u < 0 {
				f.Label(p.X, p.Y+4, "⋮", figure.TextStyle{Font: titleFont, Color: figure.Soft(), Anchor: figure.Middle})
				continue
			}
			f.Marker(p.X, p.Y, g.r, figure.Circle, figure.Style{Fill: figure.Paper(), Stroke: figure.Ink(), Width: 1.2})
			f.Label(p.X, p.Y+4, name+lowered(u+1), figure.TextStyle{Font: unitFont, Color: figure.Ink(), Anchor: figure.Middle})
			if l > 0 && biases != nil {
				f.Label(p.X, p.Y+g.r+11, signed(biases[l-1][u]), figure.TextStyle{Font: smallFont, Color: figure.Soft(), Anchor: figure.Middle})
			}
		}
		title := "layer " + strconv.Itoa(l)
		switch l {
		case 0:
			title = "input"
		case len(sizes) - 1:
			title = "output"
		}
		f.Label(g.at(l, 0).X, 20, title, figure.TextStyle{Font: unitFont, Color: figure.Soft(), Anchor: figure.Middle})
	}
	f.Text = text + " units"
	return f, nil
}

// layers returns the size of each layer and the largest absolute weight.
func layers(weights []*mat.Dense, biases [][]float64) (sizes []int, largest float64, err error) {
	if len(weights) == 0 {
		return nil, 0, fmt.Errorf("Network: there are no weights: pass a matrix for each pair of layers")
	}
	if biases != nil && len(biases) != len(weights) {
		return nil, 0, fmt.Errorf("Network: there are %d weight matrices but %d rows of biases", len(weights), len(biases))
	}
	for l, w := range weights {
		if w == nil {
			return nil, 0, fmt.Errorf("Network: weight matrix %d is nil", l)
		}
		r, c := w.Dims()
		if l > 0 && sizes[l] != r {
			return nil, 0, fmt.Errorf("Network: weight matrix %d has %d rows, but layer %d has %d units", l, r, l, sizes[l])
		}
		if biases != nil && len(biases[l]) != c {
			return nil, 0, fmt.Errorf("Network: layer %d has %d units but %d biases", l+1, c, len(biases[l]))
		}
		if l == 0 {
			sizes = append(sizes, r)
		}
		sizes = append(sizes, c)
		for _, v := range w.RawMatrix().Data {
			if !math.IsNaN(v) && !math.IsInf(v, 0) {
				largest = math.Max(largest, math.Abs(v))
			}
		}
	}
	return sizes, largest, nil
}

// connect draws the weights from layer l to the next one.
func (g *columns) connect(f *figure.Figure, l int, w *mat.Dense, shown [][]int, largest float64) {
	for i, u := range shown[l] {
		for j, v := range shown[l+1] {
			if u < 0 || v < 0 {
				continue
			}
			x := w.At(u, v)
			color := figure.Class(0)
			if x < 0 {
				color = figure.Class(1)
			}
			t := 0.0
			if largest > 0 {
				t = math.Abs(x) / largest
			}
			a, b := g.at(l, i), g.at(l+1, j)
			f.Line(a.X+g.r, a.Y, b.X-g.r, b.Y, figure.Style{Stroke: figure.Opacity(color, 0.25+0.65*t), Width: 0.5 + 3.5*t})
		}
	}
}

// some returns the indices of the units that are drawn; -1 represents the others.
func some(n, most int) []int {
	var out []int
	if n <= most {
		for i := range n {
			out = append(out, i)
		}
		return out
	}
	half := most / 2
	for i := range half {
		out = append(out, i)
	}
	out = append(out, -1)
	for i := n - half + 1; i < n; i++ {
		out = append(out, i)
	}
	return out
}

func lowered(n int) string {
	out := ""
	for _, r := range strconv.Itoa(n) {
		out += string('₀' + (r - '0'))
	}
	return out
}

// signed formats a number with two decimals and a true minus sign.
func signed(x float64) string {
	return strings.Replace(display.Number(math.Round(100*x)/100), "-", "−", 1)
}

// write writes a weight on its line, at the first position at which it hides no other weight.
func (c *columns) write(f *figure.Figure, layer, from, to int, text string, written *[][2]float64) {
	a, b := c.at(layer, from), c.at(layer+1, to)
	half := smallFont.Width(text)/2 + 2
	var x, y float64
	for _, t := range []float64{0.36, 0.27, 0.45, 0.54, 0.63, 0.72} {
		x, y = a.X+t*(b.X-a.X), a.Y+t*(b.Y-a.Y)
		if !slices.ContainsFunc(*written, func(p [2]float64) bool {
			return math.Abs(p[0]-x) < half+12 && math.Abs(p[1]-y) < 14
		}) {
			break
		}
	}
	*written = append(*written, [2]float64{x, y})
	f.Rect(x-half, y-7, 2*half, 13, 2, figure.Style{Fill: figure.Opacity(figure.Paper(), 0.9)})
	f.Label(x, y+3.5, text, figure.TextStyle{Font: smallFont, Color: figure.Ink(), Anchor: figure.Middle})
}

// columns are circles in centered columns of different heights.
type columns struct {
	rows         []int
	dx, dy, r    float64
	left, top, h float64
}

func newColumns(n int, dx, dy, r float64) *columns {
	return &columns{rows: make([]int, n), dx: dx, dy: dy, r: r}
}

func (c *columns) figure(top, side float64) *figure.Figure {
	most := 0
	for _, n := range c.rows {
		most = max(most, n)
	}
	c.left, c.top, c.h = side+c.r, top, float64(most)*c.dy
	return figure.New(2*c.left+float64(len(c.rows)-1)*c.dx, c.top+c.h+10)
}

func (c *columns) at(column, row int) figure.Point {
	return figure.Point{
		X: c.left + float64(column)*c.dx,
		Y: c.top + c.h/2 + (float64(row)-float64(c.rows[column]-1)/2)*c.dy,
	}
}

// Trellis draws the states of a hidden Markov model over time, with a column per observation and
// all transitions. If scores is not nil, a higher score fills a circle with a darker color. scores
// has a row per observation and a column per state, such as the probabilities of the forward
// algorithm or the scores of Viterbi's algorithm. If path is not nil, it has a state per
// observation and is drawn in bold.
//
//	Trellis(states, observations, scores, path)
//	Trellis(rain.Smooth("umbrella", "none"))
//
// Instead of the four arguments, you can pass the result of HMM.Smooth, HMM.Filter or
// HMM.Viterbi.
func Trellis(of any, more ...any) *Drawing {
	return &Drawing{draw: func() (*figure.Figure, error) {
		if d, ok := of.(*latent.Decoding); ok && d != nil && len(more) == 0 {
			return trellis(d.States, d.Observations, d.Proba, d.Path)
		}
		var observations []string
		var scores [][]float64
		var path []int
		states, ok := of.([]string)
		for i, to := range []any{&observations, &scores, &path} {
			if i < len(more) && more[i] != nil {
				ok = ok && assign(to, more[i])
			}
		}
		if !ok || len(more) > 3 {
			return nil, errors.New("Trellis: pass the result of HMM.Smooth, or the states and observations, both []string, scores, a [][]float64, and a path, a []int")
		}
		return trellis(states, observations, scores, path)
	}}
}

// assign stores v in the variable that the pointer to refers to, if v has the variable's type.
func assign(to, v any) bool {
	target, value := reflect.ValueOf(to).Elem(), reflect.ValueOf(v)
	if !value.Type().AssignableTo(target.Type()) {
		return false
	}
	target.Set(value)
	return true
}

func trellis(states, observations []string, scores [][]float64, path []int) (*figure.Figure, error) {
	k, n := len(states), len(observations)
	if err := checkTrellis(k, n, scores, path); err != nil {
		return nil, err
	}
	g := newColumns(n, 84, 62, 19)
	names := 0.0
	for t := range g.rows {
		g.rows[t] = k
	}
	for _, s := range states {
		names = math.Max(names, unitFont.Width(s))
	}
	f := g.figure(14, 14)
	g.left += names + 10
	f.W += names + 10
	f.H += 24
	g.transitions(f, k, n, path)
	f.Text = "trellis of " + count(k, "state") + " over " + count(n, "observation")
	for t, o := range observations {
		lo, hi := math.Inf(1), math.Inf(-1)
		if scores != nil {
			for _, v := range scores[t] {
				if !math.IsInf(v, 0) && !math.IsNaN(v) {
					lo, hi = math.Min(lo, v), math.Max(hi, v)
				}
			}
			if lo >= 0 {
				lo = 0 // probabilities
			}
		}
		for i := range k {
			p := g.at(t, i)
			s := figure.Style{Fill: figure.Paper(), Stroke: figure.Frame(), Width: 1.2}
			ink := figure.Ink()
			if scores != nil && hi > lo && scores[t][i] >= lo {
				s.Fill = figure.Mix(figure.Paper(), figure.Class(0), 0.75*(scores[t][i]-lo)/(hi-lo))
				ink = figure.On(s.Fill)
			}
			if path != nil && path[t] == i {
				s.Stroke, s.Width = figure.Class(0), 2.8
			}
			f.Marker(p.X, p.Y, g.r, figure.Circle, s)
			if scores != nil {
				f.Label(p.X, p.Y+3.5, smallFont.Fit(short(scores[t][i]), 2*g.r-3), figure.TextStyle{Font: smallFont, Color: ink, Anchor: figure.Middle})
			}
		}
		f.Label(g.at(t, 0).X, f.H-12, unitFont.Fit(o, g.dx-6), figure.TextStyle{Font: unitFont, Color: figure.Ink(), Anchor: figure.Middle})
		if path != nil {
			f.Text += "\n" + o + ": " + states[path[t]]
		}
	}
	for i, s := range states {
		f.Label(14+names, g.at(0, i).Y+4, s, figure.TextStyle{Font: unitFont, Color: figure.Ink(), Anchor: figure.End})
	}
	return f, nil
}

// checkTrellis checks the sizes against k states and n observations.
func checkTrellis(k, n int, scores [][]float64, path []int) error {
	switch {
	case k == 0 || n == 0:
		return fmt.Errorf("Trellis: there are %d states and %d observations: pass at least one of each", k, n)
	case k > 30 || n > 60:
		return fmt.Errorf("Trellis: %d states over %d times cannot be read: pass at most 30 over 60", k, n)
	case path != nil && len(path) != n:
		return fmt.Errorf("Trellis: the path has %d states for %d observations", len(path), n)
	case scores != nil && len(scores) != n:
		return fmt.Errorf("Trellis: there are %d rows of scores for %d observations", len(scores), n)
	}
	for t, s := range path {
		if s < 0 || s >= k {
			return fmt.Errorf("Trellis: the path has state %d at time %d; there are states 0 to %d", s, t+1, k-1)
		}
	}
	for t, row := range scores {
		if len(row) != k {
			return fmt.Errorf("Trellis: row %d has %d scores for %d states", t, len(row), k)
		}
	}
	return nil
}

// transitions draws all transitions, with those of the path on top.
func (g *columns) transitions(f *figure.Figure, k, n int, path []int) {
	faint := figure.Style{Stroke: figure.Mix(figure.Paper(), figure.Soft(), 0.35), Width: 0.8}
	strong := figure.Style{Stroke: figure.Class(0), Width: 3.2}
	for bold := range 2 {
		for t := range n - 1 {
			for i := range k {
				for j := range k {
					on := path != nil && path[t] == i && path[t+1] == j
					if on != (bold == 1) {
						continue
					}
					a, b := g.at(t, i), g.at(t+1, j)
					l := math.Hypot(b.X-a.X, b.Y-a.Y)
					ux, uy := g.r*(b.X-a.X)/l, g.r*(b.Y-a.Y)/l
					s := faint
					if on {
						s = strong
					}
					f.Line(a.X+ux, a.Y+uy, b.X-ux, b.Y-uy, s)
				}
			}
		}
	}
}
