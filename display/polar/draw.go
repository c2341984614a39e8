package polar

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/gokernel/gokernel/display/figure"
	"github.com/gokernel/gokernel/display/internal/guide"
)

// disc is the circle in the figure.
type disc struct {
	x, y, radius float64
	far          float64 // distance at the rim
	root         bool    // whether distances are square roots of amounts
	sectors      int     // number of sectors of a rose, otherwise 0
}

// distance converts a distance from the center to pixels.
func (d disc) distance(r float64) float64 {
	if d.root {
		return d.radius * math.Sqrt(math.Max(0, r)/d.far)
	}
	return d.radius * r / d.far
}

// at returns the pixel at an angle, counterclockwise from the right, and a distance.
func (d disc) at(theta, r float64) figure.Point {
	sin, cos := math.Sincos(theta)
	p := d.distance(math.Abs(r))
	if r < 0 {
		p = -p
	}
	return figure.Point{X: d.x + p*cos, Y: d.y - p*sin}
}

// turn returns the angle of the middle of a sector, clockwise from the top.
func (d disc) turn(sector float64) float64 {
	return math.Pi/2 - 2*math.Pi*sector/float64(d.sectors)
}

// check returns an error if the chart cannot be drawn.
func (c *Chart) check() error {
	if c.err != nil {
		return c.err
	}
	if len(c.marks) == 0 {
		return errors.New("polar: there is nothing to draw: start with Plot, Scatter or Rose")
	}
	for _, m := range c.marks {
		if (m.kind == rose) != (c.sectors != nil) {
			return errors.New("polar: a rose and lines or points measure angles in different ways: draw them in separate charts")
		}
	}
	return nil
}

// Figure draws the chart without rendering it to a format.
func (c *Chart) Figure() (*figure.Figure, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	side := c.size
	if side <= 0 {
		side = 400
	}
	legend := c.legend()
	w, top := side+legend.Width(), 0.0
	if c.title != "" {
		top = 26
		w = math.Max(w, math.Min(2*side, guide.TitleFont.Width(c.title)+24))
		top += guide.TitleMore(c.title, w)
	}
	c.left = c.missing()
	bottom := 0.0
	if c.left > 0 {
		bottom = 12
	}
	f := figure.New(math.Ceil(w), side+top+bottom)
	guide.Title(f, c.title, w)
	d := c.paint(f, top, side)
	if c.radial != "" {
		f.Label(d.x+d.radius, d.y+d.radius+c.margin()-12, c.radial, guide.Text(guide.AxisFont, figure.Ink(), figure.End))
	}
	legend.Draw(f, side+6, top+20, side-60)
	if c.left > 0 {
		guide.Note(f, c.note())
	}
	f.Text = c.text(d, legend)
	guide.Describe(f, c.title, "Polar chart")
	return f, nil
}

// paint draws the circle with its marks into a square below top.
func (c *Chart) paint(f *figure.Figure, top, side float64) disc {
	d := disc{x: side / 2, y: top + side/2, radius: side/2 - c.margin(), sectors: len(c.sectors), root: c.sectors != nil}
	ticks := c.scale(&d)
	c.grid(f, d, ticks)
	order := 0
	for i := range c.marks {
		order += c.draw(f, d, &c.marks[i], order)
	}
	c.radialLabels(f, d, ticks)
	if c.rows() == c.left {
		f.Label(d.x, d.y, "there are no values to draw", guide.Text(guide.AxisFont, figure.Soft(), figure.Middle))
	}
	return d
}

func (c *Chart) note() string {
	return guide.Plural(c.left, "row with a missing value is left out", "rows with missing values are left out")
}

// margin returns the space for the labels around the circle.
func (c *Chart) margin() float64 {
	m := 42.0
	for _, s := range c.sectors {
		m = math.Max(m, math.Min(70, guide.TickFont.Width(s)+14))
	}
	return m
}

// missing counts the rows that cannot be drawn.
func (c *Chart) missing() int {
	n := 0
	for i := range c.marks {
		m := &c.marks[i]
		if m.kind == rose {
			_, left := m.petals(len(c.sectors))
			n += left
			continue
		}
		for k := range m.theta {
			if !m.known(k) {
				n++
			}
		}
	}
	return n
}

// rows counts all rows.
func (c *Chart) rows() int {
	n := 0
	for _, m := range c.marks {
		n += len(m.r)
	}
	return n
}

// known reports whether row k can be drawn.
func (m *mark) known(k int) bool {
	return !math.IsNaN(m.theta[k]+m.r[k]) && !math.IsInf(m.theta[k]+m.r[k], 0) &&
		(m.class == nil || m.class[k] >= 0) && (m.value == nil || !math.IsNaN(m.value[k]))
}

// span returns the ends of the continuous scale of points.
func (m *mark) span() (lo, hi float64) {
	if m.ends != nil {
		return m.ends[0], m.ends[1]
	}
	return guide.Span(m.value)
}

// farthest returns the largest distance or, for a rose, the largest amount of a sector.
func (c *Chart) farthest() float64 {
	far := 0.0
	for i := range c.marks {
		m := &c.marks[i]
		if m.kind == rose {
			petals, _ := m.petals(len(c.sectors))
			for s := range c.sectors {
				sum := 0.0
				for _, p := range petals {
					sum += p[s]
				}
				far = math.Max(far, sum)
			}
			continue
		}
		for k := range m.r {
			if m.known(k) {
				far = math.Max(far, math.Abs(m.r[k]))
			}
		}
	}
	return far
}

// scale chooses the distance at the rim and the circles of the grid.
func (c *Chart) scale(d *disc) []float64 {
	d.far = c.far
	if c.far == 0 {
		d.far = c.farthest()
	}
	if d.far == 0 {
		d.far = 1
	}
	if !d.root {
		d.far *= 1.04
	}
	var ticks []float64
	for _, t := range guide.Ticks(0, d.far, 4) {
		if t > 0 {
			ticks = append(ticks, t)
		}
	}
	if n := len(ticks); n > 0 && d.root && ticks[n-1] < 0.9*d.far {
		d.far *= 1.02
	}
	return ticks
}

// circle draws a circle around the center.
func (d disc) circle(f *figure.Figure, r float64, s figure.Style) {
	k := 0.5522847498 * r // the best approximation of a quarter circle by a Bézier curve
	p := func(x, y float64) figure.Point { return figure.Point{X: d.x + x, Y: d.y + y} }
	f.Curve(p(r, 0), p(r, k), p(k, r), p(0, r), s)
	f.Curve(p(0, r), p(-k, r), p(-r, k), p(-r, 0), s)
	f.Curve(p(-r, 0), p(-r, -k), p(-k, -r), p(0, -r), s)
	f.Curve(p(0, -r), p(k, -r), p(r, -k), p(r, 0), s)
}

// grid draws circles and spokes, and the angles around them.
func (c *Chart) grid(f *figure.Figure, d disc, ticks []float64) {
	faint := figure.Style{Stroke: figure.Faint(), Width: 0.8}
	for _, t := range ticks {
		d.circle(f, d.distance(t), faint)
	}
	n, label := 12, func(i int) string { return fmt.Sprintf("%d°", 30*i) }
	angle := func(i int) float64 { return float64(i) * math.Pi / 6 }
	if d.sectors > 0 {
		n, label = d.sectors, func(i int) string { return c.sectors[i] }
		angle = func(i int) float64 { return d.turn(float64(i)) }
	}
	every := max(1, int(math.Ceil(float64(n)*15/(2*math.Pi*d.radius))))
	for i := range n {
		sin, cos := math.Sincos(angle(i))
		if d.sectors == 0 {
			f.Line(d.x, d.y, d.x+d.radius*cos, d.y-d.radius*sin, faint)
		}
		if i%every != 0 {
			continue
		}
		style := guide.Text(guide.TickFont, figure.Soft(), figure.Middle)
		if cos > 0.2 {
			style.Anchor = figure.Start
		} else if cos < -0.2 {
			style.Anchor = figure.End
		}
		f.Label(d.x+(d.radius+8)*cos, d.y-(d.radius+10)*sin+4.6, guide.TickFont.Fit(label(i), 70), style)
	}
	d.circle(f, d.radius, figure.Style{Stroke: figure.Frame(), Width: 0.8})
}

// radialLabels writes the distances along a spoke, on the background color.
func (c *Chart) radialLabels(f *figure.Figure, d disc, ticks []float64) {
	labels, unit := guide.Labels(ticks, d.far)
	angle := math.Pi * 3 / 8
	if d.sectors > 0 {
		angle = d.turn(0.5)
	}
	sin, cos := math.Sincos(angle)
	for i, t := range ticks {
		p := d.distance(t)
		text := labels[i]
		if i == len(ticks)-1 {
			text = strings.TrimSpace(text + " " + unit)
		}
		x, y := d.x+p*cos, d.y-p*sin
		w := guide.TickFont.Width(text)
		f.Rect(x-w/2-2, y-7, w+4, 14, 3, figure.Style{Fill: figure.Opacity(figure.Paper(), 0.8)})
		f.Label(x, y+4.6, text, guide.Text(guide.TickFont, figure.Ink(), figure.Middle))
	}
}

// draw draws a mark; the index of its first color is order. It returns the number of colors that it
// used.
func (c *Chart) draw(f *figure.Figure, d disc, m *mark, order int) int {
	switch m.kind {
	case rose:
		c.drawRose(f, d, m)
	case line:
		if m.class == nil {
			d.line(f, m, -1, figure.Class(order))
			return 1
		}
		for k := range m.names {
			d.line(f, m, k, figure.Class(k))
		}
	case points:
		d.points(f, m, order)
	}
	if m.class != nil {
		return len(m.names)
	}
	return 1
}

// line draws the rows of a class, or all rows if class is -1.
func (d disc) line(f *figure.Figure, m *mark, class int, color figure.Color) {
	var pts []figure.Point
	for k := range m.theta {
		if m.class != nil && m.class[k] != class {
			continue
		}
		if !m.known(k) {
			if !m.filled {
				pts = append(pts, figure.Point{X: math.NaN()})
			}
			continue
		}
		pts = append(pts, d.at(m.theta[k], m.r[k]))
	}
	s := figure.Style{Stroke: color, Width: 1.8}
	if m.filled {
		s.Fill = figure.Opacity(color, 0.18)
		f.Polygon(pts, s)
		return
	}
	f.Polyline(pts, s)
}

func (d disc) points(f *figure.Figure, m *mark, order int) {
	lo, hi := m.span()
	radius := math.Max(1.4, math.Min(3.6, 8-2*math.Log10(float64(max(1, len(m.theta))))))
	for k := range m.theta {
		if !m.known(k) {
			continue
		}
		color, shape := figure.Class(order), figure.Circle
		switch {
		case m.class != nil:
			color, shape = figure.Class(m.class[k]), figure.Shape(m.class[k]%figure.Shapes)
		case m.value != nil:
			color = figure.Viridis.At(guide.Share(m.value[k], lo, hi))
		}
		q := d.at(m.theta[k], m.r[k])
		f.Marker(q.X, q.Y, radius, shape, figure.Style{Fill: figure.Opacity(color, 0.85), Stroke: figure.Paper(), Width: 0.6})
	}
}

// drawRose draws the sectors, with the part of each class on top of the previous classes.
func (c *Chart) drawRose(f *figure.Figure, d disc, m *mark) {
	petals, _ := m.petals(d.sectors)
	base := make([]float64, d.sectors)
	for k, p := range petals {
		for s, amount := range p {
			if amount > 0 {
				f.Polygon(d.petal(s, base[s], base[s]+amount), figure.Style{Fill: figure.Opacity(figure.Class(k), 0.88), Stroke: figure.Paper(), Width: 1})
				base[s] += amount
			}
		}
	}
}

// petal returns the outline of a sector between two amounts.
func (d disc) petal(sector int, from, to float64) []figure.Point {
	half := 0.47
	n := max(4, 96/d.sectors)
	var out []figure.Point
	for i := 0; i <= n; i++ {
		out = append(out, d.at(d.turn(float64(sector)-half+2*half*float64(i)/float64(n)), to))
	}
	if from == 0 {
		return append(out, figure.Point{X: d.x, Y: d.y})
	}
	for i := n; i >= 0; i-- {
		out = append(out, d.at(d.turn(float64(sector)-half+2*half*float64(i)/float64(n)), from))
	}
	return out
}

func (c *Chart) legend() guide.Legend {
	l := guide.Legend{Title: c.by}
	order := 0
	for i := range c.marks {
		m := &c.marks[i]
		look := map[kind]guide.Look{line: guide.Stroke, points: guide.Dot, rose: guide.Patch}[m.kind]
		switch {
		case m.value != nil:
			if lo, hi := m.span(); lo <= hi {
				l.Bar = &guide.Bar{Scheme: figure.Viridis, Lo: lo, Hi: hi, Whole: guide.Whole(m.value)}
			}
		case m.class != nil:
			for k, name := range m.names {
				l.Entries = append(l.Entries, guide.Entry{Name: name, Color: figure.Class(k), Look: look, Shape: figure.Shape(k % figure.Shapes)})
			}
		case m.name != "":
			l.Entries = append(l.Entries, guide.Entry{Name: m.name, Color: figure.Class(order), Look: look})
		}
		order += max(1, len(m.names))
	}
	return l
}

// text describes the chart, and lists the sectors of a rose.
func (c *Chart) text(d disc, legend guide.Legend) string {
	var b strings.Builder
	if c.title != "" {
		b.WriteString(c.title + "\n")
	}
	if c.rows() == c.left {
		b.WriteString("there are no values to draw\n")
	}
	for i := range c.marks {
		m := &c.marks[i]
		if len(m.r) == 0 {
			continue
		}
		if m.kind != rose {
			lo, hi := guide.Span(m.r)
			fmt.Fprintf(&b, "polar %s: %s, distances from %s to %s\n", m.kind, guide.Plural(len(m.r), "value", "values"), guide.Short(lo), guide.Short(hi))
			continue
		}
		petals, _ := m.petals(d.sectors)
		for s, name := range c.sectors {
			sum := 0.0
			for _, p := range petals {
				sum += p[s]
			}
			fmt.Fprintf(&b, "%s %s %s\n", name, strings.Repeat("█", int(math.Round(40*sum/d.far))), guide.Short(sum))
		}
		if c.radial != "" {
			b.WriteString(c.radial + "\n")
		}
	}
	if s := legend.Text(); s != "" {
		b.WriteString(s + "\n")
	}
	if c.left > 0 {
		b.WriteString(c.note() + "\n")
	}
	return strings.TrimRight(b.String(), "\n")
}
