package graph

import (
	"fmt"
	"math"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/display/figure"
)

// widest is the maximum width of a tree. At this width, text is at least 9 pixels high when the
// figure is printed on A4.
const widest = 790.0

// betweenParts is the space between two parts of a tree, including the name of the lower one.
const betweenParts = 40.0

// Whole draws a large tree in one piece, however wide it is. By default, a tree that is wider
// than a page is split into parts. Where a part ends, it shows the number of the part that
// continues it.
func (t *Tree) Whole() *Tree { t.whole = true; return t }

// part is a part of a tree: the nodes below a node, down to some depth.
type part struct {
	root        *box
	name        string    // name of all parts except the first
	levels      []float64 // heights of the levels
	left, width float64
}

func (p *part) place() {
	p.levels = place(p.root)
	left, right := extent(p.root)
	p.left, p.width = left, right-left
}

func (p *part) height() float64 {
	h := -gapY
	for _, level := range p.levels {
		h += level + gapY
	}
	return h
}

// parts splits the tree down to the given depth into parts that are not too wide.
func (t *Tree) parts(limit int) []*part {
	type start struct {
		node  *Node
		depth int
	}
	starts := []start{{t.root, 0}}
	var out []*part
	for i := 0; i < len(starts); i++ {
		s := starts[i]
		p := &part{}
		if i > 0 {
			p.name = fmt.Sprintf("%d  %s", i+1, oneLine(s.node.Title))
		}
		rest := limit - s.depth
		cut := rest
		for {
			p.root = t.build(s.node, 0, cut)
			p.place()
			if t.whole || cut <= 1 || p.width <= t.widest() {
				break
			}
			cut--
		}
		if cut < rest {
			refer(p.root, cut, func(n *Node) int {
				starts = append(starts, start{n, s.depth + cut})
				return len(starts)
			})
			p.place()
		}
		out = append(out, p)
	}
	return out
}

func (t *Tree) widest() float64 {
	if theme := display.CurrentTheme(); theme.Width > 0 {
		return theme.Width/theme.Zoom() - 2*margin
	}
	return widest
}

// refer adds a number to each box at the lower edge of a part: the number of the part that
// continues the tree there.
func refer(b *box, depth int, next func(n *Node) int) {
	if b.depth == depth && b.hidden > 0 {
		text := fmt.Sprintf("continues in %d", next(b.node))
		b.lines[len(b.lines)-1] = text
		b.w = math.Max(b.w, lineFont.Width(text)+2*padX)
	}
	for _, c := range b.children {
		refer(c, depth, next)
	}
}

// cell returns the width of the space for a part: its own width, or the width of most of its name.
func (p *part) cell() float64 {
	if p.name == "" {
		return p.width
	}
	return math.Max(p.width, math.Min(boxFont.Width(p.name), maxText))
}

// shelves arranges parts in rows of the given width. The first part has a row of its own.
func shelves(parts []*part, room float64) [][]*part {
	rows := [][]*part{parts[:1]}
	used := math.Inf(1)
	for i, p := range parts[1:] {
		if used+betweenParts+p.cell() > room {
			rows = append(rows, nil)
			used = -betweenParts
		}
		used += betweenParts + p.cell()
		last := len(rows) - 1
		rows[last] = append(rows[last], parts[i+1])
	}
	return rows
}

// spreadOf returns the width and the height of a row of parts.
func spreadOf(row []*part) (w, h float64) {
	w = -betweenParts
	for _, p := range row {
		w += p.cell() + betweenParts
		h = math.Max(h, p.height())
	}
	return w, h
}

// drawShelf draws a row of parts below y.
func (t *Tree) drawShelf(f *figure.Figure, row []*part, y float64, values *valueRange) {
	width, _ := spreadOf(row)
	x := (f.W - width) / 2
	if row[0].name != "" {
		x = margin
		f.Line(margin, y-betweenParts+12, f.W-margin, y-betweenParts+12, figure.Style{Stroke: figure.Faint()})
	}
	for _, p := range row {
		if p.name != "" {
			f.Label(x, y-12, boxFont.Fit(p.name, p.cell()), figure.TextStyle{Font: boxFont, Color: figure.Ink()})
		}
		at := x
		if len(row) > 1 || p.name == "" {
			at += (p.cell() - p.width) / 2
		}
		p.draw(t, f, at, y, values)
		x += p.cell() + betweenParts
	}
}

// draw draws a part with its upper left corner at (x, y).
func (p *part) draw(t *Tree, f *figure.Figure, x, y float64, values *valueRange) {
	shift := x - p.left
	ys := make([]float64, len(p.levels))
	for d, h := range p.levels {
		ys[d] = y
		y += h + gapY
	}
	var settle func(b *box)
	settle = func(b *box) {
		b.x += shift
		b.y = ys[b.depth]
		for _, c := range b.children {
			settle(c)
		}
	}
	settle(p.root)
	t.edges(f, p.root)
	t.boxes(f, p.root, values)
}
