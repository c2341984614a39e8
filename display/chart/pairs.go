package chart

import (
	"fmt"
	"math"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/display/figure"
	"github.com/gokernel/gokernel/display/internal/guide"
)

// PairPlot shows each pair of several variables; [Pairs] returns a PairPlot.
type PairPlot struct {
	c           *Chart // reads columns
	names       []string
	columns     []column
	by          any
	diagonal    kind
	corner      bool
	interactive bool
	title       string
	w, h        float64
	err         error
}

// mostPairs is the maximum number of variables.
const mostPairs = 10

// Pairs draws a scatterplot matrix (J. A. Hartigan, "Printer graphics for clustering", 1975):
// panels with the points of each pair of variables, and the histogram of each variable on the
// diagonal. The variables are the columns of a matrix, the numeric columns of a frame or data set,
// or the named columns.
func Pairs(data any, columns ...string) *PairPlot {
	p := &PairPlot{c: New(), diagonal: hist}
	p.c.data, p.names, p.columns, p.err = numbers("Pairs", data, columns)
	return p
}

// numbers reads the variables: the numeric or the named columns of a table, or the columns of a
// matrix.
func numbers(verb string, data any, wanted []string) (t Columns, names []string, columns []column, err error) {
	if d, ok := data.(Columns); ok && !isNil(data) {
		c := Of(d)
		all := len(wanted) == 0
		if n, ok := data.(interface{ Names() []string }); all && ok {
			wanted = n.Names()
		}
		for _, name := range wanted {
			col, err := c.column(verb, "a variable", name)
			number := col.levels == nil && !col.times
			switch {
			case all && (err != nil || !number):
				continue
			case err != nil:
				return nil, nil, nil, err
			case !number:
				return nil, nil, nil, fmt.Errorf("chart.%s: column %q holds no numbers", verb, name)
			}
			names, columns = append(names, name), append(columns, col)
		}
		return d, names, columns, nil
	}
	m, err := matrixOf(verb, "the data", data)
	if err == nil && len(wanted) > 0 {
		err = fmt.Errorf("chart.%s: a matrix has no named columns; leave the names out, or give a frame", verb)
	}
	if err != nil {
		return nil, nil, nil, err
	}
	named, _ := data.(columnNamer)
	_, n := m.Dims()
	for j := range n {
		name := guide.Feature(j)
		if named != nil && j < len(named.ColumnNames()) {
			name = named.ColumnNames()[j]
		}
		names, columns = append(names, name), append(columns, column{v: columnAt(m, j)})
	}
	return nil, names, columns, nil
}

// By colors the rows by the given labels, or by the column with the given name.
func (p *PairPlot) By(labels any) *PairPlot { p.by = labels; return p }

// Density draws densities instead of histograms on the diagonal; densities show several classes
// more clearly.
func (p *PairPlot) Density() *PairPlot { p.diagonal = density; return p }

// Corner leaves out the panels above the diagonal, which repeat the panels below it.
func (p *PairPlot) Corner() *PairPlot { p.corner = true; return p }

// Title sets the title above all panels.
func (p *PairPlot) Title(s string) *PairPlot { p.title = guide.Typeset(s); return p }

// Size sets the width and height of the whole figure in CSS pixels.
func (p *PairPlot) Size(w, h float64) *PairPlot { p.w, p.h = w, h; return p }

// Interactive adds a Vega-Lite version with tooltips and zoom.
func (p *PairPlot) Interactive() *PairPlot { p.interactive = true; return p }

// Display renders the panels.
func (p *PairPlot) Display() (display.Bundle, error) {
	b, err := displayed(p.Figure())
	if err != nil || !p.interactive {
		return b, err
	}
	b.Data[display.MIMEVegaLite], err = p.VegaLite()
	return b, err
}

// VegaLite returns all panels as a Vega-Lite 5 specification.
func (p *PairPlot) VegaLite() (map[string]any, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	all := Panels{title: p.title, cols: len(p.columns)}
	for i := range p.columns {
		for j := range p.columns {
			all.charts = append(all.charts, p.chart(i, j))
		}
	}
	return all.VegaLite()
}

// Save writes the figure to a file whose name ends in .svg, .png or .pdf.
func (p *PairPlot) Save(path string) error { return figure.Save(p, path) }

func displayed(f *figure.Figure, err error) (display.Bundle, error) {
	if err != nil {
		return display.Bundle{}, err
	}
	return f.Display()
}

// chart returns the panel in row i and column j.
func (p *PairPlot) chart(i, j int) *Chart {
	c := New()
	c.data = p.c.data
	if i != j {
		c.Points(p.columns[j].v, p.columns[i].v).Radius(p.radius())
		flat := len(p.columns[j].v) >= fewAlike
		edit(&c.marks[0], func(d *pointsData) { d.flat = flat })
	} else if p.diagonal == density {
		c.KDE(p.columns[j].v).Fill().Cut(0)
	} else {
		c.Hist(p.columns[j].v)
	}
	if p.by != nil {
		c.By(p.by)
	}
	c.X(p.names[j]).Y(p.names[i])
	c.x.whole, c.y.whole = false, false
	return c
}

func (p *PairPlot) radius() float64 {
	return math.Max(0.8, 0.75*radius(len(p.columns[0].v)))
}

// check returns an error if the panels cannot be drawn.
func (p *PairPlot) check() error {
	switch n := len(p.columns); {
	case p.err != nil:
		return p.err
	case n < 2:
		return fmt.Errorf("chart.Pairs: at least 2 variables must be numeric, got %d", n)
	case n > mostPairs:
		return fmt.Errorf("chart.Pairs: there are %d variables; name at most %d of them, such as Pairs(f, %q, %q)", n, mostPairs, p.names[0], p.names[1])
	}
	return nil
}

// Figure draws the panels without rendering them to a format.
func (p *PairPlot) Figure() (*figure.Figure, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	n := len(p.columns)
	m := mosaic{gap: 9, same: true, cells: make([][]*panel, n)}
	for i := range m.cells {
		m.cells[i] = make([]*panel, n)
		for j := range m.cells[i] {
			if p.corner && j > i {
				continue
			}
			q, err := newPanel(p.chart(i, j))
			if err != nil {
				return nil, fmt.Errorf("panel of %s and %s: %w", p.names[i], p.names[j], err)
			}
			m.cells[i][j] = q
		}
	}
	lines := m.cells[n-1][0].legend
	if err := p.align(m.cells); err != nil {
		return nil, err
	}
	legendWidth := 0.0
	if !lines.empty() {
		legendWidth = lines.width()
	}
	w, h := p.w, p.h
	if w <= 0 {
		w = math.Min(900, 60+math.Max(150, 210-15*float64(n))*float64(n)) + legendWidth
	}
	if h <= 0 {
		h = (w-legendWidth)*0.92 + 20
	}
	f := figure.New(w, h)
	top := titled(f, p.title, "")
	m.draw(f, rect{0, top, w - legendWidth, h})
	if !lines.empty() {
		lines.draw(f, w-legendWidth+4, top+14, h-top-40)
	}
	text := fmt.Sprintf("%d variables against each other: ", n)
	for i, name := range p.names {
		if i > 0 {
			text += ", "
		}
		text += name
	}
	f.Text = withTitle(p.title, text+"\n\n"+m.cells[1][0].text())
	return f, nil
}

// align makes the panels of a column share the horizontal axis, and the panels of a row the
// vertical axis. The panels on the diagonal keep their own vertical axis.
func (p *PairPlot) align(cells [][]*panel) error {
	for k := range cells {
		var column, row []*panel
		for i := range cells {
			if q := cells[i][k]; q != nil {
				column = append(column, q)
			}
			if q := cells[k][i]; q != nil && i != k {
				row = append(row, q)
			}
		}
		// All panels of variable k show the same range, on either axis.
		all := newExtent()
		for _, q := range column {
			all.join(q.xe)
		}
		for _, q := range row {
			all.join(q.ye)
		}
		for _, q := range column {
			q.xe = all
		}
		for _, q := range row {
			q.ye = all
		}
	}
	for i := range cells {
		for j, q := range cells[i] {
			if q == nil {
				continue
			}
			if err := q.measure(); err != nil {
				return err
			}
			if i == j {
				other := cells[i][(j+1)%len(cells)]
				if other == nil {
					other = cells[(i+1)%len(cells)][j]
				}
				q.beside = other
				q.hideYLabels = p.corner && i == 0
			}
		}
	}
	return nil
}

// join widens an extent to include another one.
func (e *extent) join(other extent) {
	if other.anything {
		e.cover(other.lo, math.Inf(1), other.padLo)
		e.cover(math.Inf(-1), other.hi, other.padHi)
	}
}

// asBeside sets the vertical axis of a panel of heights to the axis of the panel beside it, after
// the panel's marks are drawn.
func (p *panel) asBeside() {
	s, a := &p.beside.y, &p.beside.c.y
	if p.c.y.title != a.title {
		s, a = &p.beside.x, &p.beside.c.x
	}
	p.y.lo, p.y.hi, p.y.log = s.lo, s.hi, s.log
	p.y.ticks, p.y.labels = nil, nil
	p.y.setTicks(a, p.area.h(), apart(p.area.h(), 28, 40), textHeight)
}
