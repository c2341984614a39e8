package site

import (
	"cmp"
	"fmt"
	"html"
	"html/template"
	"math"
	"slices"
	"strings"
)

// The map is laid out in rows: a lecture is below everything that it needs, and an arrow across
// several rows passes between their boxes.
const (
	nodeWidth, nodeHeight = 150.0, 54.0
	gapX, gapY            = 16.0, 48.0
	mapMargin             = 6.0
)

// courseMap is the map of the lectures.
type courseMap struct {
	rows [][]*node
	ways [][]*node // path of each arrow, with the nodes between its ends
}

// node is a lecture on the map, or a point where an arrow crosses a row.
type node struct {
	*lecture // nil for an arrow
	row      int
	at       float64 // position in its row, from 0 to 1
	x        float64 // position of its center
	parents  []*node
	up, down []*node // connected nodes in the rows above and below
}

// y returns the top of the box.
func (n *node) y() float64 { return mapMargin + float64(n.row)*(nodeHeight+gapY) }

// half returns half of the width.
func (n *node) half() float64 {
	if n.lecture == nil {
		return 0
	}
	return nodeWidth / 2
}

// above reports whether p is on a path up from n.
func (n *node) above(p *node) bool {
	for _, q := range n.parents {
		if q == p || q.above(p) {
			return true
		}
	}
	return false
}

// newCourseMap lays out a map. It omits an arrow if a longer path of arrows connects the same
// lectures. Arrows from one lecture share their path as far as possible.
func newCourseMap(lectures []*lecture) *courseMap {
	m := &courseMap{}
	of := map[*lecture]*node{}
	for _, l := range lectures {
		n := &node{lecture: l}
		for _, need := range l.Needs {
			n.parents = append(n.parents, of[need])
			n.row = max(n.row, of[need].row+1)
		}
		of[l] = n
		m.add(n)
	}
	type lane struct {
		from *node
		row  int
	}
	lanes := map[lane]*node{}
	join := func(a, b *node) { a.down, b.up = append(a.down, b), append(b.up, a) }
	for _, l := range lectures {
		n := of[l]
		for _, p := range n.parents {
			if slices.ContainsFunc(n.parents, func(q *node) bool { return q != p && q.above(p) }) {
				continue
			}
			way := []*node{p}
			for row := p.row + 1; row < n.row; row++ {
				at := lane{p, row}
				if lanes[at] == nil {
					lanes[at] = &node{row: row}
					m.add(lanes[at])
					join(way[len(way)-1], lanes[at])
				}
				way = append(way, lanes[at])
			}
			join(way[len(way)-1], n)
			m.ways = append(m.ways, append(way, n))
		}
	}
	m.order()
	m.place()
	return m
}

func (m *courseMap) add(n *node) {
	for len(m.rows) <= n.row {
		m.rows = append(m.rows, nil)
	}
	m.rows[n.row] = append(m.rows[n.row], n)
}

// sweeps is the number of passes over the rows, alternately up and down.
const sweeps = 24

// order finds an order of each row with few crossings: nodes move to the mean position of their
// connected nodes, and neighbors are swapped if that helps.
func (m *courseMap) order() {
	m.number()
	best, least := m.copyRows(), m.crossings()
	for i := range sweeps {
		for j := range m.rows {
			row, near := m.rows[j], func(n *node) []*node { return n.up }
			if i%2 == 1 {
				row, near = m.rows[len(m.rows)-1-j], func(n *node) []*node { return n.down }
			}
			slices.SortStableFunc(row, func(a, b *node) int {
				return cmp.Compare(mean(near(a), a.at, func(n *node) float64 { return n.at }), mean(near(b), b.at, func(n *node) float64 { return n.at }))
			})
			m.number()
		}
		m.swap()
		if c := m.crossings(); c < least {
			best, least = m.copyRows(), c
		}
	}
	m.rows = best
	m.number()
}

// number sets the position of each node.
func (m *courseMap) number() {
	for _, row := range m.rows {
		for i, n := range row {
			n.at = (float64(i) + 0.5) / float64(len(row))
		}
	}
}

func (m *courseMap) copyRows() [][]*node {
	rows := make([][]*node, len(m.rows))
	for i, row := range m.rows {
		rows[i] = slices.Clone(row)
	}
	return rows
}

// swap swaps neighbors as long as that removes crossings.
func (m *courseMap) swap() {
	for c, better := m.crossings(), true; better; {
		better = false
		for _, row := range m.rows {
			for i := range len(row) - 1 {
				row[i], row[i+1] = row[i+1], row[i]
				m.number()
				if d := m.crossings(); d < c {
					c, better = d, true
					continue
				}
				row[i], row[i+1] = row[i+1], row[i]
				m.number()
			}
		}
	}
}

// crossings returns the number of crossing connections.
func (m *courseMap) crossings() (count int) {
	for _, row := range m.rows {
		for i, a := range row {
			for _, b := range row[i+1:] {
				for _, x := range a.down {
					for _, y := range b.down {
						if x.at > y.at {
							count++
						}
					}
				}
			}
		}
	}
	return count
}

// mean returns the mean of f over nodes, or the default if there are none.
func mean(nodes []*node, otherwise float64, f func(*node) float64) float64 {
	if len(nodes) == 0 {
		return otherwise
	}
	s := 0.0
	for _, n := range nodes {
		s += f(n)
	}
	return s / float64(len(nodes))
}

// place computes the coordinates of the nodes of each row, in their order.
func (m *courseMap) place() {
	for i := range sweeps {
		for j := range m.rows {
			row, near := m.rows[j], func(n *node) []*node { return n.up }
			if i%2 == 1 {
				row, near = m.rows[len(m.rows)-1-j], func(n *node) []*node { return n.down }
			}
			want := make([]float64, len(row))
			for k, n := range row {
				want[k] = mean(near(n), n.x, func(n *node) float64 { return n.x })
			}
			spread(row, want)
		}
	}
	left := math.Inf(1)
	for _, row := range m.rows {
		left = min(left, row[0].x-row[0].half())
	}
	for _, row := range m.rows {
		for _, n := range row {
			n.x += mapMargin - left
		}
	}
}

// spread moves the nodes of a row as near as possible, in the least-squares sense, to their wanted
// positions. It keeps their order and their distances. The solution is an isotonic regression (pool
// adjacent violators) of the wanted positions minus the positions with minimum distances.
func spread(row []*node, want []float64) {
	type pool struct {
		sum, weight float64
		count       int
	}
	var pools []pool
	packed := make([]float64, len(row))
	for i, n := range row {
		weight := 1.0
		if n.lecture == nil {
			weight = 3 // prefer a straight path to a centered box
		}
		if i > 0 {
			packed[i] = packed[i-1] + row[i-1].half() + gapX + n.half()
		}
		last := pool{weight * (want[i] - packed[i]), weight, 1}
		for len(pools) > 0 {
			before := pools[len(pools)-1]
			if before.sum/before.weight <= last.sum/last.weight {
				break
			}
			last = pool{before.sum + last.sum, before.weight + last.weight, before.count + last.count}
			pools = pools[:len(pools)-1]
		}
		pools = append(pools, last)
	}
	i := 0
	for _, p := range pools {
		for range p.count {
			row[i].x = packed[i] + p.sum/p.weight
			i++
		}
	}
}

// drawMap returns the map of the lectures as SVG, or nothing if no lecture needs another.
func drawMap(lectures []*lecture) template.HTML {
	m := newCourseMap(lectures)
	if len(m.rows) < 2 {
		return ""
	}
	width := 0.0
	for _, row := range m.rows {
		last := row[len(row)-1]
		width = max(width, last.x+last.half()+mapMargin)
	}
	height := 2*mapMargin + float64(len(m.rows))*(nodeHeight+gapY) - gapY
	var b strings.Builder
	fmt.Fprintf(&b, `<svg viewBox="0 0 %.0f %.0f" width="%.0f" height="%.0f" role="group" aria-label="Map of the lectures">`, width, height, width, height)
	b.WriteString(`<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path class="tip" d="M0 0.5L8 4L0 7.5z"/></marker></defs>`)
	b.WriteString(`<g class="edges" aria-hidden="true">`)
	for _, way := range m.ways {
		from, to := way[0], way[len(way)-1]
		fmt.Fprintf(&b, `<path marker-end="url(#tip)" data-from="%s" data-to="%s" d="M%.1f %.1f`, html.EscapeString(from.Name), html.EscapeString(to.Name), from.x, from.y()+nodeHeight)
		for i, n := range way[1:] {
			before, end := way[i], n.y()
			if n == to {
				end -= 2 // for the tip
			}
			fmt.Fprintf(&b, "C%.1f %.1f %.1f %.1f %.1f %.1f", before.x, n.y()-gapY*0.3, n.x, n.y()-gapY*0.7, n.x, end)
			if n != to {
				fmt.Fprintf(&b, "L%.1f %.1f", n.x, n.y()+nodeHeight)
			}
		}
		b.WriteString(`"/>`)
	}
	b.WriteString("</g>")
	for _, row := range m.rows {
		for _, n := range row {
			if n.lecture != nil {
				n.draw(&b)
			}
		}
	}
	b.WriteString("</svg>")
	return template.HTML(b.String())
}

// draw writes the box of a lecture.
func (n *node) draw(b *strings.Builder) {
	left, top := n.x-nodeWidth/2, n.y()
	fmt.Fprintf(b, `<a href="%s" data-name="%s"><rect x="%.1f" y="%.1f" width="%.0f" height="%.0f" rx="9"/>`,
		n.Page(), html.EscapeString(n.Name), left, top, nodeWidth, nodeHeight)
	fmt.Fprintf(b, `<text class="number" x="%.1f" y="%.1f">%s</text><text class="minutes" x="%.1f" y="%.1f">%d min</text>`, left+10, top+16, n.Number, left+nodeWidth-10, top+16, n.Minutes)
	for i, text := range wrap(n.short(), 19) {
		fmt.Fprintf(b, `<text x="%.1f" y="%.1f">%s</text>`, left+10, top+31+14*float64(i), html.EscapeString(text))
	}
	b.WriteString("</a>")
}

// short returns the title on the map: from the course file, or the lecture's own.
func (l *lecture) short() string {
	if l.entry != nil && l.entry.Title != "" {
		return l.entry.Title
	}
	return l.Title
}

// wrap breaks a title into at most two lines.
func wrap(s string, most int) []string {
	if len([]rune(s)) <= most {
		return []string{s}
	}
	line, rest := "", strings.Fields(s)
	for len(rest) > 0 && (line == "" || len([]rune(line+" "+rest[0])) <= most) {
		line = strings.TrimSpace(line + " " + rest[0])
		rest = rest[1:]
	}
	second := strings.Join(rest, " ")
	if r := []rune(second); len(r) > most {
		second = strings.TrimRight(string(r[:most-1]), " ,") + "…"
	}
	if second == "" {
		return []string{line}
	}
	return []string{line, second}
}
