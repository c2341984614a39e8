package course

import (
	"fmt"
	"math"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/display/figure"
	"github.com/gokernel/gokernel/mlstd/nn"
)

// mostPassed is the maximum number of units in a layer that Backpropagation draws.
const mostPassed = 8

// Backpropagation draws forward and backward propagation of one example through a network. Each
// unit shows its activation and, below the activation, its error δ. Each edge shows its weight and
// the gradient. An edge is blue if a step of gradient descent increases its weight, red if the step
// decreases it, and wider for a larger gradient.
func Backpropagation(b *nn.Backpropagation) *Drawing {
	return &Drawing{draw: func() (*figure.Figure, error) { return backpropagation(b) }}
}

func backpropagation(b *nn.Backpropagation) (*figure.Figure, error) {
	if b == nil || len(b.Activations) < 2 || len(b.Weights) != len(b.Activations)-1 || len(b.Gradients) != len(b.Weights) || len(b.Deltas) != len(b.Weights) {
		return nil, fmt.Errorf("Backpropagation: the argument must be complete; create it with net.Backprop(x, y)")
	}
	g := newColumns(len(b.Activations), 190, 74, 24)
	edges, largest := 0, 0.0
	for l, a := range b.Activations {
		if len(a) > mostPassed {
			return nil, fmt.Errorf("Backpropagation: layer %d must have at most %[3]d units to be readable, got %[2]d", l, len(a), mostPassed)
		}
		g.rows[l] = len(a)
		if l == 0 {
			continue
		}
		if r, c := b.Weights[l-1].Dims(); r != len(b.Activations[l-1]) || c != len(a) || len(b.Deltas[l-1]) != c {
			return nil, fmt.Errorf("Backpropagation: the weights of layer %d are %dx%d: create the argument with net.Backprop(x, y)", l, r, c)
		}
		edges += len(b.Activations[l-1]) * len(a)
		for _, v := range b.Gradients[l-1].RawMatrix().Data {
			largest = math.Max(largest, math.Abs(v))
		}
	}
	f := g.figure(44, 50)
	f.H += 14
	for l := range b.Weights {
		for i := range b.Activations[l] {
			for j := range b.Activations[l+1] {
				d := b.Gradients[l].At(i, j)
				color, t := figure.Class(0), 0.0
				if d > 0 {
					color = figure.Class(1)
				}
				if largest > 0 {
					t = math.Abs(d) / largest
				}
				p, q := g.at(l, i), g.at(l+1, j)
				f.Line(p.X+g.r, p.Y, q.X-g.r, q.Y, figure.Style{Stroke: figure.Opacity(color, 0.3+0.6*t), Width: 0.6 + 3.4*t})
			}
		}
	}
	if edges <= 12 {
		var written [][2]float64
		for l, w := range b.Weights {
			for i := range b.Activations[l] {
				for j := range b.Activations[l+1] {
					g.write(f, l, i, j, signed(w.At(i, j))+" ("+display.Number(rounded(b.Gradients[l].At(i, j)))+")", &written)
				}
			}
		}
	}
	f.Text = "backpropagation, loss " + display.Number(rounded(b.Loss))
	for l, a := range b.Activations {
		title := []string{"input", "hidden", "output"}[min(l, 1)]
		if l == len(b.Activations)-1 {
			title = "output"
		}
		f.Label(g.at(l, 0).X, 20, title, figure.TextStyle{Font: unitFont, Color: figure.Soft(), Anchor: figure.Middle})
		f.Text += "\n" + title + ":"
		for i, v := range a {
			p := g.at(l, i)
			f.Marker(p.X, p.Y, g.r, figure.Circle, figure.Style{Fill: figure.Paper(), Stroke: figure.Ink(), Width: 1.2})
			f.Label(p.X, p.Y+4, display.Number(rounded(v)), figure.TextStyle{Font: unitFont, Color: figure.Ink(), Anchor: figure.Middle})
			f.Text += " " + display.Number(rounded(v))
			if l > 0 {
				delta := "δ " + display.Number(rounded(b.Deltas[l-1][i]))
				f.Label(p.X, p.Y+g.r+13, delta, figure.TextStyle{Font: smallFont, Color: figure.Soft(), Anchor: figure.Middle})
				f.Text += " (" + delta + ")"
			}
		}
	}
	return f, nil
}

// rounded rounds to three significant digits.
func rounded(v float64) float64 {
	if v == 0 {
		return 0 // without the sign of −0
	}
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return v
	}
	scale := math.Pow(10, 2-math.Floor(math.Log10(math.Abs(v))))
	return math.Round(v*scale) / scale
}

// dense reports whether a network can be drawn with its weights.
func dense(n *nn.Network) bool {
	for _, l := range n.Layers {
		if _, ok := l.(*nn.Dense); !ok {
			return false
		}
	}
	return len(n.Layers) > 0 && n.Build() == nil
}
