package chart

import (
	"math"
	"math/rand/v2"
	"sort"

	"github.com/gokernel/gokernel/display/figure"
)

// stripKind is the kind of marks that show the values of groups as points, moved to the side.
type stripKind struct{ basic }

var strip kind = &stripKind{basic{traits{
	name: "strip", chart: "strip plot", part: "strips",
	options: "Name Color ClassColor Radius Opacity Rings ByClass",
	series:  true, cycles: true,
}}}

// Strip draws the values of each group as points: Strip(groups, values), or Strip(f, "zone",
// "fare") for a frame. It also accepts values without groups, a map of slices, or a matrix; see
// [Chart.Strip].
func Strip(data ...any) *Chart {
	c, data := dataOf(data)
	return c.Strip(data...)
}

// Strip adds the values of groups as points, spread evenly sideways so that equal values can be
// distinguished. The classes of By are side by side. If the chart has no other marks, a line marks
// the median of each group of at least three values.
func (c *Chart) Strip(data ...any) *Chart { return c.grouped(strip, "Strip", data) }

// medians returns lines at the medians of groups with at least three values.
func (m mark) medians() mark {
	ink := figure.Ink()
	out := mark{kind: line, style: style{color: &ink, width: 1.6}, measured: measured{slot: true}, own: &lineData{summary: true}}
	half := 0.24
	if m.class != nil && m.meet() {
		_, half = m.slots()
	}
	for _, at := range distinct(m.x) {
		var v []float64
		for i, x := range m.x {
			if x == at {
				v = append(v, m.y[i])
			}
		}
		if len(v) < 3 {
			continue
		}
		sort.Float64s(v)
		q := quantile(v, 0.5)
		if len(out.x) > 0 {
			out.x, out.y = append(out.x, math.NaN()), append(out.y, math.NaN())
		}
		out.x, out.y = append(out.x, at-half, at+half), append(out.y, q, q)
	}
	return out
}

// jitter moves points to the side by at most half, by the same amounts in each drawing.
func (m *mark) jitter(half float64) {
	r := rand.New(rand.NewPCG(1, 1))
	for i := range m.x {
		m.x[i] += half * (2*r.Float64() - 1)
	}
}

// stripParts draws the rows as points with jitter.
func (m mark) stripParts(c *Chart) ([]mark, error) {
	return m.rowPoints(c, func(part *mark, half float64) {
		part.jitter(0.55 * half)
		if part.radius == 0 {
			part.radius = math.Min(3, radius(part.count()))
		}
	}), nil
}

// rowPoints returns the rows of groups as points, which place moves by at most half to the
// side, and the medians of the groups.
func (m mark) rowPoints(c *Chart, place func(part *mark, half float64)) []mark {
	c.x.standBeside()
	m.alone(c)
	part := m.known()
	part, left := part.finiteRows(c)
	part.lost.add(left)
	offset, half := m.slots()
	x := make([]float64, len(part.x))
	for i, at := range part.x {
		x[i] = at
		if part.class != nil {
			x[i] += offset(part.class[i])
		}
	}
	part.x, part.slot = x, true
	medians := part.medians()
	part.own = nil
	place(&part, half)
	part.kind, part.labels = points, nil
	return []mark{part, medians}
}

func (*stripKind) parts(m mark, c *Chart) ([]mark, error) { return m.computed(c, mark.stripParts) }
