package chart

import (
	"fmt"
)

// densityKind is the kind of marks that show kernel density estimates.
type densityKind struct{ basic }

var density kind = &densityKind{basic{traits{
	name: "density", chart: "density plot", part: "densities",
	options: "Name Color ClassColor Width Opacity Dashed ByClass Bandwidth Adjust Cut Fill",
	series:  true, cycles: true,
}}}

// KDE draws kernel density estimates: KDE(values), or KDE(f, "x") for a column; several
// columns share the axis. By draws one curve for each group. KDE2D draws the density of
// two variables. See [Chart.KDE].
func KDE(values ...any) *Chart {
	return variables("KDE", values, func(c *Chart, v any) { c.KDE(v) })
}

// KDE adds the density of the values by Gaussian kernels,
//
//	f(x) = 1/(n h) Σ φ((x - xᵢ)/h),
//
// with the bandwidth h of D. W. Scott (1992), the standard deviation times n^(-1/5); use Bandwidth
// or Adjust to change h. Each class of By has its own density, whose area is 1. The curve ends
// three bandwidths beyond the data; Cut changes this. On a logarithmic axis, KDE estimates the
// density of the logarithms.
func (c *Chart) KDE(values any) *Chart {
	c.oneVariable(density, "KDE", "density", values).est.cut = 3
	return c
}

// densityParts draws densities as lines, with areas when they are filled.
func (m mark) densityParts(c *Chart) ([]mark, error) {
	all, left := m.eachClass()
	var parts []mark
	var notes []string
	shown := 0
	for _, s := range all {
		rows, bad := s.finiteRows(c)
		left.add(bad)
		d, why := m.est.densityOf(rows.x, c.x.log, densityPlaces)
		if why != "" {
			if len(rows.x) > 0 || m.class != nil && !m.part {
				notes = append(notes, without("density", s.name, why))
			}
			continue
		}
		shown++
		if m.est.fill {
			fill := s.look(mark{kind: area, x: d.x, lo: make([]float64, len(d.x)), hi: d.y, measured: measured{ground: true}})
			fill.alpha = orElse(m.alpha, 0.3)
			parts = append(parts, fill)
		}
		parts = append(parts, s.look(mark{kind: line, name: s.name, x: d.x, y: d.y, style: style{width: m.width, dash: m.dash}, measured: measured{ground: true}, own: &lineData{peak: true}, sample: &sample{x: rows.x}}))
	}
	if shown == 0 && len(notes) > 0 {
		return nil, fmt.Errorf("chart.KDE: %s; a density needs two different values. Show them with Strip or Hist", notes[0])
	}
	if c.x.log && c.y.defaultTitle == "density" {
		c.y.defaultTitle = "density of log₁₀"
	}
	return said(parts, left, notes), nil
}

func (*densityKind) parts(m mark, c *Chart) ([]mark, error) { return m.computed(c, mark.densityParts) }
