package figure

// Place draws the whole figure on another figure, with its upper left corner at (x, y). Parts
// outside the other figure's edges are drawn too.
func (f *Figure) Place(other *Figure, x, y float64) {
	for _, o := range other.ops {
		f.ops = append(f.ops, o.moved(x, y))
	}
}

func movedPoints(points []Point, dx, dy float64) []Point {
	out := make([]Point, len(points))
	for i, p := range points {
		out[i] = Point{p.X + dx, p.Y + dy}
	}
	return out
}

func (r rectangle) moved(dx, dy float64) op {
	r.x, r.y = r.x+dx, r.y+dy
	return r
}

func (m marker) moved(dx, dy float64) op {
	m.x, m.y = m.x+dx, m.y+dy
	return m
}

func (p polyline) moved(dx, dy float64) op {
	p.points = movedPoints(p.points, dx, dy)
	return p
}

func (a area) moved(dx, dy float64) op {
	outlines := make([][]Point, len(a.outlines))
	for i, points := range a.outlines {
		outlines[i] = movedPoints(points, dx, dy)
	}
	a.outlines = outlines
	return a
}

func (c curve) moved(dx, dy float64) op {
	for i := range c.p {
		c.p[i].X, c.p[i].Y = c.p[i].X+dx, c.p[i].Y+dy
	}
	return c
}

func (l label) moved(dx, dy float64) op {
	l.x, l.y = l.x+dx, l.y+dy
	return l
}

func (p picture) moved(dx, dy float64) op {
	p.x, p.y = snap(p.x+dx), snap(p.y+dy)
	return p
}
