package guide

import (
	"fmt"
	"math"

	"github.com/gokernel/gokernel/display/figure"
)

// Fonts of figures.
var (
	TitleFont = figure.Font{Size: 15, Bold: true}
	AxisFont  = figure.Font{Size: 14}
	TickFont  = figure.Font{Size: 13}
	HeadFont  = figure.Font{Size: 13, Bold: true} // font of legends
	NoteFont  = figure.Font{Size: 12, Italic: true}
)

// Text returns a text style with the given font and color.
func Text(font figure.Font, color figure.Color, anchor figure.Anchor) figure.TextStyle {
	return figure.TextStyle{Font: font, Color: color, Anchor: anchor}
}

// Title writes the title of a figure at its upper left corner and returns the height of the
// title.
func Title(f *figure.Figure, title string, w float64) float64 {
	if title == "" {
		return 0
	}
	for i, s := range titleLines(title, w) {
		f.Label(12, 22+TitleLine*float64(i), s, Text(TitleFont, figure.Ink(), figure.Start))
	}
	return 24 + TitleMore(title, w)
}

// TitleLine is the line height of a title, and MostTitle the maximum number of lines.
const (
	TitleLine = 19
	MostTitle = 3
)

func titleLines(title string, w float64) []string { return TitleFont.Wrap(title, w-24, MostTitle) }

// TitleMore returns the height of a title in addition to one line.
func TitleMore(title string, w float64) float64 {
	return TitleLine * math.Max(0, float64(len(titleLines(title, w))-1))
}

// Note writes a note at the lower right corner of a figure.
func Note(f *figure.Figure, note string) {
	if note != "" {
		f.Label(f.W-12, f.H-6, NoteFont.Fit(note, f.W-24), Text(NoteFont, figure.Soft(), figure.End))
	}
}

// Look is the appearance of an entry in a legend.
type Look int

// The looks of entries.
const (
	Dot Look = iota
	Stroke
	Patch
)

// Entry is a name in a legend.
type Entry struct {
	Name  string
	Color figure.Color
	Look  Look
	Shape figure.Shape // for dots
}

// Bar explains a continuous color scale.
type Bar struct {
	Scheme figure.Scheme
	Lo, Hi float64
	Whole  bool // whether the values are counts
}

// Legend explains the colors of a figure; it is drawn beside the figure.
type Legend struct {
	Title   string
	Entries []Entry
	Bar     *Bar
}

const (
	mostEntries = 20
	widestEntry = 180
)

// Empty reports whether there is nothing to explain.
func (l Legend) Empty() bool { return len(l.Entries) == 0 && l.Bar == nil }

// shown returns the entries for which there is space, and a note about the others.
func (l Legend) shown() (entries []Entry, rest string) {
	if len(l.Entries) <= mostEntries {
		return l.Entries, ""
	}
	return l.Entries[:mostEntries-1], fmt.Sprintf("and %d more", len(l.Entries)-mostEntries+1)
}

// Width returns the width of the legend with a margin, or 0 if it is empty.
func (l Legend) Width() float64 {
	if l.Empty() {
		return 0
	}
	w := HeadFont.Width(l.Title)
	entries, rest := l.shown()
	for _, e := range entries {
		w = math.Max(w, 22+math.Min(widestEntry, TickFont.Width(e.Name)))
	}
	w = math.Max(w, 22+TickFont.Width(rest))
	if l.Bar != nil {
		_, labels, unit := l.Bar.ticks(160)
		for _, s := range append(labels, unit) {
			w = math.Max(w, 22+TickFont.Width(s))
		}
	}
	return w + 24
}

// Text lists the names, or the ends of the scale.
func (l Legend) Text() string {
	s := ""
	if l.Bar != nil {
		s = fmt.Sprintf("colors from %s to %s", Short(l.Bar.Lo), Short(l.Bar.Hi))
	}
	entries, rest := l.shown()
	for _, e := range entries {
		if s != "" {
			s += ", "
		}
		s += e.Name
	}
	if rest != "" {
		s += " " + rest
	}
	if l.Title != "" && s != "" {
		return l.Title + ": " + s
	}
	return s
}

// Draw draws the legend with its upper left corner at (x, y), within the given height.
func (l Legend) Draw(f *figure.Figure, x, y, height float64) {
	end := y + height
	y += 4
	if l.Title != "" {
		f.Label(x, y+9, l.Title, Text(HeadFont, figure.Ink(), figure.Start))
		y += 23
	}
	entries, rest := l.shown()
	for _, e := range entries {
		cy := y + 6.5
		switch e.Look {
		case Dot:
			f.Marker(x+7, cy, 4, e.Shape, figure.Style{Fill: e.Color})
		case Stroke:
			f.Line(x, cy, x+16, cy, figure.Style{Stroke: e.Color, Width: 2.2})
		default:
			f.Rect(x+1, cy-5, 12, 10, 2, figure.Style{Fill: e.Color})
		}
		f.Label(x+22, cy+4.6, TickFont.Fit(e.Name, widestEntry), Text(TickFont, figure.Ink(), figure.Start))
		y += 20
	}
	if rest != "" {
		f.Label(x+22, y+11, rest, Text(TickFont, figure.Soft(), figure.Start))
		y += 20
	}
	if l.Bar != nil {
		if len(entries) > 0 {
			y += 10
		}
		if _, _, unit := l.Bar.ticks(160); unit != "" {
			y += 14 // the unit is above the bar
		}
		l.Bar.draw(f, x, y, math.Max(50, math.Min(math.Min(200, height-24), end+4-y)))
	}
}

// ticks returns the ticks of a bar of the given length.
func (b *Bar) ticks(length float64) (ticks []float64, labels []string, unit string) {
	if b.Lo == b.Hi {
		return []float64{b.Lo}, []string{Short(b.Lo)}, ""
	}
	n := max(2, int(length/40))
	ticks = Ticks(b.Lo, b.Hi, n)
	if b.Whole && len(ticks) > 1 && ticks[1]-ticks[0] < 1 {
		ticks = ticks[:0]
		for t := math.Ceil(b.Lo); t <= b.Hi; t++ {
			ticks = append(ticks, t)
		}
	}
	labels, unit = Labels(ticks, math.Max(math.Abs(b.Lo), math.Abs(b.Hi)))
	return ticks, labels, unit
}

// draw draws the bar downwards from its upper left corner.
func (b *Bar) draw(f *figure.Figure, x, y, h float64) {
	const slices = 64
	end := math.Round(2*(y+h)) / 2
	for i := slices - 1; i >= 0; i-- {
		y0 := math.Round(2*(y+h*float64(slices-1-i)/slices)) / 2
		// The slices overlap, because viewers would show gaps as lines.
		f.Rect(x, y0, 12, end-y0, 0, figure.Style{Fill: b.Scheme.At((float64(i) + 0.5) / slices)})
	}
	ticks, labels, unit := b.ticks(h)
	if unit != "" {
		f.Label(x, y-6, unit, Text(TickFont, figure.Soft(), figure.Start))
	}
	for i, t := range ticks {
		ty := y + h/2
		if b.Lo != b.Hi {
			ty = y + h - h*(t-b.Lo)/(b.Hi-b.Lo)
		}
		f.Line(x+12, ty, x+15, ty, figure.Style{Stroke: figure.Frame(), Width: 0.8})
		f.Label(x+19, ty+4.6, labels[i], Text(TickFont, figure.Soft(), figure.Start))
	}
}

// Share returns the position of v between lo and hi, in [0, 1].
func Share(v, lo, hi float64) float64 {
	if !(lo < hi) {
		return 0.5
	}
	return math.Max(0, math.Min(1, (v/2-lo/2)/(hi/2-lo/2)))
}

// Span returns the smallest and the largest finite value; if no value is finite, lo > hi.
func Span(v []float64) (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for _, x := range v {
		if !math.IsNaN(x) && !math.IsInf(x, 0) {
			lo, hi = math.Min(lo, x), math.Max(hi, x)
		}
	}
	return lo, hi
}

// Whole reports whether all finite values are integers.
func Whole(v []float64) bool {
	for _, x := range v {
		if x != math.Trunc(x) && !math.IsNaN(x) {
			return false
		}
	}
	return len(v) > 0
}

// Plural formats a count with the right form of the noun.
func Plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%s %s", Thousands(fmt.Sprint(n)), many)
}
