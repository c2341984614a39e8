package frame

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// slowPairs returns the pairs of rows that are equal in the named columns.
func slowPairs(f, g *Frame, names []string) (pairs [][2]int) {
	lacks := func(h *Frame, i int) bool {
		return slices.ContainsFunc(names, func(name string) bool { return h.Col(name).IsMissing(i) })
	}
	for i := range f.Len() {
		for j := range g.Len() {
			if !lacks(f, i) && !lacks(g, j) && keyText(f, i, names) == keyText(g, j, names) {
				pairs = append(pairs, [2]int{i, j})
			}
		}
	}
	return pairs
}

func TestJoinsAreThoseOfASlowSearch(t *testing.T) {
	number := func(f *Frame, name string) *Frame {
		v := make([]int64, f.Len())
		for i := range v {
			v[i] = int64(i)
		}
		return f.With(name, v)
	}
	at := func(c *Column, i int) int {
		if c.IsMissing(i) {
			return -1
		}
		return int(c.ints[i])
	}
	for seed := range uint64(80) {
		rng := rand.New(rand.NewPCG(seed, 5))
		f, g := number(random(rng, rng.IntN(40)), "l"), number(random(rng, rng.IntN(40)), "r")
		names := keySets[seed%uint64(len(keySets))]
		if seed%3 == 0 {
			g = number(g.Distinct(names...), "r")
		}
		inner := slowPairs(f, g, names)
		var left, right, full [][2]int
		var semi, anti []int
		for i := range f.Len() {
			found := false
			for _, p := range inner {
				if p[0] == i {
					left, found = append(left, p), true
				}
			}
			if found {
				semi = append(semi, i)
			} else {
				left, anti = append(left, [2]int{i, -1}), append(anti, i)
			}
		}
		full = slices.Clone(left)
		for j := range g.Len() {
			found := false
			for _, p := range inner {
				if p[1] == j {
					right, found = append(right, p), true
				}
			}
			if !found {
				right, full = append(right, [2]int{-1, j}), append(full, [2]int{-1, j})
			}
		}
		for verb, want := range map[string][][2]int{"Join": inner, "LeftJoin": left, "RightJoin": right, "FullJoin": full} {
			got := map[string]*Frame{"Join": f.Join(g, names...), "LeftJoin": f.LeftJoin(g, names...), "RightJoin": f.RightJoin(g, names...), "FullJoin": f.FullJoin(g, names...)}[verb]
			var pairs [][2]int
			for i := range got.Len() {
				l, r := at(got.Col("l"), i), at(got.Col("r"), i)
				pairs = append(pairs, [2]int{l, r})
				from, row := f, l
				if l < 0 {
					from, row = g, r
				}
				if a, b := keyText(got, i, names), keyText(from, row, names); a != b {
					t.Fatalf("seed %d, %s by %v: row %d has the key %s, want %s", seed, verb, names, i, a, b)
				}
			}
			if !slices.Equal(pairs, want) {
				t.Fatalf("seed %d, %s by %v: %v, want %v", seed, verb, names, pairs, want)
			}
		}
		for i, want := range [][]int{semi, anti} {
			h := []*Frame{f.SemiJoin(g, names...), f.AntiJoin(g, names...)}[i]
			var rows []int
			for k := range h.Len() {
				rows = append(rows, int(h.Col("l").ints[k]))
			}
			if !slices.Equal(rows, want) {
				t.Fatalf("seed %d: semi or anti join %v, want %v", seed, rows, want)
			}
		}
	}
}

func ExampleFrame_Join() {
	trips := FromRows(map[string]any{"zone": []string{"a", "b", "a", "x"}, "fare": []int{1, 2, 3, 4}})
	zones := FromRows(map[string]any{"zone": []string{"a", "b", "c"}, "borough": []string{"Queens", "Bronx", "Bronx"}})
	fmt.Print(trips.Join(zones, "zone"))
	// Output:
	// 3 rows x 3 columns
	// fare  zone  borough
	//    1  a     Queens
	//    2  b     Bronx
	//    3  a     Queens
	// note: 1 of 4 rows of the left frame found no partner, left out
	// note: 1 of 3 rows of the right frame found no partner, left out
}

func TestJoinNamesAndKinds(t *testing.T) {
	a := must(t, IntColumn("id", []int64{1, 2, 3}), IntColumn("x", []int64{10, 20, 30}))
	b := must(t, FloatColumn("key", []float64{2, 3, 3}), IntColumn("x", []int64{7, 8, 9}))
	got := a.Join(b, "id=key")
	if want := []string{"id", "x", "x_right"}; !slices.Equal(got.Names(), want) {
		t.Error(got.Names())
	}
	same(t, got.Col("x_right"), int64(7), int64(8), int64(9))
	if notes := strings.Join(got.Notes(), "; "); !strings.Contains(notes, "x of the right frame is called x_right") || !strings.Contains(notes, "up to 2 times") {
		t.Error(notes)
	}
	s := must(t, CategoryColumn("id", []int32{1, 0}, []string{"p", "q"}))
	u := must(t, StringColumn("id", []string{"q", "r"}))
	same(t, s.FullJoin(u, "id").Col("id"), "q", "p", "r")
	same(t, u.FullJoin(s, "id").Col("id"), "q", "r", "p")
	if got := refused(t, func() { a.Join(u, "id") }); !strings.Contains(got, `"id" of kind int64`) {
		t.Error(got)
	}
	if got := refused(t, func() { a.Join(b) }); !strings.Contains(got, `common columns: "x"`) {
		t.Error(got)
	}
	if got := refused(t, func() { a.Join(b, "ix") }); !strings.Contains(got, `no column "ix"`) {
		t.Error(got)
	}
}
