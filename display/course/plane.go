package course

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/display/chart"
	"github.com/gokernel/gokernel/display/internal/guide"
	"github.com/gokernel/gokernel/mlstd/neighbors"
	"github.com/gokernel/gokernel/mlstd/optim"
)

func distinct(classes []int) []int {
	out := slices.Clone(classes)
	slices.Sort(out)
	return slices.Compact(out)
}

func sortedDown(v []float64) []float64 {
	out := slices.Clone(v)
	slices.SortFunc(out, func(a, b float64) int {
		switch {
		case a > b:
			return -1
		case a < b:
			return 1
		}
		return 0
	})
	return out
}

// mostCells is the maximum number of Voronoi cells.
const mostCells = 500

// Voronoi draws the Voronoi cells of centers: the cell of a center is the part of the plane that is
// nearer to it than to any other center. A 1-nearest-neighbor classifier predicts by these cells.
// The centers are a data set or a matrix with two columns. Classes, if given, color the cells.
// Further arguments are as in [Regions].
func Voronoi(centers ...any) *chart.Chart {
	p, err := planeOf(centers)
	if err != nil {
		return failed("Voronoi", "%w", err)
	}
	n, _ := p.x.Dims()
	if n > mostCells {
		return failed("Voronoi", "there must be at most %[2]d centers to tell the cells apart, got %[1]d", n, mostCells)
	}
	x0, x1, y0, y1, err := p.bounds()
	if err != nil {
		return failed("Voronoi", "%w", err)
	}
	all := distinct(p.y)
	c := chart.New()
	for i := range n {
		cx, cy := voronoiCell(p.x, i, x0, x1, y0, y1)
		if len(cx) < 3 {
			continue // a duplicate center: the first one has the cell
		}
		class := i
		if p.y != nil {
			class = position(all, p.y[i])
		}
		c.Polygon(cx, cy).ClassColor(class).Width(1).Opacity(0.22)
	}
	if p.y == nil {
		c.Points(p.column(0), p.column(1)).Color("black").Radius(3)
	} else {
		names, class := make([]string, len(all)), make([]int, n)
		for k, y := range all {
			names[k] = p.classes(y)
		}
		for i, y := range p.y {
			class[i] = position(all, y)
		}
		c.Points(p.column(0), p.column(1)).ByClass(class, names...)
	}
	return c.Title("Voronoi cells").X(p.names[0]).Y(p.names[1]).XRange(x0, x1).YRange(y0, y1).Equal().Size(560, 420)
}

// voronoiCell intersects the rectangle with the half planes that are nearer to center i than to
// each other center.
func voronoiCell(centers *mat.Dense, i int, x0, x1, y0, y1 float64) (x, y []float64) {
	x, y = []float64{x0, x1, x1, x0}, []float64{y0, y0, y1, y1}
	a := centers.RawRowView(i)
	n, _ := centers.Dims()
	for j := range n {
		b := centers.RawRowView(j)
		dx, dy := b[0]-a[0], b[1]-a[1]
		if j == i {
			continue
		}
		if dx == 0 && dy == 0 {
			if j < i {
				return nil, nil
			}
			continue
		}
		// Points with dx·x + dy·y ≤ c are nearer to a.
		c := dx*(a[0]+b[0])/2 + dy*(a[1]+b[1])/2
		var nx, ny []float64
		for k := range x {
			l := (k + 1) % len(x)
			u, v := dx*x[k]+dy*y[k]-c, dx*x[l]+dy*y[l]-c
			if u <= 0 {
				nx, ny = append(nx, x[k]), append(ny, y[k])
			}
			if u < 0 && v > 0 || u > 0 && v < 0 {
				t := u / (u - v)
				nx, ny = append(nx, x[k]+t*(x[l]-x[k])), append(ny, y[k]+t*(y[l]-y[k]))
			}
		}
		if x, y = nx, ny; len(x) == 0 {
			return nil, nil
		}
	}
	return x, y
}

// KDPartition draws how a k-d tree splits the plane: each node is the line through its point, with
// the first splits drawn thickest. examples are the examples from which the tree was built, as in
// [Regions].
func KDPartition(t *neighbors.KDTree, examples ...any) *chart.Chart {
	p, err := planeOf(examples)
	if err != nil {
		return failed("KDPartition", "%w", err)
	}
	n, _ := p.x.Dims()
	if t == nil || len(t.Nodes) == 0 {
		return failed("KDPartition", "the tree is empty: make one with ml.NewKDTree")
	}
	if len(t.Nodes) != n {
		return failed("KDPartition", "the tree has %d points, there are %d examples: pass those of the tree", len(t.Nodes), n)
	}
	x0, x1, y0, y1, err := p.bounds()
	if err != nil {
		return failed("KDPartition", "%w", err)
	}
	c := chart.New()
	type lines struct{ x, y []float64 }
	// By column and depth; the deepest levels are drawn together.
	const levels = 4
	var cuts [2][levels]lines
	var walk func(node, depth int, lo, hi [2]float64)
	walk = func(node, depth int, lo, hi [2]float64) {
		if node < 0 {
			return
		}
		d := t.Nodes[node]
		from, to := lo, hi
		from[d.Column], to[d.Column] = d.Value, d.Value
		l := &cuts[d.Column][min(depth, levels-1)]
		l.x, l.y = append(l.x, from[0], to[0], math.NaN()), append(l.y, from[1], to[1], math.NaN())
		left, right := hi, lo
		left[d.Column], right[d.Column] = d.Value, d.Value
		walk(d.Left, depth+1, lo, left)
		walk(d.Right, depth+1, right, hi)
	}
	walk(0, 0, [2]float64{x0, y0}, [2]float64{x1, y1})
	named := [2]bool{}
	for depth := range levels {
		for j := range cuts {
			l := cuts[j][depth]
			if len(l.x) == 0 {
				continue
			}
			c.Line(l.x, l.y).ClassColor(j).Width(2.6 - 0.6*float64(depth))
			if !named[j] {
				named[j] = true
				c.Name("divides " + p.names[j])
			}
		}
	}
	return c.Points(p.column(0), p.column(1)).Color("black").Radius(3).Title("k-d tree").
		X(p.names[0]).Y(p.names[1]).XRange(x0, x1).YRange(y0, y1).Size(560, 400)
}

// UnitBalls draws the boundary of the unit ball of each p-norm. By default, p is 0.5, 1, 2, 4 and
// ∞.
func UnitBalls(p ...float64) *chart.Chart {
	if len(p) == 0 {
		p = []float64{0.5, 1, 2, 4, math.Inf(1)}
	}
	c := chart.New()
	for _, q := range p {
		if !(q >= 0) {
			return failed("UnitBalls", "p must not be negative, got %v", q)
		}
		x, y := optim.UnitBall(q, 400)
		name := strconv.FormatFloat(q, 'g', 4, 64)
		if math.IsInf(q, 1) {
			name = "∞"
		}
		c.Line(append(x, x[0]), append(y, y[0])).Name("p = " + name).Width(2)
	}
	return c.HRule(0).Color("gray").VRule(0).Color("gray").Title("Unit balls").X("w₁").Y("w₂").
		XRange(-1.15, 1.15).YRange(-1.15, 1.15).Equal().Size(480, 400)
}

// LevelSets draws contour lines of f on a rectangle and, over them, the paths of minimizations. A
// path is an *optim.Minimum that has kept its path, or a [][]float64 of points.
func LevelSets(f func(x, y float64) float64, x0, x1, y0, y1 float64, paths ...any) *chart.Chart {
	if f == nil {
		return failed("LevelSets", "f must not be nil")
	}
	if !(x0 < x1 && y0 < y1) {
		return failed("LevelSets", "the rectangle from (%v, %v) to (%v, %v) is empty", x0, y0, x1, y1)
	}
	field := chart.NewField(f, x0, x1, y0, y1, 160)
	c := chart.New().Contour(field, quantileLevels(field.Z)...)
	for k, p := range paths {
		var points [][]float64
		switch p := p.(type) {
		case *optim.Minimum:
			if p != nil {
				points = p.Path
			}
		case [][]float64:
			points = p
		default:
			return failed("LevelSets", "path %d is a %T: pass an *optim.Minimum or a [][]float64", k+1, p)
		}
		if len(points) == 0 {
			return failed("LevelSets", "path %d has no points: set KeepPath before minimizing", k+1)
		}
		x, y := make([]float64, len(points)), make([]float64, len(points))
		for i, q := range points {
			if len(q) != 2 {
				return failed("LevelSets", "point %d of path %d must have two coordinates, got %d", i, k+1, len(q))
			}
			x[i], y[i] = q[0], q[1]
		}
		c.Line(x, y).ClassColor(k + 1).Width(1.6).Name("path " + strconv.Itoa(k+1))
		if len(points) <= 200 {
			c.Points(x, y).ClassColor(k + 1).Radius(2.5)
		}
		c.Points(x[len(x)-1:], y[len(y)-1:]).ClassColor(k + 1).Radius(5)
	}
	if len(paths) == 1 {
		c.NoLegend()
	}
	return c.Title("Level sets").XRange(x0, x1).YRange(y0, y1).X("x").Y("y").Size(520, 420)
}

// quantileLevels returns levels at quantiles of the area. With evenly spaced levels, the flat
// part of a steep function would be empty.
func quantileLevels(z []float64) []float64 {
	var v []float64
	for _, x := range z {
		if !math.IsNaN(x) && !math.IsInf(x, 0) {
			v = append(v, x)
		}
	}
	if len(v) == 0 {
		return nil
	}
	slices.Sort(v)
	var out []float64
	for _, q := range []float64{0.005, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9} {
		x := v[int(q*float64(len(v)-1))]
		if x > v[0] && (len(out) == 0 || x > out[len(out)-1]) {
			out = append(out, x)
		}
	}
	return out
}

// Ellipses draws two-dimensional Gaussians: the mean, and the curves at one and two standard
// deviations, which contain 39 and 86 percent of the probability. covariances are matrices or rows
// of numbers, one for each row of means. Examples, which are optional, are given as in [Regions]
// and drawn behind the ellipses.
func Ellipses(means [][]float64, covariances any, examples ...any) *chart.Chart {
	gs, err := gaussians(means, covariances)
	if err != nil {
		return failed("Ellipses", "%w", err)
	}
	c := chart.New().X(guide.Feature(0)).Y(guide.Feature(1))
	if len(examples) > 0 {
		p, err := planeOf(examples)
		if err != nil {
			return failed("Ellipses", "%w", err)
		}
		c.Points(p.column(0), p.column(1)).Color("gray").Radius(2.5).Opacity(0.5).X(p.names[0]).Y(p.names[1])
	}
	for k, g := range gs {
		for s := 2; s >= 1; s-- {
			x, y := g.ellipse(float64(s))
			c.Polygon(x, y).ClassColor(k).Opacity(0.12 * float64(3-s))
			if s == 1 && len(gs) > 1 {
				c.Name("component " + strconv.Itoa(k+1))
			}
		}
		c.Points(g.mean[:1], g.mean[1:]).ClassColor(k).Radius(4)
	}
	return c.Title("Gaussians").Equal().Size(560, 420)
}

// Density draws the density of a mixture of two-dimensional Gaussians in colors, with contour
// lines. If weights is nil, the weights are equal. The other arguments are as in [Ellipses].
func Density(means [][]float64, covariances any, weights []float64) *chart.Chart {
	gs, err := gaussians(means, covariances)
	if err != nil {
		return failed("Density", "%w", err)
	}
	if weights != nil && len(weights) != len(gs) {
		return failed("Density", "there are %d Gaussians but %d weights", len(gs), len(weights))
	}
	x0, x1, y0, y1 := math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
	for _, g := range gs {
		xs, ys := g.ellipse(3)
		x0, x1 = math.Min(x0, slices.Min(xs)), math.Max(x1, slices.Max(xs))
		y0, y1 = math.Min(y0, slices.Min(ys)), math.Max(y1, slices.Max(ys))
	}
	f := chart.NewField(func(x, y float64) float64 {
		sum := 0.0
		for k, g := range gs {
			w := 1 / float64(len(gs))
			if weights != nil {
				w = weights[k]
			}
			sum += w * g.density(x, y)
		}
		return sum
	}, x0, x1, y0, y1, 160)
	return chart.New().HeatField(f).Scheme("blues").Contour(f).Color("black").Width(0.8).Opacity(0.5).
		Title("Density").X(guide.Feature(0)).Y(guide.Feature(1)).XRange(x0, x1).YRange(y0, y1).Size(560, 420)
}

// gaussian is a two-dimensional Gaussian: its covariance and the Cholesky factor (l11 0; l21 l22)
// of the covariance.
type gaussian struct {
	mean          []float64
	l11, l21, l22 float64
}

func gaussians(means [][]float64, covariances any) ([]gaussian, error) {
	var at func(k, i, j int) float64
	n := 0
	square := func(k, r, c int) error {
		if r != 2 || c != 2 {
			return fmt.Errorf("covariance %d is %d×%d: pass 2×2", k, r, c)
		}
		return nil
	}
	var err error
	matrices := func(k int, m mat.Matrix) {
		r, c := m.Dims()
		if e := square(k, r, c); err == nil {
			err = e
		}
	}
	switch s := covariances.(type) {
	case []*mat.SymDense:
		n, at = len(s), func(k, i, j int) float64 { return s[k].At(i, j) }
		for k := range s {
			matrices(k, s[k])
		}
	case []*mat.Dense:
		n, at = len(s), func(k, i, j int) float64 { return s[k].At(i, j) }
		for k := range s {
			matrices(k, s[k])
		}
	case [][][]float64:
		n, at = len(s), func(k, i, j int) float64 { return s[k][i][j] }
		for k := range s {
			width := 2
			for _, row := range s[k] {
				if len(row) != 2 {
					width = len(row)
				}
			}
			if e := square(k, len(s[k]), width); err == nil {
				err = e
			}
		}
	default:
		return nil, fmt.Errorf("the covariances are a %T: pass []*mat.SymDense, []*mat.Dense or [][][]float64", covariances)
	}
	if err != nil {
		return nil, err
	}
	if n == 0 || n != len(means) {
		return nil, fmt.Errorf("there are %d means and %d covariances: pass one of each for a Gaussian", len(means), n)
	}
	out := make([]gaussian, n)
	for k := range out {
		if len(means[k]) != 2 {
			return nil, fmt.Errorf("mean %d must have two coordinates, got %d", k, len(means[k]))
		}
		g := gaussian{mean: means[k], l11: math.Sqrt(at(k, 0, 0))}
		g.l21 = at(k, 1, 0) / g.l11
		g.l22 = math.Sqrt(at(k, 1, 1) - g.l21*g.l21)
		if !(g.l11 > 0) || !(g.l22 > 0) {
			return nil, fmt.Errorf("covariance %d is not positive definite", k)
		}
		out[k] = g
	}
	return out, nil
}

// ellipse returns the curve at s standard deviations.
func (g gaussian) ellipse(s float64) (x, y []float64) {
	const n = 96
	for i := range n {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / n)
		x = append(x, g.mean[0]+s*g.l11*cos)
		y = append(y, g.mean[1]+s*(g.l21*cos+g.l22*sin))
	}
	return x, y
}

func (g gaussian) density(x, y float64) float64 {
	u := (x - g.mean[0]) / g.l11
	v := (y - g.mean[1] - g.l21*u) / g.l22
	return math.Exp(-(u*u+v*v)/2) / (2 * math.Pi * g.l11 * g.l22)
}
