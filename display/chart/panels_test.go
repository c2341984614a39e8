package chart

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/gokernel/gokernel/display"
)

// fourMerges joins ant and cat, bee and dog, then both pairs.
func fourMerges(rows [][]float64) ([][]float64, error) {
	if len(rows) == 4 {
		return [][]float64{{0, 2, 1}, {1, 3, 1.5}, {4, 5, 11}}, nil
	}
	return [][]float64{{0, 2, 4}, {1, 3, 9}}, nil
}

func init() {
	f := rides()
	fourRows := [][]float64{{1, 2, 9}, {8, 1, 3}, {1, 2, 8}, {7, 2, 3}}
	gallery = append(gallery,
		example{"facets-two", func() display.Displayer {
			return Scatter(f, "km", "fare").By("people").Facet("zone", "weekday").Title("Rides")
		}},
		example{"facets-two-kde", func() display.Displayer { return KDE(f, "fare").By("zone").Fill().Facet("weekday", "zone") }},
		example{"facets-hexbin", func() display.Displayer { return Hexbin(f, "km", "fare").Facet("zone") }},
		example{"pairs", func() display.Displayer { return Pairs(f, "km", "fare", "people").By("zone").Density() }},
		example{"pairs-corner", func() display.Displayer { return Pairs(f).Corner().Title("Rides") }},
		example{"joint", func() display.Displayer { return Joint(f, "km", "fare") }},
		example{"joint-classes", func() display.Displayer { return Joint(f, "km", "fare").By("zone").Kind("regression") }},
		example{"joint-hex", func() display.Displayer { return Joint(f, "km", "fare").Kind("hex").Title("Fares") }},
		example{"joint-kde", func() display.Displayer { return Joint(f, "km", "fare").Kind("kde") }},
		example{"clustermap", func() display.Displayer {
			return Clustermap(fourMerges, fourRows).XNames("x", "y", "z").YNames("ant", "bee", "cat", "dog")
		}},
		example{"direct-labels", func() display.Displayer {
			x := span(0, 9, 10)
			return Plot(x, apply(math.Sqrt, x)).Name("square root").Line(x, apply(math.Log1p, x)).Name("logarithm").
				Line(x, apply(func(x float64) float64 { return x / (1 + x/9) }, x)).Name("saturation").DirectLabels().Annotate(4, 2, "a root of 4")
		}},
		example{"direct-labels-kde", func() display.Displayer { return KDE(f, "fare").By("zone").DirectLabels() }},
		example{"scatter-binned", func() display.Displayer {
			r := rand.New(rand.NewPCG(15, 16))
			return Scatter(normal(r, 60000, 0, 1), normal(r, 60000, 0, 1))
		}},
	)
}

// TestTableOfPanels compares each panel with the rows of its two classes.
func TestTableOfPanels(t *testing.T) {
	x, y := []float64{1, 2, 3, 4, 5, 6}, []float64{6, 5, 4, 3, 2, 1}
	a, b := []string{"u", "v", "u", "v", "u", "u"}, []int{1, 1, 2, 2, 1, 2}
	p := Scatter(x, y).Facet(a, b)
	var got []string
	for _, c := range p.charts {
		got = append(got, fmt.Sprint(c.title, c.marks[0].x))
	}
	want := []string{"u, 1[1 5]", "u, 2[3 6]", "v, 1[2]", "v, 2[4]"}
	if !slices.Equal(got, want) {
		t.Errorf("panels %q, want %q", got, want)
	}
	f, err := p.Figure()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []string{">u<", ">v<", ">1<", ">2<"} {
		if !strings.Contains(f.SVG(), s) {
			t.Errorf("the figure does not say %s", s)
		}
	}
	if _, err := p.VegaLite(); err != nil {
		t.Error(err)
	}
}

// TestPanelsShareBins compares the bins of the panels of a histogram.
func TestPanelsShareBins(t *testing.T) {
	p := Hist([]float64{1.5, 2, 3, 10, 11, 12.5}).Facet([]string{"a", "a", "a", "b", "b", "b"})
	var edges [][]float64
	for _, c := range p.charts {
		q, err := newPanel(c)
		if err != nil {
			t.Fatal(err)
		}
		edges = append(edges, q.edges)
	}
	if len(edges[0]) < 2 || !slices.Equal(edges[0], edges[1]) || edges[0][0] != 1.5 || edges[0][len(edges[0])-1] != 12.5 {
		t.Errorf("bins %v", edges)
	}
}

// TestClustermapOrder checks the order of rows and columns.
func TestClustermapOrder(t *testing.T) {
	p := Clustermap(fourMerges, [][]float64{{1, 2, 9}, {8, 1, 3}, {1, 2, 8}, {7, 2, 3}}).XNames("x", "y", "z").YNames("ant", "bee", "cat", "dog")
	rows, err := p.treeOf(p.values(), false)
	if err != nil {
		t.Fatal(err)
	}
	columns, err := p.treeOf(turned(p.values()), false)
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(rows.order, columns.order); got != "[0 2 1 3] [1 0 2]" {
		t.Errorf("order %s", got)
	}
	if got := fmt.Sprint(rows.x, rows.y); got != "[0 0 1 1 NaN 2 2 3 3 NaN 0.5 0.5 2.5 2.5 NaN] [0 1 1 0 NaN 0 1.5 1.5 0 NaN 1 11 11 1.5 NaN]" {
		t.Errorf("brackets %s", got)
	}
	v := [][]float64{{1, 5}, {3, 5}, {5, 5}}
	p = Clustermap(nil, v).Standardize("columns")
	if got := fmt.Sprint(p.values()); got != "[[-1 0] [0 0] [1 0]]" {
		t.Errorf("standardized %s", got)
	}
}

// TestBinnedCountsAll adds the counts of the cells.
func TestBinnedCountsAll(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 9))
	x, y := normal(r, 70000, 0, 1), normal(r, 70000, 0, 1)
	p, err := newPanel(Scatter(x, y))
	if err != nil {
		t.Fatal(err)
	}
	if err := p.measure(); err != nil {
		t.Fatal(err)
	}
	p.place(rect{0, 0, 600, 380})
	p.placePoints()
	sum := 0
	for _, n := range p.c.marks[0].asPoints().bin.counts {
		sum += int(n)
	}
	if sum != len(x) {
		t.Errorf("the cells hold %d points of %d", sum, len(x))
	}
	got := textOf(t, Scatter(x, y))
	if !strings.Contains(got, "70,000 points counted in cells of 2 pixels") {
		t.Error("the figure does not say that it counts")
	}
	if len(got) > 300000 {
		t.Errorf("the SVG has %d bytes", len(got))
	}
}

// TestSpread checks that labels are moved apart, and no further than necessary.
func TestSpread(t *testing.T) {
	for _, tt := range []struct{ y, want []float64 }{
		{nil, nil},
		{[]float64{10, 50, 90}, []float64{10, 50, 90}},
		{[]float64{50, 50}, []float64{45, 55}},
		{[]float64{0, 2, 100, 100}, []float64{0, 10, 90, 100}},
		{[]float64{79, 99, 99, 99}, []float64{70, 80, 90, 100}},
		{[]float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, []float64{0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110}},
	} {
		got := slices.Clone(tt.y)
		spread(got, 10, 0, 100)
		if !slices.Equal(got, tt.want) {
			t.Errorf("%v becomes %v, want %v", tt.y, got, tt.want)
		}
	}
	// Moving a label, alone or together with the labels that it touches, does not reduce the sum of
	// squared moves.
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		y := make([]float64, 1+r.IntN(8))
		for k := range y {
			y[k] = 100 * r.Float64()
		}
		slices.Sort(y)
		got := slices.Clone(y)
		spread(got, 10, 0, 100)
		for k := range got {
			if got[k] < -1e-9 || got[k] > 100+1e-9 || k > 0 && got[k]-got[k-1] < 10-1e-9 {
				t.Fatalf("%v becomes %v", y, got)
			}
			for end := k + 1; end <= len(got); end++ {
				mean := 0.0
				for j := k; j < end; j++ {
					mean += (y[j] - got[j]) / float64(end-k)
				}
				down := k > 0 && got[k]-got[k-1] < 10+1e-9 || got[k] < 1e-9
				up := end < len(got) && got[end]-got[end-1] < 10+1e-9 || got[end-1] > 100-1e-9
				if mean < -1e-9 && !down || mean > 1e-9 && !up {
					t.Fatalf("%v becomes %v: labels %d to %d could be moved by %g", y, got, k, end-1, mean)
				}
			}
		}
	}
}

func TestBadPanelsAreErrors(t *testing.T) {
	v, names := []float64{1, 2, 4}, []string{"a", "b", "c"}
	f := rides()
	many, sevens := make([]int, 14), make([]int, 14)
	for i := range many {
		many[i], sevens[i] = i, i%7
	}
	for want, d := range map[string]display.Displayer{
		"there are 3 labels for rows and 2 for columns":    Scatter(v, v).Facet(names, names[:2]),
		"at most 36 panels can be read":                    Scatter(many, many).Facet(sevens, many),
		"chart.Facet: 0 labels":                            Scatter(v, v).Facet(),
		`column "zone" holds no numbers`:                   Pairs(f, "km", "zone"),
		"at least 2 variables must be numeric, got 1":      Pairs(f, "km"),
		"a matrix has no named columns":                    Pairs([][]float64{{1, 2}}, "a"),
		"there is no column \"x\"":                         Pairs(f, "x", "km"),
		"the kind must be scatter, hex, kde or regression": Joint(v, v).Kind("box"),
		"chart.Joint: there are 1 variables":               Joint(v),
		"distances need finite values":                     Clustermap(nil, [][]float64{{1, math.NaN()}}),
		"the linkage must not be nil":                      Clustermap(nil, [][]float64{{1, 2}, {3, 4}}),
		"there are 1 names for 4 rows":                     Clustermap(fourMerges, [][]float64{{1, 2, 3}, {1, 2, 3}, {1, 2, 3}, {1, 2, 3}}).YNames("a"),
		"the argument must be rows or columns":             Clustermap(nil, [][]float64{{1}}).Standardize("all"),
		"must be a name on its axis":                       Bar(names, v).Annotate("d", 1, "here"),
		"must be a number, a time, or a name":              Plot(v).Annotate(nil, 1, "here"),
	} {
		_, err := d.Display()
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}
