package plot3d

import (
	_ "embed" // embeds the script
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"math"
	"strings"

	"github.com/gokernel/gokernel/display/figure"
	"github.com/gokernel/gokernel/display/internal/guide"
)

// turn redraws a scene from other directions, as this package does. The script is in one
// attribute and the scene in another one. A page that removes scripts removes both, and shows the
// image.
//
//go:embed turn.js
var turn string

// pageAxis is an axis in the format of the script: ticks in the box and their labels.
type pageAxis struct {
	Title  string
	Ticks  []float64
	Labels []string
	Widest float64
}

// pageScene is a scene in the format of the script. Unused fields stay empty.
type pageScene struct {
	SVG                string // title, legend and note
	X, Y, Scale, Flat  float64
	Azimuth, Elevation float64
	Axes               []pageAxis
	XS, YS             []float64
	Z                  []*float64 // heights of the corners of cells, row by row; null for holes
	Colors             []string
	Faces              [][3]int // column, row, color
	Dots               [][]any  // x, y, z, radius, color, and shape as a path around (0, 0)
}

// page returns the chart as a page on which it can be rotated.
func (s *scene) page(svg string) string {
	data, err := json.Marshal(s.pageScene())
	if err != nil {
		panic("plot3d: " + err.Error()) // numbers are finite, the other values are strings
	}
	title := strings.TrimSpace(s.c.title + ", turn it by dragging or with the arrow keys")
	if s.c.title == "" {
		title = "a chart in space, turn it by dragging or with the arrow keys"
	}
	return fmt.Sprintf(`<div><img alt="%s" data-scene="%s" onload="%s" src="data:image/svg+xml;base64,%s"></div>`,
		html.EscapeString(title), html.EscapeString(string(data)), html.EscapeString(turn), base64.StdEncoding.EncodeToString([]byte(svg)))
}

func (s *scene) pageScene() pageScene {
	still := s.frame()
	v := s.viewOf(still)
	p := pageScene{SVG: still.SVG(), X: v.x, Y: v.y, Scale: round(v.scale), Flat: flat, Azimuth: s.c.azimuth, Elevation: s.c.elevation}
	for k := range 3 {
		a := pageAxis{Title: s.axisTitle(k), Ticks: []float64{}}
		ticks := s.ticks(k)
		a.Labels, _ = guide.Labels(ticks, s.ranges[k].largest())
		for i, t := range ticks {
			a.Ticks = append(a.Ticks, round(s.ranges[k].unit(t)))
			a.Widest = math.Max(a.Widest, guide.TickFont.Width(a.Labels[i]))
		}
		p.Axes = append(p.Axes, a)
	}
	colors := map[figure.Color]int{}
	number := func(c figure.Color) int {
		n, ok := colors[c]
		if !ok {
			n = len(p.Colors)
			colors[c] = n
			p.Colors = append(p.Colors, figure.Hex(c))
		}
		return n
	}
	for _, x := range s.xs {
		p.XS = append(p.XS, round(x))
	}
	for _, y := range s.ys {
		p.YS = append(p.YS, round(y))
	}
	p.Z = make([]*float64, len(s.xs)*len(s.ys))
	for k := range s.faces {
		g := &s.faces[k]
		p.Faces = append(p.Faces, [3]int{g.i, g.j, number(g.color)})
		for c, at := range [4][2]int{{g.i, g.j}, {g.i + 1, g.j}, {g.i + 1, g.j + 1}, {g.i, g.j + 1}} {
			z := round(g.corner[c][2])
			p.Z[at[1]*len(s.xs)+at[0]] = &z
		}
	}
	for _, d := range s.dots {
		p.Dots = append(p.Dots, []any{round(d.at[0]), round(d.at[1]), round(d.at[2]), round(d.radius), number(d.color), d.shape.Path(d.radius)})
	}
	return p
}

// round keeps four decimals, much less than a pixel.
func round(x float64) float64 { return math.Round(x*1e4) / 1e4 }
