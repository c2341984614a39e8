package frame

import (
	"fmt"
	"slices"
)

// widest is the largest number of columns that Pivot and Crosstab make.
const widest = 1000

// Pivot returns a row for each value of a first column and a column for each value of a second
// column, both in ascending order. The arguments rows and columns are the names of the two columns.
// Each entry is the aggregate over the rows of f that have both values. If there are no such rows,
// a count is 0 and any other aggregate is missing. The columns are named after their values; a
// missing value has the name "missing".
//
// For several keys, pass a []string: then each combination of their values that occurs has a row or
// column. An aggregate with [Agg.Totals] adds a last column and a last row with totals, both named
// All; key columns that are not categories then become strings.
//
//	f.Pivot("weekday", "zone", Mean("fare"))
//	f.Pivot([]string{"year", "weekday"}, "zone", Mean("fare").Totals())
func (f *Frame) Pivot(rows, columns any, a Agg) *Frame {
	const op = "Frame.Pivot"
	downKeys, acrossKeys := namesOf(op, "rows", rows), namesOf(op, "columns", columns)
	across := f.By(acrossKeys...)
	if across.n > widest {
		misuse(op, "bin it first, with Cut or a part of a date", "the columns argument must have at most %d different values, but %s has %d", widest, list(acrossKeys), across.n)
	}
	down := f.By(downKeys...)
	cells := f.By(append(slices.Clone(downKeys), acrossKeys...)...)
	values := a.of(f, cells.grouping)
	at := make([][]int32, across.n)
	for k := range at {
		at[k] = none(down.n)
	}
	for c, first := range cells.first {
		at[across.id[first]][down.id[first]] = int32(c)
	}
	var cols []*Column
	taken := map[string]bool{}
	for _, key := range down.keys {
		cols = append(cols, key)
		taken[key.name] = true
	}
	for k := range across.n {
		name := ""
		for j, key := range across.keys {
			if j > 0 {
				name += ", "
			}
			name += key.label(k)
		}
		c := values.take(at[k])
		if a.op == "count" {
			c = c.FillMissing(0)
		}
		cols = append(cols, c.Named(freeName(name, taken)))
	}
	if a.totals {
		cols = f.totals(a, cols, down, across, taken)
	}
	return of(op, cols).inherit(f).say(f.leftOut([]Agg{a})...)
}

// namesOf returns one name or several.
func namesOf(op, what string, v any) []string {
	switch v := v.(type) {
	case string:
		return []string{v}
	case []string:
		return v
	}
	misuse(op, `pass a name such as "zone", or []string{"zone", "day"}`, "%s must be a string or a []string, got %T", what, v)
	return nil
}

// totals adds a column and a row of totals to the columns of a pivot.
func (f *Frame) totals(a Agg, cols []*Column, down, across *Groups, taken map[string]bool) []*Column {
	keys := len(down.keys)
	last := a.of(f, across.grouping)                                          // of each column
	cols = append(cols, a.of(f, down.grouping).Named(freeName("All", taken))) // of each row
	corner := a.of(f, f.whole())
	rows := make([]*Column, len(cols))
	for j, c := range cols {
		switch {
		case j < keys:
			label := ""
			if j == 0 {
				used := map[string]bool{}
				for i := range c.n {
					used[c.Text(i)] = true
				}
				label = freeName("All", used)
			}
			if c.kind != CategoryKind {
				c = c.AsText()
			}
			cols[j], rows[j] = c, StringColumn(c.name, []string{label})
			if c.kind == CategoryKind {
				rows[j] = CategoryColumn(c.name, []int32{0}, []string{label})
			}
		case j == len(cols)-1:
			rows[j] = corner.Named(c.name)
		default:
			rows[j] = last.take([]int32{int32(j - keys)}).Named(c.name)
		}
	}
	return Concat(like(down.n, cols), like(1, rows)).cols
}

// label returns the value of a row as the name of a column.
func (c *Column) label(i int) string {
	if c.missing.has(i) {
		return "missing"
	}
	if s := c.Text(i); s != "" {
		return s
	}
	return "empty"
}

// freeName returns a name that is not taken yet, and takes it.
func freeName(name string, taken map[string]bool) string {
	free := name
	for k := 2; taken[free]; k++ {
		free = fmt.Sprintf("%s %d", name, k)
	}
	taken[free] = true
	return free
}

// Melt is the inverse of [Frame.Pivot]. It keeps the named columns and turns each remaining value
// of each row into a row of its own. The result has two new columns, whose names are the arguments
// name and value. The first holds the name of the value's former column, as a category, and the
// second holds the value. The columns that are not kept must be of one kind; integers become
// float64 when another column has float64.
func (f *Frame) Melt(keep []string, name, value string) *Frame {
	const op = "Frame.Melt"
	ids := f.Select(keep...)
	var parts []*Frame
	var levels []string
	for _, c := range f.cols {
		if slices.Contains(keep, c.name) {
			continue
		}
		if c.kind == CategoryKind {
			c = StringColumn(c.name, c.Strings()).MarkMissing(c.missingBits())
		}
		parts = append(parts, like(f.n, []*Column{c.Named(value)}))
		levels = append(levels, c.name)
	}
	if len(parts) == 0 {
		misuse(op, "keep fewer columns", "at least one column must not be kept")
	}
	rows := make([]int32, 0, f.n*len(parts))
	codes := make([]int32, 0, f.n*len(parts))
	for i := range f.n {
		for k := range parts {
			rows = append(rows, int32(i))
			codes = append(codes, int32(k))
		}
	}
	below := Concat(parts...).cols[0] // part by part, but row by row is easier to read
	order := make([]int32, len(rows))
	for i := range rows {
		order[i] = codes[i]*int32(f.n) + rows[i]
	}
	cols := append(ids.take(rows).cols, CategoryColumn(name, codes, levels), below.take(order))
	return of(op, cols).inherit(f)
}

// Crosstab counts how often each value of a first column occurs together with each value of a
// second column. The arguments rows and columns are the names of the two columns. Crosstab is Pivot
// with Count; for totals, use Pivot with Count().Totals().
func (f *Frame) Crosstab(rows, columns any) *Frame { return f.Pivot(rows, columns, Count()) }

// Counts returns how often each combination of values of the named columns occurs, and its fraction
// of all rows, most frequent first.
func (f *Frame) Counts(names ...string) *Frame {
	if len(names) == 0 {
		misuse("Frame.Counts", "use some of "+list(f.Names()), "at least one column must be named")
	}
	g := f.By(names...).Agg(Count())
	g.Set("share", g.Col("count").Over(max(f.n, 1)))
	return g.Sort("-count")
}

// Counts returns how often each value occurs, and its fraction of all rows, most frequent first.
func (c *Column) Counts() *Frame { return like(c.n, []*Column{c}).Counts(c.name) }

// Values returns the distinct values in ascending order, missing last.
func (c *Column) Values() *Column {
	return c.take(like(c.n, []*Column{c}).group("Column.Values", []string{c.name}).first)
}
