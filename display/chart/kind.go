package chart

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/gokernel/gokernel/display/figure"
)

// kind is the kind of a mark: a line, points, bars, a density ... Its methods are all that
// differs between kinds, so that the code that lays out, draws and describes a chart asks
// the mark and never lists kinds. Each kind has a file of its own, mark_NAME.go: a type that
// embeds basic, the variable that marks hold, the verbs that add such marks, and the methods
// that differ from basic's. CONTRIBUTING.md has the recipe.
type kind interface {
	// String is the name in errors and in [Series].
	fmt.Stringer
	about() *traits

	// These methods decide how the methods of Chart apply to a mark.

	takes(m *mark, option string) bool                       // whether an option applies
	misfit(m *mark) error                                    // an option without effect, given the others
	rowwise(m *mark) bool                                    // whether each x is a row, which By and Facet can label
	noRows(m *mark, verb string) error                       // why it has no rows
	label(m *mark, verb string, col column) error            // assigns classes, or values, to its rows
	rename(c *Chart, m *mark, names []string) error          // implements Names
	ownLevels(m *mark) bool                                  // whether all names of an axis are its own, with or without rows
	move(m *mark, to []int, x bool)                          // moves it to new positions on an axis of names
	named(m *mark, a *axis, x bool) error                    // reports unnamed positions
	facet(m *mark, c *Chart)                                 // prepares a mark of c for panels
	parts(m mark, c *Chart) ([]mark, error)                  // the marks that draw it
	empty(m *mark) bool                                      // whether nothing is drawn although the axes have extents
	prepare(p *panel) error                                  // lays out all marks of this kind in a panel, once
	cover(p *panel, m *mark, i int)                          // widens the extents of the axes to what mark i shows
	outside(p *panel, m *mark, i int, in inside) (int, bool) // number of values that fixed axes hide; whether they cut bars

	// Colors and the legend.

	quantity(m *mark) []float64                  // the numbers that its colors show, or nil
	continuous(m *mark) bool                     // whether its colors are a continuous scale
	raster(m *mark) (covered, cells bool)        // whether it covers the panel, in countable cells
	explain(l *explaining, m *mark, i int)       // adds its entries to the legend
	key(f *figure.Figure, e entry, x, y float64) // draws its symbol in the legend

	// The drawing, its text form, the interactive form and the description.

	draw(p *panel, f *figure.Figure, m *mark, i int, l look)
	avoid(p *panel, m *mark) []figure.Point // places that annotations should not cover
	dot(d *dotting, m *mark, i int)
	barLines(p *panel, m *mark, i int) (names []string, values []float64)
	layer(v *vegaPanel, m *mark, i int, l vegaLook)
	finding(p *panel, i int) string // a sentence about what mark i shows, or ""
}

// kinds lists all kinds. prepare is called in this order.
var kinds = []kind{
	line, points, step, area, hist, bars, errs, box, heat, contour, region, vectors, texts, rule, polygon,
	slope, parallel, density, plane, ridges, violin, strip, swarm, ecdf, quantiles, regression, hexbin, hexes, spanned,
}

// traits are the constants of a kind.
type traits struct {
	name        string // name in errors
	chart, part string // in descriptions: as a chart's first mark, and as a further mark
	options     string // names of the options that it takes
	series      bool   // an axis measures it; false for annotations
	cycles      bool   // it takes the next color of the palette
	unpaired    bool   // it is its own series, even over the same data as another mark
	right       bool   // Right can measure it on a second axis
	stacks      bool   // it has a bar at each x, which Stacked and Normalized stack
	lies        bool   // it is drawn horizontally if its names are long
	field       bool   // it shows a field, which ends where the axes do
	direct      bool   // DirectLabels writes its name at its end
	gray        bool   // it is gray unless it has a color, since it shows no data
	lined       bool   // its symbol in the legend is a line
}

// look is the color of a mark, and its lines.
type look struct {
	color  figure.Color
	stroke figure.Style
}

// inside reports whether a value is between the ends of an axis.
type inside func(s *scale, v float64) bool

// basic holds the traits of a kind and implements its methods with their defaults.
type basic struct{ traits }

func (b *basic) String() string { return b.name }
func (b *basic) about() *traits { return &b.traits }

func (b *basic) takes(_ *mark, option string) bool {
	return slices.Contains(strings.Fields(b.options), option)
}

func (*basic) misfit(*mark) error                                             { return nil }
func (*basic) rowwise(m *mark) bool                                           { return m.asLine().f == nil }
func (*basic) ownLevels(*mark) bool                                           { return false }
func (*basic) facet(*mark, *Chart)                                            {}
func (*basic) empty(*mark) bool                                               { return false }
func (*basic) prepare(*panel) error                                           { return nil }
func (*basic) finding(*panel, int) string                                     { return "" }
func (*basic) cover(*panel, *mark, int)                                       {}
func (*basic) outside(*panel, *mark, int, inside) (int, bool)                 { return 0, false }
func (*basic) draw(*panel, *figure.Figure, *mark, int, look)                  {}
func (*basic) avoid(*panel, *mark) []figure.Point                             { return nil }
func (*basic) dot(*dotting, *mark, int)                                       {}
func (*basic) barLines(*panel, *mark, int) (names []string, values []float64) { return nil, nil }
func (*basic) layer(*vegaPanel, *mark, int, vegaLook)                         {}
func (*basic) quantity(m *mark) []float64                                     { return m.value }
func (*basic) continuous(m *mark) bool                                        { return m.value != nil }
func (*basic) raster(*mark) (covered, cells bool)                             { return false, false }

func (b *basic) noRows(m *mark, verb string) error {
	switch {
	case verb == "Facet" && m.asLine().f != nil:
		return errors.New("chart.Facet: the graph of a function has no rows that could be labeled; put several charts into a Grid")
	case verb == "Facet":
		return fmt.Errorf("chart.Facet: %s; put several charts into a Grid", b.says("has no rows that could be labeled"))
	}
	return fmt.Errorf("chart.%s: a %s has no rows that could be labeled; label points, lines, bars, boxes or other marks with a value per row", verb, b.name)
}

// label makes classes of labels; only points have colors for labels that are measurements.
func (b *basic) label(m *mark, verb string, col column) error {
	if m.classify(col) {
		return nil
	}
	return fmt.Errorf("chart.%s: a %s has no continuous colors, so the labels must be strings or whole numbers, got other numbers or times", verb, b.name)
}

// classify assigns the classes of the labels to the rows of a mark, if they are classes.
func (m *mark) classify(col column) (ok bool) {
	if m.class, m.names, ok = col.classes(); ok {
		m.given = col.given()
	}
	return ok
}

func (b *basic) rename(_ *Chart, m *mark, names []string) error {
	if m.class == nil {
		return fmt.Errorf("chart.Names: %s; call By first, or name the whole mark with Name", b.says("has no classes"))
	}
	return m.rename(names)
}

func (*basic) move(m *mark, to []int, x bool) {
	shift := func(v []float64) []float64 {
		out := slices.Clone(v)
		for i, p := range v {
			if k := int(p); p >= 0 && p == math.Trunc(p) && k < len(to) {
				out[i] = float64(to[k])
				if to[k] < 0 {
					out[i] = math.NaN()
				}
			}
		}
		return out
	}
	if x {
		m.x = shift(m.x)
		return
	}
	m.y = shift(m.y)
	if !m.asErrs().across {
		m.lo, m.hi = shift(m.lo), shift(m.hi)
	}
}

func (b *basic) named(m *mark, a *axis, x bool) error {
	n := len(a.asked)
	lo, hi := bounds(m.along(x))
	if lo < -0.5 || hi > float64(n)-0.5 {
		if lo >= -0.5 {
			lo = hi
		}
		return fmt.Errorf("chart.%s: there are %d names for the positions 0 to %d, and a value at %s; give one name per position, or pass the names as data: Bar(names, values)", a.askedBy, n, n-1, short(lo))
	}
	if last := int(hi); x && b.stacks && lo <= hi && n > last+1 {
		return fmt.Errorf("chart.%s: there are %d names for %d bars", a.askedBy, n, last+1)
	}
	return nil
}

func (*basic) parts(m mark, c *Chart) ([]mark, error) { return m.byClass(c) }

// explain adds an entry for each class, a bar of colors for values, or the mark's name.
func (b *basic) explain(l *explaining, m *mark, i int) {
	switch {
	case m.class != nil:
		for k, name := range m.names {
			l.add(entry{name: name, color: figure.Class(k), shape: figure.Shape(k % figure.Shapes), kind: m.kind, ring: m.ring})
		}
	case m.value != nil:
		if lo, hi := m.valueRange(m.value); lo <= hi {
			l.bar = &colorBar{m.scheme, lo, hi, wholeNumbers(m.value)}
		}
	default:
		order := l.panel.order(i)
		l.add(entry{name: m.name, color: m.colorOf(order), kind: m.kind, dash: m.dashes(order), ring: m.ring, width: m.width, solid: m.asPolygon().plain && m.alpha == 1 || m.asArea().pile})
	}
}

func (b *basic) key(f *figure.Figure, e entry, x, y float64) {
	if b.lined {
		f.Line(x, y, x+18, y, figure.Style{Stroke: e.color, Width: math.Min(3, orElse(e.width, 2)), Dash: dashes[e.dash]})
		return
	}
	f.Rect(x+2, y-5, 12, 10, 2, figure.Style{Fill: e.color})
}

// keyArea draws the symbol of areas in the legend.
func keyArea(f *figure.Figure, e entry, x, y float64) {
	s := figure.Style{Fill: figure.Opacity(e.color, 1)}
	if !e.solid {
		s = figure.Style{Fill: figure.Opacity(e.color, 0.35), Stroke: e.color, Width: 1.3}
	}
	f.Rect(x+2, y-5, 12, 10, 2, s)
}

// countOutside counts the places of a mark that fixed axes hide.
func countOutside(p *panel, m *mark, in inside) (n int) {
	for k, x := range m.x {
		if !in(&p.x, x) || !in(&p.y, m.y[k]) {
			n++
		}
	}
	return n
}

// coverPlaces widens the extents to the places of a mark and its intervals.
func coverPlaces(p *panel, m *mark) {
	if n := m.enlarged(); n == 1 {
		p.leftOut.add(leftOut{notes: []string{"1 point is drawn larger than its size, to be seen"}})
	} else if n > 1 {
		p.leftOut.add(leftOut{notes: []string{fmt.Sprintf("%d points are drawn larger than their sizes, to be seen", n)}})
	}
	p.coverX(m.x, true)
	p.coverY(m.visible(), true)
	if m.asErrs().across {
		p.coverX(m.lo, true)
		p.coverX(m.hi, true)
	} else {
		p.coverY(m.lo, true)
		p.coverY(m.hi, true)
	}
}

// avoidPlaces returns places of a mark that annotations should not cover; straight adds
// places along the lines between them.
func avoidPlaces(p *panel, m *mark, straight bool) (out []figure.Point) {
	const most = 4000
	if len(m.x) != len(m.y) {
		return nil
	}
	before := figure.Point{X: math.NaN()}
	for k := 0; k < len(m.x); k += 1 + len(m.x)/most {
		q := p.pt(m.x[k], m.y[k])
		if straight && len(m.x) < 500 {
			for t := 0.1; t < 0.95 && isFinite(before.X+before.Y+q.X+q.Y); t += 0.1 {
				out = append(out, figure.Point{X: before.X + t*(q.X-before.X), Y: before.Y + t*(q.Y-before.Y)})
			}
		}
		if before = q; p.area.contains(q.X, q.Y) {
			out = append(out, q)
		}
	}
	return out
}
