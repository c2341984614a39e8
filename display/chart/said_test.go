package chart

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gokernel/gokernel/display/figure"
	"github.com/gokernel/gokernel/display/internal/cliptest"
)

func zone(t *testing.T, name string) *time.Location {
	t.Helper()
	z, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return z
}

// TestTimesHaveTheZoneOfTheData: axes show the local times of the data and the zone. Data from
// several zones are shown in UTC, and the axis says so.
func TestTimesHaveTheZoneOfTheData(t *testing.T) {
	berlin, tokyo := zone(t, "Europe/Berlin"), zone(t, "Asia/Tokyo")
	hours := func(z *time.Location) (at []time.Time) {
		for h := 6; h <= 12; h++ {
			at = append(at, time.Date(2024, 5, 3, h, 0, 0, 0, z))
		}
		return at
	}
	y := []float64{1, 2, 3, 4, 5, 6, 7}
	mixed := hours(berlin)
	mixed[6] = mixed[6].In(tokyo)
	for name, tt := range map[string]struct {
		at   []time.Time
		want []string
	}{
		"Berlin":       {hours(berlin), []string{"06:00", "12:00", "May 3, 2024, Europe/Berlin"}},
		"UTC":          {hours(time.UTC), []string{"06:00", "12:00", "May 3, 2024, UTC"}},
		"several":      {mixed, []string{"04:00", "10:00", "May 3, 2024, UTC"}},
		"an offset":    {hours(time.FixedZone("", 2*3600)), []string{"06:00", "May 3, 2024, UTC+02:00"}},
		"a short name": {hours(time.FixedZone("CEST", 2*3600)), []string{"06:00", "May 3, 2024, CEST"}},
	} {
		texts := textsOf(t, Plot(tt.at, y))
		for _, want := range tt.want {
			if !slices.Contains(texts, want) {
				t.Errorf("%s: the axis says %q, and not %q", name, texts, want)
			}
		}
	}
	// The day on which clocks go back has 25 hours, all in order.
	var at []time.Time
	for h := range 26 {
		at = append(at, time.Date(2024, 10, 26, 22, 0, 0, 0, time.UTC).Add(time.Duration(h)*time.Hour).In(berlin))
	}
	ticks, labels, _ := clock{zone: berlin}.ticks(float64(at[0].Unix()), float64(at[25].Unix()), 30)
	if !slices.IsSorted(ticks) || labels[0] != "00:00" || !slices.Contains(labels, "03:00") {
		t.Errorf("the ticks of a long day are %q", labels)
	}
	if got := (clock{zone: berlin}).shift(float64(at[0].Unix())); got != 7200 {
		t.Errorf("in summer clocks are %g seconds ahead", got)
	}
	// Interactive axes of UTC have the hours of the zone.
	if got, want := position(&axis{times: true, zone: berlin}, float64(at[0].Unix())), time.Date(2024, 10, 27, 0, 0, 0, 0, time.UTC).UnixMilli(); got != want {
		t.Errorf("midnight is at %v, want %d", got, want)
	}
}

// TestSmallSpansAreShown: values that differ only in their last digits are drawn at different
// positions.
func TestSmallSpansAreShown(t *testing.T) {
	var at []time.Time
	y := make([]float64, 50)
	for i := range y {
		at = append(at, time.Date(2024, 5, 3, 6, 0, 0, 20e6*i, time.UTC))
		y[i] = float64(i % 7)
	}
	for name, c := range map[string]*Chart{
		"numbers": Plot([]float64{1e9, 1e9 + .25, 1e9 + .5, 1e9 + 1}, []float64{1, 2, 3, 4}), "moments": Plot(at, y),
		"microseconds": Plot([]time.Time{time.Unix(1.7e9, 0).UTC(), time.Unix(1.7e9, 5000).UTC(), time.Unix(1.7e9, 9000).UTC()}, []float64{1, 2, 3}),
	} {
		p, err := newPanel(c)
		if err != nil {
			t.Fatal(err)
		}
		if err := p.measure(); err != nil {
			t.Fatal(err)
		}
		p.place(rect{0, 0, 600, 380})
		x := p.c.marks[0].x
		if wide := p.x.at(x[len(x)-1]) - p.x.at(x[0]); wide < 400 {
			t.Errorf("%s: the line is %g pixels wide", name, wide)
		}
		if len(p.x.ticks) < 2 {
			t.Errorf("%s: the axis has the ticks %q", name, p.x.labels)
		}
	}
	if got := textOf(t, Scatter([]float64{1e9, 1e9 + 1e-7}, []float64{1, 2})); !strings.Contains(got, "values differ by less than an axis can show") {
		t.Error("values that fall on each other are not mentioned")
	}
}

// TestNothingIsHidden: if a chart hides data, it returns an error or mentions them in its note.
func TestNothingIsHidden(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	ten := span(0, 9, 10)
	f := columns{"g": Coded{Codes: []int32{0, 0, -1, 1, 1, 1}, Levels: []string{"a", "b"}}, "v": []float64{1, 2, 3, 4, 5, 6}, "w": []float64{1, 2, nan, 4, 5, 7}, "k": []string{"p", "q", "p", "q", "p", "q"}}
	one := "1 row with a missing value is left out"
	for name, tt := range map[string]struct {
		c    *Chart
		want string
	}{
		"repeated bars":       {Bar([]string{"a", "b", "a"}, ten[:3]), `"a" has 2 bars, which would hide each other`},
		"repeated numbers":    {Bar([]float64{1, 2, 2}, ten[:3]), "2 has 2 bars"},
		"boxes":               {BoxPlot(f, "k", "v").By("g"), one},
		"boxes at their name": {BoxPlot(f, "g", "v"), one},
		"density":             {KDE(f, "w"), one},
		"densities":           {KDE(f, "w").By("k").Fill(), one},
		"density by":          {KDE(f, "v").By("g").Fill(), one},
		"both missing":        {KDE(f, "w").By("g"), one},
		"violins":             {Violin(f, "k", "w").By("g"), one},
		"points":              {Scatter(ten, ten).XRange(2, 5), "6 values lie outside of the axes"},
		"a point":             {Scatter(ten, ten).YRange(-1, 8.5), "1 value lies outside of the axes"},
		"bars":                {Bar([]string{"a", "b"}, []float64{5, 9}).YRange(4, 10), "bars are cut by the ends of the axis"},
		"bars above":          {Bar([]string{"a", "b"}, []float64{5, 9}).YRange(0, 8), "bars are cut by the ends of the axis"},
		"histogram":           {Hist(ten).XRange(3, 9), "3 values lie outside of the axes"},
		"a line":              {Plot(ten, ten).Name("first").Line(ten, []float64{20, 21, 22, 23, 24, 25, 26, 27, 28, 29}).Name("second").YRange(0, 10), "second lies outside of the axes"},
		"a line of values":    {Plot(ten, ten).XRange(2, 5), "6 values lie outside of the axes"},
		"lines over points":   {Plot(ten, ten).Points(ten, ten).XRange(2, 5), "6 values lie outside of the axes"},
		"a band":              {New().Area(ten, 0, ten).XRange(2, 5), "6 values lie outside of the axes"},
		"a curve":             {KDE(ten).XRange(2, 5), "6 values lie outside of the axes"},
		"a tall curve":        {KDE(ten).YRange(0, 0.05), "curves are cut by the ends of the axis"},
		"error bars":          {New().Errors(ten, ten, span(0.5, 0.6, 10)).YRange(0, 9), "2 intervals are cut by the ends of the axis"},
		"a missing error":     {New().Errors(ten[:2], ten[:2], []float64{1, nan}), "1 value that is not finite is left out"},
		"a missing end":       {New().Errors(ten[:2], ten[:2], []float64{1, nan}, []float64{1, 1}), "1 value that is not finite is left out"},
		"a violin":            {Violin(f, "k", "v").YRange(2, 9), "1 value lies outside of the axes"},
		"cells":               {Heatmap([][]float64{{1, 2}, {3, 4}}).XRange(0.5, 1.5), "2 values lie outside of the axes"},
		"a reference line":    {Plot(ten, ten).HRule(20).YRange(0, 9), "1 value lies outside of the axes"},
		"the graph itself":    {Func(math.Sin, 0, 9).XRange(2, 5), ""},
		"equal lines":         {Plot(ten, ten).Name("u").Line(ten, ten).Name("v"), "v covers u: their values are equal"},
		"points on points":    {Scatter([]float64{1, 1, 1, 2}, []float64{1, 1, 1, 2}), ""},
		"most points":         {Scatter([]float64{1, 1, 1, 1, 2}, []float64{1, 1, 1, 1, 2}), "3 of 5 points lie exactly on others"},
		"log bars":            {Bar([]string{"a", "b"}, []float64{5, 90}).LogY(), "a logarithmic axis has no zero"},
		"area on a log axis":  {New().Area(ten[1:4], 0, []float64{1, -1, 10}).LogY(), "1 value that is not positive is left out"},
		"stacked log bars":    {Bar([]string{"a"}, []float64{5}).Name("u").Bars([]string{"a"}, []float64{9}).Name("v").Stacked().LogY(), "stacked bars cannot have a logarithmic axis"},
		"stacked log areas":   {StackedArea(ten[1:], ten[1:]).LogY(), "stacked amounts cannot have a logarithmic axis"},
		"infinite cells":      {Heatmap([][]float64{{1, inf}, {3, 4}}), "1 infinite value has no color"},
		"year 1":              {Plot([]time.Time{{}, time.Unix(0, 0), time.Unix(1e6, 0)}, ten[:3]), "1 value that is not finite is left out"},
		"small bubbles":       {Scatter(ten[:3], ten[:3]).Size([]float64{1, 2, 1e9}), "2 points are drawn larger than their sizes"},
		"an area from zero":   {New().Area(ten[1:4], 0, []float64{1, 10, 100}).LogY(), "a logarithmic axis has no zero"},
		"an area above zero":  {New().Area(ten[1:4], 1, []float64{1, 10, 100}).LogY(), ""},
	} {
		fig, err := tt.c.Figure()
		text := ""
		if err != nil {
			text = err.Error()
		} else {
			text = fig.Text
			if n := strings.Count(text, "left out"); n > 1 {
				t.Errorf("%s: %d notes: %s", name, n, text)
			}
		}
		if !strings.Contains(text, tt.want) {
			t.Errorf("%s: %q is missing in %s", name, tt.want, text[max(0, len(text)-200):])
		}
	}
	fig, err := New().Area(ten[1:4], 0, []float64{1, 10, 100}).LogY().Figure()
	if err != nil || !strings.Contains(fig.SVG(), `fill-opacity="0.22"`) {
		t.Errorf("an area from zero is not drawn on a logarithmic axis (%v)", err)
	}
}

// TestCrowdsAreNotErased: 1000 points have no outlines in the background color, and all panels have
// the same radius and opacity.
func TestCrowdsAreNotErased(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	x, y := normal(r, 1000, 0, 1), normal(r, 1000, 0, 1)
	white := fmt.Sprintf(`stroke="%s"`, figure.Hex(figure.Paper()))
	f, err := Scatter(x, y).Figure()
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(f.SVG(), white) {
		t.Error("a crowd has lines of the color of the paper around its points")
	}
	if f, err = Scatter(span(0, 1, 50), span(0, 1, 50)).Figure(); err != nil || !strings.Contains(f.SVG(), white) {
		t.Errorf("points with room have no lines around them (%v)", err)
	}
	label := make([]string, 1000)
	for i := range label {
		label[i] = "many"
		if i%10 == 0 {
			label[i] = "few"
		}
	}
	panels, err := Scatter(x, y).Facet(label).panels()
	if err != nil {
		t.Fatal(err)
	}
	a, b := &panels[0].c.marks[0], &panels[1].c.marks[0]
	if len(a.x) == len(b.x) || radius(a.count()) != radius(b.count()) || opacityOf(a) != opacityOf(b) {
		t.Errorf("panels of %d and %d points have radii %g and %g", len(a.x), len(b.x), radius(a.count()), radius(b.count()))
	}
}

// TestSizesInTheLegend: sizes in the legend are round, have a unit if they are large, and are in
// the range of the data.
func TestSizesInTheLegend(t *testing.T) {
	x := []float64{1, 2, 3}
	for want, c := range map[string]*Chart{
		"0.5 ×10⁹|1.0 ×10⁹": Scatter(x, x).Size([]float64{3e8, 7e8, 1.4e9}),
		"95|100":            Scatter(x, x).Size([]float64{95, 97, 100}),
		"103|107":           Scatter(x, x).Size([]float64{103, 105, 107}),
	} {
		p, err := newPanel(c)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, e := range p.legend.entries {
			got = append(got, e.name)
		}
		lo, hi := bounds(c.marks[0].asPoints().size)
		for _, s := range c.marks[0].sizesShown() {
			if s < lo || s > hi {
				t.Errorf("the size %g is not among those from %g to %g", s, lo, hi)
			}
		}
		if s := strings.Join(got, "|"); s != want {
			t.Errorf("the legend says %s, want %s", s, want)
		}
	}
}

// TestTextsAreWholeAndApart: titles wrap, different names look different, annotations do not
// overlap, and nothing leaves the figure.
func TestTextsAreWholeAndApart(t *testing.T) {
	ten := span(0, 9, 10)
	long := strings.TrimSpace(strings.Repeat("a title that goes on ", 5))
	paths := []string{"/home/someone/experiments/of-a-long-name-with-much-in-it/model-a.txt", "/home/someone/experiments/of-a-long-name-with-much-in-it/model-b.txt"}
	var at []time.Time
	for i := range 50 {
		at = append(at, time.Date(2024, 5, 3, 6, 0, 0, 20e6*i, time.UTC))
	}
	notes := Plot(ten, ten)
	for i := range 5 {
		notes.Annotate(4, 4+0.1*float64(i), fmt.Sprintf("annotation %d", i))
	}
	for name, c := range map[string]*Chart{
		"titles": Plot(ten, ten).Title(long).X(long).Y("values"), "moments": Plot(at, span(0, 1, 50)), "annotations": notes,
		"paths": Plot(ten, ten).Name(paths[0]).Line(ten, ten[:10]).Name(paths[1]), "bars of paths": Bar(paths, ten[:2]),
	} {
		cliptest.Check(t, name, c)
	}
	if got := strings.Join(textsOf(t, Plot(ten, ten).Title(long)), " "); !strings.Contains(got, long) {
		t.Errorf("the title is not whole: %s", got)
	}
	for _, c := range []*Chart{Plot(ten, ten).Name(paths[0]).Line(ten, ten).Name(paths[1]), Bar(paths, ten[:2])} {
		texts := textsOf(t, c)
		a, b := slices.IndexFunc(texts, func(s string) bool { return strings.HasSuffix(s, "model-a.txt") }), slices.IndexFunc(texts, func(s string) bool { return strings.HasSuffix(s, "model-b.txt") })
		if a < 0 || b < 0 {
			t.Errorf("two paths are written as %q", texts)
		}
	}
	if got := textsOf(t, Bar([]string{"a", "b"}, []time.Duration{90 * time.Minute, 3 * time.Hour})); !slices.Contains(got, "h") || !slices.Contains(got, "3.0") {
		t.Errorf("an axis of durations says %q", got)
	}
}

// TestErrorsOfNamesAreAcross: if y holds names, error bars are horizontal.
func TestErrorsOfNamesAreAcross(t *testing.T) {
	p, err := newPanel(New().Errors([]float64{3, 5}, []string{"u", "v"}, []float64{1, 2}))
	if err != nil {
		t.Fatal(err)
	}
	if p.xe.lo != 2 || p.xe.hi != 7 || p.ye.lo != -0.5 || p.ye.hi != 1.5 {
		t.Errorf("the axes go from %g to %g and from %g to %g", p.xe.lo, p.xe.hi, p.ye.lo, p.ye.hi)
	}
	if c := New().Errors([]string{"a"}, []string{"u"}, []float64{1}); c.err == nil {
		t.Error("errors of names at names are drawn")
	}
}
