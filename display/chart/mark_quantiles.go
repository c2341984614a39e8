package chart

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/gokernel/gokernel/display/internal/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// quantilesKind is the kind of marks that show quantiles against the quantiles of a distribution.
type quantilesKind struct{ basic }

var quantiles kind = &quantilesKind{basic{traits{
	name: "quantile plot", chart: "quantile plot", part: "quantiles",
	options: "Name Color ClassColor Radius Width Opacity Rings NoIntervals ByClass",
	series:  true, cycles: true,
}}}

// Quantiler is a distribution with a quantile function, such as the distributions of gonum's
// distuv.
type Quantiler interface {
	Quantile(p float64) float64
}

// QQ draws the quantiles of values against the quantiles of a distribution, by default the normal
// distribution: QQ(values), QQ(f, "x") for a column, or QQ(values, distuv.Exponential{Rate: 1});
// see [Chart.QQ].
func QQ(data ...any) *Chart {
	c, data := dataOf(data)
	if len(data) == 0 || len(data) > 2 {
		c.fail(fmt.Errorf("chart.QQ: give the values, and perhaps a distribution, got %d arguments", len(data)))
		return c
	}
	if len(data) == 1 {
		return c.QQ(data[0])
	}
	d, ok := data[1].(Quantiler)
	if !ok || isNil(data[1]) {
		c.fail(fmt.Errorf("chart.QQ: the distribution must have quantiles, got %T; pass one such as distuv.Exponential{Rate: 1}", data[1]))
		return c
	}
	return c.QQ(data[0], d)
}

// QQ plots the sorted values against the quantiles of a distribution (by default, the standard
// normal distribution) at J. J. Filliben's plotting positions (1975). The points are close to a
// straight line if the values have that distribution, up to location and scale. The line drawn is
// the least-squares line. The band is a pointwise 95 % interval: if the values come from the
// distribution that the line represents, each value lies within the band in 95 % of all samples.
// The band follows from the beta distribution of order statistics and treats the line as known.
func (c *Chart) QQ(values any, against ...Quantiler) *Chart {
	col, err := c.column("QQ", "values", values)
	if err == nil && (col.levels != nil || col.times) {
		err = errors.New("chart.QQ: the values must be numbers")
	}
	if err == nil && len(against) > 1 {
		err = fmt.Errorf("chart.QQ: there are %d distributions; give one", len(against))
	}
	if err != nil {
		c.fail(err)
		return c
	}
	m := mark{kind: quantiles, x: c.y.take(col), est: estimate{against: distuv.UnitNormal}}
	name := "normal quantiles"
	if len(against) == 1 {
		m.est.against = against[0]
		t := reflect.Indirect(reflect.ValueOf(against[0])).Type()
		name = "quantiles of " + strings.ToLower(t.Name())
		if n, ok := against[0].(distuv.Normal); ok && n == distuv.UnitNormal {
			name = "normal quantiles"
		}
	}
	c.y.whole = false
	if c.x.defaultTitle == "" {
		c.x.defaultTitle = name
	}
	return c.add(m)
}

// quantileParts draws the values as points over a line with its band.
func (m mark) quantileParts(c *Chart) ([]mark, error) {
	if c.x.log || c.y.log {
		return nil, errors.New("chart.QQ: a quantile plot cannot have logarithmic axes; take the logarithms of the values")
	}
	all, left := m.eachClass()
	var bands, lines, dots []mark
	var notes []string
	for _, s := range all {
		rows, bad := s.finiteRows(New())
		left.add(bad)
		n := len(rows.x)
		y := slices.Clone(rows.x)
		stat.Sort(y)
		if n < 3 || y[0] == y[n-1] {
			if n > 0 || m.class != nil && !m.part {
				first := 0.0
				if n > 0 {
					first = y[0]
				}
				why := constant(n, first)
				if n == 2 && y[0] != y[1] {
					why = "it has 2 values"
				}
				notes = append(notes, without("quantiles", s.name, why))
			}
			continue
		}
		q := stat.Positions(n)
		for i, p := range q {
			if q[i] = m.est.against.Quantile(p); !isFinite(q[i]) {
				return nil, fmt.Errorf("chart.QQ: the quantile %.3g of the distribution is %v", p, q[i])
			}
		}
		slope, intercept, _ := stat.Line(q, y)
		if !m.bare {
			bands = append(bands, m.bandOf(s, q, slope, intercept))
		}
		ends := []float64{q[0], q[n-1]}
		fit := s.look(mark{kind: line, x: ends, y: []float64{intercept + slope*ends[0], intercept + slope*ends[1]}, style: style{width: orElse(m.width, 1.3)}, own: &lineData{computed: true}})
		fit.alpha = orElse(m.alpha, 0.9)
		lines = append(lines, fit)
		dot := s.look(mark{kind: points, style: style{ring: m.ring, radius: orElse(m.radius, math.Min(2.6, radius(m.count())))}, name: s.name, x: q, y: y})
		dots = append(dots, dot)
	}
	if len(dots) == 0 && len(notes) > 0 {
		return nil, fmt.Errorf("chart.QQ: %s; it needs at least three values that are not all equal", notes[0])
	}
	return said(slices.Concat(bands, lines, dots), left, notes), nil
}

// bandOf returns the band around a line of quantiles.
func (m mark) bandOf(s series, q []float64, slope, intercept float64) mark {
	n := len(q)
	every := max(1, n/200) // places that are drawn; the border is smooth
	band := s.look(mark{kind: area, own: &areaData{computed: true}})
	band.alpha = 0.15
	for i := 0; i < n; i++ {
		if i%every != 0 && i > 20 && i < n-20 {
			continue
		}
		lo, hi := stat.Range(i, n)
		a, b := m.est.against.Quantile(lo), m.est.against.Quantile(hi)
		band.x = append(band.x, q[i])
		band.lo, band.hi = append(band.lo, intercept+slope*a), append(band.hi, intercept+slope*b)
	}
	return band
}

func (*quantilesKind) parts(m mark, c *Chart) ([]mark, error) {
	return m.computed(c, mark.quantileParts)
}
