package course

import (
	"fmt"
	"math"
	"strings"

	"github.com/gokernel/gokernel/display/figure"
)

// arrows maps the characters of a policy to directions.
var arrows = map[rune][2]float64{
	'→': {1, 0}, '>': {1, 0}, 'R': {1, 0}, '←': {-1, 0}, '<': {-1, 0}, 'L': {-1, 0},
	'↑': {0, -1}, '^': {0, -1}, 'U': {0, -1}, '↓': {0, 1}, 'v': {0, 1}, 'D': {0, 1},
}

// Gridworld draws a grid, given as rows of values, and on it a policy. A policy has a string per
// row with a character per cell: an arrow (← ↑ → ↓, or < ^ > v, or L U R D), # for a wall, a space
// or a dot for an empty cell. Any other character, such as G for a goal, is shown as it is. Without
// a policy, only the values are drawn. NaN values are not drawn.
//
//	Gridworld(v, "→→→G", "↑#↑G", "↑→↑←")
func Gridworld(values [][]float64, policy ...string) *Drawing {
	return &Drawing{draw: func() (*figure.Figure, error) { return gridworld(values, policy) }}
}

func gridworld(values [][]float64, policy []string) (*figure.Figure, error) {
	signs, lo, hi, err := checkGrid(values, policy)
	if err != nil {
		return nil, err
	}
	h, w := len(values), len(values[0])
	// Values with both signs have the colors of gains and losses.
	scheme, at := figure.Blues, func(v float64) float64 { return 0.75 * (v - lo) / math.Max(hi-lo, 1e-300) }
	if lo < 0 && hi > 0 {
		most := math.Max(-lo, hi)
		scheme, at = figure.RedBlue, func(v float64) float64 { return 0.5 + 0.42*v/most }
	}
	side := 64.0
	if w > 10 || h > 10 {
		side = math.Max(26, 640/float64(max(w, h)))
	}
	const margin = 12
	f := figure.New(2*margin+side*float64(w), 2*margin+side*float64(h))
	var text strings.Builder
	for i, row := range values {
		for j, v := range row {
			x, y := margin+side*float64(j), margin+side*float64(i)
			sign := ' '
			if len(policy) != 0 {
				sign = signs[i][j]
			}
			fill := figure.Paper()
			switch {
			case sign == '#':
				fill = figure.Soft()
			case !math.IsNaN(v) && !math.IsInf(v, 0):
				fill = scheme.At(at(v))
			}
			f.Rect(x, y, side, side, 0, figure.Style{Fill: fill, Stroke: figure.Frame(), Width: 1})
			if j > 0 {
				text.WriteString("  ")
			}
			if sign == '#' {
				fmt.Fprintf(&text, "%9s", "#")
				continue
			}
			ink := figure.On(fill)
			number := ""
			if !math.IsNaN(v) {
				number = signed(v)
			}
			fmt.Fprintf(&text, "%7s %c", number, sign)
			low := y + side/2 + 4
			d, arrow := arrows[sign]
			if sign != ' ' && sign != '.' {
				low = y + side - 8
				cx, cy := x+side/2, y+0.4*side
				if arrow {
					f.Polygon(arrowAt(cx, cy, d, 0.24*side), figure.Style{Fill: ink})
				} else {
					f.Label(cx, cy+6, string(sign), figure.TextStyle{Font: figure.Font{Size: math.Min(18, 0.34*side), Bold: true}, Color: ink, Anchor: figure.Middle})
				}
			}
			if font := (figure.Font{Size: math.Min(11, 0.26*side)}); number != "" && side >= 34 {
				f.Label(x+side/2, low, font.Fit(number, side-4), figure.TextStyle{Font: font, Color: ink, Anchor: figure.Middle})
			}
		}
		text.WriteByte('\n')
	}
	f.Text = strings.TrimSuffix(text.String(), "\n")
	return f, nil
}

// checkGrid checks the sizes, and returns the characters of the policy and the minimum and
// maximum value.
func checkGrid(values [][]float64, policy []string) (signs [][]rune, lo, hi float64, err error) {
	h := len(values)
	if h == 0 || len(values[0]) == 0 {
		return nil, 0, 0, fmt.Errorf("Gridworld: there are no values: pass a row of numbers for each row of the grid")
	}
	w := len(values[0])
	if h > 60 || w > 60 {
		return nil, 0, 0, fmt.Errorf("Gridworld: the grid is %d×%d; at most 60×60 can be read", h, w)
	}
	if len(policy) != 0 && len(policy) != h {
		return nil, 0, 0, fmt.Errorf("Gridworld: the policy has %d rows, the grid has %d", len(policy), h)
	}
	lo, hi = math.Inf(1), math.Inf(-1)
	signs = make([][]rune, h)
	for i, row := range values {
		if len(row) != w {
			return nil, 0, 0, fmt.Errorf("Gridworld: row %d has %d values, row 0 has %d", i, len(row), w)
		}
		for _, v := range row {
			if !math.IsNaN(v) && !math.IsInf(v, 0) {
				lo, hi = math.Min(lo, v), math.Max(hi, v)
			}
		}
		if len(policy) != 0 {
			if signs[i] = []rune(policy[i]); len(signs[i]) != w {
				return nil, 0, 0, fmt.Errorf("Gridworld: row %d of the policy has %d characters for %d cells", i, len(signs[i]), w)
			}
		}
	}
	return signs, lo, hi, nil
}

// arrowAt returns the outline of an arrow around a point.
func arrowAt(x, y float64, d [2]float64, r float64) []figure.Point {
	shape := [][2]float64{{-r, -0.14 * r}, {0.15 * r, -0.14 * r}, {0.15 * r, -0.55 * r}, {r, 0}, {0.15 * r, 0.55 * r}, {0.15 * r, 0.14 * r}, {-r, 0.14 * r}}
	out := make([]figure.Point, len(shape))
	for i, p := range shape {
		out[i] = figure.Point{X: x + p[0]*d[0] - p[1]*d[1], Y: y + p[0]*d[1] + p[1]*d[0]}
	}
	return out
}
