package chart

import (
	"image/png"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gokernel/gokernel/display/figure"
)

// TestRelativeSizes: rows and columns have the relative sizes of Heights and Widths.
func TestRelativeSizes(t *testing.T) {
	v := []float64{1, 2, 3}
	grid := func() *Panels { return Grid(Plot(v), Plot(v), Plot(v), Plot(v), Plot(v), Plot(v)) }
	p := grid().Widths(3, 1).Heights(1, 2, 1).Size(800, 400)
	panels, err := p.panels()
	if err != nil {
		t.Fatal(err)
	}
	l := p.arrange(panels)
	if l.cols != 2 || l.rows != 3 {
		t.Fatalf("there are %d columns and %d rows", l.cols, l.rows)
	}
	for i, want := range []rect{{0, 0, 600, 100}, {600, 0, 800, 100}, {0, 100, 600, 300}, {600, 100, 800, 300}, {0, 300, 600, 400}, {600, 300, 800, 400}} {
		if got := l.cell(i); math.Abs(got.x0-want.x0)+math.Abs(got.x1-want.x1)+math.Abs(got.y0-want.y0)+math.Abs(got.y1-want.y1) > 1e-9 {
			t.Errorf("panel %d is at %v, want %v", i, got, want)
		}
	}
	spec, err := p.VegaLite()
	if err != nil {
		t.Fatal(err)
	}
	var widths, heights []float64
	for _, s := range spec["concat"].([]any) {
		widths, heights = append(widths, s.(object)["width"].(float64)), append(heights, s.(object)["height"].(float64))
	}
	if math.Abs(widths[0]/widths[1]-3) > 1e-9 || math.Abs(heights[2]/heights[0]-2) > 1e-9 || spec["align"] != "each" {
		t.Errorf("the interactive panels are %v wide and %v high", widths, heights)
	}
	for want, p := range map[string]*Panels{
		"chart.Widths: there must be 2 relative widths, one per column, got 3": grid().Cols(2).Widths(1, 2, 3),
		"chart.Heights: there must be 2 relative heights, one per row, got 1":  grid().Heights(1),
		"chart.Widths: the relative sizes must be positive, got [1 0]":         grid().Widths(1, 0),
		"chart.Heights: there are no relative sizes":                           grid().Heights(),
	} {
		if _, err := p.Figure(); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
		if _, err := p.VegaLite(); err == nil {
			t.Errorf("the interactive form does not report %q", want)
		}
	}
}

// TestSubtitles: a subtitle is below the title, and makes room for itself.
func TestSubtitles(t *testing.T) {
	v, l := []float64{1, 2, 3}, []string{"a", "b", "c"}
	area := func(c *Chart) rect {
		p, err := newPanel(c)
		if err != nil {
			t.Fatal(err)
		}
		if err := p.measure(); err != nil {
			t.Fatal(err)
		}
		p.draw(figure.New(600, 380), rect{0, 0, 600, 380})
		return p.area
	}
	if a, b := area(Plot(v).Title("t")), area(Plot(v).Title("t").Subtitle("s")); b.y0-a.y0 != subtitleLine {
		t.Errorf("the area begins at %g with a subtitle, at %g without one", b.y0, a.y0)
	}
	texts := textsOf(t, Plot(v).Title("title").Subtitle("Source: somewhere"))
	if !slices.Contains(texts, "Source: somewhere") {
		t.Errorf("the chart has the texts %q", texts)
	}
	f, err := Scatter(v, v).Title("title").Subtitle("Source: somewhere").Facet(l).Figure()
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(f.SVG(), ">Source: somewhere<"); n != 1 {
		t.Errorf("the panels have %d subtitles", n)
	}
	if want := "title. Source: somewhere. 3 panels."; !strings.HasPrefix(f.Alt(), want) {
		t.Errorf("the description is %q", f.Alt())
	}
	spec, err := Plot([]float64{1, missing}).Title("title").Subtitle("below").VegaLite()
	if err != nil {
		t.Fatal(err)
	}
	if got := spec["title"].(object)["subtitle"].([]string); !slices.Equal(got, []string{"below", "1 value that is not finite is left out"}) {
		t.Errorf("the interactive subtitle is %q", got)
	}
	for _, c := range []interface {
		Figure() (*figure.Figure, error)
	}{Plot(v).Subtitle("s"), Grid(Plot(v), Plot(v)).Subtitle("s")} {
		if _, err := c.Figure(); err == nil || err.Error() != "chart.Subtitle: a subtitle needs a title; call Title, too" {
			t.Errorf("a subtitle without a title: %v", err)
		}
	}
}

// TestNotesOfNeighbors: the notes below neighboring panels are apart.
func TestNotesOfNeighbors(t *testing.T) {
	c := func() *Chart { return Plot([]float64{1, missing, 3, 0, -1, 3, 4}).LogY().XRange(0, 3) }
	p := Grid(c(), c(), c())
	panels, err := p.panels()
	if err != nil {
		t.Fatal(err)
	}
	l := p.arrange(panels)
	if err := p.draw(figure.New(l.w, l.h), panels, l); err != nil {
		t.Fatal(err)
	}
	end := math.Inf(-1)
	for i, q := range panels {
		for _, s := range q.noteLines(l.cell(i)) {
			if start := math.Max(q.area.x1, l.cell(i).x0+4+noteFont.Width(s)) - noteFont.Width(s); start < end+16 {
				t.Errorf("the note of panel %d begins at %g; the one before ends at %g", i, start, end)
			}
		}
		end = math.Max(q.area.x1, l.cell(i).x0+4)
	}
}

// TestSizeCM: a centimeter has 96/2.54 CSS pixels (CSS Values and Units, section 6.2).
func TestSizeCM(t *testing.T) {
	v := []float64{1, 2, 3}
	for name, make := range map[string]func() (*figure.Figure, error){
		"chart": Plot(v).SizeCM(12.7, 5.08).Figure, "panels": Grid(Plot(v), Plot(v)).SizeCM(12.7, 5.08).Figure,
	} {
		f, err := make()
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(f.W-480) > 1e-9 || math.Abs(f.H-192) > 1e-9 {
			t.Errorf("%s: 12.7 cm × 5.08 cm are %g×%g pixels", name, f.W, f.H)
		}
	}
	for name, err := range map[string]error{"chart": Plot(v).SizeCM(0, 3).check(), "panels": Grid(Plot(v)).SizeCM(3, -1).err} {
		if err == nil || !strings.HasPrefix(err.Error(), "chart.SizeCM: the width and the height must be positive, got ") {
			t.Errorf("%s: %v", name, err)
		}
	}
	path := filepath.Join(t.TempDir(), "a.png")
	if err := Plot(v).SizeCM(8, 4).SaveDPI(path, 300); err != nil {
		t.Fatal(err)
	}
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	// 8 cm are 944.9 pixels at 300 per inch.
	if img, err := png.DecodeConfig(file); err != nil || img.Width < 944 || img.Width > 946 {
		t.Errorf("the file has %d pixels in a row: %v", img.Width, err)
	}
}
