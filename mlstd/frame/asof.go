package frame

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sort"
	"time"
)

// AsOf determines which rows [Frame.AsOfJoin] pairs.
type AsOf struct {
	// On is the column of times or numbers by which rows are matched. If the column has another
	// name on the right, write "left=right".
	On string
	// By lists columns whose values must be equal, as in [Frame.Join]. By default, there are none.
	By []string
	// Direction is "backward", "forward" or "nearest"; "" means "backward". "backward" selects the
	// last row on the right that is not later, and "forward" the first row that is not earlier. Of
	// two equally near rows, "nearest" selects the earlier one.
	Direction string
	// Within is the maximum distance in On. For times, it is a span such as "10 minutes" or a
	// time.Duration; for numbers, it is a number. By default, there is no limit.
	Within any
	// Strict excludes rows on the right whose value in On equals the value of the row on the left.
	Strict bool
}

// AsOfJoin joins each row of f, in the order of f, to the row of other that was current at the time
// of the row of f. By default, this is the last row of other that is not later in the column On. If
// there is no such row, the columns of other are missing. Neither frame needs to be sorted. If
// several rows of other are equal in On, AsOfJoin uses the last of them or, in direction "forward",
// the first. A row with a missing key has no partner. The key columns of other are left out; to see
// the time of a partner, add a copy of the column to other.
//
//	trades.AsOfJoin(quotes, ml.AsOf{On: "at", By: []string{"ticker"}, Within: "2 seconds"})
func (f *Frame) AsOfJoin(other *Frame, how AsOf) *Frame {
	const op = "Frame.AsOfJoin"
	direction := cmp.Or(how.Direction, "backward")
	if !slices.Contains([]string{"backward", "forward", "nearest"}, direction) {
		misuse(op, "", `Direction must be "backward", "forward" or "nearest", got %q`, how.Direction)
	}
	if how.On == "" {
		misuse(op, `set it, as in ml.AsOf{On: "at"}`, "On must name a column")
	}
	names, others := f.keyNames(other, append([]string{how.On}, how.By...))
	a, b := f.col(op, names[0]), other.col(op, others[0])
	number := func(c *Column) bool { return c.kind == FloatKind || c.kind == IntKind }
	if a.kind != b.kind && !(number(a) && number(b)) || !number(a) && a.kind != TimeKind {
		misuse(op, "parse or convert one of them first", "the columns On must both be times or numbers, got %q of kind %v and %q of kind %v", a.name, a.kind, b.name, b.kind)
	}
	left, right := make([]int32, f.n), make([]int32, other.n)
	card := uint64(1)
	if len(how.By) > 0 {
		left, right, card = pairKeys(op, f, other, names[1:], others[1:])
	}
	s := newSorter(other.n)
	order := b.sortRows(upTo(other.n), false, s)[:other.n-b.gaps]
	lists := make([][]int32, card)
	for _, r := range order {
		if k := right[r]; k >= 0 {
			lists[k] = append(lists[k], r)
		}
	}
	var rows []int32
	if a.kind == FloatKind || b.kind == FloatKind {
		within, _ := AsOfLimit(how, FloatKind)
		rows = asOf(a, a.numbers(), b.numbers(), left, lists, direction, how.Strict, within)
	} else {
		_, within := AsOfLimit(how, a.kind)
		rows = asOf(a, a.ints, b.ints, left, lists, direction, how.Strict, within)
	}
	cols := slices.Clone(f.cols)
	var notes []string
	lost := 0
	for _, r := range rows {
		if r < 0 {
			lost++
		}
	}
	if lost > 0 {
		notes = append(notes, fmt.Sprintf("%d of %s found no partner, kept", lost, plural(f.n, "row")))
	}
	for _, c := range other.cols {
		if slices.Contains(others, c.name) {
			continue
		}
		d := c.take(rows)
		if f.Has(c.name) {
			d = d.Named(c.name + "_right")
			notes = append(notes, fmt.Sprintf("%s of the right frame is called %s", c.name, d.name))
		}
		cols = append(cols, d)
	}
	return of(op, cols).inherit(f, other).say(notes...)
}

// AsOfLimit returns the maximum distance in the column On of a join: number for numbers, and whole
// for times and for two columns of integers. It is for packages that join frames elsewhere.
func AsOfLimit(how AsOf, of Kind) (number float64, whole uint64) {
	const op = "Frame.AsOfJoin"
	switch {
	case of == TimeKind && how.Within != nil:
		return 0, withinTime(op, how.Within)
	case of == TimeKind:
		return 0, math.MaxUint64
	}
	number = withinNumber(op, how.Within)
	if how.Within == nil {
		return number, math.MaxUint64
	}
	return number, uint64(math.Floor(min(number, 1<<63)))
}

// withinNumber returns the largest distance of numbers.
func withinNumber(op string, within any) float64 {
	if within == nil {
		return math.Inf(1)
	}
	c, single := columnOf(op, "Within", within)
	if !single || c.kind != FloatKind && c.kind != IntKind || !(c.numbers()[0] >= 0) {
		misuse(op, "pass a number, since On is a column of numbers", "Within must be a number that is not negative, got %v", within)
	}
	return c.numbers()[0]
}

// withinTime returns the largest distance of times in nanoseconds.
func withinTime(op string, within any) uint64 {
	switch within.(type) {
	case string, time.Duration:
		nanos, _ := spanOf(op, "Within", within)
		return uint64(nanos)
	}
	misuse(op, `pass a span such as "10 minutes", since On is a column of times`, "Within must be a span of time, got %v", within)
	return 0
}

// asOf returns for each row of a its partner: of the rows in the list of its key, which are in
// ascending order of y, the one that is nearest in the direction. The distance of two numbers has
// the type D, in which it does not overflow.
func asOf[T int64 | float64, D uint64 | float64](a *Column, x, y []T, left []int32, lists [][]int32, direction string, strict bool, within D) []int32 {
	rows := none(a.n)
	for i, v := range x {
		if a.missing.has(i) || left[i] < 0 {
			continue
		}
		rows := rows[i : i+1]
		all := lists[left[i]]
		less := sort.Search(len(all), func(k int) bool { return y[all[k]] >= v })
		upTo := sort.Search(len(all), func(k int) bool { return y[all[k]] > v })
		before, after := upTo-1, less
		if strict {
			before, after = less-1, upTo
		}
		if direction == "forward" {
			before = -1
		}
		if direction == "backward" {
			after = len(all)
		}
		near := within
		if before >= 0 {
			if d := D(v) - D(y[all[before]]); d <= near {
				rows[0], near = all[before], d
			}
		}
		if after < len(all) {
			if d := D(y[all[after]]) - D(v); d < near || d == near && rows[0] < 0 {
				rows[0] = all[after]
			}
		}
	}
	return rows
}
