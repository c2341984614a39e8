package site

import (
	"cmp"
	"context"
	"fmt"
	"html"
	"html/template"
	"slices"
	"strings"
)

// group is a part of the course on the home page.
type group struct {
	Title    string
	Lectures []*lecture
}

// addHome makes the home page with the map.
func (b *builder) addHome(context.Context) error {
	var groups []*group
	var course []*lecture
	needed := map[*lecture]bool{}
	for _, l := range b.lectures {
		for _, n := range l.Needs {
			needed[n] = true
		}
	}
	for _, l := range b.lectures {
		if needed[l] || len(l.Needs) > 0 {
			course = append(course, l)
		}
		title := l.Part
		if title == "" && len(b.course.Parts) > 0 {
			title = "More notebooks"
		}
		if len(groups) == 0 || groups[len(groups)-1].Title != title {
			groups = append(groups, &group{Title: title})
		}
		g := groups[len(groups)-1]
		g.Lectures = append(g.Lectures, l)
	}
	minutes, figures := 0, 0
	for _, l := range b.lectures {
		figures += len(l.Figures)
		if l.entry != nil {
			minutes += l.Minutes
		}
	}
	p := struct {
		layout
		About                 string
		Map                   template.HTML
		Groups                []*group
		Count, Hours, Figures int
		Names                 int
	}{b.layout("index.html", b.course.Title), b.course.About, drawMap(course), groups, len(b.lectures), (minutes + 30) / 60, figures, len(b.api.names)}
	p.Description = b.course.About
	if err := b.render("home.html", "index.html", p); err != nil {
		return err
	}
	missing := b.layout("404.html", "Not found")
	return b.render("missing.html", "404.html", missing)
}

// The map is laid out in rows: a lecture stands below all that it needs.
const (
	nodeWidth, nodeHeight = 150.0, 54.0
	gapX, gapY            = 16.0, 48.0
	mapMargin             = 6.0
)

// node is a lecture on the map.
type node struct {
	*lecture
	row     int
	x, y    float64
	parents []*node
}

// drawMap gives the map of the lectures as SVG, nothing where no lecture needs another.
func drawMap(lectures []*lecture) template.HTML {
	nodes, rows := layers(lectures)
	if len(rows) < 2 {
		return ""
	}
	widest := 0
	for _, r := range rows {
		widest = max(widest, len(r))
	}
	width := 2*mapMargin + float64(widest)*(nodeWidth+gapX) - gapX
	height := 2*mapMargin + float64(len(rows))*(nodeHeight+gapY) - gapY
	for i, r := range rows {
		left := (width - float64(len(r))*(nodeWidth+gapX) + gapX) / 2
		for j, n := range r {
			n.x, n.y = left+float64(j)*(nodeWidth+gapX), mapMargin+float64(i)*(nodeHeight+gapY)
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<svg viewBox="0 0 %.0f %.0f" width="%.0f" height="%.0f" role="group" aria-label="Map of the lectures">`, width, height, width, height)
	b.WriteString(`<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path class="tip" d="M0 0.5L8 4L0 7.5z"/></marker></defs>`)
	b.WriteString(`<g class="edges" aria-hidden="true">`)
	for _, n := range nodes {
		for _, p := range n.parents {
			x1, y1, x2, y2 := p.x+nodeWidth/2, p.y+nodeHeight, n.x+nodeWidth/2, n.y
			fmt.Fprintf(&b, `<path marker-end="url(#tip)" data-from="%s" data-to="%s" d="M%.1f %.1fC%.1f %.1f %.1f %.1f %.1f %.1f"/>`, html.EscapeString(p.Name), html.EscapeString(n.Name),
				x1, y1, x1, y1+gapY*0.7, x2, y2-gapY*0.7, x2, y2-2)
		}
	}
	b.WriteString("</g>")
	for _, n := range nodes {
		fmt.Fprintf(&b, `<a href="%s" data-name="%s"><rect x="%.1f" y="%.1f" width="%.0f" height="%.0f" rx="9"/>`,
			n.Page(), html.EscapeString(n.Name), n.x, n.y, nodeWidth, nodeHeight)
		fmt.Fprintf(&b, `<text class="number" x="%.1f" y="%.1f">%s</text><text class="minutes" x="%.1f" y="%.1f">%d min</text>`, n.x+10, n.y+16, n.Number, n.x+nodeWidth-10, n.y+16, n.Minutes)
		for i, text := range wrap(n.short(), 19) {
			fmt.Fprintf(&b, `<text x="%.1f" y="%.1f">%s</text>`, n.x+10, n.y+31+14*float64(i), html.EscapeString(text))
		}
		b.WriteString("</a>")
	}
	b.WriteString("</svg>")
	return template.HTML(b.String())
}

// short is the title on the map: that of the course file, or the lecture's own.
func (l *lecture) short() string {
	if l.entry != nil && l.entry.Title != "" {
		return l.entry.Title
	}
	return l.Title
}

// layers puts the lectures into rows, and those of a row near what they need. An edge
// that a longer way replaces is left out.
func layers(lectures []*lecture) (nodes []*node, rows [][]*node) {
	of := map[*lecture]*node{}
	for _, l := range lectures {
		n := &node{lecture: l}
		for _, need := range l.Needs {
			n.parents = append(n.parents, of[need])
			n.row = max(n.row, of[need].row+1)
		}
		of[l] = n
		nodes = append(nodes, n)
		for len(rows) <= n.row {
			rows = append(rows, nil)
		}
		rows[n.row] = append(rows[n.row], n)
	}
	for _, n := range nodes {
		n.parents = slices.DeleteFunc(slices.Clone(n.parents), func(p *node) bool {
			return slices.ContainsFunc(n.parents, func(q *node) bool { return q != p && q.above(p) })
		})
	}
	for range 4 {
		place := map[*node]float64{}
		for _, r := range rows {
			for j, n := range r {
				place[n] = (float64(j) + 0.5) / float64(len(r))
			}
			want := func(n *node) float64 {
				if len(n.parents) == 0 {
					return place[n]
				}
				s := 0.0
				for _, p := range n.parents {
					s += place[p]
				}
				return s / float64(len(n.parents))
			}
			slices.SortStableFunc(r, func(a, b *node) int { return cmp.Compare(want(a), want(b)) })
			for j, n := range r {
				place[n] = (float64(j) + 0.5) / float64(len(r))
			}
		}
	}
	return nodes, rows
}

// above reports whether p stands on a way up from n.
func (n *node) above(p *node) bool {
	for _, q := range n.parents {
		if q == p || q.above(p) {
			return true
		}
	}
	return false
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
