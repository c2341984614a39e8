// Package facet arranges several drawings of one kind in one figure, with their names above them
// and one legend. The Facet methods of polar charts, 3D charts, treemaps, Sankey diagrams,
// calendars and maps return such panels. Charts with two axes have their own chart.Panels.
package facet

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/display/figure"
	"github.com/gokernel/gokernel/display/internal/guide"
)

// Plan describes the panels.
type Plan struct {
	Title string   // above all panels
	Kind  string   // kind of each panel, such as "polar chart"
	Names []string // names of the panels, row by row
	// Rows and Columns are the row and column names of a grid of panels. If they are empty, the
	// panels are arranged one after the other.
	Rows, Columns []string
	// Draw draws panel k at the given size, without title, legend and note.
	Draw func(k int, w, h float64) (*figure.Figure, error)
	// Height returns the height of a panel with the given width.
	Height func(w float64) float64
	Width  float64 // width of a panel, if there is enough space; 0 means 270
	Cols   int     // panels per row; 0 means up to three
	Legend legend  // may be nil
	Below  string  // text below all panels, such as the title of an axis
	Note   string  // what the panels omit
	Err    error   // if not nil, Display returns it
}

// legend explains the colors of all panels.
type legend interface {
	Empty() bool
	Width() float64
	Draw(f *figure.Figure, x, y, height float64)
	Text() string
}

// Panels are drawings of one kind in one figure.
type Panels struct {
	plan  Plan
	title string
	alt   string
	w, h  float64
}

// New returns the panels of a plan.
func New(plan Plan) *Panels { return &Panels{plan: plan, title: plan.Title} }

// Fail returns panels whose Display returns err.
func Fail(err error) *Panels { return &Panels{plan: Plan{Err: err}} }

// Title sets the title above all panels.
func (p *Panels) Title(s string) *Panels { p.title = guide.Typeset(s); return p }

// Titlef sets the title above all panels from a format, as [fmt.Sprintf] does.
func (p *Panels) Titlef(format string, args ...any) *Panels {
	return p.Title(fmt.Sprintf(format, args...))
}

// Alt sets the sentence that describes the panels for readers who cannot see them.
func (p *Panels) Alt(sentence string) *Panels { p.alt = sentence; return p }

// Cols sets the number of panels per row. With two labels, the panels have one column per class of
// the second label.
func (p *Panels) Cols(n int) *Panels {
	switch {
	case p.plan.Err != nil:
	case n < 1:
		p.plan.Err = fmt.Errorf("facet.Cols: n must be at least 1, got %d", n)
	case p.plan.Rows != nil:
		p.plan.Err = errors.New("facet.Cols: the second label sets the columns of these panels: omit Cols, or pass one label")
	}
	p.plan.Cols = n
	return p
}

// Size sets the width and height of the whole figure in CSS pixels.
func (p *Panels) Size(w, h float64) *Panels { p.w, p.h = w, h; return p }

// Save writes the figure to a file whose name ends in .svg, .png or .pdf.
func (p *Panels) Save(path string) error { return figure.Save(p, path) }

// Display renders the panels.
func (p *Panels) Display() (display.Bundle, error) {
	f, err := p.Figure()
	if err != nil {
		return display.Bundle{}, err
	}
	return f.Display()
}

// Sizes of the parts of the figure.
const (
	widest    = 820 // fits next to the sidebar of a notebook
	usual     = 270 // width of a panel
	edge      = 6
	gap       = 8
	nameRoom  = 24 // room for a name above a panel
	sideRoom  = 22 // room for a name next to a row
	belowRoom = 24
	noteRoom  = 14
)

var nameFont = figure.Font{Size: 13, Bold: true}

// layout is the positions of the panels.
type layout struct {
	w, h       float64 // size of the figure
	cols, rows int
	pw, ph     float64 // size of a panel
	top        float64 // height of the names above the first row
	row        float64 // distance of two rows
	legend     float64 // width of the legend
}

func (p *Panels) layout() (layout, error) {
	n := len(p.plan.Names)
	l := layout{cols: p.plan.Cols}
	if l.cols <= 0 {
		if l.cols = min(n, 3); n == 4 {
			l.cols = 2
		}
	}
	side, above := 0.0, float64(nameRoom)
	if p.plan.Rows != nil {
		l.cols, side, above = len(p.plan.Columns), sideRoom, 0
	}
	l.cols = min(l.cols, n)
	l.rows = (n + l.cols - 1) / l.cols
	if p.plan.Legend != nil && !p.plan.Legend.Empty() {
		l.legend = p.plan.Legend.Width()
	}
	zoom := display.CurrentTheme().Zoom()
	around := 2*edge + float64(l.cols-1)*gap + side + l.legend
	natural := p.plan.Width
	if natural <= 0 {
		natural = usual
	}
	if l.w = p.w / zoom; l.w <= 0 {
		l.w = math.Min(math.Max(widest, natural+around), natural*float64(l.cols)+around)
	}
	l.pw = (l.w - around) / float64(l.cols)
	if p.title != "" {
		l.top = 30 + guide.TitleMore(p.title, l.w)
	}
	below := float64(edge)
	if p.plan.Below != "" {
		below += belowRoom
	}
	if p.plan.Note != "" {
		below += noteRoom
	}
	heads := float64(l.rows) * above
	if p.plan.Rows != nil {
		heads = nameRoom
	}
	between := float64(l.rows-1)*gap + heads + l.top + below
	if l.h = p.h / zoom; l.h > 0 {
		l.ph = (l.h - between) / float64(l.rows)
	} else {
		l.ph = math.Round(p.plan.Height(l.pw))
		l.h = l.ph*float64(l.rows) + between
	}
	l.row = l.ph + above + gap
	if l.pw < 60 || l.ph < 40 {
		return l, fmt.Errorf("facet: panels of %.0f×%.0f pixels cannot be read: enlarge the figure with Size, or pass labels with fewer classes", math.Max(0, l.pw), math.Max(0, l.ph))
	}
	return l, nil
}

// Figure draws the panels without rendering them to a format.
func (p *Panels) Figure() (*figure.Figure, error) {
	if p.plan.Err != nil {
		return nil, p.plan.Err
	}
	l, err := p.layout()
	if err != nil {
		return nil, err
	}
	f := figure.New(math.Ceil(l.w), math.Ceil(l.h))
	guide.Title(f, p.title, l.w)
	style := guide.Text(nameFont, figure.Ink(), figure.Middle)
	var texts []string
	for k, name := range p.plan.Names {
		g, err := p.plan.Draw(k, l.pw, l.ph)
		if err != nil {
			if name != "" {
				err = fmt.Errorf("panel %s: %w", name, err)
			}
			return nil, err
		}
		x, y := edge+float64(k%l.cols)*(l.pw+gap), l.top+nameRoom+float64(k/l.cols)*l.row
		if p.plan.Rows == nil {
			f.Label(x+l.pw/2, y-7, nameFont.Fit(name, l.pw), style)
		}
		f.Place(g, x+(l.pw-g.W)/2, y+(l.ph-g.H)/2)
		texts = append(texts, strings.TrimSpace(name+"\n"+g.Text))
	}
	p.frame(f, l)
	if l.legend > 0 {
		texts = append(texts, p.plan.Legend.Text())
	}
	f.Text = strings.Join(append(texts, p.plan.Note), "\n\n")
	if p.title != "" {
		f.Text = p.title + "\n\n" + f.Text
	}
	f.Text = strings.TrimSpace(f.Text)
	guide.Describe(f, p.title, fmt.Sprintf("%s of the kind %s", guide.Plural(len(p.plan.Names), "panel", "panels"), p.plan.Kind))
	if p.alt != "" {
		f.Title, f.Desc = "", p.alt
	}
	return f, nil
}

// frame draws the texts around the panels.
func (p *Panels) frame(f *figure.Figure, l layout) {
	style := guide.Text(nameFont, figure.Ink(), figure.Middle)
	inner := float64(l.cols)*(l.pw+gap) - gap
	if p.plan.Rows != nil {
		for j, name := range p.plan.Columns {
			f.Label(edge+float64(j)*(l.pw+gap)+l.pw/2, l.top+nameRoom-7, nameFont.Fit(name, l.pw), style)
		}
		style.Up = true
		for i, name := range p.plan.Rows {
			f.Label(edge+inner+16, l.top+nameRoom+float64(i)*l.row+l.ph/2, nameFont.Fit(name, l.ph), style)
		}
	}
	foot := l.h - edge
	if p.plan.Note != "" {
		foot -= noteRoom
	}
	if p.plan.Below != "" {
		f.Label(edge+inner/2, foot-6, guide.AxisFont.Fit(p.plan.Below, inner), guide.Text(guide.AxisFont, figure.Ink(), figure.Middle))
	}
	guide.Note(f, p.plan.Note)
	if l.legend > 0 {
		p.plan.Legend.Draw(f, l.w-l.legend+4, l.top+nameRoom, math.Min(l.h-l.top-nameRoom-20, 220))
	}
}

// Missing returns the note about rows that are in no panel, followed by the other notes.
func Missing(unlabelled int, notes ...string) string {
	var out []string
	if unlabelled > 0 {
		out = append(out, guide.Plural(unlabelled, "row without a label is left out", "rows without a label are left out"))
	}
	for _, s := range notes {
		if s != "" {
			out = append(out, s)
		}
	}
	return strings.Join(out, "; ")
}
