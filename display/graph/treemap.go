package graph

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"sort"
	"strings"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/display/figure"
	"github.com/gokernel/gokernel/display/internal/guide"
	"github.com/gokernel/gokernel/display/internal/keyed"
	"github.com/gokernel/gokernel/display/internal/variable"
)

// mostTiles is the maximum number of rectangles in a treemap.
const mostTiles = 5000

// Treemap shows parts of a whole, and parts of parts, as rectangles whose areas are proportional
// to the amounts.
type Treemap struct {
	reader variable.Reader
	path   []variable.Column // names, from the outermost groups to the innermost
	amount []float64
	unit   string // unit of the amounts
	title  string
	w, h   float64
	by     variable.Column
	ends   *[2]float64    // range of the numbers of by, if several panels share their colors
	colors map[string]int // colors of the outermost groups, if several panels share them
	scheme figure.Scheme
	note   string
	err    error

	missing, nothing int // rows that are omitted
}

// tile is a part of a treemap.
type tile struct {
	name     string
	amount   float64
	children []*tile
	index    map[string]*tile
	r        rectangle
	group    int     // number of its outermost group
	class    int     // class of the column By, -1 if there is none
	value    float64 // value of the column By: the mean of its rows weighted by their amounts
	weight   float64
}

// rectangle is a rectangle.
type rectangle struct{ x, y, w, h float64 }

// NewTreemap draws amounts as areas: NewTreemap(names, amounts) for slices, with a further slice
// before names for each level of groups. For a frame, pass its columns from the outermost groups to
// the amounts: NewTreemap(f, "continent", "country", "people"). Without amounts it counts rows. It
// also accepts a map of numbers, or a map of such maps.
//
// The rectangles tile the figure, and groups have no margins, so that areas are exactly
// proportional. The amounts of rows with the same names are added up. Negative amounts are errors,
// because areas cannot be negative. Zero and missing amounts are omitted, and a note says so. The
// layout follows M. Bruls, K. Huizing and J. van Wijk ("Squarified Treemaps", 2000): rows of
// rectangles, each of which is extended as long as this improves its worst aspect ratio.
func NewTreemap(data ...any) *Treemap {
	t := &Treemap{}
	if len(data) == 1 {
		if v := reflect.ValueOf(data[0]); v.Kind() == reflect.Map {
			return t.ofMap(v)
		}
	}
	r, args := variable.Begin("graph.Treemap", data)
	t.reader = r
	if len(args) == 0 {
		return t.fail(errors.New("graph.Treemap: there is nothing to draw: pass names and amounts, or a frame and its columns"))
	}
	for i, a := range args {
		col, err := r.Column("the names", a)
		if err != nil {
			return t.fail(err)
		}
		if i == len(args)-1 && i > 0 && col.Levels == nil && !col.Times {
			t.amount, t.unit = col.V, col.Name
			break
		}
		named, err := r.Names("the names", a)
		if err != nil {
			return t.fail(err)
		}
		t.path = append(t.path, named)
	}
	if t.amount == nil {
		t.amount, t.unit = make([]float64, len(t.path[0].V)), "rows"
		for i := range t.amount {
			t.amount[i] = 1
		}
	}
	for _, c := range t.path {
		if len(c.V) != len(t.amount) {
			return t.fail(fmt.Errorf("graph.Treemap: there must be as many names as amounts, got %d names and %d amounts", len(c.V), len(t.amount)))
		}
	}
	return t
}

// ofMap reads a map to numbers, or a map of such maps.
func (t *Treemap) ofMap(m reflect.Value) *Treemap {
	t.reader = variable.Reader{Verb: "graph.Treemap"}
	var outer, inner []string
	nested := false
	for _, e := range keyed.Sorted(m) {
		v := e.Value
		for v.Kind() == reflect.Interface && !v.IsNil() {
			v = v.Elem()
		}
		if v.Kind() == reflect.Map {
			nested = true
			for _, part := range keyed.Sorted(v) {
				x, ok := keyed.Plain(part.Value)
				if !ok {
					return t.fail(fmt.Errorf("graph.Treemap: the amount of %s in %s must be a number, got a %v", part.Name, e.Name, part.Value.Type()))
				}
				outer, inner, t.amount = append(outer, e.Name), append(inner, part.Name), append(t.amount, x)
			}
			continue
		}
		x, ok := keyed.Plain(v)
		if !ok || nested {
			return t.fail(fmt.Errorf("graph.Treemap: the amount of %s must be a number, got a %v", e.Name, e.Value.Type()))
		}
		outer, t.amount = append(outer, e.Name), append(t.amount, x)
	}
	t.path = []variable.Column{variable.OfNames(outer)}
	if nested {
		t.path = append(t.path, variable.OfNames(inner))
	}
	return t
}

func (t *Treemap) fail(err error) *Treemap {
	if t.err == nil {
		t.err = err
	}
	return t
}

// Title sets the title above the treemap.
func (t *Treemap) Title(s string) *Treemap { t.title = guide.Typeset(s); return t }

// Size sets the width and height of the whole figure in CSS pixels.
func (t *Treemap) Size(w, h float64) *Treemap { t.w, t.h = w, h; return t }

// By colors each rectangle by the class of its rows, which must all have the same class, or by a
// number. A rectangle with several rows has the mean of their numbers, weighted by the amounts.
// Without By, the outermost groups have different colors.
func (t *Treemap) By(labels any) *Treemap {
	if t.err != nil {
		return t
	}
	col, err := t.reader.Column("the labels", labels)
	if err == nil && len(col.V) != len(t.amount) {
		err = fmt.Errorf("graph.Treemap: there are %d labels for %d amounts", len(col.V), len(t.amount))
	}
	if err == nil && col.Times {
		err = errors.New("graph.Treemap: the labels must be classes or numbers, got times")
	}
	if err != nil {
		return t.fail(err)
	}
	t.by, t.scheme = col, figure.Viridis
	return t
}

// Display renders the treemap.
func (t *Treemap) Display() (display.Bundle, error) {
	f, err := t.Figure()
	if err != nil {
		return display.Bundle{}, err
	}
	return f.Display()
}

// Save writes the figure to a file whose name ends in .svg, .png or .pdf.
func (t *Treemap) Save(path string) error { return figure.Save(t, path) }

// tiles sums the rows.
func (t *Treemap) tiles() (*tile, error) {
	root := &tile{class: -1}
	t.missing, t.nothing = 0, 0
	leaves := 0
	for i, x := range t.amount {
		names, known := t.names(i)
		switch {
		case math.IsNaN(x) || !known:
			t.missing++
			continue
		case x < 0:
			return nil, fmt.Errorf("graph.Treemap: the amount of %s must not be negative, got %s", strings.Join(names, ", "), guide.Short(x))
		case math.IsInf(x, 0):
			return nil, fmt.Errorf("graph.Treemap: the amount of %s must be finite", strings.Join(names, ", "))
		case x == 0:
			t.nothing++
			continue
		}
		at := root
		at.amount += x
		for _, name := range names {
			next := at.index[name]
			if next == nil {
				next = &tile{name: name, class: -1}
				if at.index == nil {
					at.index = map[string]*tile{}
				}
				at.index[name] = next
				at.children = append(at.children, next)
				if len(at.children) == 1 && at != root {
					leaves--
				}
				leaves++
			}
			at = next
			at.amount += x
		}
		if err := t.label(at, i, x, names); err != nil {
			return nil, err
		}
	}
	if leaves > mostTiles {
		return nil, fmt.Errorf("graph.Treemap: a treemap must have at most %[2]d rectangles, got %[1]d", leaves, mostTiles)
	}
	if math.IsInf(root.amount, 0) {
		return nil, errors.New("graph.Treemap: the amounts are too large to add up")
	}
	t.note = leftOut(t.missing, t.nothing)
	root.arrange(-1)
	return root, nil
}

// leftOut returns the note about the rows that a treemap or a Sankey diagram omits.
func leftOut(missing, nothing int) string {
	var parts []string
	if missing > 0 {
		parts = append(parts, guide.Plural(missing, "row with a missing value is left out", "rows with missing values are left out"))
	}
	if nothing > 0 {
		parts = append(parts, guide.Plural(nothing, "amount of zero is left out", "amounts of zero are left out"))
	}
	return strings.Join(parts, "; ")
}

// names returns the names of row i, and whether none is missing.
func (t *Treemap) names(i int) (names []string, known bool) {
	for _, c := range t.path {
		if c.V[i] < 0 {
			return names, false
		}
		names = append(names, c.Levels[int(c.V[i])])
	}
	return names, true
}

// label sets the label of a leaf from row i.
func (t *Treemap) label(leaf *tile, i int, x float64, names []string) error {
	if t.by.V == nil {
		return nil
	}
	v := t.by.V[i]
	if t.by.Levels == nil {
		if !math.IsNaN(v) {
			leaf.value += x * v
			leaf.weight += x
		}
		return nil
	}
	if leaf.class >= 0 && leaf.class != int(v) {
		return fmt.Errorf("graph.Treemap: %s is both %q and %q, so it has no single color: add that column to the groups",
			strings.Join(names, ", "), t.by.Levels[leaf.class], t.by.Levels[int(v)])
	}
	leaf.class = int(v)
	return nil
}

// arrange sorts the parts by amount in descending order, and numbers the groups.
func (t *tile) arrange(group int) {
	sort.SliceStable(t.children, func(a, b int) bool { return t.children[a].amount > t.children[b].amount })
	for i, c := range t.children {
		c.group = group
		if group < 0 {
			c.group = i
		}
		c.arrange(c.group)
	}
}

// squarify positions the parts in the rectangle of the whole.
func (t *tile) squarify() {
	free, rest := t.r, t.amount
	for row := t.children; len(row) > 0; {
		side := math.Min(free.w, free.h)
		scale := free.w * free.h / rest
		// The row is extended as long as its worst aspect ratio improves.
		n, sum := 1, row[0].amount
		for n < len(row) {
			next := sum + row[n].amount
			if worst(row[:n], sum, scale, side) < worst(row[:n+1], next, scale, side) {
				break
			}
			n, sum = n+1, next
		}
		thick := sum * scale / math.Max(side, 1e-300)
		if n == len(row) { // the last row ends at the edge of the rectangle
			thick = math.Max(free.w, free.h)
		}
		at := 0.0
		for _, c := range row[:n] {
			length := side * c.amount / sum
			if free.w >= free.h {
				c.r = rectangle{free.x, free.y + at, thick, length}
			} else {
				c.r = rectangle{free.x + at, free.y, length, thick}
			}
			at += length
		}
		if free.w >= free.h {
			free.x, free.w = free.x+thick, free.w-thick
		} else {
			free.y, free.h = free.y+thick, free.h-thick
		}
		row, rest = row[n:], rest-sum
	}
	for _, c := range t.children {
		c.squarify()
	}
}

// worst returns the largest aspect ratio in a row with these parts.
func worst(row []*tile, sum, scale, side float64) float64 {
	most, least := row[0].amount, row[len(row)-1].amount
	s, side2 := sum*scale, side*side
	return math.Max(side2*most*scale/(s*s), s*s/(side2*least*scale))
}

// leaves calls do for each part that has no parts.
func (t *tile) leaves(do func(*tile)) {
	for _, c := range t.children {
		if len(c.children) == 0 {
			do(c)
		}
		c.leaves(do)
	}
}

// tooSmall returns the note about parts that are too small to be visible.
func (t *tile) tooSmall() string {
	n := 0
	t.leaves(func(c *tile) {
		if math.Min(c.r.w, c.r.h) < 1 {
			n++
		}
	})
	if n == 0 {
		return ""
	}
	return guide.Plural(n, "part is smaller than a pixel", "parts are smaller than a pixel")
}

// Figure draws the treemap without rendering it to a format.
func (t *Treemap) Figure() (*figure.Figure, error) {
	if t.err != nil {
		return nil, t.err
	}
	root, err := t.tiles()
	if err != nil {
		return nil, err
	}
	w, h := t.w, t.h
	if w <= 0 {
		w = 640
	}
	if h <= 0 {
		h = 400
	}
	f := figure.New(w, h)
	top := 12 + guide.Title(f, t.title, w)
	bottom := 12.0
	if t.note != "" {
		bottom = 22
	}
	p := t.painter(root)
	root.r = rectangle{12, top, w - 24, h - top - bottom}
	root.squarify()
	if p.needsLegend(root) {
		p.legend.Title = t.unit
		if t.by.V != nil {
			p.legend.Title = t.by.Name
		} else {
			p.legend.Title = t.path[0].Name
		}
		root.r.w -= p.legend.Width()
		root.squarify()
		p.legend.Draw(f, w-p.legend.Width()+4, top, h-top-bottom)
	}
	if root.amount == 0 {
		f.Label(w/2, h/2, "there are no amounts to draw", guide.Text(guide.AxisFont, figure.Soft(), figure.Middle))
	}
	if small := root.tooSmall(); small != "" {
		if t.note == "" {
			root.r.h -= 10 // for the note
			root.squarify()
			small = root.tooSmall()
		}
		t.note = strings.TrimPrefix(t.note+"; "+small, "; ")
	}
	p.draw(f, root)
	guide.Note(f, t.note)
	f.Text = t.text(root)
	guide.Describe(f, t.title, "Treemap")
	return f, nil
}

// text lists the parts with their fractions.
func (t *Treemap) text(root *tile) string {
	var b strings.Builder
	amount := guide.Amounts(t.amount)
	if t.title != "" {
		b.WriteString(t.title + "\n")
	}
	b.WriteString(strings.TrimSpace(amount(root.amount)+" "+t.unit) + "\n")
	left := 60
	var list func(parent *tile, indent string)
	list = func(parent *tile, indent string) {
		for _, c := range parent.children {
			if left--; left < 0 {
				continue
			}
			share := c.amount / root.amount
			fmt.Fprintf(&b, "%s%s %s %s (%.1f %%)\n", indent, c.name, strings.Repeat("█", int(math.Round(40*share))), amount(c.amount), 100*share)
			list(c, indent+"  ")
		}
	}
	list(root, "  ")
	if left < 0 {
		fmt.Fprintf(&b, "  and %d more\n", -left)
	}
	if t.note != "" {
		b.WriteString(t.note + "\n")
	}
	return strings.TrimRight(b.String(), "\n")
}
