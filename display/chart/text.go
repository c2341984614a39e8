package chart

import (
	"fmt"
	"math"
	"strings"
	"unicode/utf8"

	"github.com/gokernel/gokernel/display/figure"
)

// Size of the drawing in a chart's text form, in characters; each character holds 2×4 dots.
const (
	textCols = 60
	textRows = 15
)

// text draws the chart with characters: bars as bars, everything else as dots in
// Braille patterns, cells of heat maps in shades.
func (p *panel) text() string {
	var b strings.Builder
	if p.c.title != "" {
		b.WriteString(p.c.title + "\n")
	}
	if p.c.subtitle != "" {
		b.WriteString(p.c.subtitle + "\n")
	}
	if !p.barText(&b) {
		p.dotText(&b)
	}
	if names := p.legendText(); names != "" {
		b.WriteString(names + "\n")
	}
	if p.leftOut.any() {
		b.WriteString(p.leftOut.note() + "\n")
	}
	return strings.TrimRight(b.String(), "\n")
}

func (p *panel) legendText() string {
	var names []string
	for _, e := range p.legend.entries {
		names = append(names, e.name)
	}
	if p.legend.more > 0 {
		names = append(names, p.legend.rest())
	}
	s := strings.Join(names, ", ")
	if bar := p.legend.bar; bar != nil {
		if s != "" {
			s += "; "
		}
		s += fmt.Sprintf("colors from %s to %s", short(bar.lo), short(bar.hi))
	}
	return s
}

// barText writes a chart with one series of a few bars, one line per bar.
func (p *panel) barText(b *strings.Builder) bool {
	if len(p.c.marks) != 1 {
		return false
	}
	m := &p.c.marks[0]
	names, values := m.kind.barLines(p, m, 0)
	if names == nil {
		return false
	}
	widest, largest := 0, 0.0
	for i, s := range names {
		if utf8.RuneCountInString(s) > 40 {
			names[i] = string([]rune(s)[:39]) + "…"
		}
		widest = max(widest, utf8.RuneCountInString(names[i]))
		if isFinite(values[i]) {
			largest = math.Max(largest, math.Abs(values[i]))
		}
	}
	for i, s := range names {
		b.WriteString(strings.Repeat(" ", widest-utf8.RuneCountInString(s)) + s + " ")
		if v := values[i]; isFinite(v) && largest > 0 {
			n := int(math.Round(40 * (math.Abs(v) / largest)))
			block := "█"
			if v < 0 {
				block = "▒"
			}
			b.WriteString(strings.Repeat(block, n))
			if n > 0 {
				b.WriteByte(' ')
			}
		}
		b.WriteString(short(values[i]) + "\n")
	}
	if title := p.c.y.label(); title != "" {
		b.WriteString(title + "\n")
	}
	return true
}

// dots is a drawing in Braille patterns over shades.
type dots struct {
	braille [textRows][textCols]rune
	shade   [textRows][textCols]rune
}

// set puts the dot at (x, y) of a drawing of 2·textCols × 4·textRows dots.
func (d *dots) set(x, y int) {
	if x < 0 || y < 0 || x >= 2*textCols || y >= 4*textRows {
		return
	}
	bit := [4][2]rune{{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}}[y%4][x%2]
	d.braille[y/4][x/2] |= bit
}

func (d *dots) line(x0, y0, x1, y1 float64) {
	n := math.Max(math.Abs(x1-x0), math.Abs(y1-y0))
	if !(n < 4*textCols*textRows) {
		return
	}
	steps := int(math.Ceil(n))
	for i := range steps + 1 {
		t := 0.0
		if steps > 0 {
			t = float64(i) / float64(steps)
		}
		d.set(int(x0+t*(x1-x0)), int(y0+t*(y1-y0)))
	}
}

func (p *panel) dotText(b *strings.Builder) {
	h, v := p.scales()
	var d dots
	for i := range p.c.marks {
		p.c.marks[i].kind.dot(&dotting{p, &d}, &p.c.marks[i], i)
	}
	top, bottom := v.value(p.area.y0), v.value(p.area.y1)
	left, right := h.value(p.area.x0), h.value(p.area.x1)
	end := func(a *axis, s *scale, x float64) string {
		switch {
		case a.levels != nil:
			k := max(0, min(len(a.levels)-1, int(math.Round(x))))
			return a.levels[k]
		case a.times && len(s.labels) > 0:
			if x == s.lo {
				return s.labels[0]
			}
			return s.labels[len(s.labels)-1]
		}
		return short(x)
	}
	hi, lo := end(p.v, v, top), end(p.v, v, bottom)
	margin := min(20, max(utf8.RuneCountInString(hi), utf8.RuneCountInString(lo)))
	pad := func(s string) string {
		if r := []rune(s); len(r) > margin {
			s = string(r[:margin-1]) + "…"
		}
		return strings.Repeat(" ", margin-utf8.RuneCountInString(s)) + s
	}
	if name := p.v.label(); name != "" {
		b.WriteString(strings.Repeat(" ", margin) + " " + name + "\n")
	}
	for r := range textRows {
		var row strings.Builder
		for c := range textCols {
			switch {
			case d.braille[r][c] != 0:
				row.WriteRune(0x2800 + d.braille[r][c])
			case d.shade[r][c] != 0:
				row.WriteRune(d.shade[r][c])
			default:
				row.WriteByte(' ')
			}
		}
		label := ""
		if r == 0 {
			label = hi
		} else if r == textRows-1 {
			label = lo
		}
		b.WriteString(strings.TrimRight(pad(label)+"│"+row.String(), " ") + "\n")
	}
	from, to := end(p.h, h, left), end(p.h, h, right)
	name := p.h.label()
	room := textCols - utf8.RuneCountInString(from+to+name)
	b.WriteString(pad("") + "└" + strings.Repeat("─", textCols) + "\n" + pad("") + " ")
	if room < 2 {
		b.WriteString(from + " " + name + " " + to + "\n")
		return
	}
	b.WriteString(from + strings.Repeat(" ", room/2) + name + strings.Repeat(" ", room-room/2) + to + "\n")
}

// dotting draws the marks of a panel as dots.
type dotting struct {
	panel *panel
	*dots
}

// at returns the dot at a point of the data.
func (d *dotting) at(x, y float64) (float64, float64) { return d.pixel(d.panel.pt(x, y)) }

// pixel returns the dot at a pixel of the figure.
func (d *dotting) pixel(q figure.Point) (x, y float64) {
	a := d.panel.area
	return (q.X - a.x0) / a.w() * (2*textCols - 1), (q.Y - a.y0) / a.h() * (4*textRows - 1)
}

func (d *dotting) polyline(xs, ys []float64) {
	if len(xs) < 2 {
		return
	}
	x0, y0 := d.at(xs[0], ys[0])
	for k := 1; k < len(xs); k++ {
		x1, y1 := d.at(xs[k], ys[k])
		d.line(x0, y0, x1, y1)
		x0, y0 = x1, y1
	}
}

// set draws a point of the data.
func (d *dotting) set(x, y float64) {
	if a, b := d.at(x, y); isFinite(a) && isFinite(b) {
		d.dots.set(int(a), int(b))
	}
}

// places draws the points of a mark.
func (d *dotting) places(m *mark) {
	for k := range m.x {
		d.set(m.x[k], m.y[k])
	}
}

// pixels draws a line given in pixels.
func (d *dotting) pixels(pts []figure.Point) {
	for k, q := range pts {
		x, y := d.pixel(q)
		if k == 0 {
			if len(pts) == 1 && isFinite(x+y) {
				d.dots.set(int(x), int(y))
			}
			continue
		}
		x0, y0 := d.pixel(pts[k-1])
		d.line(x0, y0, x, y)
	}
}

// shade fills characters by the value of the cell in their middle, times strength.
func (d *dotting) shade(m *mark, strength float64) {
	p, g := d.panel, m.asField().field
	lo, hi := m.valueRange(g.Z)
	h, v := p.scales()
	shades := []rune(" ░▒▓█")
	for r := range textRows {
		for c := range textCols {
			x := h.value(p.area.x0 + p.area.w()*(float64(c)+0.5)/textCols)
			y := v.value(p.area.y0 + p.area.h()*(float64(r)+0.5)/textRows)
			if p.transposed {
				x, y = y, x
			}
			i, j := int(math.Floor((x-g.X0)/(g.X1-g.X0)*float64(g.NX))), int(math.Floor((y-g.Y0)/(g.Y1-g.Y0)*float64(g.NY)))
			if i < 0 || j < 0 || i >= g.NX || j >= g.NY || !isFinite(g.Z[j*g.NX+i]) {
				continue
			}
			t := strength * share(g.Z[j*g.NX+i], lo, hi)
			d.dots.shade[r][c] = shades[min(len(shades)-1, int(t*float64(len(shades))))]
		}
	}
}
