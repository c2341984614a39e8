// Package chart draws statistical graphics. A chart is data plus marks (lines, points, bars,
// histograms, areas, steps, error bars, boxes, heat maps, contours, regions, vectors, texts, rules,
// polygons) with scales, a legend and a title. It is shown as SVG and PNG with a text description;
// after Interactive, also as a Vega-Lite 5 specification with tooltips, zoom and brush.
//
// The verbs Plot, Scatter, Hist, Bar, Heatmap, Contour and Func start a chart;
// its methods add marks and set options. An option about one mark (Name, Color,
// Radius ...) applies to the mark added last:
//
//	chart.Plot(x, y).Name("train").Line(x, z).Name("test").Dashed().
//		Title("Learning curve").X("examples").Y("error")
//
// Data are slices of numbers, names (strings), booleans or times, or gonum vectors; the x
// and y of points can also be a matrix with two columns. The verbs also take a frame, or
// another table with named columns, followed by names of columns:
//
//	chart.Scatter(taxis, "km", "fare").By("zone")
//	chart.Bar(taxis, "zone", "fare")
//
// Display reports invalid data, such as slices of unequal length. Values that are not
// finite are left out, and the chart says how many.
package chart

import (
	"errors"
	"fmt"
	"reflect"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/display/figure"
	"github.com/gokernel/gokernel/display/internal/guide"
)

// Chart is one panel of data and marks. New and the verbs return a Chart.
type Chart struct {
	marks       []mark
	data        Columns // the table with named columns; nil without one
	title       string
	subtitle    string
	x, y        axis
	w, h        float64
	equal       bool
	noLegend    bool
	stacked     bool
	normalized  bool
	y2          axis // axis on the right
	horizontal  bool
	density     bool
	interactive bool
	shape       float64 // width/height among several charts; 0 for a single chart
	legendTitle string
	legendAsked bool // set by Legend
	legendPlace legendPlace
	legendOrder []string
	alt         string // the alternative text, instead of the generated one
	err         error
	direct      bool      // names are at the ends of lines
	edges       []float64 // edges of the bins that the panels of a chart share
	ownEdges    []float64 // edges of the bins that the user chose
	edgesUnit   unit
	cumulative  bool
}

// Default size of a chart in CSS pixels.
const (
	defaultWidth  = 600
	defaultHeight = 380
)

// New returns an empty chart.
func New() *Chart { return &Chart{} }

// Fail returns a chart whose Display returns err. Functions that return charts use it
// to report errors.
func Fail(err error) *Chart { return &Chart{err: err} }

// Title sets the title above the chart. Text between dollar signs is a formula, as in all
// texts of a chart: `$\lambda^2$`.
func (c *Chart) Title(s string) *Chart { c.title = guide.Typeset(s); return c }

// Titlef sets the title above the chart from a format, as [fmt.Sprintf] does.
func (c *Chart) Titlef(format string, args ...any) *Chart {
	return c.Title(fmt.Sprintf(format, args...))
}

// Subtitle sets a text of smaller letters below the title, such as the source of the data.
func (c *Chart) Subtitle(s string) *Chart { c.subtitle = guide.Typeset(s); return c }

// X sets the title of the x axis; an empty title is not shown.
func (c *Chart) X(title string) *Chart { c.x.name(title); return c }

// Y sets the title of the y axis; an empty title is not shown.
func (c *Chart) Y(title string) *Chart { c.y.name(title); return c }

// XRange sets the ends of the x axis, which are numbers or, on an axis of times, times. A note on
// the chart counts the values outside this range.
func (c *Chart) XRange(lo, hi any) *Chart { c.setErr(c.x.setRange("XRange", lo, hi)); return c }

// YRange sets the ends of the y axis, as XRange does for the x axis. A note on the chart counts the
// values outside this range and reports bars that are cut.
func (c *Chart) YRange(lo, hi any) *Chart { c.setErr(c.y.setRange("YRange", lo, hi)); return c }

func (c *Chart) setErr(err error) {
	if c.err == nil {
		c.err = err
	}
}

// LogX makes the x axis logarithmic; values that are not positive are left out. The base, 2 or 10,
// decides the ticks: LogX(2) puts them at powers of two. The graphs of functions are computed again
// at points evenly spaced along the axis.
func (c *Chart) LogX(base ...float64) *Chart {
	c.setErr(c.x.setBase("LogX", base))
	for i := range c.marks {
		c.marks[i].tabulate(true)
	}
	return c
}

// LogY makes the y axis logarithmic, as LogX does for the x axis.
func (c *Chart) LogY(base ...float64) *Chart { c.setErr(c.y.setBase("LogY", base)); return c }

// SymlogX makes the x axis logarithmic in both directions from zero: it shows values of both signs
// and zero. Within the threshold, from -threshold to threshold, it is nearly linear. The position
// of v is sign(v) · ln(1 + |v|/threshold).
func (c *Chart) SymlogX(threshold float64) *Chart {
	c.setErr(c.x.setSymlog("SymlogX", threshold))
	return c
}

// SymlogY makes the y axis logarithmic in both directions from zero, as SymlogX does for the x
// axis.
func (c *Chart) SymlogY(threshold float64) *Chart {
	c.setErr(c.y.setSymlog("SymlogY", threshold))
	return c
}

// Size sets the width and height of the whole chart in CSS pixels: Size(600, 400). With one
// argument, a slice of numbers or the name of a column, it makes the areas of the points added last
// proportional to these numbers; Radius then sets the radius of the largest point.
func (c *Chart) Size(of ...any) *Chart {
	if len(of) == 1 {
		return c.sizePoints(of[0])
	}
	var sides [2]float64
	for i := range of {
		if i > 1 || len(of) != 2 || !reflect.ValueOf(of[i]).IsValid() {
			break
		}
		x, ok := numberOf(reflect.ValueOf(of[i]))
		if !ok {
			break
		}
		sides[i] = x
		if i == 1 {
			c.w, c.h = sides[0], sides[1]
			return c
		}
	}
	c.setErr(errors.New("chart.Size: give the width and the height in pixels, or the numbers to show as areas of the points"))
	return c
}

// SizeCM sets the width and height of the whole chart in centimeters, for print. SVG and PDF files
// have this size; for PNG files, see SaveDPI.
func (c *Chart) SizeCM(w, h float64) *Chart {
	c.setErr(inCM(w, h))
	c.w, c.h = w*pixelsPerCM, h*pixelsPerCM
	return c
}

// pixelsPerCM is the number of CSS pixels in a centimeter.
const pixelsPerCM = 96 / 2.54

func inCM(w, h float64) error {
	if !(w > 0 && h > 0) {
		return fmt.Errorf("chart.SizeCM: the width and the height must be positive, got %g and %g", w, h)
	}
	return nil
}

// Equal draws a unit of x as long as a unit of y, so that circles are round.
func (c *Chart) Equal() *Chart { c.equal = true; return c }

// NoAxes leaves out axes, ticks and grid.
func (c *Chart) NoAxes() *Chart { c.x.hidden, c.y.hidden = true, true; return c }

// NoLegend leaves out the legend.
func (c *Chart) NoLegend() *Chart { c.noLegend = true; return c }

// Legend sets the title of the legend. LegendAt sets its place, and LegendOrder the order of its
// entries.
func (c *Chart) Legend(title string) *Chart {
	c.setErr(placed(title))
	c.legendTitle, c.legendAsked = guide.Typeset(title), true
	return c
}

// Stacked stacks the bars that several calls of Bars add.
func (c *Chart) Stacked() *Chart { c.stacked = true; return c }

// Horizontal draws bars and boxes from left to right, with their names on the left. X still sets
// the title of the names' axis, and Y the title of the values' axis.
func (c *Chart) Horizontal() *Chart { c.horizontal = true; return c }

// Density scales histograms to an area of one.
func (c *Chart) Density() *Chart {
	c.density = true
	c.nameHeights()
	return c
}

// Cumulative makes each bar of a histogram count the values of its bin and of all bins before it.
// After Density, too, the bars are proportions of all values in the bins.
func (c *Chart) Cumulative() *Chart {
	c.cumulative = true
	c.nameHeights()
	return c
}

// nameHeights names the y axis after what the heights of histograms are.
func (c *Chart) nameHeights() {
	c.y.whole = !c.density
	switch {
	case c.density && c.cumulative:
		c.y.defaultTitle = "share of values"
	case c.density:
		c.y.defaultTitle = "density"
	case c.cumulative:
		c.y.defaultTitle = "cumulative count"
	default:
		c.y.defaultTitle = "count"
	}
}

// Interactive adds a Vega-Lite version with tooltips, zoom and brush.
func (c *Chart) Interactive() *Chart { c.interactive = true; return c }

// last returns the mark that options apply to.
func (c *Chart) last(option string) *mark {
	if len(c.marks) == 0 {
		c.setErr(fmt.Errorf("chart.%s: the chart has no mark yet; add one before its options", option))
		c.add(mark{kind: texts})
	}
	return &c.marks[len(c.marks)-1]
}

// Name sets the name that the legend shows for the mark added last.
func (c *Chart) Name(s string) *Chart { c.taking("Name").name = guide.Typeset(s); return c }

// By uses labels to group the rows of the mark added last. For points, each class (a string, a bool
// or a whole number) has a color and a shape; other numbers are mapped to a continuous color scale.
// Lines, steps, bars, histograms, areas and error bars are drawn once for each class. Boxes are
// drawn once for each class, next to each other; the box of one slice is split into one box for
// each class. Rows whose label is missing are left out.
func (c *Chart) By(labels any) *Chart {
	m := c.last("By")
	col, err := c.column("By", "labels", labels)
	if err == nil {
		err = m.checkRows("By", len(col.v))
	}
	if groups, ok := col.named(); err == nil && ok && m.asBox().ungrouped {
		edit(m, func(b *boxData) { b.ungrouped = false })
		c.x.levels, c.x.given = nil, false
		m.x = c.x.take(groups)
		return c
	}
	if err == nil {
		err = m.kind.label(m, "By", col)
	}
	if err != nil {
		c.setErr(err)
		return c
	}
	if c.legendTitle == "" {
		c.legendTitle = col.name
	}
	return c
}

// ByClass colors each point of the mark added last by its class, which is an index into names. A
// class without points still uses up its color.
func (c *Chart) ByClass(class []int, names ...string) *Chart {
	m := c.taking("ByClass")
	if err := m.checkRows("ByClass", len(class)); err != nil {
		c.setErr(err)
		return c
	}
	for _, k := range class {
		if k < 0 || k >= len(names) {
			c.setErr(fmt.Errorf("chart.ByClass: there is a class %d, but %d names", k, len(names)))
			return c
		}
	}
	m.class, m.names, m.given = class, names, false
	return c
}

// Color sets the color of the mark added last: #rrggbb, or one of the palette's blue, red, green,
// yellow, cyan, purple, orange, gray, black and white.
func (c *Chart) Color(name string) *Chart {
	col, err := figure.ParseColor(name)
	if err != nil {
		c.setErr(fmt.Errorf("chart.Color: %w", err))
		return c
	}
	c.taking("Color").color = &col
	return c
}

// ClassColor sets the color of the mark added last to the color of class i.
func (c *Chart) ClassColor(i int) *Chart {
	col := figure.Class(i)
	c.taking("ClassColor").color = &col
	return c
}

// Scheme sets the color scheme for the numbers of the mark added last: viridis, blues, greys,
// bluered or redblue. The last two are diverging schemes: their middle color represents zero. Use
// bluered for values such as correlations, and redblue for losses and gains.
func (c *Chart) Scheme(name string) *Chart {
	s, err := figure.SchemeNamed(name)
	if err != nil {
		c.setErr(fmt.Errorf("chart.Scheme: %w", err))
		return c
	}
	m := c.taking("Scheme")
	m.scheme, m.schemed = s, true
	return c
}

// Radius sets the radius of the points added last, in CSS pixels.
func (c *Chart) Radius(r float64) *Chart { c.taking("Radius").radius = r; return c }

// Width sets the line width of the mark added last in CSS pixels. This includes the lines of rings,
// boxes and contours.
func (c *Chart) Width(w float64) *Chart { c.taking("Width").width = w; return c }

// Opacity sets the opacity of the mark added last, in (0, 1]; 1 is opaque.
func (c *Chart) Opacity(a float64) *Chart { c.taking("Opacity").alpha = a; return c }

// Dashed makes the line added last a dashed line.
func (c *Chart) Dashed() *Chart { c.taking("Dashed").dash = true; return c }

// Rings draws the points added last as rings.
func (c *Chart) Rings() *Chart { c.taking("Rings").ring = true; return c }

// Bins sets the number of bins of the histograms.
func (c *Chart) Bins(n int) *Chart {
	if n < 1 || n > 10000 {
		c.setErr(fmt.Errorf("chart.Bins: %d bins cannot be drawn; give 1 to 10000", n))
		return c
	}
	c.taking("Bins").est.bins = n
	return c
}

// BinEdges sets the edges of the bins of the histograms, in ascending order: numbers, times, or
// slices of them. A bin includes its lower edge, and the last bin also its upper edge. A note on
// the chart counts the values outside of the bins. If the bins differ in width, call Density:
// otherwise, a wide bin looks as if it held more values than it does.
func (c *Chart) BinEdges(edges ...any) *Chart {
	m := c.taking("BinEdges")
	if m.kind != hist {
		return c
	}
	var a axis
	if err := a.setTicks("BinEdges", edges); err != nil || len(a.chosen) < 2 {
		c.setErr(fmt.Errorf("chart.BinEdges: the edges must be at least two ascending numbers or times, got %v", flat(edges)))
		return c
	}
	c.ownEdges, c.edgesUnit = a.chosen, a.chosenUnit
	return c
}

// size returns the size of the chart before the theme's scale is applied.
func (c *Chart) size() (w, h float64) {
	t := display.CurrentTheme()
	w, h = c.w/t.Zoom(), c.h/t.Zoom()
	if w <= 0 {
		w = defaultWidth
		if t.Width > 0 {
			w = t.Width / t.Zoom()
		}
	}
	if h <= 0 {
		h = defaultHeight
		if t.Width > 0 && c.w <= 0 {
			h = w * defaultHeight / defaultWidth
		}
	}
	return w, h
}

// Display renders the chart.
func (c *Chart) Display() (display.Bundle, error) {
	return (&Panels{charts: []*Chart{c}, single: true}).Display()
}

// Figure draws the chart without rendering it to a format.
func (c *Chart) Figure() (*figure.Figure, error) {
	return (&Panels{charts: []*Chart{c}, single: true}).Figure()
}

// Save writes the chart to a file whose name ends in .svg, .png or .pdf.
func (c *Chart) Save(path string) error { return figure.Save(c, path) }

// SaveDPI writes the chart to a PNG file with the given number of pixels per inch of the chart's
// size. Journals often ask for 300 or 600. Save writes 192 pixels per inch.
func (c *Chart) SaveDPI(path string, dpi float64) error { return figure.SaveDPI(c, path, dpi) }

// check returns an error if the chart cannot be drawn.
func (c *Chart) check() error {
	if c.err != nil {
		return c.err
	}
	if len(c.marks) == 0 {
		return errors.New("chart: there is nothing to draw; add a mark, such as Line or Points")
	}
	return nil
}
