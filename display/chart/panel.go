package chart

import (
	"math"

	"github.com/gokernel/gokernel/display/figure"
	"github.com/gokernel/gokernel/display/internal/guide"
)

// Fonts of a chart.
var (
	titleFont = guide.TitleFont
	innerFont = figure.Font{Size: 13, Bold: true}
	axisFont  = guide.AxisFont
	tickFont  = guide.TickFont
	headFont  = guide.HeadFont
	noteFont  = guide.NoteFont
)

// Distances that follow from the size of the labels.
const (
	labelHeight = 14  // height of a line of labels, with the minimum space around it
	labelDrop   = 18  // distance from an axis to the baseline of the labels below it
	labelMiddle = 4.6 // distance from the middle of a label to its baseline
	nameLine    = 15  // between the lines of a name
	axisTitle   = 21  // height of the title of an axis
	axisLine    = 17  // height of each further line of the title
	axisLines   = 2   // maximum number of lines of the title
)

type rect struct{ x0, y0, x1, y1 float64 }

func (r rect) w() float64 { return r.x1 - r.x0 }

func (r rect) h() float64 { return r.y1 - r.y0 }

func (r rect) contains(x, y float64) bool {
	return x >= r.x0-0.5 && x <= r.x1+0.5 && y >= r.y0-0.5 && y <= r.y1+0.5
}

// panel is a chart while it is drawn.
type panel struct {
	c           *Chart
	asked       []mark // the marks before computed marks are expanded
	transposed  bool   // x grows downwards, y to the right
	h, v        *axis
	xe, ye      extent
	x, y        scale
	rect        rect // its part of the figure
	area        rect // the plot area in rect
	legend      legend
	inner       bool    // one of several
	across      float64 // width of an interactive figure of several panels; 0 for one
	hideLegend  bool
	hideXLabels bool
	hideXTitle  bool // one title replaces the titles of several panels
	unitBelow   bool // the unit of the axis is below, too
	hideYTitle  bool
	least       margins // minimum margins, as in the panels beside it
	margins     margins
	hangX       bool    // the labels of the x axis hang into the empty place below
	titleY      float64 // position of the title of the x axis
	hideYLabels bool
	leftOut     leftOut
	beside      *panel // panel whose vertical axis replaces the axis of heights
	direct      []directLabel
	nothing     bool      // there is nothing to draw
	edges       []float64 // edges of the bins of all histograms
	samples     [][]float64
	stacks      []stack
	apart       bool   // bars of several marks are side by side
	oneBar      bool   // all bars are at the same moment
	noted       []rect // positions of annotations
	second      *panel // panel with the marks on the right axis
}

func (p *panel) ex() *extent {
	if p.transposed {
		return &p.ye
	}
	return &p.xe
}

func (p *panel) ey() *extent {
	if p.transposed {
		return &p.xe
	}
	return &p.ye
}

func newPanel(c *Chart) (*panel, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	asked := c.marks
	c, err := c.expanded()
	if err != nil {
		return nil, err
	}
	left, right, err := c.cut()
	if err != nil {
		return nil, err
	}
	p, err := panelOf(left, asked)
	if err != nil || right == nil {
		return p, err
	}
	p.second, err = panelOf(right, right.marks)
	return p, err
}

// panelOf prepares a panel for a chart whose computed marks are expanded; asked are the marks
// before the expansion.
func panelOf(c *Chart, asked []mark) (*panel, error) {
	p := &panel{c: c, asked: asked, xe: newExtent(), ye: newExtent(), transposed: c.horizontal || c.namesTooLong()}
	p.h, p.v = &c.x, &c.y
	if p.transposed {
		p.h, p.v = &c.y, &c.x
	}
	for _, k := range kinds {
		if err := k.prepare(p); err != nil {
			return nil, err
		}
	}
	for i := range c.marks {
		p.cover(&c.marks[i], i)
		p.leftOut.rows += c.marks[i].left
		p.leftOut.add(c.marks[i].lost)
	}
	if c.data != nil || p.leftOut.rows > 0 {
		p.leftOut.rows, p.leftOut.notFinite = p.leftOut.rows+p.leftOut.notFinite, 0
	}
	if c.x.levels != nil && p.xe.anything {
		p.xe.cover(-0.5, float64(len(c.x.levels))-0.5, false)
	}
	if c.y.levels != nil && p.ye.anything && !c.y.beside {
		p.ye.cover(-0.5, float64(len(c.y.levels))-0.5, false)
	}
	for _, d := range []struct {
		a *axis
		e *extent
	}{{&c.x, &p.xe}, {&c.y, &p.ye}} {
		for _, t := range d.a.chosen {
			if t < d.e.lo || t > d.e.hi {
				d.e.cover(t, t, false)
			}
		}
	}
	p.noteCovered()
	p.noteBaseline()
	p.legend = newLegend(p)
	if err := p.checkLegend(); err != nil {
		return nil, err
	}
	p.labelDirectly()
	return p, nil
}

// namesTooLong reports whether a bar chart is better drawn with horizontal bars.
func (c *Chart) namesTooLong() bool {
	n := len(c.x.levels)
	if n == 0 || n > 40 || c.y.levels != nil {
		return false
	}
	for i := range c.marks {
		if m := &c.marks[i]; !m.kind.about().lies && !m.slot {
			return false
		}
	}
	w, _ := c.size()
	widest := 0.0
	for _, s := range c.x.levels {
		widest = math.Max(widest, tickFont.Width(s))
	}
	return widest > (w-90)/float64(n)-6
}

// raster reports whether the chart is covered by colored cells, on which a grid would be
// hard to see, and whether the cells can be counted.
func (p *panel) raster() (covered, cells bool) {
	for i := range p.c.marks {
		a, b := p.c.marks[i].kind.raster(&p.c.marks[i])
		covered, cells = covered || a, cells || b
	}
	return covered, cells
}

// titleLines is the maximum number of lines of a title.
const titleLines = 3

// measure decides the ends of both axes.
func (p *panel) measure() error {
	p.fillEmpty()
	var err error
	if p.second != nil {
		p.shareX()
	}
	if p.x, err = newScale(&p.c.x, p.xe, "x"); err != nil {
		return err
	}
	p.x.moment = p.x.moment || p.oneBar && !p.c.x.fixed
	if p.y, err = newScale(&p.c.y, p.ye, "y"); err != nil {
		return err
	}
	if p.x.near || p.y.near {
		p.leftOut.add(leftOut{notes: []string{"values differ by less than an axis can show"}})
	}
	p.noteOutside()
	if p.second == nil {
		return nil
	}
	return p.second.measure()
}

func (p *panel) draw(f *figure.Figure, r rect) {
	p.place(r)
	said := len(p.noteLines(r))
	if p.placePoints(); len(p.noteLines(r)) != said {
		p.place(r) // with room for the note
		p.placePoints()
	}
	p.content(f, r)
	if p.second != nil {
		p.drawSecond(f, r)
	}
	if p.nothing {
		sayNothing(f, p.area)
	}
	p.drawLegend(f, r)
}

// sayNothing writes in the middle of the frame that it is empty.
func sayNothing(f canvas, r rect) {
	f.Label((r.x0+r.x1)/2, (r.y0+r.y1)/2, "there are no values to draw",
		figure.TextStyle{Font: axisFont, Color: figure.Soft(), Anchor: figure.Middle})
}

// content draws the marks, over the grid and under the axes.
func (p *panel) content(f *figure.Figure, r rect) {
	p.noted = nil
	covered, _ := p.raster()
	if !covered {
		p.grid(f)
		p.clearNames(f)
	}
	for _, i := range p.inOrder() {
		p.mark(f, &p.c.marks[i], i)
	}
	if p.beside != nil {
		p.asBeside()
	}
	p.axes(f, r)
	p.directLabels(f)
}

// scales returns the scales of the horizontal and the vertical axis.
func (p *panel) scales() (h, v *scale) {
	if p.transposed {
		return &p.y, &p.x
	}
	return &p.x, &p.y
}
