package frame

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

func ExampleFrame_Pivot() {
	f := FromRows(map[string]any{"day": []string{"Mon", "Tue", "Mon"}, "zone": []string{"b", "a", "a"}, "fare": []float64{1, 2, 3}})
	fmt.Print(f.Pivot("day", "zone", Sum("fare")))
	fmt.Print(f.Crosstab("day", "zone"))
	// Output:
	// 2 rows x 3 columns
	// day  a  b
	// Mon  3  1
	// Tue  2  ?
	// 2 rows x 3 columns
	// day  a  b
	// Mon  1  1
	// Tue  1  0
}

func TestPivotIsThatOfASlowSearch(t *testing.T) {
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 6))
		f := random(rng, 1+rng.IntN(50))
		down, across := keySets[seed%7][0], keySets[(seed/7)%7][0]
		if down == across {
			continue
		}
		got := f.Pivot(down, across, Sum("value"))
		rows, columns := slowGroups(f, []string{down}), slowGroups(f, []string{across})
		if got.Len() != len(rows) || got.Width() != 1+len(columns) {
			t.Fatalf("seed %d: %d x %d", seed, got.Len(), got.Width())
		}
		for i, r := range rows {
			for j, c := range columns {
				sum, n := 0.0, 0
				for _, a := range r {
					for _, b := range c {
						if a == b {
							n++
							if v := f.Col("value"); !v.IsMissing(a) {
								sum += v.floats[a]
							}
						}
					}
				}
				cell := got.cols[1+j].At(i)
				if n == 0 && cell != nil || n > 0 && !close2(cell, sum) {
					t.Fatalf("seed %d, %s by %s: cell %d, %d is %v, want %v of %d rows", seed, down, across, i, j, cell, sum, n)
				}
			}
		}
	}
}

// Melting a pivoted frame restores the original frame when each pair occurs once.
func TestMeltUndoesPivot(t *testing.T) {
	for seed := range uint64(30) {
		rng := rand.New(rand.NewPCG(seed, 7))
		f := random(rng, 1+rng.IntN(50)).DropMissing("text", "int", "value").Distinct("int", "text").Select("int", "text", "value").Sort("int", "text")
		if f.Len() == 0 {
			continue
		}
		g := f.Pivot("int", "text", Sum("value")).Melt([]string{"int"}, "text", "value").DropMissing()
		if g.Len() != f.Len() {
			t.Fatalf("seed %d: %v%v", seed, f, g)
		}
		for i := range g.Len() {
			if keyText(f, i, f.Names()) != keyText(g, i, f.Names()) {
				t.Fatalf("seed %d: %v%v", seed, f, g)
			}
		}
	}
}

func TestMeltAndCounts(t *testing.T) {
	f := must(t, StringColumn("who", []string{"a", "b"}), IntColumn("x", []int64{1, 2}), FloatColumn("y", []float64{0.5, math.NaN()}))
	got := f.Melt([]string{"who"}, "what", "value")
	same(t, got.Col("who"), "a", "a", "b", "b")
	same(t, got.Col("what"), "x", "y", "x", "y")
	same(t, got.Col("value"), 1.0, 0.5, 2.0, nil)
	if got := refused(t, func() { f.Melt(f.Names(), "a", "b") }); !strings.Contains(got, "at least one column must not be kept") {
		t.Error(got)
	}
	if got := refused(t, func() { f.Melt([]string{"x"}, "a", "b") }); !strings.Contains(got, "kind") {
		t.Error(got)
	}
	c := StringColumn("k", []string{"b", "a", "b", "b"}).Counts()
	same(t, c.Col("k"), "b", "a")
	same(t, c.Col("share"), 0.75, 0.25)
	same(t, StringColumn("k", []string{"b", "a", "b"}).Values(), "a", "b")
}

func TestColumnSummaries(t *testing.T) {
	c := FloatColumn("x", []float64{4, math.NaN(), 1, 1})
	if c.Sum() != 6 || c.Mean() != 2 || c.Median() != 1 || c.SD() != math.Sqrt(3) || c.Min() != 1.0 || c.Max() != 4.0 || c.Unique() != 2 || c.Quantile(1) != 4 {
		t.Error("summaries")
	}
	if r := c.Corr([]int{4, 9, 1, 1}); math.Abs(r-1) > 1e-15 {
		t.Error(r)
	}
	day := time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)
	if got := TimeColumn("t", []time.Time{day.Add(time.Hour), day}).Min(); got != day {
		t.Error(got)
	}
	b := BoolColumn("b", []bool{true, false})
	if !b.Any() || b.All() || !b.Or(true).All() || b.MarkMissing([]uint64{2}).All() {
		t.Error("Any or All")
	}
	if got := refused(t, func() { StringColumn("s", []string{"a"}).Mean() }); !strings.Contains(got, `"s" must be of kind float64 or int64 or bool, got string`) {
		t.Error(got)
	}
}
