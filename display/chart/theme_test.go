package chart

import (
	"bytes"
	"image/png"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/display/figure"
	"github.com/gokernel/gokernel/display/graph"
	"github.com/gokernel/gokernel/display/internal/figuretest"
	tables "github.com/gokernel/gokernel/display/table"
)

func themed(t *testing.T, set display.Theme) {
	t.Helper()
	if err := display.SetTheme(set); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = display.SetTheme(display.Theme{}) })
}

func TestThemeOfAll(t *testing.T) {
	plain := Plot([]float64{1, 3, 2}).Name("a").Title("Theme")
	before, err := plain.Display()
	if err != nil {
		t.Fatal(err)
	}
	themed(t, display.Theme{Font: "serif", Palette: []string{"#7a1fa2"}, Scale: 1.5, Width: 900})
	directory := t.TempDir()
	for name, d := range map[string]interface {
		display.Displayer
		Save(string) error
	}{
		"chart":  plain,
		"panels": Grid(Plot([]float64{1, 3, 2}), Plot([]float64{2, 1})),
		"tree":   graph.NewTree(&graph.Node{Title: "root", Counts: []float64{3, 1}, Children: []*graph.Node{{Title: "a"}, {Title: "b"}}}),
	} {
		b, err := d.Display()
		if err != nil {
			t.Fatal(name, err)
		}
		svg := b.Data[display.MIMESVG].(string)
		if err := figuretest.CheckSVG(svg); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if name != "tree" && !strings.Contains(svg, `width="900"`) {
			t.Errorf("%s is not 900 pixels wide: %.200s", name, svg)
		}
		// 13 pixels of text times 1.5.
		for _, want := range []string{`font-family="Liberation Serif`, `font-size="19.5"`, "#7a1fa2"} {
			if name == "tree" && strings.HasPrefix(want, "font-size") {
				continue
			}
			if !strings.Contains(svg, want) {
				t.Errorf("%s lacks %s", name, want)
			}
		}
		img, err := png.Decode(bytes.NewReader(b.Data[display.MIMEPNG].([]byte)))
		if err != nil {
			t.Fatal(name, err)
		}
		if m := b.Metadata[display.MIMEPNG].(map[string]any); img.Bounds().Dx() != 2*m["width"].(int) || img.Bounds().Dy() != 2*m["height"].(int) {
			t.Errorf("%s: the picture has %v for %v", name, img.Bounds(), m)
		}
		if err := figuretest.CheckPDF(b.Data[display.MIMEPDF].([]byte)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for _, ext := range []string{"svg", "png", "pdf"} {
			file := filepath.Join(directory, name+"."+ext)
			if err := d.Save(file); err != nil {
				t.Fatal(name, err)
			}
			saved, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if ext == "svg" && string(saved) != svg {
				t.Errorf("%s: what is saved is not what is shown", name)
			}
			if ext == "png" && !bytes.Equal(saved, b.Data[display.MIMEPNG].([]byte)) {
				t.Errorf("%s: the saved PNG is not the shown one", name)
			}
		}
	}
	b, err := tables.New([][]float64{{1, 2}}).Display()
	if err != nil || !strings.Contains(b.Data[display.MIMEHTML].(string), "font-size:150%") {
		t.Errorf("the table does not follow the theme (%v): %.200s", err, b.Data[display.MIMEHTML])
	}
	// A size that was set does not change.
	if b, err := plain.Size(500, 300).Display(); err != nil || !strings.Contains(b.Data[display.MIMESVG].(string), `width="500" height="300"`) {
		t.Errorf("a chart of 500×300 pixels (%v): %.200s", err, b.Data[display.MIMESVG])
	}
	if err := display.SetTheme(display.Theme{}); err != nil {
		t.Fatal(err)
	}
	after, err := Plot([]float64{1, 3, 2}).Name("a").Title("Theme").Display()
	if err != nil || after.Data[display.MIMESVG] != before.Data[display.MIMESVG] {
		t.Errorf("the default theme does not come back (%v)", err)
	}
}

func TestThemesOfPlaces(t *testing.T) {
	for name, c := range map[string]struct {
		theme display.Theme
		width int
	}{"column": {display.ColumnTheme, 336}, "page": {display.PageTheme, 640}, "slide": {display.SlideTheme, 1120}} {
		themed(t, c.theme)
		b, err := Scatter([]float64{1, 2, 3}, []float64{1, 3, 2}).By([]string{"a", "b", "a"}).X("x").Y("y").Title("A title").Display()
		if err != nil {
			t.Fatal(name, err)
		}
		if got := b.Metadata[display.MIMEPNG].(map[string]any)["width"]; got != c.width {
			t.Errorf("%s: %v pixels wide, want %d", name, got, c.width)
		}
	}
}

// TestDarkTheme checks that all texts on a dark background are legible, and are drawn alike in all
// three formats.
func TestDarkTheme(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	names := make([]string, 60)
	for i := range names {
		names[i] = []string{"a", "b", "c"}[i%3]
	}
	draw := func() *Panels {
		v := normal(r, 60, 0, 1)
		return Grid(Scatter(v, normal(r, 60, 0, 1)).By(names).Title("Points").X("x").Y("y").Annotate(0, 0, "here"),
			Heatmap([][]float64{{1, -0.5}, {0.2, -1}}).Scheme("redblue").Title("Cells"),
			Violin(names, v).Title("Violins"), BoxPlot(names, v).Title("Boxes"))
	}
	themed(t, display.DarkTheme)
	b, err := draw().Display()
	if err != nil {
		t.Fatal(err)
	}
	svg := b.Data[display.MIMESVG].(string)
	if !strings.Contains(svg, `fill="#14181b"/>`) {
		t.Errorf("the paper is not dark: %.300s", svg)
	}
	for _, gray := range []string{"#262626", "#666666", "#e6e6e6"} {
		if strings.Contains(svg, gray) {
			t.Errorf("the color %s of light figures is on dark paper", gray)
		}
	}
	for name, c := range map[string]figure.Color{"ink": figure.Ink(), "soft ink": figure.Soft()} {
		if x := figure.Contrast(c, figure.Paper()); x < 4.5 {
			t.Errorf("%s has a contrast of %.2f", name, x)
		}
	}
	for k := range 12 {
		if x := figure.Contrast(figure.Class(k), figure.Paper()); x < 3 {
			t.Errorf("class %d has a contrast of %.2f", k, x)
		}
	}
	img, err := png.Decode(bytes.NewReader(b.Data[display.MIMEPNG].([]byte)))
	if err != nil {
		t.Fatal(err)
	}
	if r, g, b, _ := img.At(1, 1).RGBA(); max(r, g, b)>>8 > 40 {
		t.Error("the paper of the picture is not dark")
	}
	if err := figuretest.CheckPDF(b.Data[display.MIMEPDF].([]byte)); err != nil {
		t.Error(err)
	}
}

func TestThemeRefuses(t *testing.T) {
	for _, bad := range []display.Theme{{Font: "comic"}, {Scale: 9}, {Scale: -1}, {Width: 10}, {Palette: []string{"#123"}}, {Palette: []string{"blue"}}} {
		if err := display.SetTheme(bad); err == nil {
			t.Errorf("%+v is accepted", bad)
			_ = display.SetTheme(display.Theme{})
		}
	}
}

// A theme can be set while figures are drawn; the race detector checks this.
func TestThemeWhileDrawing(t *testing.T) {
	defer display.SetTheme(display.Theme{})
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for k := 0; ; k++ {
			select {
			case <-stop:
				return
			default:
				if err := display.SetTheme(display.Theme{Dark: k%2 == 0}); err != nil {
					t.Error(err)
				}
			}
		}
	}()
	for range 5 {
		if _, err := Plot([]float64{1, 3, 2}).Title("a").Display(); err != nil {
			t.Error(err)
		}
	}
	close(stop)
	<-done
}

// The lines of a field end where the axes do, also with equal units.
func TestFieldFillsItsAxes(t *testing.T) {
	p, err := newPanel(Contour(func(x, y float64) float64 { return x*x + y*y }, -1, 1, -1, 1).Equal())
	if err != nil {
		t.Fatal(err)
	}
	if err := p.measure(); err != nil {
		t.Fatal(err)
	}
	p.place(rect{0, 0, 600, 380})
	if p.x.lo != -1 || p.x.hi != 1 || p.y.lo != -1 || p.y.hi != 1 || math.Abs(p.area.w()-p.area.h()) > 1 {
		t.Errorf("x from %g to %g, y from %g to %g, in an area of %g×%g", p.x.lo, p.x.hi, p.y.lo, p.y.hi, p.area.w(), p.area.h())
	}
}

// Ridgelines accept groups in the same forms as boxes and violins.
func TestRidgelineOfGroups(t *testing.T) {
	a, b := []float64{1, 2, 3, 4}, []float64{2, 5, 6}
	rows := Ridgeline([]string{"a", "a", "a", "a", "b", "b", "b"}, []float64{1, 2, 3, 4, 2, 5, 6})
	for name, c := range map[string]*Chart{"map": Ridgeline(map[string][]float64{"b": b, "a": a})} {
		if c.err != nil || len(c.marks) != 1 {
			t.Fatalf("%s: %v", name, c.err)
		}
		if d := cmp.Diff([]any{rows.marks[0].x, rows.marks[0].y, rows.y.levels}, []any{c.marks[0].x, c.marks[0].y, c.y.levels}); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
	}
	if c := Ridgeline(3); c.err == nil || !strings.Contains(c.err.Error(), "of type int") {
		t.Errorf("a number: %v", c.err)
	}
}
