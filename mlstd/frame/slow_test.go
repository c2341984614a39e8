package frame

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// random makes a frame of n rows with keys of every kind, few values of each, and
// missing ones among them.
func random(rng *rand.Rand, n int) *Frame {
	gone := func() []uint64 {
		b := newBitmap(n)
		for i := range n {
			if rng.IntN(7) == 0 {
				b.set(i)
			}
		}
		return b
	}
	text, ints, wide, floats, bools, codes, values := make([]string, n), make([]int64, n), make([]int64, n), make([]float64, n), make([]bool, n), make([]int32, n), make([]float64, n)
	for i := range n {
		text[i] = string(rune('e' - rng.IntN(5)))
		ints[i] = int64(rng.IntN(4)) - 2
		wide[i] = []int64{math.MinInt64, -5, 0, math.MaxInt64}[rng.IntN(4)]
		floats[i] = []float64{math.Copysign(0, -1), 0, -1.5, math.Inf(1)}[rng.IntN(4)]
		bools[i] = rng.IntN(2) == 0
		codes[i] = int32(rng.IntN(3))
		values[i] = float64(rng.IntN(20)) / 4
	}
	cols := []*Column{
		StringColumn("text", text), IntColumn("int", ints), IntColumn("wide", wide), FloatColumn("float", floats),
		BoolColumn("bool", bools), CategoryColumn("category", codes, []string{"small", "medium", "large"}),
		NanoColumn("time", slices.Clone(wide), nil), FloatColumn("value", values), IntColumn("plain", slices.Clone(ints)),
	}
	cols[6].zone = firstTime.UTC().Location()
	for j := range cols[:8] {
		cols[j] = cols[j].MarkMissing(gone())
	}
	f, err := New(cols...)
	if err != nil {
		panic(err)
	}
	return f
}

// keyText writes the values of a row in some columns so that rows are equal where the
// texts are.
func keyText(f *Frame, i int, names []string) string {
	var b strings.Builder
	for _, name := range names {
		c := f.Col(name)
		s := c.Text(i)
		if s == "-0" {
			s = "0"
		}
		fmt.Fprintf(&b, "%v|%q;", c.IsMissing(i), s)
	}
	return b.String()
}

// before reports whether row i comes before row j in ascending order of the columns.
func before(f *Frame, i, j int, names []string) bool {
	for _, name := range names {
		c := f.Col(name)
		if p, q := c.IsMissing(i), c.IsMissing(j); p || q {
			if p != q {
				return q
			}
			continue
		}
		switch c.Kind() {
		case FloatKind:
			if c.floats[i] != c.floats[j] {
				return c.floats[i] < c.floats[j]
			}
		case IntKind, TimeKind:
			if c.ints[i] != c.ints[j] {
				return c.ints[i] < c.ints[j]
			}
		case BoolKind:
			if c.bools[i] != c.bools[j] {
				return c.bools[j]
			}
		case CategoryKind:
			if c.codes[i] != c.codes[j] {
				return c.codes[i] < c.codes[j]
			}
		default:
			if c.text(i) != c.text(j) {
				return c.text(i) < c.text(j)
			}
		}
	}
	return false
}

// slowGroups returns the rows of each group, found by comparing.
func slowGroups(f *Frame, names []string) [][]int {
	var groups [][]int
	index := map[string]int{}
	for i := range f.Len() {
		k := keyText(f, i, names)
		g, ok := index[k]
		if !ok {
			g = len(groups)
			index[k] = g
			groups = append(groups, nil)
		}
		groups[g] = append(groups[g], i)
	}
	slices.SortFunc(groups, func(a, b []int) int {
		if before(f, a[0], b[0], names) {
			return -1
		}
		return 1
	})
	return groups
}

var keySets = [][]string{{"text"}, {"int"}, {"wide"}, {"float"}, {"bool"}, {"category"}, {"time"}, {"text", "int"}, {"wide", "float", "category"},
	{"bool", "time", "text", "int", "category", "float", "wide"}}

// slowAgg computes an aggregate of the present numbers of a group.
func slowAgg(op string, v []float64) any {
	n := float64(len(v))
	sum := 0.0
	for _, x := range v {
		sum += x
	}
	s := slices.Sorted(slices.Values(v))
	switch {
	case op == "count":
		return int64(len(v))
	case op == "sum":
		return sum
	case op == "unique":
		return int64(len(slices.Compact(s)))
	case n == 0 || n == 1 && op == "variance":
		return nil
	case op == "mean":
		return sum / n
	case op == "min":
		return s[0]
	case op == "max":
		return s[len(s)-1]
	case op == "first":
		return v[0]
	case op == "last":
		return v[len(v)-1]
	case op == "median":
		return (s[(len(s)-1)/2] + s[len(s)/2]) / 2
	}
	squares := 0.0
	for _, x := range v {
		squares += (x - sum/n) * (x - sum/n)
	}
	return squares / (n - 1)
}

func close2(a, b any) bool {
	x, ok := a.(float64)
	y, too := b.(float64)
	if ok && too {
		return x == y || math.Abs(x-y) <= 1e-12*(math.Abs(x)+math.Abs(y))
	}
	return a == b
}

func TestGroupsAreThoseOfASlowSearch(t *testing.T) {
	aggs := []Agg{Count("value"), Sum("value"), Mean("value"), Min("value"), Max("value"), First("value"), Last("value"), Median("value"), Variance("value"), Unique("value")}
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 1))
		f := random(rng, rng.IntN(80))
		names := keySets[seed%uint64(len(keySets))]
		want := slowGroups(f, names)
		got := f.By(names...).Agg(append(slices.Clone(aggs), Count(), Sum("plain"))...)
		if got.Len() != len(want) {
			t.Fatalf("seed %d: %d groups, want %d", seed, got.Len(), len(want))
		}
		for k, rows := range want {
			if a, b := keyText(got, k, names), keyText(f, rows[0], names); a != b {
				t.Fatalf("seed %d: group %d is %s, want %s", seed, k, a, b)
			}
			var v []float64
			plain := int64(0)
			for _, i := range rows {
				if !f.Col("value").IsMissing(i) {
					v = append(v, f.Col("value").floats[i])
				}
				plain += f.Col("plain").ints[i]
			}
			for _, a := range aggs {
				if x, y := got.Col(a.title()).At(k), slowAgg(a.op, v); !close2(x, y) {
					t.Errorf("seed %d, group %d: %s is %v, want %v", seed, k, a.title(), x, y)
				}
			}
			if got.Col("count").ints[k] != int64(len(rows)) || got.Col("plain_sum").ints[k] != plain {
				t.Errorf("seed %d, group %d: count or sum of integers", seed, k)
			}
		}
	}
}

func TestSortIsThatOfASlowSort(t *testing.T) {
	for seed := range uint64(40) {
		rng := rand.New(rand.NewPCG(seed, 2))
		f := random(rng, rng.IntN(600))
		names := keySets[seed%uint64(len(keySets))]
		got, want := f.order("Sort", names), upTo(f.Len())
		slices.SortStableFunc(want, func(a, b int32) int {
			switch {
			case before(f, int(a), int(b), names):
				return -1
			case before(f, int(b), int(a), names):
				return 1
			}
			return 0
		})
		if !slices.Equal(got, want) {
			t.Fatalf("seed %d, %v: %v, want %v", seed, names, got, want)
		}
	}
}

// Keys that do not fit into 64 bits together are grouped in steps.
func TestGroupsOfManyKeys(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	const n = 3000
	keys := make([]key, 4)
	for j := range keys {
		keys[j] = key{card: 1 << 31, ords: make([]uint32, n)}
		for i := range n {
			keys[j].ords[i] = uint32(rng.IntN(3)) * (1<<30 - 1)
		}
	}
	g := groupWide(n, keys)
	row := func(i int) [4]uint32 {
		return [4]uint32{keys[0].ords[i], keys[1].ords[i], keys[2].ords[i], keys[3].ords[i]}
	}
	if g.n != 81 {
		t.Errorf("%d groups, want all 81", g.n)
	}
	for i := range n {
		first := int(g.first[g.id[i]])
		if row(i) != row(first) || first > i {
			t.Fatalf("row %d is in the group of row %d", i, first)
		}
	}
	for k := 1; k < g.n; k++ {
		a, b := row(int(g.first[k-1])), row(int(g.first[k]))
		if slices.Compare(a[:], b[:]) >= 0 {
			t.Fatalf("group %d does not come after the one before", k)
		}
	}
}
