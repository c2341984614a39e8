package chart

import (
	"errors"
	"fmt"
	"math"

	"github.com/gokernel/gokernel/display/figure"
	"github.com/gokernel/gokernel/display/internal/stat"
)

// planeKind is the kind of marks that show contours of the density of two variables.
type planeKind struct{ basic }

var plane kind = &planeKind{basic{traits{
	name: "density of two variables", chart: "density of two variables", part: "densities of two variables",
	options: "Scheme Width Opacity ByClass Adjust Cut Fill",
	series:  true, cycles: true,
}}}

// planeCells is the number of cells per side of the grid on which a density of two variables is
// computed.
const planeCells = 128

// insides are the fractions of the probability mass that the contours of a density enclose.
var insides = []float64{0.95, 0.8, 0.65, 0.5, 0.35, 0.2, 0.05}

// KDE2D draws the density of two variables as contours: KDE2D(x, y), or KDE2D(f, "x",
// "y") for a frame; see [Chart.KDE2D].
func KDE2D(data ...any) *Chart {
	c, data := dataOf(data)
	if len(data) != 2 {
		c.fail(fmt.Errorf("chart.KDE2D: there are %d variables; give x and y", len(data)))
		return c
	}
	return c.KDE2D(data[0], data[1])
}

// KDE2D adds the density of two variables, estimated with Gaussian kernels. The covariance matrix
// of a kernel is h² times the covariance matrix of the rows, with h = n^(-1/6) by Scott's rule. The
// contours enclose the regions of highest density that hold 5, 20 ... 95 % of the mass (R. J.
// Hyndman, 1996); Fill fills them. Each class of By has its own density; after Fill, the contours
// of a class still have outlines.
func (c *Chart) KDE2D(x, y any) *Chart {
	if xs, ys, ok := c.twoVariables("KDE2D", x, y); ok {
		c.x.whole, c.y.whole = false, false
		c.add(mark{kind: plane, x: xs, y: ys, est: estimate{cut: 3}, style: style{scheme: figure.Blues}})
	}
	return c
}

// planeParts draws the contours of densities.
func (m mark) planeParts(c *Chart) ([]mark, error) {
	all, left := m.eachClass()
	var parts, lines []mark
	var notes []string
	shown := 0
	for _, s := range all {
		rows, bad := s.finiteRows(c)
		left.add(bad)
		f, levels, why := m.est.planeOf(rows.x, rows.y, c.x.log, c.y.log)
		if why != "" {
			if len(rows.x) > 0 || m.class != nil && !m.part {
				notes = append(notes, without("density", s.name, why))
			}
			continue
		}
		shown++
		first := len(parts)
		for i, level := range levels {
			part := s.contour(f, level, c.x.log, c.y.log)
			part.alpha = m.alpha
			if m.class == nil {
				part.name = fmt.Sprintf("%g %%", 100*insides[i])
				color := m.scheme.At(0.3 + 0.65*float64(i)/float64(len(levels)-1))
				part.color = &color
				if m.est.fill {
					part.alpha = orElse(m.alpha, 1)
				}
			} else {
				color := s.color
				part.color = &color
				if i == 0 {
					part.name = s.name
				}
				if m.est.fill {
					part.alpha = orElse(m.alpha, 0.12)
					border := s
					border.est.fill = false
					outline := border.contour(f, level, c.x.log, c.y.log)
					edge := figure.Mix(color, figure.Ink(), 0.15)
					outline.color, outline.width = &edge, orElse(m.width, 1)
					lines = append(lines, outline)
				}
			}
			part.width = orElse(m.width, 1.3)
			parts = append(parts, part)
		}
		parts[first].sample = &sample{rows.x, rows.y}
	}
	if shown == 0 && len(notes) > 0 {
		return nil, fmt.Errorf("chart.KDE2D: %s; show the rows with Points", notes[0])
	}
	if m.class == nil && c.legendTitle == "" {
		c.legendTitle = "share inside"
	}
	if m.class != nil && shown > 0 {
		notes = append(notes, "lines enclose 5, 20, 35, 50, 65, 80 and 95 % of each class")
	}
	return said(append(parts, lines...), left, notes), nil
}

// planeOf computes the density of two variables and the levels of its contours.
func (e estimate) planeOf(x, y []float64, logX, logY bool) (f Field, levels []float64, why string) {
	n := len(x)
	if n < 3 {
		return f, nil, fmt.Sprintf("there are %d rows, but at least 3 are needed", n)
	}
	x, y = logs(x, logX), logs(y, logY)
	factor := e.factor(n, 2)
	p := stat.Plane{NX: planeCells, NY: planeCells}
	ends := func(v []float64) (lo, hi float64) {
		lo, hi = bounds(v)
		h := factor * stat.Deviation(v)
		return lo - e.cut*h, hi + e.cut*h
	}
	p.X0, p.X1 = ends(x)
	p.Y0, p.Y1 = ends(y)
	if !(p.X0 < p.X1 && p.Y0 < p.Y1) || !isFinite(p.X1-p.X0) || !isFinite(p.Y1-p.Y0) {
		return f, nil, "a variable has the same value in all rows"
	}
	if err := p.Fill(x, y, factor); err != nil {
		return f, nil, err.Error()
	}
	dx, dy := (p.X1-p.X0)/(planeCells-1)/2, (p.Y1-p.Y0)/(planeCells-1)/2
	f = Field{NX: planeCells, NY: planeCells, X0: p.X0 - dx, X1: p.X1 + dx, Y0: p.Y0 - dy, Y1: p.Y1 + dy, Z: p.Z}
	return f, p.Levels(insides...), ""
}

// contour draws one level: lines, or the filled regions that they enclose.
func (s series) contour(f Field, level float64, logX, logY bool) mark {
	back := func(v []float64, log bool) []float64 {
		if log {
			for i, x := range v {
				v[i] = math.Pow(10, x)
			}
		}
		return v
	}
	if s.est.fill {
		x, y := f.enclosed(level)
		return mark{kind: polygon, x: back(x, logX), y: back(y, logY), own: &polygonData{plain: true}}
	}
	m := mark{kind: line, own: &lineData{computed: true}}
	for _, p := range f.levelLines(level) {
		if len(m.x) > 0 {
			m.x, m.y = append(m.x, math.NaN()), append(m.y, math.NaN())
		}
		m.x, m.y = append(m.x, p.x...), append(m.y, p.y...)
	}
	m.x, m.y = back(m.x, logX), back(m.y, logY)
	return m
}

// enclosed returns one outline of the places above a level: outer rings and holes in opposite
// directions, joined by paths that are traversed in both directions.
func (f Field) enclosed(level float64) (x, y []float64) {
	const border = 2
	g := Field{NX: f.NX + 2*border, NY: f.NY + 2*border}
	dx, dy := (f.X1-f.X0)/float64(f.NX), (f.Y1-f.Y0)/float64(f.NY)
	g.X0, g.X1, g.Y0, g.Y1 = f.X0-border*dx, f.X1+border*dx, f.Y0-border*dy, f.Y1+border*dy
	g.Z = make([]float64, g.NX*g.NY) // a border of zeros closes all rings
	for j := range f.NY {
		copy(g.Z[(j+border)*g.NX+border:], f.Z[j*f.NX:(j+1)*f.NX])
	}
	rings := g.levelLines(level)
	for i, r := range rings {
		depth := 0
		for k, other := range rings {
			if k != i && other.holds(r.x[0], r.y[0]) {
				depth++
			}
		}
		turn := r.area() < 0
		for n := range r.x {
			k := n
			if turn != (depth%2 == 1) {
				k = len(r.x) - 1 - n
			}
			x, y = append(x, r.x[k]), append(y, r.y[k])
		}
		if i > 0 {
			x, y = append(x, x[0]), append(y, y[0])
		}
	}
	return x, y
}

// area returns the signed area of a closed line, negative if it is clockwise.
func (p path) area() float64 {
	sum := 0.0
	for i := range p.x {
		k := (i + 1) % len(p.x)
		sum += p.x[i]*p.y[k] - p.x[k]*p.y[i]
	}
	return sum / 2
}

// holds reports whether a point lies inside a closed line.
func (p path) holds(x, y float64) bool {
	inside := false
	for i := range p.x {
		k := (i + 1) % len(p.x)
		if (p.y[i] > y) != (p.y[k] > y) && x < p.x[i]+(y-p.y[i])/(p.y[k]-p.y[i])*(p.x[k]-p.x[i]) {
			inside = !inside
		}
	}
	return inside
}

func (*planeKind) misfit(m *mark) error {
	if m.schemed && m.class != nil {
		return errors.New("chart.Scheme: By gives each class a color; leave Scheme out")
	}
	return nil
}

func (*planeKind) parts(m mark, c *Chart) ([]mark, error) { return m.computed(c, mark.planeParts) }
