package frame

import (
	"math"
	"strconv"
	"strings"
)

// Agg is an aggregate that [Groups.Agg] computes for each group: a function of a column, and the
// name of the resulting column.
type Agg struct {
	op     string
	column string
	second string // second column of Corr
	q      float64
	name   string
	totals bool
	own    func(values *Column) any
}

// As returns the aggregate under another name.
func (a Agg) As(name string) Agg {
	a.name = name
	return a
}

// title returns the name of the column of the aggregate.
func (a Agg) title() string {
	switch {
	case a.name != "":
		return a.name
	case a.op == "count" && a.column == "":
		return "count"
	case a.op == "quantile":
		return a.column + "_q" + strings.TrimPrefix(strconv.FormatFloat(100*a.q, 'g', 6, 64), "0")
	case a.second != "":
		return a.column + "_" + a.second + "_" + a.op
	}
	return a.column + "_" + a.op
}

// Count counts the rows of a group or, given a column, its non-missing values. The resulting column
// is named count, or after the counted column, such as fare_count.
func Count(column ...string) Agg {
	if len(column) > 1 {
		misuse("Count", "pass one column, or none to count rows", "at most one column can be counted, got %d", len(column))
	}
	return Agg{op: "count", column: strings.Join(column, "")}
}

// Sum is the sum of the non-missing values. The sum of integers or bools is an integer; a sum that
// overflows 64 bits is an error. If all values are missing, the sum is 0. The resulting column is
// named, for example, fare_sum.
func Sum(column string) Agg { return Agg{op: "sum", column: column} }

// Mean is the mean of the non-missing values, or missing if there are none. Its column is named
// fare_mean.
func Mean(column string) Agg { return Agg{op: "mean", column: column} }

// Median is the median of the non-missing values. Its column is named fare_median.
func Median(column string) Agg { return Agg{op: "median", column: column, q: 0.5} }

// Quantile is the value below which the fraction q of the non-missing values lies, with linear
// interpolation between the two nearest values (type 7). The column of Quantile("fare", 0.9) is
// named fare_q90.
func Quantile(column string, q float64) Agg {
	if !(q >= 0 && q <= 1) {
		misuse("Quantile", "use a fraction such as 0.9", "q must be between 0 and 1, got %v", q)
	}
	return Agg{op: "quantile", column: column, q: q}
}

// SD is the standard deviation with divisor n-1, or missing if there are fewer than two non-missing
// values. Its column is named fare_sd.
func SD(column string) Agg { return Agg{op: "sd", column: column} }

// Variance is the square of the standard deviation. Its column is named fare_variance.
func Variance(column string) Agg { return Agg{op: "variance", column: column} }

// Min is the minimum of the non-missing values of a column of any kind. Categories are compared by
// the order of their levels. Its column is named fare_min.
func Min(column string) Agg { return Agg{op: "min", column: column} }

// Max is the maximum of the non-missing values of a column of any kind. Its column is named
// fare_max.
func Max(column string) Agg { return Agg{op: "max", column: column} }

// First is the first non-missing value. Its column is named fare_first.
func First(column string) Agg { return Agg{op: "first", column: column} }

// Last is the last non-missing value. Its column is named fare_last.
func Last(column string) Agg { return Agg{op: "last", column: column} }

// Unique counts the distinct non-missing values. Its column is named fare_unique.
func Unique(column string) Agg { return Agg{op: "unique", column: column} }

// Corr is Pearson's correlation of two columns over the rows in which neither value is missing. It
// is missing if one column is constant in these rows. The resulting column is named, for example,
// fare_tip_corr.
func Corr(column, other string) Agg { return Agg{op: "corr", column: column, second: other} }

// AggColumn is an aggregate of your own: f gets the non-missing values of a group as a column, and
// returns a number, string, bool or time, or nil for a missing value. If a group has only missing
// values, its result is missing. The resulting column is named, for example, fare_own; rename it
// with As. In cells, AggFunc takes a function of a slice instead.
//
//	f.By("zone").Agg(AggColumn("fare", func(v *Column) any { return v.Quantile(0.9) - v.Quantile(0.1) }).As("range"))
func AggColumn(column string, f func(values *Column) any) Agg {
	if f == nil {
		misuse("AggColumn", "", "the function must not be nil")
	}
	return Agg{op: "own", column: column, own: f}
}

// ownOf calls the function of an aggregate made by [AggColumn] for each group.
func (a Agg) ownOf(c *Column, g *grouping) *Column {
	rows, at := g.members(), g.starts()
	values := make([]any, g.n)
	for k := range values {
		some := make([]int32, 0, at[k+1]-at[k])
		for _, r := range rows[at[k]:at[k+1]] {
			if !c.missing.has(int(r)) {
				some = append(some, r)
			}
		}
		if len(some) > 0 {
			values[k] = a.own(c.take(some))
		}
	}
	d, _ := columnOf("Agg of "+strconv.Quote(c.name), a.title(), values)
	return d
}

// Totals returns the aggregate with totals for [Frame.Pivot]: Pivot then adds a last column with
// the aggregate over all columns and a last row with the aggregate over all rows, both named All.
//
//	f.Pivot("weekday", "zone", Mean("fare").Totals())
func (a Agg) Totals() Agg {
	a.totals = true
	return a
}

// plain panics if an aggregate asks for totals, which only Pivot has.
func plain(op string, aggs []Agg) {
	for _, a := range aggs {
		if a.totals {
			misuse(op, "use Totals in Pivot, or add f.Agg(...) with Concat", "the aggregate %s must not have Totals", a.title())
		}
	}
}

// of computes the aggregate of the groups of a frame.
func (a Agg) of(f *Frame, g *grouping) *Column {
	const op = "Agg"
	name := a.title()
	if a.op == "count" && a.column == "" {
		v := make([]int64, g.n)
		for k, n := range g.counts() {
			v[k] = int64(n)
		}
		return IntColumn(name, v)
	}
	c := f.col(op, a.column)
	switch a.op {
	case "count":
		return IntColumn(name, g.present(c))
	case "min", "max", "first", "last":
		return c.take(g.chosen(c, a.op)).Named(name)
	case "unique":
		return IntColumn(name, g.unique(c))
	case "own":
		return a.ownOf(c, g)
	}
	c.need(op+" "+a.op, FloatKind, IntKind, BoolKind)
	switch a.op {
	case "sum":
		if c.kind != FloatKind {
			return IntColumn(name, g.sumInts(c)).WithUnit(c.unit)
		}
		return FloatColumn(name, g.sums(c)).WithUnit(c.unit)
	case "mean":
		return FloatColumn(name, g.means(c)).WithUnit(c.unit)
	case "median", "quantile":
		return FloatColumn(name, g.quantiles(c, a.q)).WithUnit(c.unit)
	case "sd":
		v := g.variances(c)
		for k, x := range v {
			v[k] = math.Sqrt(x)
		}
		return FloatColumn(name, v).WithUnit(c.unit)
	case "variance":
		return FloatColumn(name, g.variances(c))
	case "corr":
		d := f.col(op, a.second)
		d.need(op+" corr", FloatKind, IntKind, BoolKind)
		return FloatColumn(name, g.correlations(c, d))
	}
	misuse(op, `create it with a function such as Mean("fare")`, "the aggregate must not be empty")
	return nil
}

// Parts are the parts of an aggregate, for packages that compute aggregates elsewhere.
type Parts struct {
	Op     string // count, sum, mean and so on
	Column string
	Second string  // the second column of a correlation
	Q      float64 // of a quantile
	Name   string  // of the resulting column
	Totals bool
}

// Parts returns the parts of the aggregate.
func (a Agg) Parts() Parts { return Parts{a.op, a.column, a.second, a.q, a.title(), a.totals} }
