package course

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/display/chart"
	"github.com/gokernel/gokernel/mlstd/latent"
	"github.com/gokernel/gokernel/mlstd/semi"
)

// Ribbon draws the probabilities of the hidden states over time as stacked areas. It takes the
// result of HMM.Smooth, HMM.Filter or HMM.Viterbi. A path is drawn as a line of dots above the
// areas. Use Ribbon for long sequences and Trellis for short ones.
func Ribbon(d *latent.Decoding) *chart.Chart {
	if d == nil || len(d.Proba) == 0 || len(d.States) == 0 {
		return failed("Ribbon", "there are no probabilities: pass the result of Smooth")
	}
	n := len(d.Proba)
	x, low := make([]float64, n), make([]float64, n)
	for t := range x {
		x[t] = float64(t + 1)
		if len(d.Proba[t]) != len(d.States) {
			return failed("Ribbon", "there are %d probabilities at time %d for %d states", len(d.Proba[t]), t+1, len(d.States))
		}
	}
	c := chart.New()
	for s, name := range d.States {
		high := make([]float64, n)
		for t := range high {
			high[t] = low[t] + d.Proba[t][s]
		}
		c.Area(x, low, high).ClassColor(s).Opacity(0.75).Name(name)
		low = high
	}
	top := 1.0
	for s := range d.States {
		var px, py []float64
		for t, v := range d.Path {
			if v == s {
				px, py = append(px, float64(t+1)), append(py, 1.06)
			}
		}
		if len(px) > 0 {
			c.Points(px, py).ClassColor(s).Name("")
			top = 1.1
		}
	}
	title := "Hidden states"
	if top > 1 {
		title = "Hidden states, and the most probable path"
	}
	return c.Title(title).X("time").Y("probability").XRange(1, float64(max(n, 2))).YRange(0, top)
}

// SpreadingSteps shows how labels spread over a graph, whose nodes are the rows of x in the plane.
// It returns a chart for each round of ml.PropagationSteps; the first chart shows the given labels.
// A node has the color of its most probable class; the color is more intense if the class is more
// certain. For each row, labels has the class, counted from 0, or ml.Unlabeled.
func SpreadingSteps(x mat.Matrix, g *semi.SimilarityGraph, labels []int, rounds int) []*chart.Chart {
	if err := spreadable(x, g, labels, rounds); err != nil {
		return []*chart.Chart{chart.Fail(err)}
	}
	n, _ := x.Dims()
	px, py := mat.Col(nil, 0, x), mat.Col(nil, 1, x)
	x0, x1 := padded(px)
	y0, y1 := padded(py)
	var frames []*chart.Chart
	for r, f := range semi.PropagationSteps(g, labels, rounds) {
		c := chart.New()
		_, k := f.Dims()
		addSpread(c, px, py, f)
		for class := range k {
			var kx, ky []float64
			for i, l := range labels {
				if l == class {
					kx, ky = append(kx, px[i]), append(ky, py[i])
				}
			}
			if len(kx) > 0 {
				c.Points(kx, ky).Color("black").Radius(6).Name("")
				c.Points(kx, ky).ClassColor(class).Radius(4.5).Name(fmt.Sprintf("label %d", class))
			}
		}
		reached := 0
		for i := range n {
			if best, _ := surest(f, i); best >= 0 {
				reached++
			}
		}
		frames = append(frames, c.NoLegend().Titlef("round %d: %d of %d rows are reached", r, reached, n).XRange(x0, x1).YRange(y0, y1).X("").Y(""))
	}
	return frames
}

func spreadable(x mat.Matrix, g *semi.SimilarityGraph, labels []int, rounds int) error {
	if x == nil || g == nil {
		return fmt.Errorf("SpreadingSteps: pass rows and their graph, such as one from ml.NeighborGraph")
	}
	n, cols := x.Dims()
	most := -1
	for _, l := range labels {
		most = max(most, l)
		if l < semi.Unlabeled {
			return fmt.Errorf("SpreadingSteps: the labels must be classes from 0, or ml.Unlabeled for rows without a class, got %d", l)
		}
	}
	switch {
	case cols != 2:
		return fmt.Errorf("SpreadingSteps: x must have two columns for a drawing of the steps, got %d", cols)
	case g.Len() != n || len(labels) != n:
		return fmt.Errorf("SpreadingSteps: x has %d rows, the graph %d, and there are %d labels", n, g.Len(), len(labels))
	case most < 0:
		return fmt.Errorf("SpreadingSteps: no row has a label")
	case rounds < 0 || rounds >= mostFrames:
		return fmt.Errorf("SpreadingSteps: there must be at most %[2]d rounds, got %[1]d", rounds, mostFrames-1)
	}
	return nil
}

// addSpread adds the nodes of each class in shades of its color, and in gray the nodes that no
// label has reached.
func addSpread(c *chart.Chart, x, y []float64, f *mat.Dense) {
	const shades = 4
	n, k := f.Dims()
	type group struct{ x, y []float64 }
	groups := make([]group, (k+1)*shades)
	for i := range n {
		best, sure := surest(f, i)
		at := k * shades
		if best >= 0 {
			at = best*shades + min(shades-1, int(sure*shades))
		}
		groups[at].x, groups[at].y = append(groups[at].x, x[i]), append(groups[at].y, y[i])
	}
	for at, g := range groups {
		if len(g.x) == 0 {
			continue
		}
		c.Points(g.x, g.y).Radius(3.5).Name("")
		if class := at / shades; class < k {
			c.ClassColor(class).Opacity(0.3 + 0.7*float64(at%shades)/(shades-1))
		} else {
			c.Color("gray").Opacity(0.35)
		}
	}
}

// surest returns the most probable class of a node and its certainty, from 0 for chance to 1. It
// returns -1 if all classes are equally probable.
func surest(f *mat.Dense, i int) (best int, sure float64) {
	_, k := f.Dims()
	row := f.RawRowView(i)
	for c, v := range row {
		if v > row[best] {
			best = c
		}
	}
	if k > 1 {
		sure = (row[best] - 1/float64(k)) / (1 - 1/float64(k))
	} else {
		sure = row[0]
	}
	if sure < 1e-6 {
		return -1, 0
	}
	return best, sure
}
