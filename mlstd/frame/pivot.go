package frame

import (
	"fmt"
	"slices"
)

// widest is the largest number of columns that Pivot and Crosstab make.
const widest = 1000

// Pivot returns a row for each value of the column rows and a column for each value
// of the column columns, in ascending order. Each entry is the aggregate of the
// rows of f with both values. Without such rows, a count is 0 and any other
// aggregate is missing. The columns are named by their values; a missing value has
// the name "missing".
//
//	f.Pivot("weekday", "zone", Mean("fare"))
func (f *Frame) Pivot(rows, columns string, a Agg) *Frame {
	const op = "Frame.Pivot"
	across := f.By(columns)
	if across.n > widest {
		misuse(op, "bin it first, with Cut or a part of a date", "the column that makes the new columns must have few values, but %q has %d", columns, across.n)
	}
	down := f.By(rows)
	cells := f.By(rows, columns)
	values := a.of(f, cells.grouping)
	cols := []*Column{f.col(op, rows).take(down.first)}
	taken := map[string]bool{rows: true}
	for k, r := range across.first {
		at := none(down.n)
		for c, first := range cells.first {
			if across.id[first] == int32(k) {
				at[down.id[first]] = int32(c)
			}
		}
		c := values.take(at)
		if a.op == "count" {
			c = c.FillMissing(0)
		}
		cols = append(cols, c.Named(freeName(f.col(op, columns).label(int(r)), taken)))
	}
	return of(op, cols).inherit(f).say(f.leftOut([]Agg{a})...)
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

// Melt is the inverse of [Frame.Pivot]. It keeps the named columns and turns each other
// column of each row into a row of its own. In the result, the column name, a category,
// holds the name of that column, and the column value holds its value. The other
// columns must be of one kind; integers become float64 when another column has float64.
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

// Crosstab counts how often each value of the column rows occurs with each of the
// column columns. It is Pivot with Count.
func (f *Frame) Crosstab(rows, columns string) *Frame { return f.Pivot(rows, columns, Count()) }

// Counts returns how often each value of the named columns, or each combination of their
// values, occurs, the commonest first, with the fraction of all rows.
func (f *Frame) Counts(names ...string) *Frame {
	if len(names) == 0 {
		misuse("Frame.Counts", "use some of "+list(f.Names()), "at least one column must be named")
	}
	g := f.By(names...).Agg(Count())
	g.Set("share", g.Col("count").Over(max(f.n, 1)))
	return g.Sort("-count")
}

// Counts returns how often each value occurs, the commonest first, with its fraction of all rows.
func (c *Column) Counts() *Frame { return like(c.n, []*Column{c}).Counts(c.name) }

// Values returns the distinct values in ascending order, missing last.
func (c *Column) Values() *Column {
	return c.take(like(c.n, []*Column{c}).group("Column.Values", []string{c.name}).first)
}
