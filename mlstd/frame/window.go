package frame

import (
	"math"
	"slices"
	"strconv"

	"github.com/gokernel/gokernel/mlstd/internal/quantile"
)

// Shift returns the column moved down by k rows, or up if k is negative. The vacated rows become
// missing.
func (c *Column) Shift(k int) *Column {
	rows := none(c.n)
	for i := range rows {
		if from := i - k; from >= 0 && from < c.n {
			rows[i] = int32(from)
		}
	}
	return c.take(rows)
}

// Diff returns the difference between each value and the value in the row before it; for times, it
// is in seconds.
func (c *Column) Diff() *Column { return c.Minus(c.Shift(1)) }

// CumSum returns the cumulative sum of the values. Where a value is missing, the sum is missing
// too, and the following sums ignore the value. A sum of integers that overflows 64 bits is an
// error.
func (c *Column) CumSum() *Column {
	c.need("Column.CumSum", FloatKind, IntKind, BoolKind)
	if c.kind != IntKind {
		return c.running(func(sum, x float64) float64 { return sum + x })
	}
	out, sum := make([]int64, c.n), int64(0)
	for i, x := range c.ints { // 0 where missing
		next := sum + x
		if (sum^next)&(x^next) < 0 {
			misuse("Column.CumSum", "convert the column with Float first", "the sum must fit into int64, but does not from row %d on", i)
		}
		sum = next
		out[i] = sum
	}
	return withGone(IntColumn(c.name, out).WithUnit(c.unit), c.missing)
}

// CumMax returns the cumulative maximum of the values.
func (c *Column) CumMax() *Column {
	c.need("Column.CumMax", FloatKind, IntKind)
	return c.running(math.Max)
}

// CumMin returns the cumulative minimum of the values.
func (c *Column) CumMin() *Column {
	c.need("Column.CumMin", FloatKind, IntKind)
	return c.running(math.Min)
}

// running accumulates the non-missing values.
func (c *Column) running(f func(a, b float64) float64) *Column {
	out := make([]float64, c.n)
	so := math.NaN()
	for i, x := range c.numbers() {
		switch {
		case x != x:
			out[i] = x
			continue
		case so != so:
			so = x
		default:
			so = f(so, x)
		}
		out[i] = so
	}
	return FloatColumn(c.name, out).WithUnit(c.unit)
}

// Rank returns the rank of each value in ascending order, from 1 on; equal values share the mean of
// their ranks. The rank of a missing value is missing.
func (c *Column) Rank() *Column {
	s := newSorter(c.n)
	rows := c.sortRows(upTo(c.n), false, s)[:c.n-c.gaps]
	out := make([]float64, c.n)
	for i := range out {
		out[i] = math.NaN()
	}
	for lo := 0; lo < len(rows); {
		hi := lo + 1
		for hi < len(rows) && s.keys[hi] == s.keys[lo] {
			hi++
		}
		for _, r := range rows[lo:hi] {
			out[r] = float64(lo+hi+1) / 2
		}
		lo = hi
	}
	return FloatColumn(c.name, out)
}

// Cut converts each number to a category: the range between two edges that contains it. For
// example, Cut(0, 10, 20) has the levels [0, 10) and [10, 20]. The last range includes both ends.
// Numbers outside the edges are in the levels < 0 and > 20, which exist only if there are such
// numbers. [Column.Quantiles] closes its ranges on the right.
func (c *Column) Cut(edges ...float64) *Column { return c.cut("Column.Cut", edges, false) }

// cut returns the ranges between edges, which are closed on the left or on the right.
func (c *Column) cut(op string, edges []float64, right bool) *Column {
	c.need(op, FloatKind, IntKind)
	if len(edges) < 2 || !slices.IsSorted(edges) || len(slices.Compact(slices.Clone(edges))) < len(edges) {
		misuse(op, "", "edges must be at least two numbers in ascending order, got %v", edges)
	}
	write := func(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
	last := len(edges) - 1
	levels := []string{"< " + write(edges[0])}
	for k, e := range edges[:last] {
		begin, end := "[", ")"
		switch {
		case right && k > 0:
			begin, end = "(", "]"
		case right || k == last-1:
			end = "]"
		}
		levels = append(levels, begin+write(e)+", "+write(edges[k+1])+end)
	}
	levels = append(levels, "> "+write(edges[last]))
	codes := make([]int32, c.n)
	used := make([]bool, len(levels))
	for i, x := range c.numbers() {
		codes[i] = -1
		if x != x {
			continue
		}
		k, found := slices.BinarySearch(edges, x)
		if found && (k == 0 || k < last && !right) {
			k++
		}
		codes[i] = int32(k)
		used[k] = true
	}
	if !used[len(levels)-1] {
		levels = levels[:len(levels)-1]
	}
	if !used[0] {
		levels = levels[1:]
		for i := range codes {
			codes[i] = max(codes[i]-1, -1)
		}
	}
	return CategoryColumn(c.name, codes, levels)
}

// Quantiles divides the values into up to k ranges with about equal counts, and returns the range
// of each value as a category. The ranges are closed on the right, as in pandas.qcut. For example,
// Quantiles(2) of 1, 2, 3 has the levels [1, 2] and (2, 3]; the first includes both ends. The edges
// are quantiles with linear interpolation (type 7). Equal values are in the same range, so there
// may be fewer than k ranges; a note of the column reports it.
func (c *Column) Quantiles(k int) *Column {
	const op = "Column.Quantiles"
	c.need(op, FloatKind, IntKind)
	if k < 1 {
		misuse(op, "", "k must be at least 1, got %d", k)
	}
	if c.gaps == c.n {
		misuse(op, "", "column %q must have a non-missing value, got none", c.name)
	}
	v := slices.DeleteFunc(slices.Clone(c.numbers()), math.IsNaN)
	slices.Sort(v)
	edges := make([]float64, k+1)
	for j := range edges {
		// Compute the position j(n-1)/k in integers, so that an edge that is a number of the column
		// is exact.
		at := j * (len(v) - 1)
		if edges[j] = v[at/k]; at%k != 0 {
			edges[j] = quantile.Between(v[at/k], v[at/k+1], float64(at%k)/float64(k))
		}
	}
	edges = slices.Compact(edges)
	if len(edges) == 1 {
		edges = append(edges, math.Nextafter(edges[0], math.Inf(1)))
	}
	d := c.cut(op, edges, true)
	if got := len(edges) - 1; got < k {
		d.notes = []string{plural(got, "range") + " of " + strconv.Quote(c.name) + " instead of " + strconv.Itoa(k) + ": equal numbers stay together"}
	}
	return d
}

// Within applies the function do to the column in each group and returns the results in the row
// order of the frame:
//
//	f.By("sensor").Within("degrees", func(c *ml.FrameColumn) *ml.FrameColumn { return c.Rolling(4).Mean() })
func (g *Groups) Within(name string, do func(*Column) *Column) *Column {
	return g.within("Groups.Within", name, do)
}

func (g *Groups) within(op, name string, do func(*Column) *Column) *Column {
	rows, at := g.members(), g.starts()
	c := g.frame.col(op, name)
	if g.n == 0 {
		return do(c).Named(name)
	}
	whole := c.take(rows)
	parts := make([]*Frame, g.n)
	for k := range parts {
		part := do(whole.slice(int(at[k]), int(at[k+1])))
		if part.n != int(at[k+1]-at[k]) {
			misuse(op, "return a column with a value for each row", "the function must return %[2]d values (the rows of the group), got %[1]d", part.n, at[k+1]-at[k])
		}
		parts[k] = like(part.n, []*Column{part.Named(name)})
	}
	back := make([]int32, len(rows))
	for i, r := range rows {
		back[r] = int32(i)
	}
	return Concat(parts...).cols[0].take(back)
}
