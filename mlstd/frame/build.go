package frame

import (
	"fmt"
	"math"
	"reflect"
	"time"
)

var (
	timeType = reflect.TypeFor[time.Time]()
	anyType  = reflect.TypeFor[any]()
)

// builder makes a column from values that it reads by reflection.
type builder struct {
	name   string
	kind   Kind
	known  bool // whether the kind is known; a column of type any takes it from its first value
	gone   bitmap
	i, n   int
	floats []float64
	ints   []int64
	texts  []string
	bools  []bool
	times  []time.Time
}

// newBuilder begins a column of n values of type t or of pointers to it; a nil pointer is a missing
// value.
func newBuilder(name string, t reflect.Type, n int) (*builder, error) {
	b := &builder{name: name, n: n}
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() == reflect.Interface {
		return b, nil
	}
	return b, b.start(t)
}

// kindOf returns the kind of a column of values of type t.
func kindOf(t reflect.Type) (Kind, bool) {
	switch {
	case t == timeType:
		return TimeKind, true
	case t.Kind() == reflect.String:
		return StringKind, true
	case t.Kind() == reflect.Bool:
		return BoolKind, true
	case t.Kind() >= reflect.Int && t.Kind() <= reflect.Uint64:
		return IntKind, true
	case t.Kind() == reflect.Float64 || t.Kind() == reflect.Float32:
		return FloatKind, true
	}
	return 0, false
}

func (b *builder) start(t reflect.Type) error {
	kind, ok := kindOf(t)
	if !ok {
		return fmt.Errorf("column %q cannot hold values of type %v", b.name, t)
	}
	b.kind, b.known = kind, true
	switch kind {
	case FloatKind:
		b.floats = make([]float64, b.n)
	case IntKind:
		b.ints = make([]int64, b.n)
	case StringKind:
		b.texts = make([]string, b.n)
	case BoolKind:
		b.bools = make([]bool, b.n)
	case TimeKind:
		b.times = make([]time.Time, b.n)
	}
	return nil
}

// add appends a value.
func (b *builder) add(v reflect.Value) error {
	for v.IsValid() && (v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface) {
		v = v.Elem()
	}
	if !v.IsValid() {
		b.skip()
		return nil
	}
	if !b.known {
		if err := b.start(v.Type()); err != nil {
			return err
		}
	}
	kind, ok := kindOf(v.Type())
	if b.kind == FloatKind && kind == IntKind && ok {
		x, err := integer(v)
		b.floats[b.i] = float64(x)
		b.i++
		return err
	}
	if b.kind == IntKind && kind == FloatKind && ok {
		b.widen()
	}
	if kind != b.kind || !ok {
		return fmt.Errorf("the values of column %[2]q must be of one kind, but value %[1]d is a %[3]v among values of kind %[4]v", b.i, b.name, v.Type(), b.kind)
	}
	var err error
	switch b.kind {
	case FloatKind:
		b.floats[b.i] = v.Float()
	case IntKind:
		b.ints[b.i], err = integer(v)
	case StringKind:
		b.texts[b.i] = v.String()
	case BoolKind:
		b.bools[b.i] = v.Bool()
	case TimeKind:
		b.times[b.i] = v.Interface().(time.Time)
	}
	b.i++
	return err
}

// widen converts the integers so far to float64.
func (b *builder) widen() {
	b.kind, b.floats = FloatKind, make([]float64, b.n)
	for i, x := range b.ints[:b.i] {
		b.floats[i] = float64(x)
	}
	b.ints = nil
}

// skip appends a missing value.
func (b *builder) skip() {
	b.gone = b.gone.with(b.i, b.n)
	b.i++
}

func integer(v reflect.Value) (int64, error) {
	if v.CanInt() {
		return v.Int(), nil
	}
	if u := v.Uint(); u > math.MaxInt64 {
		return 0, fmt.Errorf("%d does not fit in an int64", u)
	}
	return int64(v.Uint()), nil
}

// column returns the column. If its kind is unknown, it holds missing numbers.
func (b *builder) column() *Column {
	var c *Column
	switch {
	case !b.known:
		v := make([]float64, b.n)
		for i := range v {
			v[i] = math.NaN()
		}
		return FloatColumn(b.name, v)
	case b.kind == FloatKind:
		c = FloatColumn(b.name, b.floats)
	case b.kind == IntKind:
		c = IntColumn(b.name, b.ints)
	case b.kind == StringKind:
		c = StringColumn(b.name, b.texts)
	case b.kind == BoolKind:
		c = BoolColumn(b.name, b.bools)
	default:
		c = TimeColumn(b.name, b.times)
	}
	return withGone(c, b.gone)
}
