package frame

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Window is a column with a window of rows that ends at each row; [Column.Rolling] makes it.
type Window struct {
	column *Column
	size   int     // number of rows; 0 for a span of time
	first  []int32 // for a span of time: of each row, the first row of its window
	span   string
	least  int
}

// Rolling returns one window for each row. The window ends at that row.
//
// If size is an int, such as 7, a window is that many rows. Its aggregates are missing if it has
// fewer non-missing values than that; [Window.AtLeast] sets another minimum.
//
// If size is a span of time, pass a column of times in ascending order too. A window is then the
// row itself and the earlier rows whose time precedes the row's time by less than the span. One
// non-missing value is enough for its aggregates. The units of a span are nanoseconds to weeks; a
// day has 24 hours.
//
//	f.Col("sum").Rolling("7 days", f.Col("at")).Mean()
func (c *Column) Rolling(size any, at ...*Column) *Window {
	const op = "Column.Rolling"
	c.need(op, FloatKind, IntKind, BoolKind)
	switch n := size.(type) {
	case int:
		if len(at) > 0 {
			misuse(op, `pass a span such as "7 days", or leave the column of times out`, "a window of %s must have no column of times", plural(n, "row"))
		}
		if n < 1 {
			misuse(op, "", "the window must have at least 1 row, got %d", n)
		}
		return &Window{column: c, size: n, least: n}
	case string, time.Duration:
	default:
		misuse(op, `pass a number of rows, such as 7, or a span such as "7 days"`, "the size must be an int or a span of time, got %T", size)
	}
	span, text := spanOf(op, "the size", size)
	if len(at) != 1 {
		misuse(op, `pass the column of times too: f["x"].Rolling("`+text+`", f["at"])`, "a window of %s must have one column of times, got %d", text, len(at))
	}
	t := at[0]
	t.need(op, TimeKind)
	if t.n != c.n {
		misuse(op, "use a column of the same frame", "the times must have %d rows, as column %q has, got %d", c.n, c.name, t.n)
	}
	if t.gaps > 0 {
		misuse(op, "leave these rows out first: f.DropMissing("+strconv.Quote(t.name)+")", "column %q must have no missing time, got %d", t.name, t.gaps)
	}
	first, lo := make([]int32, c.n), 0
	for i, x := range t.ints {
		if i > 0 && x < t.ints[i-1] {
			misuse(op, "sort the frame first: f = f.Sort("+strconv.Quote(t.name)+")", "the times of column %q must be in ascending order, got an earlier time in row %d", t.name, i)
		}
		for uint64(x-t.ints[lo]) >= uint64(span) {
			lo++
		}
		first[i] = int32(lo)
	}
	return &Window{column: c, first: first, span: text, least: 1}
}

// spans are the units of spans of time.
var spans = map[string]time.Duration{
	"ns": time.Nanosecond, "nanosecond": time.Nanosecond, "µs": time.Microsecond, "us": time.Microsecond, "microsecond": time.Microsecond,
	"ms": time.Millisecond, "millisecond": time.Millisecond, "s": time.Second, "second": time.Second, "min": time.Minute, "minute": time.Minute,
	"h": time.Hour, "hour": time.Hour, "day": 24 * time.Hour, "week": 7 * 24 * time.Hour,
}

// spanOf reads a span of time, such as "7 days" or a time.Duration, and also returns it as a text.
func spanOf(op, what string, v any) (nanos int64, text string) {
	if d, ok := v.(time.Duration); ok {
		if d <= 0 {
			misuse(op, "", "%s must be positive, got %v", what, d)
		}
		return int64(d), d.String()
	}
	text = strings.Join(strings.Fields(v.(string)), " ")
	number, unit, two := strings.Cut(text, " ")
	if !two {
		number, unit = "1", text
	}
	n, err := strconv.ParseInt(number, 10, 64)
	length, ok := spans[unit]
	if !ok {
		length, ok = spans[strings.TrimSuffix(unit, "s")]
	}
	if err != nil || !ok || n < 1 || n > math.MaxInt64/int64(length) {
		hint := `use a span such as "10 seconds", "2 hours" or "7 days"`
		if strings.Contains("months quarters years", unit) && len(unit) > 3 {
			hint = "use days or weeks, since the length of " + unit + " varies"
		}
		misuse(op, hint, "%s must be a span of time of fixed length, got %q", what, v)
	}
	return n * int64(length), text
}

// String returns a description of the window and its methods.
func (w *Window) String() string {
	size := w.span
	if w.first == nil {
		size = plural(w.size, "row")
	}
	return "a window of " + size + " on column " + strconv.Quote(w.column.name) + "; use Mean, Sum, Min, Max, Median, SD or Map to compute something"
}

// AtLeast returns the window with n as the minimum number of non-missing values: if a window has
// fewer, its aggregates are missing.
func (w *Window) AtLeast(n int) *Window {
	v := *w
	v.least = max(n, 1)
	return &v
}

// Mean returns the mean of each window.
func (w *Window) Mean() *Column {
	return w.each(func(v []float64) float64 { return total(v) / float64(len(v)) })
}

// Sum returns the sum of each window.
func (w *Window) Sum() *Column { return w.each(total) }

// Min returns the minimum of each window.
func (w *Window) Min() *Column { return w.each(slices.Min[[]float64]) }

// Max returns the maximum of each window.
func (w *Window) Max() *Column { return w.each(slices.Max[[]float64]) }

// Median returns the median of each window.
func (w *Window) Median() *Column {
	return w.each(func(v []float64) float64 { return quantileOf(v, 0.5) })
}

// SD returns the standard deviation of each window, with divisor n-1.
func (w *Window) SD() *Column {
	return w.each(func(v []float64) float64 {
		mean, sum := total(v)/float64(len(v)), 0.0
		for _, x := range v {
			sum += (x - mean) * (x - mean)
		}
		return math.Sqrt(sum / float64(len(v)-1)) // NaN of one
	})
}

// Map calls f with the non-missing values of each window, in their order, and returns the results.
func (w *Window) Map(f func([]float64) float64) *Column { return w.each(f) }

func total(v []float64) float64 {
	sum := 0.0
	for _, x := range v {
		sum += x
	}
	return sum
}

// each returns f of a copy of the non-missing values of each window. It computes each window from
// scratch, so that rounding errors do not accumulate.
func (w *Window) each(f func([]float64) float64) *Column {
	c := w.column
	v, out := c.numbers(), make([]float64, c.n)
	held := make([]float64, 0, min(w.size, c.n))
	for i := range out {
		lo := max(0, i+1-w.size)
		if w.first != nil {
			lo = int(w.first[i])
		}
		held = held[:0]
		for _, x := range v[lo : i+1] {
			if x == x {
				held = append(held, x)
			}
		}
		out[i] = math.NaN()
		if len(held) >= w.least {
			out[i] = f(held)
		}
	}
	return FloatColumn(c.name, out).WithUnit(c.unit)
}
