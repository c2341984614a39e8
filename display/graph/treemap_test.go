package graph

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/gokernel/gokernel/display"
)

// people returns the United Nations' population estimates for 2024, in millions, rounded.
func people() (continent, country []string, amount []float64) {
	for _, line := range strings.Split(`Asia India 1451|Asia China 1419|Asia Indonesia 283|Asia Pakistan 251|Asia Bangladesh 174|Asia Japan 124|Asia Philippines 116|Asia Vietnam 101
Africa Nigeria 233|Africa Ethiopia 132|Africa Egypt 117|Africa DR_Congo 109|Africa Tanzania 69|Africa South_Africa 64|Africa Kenya 56
Americas United_States 345|Americas Brazil 212|Americas Mexico 131|Americas Colombia 53|Americas Argentina 46|Americas Canada 40
Europe Russia 145|Europe Germany 85|Europe United_Kingdom 69|Europe France 67|Europe Italy 59|Europe Spain 48|Europe Poland 39
Oceania Australia 27|Oceania Papua_New_Guinea 11|Oceania New_Zealand 5`, "\n") {
		for _, part := range strings.Split(line, "|") {
			var a, b string
			var x float64
			fmt.Sscan(part, &a, &b, &x)
			continent, country, amount = append(continent, a), append(country, strings.ReplaceAll(b, "_", " ")), append(amount, x)
		}
	}
	return continent, country, amount
}

func init() {
	continent, country, amount := people()
	gallery = append(gallery, []struct {
		name string
		make func() display.Displayer
	}{
		{"treemap", func() display.Displayer {
			return NewTreemap(continent, country, amount).Title("People, in millions")
		}},
		{"treemap-flat", func() display.Displayer {
			return NewTreemap(map[string]int{"rent": 950, "food": 410, "transport": 120, "clothes": 80, "insurance": 160, "savings": 300, "gifts": 0, "<b>other</b>": 95}).Title("A month's money (€)")
		}},
		{"treemap-value", func() display.Displayer {
			growth := make([]float64, len(amount))
			for i, x := range amount {
				growth[i] = 3 - math.Log10(x)
			}
			return NewTreemap(continent, country, amount).By(growth)
		}},
		{"sankey", func() display.Displayer { return energy() }},
		{"sankey-lost", func() display.Displayer {
			return NewSankey([]string{"visit", "visit", "cart", "cart", "pay", "visit"}, []string{"cart", "leave", "pay", "leave", "receive", "pay"},
				[]float64{420, 480, 230, 190, 250, 100}).Title("A shop")
		}},
	}...)
}

// leavesOf returns the rectangles of a drawn treemap.
func leavesOf(t *testing.T, m *Treemap, r rectangle) []*tile {
	t.Helper()
	root, err := m.tiles()
	if err != nil {
		t.Fatal(err)
	}
	root.r = r
	root.squarify()
	var out []*tile
	root.leaves(func(c *tile) { out = append(out, c) })
	return out
}

// TestTreemapTilesInProportion checks for many random trees that areas are proportional to the
// amounts, and that the rectangles do not overlap and cover the whole.
func TestTreemapTilesInProportion(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		n := 1 + r.IntN(60)
		group, name, amount := make([]string, n), make([]string, n), make([]float64, n)
		sum := 0.0
		for i := range n {
			group[i], name[i] = fmt.Sprint("g", r.IntN(5)), fmt.Sprint(i)
			amount[i] = math.Exp(3 * r.NormFloat64())
			sum += amount[i]
		}
		whole := rectangle{10, 20, 100 + 500*r.Float64(), 100 + 500*r.Float64()}
		leaves := leavesOf(t, NewTreemap(group, name, amount), whole)
		if len(leaves) != n {
			t.Fatalf("%d rectangles for %d amounts", len(leaves), n)
		}
		area := 0.0
		for i, a := range leaves {
			got, want := a.r.w*a.r.h/(whole.w*whole.h), a.amount/sum
			if math.Abs(got-want) > 1e-9 {
				t.Fatalf("the fraction of %s is %g of the area, want %g", a.name, got, want)
			}
			area += a.r.w * a.r.h
			const e = 1e-7
			if a.r.x < whole.x-e || a.r.y < whole.y-e || a.r.x+a.r.w > whole.x+whole.w+e || a.r.y+a.r.h > whole.y+whole.h+e {
				t.Fatalf("%v lies outside of %v", a.r, whole)
			}
			for _, b := range leaves[i+1:] {
				if a.r.x+e < b.r.x+b.r.w && b.r.x+e < a.r.x+a.r.w && a.r.y+e < b.r.y+b.r.h && b.r.y+e < a.r.y+a.r.h {
					t.Fatalf("%v and %v overlap", a.r, b.r)
				}
			}
		}
		if math.Abs(area/(whole.w*whole.h)-1) > 1e-9 {
			t.Fatalf("the rectangles cover %g of the whole", area/(whole.w*whole.h))
		}
	}
}

// The example of Bruls, Huizing and van Wijk: areas 6, 6, 4, 3, 2, 2, 1 in a rectangle of 6 by 4.
// In their figure 5, the two rectangles of area 6 are on the left, each 3 wide and 2 high. The
// rectangles of area 4 and 3 are next to each other in a row of height 7/3. Then come 2, 2 and 1.
func TestTreemapOfThePaper(t *testing.T) {
	leaves := leavesOf(t, NewTreemap([]string{"a", "b", "c", "d", "e", "f", "g"}, []float64{6, 6, 4, 3, 2, 2, 1}), rectangle{0, 0, 6, 4})
	for i, want := range []rectangle{{0, 0, 3, 2}, {0, 2, 3, 2}, {3, 0, 12. / 7, 7. / 3}, {3 + 12./7, 0, 9. / 7, 7. / 3}} {
		got := leaves[i].r
		if math.Abs(got.x-want.x)+math.Abs(got.y-want.y)+math.Abs(got.w-want.w)+math.Abs(got.h-want.h) > 1e-9 {
			t.Errorf("rectangle %d is %v, want %v", i, got, want)
		}
	}
}

func TestTreemapRefuses(t *testing.T) {
	for want, m := range map[string]*Treemap{
		"the amount of b must not be negative, got −2":   NewTreemap([]string{"a", "b"}, []float64{1, -2}),
		"the amount of b must be finite":                 NewTreemap([]string{"a", "b"}, []float64{1, math.Inf(1)}),
		"got 2 names and 3 amounts":                      NewTreemap([]string{"a", "b"}, []float64{1, 2, 3}),
		"there is nothing to draw":                       NewTreemap(),
		`x is both "p" and "q"`:                          NewTreemap([]string{"x", "x"}, []float64{1, 2}).By([]string{"p", "q"}),
		"pass the table first":                           NewTreemap("zone", "fare"),
		"there are 1 labels for 2 amounts":               NewTreemap([]string{"x", "y"}, []float64{1, 2}).By([]string{"p"}),
		"the amount of a must be a number, got a string": NewTreemap(map[string]string{"a": "b"}),
		"rectangles, got 5001":                           NewTreemap(manyNames(5001)),
	} {
		if _, err := m.Figure(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the error is %v, want one with %q", err, want)
		}
	}
}

func manyNames(n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = fmt.Sprint(i)
	}
	return out
}

func TestTreemapSaysWhatItLeavesOut(t *testing.T) {
	m := NewTreemap([]string{"a", "b", "c"}, []float64{1, 0, math.NaN()})
	f, err := m.Figure()
	if err != nil {
		t.Fatal(err)
	}
	if want := "1 row with a missing value is left out; 1 amount of zero is left out"; !strings.Contains(f.Text, want) {
		t.Errorf("the text does not say %q:\n%s", want, f.Text)
	}
	if b, err := NewTreemap([]string{}, []float64{}).Display(); err != nil || len(b.Data) < 3 {
		t.Errorf("no amounts show nothing: %v", err)
	}
}

// Rows with the same names are added. The color of several rows is their mean weighted by the
// amounts: (1·10 + 3·20) / 4 = 17.5.
func TestTreemapAddsUp(t *testing.T) {
	leaves := leavesOf(t, NewTreemap([]string{"a", "a", "b"}, []float64{1, 3, 4}).By([]float64{10, 20, 30.5}), rectangle{0, 0, 10, 10})
	if len(leaves) != 2 || leaves[0].amount != 4 || leaves[0].value/leaves[0].weight != 17.5 {
		t.Errorf("the first rectangle is %+v", leaves[0])
	}
}

func TestSaveTreemap(t *testing.T) {
	path := t.TempDir() + "/t.svg"
	if err := NewTreemap(map[string]int{"a": 1, "b": 2}).Save(path); err != nil {
		t.Fatal(err)
	}
	if data, err := os.ReadFile(path); err != nil || !strings.HasPrefix(string(data), "<svg") {
		t.Errorf("the file begins with %.20q (%v)", data, err)
	}
}

// TestTooSmallPartsAreSaid checks that invisible parts are counted below the treemap and in
// panels.
func TestTooSmallPartsAreSaid(t *testing.T) {
	names, amounts, half := []string{"all"}, []float64{1e9}, []string{"a"}
	for i := range 5 {
		names, amounts, half = append(names, string(rune('p'+i))), append(amounts, 1), append(half, "a")
	}
	for name, d := range map[string]interface {
		Display() (display.Bundle, error)
	}{"treemap": NewTreemap(names, amounts), "panels": NewTreemap(names, amounts).Facet(half)} {
		b, err := d.Display()
		if err != nil {
			t.Fatal(err)
		}
		if svg := b.Data[display.MIMESVG].(string); !strings.Contains(svg, "5 parts are smaller than a pixel") {
			t.Errorf("%s: the note about parts that are too small is missing", name)
		}
	}
}
