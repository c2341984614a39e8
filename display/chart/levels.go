package chart

import (
	"math"
)

// polylines are the lines of a level, in the coordinates of the field.
type path struct{ x, y []float64 }

// levelLines traces the lines on which the field takes a level by marching squares (W. Lorensen and
// H. Cline's marching cubes, SIGGRAPH 1987, in the plane). In each square of four neighboring
// centers, the line connects linearly interpolated crossings. At a saddle, the mean of the corners
// decides which corners are connected. Squares with a value that is not finite have no line. The
// values are extrapolated to the border of the field, half a cell beyond the outermost centers.
func (g Field) levelLines(level float64) []path {
	nx, ny := g.NX+2, g.NY+2
	values := g.bordered()
	// A crossing is identified by its grid edge, so that the pieces of neighboring squares can be
	// joined.
	type edge struct {
		i, j int
		up   bool // from (i, j) to (i, j+1), otherwise to (i+1, j)
	}
	links := map[edge][]edge{}
	var order []edge // a fixed order makes the paths the same in each run
	join := func(a, b edge) {
		for _, e := range []edge{a, b} {
			if _, ok := links[e]; !ok {
				order = append(order, e)
			}
		}
		links[a] = append(links[a], b)
		links[b] = append(links[b], a)
	}
	z := func(i, j int) float64 { return values[j*nx+i] }
	for j := range ny - 1 {
		for i := range nx - 1 {
			a, b, c, d := z(i, j), z(i+1, j), z(i+1, j+1), z(i, j+1)
			mean := (a + b + c + d) / 4
			if !isFinite(mean) {
				continue
			}
			bottom, right, top, left := edge{i, j, false}, edge{i + 1, j, true}, edge{i, j + 1, false}, edge{i, j, true}
			var cut []edge
			if (a > level) != (b > level) {
				cut = append(cut, bottom)
			}
			if (b > level) != (c > level) {
				cut = append(cut, right)
			}
			if (c > level) != (d > level) {
				cut = append(cut, top)
			}
			if (d > level) != (a > level) {
				cut = append(cut, left)
			}
			switch len(cut) {
			case 2:
				join(cut[0], cut[1])
			case 4:
				if (mean > level) == (a > level) {
					join(bottom, right)
					join(top, left)
				} else {
					join(bottom, left)
					join(top, right)
				}
			}
		}
	}
	point := func(e edge) (x, y float64) {
		i, j := e.i, e.j
		k, l := i+1, j
		if e.up {
			k, l = i, j+1
		}
		t := (level - z(i, j)) / (z(k, l) - z(i, j))
		x0, y0 := g.node(i, j)
		x1, y1 := g.node(k, l)
		return x0 + t*(x1-x0), y0 + t*(y1-y0)
	}
	used := map[edge]bool{}
	follow := func(start edge) path {
		var p path
		for e, ok := start, true; ok; {
			used[e] = true
			x, y := point(e)
			p.x, p.y = append(p.x, x), append(p.y, y)
			ok = false
			for _, n := range links[e] {
				if !used[n] {
					e, ok = n, true
					break
				}
			}
			if !ok && len(p.x) > 2 {
				for _, n := range links[e] {
					if n == start { // a closed line ends where it began
						p.x, p.y = append(p.x, p.x[0]), append(p.y, p.y[0])
						break
					}
				}
			}
		}
		return p
	}
	var out []path
	for _, ends := range []bool{true, false} { // open lines first, from their ends
		for _, e := range order {
			if !used[e] && (len(links[e]) == 1) == ends {
				out = append(out, follow(e))
			}
		}
	}
	return out
}

// node returns a point of the grid of centers and the border around it.
func (g Field) node(i, j int) (x, y float64) {
	x, y = g.Center(i-1, j-1)
	return math.Max(g.X0, math.Min(g.X1, x)), math.Max(g.Y0, math.Min(g.Y1, y))
}

// bordered returns the values at the nodes.
func (g Field) bordered() []float64 {
	nx, ny := g.NX+2, g.NY+2
	z := make([]float64, nx*ny)
	for j := range g.NY {
		copy(z[(j+1)*nx+1:], g.Z[j*g.NX:(j+1)*g.NX])
	}
	// The value half a cell beyond b, whose neighbor is a.
	on := func(a, b float64) float64 { return b + (b-a)/2 }
	for j := 1; j <= g.NY; j++ {
		row := z[j*nx : (j+1)*nx]
		row[0], row[nx-1] = on(row[2], row[1]), on(row[nx-3], row[nx-2])
	}
	for i := range nx {
		z[i] = on(z[2*nx+i], z[nx+i])
		z[(ny-1)*nx+i] = on(z[(ny-3)*nx+i], z[(ny-2)*nx+i])
	}
	return z
}
