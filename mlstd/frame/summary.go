package frame

import (
	"math"
)

// Sum returns the sum of the non-missing values. A sum of integers is exact if float64 can
// represent it; the aggregate [Sum] returns it as an integer.
func (c *Column) Sum() float64 { return c.one(Sum(c.name)) }

// Mean returns the mean of the non-missing values, or NaN if there are none.
func (c *Column) Mean() float64 { return c.one(Mean(c.name)) }

// Median returns the median of the non-missing values, or NaN if there are none.
func (c *Column) Median() float64 { return c.one(Median(c.name)) }

// Quantile returns a quantile of the non-missing values; see [Quantile].
func (c *Column) Quantile(q float64) float64 { return c.one(Quantile(c.name, q)) }

// SD returns the standard deviation of the non-missing values, with divisor n-1.
func (c *Column) SD() float64 { return c.one(SD(c.name)) }

// Corr returns Pearson's correlation with another column or slice of numbers, over the rows in
// which neither value is missing.
func (c *Column) Corr(other any) float64 {
	d := c.other("Column.Corr", other)
	f := like(c.n, []*Column{c.Named("x"), d.Named("y")})
	return f.Agg(Corr("x", "y")).cols[0].floats[0]
}

// Min returns the minimum as a value of the column's kind, or nil if all values are missing.
func (c *Column) Min() any { return c.extreme(Min(c.name)) }

// Max returns the maximum as a value of the column's kind, or nil if all values are missing.
func (c *Column) Max() any { return c.extreme(Max(c.name)) }

// Unique returns the number of distinct non-missing values.
func (c *Column) Unique() int { return int(c.one(Unique(c.name))) }

// Any reports whether at least one value of a bool column is true.
func (c *Column) Any() bool {
	c.need("Column.Any", BoolKind)
	return c.Sum() > 0
}

// All reports whether every value of a bool column is true and none is missing.
func (c *Column) All() bool {
	c.need("Column.All", BoolKind)
	return c.Sum() == float64(c.n)
}

// one returns an aggregate of the column that is a number.
func (c *Column) one(a Agg) float64 {
	f := like(c.n, []*Column{c})
	d := a.of(f, f.whole())
	if d.gaps > 0 {
		return math.NaN()
	}
	return d.numbers()[0]
}

func (c *Column) extreme(a Agg) any {
	f := like(c.n, []*Column{c})
	return a.of(f, f.whole()).At(0)
}
