package graph

import (
	"math"
	"strings"

	"github.com/gokernel/gokernel/display/figure"
	"github.com/gokernel/gokernel/display/internal/guide"
)

// groupFont is the font for names of groups.
var groupFont = figure.Font{Size: 12, Bold: true}

// tilePainter draws a treemap.
type tilePainter struct {
	t      *Treemap
	depth  int
	lo, hi float64 // range of the values of By
	groups []int   // colors of the outermost groups
	legend guide.Legend
	amount func(float64) string
}

func (t *Treemap) painter(root *tile) *tilePainter {
	p := &tilePainter{t: t, depth: len(t.path), amount: guide.Amounts(t.amount)}
	for i, c := range root.children {
		if k, ok := t.colors[c.name]; ok {
			i = k
		}
		p.groups = append(p.groups, i)
	}
	switch {
	case t.by.V == nil:
		for _, c := range root.children {
			p.legend.Entries = append(p.legend.Entries, guide.Entry{Name: c.name, Color: p.color(c), Look: guide.Patch})
		}
	case t.by.Levels != nil:
		for k, name := range t.by.Levels {
			p.legend.Entries = append(p.legend.Entries, guide.Entry{Name: name, Color: soften(figure.Class(k)), Look: guide.Patch})
		}
	default:
		var values []float64
		root.leaves(func(c *tile) {
			if c.weight > 0 {
				values = append(values, c.value/c.weight)
			}
		})
		if p.lo, p.hi = guide.Span(values); t.ends != nil {
			p.lo, p.hi = t.ends[0], t.ends[1]
		}
		if p.lo <= p.hi {
			p.legend.Bar = &guide.Bar{Scheme: t.scheme, Lo: p.lo, Hi: p.hi, Whole: guide.Whole(values)}
		}
	}
	return p
}

// soften makes the color of a class suitable for large areas.
func soften(c figure.Color) figure.Color { return figure.Mix(c, figure.Paper(), 0.3) }

func (p *tilePainter) color(c *tile) figure.Color {
	switch {
	case p.t.by.V == nil && p.depth == 1:
		return soften(figure.Class(0))
	case p.t.by.V == nil:
		return soften(figure.Class(p.groups[c.group]))
	case p.t.by.Levels != nil:
		return soften(figure.Class(c.class))
	case c.weight == 0:
		return figure.Shade()
	}
	return p.t.scheme.At(guide.Share(c.value/c.weight, p.lo, p.hi))
}

// needsLegend reports whether the colors have a meaning that no name in the drawing explains.
func (p *tilePainter) needsLegend(root *tile) bool {
	if p.t.by.V != nil {
		return !p.legend.Empty()
	}
	if p.depth == 1 {
		return false
	}
	for _, g := range root.children {
		if !p.nameFits(g) {
			return true
		}
	}
	return false
}

// nameFits reports whether the first rectangle of a group has space for its name.
func (p *tilePainter) nameFits(g *tile) bool {
	first := g
	for len(first.children) > 0 {
		first = first.children[0]
	}
	return first.r.w >= groupFont.Width(g.name)+12 && first.r.h >= 20
}

func (p *tilePainter) draw(f *figure.Figure, root *tile) {
	named := map[*tile]bool{} // rectangles that start with the name of their group
	if p.depth > 1 {
		for _, g := range root.children {
			if p.nameFits(g) {
				first := g
				for len(first.children) > 0 {
					first = first.children[0]
				}
				named[first] = true
			}
		}
	}
	root.leaves(func(c *tile) {
		edge := figure.Style{Fill: p.color(c)}
		if math.Min(c.r.w, c.r.h) >= 3 {
			edge.Stroke, edge.Width = figure.Paper(), 1
		}
		f.Rect(c.r.x, c.r.y, c.r.w, c.r.h, 0, edge)
	})
	if p.depth > 1 {
		for _, g := range root.children {
			f.Rect(g.r.x, g.r.y, g.r.w, g.r.h, 0, figure.Style{Stroke: figure.Paper(), Width: 3})
		}
	}
	root.leaves(func(c *tile) {
		y := c.r.y
		ink := figure.On(p.color(c))
		if named[c] {
			f.Label(c.r.x+6, y+17, root.children[c.group].name, guide.Text(groupFont, ink, figure.Start))
			y += 18
		}
		p.words(f, c, y, ink)
	})
}

// words writes the name and the amount of a part below y, if there is space: in a large font in
// large parts, and in a smaller font if the name needs it.
func (p *tilePainter) words(f *figure.Figure, c *tile, y float64, ink figure.Color) {
	room, height := c.r.w-10, c.r.y+c.r.h-y
	font := figure.Font{Size: math.Max(11, math.Min(15, math.Sqrt(c.r.w*c.r.h)/14))}
	lines := wrapWhole(font, c.name, room, height)
	for lines == nil && font.Size > 9 {
		font.Size -= 0.5
		lines = wrapWhole(font, c.name, room, height)
	}
	if lines == nil {
		font.Size = 9
		short := font.Fit(c.name, room)
		if len([]rune(short)) < 5 || height < 16 {
			return // the start of a name has no meaning
		}
		lines = []string{short}
	}
	pitch := 1.18 * font.Size
	y += 4
	for _, s := range lines {
		y += pitch
		f.Label(c.r.x+6, y, s, guide.Text(font, ink, figure.Start))
	}
	font.Size = math.Min(font.Size, 12)
	amount := p.amount(c.amount)
	if y += 1.2 * font.Size; y+4 <= c.r.y+c.r.h && font.Width(amount) <= room {
		f.Label(c.r.x+6, y, amount, guide.Text(font, figure.Opacity(ink, 0.75), figure.Start))
	}
}

// wrapWhole breaks a name into at most three lines within the available space. It returns nil if
// the name does not fit.
func wrapWhole(font figure.Font, name string, room, height float64) []string {
	most := min(3, int((height-6)/(1.18*font.Size)))
	if most < 1 || room < 12 {
		return nil
	}
	lines := font.Wrap(name, room, most)
	if strings.Join(lines, " ") != strings.Join(strings.Fields(name), " ") {
		return nil
	}
	return lines
}
