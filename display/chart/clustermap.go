package chart

import (
	"errors"
	"fmt"
	"math"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/display/figure"
	"github.com/gokernel/gokernel/display/internal/guide"
	"github.com/gokernel/gokernel/display/internal/stat"
)

// Linkage clusters rows hierarchically. Row i of merges holds the indices of the two clusters that
// are merged into cluster n+i, in ascending order, and then the distance between these clusters.
// Clusters 0 to n-1 are the single rows.
type Linkage func(rows [][]float64) (merges [][]float64, err error)

// ClusterMap is a heat map whose rows and columns are in the order of their dendrograms;
// [Clustermap] returns a ClusterMap.
type ClusterMap struct {
	z             matrix
	link          Linkage
	rows, columns []string
	given         bool // the columns have names of their own
	scheme        string
	scaled        string
	plain         [2]bool // rows, columns keep their order
	title         string
	w, h          float64
	err           error
}

// Clustermap draws a matrix as a heat map with a dendrogram of the rows on the left and a
// dendrogram of the columns on top. Rows and columns are in the order of the dendrograms, so that
// similar rows or columns are next to each other (M. B. Eisen et al., "Cluster analysis and display
// of genome-wide expression patterns", 1998). Without values, it draws an empty frame.
//
// z is a matrix or a table. From a table, Clustermap draws the named columns or, without names, all
// numeric columns.
func Clustermap(link Linkage, z any, columns ...string) *ClusterMap {
	p := &ClusterMap{link: link}
	if _, ok := z.(Columns); ok {
		var all []column
		if _, p.columns, all, p.err = numbers("Clustermap", z, columns); len(all) > 0 {
			t := table{r: len(all[0].v), c: len(all)}
			for i := range t.r {
				for _, c := range all {
					t.v = append(t.v, c.v[i])
				}
			}
			p.z = t
		} else if p.err == nil {
			p.err = errors.New("chart.Clustermap: at least one column must hold numbers")
		}
	} else if p.z, p.err = matrixOf("Clustermap", "z", z); p.err == nil && len(columns) > 0 {
		p.err = errors.New("chart.Clustermap: a matrix has no named columns; leave the names out, or give a frame")
	}
	if p.err != nil {
		return p
	}
	if n, ok := z.(columnNamer); ok {
		p.columns = n.ColumnNames()
	}
	for j, name := range p.columns {
		p.given = p.given || guide.Column(name) != guide.Feature(j)
	}
	r, k := p.z.Dims()
	switch {
	case r > 2000 || k > 2000:
		p.err = fmt.Errorf("chart.Clustermap: the matrix is %d×%d; at most 2000 rows and columns can be shown", r, k)
	}
	for i := range r {
		for j := range k {
			if p.err == nil && !isFinite(p.z.At(i, j)) {
				p.err = fmt.Errorf("chart.Clustermap: the value in row %d and column %d is %v; distances need finite values", i, j, p.z.At(i, j))
			}
		}
	}
	return p
}

// YNames names the rows.
func (p *ClusterMap) YNames(names ...string) *ClusterMap { p.rows = names; return p }

// XNames names the columns of a matrix. Columns of a table keep their names.
func (p *ClusterMap) XNames(names ...string) *ClusterMap {
	if p.given && p.err == nil {
		p.err = fmt.Errorf("chart.XNames: the columns are called %s, in the order of their dendrogram; rename them in the data", firstNames(p.columns))
	}
	p.columns = names
	return p
}

// Scheme sets the colors: viridis, bluered, redblue, blues or greys.
func (p *ClusterMap) Scheme(name string) *ClusterMap { p.scheme = name; return p }

// Standardize scales every row (if each is "rows") or every column (if each is "columns") to mean 0
// and standard deviation 1, before distances are computed. The colors show the standardized
// numbers.
func (p *ClusterMap) Standardize(each string) *ClusterMap {
	if each != "rows" && each != "columns" && p.err == nil {
		p.err = fmt.Errorf("chart.Standardize: the argument must be rows or columns, got %q", each)
	}
	p.scaled = each
	return p
}

// KeepRows keeps the rows in the order of the data and omits their dendrogram.
func (p *ClusterMap) KeepRows() *ClusterMap { p.plain[0] = true; return p }

// KeepColumns keeps the columns in the order of the data and omits their dendrogram.
func (p *ClusterMap) KeepColumns() *ClusterMap { p.plain[1] = true; return p }

// Title sets the title above the figure.
func (p *ClusterMap) Title(s string) *ClusterMap { p.title = guide.Typeset(s); return p }

// Size sets the width and height of the whole figure in CSS pixels.
func (p *ClusterMap) Size(w, h float64) *ClusterMap { p.w, p.h = w, h; return p }

// Display renders the figure.
func (p *ClusterMap) Display() (display.Bundle, error) { return displayed(p.Figure()) }

// Save writes the figure to a file whose name ends in .svg, .png or .pdf.
func (p *ClusterMap) Save(path string) error { return figure.Save(p, path) }

// values returns the rows of the matrix as they are shown.
func (p *ClusterMap) values() [][]float64 {
	r, k := p.z.Dims()
	rows := make([][]float64, r)
	for i := range rows {
		rows[i] = make([]float64, k)
		for j := range rows[i] {
			rows[i][j] = p.z.At(i, j)
		}
	}
	switch p.scaled {
	case "rows":
		for _, row := range rows {
			standardize(row)
		}
	case "columns":
		columns := turned(rows)
		for _, c := range columns {
			standardize(c)
		}
		rows = turned(columns)
	}
	return rows
}

// standardize scales values to mean 0 and standard deviation 1; constant values become 0.
func standardize(v []float64) {
	m, sd := total(v)/float64(len(v)), stat.Deviation(v)
	for i, x := range v {
		v[i] = 0
		if sd > 0 {
			v[i] = (x - m) / sd
		}
	}
}

// turned returns the transposed matrix.
func turned(rows [][]float64) [][]float64 {
	out := make([][]float64, len(rows[0]))
	for j := range out {
		out[j] = make([]float64, len(rows))
		for i := range rows {
			out[j][i] = rows[i][j]
		}
	}
	return out
}

// tree is a dendrogram with its leaves side by side.
type tree struct {
	order []int
	x, y  []float64 // brackets, with gaps between
	top   float64
}

// treeOf clusters rows; keep leaves them in their order.
func (p *ClusterMap) treeOf(rows [][]float64, keep bool) (tree, error) {
	n := len(rows)
	t := tree{}
	if keep || n < 2 {
		for i := range n {
			t.order = append(t.order, i)
		}
		return t, nil
	}
	if p.link == nil {
		return t, errors.New("chart.Clustermap: the linkage must not be nil")
	}
	merges, err := p.link(rows)
	if err != nil {
		return t, err
	}
	if len(merges) != n-1 {
		return t, fmt.Errorf("chart.Clustermap: the linkage has %d merges for %d rows", len(merges), n)
	}
	var leaves func(k int)
	leaves = func(k int) {
		if k < n {
			t.order = append(t.order, k)
			return
		}
		leaves(int(merges[k-n][0]))
		leaves(int(merges[k-n][1]))
	}
	leaves(2*n - 2)
	at, height := make([]float64, 2*n-1), make([]float64, 2*n-1)
	for i, leaf := range t.order {
		at[leaf] = float64(i)
	}
	for i, m := range merges {
		a, b, h := int(m[0]), int(m[1]), m[2]
		at[n+i], height[n+i] = (at[a]+at[b])/2, h
		t.x = append(t.x, at[a], at[a], at[b], at[b], math.NaN())
		t.y = append(t.y, height[a], h, h, height[b], math.NaN())
		t.top = math.Max(t.top, h)
	}
	return t, nil
}

// chart draws the brackets.
func (t tree) chart(n int, lying bool) *Chart {
	c := New().Line(t.x, t.y).Color("gray").Width(math.Max(0.7, math.Min(1.3, 60/float64(n)))).
		XRange(-0.5, float64(n)-0.5).YRange(0, 1.04*math.Max(t.top, 1e-12))
	c.x.hidden, c.y.hidden = true, true
	if lying {
		c.horizontal, c.y.reverse = true, true // the root is on the left
	}
	return c
}

// ordered returns names in the order of the leaves, or nil if there are no names.
func ordered(names []string, order []int, what string) ([]string, error) {
	if len(names) == 0 {
		return nil, nil
	}
	if len(names) != len(order) {
		return nil, fmt.Errorf("chart.Clustermap: there are %d names for %d %s", len(names), len(order), what)
	}
	out := make([]string, len(order))
	for i, k := range order {
		out[i] = names[k]
	}
	return out, nil
}

// Figure draws the heat map and the dendrograms without rendering them to a format.
func (p *ClusterMap) Figure() (*figure.Figure, error) {
	if p.err != nil {
		return nil, p.err
	}
	if r, k := p.z.Dims(); r < 1 || k < 1 {
		c := New().Heat(p.z)
		c.title, c.w, c.h = p.title, p.w, p.h
		return c.Figure()
	}
	rows := p.values()
	left, err := p.treeOf(rows, p.plain[0])
	if err != nil {
		return nil, err
	}
	top, err := p.treeOf(turned(rows), p.plain[1])
	if err != nil {
		return nil, err
	}
	rowNames, err := ordered(p.rows, left.order, "rows")
	if err != nil {
		return nil, err
	}
	columnNames, err := ordered(p.columns, top.order, "columns")
	if err != nil {
		return nil, err
	}
	z := make([][]float64, len(rows))
	for i, k := range left.order {
		for _, j := range top.order {
			z[i] = append(z[i], rows[k][j])
		}
	}
	c := New().Heat(z)
	if p.scheme != "" {
		c.Scheme(p.scheme)
	} else if p.scaled != "" {
		c.Scheme("bluered")
	}
	if columnNames != nil {
		c.x.levels = columnNames
	} else {
		c.x.hidden = true
	}
	c.y.hidden = true
	heat, err := newPanel(c)
	if err != nil {
		return nil, err
	}
	if err := heat.measure(); err != nil {
		return nil, err
	}
	return p.draw(heat, left, top, rowNames)
}

// draw lays out the parts.
func (p *ClusterMap) draw(heat *panel, left, top tree, rowNames []string) (*figure.Figure, error) {
	m := mosaic{cells: [][]*panel{{heat}}, gap: 3}
	side := func(t tree, n int, lying bool) (*panel, error) {
		q, err := newPanel(t.chart(n, lying))
		if err != nil {
			return nil, err
		}
		return q, q.measure()
	}
	if left.x != nil {
		q, err := side(left, len(left.order), true)
		if err != nil {
			return nil, err
		}
		m.cells[0] = []*panel{q, heat}
		m.wide = []float64{1, 5}
	}
	if top.x != nil {
		q, err := side(top, len(top.order), false)
		if err != nil {
			return nil, err
		}
		row := []*panel{q}
		if left.x != nil {
			row = []*panel{nil, q}
		}
		m.cells = [][]*panel{row, m.cells[0]}
		m.high = []float64{1, 5}
	}
	m.behind = 4
	font := tickFont
	for _, s := range rowNames {
		m.behind = math.Max(m.behind, math.Min(140, tickFont.Width(s)+8))
	}
	legendWidth := heat.legend.width()
	w, h := p.w, p.h
	if w <= 0 {
		w = math.Max(380, math.Min(660, 160+float64(len(top.order))*38)) + m.behind + legendWidth
	}
	if h <= 0 {
		h = math.Max(320, math.Min(720, 150+float64(len(left.order))*14))
	}
	f := figure.New(w, h)
	y := titled(f, p.title, "")
	m.draw(f, rect{0, y, w - legendWidth, h})
	a := heat.area
	slot := a.h() / float64(len(left.order))
	font.Size = math.Max(9, math.Min(font.Size, slot-1))
	every := max(1, int(math.Ceil((font.Size+0.5)/slot)))
	for i, s := range rowNames {
		if i%every == 0 {
			f.Label(a.x1+6, a.y0+slot*(float64(i)+0.5)+0.36*font.Size, font.Fit(s, m.behind), figure.TextStyle{Font: font, Color: figure.Soft()})
		}
	}
	heat.legend.draw(f, w-legendWidth+4, a.y0, a.h())
	f.Text = withTitle(p.title, heat.text())
	return f, nil
}
