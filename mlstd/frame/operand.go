package frame

import (
	"reflect"
	"time"

	"github.com/gokernel/gokernel/mlstd/model"
)

// columnOf makes a column from a value: a column, or a slice of numbers, strings, bools or times. A
// single number, string, bool or time makes a column of one row, and single is true.
func columnOf(op, name string, value any) (c *Column, single bool) {
	switch v := value.(type) {
	case nil:
		misuse(op, "pass a column, a slice or a value; use math.NaN() for a missing number", "the value must not be nil")
	case *Column:
		if v == nil {
			misuse(op, "pass a column, a slice or a value", "the column must not be nil")
		}
		return v, false
	case []float64:
		return FloatColumn(name, append([]float64{}, v...)), false
	case []int64:
		return IntColumn(name, append([]int64{}, v...)), false
	case []int:
		return IntColumn(name, wide(v)), false
	case []string:
		return StringColumn(name, append([]string{}, v...)), false
	case []bool:
		return BoolColumn(name, append([]bool{}, v...)), false
	case []time.Time:
		return TimeColumn(name, v), false
	case float64:
		return FloatColumn(name, []float64{v}), true
	case int:
		return IntColumn(name, []int64{int64(v)}), true
	case int64:
		return IntColumn(name, []int64{v}), true
	case string:
		return StringColumn(name, []string{v}), true
	case bool:
		return BoolColumn(name, []bool{v}), true
	case time.Time:
		return TimeColumn(name, []time.Time{v}), true
	}
	return reflected(op, name, value)
}

func wide[T ~int | ~int8 | ~int16 | ~int32](v []T) []int64 {
	out := make([]int64, len(v))
	for i, x := range v {
		out[i] = int64(x)
	}
	return out
}

// reflected is columnOf for types that are inspected by reflection: named types,
// small integers, and slices of values of several kinds.
func reflected(op, name string, value any) (*Column, bool) {
	v := reflect.ValueOf(value)
	single := v.Kind() != reflect.Slice && v.Kind() != reflect.Array
	if single {
		one := reflect.MakeSlice(reflect.SliceOf(v.Type()), 1, 1)
		one.Index(0).Set(v)
		v = one
	}
	b, err := newBuilder(name, v.Type().Elem(), v.Len())
	if err == nil {
		for i := range v.Len() {
			if err = b.add(v.Index(i)); err != nil {
				break
			}
		}
	}
	if err != nil {
		panic(&model.Error{Op: op, What: err.Error(), Hint: "use numbers, strings, bools or times"})
	}
	return b.column(), single
}

// repeat returns a column with the only row of c n times.
func (c *Column) repeat(n int) *Column { return c.take(make([]int32, n)) }

// side is one side of an operator: a column, or one value that stands for all rows.
type side struct {
	*Column
	single bool
}

// other returns the other side of an operator on c, and panics if it does not fit.
func (c *Column) other(op string, value any) side {
	d, single := columnOf(op, c.name, value)
	if !single && d.n != c.n {
		misuse(op, "use a column of the same frame, or one value", "both sides must have the same length, but column %q has %d rows and the other side %d", c.name, c.n, d.n)
	}
	return side{d, single}
}

// sides puts the two sides of an operator in the order in which they are written.
func (c *Column) sides(op string, value any, reversed bool) (a, b side) {
	a, b = side{c, false}, c.other(op, value)
	if reversed {
		return b, a
	}
	return a, b
}

// at returns the row of the side that belongs to row i of the result.
func (s side) at(i int) int {
	if s.single {
		return 0
	}
	return i
}

// gone returns the rows in which the side is missing.
func (s side) gone(n int) bitmap {
	if s.single && s.gaps > 0 {
		return full(n)
	}
	if s.single {
		return nil
	}
	return s.missing
}

// describe returns a description of a side for errors.
func (s side) describe() string {
	if s.single {
		return "a value of kind " + s.kind.String()
	}
	return "column \"" + s.name + "\" of kind " + s.kind.String()
}
