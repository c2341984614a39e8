package frame

import (
	"slices"

	"github.com/gokernel/gokernel/mlstd/internal/par"
)

// Groups is a frame whose rows are grouped by columns; [Frame.By] makes it.
type Groups struct {
	frame *Frame
	names []string
	keys  []*Column // of each group, its values in the columns named
	lost  []string  // notes on rows that are in no group
	*grouping
}

// By groups the rows by the named columns: one group for each combination of values that occurs, in
// ascending order. Missing values come last, in a group of their own.
//
//	f.By("zone", "weekday").Agg(Mean("fare"), Quantile("tip", 0.9), Count())
func (f *Frame) By(names ...string) *Groups {
	const op = "Frame.By"
	if len(names) == 0 {
		misuse(op, "use some of "+list(f.Names()), "at least one column must be named")
	}
	for j, name := range names {
		if slices.Contains(names[:j], name) {
			misuse(op, "", "each column must be named once, got %q twice", name)
		}
	}
	g := &Groups{frame: f, names: names, grouping: f.group(op, names)}
	for _, name := range names {
		g.keys = append(g.keys, f.col(op, name).take(g.first))
	}
	return g
}

// String returns the number of groups and the methods for them as text.
func (g *Groups) String() string {
	return plural(g.n, "group") + " by " + list(g.names) + " of " + plural(g.frame.n, "row") + "; use Agg, Transform, Top or Apply to compute something"
}

// Len returns the number of groups.
func (g *Groups) Len() int { return g.n }

// Agg returns a frame with a row for each group: the grouping columns, and one column for each
// aggregate. Aggregates ignore missing values; the notes of the frame report the number of ignored
// values.
func (g *Groups) Agg(aggs ...Agg) *Frame {
	plain("Groups.Agg", aggs)
	cols := slices.Clone(g.keys)
	if slices.ContainsFunc(aggs, func(a Agg) bool { return a.op != "sum" }) {
		g.counts() // before goroutines share it
	}
	made := make([]*Column, len(aggs))
	for j, a := range aggs { // functions of the caller run in the caller's goroutine
		if a.own != nil {
			made[j] = a.of(g.frame, g.grouping)
		}
	}
	par.Range(len(aggs), 1, func(j, _ int) {
		if aggs[j].own == nil {
			made[j] = aggs[j].of(g.frame, g.grouping)
		}
	})
	return of("Groups.Agg", append(cols, made...)).inherit(g.frame).say(append(slices.Clone(g.lost), g.frame.leftOut(aggs)...)...)
}

// leftOut says how many missing values aggregates leave out.
func (f *Frame) leftOut(aggs []Agg) []string {
	var notes []string
	var said []string
	for _, a := range aggs {
		for _, name := range []string{a.column, a.second} {
			if name == "" || slices.Contains(said, name) {
				continue
			}
			if c := f.cols[f.index[name]]; c.gaps > 0 {
				said = append(said, name)
				notes = append(notes, plural(c.gaps, "missing value")+" of "+name+" left out")
			}
		}
	}
	return notes
}

// Agg returns a frame of one row with the aggregates of all rows.
func (f *Frame) Agg(aggs ...Agg) *Frame {
	plain("Frame.Agg", aggs)
	cols := make([]*Column, len(aggs))
	g := f.whole()
	for j, a := range aggs {
		cols[j] = a.of(f, g)
	}
	return of("Frame.Agg", cols).inherit(f).say(f.leftOut(aggs)...)
}

// whole returns a single group of all rows; there may be no rows.
func (f *Frame) whole() *grouping {
	return &grouping{n: 1, id: make([]int32, f.n), first: make([]int32, 1), count: []int32{int32(f.n)}}
}

// Transform returns a column with one value per row of the frame: the aggregate of the row's group.
// For example, this is each value as a fraction of the sum of its group:
//
//	f.Col("fare").Over(f.By("zone").Transform(Sum("fare")))
func (g *Groups) Transform(a Agg) *Column {
	plain("Groups.Transform", []Agg{a})
	return a.of(g.frame, g.grouping).take(g.id)
}

// Head returns the first n rows of each group, in the order of the groups.
func (g *Groups) Head(n int) *Frame {
	rows, at := g.members(), g.starts()
	var out []int32
	for k := range g.n {
		lo, hi := at[k], at[k+1]
		out = append(out, rows[lo:min(hi, lo+int32(min(max(n, 0), len(rows))))]...)
	}
	return g.frame.take(out)
}

// Top returns the first n rows of each group, sorted by the columns as in [Frame.Sort]. For
// example, f.By("zone").Top(2, "-fare") returns the two highest fares of each zone. Rows with a
// missing value in one of these columns are left out.
func (g *Groups) Top(n int, by ...string) *Frame {
	const op = "Groups.Top"
	f := g.frame
	if len(by) == 1 && n <= 16 && n*g.n <= 4*f.n+1<<20 {
		if c, falling := f.direction(op, by[0]); c.kind == FloatKind || c.kind == IntKind || c.kind == TimeKind {
			return f.take(g.topOne(n, c, falling))
		}
	}
	order := f.order(op, by)
	taken := make([]int32, g.n)
	kept := make([][]int32, g.n)
	for _, r := range order {
		k := g.id[r]
		if int(taken[k]) < n && !slices.ContainsFunc(by, func(name string) bool { c, _ := f.direction(op, name); return c.missing.has(int(r)) }) {
			taken[k]++
			kept[k] = append(kept[k], r)
		}
	}
	return f.take(slices.Concat(kept...))
}

// topOne is Top for one column of numbers: each group keeps its best rows in order.
func (g *Groups) topOne(n int, c *Column, falling bool) []int32 {
	n = max(n, 0)
	if n == 0 || g.n == 0 {
		return nil
	}
	type entry struct {
		key uint64
		row int32
	}
	wide := 0
	for _, x := range g.counts() {
		wide = max(wide, int(x))
	}
	n = min(n, wide)
	best := make([]entry, g.n*n)
	held := make([]int32, g.n)
	for i, k := range g.id {
		if c.missing.has(i) {
			continue
		}
		e := entry{row: int32(i)}
		if c.kind == FloatKind {
			e.key = floatKey(c.floats[i])
		} else {
			e.key = intKey(c.ints[i])
		}
		if falling {
			e.key = ^e.key
		}
		list := best[int(k)*n:][:n]
		m := int(held[k])
		if m == n && e.key >= list[n-1].key {
			continue
		}
		if m < n {
			m++
			held[k]++
		}
		at := m - 1
		for at > 0 && list[at-1].key > e.key {
			list[at] = list[at-1]
			at--
		}
		list[at] = e
	}
	var rows []int32
	for k := range g.n {
		for _, e := range best[k*n:][:held[k]] {
			rows = append(rows, e.row)
		}
	}
	return rows
}

// Apply calls the function do with the rows of each group and stacks the returned frames. The
// grouping columns come first, with the values of the group, unless the returned frames have a
// column of the same name. A nil frame adds no rows.
//
//	f.By("zone").Apply(func(g *ml.Frame) *ml.Frame { return g.Agg(ml.Mean("fare")) })
func (g *Groups) Apply(do func(*Frame) *Frame) *Frame {
	rows, at := g.members(), g.starts()
	parts := make([]*Frame, 0, g.n)
	for k := range g.n {
		part := do(g.frame.take(rows[at[k]:at[k+1]]))
		if part == nil {
			continue
		}
		var cols []*Column
		for _, key := range g.keys {
			if !part.Has(key.name) {
				cols = append(cols, key.slice(k, k+1).repeat(part.n))
			}
		}
		parts = append(parts, part.heir(part.n, append(cols, part.cols...)))
	}
	return Concat(parts...).say(g.lost...)
}
