package frame

import (
	"fmt"
	"iter"
	"math"
	"reflect"
	"time"

	"github.com/gokernel/gokernel/mlstd/model"
)

// Rows returns the rows as structs. Each exported field gets the column named by its frame, json or
// csv tag, or otherwise by the field itself, as in [FromRows]. Columns without a field are ignored.
// For a missing value, a pointer is nil and a float64 is NaN. It panics with a [*model.Error] if a
// field has no column or the wrong kind, or cannot represent a missing value.
func Rows[T any](f *Frame) iter.Seq[T] {
	fill := f.filler("Rows", reflect.TypeFor[T]())
	return func(yield func(T) bool) {
		for i := range f.n {
			var row T
			fill(i, reflect.ValueOf(&row).Elem())
			if !yield(row) {
				return
			}
		}
	}
}

// Into stores the rows of the frame in the slice of structs that rows points to; [Rows] explains
// which column each field gets.
//
//	var trips []Trip
//	taxis.Into(&trips)
func (f *Frame) Into(rows any) {
	const op = "Frame.Into"
	p := reflect.ValueOf(rows)
	if p.Kind() != reflect.Pointer || p.IsNil() || p.Elem().Kind() != reflect.Slice {
		misuse(op, "declare a slice and pass its address: var trips []Trip; f.Into(&trips)", "rows must be a pointer to a slice of structs, got %T", rows)
	}
	slice := p.Elem()
	fill := f.filler(op, slice.Type().Elem())
	out := reflect.MakeSlice(slice.Type(), f.n, f.n)
	for i := range f.n {
		fill(i, out.Index(i))
	}
	slice.Set(out)
}

// filler returns a function that sets a struct of the type to the values of a row.
func (f *Frame) filler(op string, t reflect.Type) func(i int, row reflect.Value) {
	if t.Kind() != reflect.Struct {
		misuse(op, "use a struct with a field for each column to read", "rows must be structs, got %v", t)
	}
	type target struct {
		index []int
		set   func(i int, v reflect.Value)
	}
	var targets []target
	for _, d := range fieldsOf(t) {
		c := f.col(op, d.name)
		if c.kind == TimeKind != (under(d.typ) == timeType) && under(d.typ).Kind() != reflect.Interface || !c.fits(under(d.typ)) {
			misuse(op, `change the type of the field, or leave it out with the tag frame:"-"`, "the field for column %q of kind %v must have a matching type, got %v", c.name, c.kind, d.typ)
		}
		targets = append(targets, target{d.index, c.setter(op, d.typ)})
	}
	return func(i int, row reflect.Value) {
		for _, d := range targets {
			d.set(i, row.FieldByIndex(d.index))
		}
	}
}

// fits reports whether a field of the type can hold the values of the column.
func (c *Column) fits(t reflect.Type) bool {
	switch c.kind {
	case FloatKind:
		return t.Kind() == reflect.Float64 || t.Kind() == reflect.Float32 || t == anyType
	case IntKind:
		return t.Kind() >= reflect.Int && t.Kind() <= reflect.Uint64 || t.Kind() == reflect.Float64 || t == anyType
	case BoolKind:
		return t.Kind() == reflect.Bool || t == anyType
	case TimeKind:
		return t == timeType || t == anyType
	}
	return t.Kind() == reflect.String || t == anyType
}

// setter returns a function that sets a field to the value of a row.
func (c *Column) setter(op string, t reflect.Type) func(i int, v reflect.Value) {
	if t.Kind() == reflect.Pointer {
		set := c.setter(op, t.Elem())
		return func(i int, v reflect.Value) {
			if !c.missing.has(i) {
				v.Set(reflect.New(t.Elem()))
				set(i, v.Elem())
			}
		}
	}
	return func(i int, v reflect.Value) {
		if c.missing.has(i) {
			switch {
			case t.Kind() == reflect.Float64 || t.Kind() == reflect.Float32:
				v.SetFloat(math.NaN())
			case t != anyType && t != timeType:
				misuse(op, fmt.Sprintf("make the field a *%v, or leave such rows out with DropMissing", t), "the value in row %d of column %q must not be missing", i, c.name)
			}
			return
		}
		c.setValue(op, i, v)
	}
}

func (c *Column) setValue(op string, i int, v reflect.Value) {
	switch {
	case v.Type() == anyType:
		v.Set(reflect.ValueOf(c.At(i)))
	case c.kind == FloatKind:
		v.SetFloat(c.floats[i])
	case c.kind == BoolKind:
		v.SetBool(c.bools[i])
	case c.kind == TimeKind:
		v.Set(reflect.ValueOf(time.Unix(0, c.ints[i]).In(c.zone)))
	case c.kind.text():
		v.SetString(c.text(i))
	case v.CanFloat():
		v.SetFloat(float64(c.ints[i]))
	case v.CanInt() && !v.OverflowInt(c.ints[i]):
		v.SetInt(c.ints[i])
	case v.CanUint() && c.ints[i] >= 0 && !v.OverflowUint(uint64(c.ints[i])):
		v.SetUint(uint64(c.ints[i]))
	default:
		panic(model.Errorf(op, "the values of column %[3]q must fit a %[4]v, got %[1]d in row %[2]d", c.ints[i], i, c.name, v.Type()).WithHint("make the field an int64"))
	}
}
