package chart

import (
	"slices"

	"github.com/gokernel/gokernel/display/internal/stat"
)

// ecdfKind is the kind of marks that show empirical distribution functions.
type ecdfKind struct{ basic }

var ecdf kind = &ecdfKind{basic{traits{
	name: "distribution function", chart: "distribution function", part: "distribution functions",
	options: "Name Color ClassColor Width Opacity Dashed ByClass Complement",
	series:  true, cycles: true,
}}}

// ECDF draws empirical distribution functions: ECDF(values), or ECDF(f, "x") for a
// column; several columns share the axis. By draws one function for each group. See
// [Chart.ECDF].
func ECDF(values ...any) *Chart {
	return variables("ECDF", values, func(c *Chart, v any) { c.ECDF(v) })
}

// ECDF adds an empirical distribution function: the fraction of the values that are at most x, with
// a step at each value. It needs no bins or bandwidth.
func (c *Chart) ECDF(values any) *Chart {
	c.oneVariable(ecdf, "ECDF", "share of values ≤ x", values)
	return c
}

// Complement makes the distribution functions added last show the fraction of the values
// that are larger than x.
func (c *Chart) Complement() *Chart {
	c.needs("Complement", "is not a distribution function").est.complement = true
	if c.y.defaultTitle == "share of values ≤ x" {
		c.y.defaultTitle = "share of values > x"
	}
	return c
}

// ecdfParts draws distribution functions as steps.
func (m mark) ecdfParts(c *Chart) ([]mark, error) {
	all, left := m.eachClass()
	var parts []mark
	var notes []string
	for _, s := range all {
		rows, bad := s.finiteRows(c)
		left.add(bad)
		if len(rows.x) == 0 {
			if m.class != nil && !m.part {
				notes = append(notes, without("steps", s.name, constant(0, 0)))
			}
			continue
		}
		part := s.look(mark{kind: step, name: s.name, style: style{width: m.width, dash: m.dash}, measured: measured{ground: true}})
		part.sample = &sample{x: rows.x}
		part.x, part.y = distributionOf(rows.x, m.est.complement)
		parts = append(parts, part)
	}
	return said(parts, left, notes), nil
}

// distributionOf returns the corners of a distribution function, starting at 0, or at 1 for the
// fraction of larger values.
func distributionOf(v []float64, complement bool) (x, y []float64) {
	sorted := slices.Clone(v)
	stat.Sort(sorted)
	n := len(sorted)
	x, y = make([]float64, 0, n+1), make([]float64, 0, n+1)
	add := func(at float64, upTo int) {
		share := float64(upTo) / float64(n)
		if complement {
			share = float64(n-upTo) / float64(n)
		}
		x, y = append(x, at), append(y, share)
	}
	add(sorted[0], 0)
	for i, at := range sorted {
		if i+1 == n || sorted[i+1] != at {
			add(at, i+1)
		}
	}
	return x, y
}

func (*ecdfKind) parts(m mark, c *Chart) ([]mark, error) { return m.computed(c, mark.ecdfParts) }
