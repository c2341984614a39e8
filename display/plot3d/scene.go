package plot3d

import (
	"errors"
	"fmt"
	"math"
	"sort"

	"github.com/gokernel/gokernel/display/figure"
	"github.com/gokernel/gokernel/display/internal/guide"
)

// vec is a position in the box of a chart, whose sides range from -1/2 to 1/2, or a direction.
type vec [3]float64

func (a vec) dot(b vec) float64 { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] }

func (a vec) minus(b vec) vec { return vec{a[0] - b[0], a[1] - b[1], a[2] - b[2]} }

// flat scales the z axis, which is shorter than the others.
const flat = 0.8

// camera projects the box in parallel.
type camera struct {
	right, up, eye vec // directions; eye points from the box to the eye
}

func newCamera(azimuth, elevation float64) camera {
	sa, ca := math.Sincos(azimuth * math.Pi / 180)
	se, ce := math.Sincos(elevation * math.Pi / 180)
	return camera{right: vec{-sa, ca, 0}, up: vec{-se * ca, -se * sa, ce}, eye: vec{ce * ca, ce * sa, se}}
}

// at projects a position: x to the right, y downwards.
func (c camera) at(v vec) figure.Point {
	v[2] *= flat
	return figure.Point{X: v.dot(c.right), Y: -v.dot(c.up)}
}

// sight returns the direction to the eye in the box, in which z is not flattened.
func (c camera) sight() vec { return vec{c.eye[0], c.eye[1], c.eye[2] / flat} }

// range3 is the range of an axis.
type range3 struct{ lo, hi float64 }

// unit returns the position of a value in the box.
func (r range3) unit(v float64) float64 { return (v-r.lo)/(r.hi-r.lo) - 0.5 }

// largest returns the largest absolute value.
func (r range3) largest() float64 { return math.Max(math.Abs(r.lo), math.Abs(r.hi)) }

// dot is a point of a scene.
type dot struct {
	at     vec
	color  figure.Color
	shape  figure.Shape
	radius float64
}

// face is a cell of the surface.
type face struct {
	corner [4]vec // in the order of the outline
	color  figure.Color
	i, j   int
}

// scene is a chart with its values in the box.
type scene struct {
	c      *Chart
	camera camera
	ranges [3]range3
	xs, ys []float64 // grid lines in the box
	faces  []face
	dots   []dot
	legend guide.Legend
	left   int // number of points and cells that are omitted
	note   string
}

// scene converts the chart.
func (c *Chart) scene() (*scene, error) {
	if c.err != nil {
		return nil, c.err
	}
	if c.surface == nil && len(c.sets) == 0 {
		return nil, errors.New("plot3d: there is nothing to draw: add points or start with a surface")
	}
	s := &scene{c: c, camera: newCamera(c.azimuth, c.elevation)}
	n := 0
	for _, set := range c.sets {
		n += len(set.p[0])
	}
	if n > mostPoints {
		return nil, fmt.Errorf("plot3d: %d points cannot be drawn: pass at most %d, such as every %dth", n, mostPoints, (n+mostPoints-1)/mostPoints)
	}
	if err := s.measure(); err != nil {
		return nil, err
	}
	for k := range c.sets {
		s.addPoints(&c.sets[k], n)
	}
	if c.surface != nil {
		s.addSurface(c.surface)
	}
	s.note = notFinite(s.left)
	return s, nil
}

// notFinite returns the note about omitted values.
func notFinite(n int) string {
	if n == 0 {
		return ""
	}
	return guide.Plural(n, "value that is not finite is left out", "values that are not finite are left out")
}

// measure chooses the ranges of the axes.
func (s *scene) measure() error {
	if s.c.ranges != nil {
		s.ranges = *s.c.ranges
		return nil
	}
	for k := range s.ranges {
		lo, hi := math.Inf(1), math.Inf(-1)
		cover := func(v []float64) {
			a, b := guide.Span(v)
			lo, hi = math.Min(lo, a), math.Max(hi, b)
		}
		for i := range s.c.sets {
			cover(s.c.sets[i].p[k])
		}
		exact := false
		if f := s.c.surface; f != nil {
			switch k {
			case 0:
				cover(f.x)
			case 1:
				cover(f.y)
			default:
				for _, row := range f.z {
					cover(row)
				}
			}
			exact = k < 2
		}
		if lo > hi {
			lo, hi = 0, 1
		}
		if math.Max(math.Abs(lo), math.Abs(hi)) > 1e290 {
			return fmt.Errorf("plot3d: the values on the %s axis, from %g to %g, are too far apart to draw", "xyz"[k:k+1], lo, hi)
		}
		if hi-lo <= 1e-9*math.Max(math.Abs(lo), math.Abs(hi)) {
			half := math.Max(math.Abs(lo)/10, 1e-3)
			if lo == 0 {
				half = 1
			}
			lo, hi = lo-half, hi+half
		} else if !exact {
			pad := 0.04 * (hi - lo)
			lo, hi = lo-pad, hi+pad
		}
		s.ranges[k] = range3{lo, hi}
	}
	return nil
}

// usualRadius returns the default radius for n points.
func usualRadius(n int) float64 {
	return math.Max(1.4, math.Min(4, 9-2*math.Log10(float64(max(n, 1)))))
}

// span returns the range of the color scale.
func (p *set) span() (lo, hi float64) {
	if p.ends != nil {
		return p.ends[0], p.ends[1]
	}
	return guide.Span(p.by.V)
}

// addPoints puts points into the box.
func (s *scene) addPoints(p *set, all int) {
	radius := p.radius
	if radius <= 0 {
		radius = usualRadius(all)
	}
	lo, hi := p.span()
	order := len(s.legend.Entries)
	for k, name := range p.names {
		s.legend.Entries = append(s.legend.Entries, guide.Entry{Name: name, Color: figure.Class(k), Shape: figure.Shape(k % figure.Shapes)})
	}
	if p.by.V != nil && s.legend.Title == "" {
		s.legend.Title = p.by.Name
	}
	if p.by.V != nil && p.names == nil && lo <= hi {
		s.legend.Bar = &guide.Bar{Scheme: figure.Viridis, Lo: lo, Hi: hi, Whole: guide.Whole(p.by.V)}
	}
	for i := range p.p[0] {
		x, y, z := p.p[0][i], p.p[1][i], p.p[2][i]
		d := dot{radius: radius, color: figure.Class(order)}
		if s.c.surface != nil {
			d.color = figure.Accent() // no height has this color
		}
		switch {
		case p.names != nil && p.class[i] < 0, p.by.V != nil && p.names == nil && !finite(p.by.V[i]):
			s.left++
			continue
		case p.names != nil:
			d.color, d.shape = figure.Class(p.class[i]), figure.Shape(p.class[i]%figure.Shapes)
		case p.by.V != nil:
			d.color = figure.Viridis.At(guide.Share(p.by.V[i], lo, hi))
		}
		if !finite(x, y, z) {
			s.left++
			continue
		}
		d.at = vec{s.ranges[0].unit(x), s.ranges[1].unit(y), s.ranges[2].unit(z)}
		s.dots = append(s.dots, d)
	}
}

// addSurface puts the cells of a surface into the box. Cells with a corner that is not finite are
// holes.
func (s *scene) addSurface(f *surface) {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, row := range f.z {
		a, b := guide.Span(row)
		lo, hi = math.Min(lo, a), math.Max(hi, b)
		for _, z := range row {
			if !finite(z) {
				s.left++
			}
		}
	}
	for _, x := range f.x {
		s.xs = append(s.xs, s.ranges[0].unit(x))
	}
	for _, y := range f.y {
		s.ys = append(s.ys, s.ranges[1].unit(y))
	}
	if lo > hi {
		return
	}
	s.legend.Bar = &guide.Bar{Scheme: figure.Viridis, Lo: lo, Hi: hi}
	for j := 0; j+1 < len(f.y); j++ {
		for i := 0; i+1 < len(f.x); i++ {
			z := [4]float64{f.z[j][i], f.z[j][i+1], f.z[j+1][i+1], f.z[j+1][i]}
			if !finite(z[:]...) {
				continue
			}
			g := face{i: i, j: j, color: shade(guide.Share((z[0]+z[1]+z[2]+z[3])/4, lo, hi))}
			for k, at := range [4][2]int{{i, j}, {i + 1, j}, {i + 1, j + 1}, {i, j + 1}} {
				g.corner[k] = vec{s.xs[at[0]], s.ys[at[1]], s.ranges[2].unit(z[k])}
			}
			s.faces = append(s.faces, g)
		}
	}
}

// shade returns one of the colors of a surface. They are few, to keep the file small.
func shade(t float64) figure.Color {
	const steps = 48
	return figure.Viridis.At(math.Round(steps*t) / steps)
}

// item is a face or a dot in the painting order.
type item struct {
	face *face
	dot  *dot
}

// painted returns the items from back to front, in the order that the package documentation
// explains.
func (s *scene) painted() []item {
	eye := s.camera.sight()
	column := func(lines []float64, v float64) int {
		return sort.Search(len(lines), func(k int) bool { return lines[k] > v }) - 1
	}
	type key struct{ i, j int }
	cells := map[key]*face{}
	rank := func(i, j int) (int, int) {
		if eye[0] < 0 {
			i = -i
		}
		if eye[1] < 0 {
			j = -j
		}
		return i, j
	}
	type entry struct {
		item
		a, b  int     // position of the column, from the back
		step  int     // 0 for hidden by its cell, 1 for the cell, 2 for in front of it
		depth float64 // towards the eye
	}
	var all []entry
	for k := range s.faces {
		g := &s.faces[k]
		cells[key{g.i, g.j}] = g
		a, b := rank(g.i, g.j)
		all = append(all, entry{item{face: g}, a, b, 1, 0})
	}
	for k := range s.dots {
		d := &s.dots[k]
		i, j := column(s.xs, d.at[0]), column(s.ys, d.at[1])
		if len(s.xs) > 0 { // the far end of the grid belongs to its last cell
			if d.at[0] == s.xs[len(s.xs)-1] {
				i--
			}
			if d.at[1] == s.ys[len(s.ys)-1] {
				j--
			}
		}
		a, b := rank(i, j)
		step := 2
		if g := cells[key{i, j}]; g != nil && g.meets(d.at, eye) {
			step = 0
		}
		if len(s.faces) > 0 && !s.hidden(d.at) {
			a, b = front, front // a visible marker is visible as a whole
		}
		all = append(all, entry{item{dot: d}, a, b, step, d.at.dot(eye)})
	}
	sort.SliceStable(all, func(m, n int) bool {
		p, q := &all[m], &all[n]
		switch {
		case p.a != q.a:
			return p.a < q.a
		case p.b != q.b:
			return p.b < q.b
		case p.step != q.step:
			return p.step < q.step
		}
		return p.depth < q.depth
	})
	out := make([]item, len(all))
	for k := range all {
		out[k] = all[k].item
	}
	return out
}

// front is after all columns in the painting order.
const front = 1 << 30

// hidden reports whether a cell of the surface is between a position and the eye.
func (s *scene) hidden(p vec) bool {
	eye := s.camera.sight()
	for k := range s.faces {
		if s.faces[k].meets(p, eye) {
			return true
		}
	}
	return false
}

// meets reports whether the ray from a position in a direction meets one of the two triangles of
// a face (T. Möller and B. Trumbore, 1997).
func (g *face) meets(from, along vec) bool {
	return meetsTriangle(from, along, g.corner[0], g.corner[1], g.corner[2]) || meetsTriangle(from, along, g.corner[0], g.corner[2], g.corner[3])
}

func cross(a, b vec) vec {
	return vec{a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]}
}

func meetsTriangle(from, along, a, b, c vec) bool {
	const tiny = 1e-9
	e1, e2 := b.minus(a), c.minus(a)
	p := cross(along, e2)
	det := e1.dot(p)
	if math.Abs(det) < 1e-14 {
		return false
	}
	t := from.minus(a)
	u := t.dot(p) / det
	q := cross(t, e1)
	v := along.dot(q) / det
	return u >= -tiny && v >= -tiny && u+v <= 1+tiny && e2.dot(q)/det > tiny
}
