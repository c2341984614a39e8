// Package graph draws trees and directed graphs as SVG, PNG and text: boxes with text, joined by
// lines and positioned by published algorithms.
//
// A [Tree] is drawn with the algorithm of E. Reingold and J. Tilford ("Tidier Drawings of Trees",
// 1981): a parent is centered above its children, equal subtrees look equal, and nothing
// overlaps. A [Graph] is drawn in layers, with the method of K. Sugiyama, S. Tagawa and M. Toda
// ("Methods for Visual Understanding of Hierarchical System Structures", 1981): edges point in
// one direction and have few crossings. A [Treemap] shows parts of a whole as areas, and a
// [Sankey] diagram shows amounts that flow.
package graph

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"sync"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/display/figure"
	"github.com/gokernel/gokernel/display/internal/guide"
)

// Node is a node of a tree with the nodes below it.
type Node struct {
	// Title is the first line: the split of a decision node, or the prediction of a leaf.
	Title string
	// Lines are shown below the title, such as "gain 0.247".
	Lines []string
	// Edge is the label of the line from the parent, such as "sunny" or "≤ 2.45".
	Edge string
	// Counts are the numbers (or weights) of the examples of each class that reach the node. They
	// are drawn as a bar, and the class with the largest count sets the color of the node.
	Counts []float64
	// Value sets the color of a node in a regression tree, on a scale of all values. It can be
	// nil.
	Value *float64
	// Marked highlights the node, for example on the path of a prediction.
	Marked bool
	// Faded makes the node less visible, for example if it was pruned.
	Faded    bool
	Children []*Node
}

// Tree is a tree to be drawn.
type Tree struct {
	root    *Node
	title   string
	classes []string
	depth   int
	whole   bool
	alt     string
	err     error
}

// NewTree returns a drawing of the tree below root.
func NewTree(root *Node) *Tree {
	t := &Tree{root: root, depth: -1}
	if root == nil {
		t.err = errors.New("graph.NewTree: the root must not be nil")
	}
	return t
}

// adapters make trees of types that do not import this package.
var adapters struct {
	sync.RWMutex
	list []func(v any) (*Tree, bool)
}

// Adapt adds an adapter, which converts a value, such as a fitted model, to a tree. The adapter
// returns false for values that it does not handle. The adapter that was added last is tried first.
func Adapt(adapter func(v any) (*Tree, bool)) {
	adapters.Lock()
	defer adapters.Unlock()
	adapters.list = append(adapters.list, adapter)
}

// TreeOf returns a drawing of a *Node, or of any value that an adapter handles.
func TreeOf(v any) *Tree {
	switch v := v.(type) {
	case *Node:
		return NewTree(v)
	case *Tree:
		return v
	}
	adapters.RLock()
	list := adapters.list
	adapters.RUnlock()
	for i := len(list) - 1; i >= 0; i-- {
		if t, ok := list[i](v); ok {
			return t
		}
	}
	return &Tree{depth: -1, err: fmt.Errorf("graph.TreeOf: a %T is not a tree that can be drawn: pass a fitted tree or a *graph.Node", v)}
}

// Title sets the title above the tree.
func (t *Tree) Title(s string) *Tree { t.title = guide.Typeset(s); return t }

// Classes sets the names of the classes for the legend.
func (t *Tree) Classes(names ...string) *Tree { t.classes = names; return t }

// Depth draws the tree down to the given depth (0 is only the root). The drawing shows the number
// of nodes below this depth. By default the depth is limited only by what can be drawn.
func (t *Tree) Depth(n int) *Tree {
	if n < 0 && t.err == nil {
		t.err = fmt.Errorf("graph.Depth: the depth must not be negative, got %d", n)
	}
	t.depth = n
	return t
}

// Sizes of the drawing, in CSS pixels.
const (
	maxText   = 170.0 // width of a line of text
	minBox    = 54.0
	padX      = 9.0
	gapX      = 14.0 // between adjacent boxes
	gapY      = 46.0 // between levels
	margin    = 14.0
	mostNodes = 400 // maximum number of nodes drawn
)

var (
	headFont = figure.Font{Size: 14, Bold: true}
	boxFont  = figure.Font{Size: 12, Bold: true}
	lineFont = figure.Font{Size: 11}
	edgeFont = figure.Font{Size: 11, Italic: true}
)

// box is a node in a drawing.
type box struct {
	node     *Node
	depth    int
	title    []string
	lines    []string
	w, h     float64
	x        float64 // position of its center
	y        float64 // position of its upper edge
	children []*box
	hidden   int // number of nodes below that are not drawn
}

// Display renders the tree.
func (t *Tree) Display() (display.Bundle, error) {
	f, err := t.Figure()
	if err != nil {
		return display.Bundle{}, err
	}
	return f.Display()
}

// Save writes the figure to a file whose name ends in .svg, .png or .pdf.
func (t *Tree) Save(path string) error { return figure.Save(t, path) }

// Figure draws the tree without rendering it to a format.
func (t *Tree) Figure() (*figure.Figure, error) {
	if t.err != nil {
		return nil, t.err
	}
	sizes, err := levelSizes(t.root)
	if err != nil {
		return nil, err
	}
	values := newRange()
	values.add(t.root)
	parts := t.parts(t.limit(sizes))
	top := margin
	if t.title != "" {
		top = 40
	}
	legend := t.legendNames()
	w := math.Max(headFont.Width(t.title), legendWidth(legend)) + 2*margin
	height := top - betweenParts + margin
	rows := shelves(parts, math.Max(t.widest(), parts[0].width))
	for _, row := range rows {
		rw, rh := spreadOf(row)
		w = math.Max(w, rw+2*margin)
		height += rh + betweenParts
	}
	if len(legend) > 0 {
		height += 24
	}
	if w > figure.MaxSide || height > figure.MaxSide {
		return nil, fmt.Errorf("graph: the tree would be %.0f×%.0f pixels large: limit it with Depth", w, height)
	}
	f := figure.New(math.Max(figure.MinSide, w), math.Max(figure.MinSide, height))
	if t.title != "" {
		f.Label(margin, 24, t.title, figure.TextStyle{Font: headFont, Color: figure.Ink()})
	}
	y := top
	for _, row := range rows {
		t.drawShelf(f, row, y, values)
		_, h := spreadOf(row)
		y += h + betweenParts
	}
	drawLegend(f, legend, margin, height-margin-4)
	f.Text = t.text()
	f.Title, f.Desc = t.describe()
	return f, nil
}

// levelSizes counts the nodes of each level. It returns an error if root is not a tree.
func levelSizes(root *Node) ([]int, error) {
	var sizes []int
	seen := map[*Node]bool{}
	level := []*Node{root}
	for len(level) > 0 {
		sizes = append(sizes, len(level))
		var next []*Node
		for _, n := range level {
			if seen[n] {
				return nil, fmt.Errorf("graph: node %q is reached twice, but a tree has one path to each node", n.Title)
			}
			seen[n] = true
			for i, c := range n.Children {
				if c == nil {
					return nil, fmt.Errorf("graph: child %d of node %q must not be nil", i, n.Title)
				}
				next = append(next, c)
			}
		}
		level = next
	}
	return sizes, nil
}

// limit returns the depth down to which the tree is drawn.
func (t *Tree) limit(sizes []int) int {
	last := len(sizes) - 1
	if t.depth >= 0 {
		last = min(last, t.depth)
	}
	total := 0
	for d, n := range sizes[:last+1] {
		total += n
		// A level can be about as wide as a figure; the first level is always drawn.
		if d > 0 && (total > mostNodes || n > 100) {
			return d - 1
		}
	}
	return last
}

func (t *Tree) build(n *Node, depth, limit int) *box {
	b := &box{node: n, depth: depth}
	b.title = boxFont.Wrap(n.Title, maxText, 3)
	for _, s := range n.Lines {
		b.lines = append(b.lines, lineFont.Fit(s, maxText))
	}
	if len(n.Counts) > 0 {
		b.lines = append(b.lines, lineFont.Fit(countText(n.Counts), maxText))
	}
	if depth == limit && len(n.Children) > 0 {
		b.hidden = size(n) - 1
		b.lines = append(b.lines, fmt.Sprintf("… %d below", b.hidden))
	} else {
		for _, c := range n.Children {
			b.children = append(b.children, t.build(c, depth+1, limit))
		}
	}
	b.w = minBox
	for _, s := range b.title {
		b.w = math.Max(b.w, boxFont.Width(s)+2*padX)
	}
	for _, s := range b.lines {
		b.w = math.Max(b.w, lineFont.Width(s)+2*padX)
	}
	b.h = 10 + 15*float64(len(b.title)) + 14*float64(len(b.lines))
	if len(n.Counts) > 0 {
		b.h += 8
	}
	return b
}

func size(n *Node) int {
	s := 1
	for _, c := range n.Children {
		s += size(c)
	}
	return s
}

// countText formats class counts: all of them if they are few.
func countText(counts []float64) string {
	total := 0.0
	for _, c := range counts {
		total += c
	}
	if len(counts) > 4 {
		return "n = " + display.Number(total)
	}
	parts := make([]string, len(counts))
	for i, c := range counts {
		parts[i] = display.Number(c)
	}
	return "n = " + display.Number(total) + "  (" + strings.Join(parts, ", ") + ")"
}

// valueRange is the range of the values of a regression tree.
type valueRange struct{ lo, hi float64 }

func newRange() *valueRange { return &valueRange{math.Inf(1), math.Inf(-1)} }

func (r *valueRange) add(n *Node) {
	if n.Value != nil && !math.IsNaN(*n.Value) && !math.IsInf(*n.Value, 0) {
		r.lo, r.hi = math.Min(r.lo, *n.Value), math.Max(r.hi, *n.Value)
	}
	for _, c := range n.Children {
		r.add(c)
	}
}

// color returns the color of a node and its purity in [0, 1].
func (r *valueRange) color(n *Node) (figure.Color, float64) {
	total, largest, class := 0.0, 0.0, -1
	for i, c := range n.Counts {
		total += c
		if c > largest {
			largest, class = c, i
		}
	}
	switch {
	case class >= 0 && total > 0:
		return figure.Class(class), largest / total
	case n.Value != nil && r.lo < r.hi:
		return figure.Blues.At(0.15 + 0.6*(*n.Value-r.lo)/(r.hi-r.lo)), 1
	}
	return figure.Frame(), 0
}

func (t *Tree) boxes(f *figure.Figure, b *box, values *valueRange) {
	n := b.node
	color, pure := values.color(n)
	ink, soft := figure.Ink(), figure.Soft()
	fill := figure.Shade()
	switch {
	case len(n.Counts) > 0:
		fill = figure.Mix(figure.Paper(), color, 0.06+0.2*pure*pure)
	case n.Value != nil && values.lo < values.hi:
		fill = color
		ink = figure.On(color)
		soft = figure.Mix(ink, color, 0.15)
		color = figure.Mix(color, figure.Ink(), 0.3)
	}
	style := figure.Style{Fill: fill, Stroke: figure.Mix(color, figure.Ink(), 0.1), Width: 1.1}
	if n.Marked {
		style.Stroke, style.Width = figure.Accent(), 2.2
	}
	if n.Faded {
		style.Fill, style.Stroke, style.Dash = figure.Paper(), figure.Mix(figure.Paper(), figure.Frame(), 0.6), []float64{4, 3}
		ink, soft = figure.Mix(figure.Paper(), figure.Ink(), 0.4), figure.Mix(figure.Paper(), figure.Soft(), 0.5)
	}
	round := 5.0
	if len(n.Children) == 0 {
		round = 12
	}
	x, y := b.x-b.w/2, b.y
	f.Rect(x, y, b.w, b.h, round, style)
	ty := y + 17
	for _, s := range b.title {
		f.Label(b.x, ty, s, figure.TextStyle{Font: boxFont, Color: ink, Anchor: figure.Middle})
		ty += 15
	}
	for _, s := range b.lines {
		f.Label(b.x, ty-1, s, figure.TextStyle{Font: lineFont, Color: soft, Anchor: figure.Middle})
		ty += 14
	}
	if len(n.Counts) > 0 {
		mix(f, n, x+padX, y+b.h-10, b.w-2*padX)
	}
	for _, c := range b.children {
		t.boxes(f, c, values)
	}
}

// mix draws the class counts as a bar.
func mix(f *figure.Figure, n *Node, x, y, w float64) {
	total := 0.0
	for _, c := range n.Counts {
		total += math.Max(0, c)
	}
	if total == 0 || math.IsNaN(total) || math.IsInf(total, 0) {
		return
	}
	at := x
	for i, c := range n.Counts {
		if c > 0 {
			part := w * c / total
			color := figure.Class(i)
			if n.Faded {
				color = figure.Mix(figure.Paper(), color, 0.35)
			}
			f.Rect(at, y, part, 5, 0, figure.Style{Fill: color})
			at += part
		}
	}
}

func (t *Tree) edges(f *figure.Figure, b *box) {
	for _, c := range b.children {
		s := figure.Style{Stroke: figure.Frame(), Width: 1.1}
		if b.node.Marked && c.node.Marked {
			s = figure.Style{Stroke: figure.Accent(), Width: 2.2}
		}
		if c.node.Faded {
			s.Stroke, s.Dash = figure.Mix(figure.Paper(), figure.Frame(), 0.6), []float64{4, 3}
		}
		x0, y0, x1, y1 := b.x, b.y+b.h, c.x, c.y
		bend := (y1 - y0) / 2
		f.Curve(figure.Point{X: x0, Y: y0}, figure.Point{X: x0, Y: y0 + bend}, figure.Point{X: x1, Y: y1 - bend}, figure.Point{X: x1, Y: y1}, s)
		t.edges(f, c)
	}
	for _, c := range b.children {
		if c.node.Edge == "" {
			continue
		}
		// Above the child, where every child has its own space.
		text := edgeFont.Fit(c.node.Edge, math.Max(c.w, 60))
		w := edgeFont.Width(text)
		y := c.y - 9
		f.Rect(c.x-w/2-2, y-10, w+4, 13, 2, figure.Style{Fill: figure.Opacity(figure.Paper(), 0.9)})
		f.Label(c.x, y, text, figure.TextStyle{Font: edgeFont, Color: figure.Ink(), Anchor: figure.Middle})
	}
}

type legendEntry struct {
	name  string
	color figure.Color
}

func (t *Tree) legendNames() []legendEntry {
	var out []legendEntry
	for i, name := range t.classes {
		if i == 12 {
			return append(out, legendEntry{fmt.Sprintf("and %d more", len(t.classes)-i), figure.Paper()})
		}
		out = append(out, legendEntry{lineFont.Fit(name, 140), figure.Class(i)})
	}
	return out
}

func legendWidth(entries []legendEntry) float64 {
	w := 0.0
	for _, e := range entries {
		w += 32 + lineFont.Width(e.name)
	}
	return w
}

func drawLegend(f *figure.Figure, entries []legendEntry, x, y float64) {
	for _, e := range entries {
		f.Rect(x, y-9, 12, 10, 2, figure.Style{Fill: e.color})
		f.Label(x+17, y, e.name, figure.TextStyle{Font: lineFont, Color: figure.Ink()})
		x += 32 + lineFont.Width(e.name)
	}
}

// maxTextNodes is the maximum number of nodes in the text form of a tree.
const maxTextNodes = 300

// text returns the tree with one line per node.
func (t *Tree) text() string {
	var b strings.Builder
	if t.title != "" {
		b.WriteString(t.title + "\n")
	}
	written := 0
	var walk func(n *Node, lead, tail string, depth int)
	walk = func(n *Node, lead, tail string, depth int) {
		written++
		b.WriteString(lead)
		if n.Edge != "" {
			b.WriteString(n.Edge + ": ")
		}
		b.WriteString(strings.Join(strings.Fields(n.Title), " "))
		rest := append([]string{}, n.Lines...)
		if len(n.Counts) > 0 {
			rest = append(rest, countText(n.Counts))
		}
		if len(rest) > 0 {
			b.WriteString("  [" + strings.Join(rest, "; ") + "]")
		}
		if n.Marked {
			b.WriteString(" *")
		}
		if n.Faded {
			b.WriteString(" (pruned)")
		}
		b.WriteByte('\n')
		if t.depth >= 0 && depth == t.depth && len(n.Children) > 0 || written > maxTextNodes && len(n.Children) > 0 {
			fmt.Fprintf(&b, "%s└─ … %d below\n", tail, size(n)-1)
			return
		}
		for i, c := range n.Children {
			if i == len(n.Children)-1 {
				walk(c, tail+"└─ ", tail+"   ", depth+1)
			} else {
				walk(c, tail+"├─ ", tail+"│  ", depth+1)
			}
		}
	}
	walk(t.root, "", "", 0)
	if len(t.classes) > 0 {
		b.WriteString("classes: " + strings.Join(t.classes, ", ") + "\n")
	}
	return strings.TrimRight(b.String(), "\n")
}
