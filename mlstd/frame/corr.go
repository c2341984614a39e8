package frame

import (
	"math"
	"slices"

	"github.com/gokernel/gokernel/mlstd/internal/par"
)

// Corr returns the matrix of Pearson's correlations of the named columns or, by default, of all
// columns of numbers. The matrix has a row and a column for each of these columns. Its first
// column, named column, holds their names. A correlation is computed over the rows in which neither
// value is missing. It is missing if one of the columns is constant in these rows.
func (f *Frame) Corr(names ...string) *Frame {
	return f.corr("Frame.Corr", names, correlation)
}

// RankCorr is like [Frame.Corr], but computes Spearman's rank correlations, which are Pearson's
// correlations of the ranks. The ranks are those among the rows in which neither value is missing;
// equal values share the mean of their ranks.
func (f *Frame) RankCorr(names ...string) *Frame {
	return f.corr("Frame.RankCorr", names, func(x, y []float64) float64 {
		var a, b []float64
		for i, p := range x {
			if q := y[i]; p == p && q == q {
				a, b = append(a, p), append(b, q)
			}
		}
		return correlation(FloatColumn("x", a).Rank().floats, FloatColumn("y", b).Rank().floats)
	})
}

// corr returns the matrix of a symmetric measure of columns.
func (f *Frame) corr(op string, names []string, measure func(x, y []float64) float64) *Frame {
	var cols []*Column
	var others []string
	if len(names) == 0 {
		for _, c := range f.cols {
			if c.kind.numeric() {
				cols = append(cols, c)
			} else {
				others = append(others, c.name)
			}
		}
	}
	for _, name := range f.Select(names...).Names() {
		c := f.col(op, name)
		c.need(op, FloatKind, IntKind, BoolKind)
		cols = append(cols, c)
	}
	if len(cols) == 0 {
		misuse(op, "convert columns with Parse or Dummies first", "the frame must have a column of numbers, got only %s", list(others))
	}
	if len(cols) > widest {
		misuse(op, "name the columns", "at most %d columns can be correlated, got %d", widest, len(cols))
	}
	k := len(cols)
	numbers, labels := make([][]float64, k), make([]string, k)
	gaps := 0
	for j, c := range cols {
		numbers[j], labels[j] = c.numbers(), c.name
		gaps += c.gaps
	}
	out := make([][]float64, k)
	for j := range out {
		out[j] = make([]float64, k)
	}
	par.Range(k*k, 1, func(p, _ int) {
		if i, j := p/k, p%k; i <= j {
			r := measure(numbers[i], numbers[j])
			if i == j && !math.IsNaN(r) {
				r = 1
			}
			out[i][j], out[j][i] = r, r
		}
	})
	taken := map[string]bool{}
	for _, label := range labels {
		taken[label] = true
	}
	made := []*Column{StringColumn(freeName("column", taken), slices.Clone(labels))}
	for j, label := range labels {
		made = append(made, FloatColumn(label, out[j]))
	}
	var notes []string
	if len(others) > 0 {
		notes = append(notes, list(others)+" left out: not numeric")
	}
	if gaps > 0 {
		notes = append(notes, plural(gaps, "missing value")+" left out separately for each pair of columns")
	}
	return of(op, made).inherit(f).say(notes...)
}

// Describe returns one row for each named column of each group. By default, it describes all
// columns of numbers that are not keys. A row holds the number of non-missing values, the mean, the
// standard deviation, the minimum, the quartiles and the maximum.
//
//	f.By("zone").Describe("fare", "km")
func (g *Groups) Describe(names ...string) *Frame {
	const op = "Groups.Describe"
	if len(names) == 0 {
		for _, c := range g.frame.cols {
			if (c.kind == FloatKind || c.kind == IntKind) && !slices.Contains(g.names, c.name) {
				names = append(names, c.name)
			}
		}
		if len(names) == 0 {
			misuse(op, "use Agg with Count, Min, Max or Unique, which take all kinds", "the frame must have a column of numbers besides the keys")
		}
	}
	var parts []*Frame
	var aggs []Agg
	for _, name := range names {
		g.frame.col(op, name).need(op, FloatKind, IntKind, BoolKind)
		all := []Agg{Count(name).As("count"), Mean(name).As("mean"), SD(name).As("sd"), Min(name).As("min"), Quantile(name, 0.25).As("q25"), Median(name).As("median"), Quantile(name, 0.75).As("q75"), Max(name).As("max")}
		part := g.Agg(all...)
		part.Set("min", part.Col("min").Float())
		part.Set("max", part.Col("max").Float())
		cols := slices.Insert(slices.Clone(part.cols), len(g.names), StringColumn("column", []string{name}).repeat(g.n))
		parts = append(parts, of(op, cols))
		aggs = append(aggs, all...)
	}
	order := make([]int32, 0, g.n*len(names)) // group by group
	for k := range g.n {
		for j := range names {
			order = append(order, int32(j*g.n+k))
		}
	}
	below := Concat(parts...)
	return like(len(order), below.take(order).cols).inherit(g.frame).say(append(slices.Clone(g.lost), g.frame.leftOut(aggs)...)...)
}
