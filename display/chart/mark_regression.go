package chart

import (
	"fmt"
	"math"
	"slices"
	"sort"

	"github.com/gokernel/gokernel/display/internal/stat"
)

// regressionKind is the kind of marks that show points with a fitted curve.
type regressionKind struct{ basic }

var regression kind = &regressionKind{basic{traits{
	name: "regression", chart: "regression", part: "regressions",
	options: "Name Color ClassColor Radius Width Opacity Dashed Rings NoIntervals ByClass Degree Lowess NoPoints",
	series:  true, cycles: true,
}}}

// curvePlaces is the number of points at which a fitted curve is drawn.
const curvePlaces = 120

// Regression draws points and the least-squares line with its confidence band: Regression(x, y), or
// Regression(f, "x", "y") for a frame. Degree and Lowess fit other curves; see [Chart.Regression].
func Regression(data ...any) *Chart {
	c, data := dataOf(data)
	if len(data) != 2 {
		c.fail(fmt.Errorf("chart.Regression: there are %d variables; give x and y", len(data)))
		return c
	}
	return c.Regression(data[0], data[1])
}

// Regression adds the points (x, y), the least-squares line, and the band that holds the mean of y
// at a given x with 95 % confidence,
//
//	ŷ ± t · s · √(x₀' (X'X)⁻¹ x₀),
//
// which assumes that the errors are independent and normal with the same variance. Degree fits a
// polynomial and Lowess a smooth curve instead. Each class of By has its own curve. NoPoints omits
// the points, and NoIntervals omits the band.
func (c *Chart) Regression(x, y any) *Chart {
	if xs, ys, ok := c.twoVariables("Regression", x, y); ok {
		c.add(mark{kind: regression, x: xs, y: ys, est: estimate{degree: 1}})
	}
	return c
}

// maxDegree is the maximum degree of the polynomials: higher degrees oscillate between the points.
const maxDegree = 15

// Degree sets the degree of the polynomials of the regression added last.
func (c *Chart) Degree(d int) *Chart {
	m := c.needs("Degree", "has no polynomial")
	if d < 0 || d > maxDegree {
		c.setErr(fmt.Errorf("chart.Degree: the degree must be between 0 and %[2]d, got %[1]d", d, maxDegree))
		return c
	}
	m.est.degree, m.est.share = d, 0
	return c
}

// Lowess replaces the line of the regression added last with a locally weighted regression (W. S.
// Cleveland, 1979). At each x, a line is fitted to the nearest points, by default to two thirds of
// all points; a larger fraction makes the curve smoother. Points nearer to x have larger weights,
// and points far from the curve have smaller weights. The band assumes that the bias of the curve
// is small.
func (c *Chart) Lowess(share ...float64) *Chart {
	m := c.needs("Lowess", "has no curve")
	m.est.share = 2.0 / 3
	if len(share) > 0 {
		m.est.share = share[0]
	}
	if len(share) > 1 || !(m.est.share > 0 && m.est.share <= 1) {
		c.setErr(fmt.Errorf("chart.Lowess: the span must be greater than 0 and at most 1, got %v", share))
	}
	return c
}

// NoPoints leaves out the points of the regression added last.
func (c *Chart) NoPoints() *Chart {
	c.needs("NoPoints", "is not drawn over points").est.noPoints = true
	return c
}

// regressionParts draws bands, curves and points.
func (m mark) regressionParts(c *Chart) ([]mark, error) {
	all, left := m.eachClass()
	var parts, lines []mark
	var notes []string
	for _, s := range all {
		rows, bad := s.finiteRows(c)
		left.add(bad)
		x, y, half, why := m.est.fit(logs(rows.x, c.x.log), logs(rows.y, c.y.log))
		if why != "" {
			if len(rows.x) > 0 || m.class != nil && !m.part {
				notes = append(notes, without("curve", s.name, why))
			}
			continue
		}
		line := s.look(mark{kind: line, x: x, y: y, style: style{width: orElse(m.width, 2.2), dash: m.dash}, own: &lineData{computed: true}})
		if m.est.noPoints {
			line.name = s.name
			line.sample = &sample{rows.x, rows.y}
		}
		band := s.look(mark{kind: area, x: x, lo: make([]float64, len(x)), hi: make([]float64, len(x)), own: &areaData{computed: true}})
		band.alpha = 0.18
		for i := range x {
			band.lo[i], band.hi[i] = y[i]-half[i], y[i]+half[i]
		}
		if c.x.log {
			powers(x)
		}
		if c.y.log {
			powers(y)
			powers(band.lo)
			powers(band.hi)
		}
		if !m.bare && isFinite(half[0]) {
			parts = append(parts, band)
		}
		lines = append(lines, line)
	}
	if len(lines) == 0 && len(notes) > 0 {
		return nil, fmt.Errorf("chart.Regression: %s", notes[0])
	}
	if !m.est.noPoints {
		dots := m.known()
		dots.left, dots.lost = 0, leftOut{}
		dots, _ = dots.finiteRows(c)
		dots.kind, dots.est, dots.bare = points, estimate{}, false
		if dots.alpha == 0 && len(dots.x) <= 1000 {
			dots.alpha = 0.8
		}
		if m.class != nil {
			dots.color = nil
		}
		parts = append([]mark{dots}, parts...)
	}
	return said(append(parts, lines...), left, notes), nil
}

func powers(v []float64) {
	for i, x := range v {
		v[i] = math.Pow(10, x)
	}
}

// fit returns points on a curve and half the width of the band there.
func (e estimate) fit(x, y []float64) (at, value, half []float64, why string) {
	n := len(x)
	different := distinct(x)
	need := e.degree + 1
	if e.share > 0 {
		need = 3
	}
	if len(different) < need {
		return nil, nil, nil, fmt.Sprintf("there are %d different x, but %d are needed", len(different), need)
	}
	lo, hi := different[0], different[len(different)-1]
	at = make([]float64, curvePlaces)
	for i := range at {
		at[i] = lo + (hi-lo)*float64(i)/(curvePlaces-1)
	}
	at[curvePlaces-1] = hi
	if e.share == 0 {
		p := stat.FitPolynomial(x, y, e.degree)
		value, half = make([]float64, len(at)), make([]float64, len(at))
		for i, v := range at {
			value[i], half[i] = p.At(v)
		}
		return at, value, half, ""
	}
	rows := make([]int, n)
	for i := range rows {
		rows[i] = i
	}
	sort.SliceStable(rows, func(a, b int) bool { return x[rows[a]] < x[rows[b]] })
	u, v := make([]float64, n), make([]float64, n)
	for i, k := range rows {
		u[i], v[i] = x[k], y[k]
	}
	delta := 0.0
	if n > 1000 {
		delta = 0.005 * (hi - lo) // fits closer than this hardly differ
	}
	// The curve is straight between the values at the points.
	every := float64(len(different)-1) / math.Max(1, math.Min(curvePlaces-1, float64(len(different)-1)))
	at = at[:0]
	for i := 0.0; int(math.Round(i)) < len(different); i += every {
		at = append(at, different[int(math.Round(i))])
	}
	value, half = stat.Lowess(u, v, e.share, 3, delta).On(at)
	if slices.ContainsFunc(value, math.IsNaN) {
		return nil, nil, nil, "too few points are in each fit; give a larger share"
	}
	return at, value, half, ""
}

func (*regressionKind) parts(m mark, c *Chart) ([]mark, error) {
	return m.computed(c, mark.regressionParts)
}
