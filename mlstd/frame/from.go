package frame

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/data"
	"github.com/gokernel/gokernel/mlstd/model"
)

// FromRows makes a frame of
//   - a slice of structs, of pointers to structs, or of maps from names to values,
//     with a row for each element. A field is named by its frame, json or csv tag, or
//     otherwise by its own name; the tag `frame:"-"` omits a field;
//   - a map from names to slices, with a column for each slice, sorted by name;
//   - a [*data.Dataset], with its target as the last column, a [*model.Table] or any
//     other matrix;
//   - the rows of a database query, a [*sql.Rows] or the Rows of pgx, which FromRows
//     reads to the end and closes.
//
// A nil pointer, the zero time and a key that a map lacks become missing values. FromRows panics
// with a [*model.Error] on an argument of any other type.
func FromRows(rows any) *Frame {
	const op = "FromRows"
	switch v := rows.(type) {
	case *Frame:
		return v
	case *data.Dataset:
		return fromDataset(v)
	case mat.Matrix:
		return of(op, fromMatrix(v))
	}
	f, ok, err := fromQuery(rows)
	if err != nil {
		if e := (*model.Error)(nil); errors.As(err, &e) || errors.Is(err, context.Canceled) {
			panic(err)
		}
		panic(&model.Error{Op: op, What: err.Error()})
	}
	if ok {
		return f
	}
	v := reflect.ValueOf(rows)
	var cols []*Column
	switch {
	case !v.IsValid():
		err = fmt.Errorf("the rows must not be nil")
	case v.Kind() == reflect.Map && v.Type().Key().Kind() == reflect.String:
		cols = fromSlices(op, v)
	case (v.Kind() == reflect.Slice || v.Kind() == reflect.Array) && under(v.Type().Elem()).Kind() == reflect.Struct && under(v.Type().Elem()) != timeType:
		cols, err = fromStructs(v)
	case v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Map && v.Type().Elem().Key().Kind() == reflect.String:
		cols, err = fromMaps(v)
	default:
		err = fmt.Errorf("the argument must have rows, got %v", v.Type())
	}
	if err != nil {
		panic(&model.Error{Op: op, What: err.Error(), Hint: "pass a slice of structs or maps, a map of slices, a data set, a matrix, or the rows of a query"})
	}
	return of(op, cols)
}

// under returns the type that t points to, through all pointers.
func under(t reflect.Type) reflect.Type {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t
}

func fromSlices(op string, v reflect.Value) []*Column {
	names := make([]string, 0, v.Len())
	for _, k := range v.MapKeys() {
		names = append(names, k.String())
	}
	slices.Sort(names)
	cols := make([]*Column, len(names))
	for j, name := range names {
		values := v.MapIndex(reflect.ValueOf(name).Convert(v.Type().Key())).Interface()
		c, single := columnOf(op, name, values)
		if single {
			misuse(op, "use a map of slices", "column %q must be a slice, got %T", name, values)
		}
		cols[j] = c.Named(name)
	}
	return cols
}

// field is a field of a struct and the column it belongs to.
type field struct {
	name  string
	index []int
	typ   reflect.Type
}

// fieldsOf returns the fields of a struct type that are columns. They include the fields of
// embedded structs.
func fieldsOf(t reflect.Type) []field {
	var out []field
	for _, f := range reflect.VisibleFields(t) {
		if f.Anonymous && under(f.Type).Kind() == reflect.Struct && under(f.Type) != timeType || !f.IsExported() {
			continue
		}
		name := f.Name
		for _, key := range []string{"frame", "json", "csv"} {
			if tag, ok := f.Tag.Lookup(key); ok {
				if tag, _, _ = strings.Cut(tag, ","); tag != "" {
					name = tag
				}
				break
			}
		}
		if name != "-" {
			out = append(out, field{name, f.Index, f.Type})
		}
	}
	return out
}

func fromStructs(v reflect.Value) ([]*Column, error) {
	fields := fieldsOf(under(v.Type().Elem()))
	if len(fields) == 0 {
		return nil, fmt.Errorf("rows must have exported fields, got %v", under(v.Type().Elem()))
	}
	builders := make([]*builder, len(fields))
	for j, f := range fields {
		b, err := newBuilder(f.name, f.typ, v.Len())
		if err != nil {
			return nil, err
		}
		builders[j] = b
	}
	for i := range v.Len() {
		row := reflect.Indirect(v.Index(i))
		for j, f := range fields {
			var err error
			if value, e := fieldByIndex(row, f.index); e == nil {
				err = builders[j].add(value)
			} else {
				builders[j].skip()
			}
			if err != nil {
				return nil, err
			}
		}
	}
	return columnsOf(builders), nil
}

// fieldByIndex returns a field, or an error if the row or an embedded pointer is nil.
func fieldByIndex(row reflect.Value, index []int) (reflect.Value, error) {
	if !row.IsValid() {
		return row, fmt.Errorf("a row must not be nil")
	}
	return row.FieldByIndexErr(index)
}

func columnsOf(builders []*builder) []*Column {
	cols := make([]*Column, len(builders))
	for j, b := range builders {
		cols[j] = b.column()
	}
	return cols
}

func fromMaps(v reflect.Value) ([]*Column, error) {
	var names []string
	seen := map[string]bool{}
	for i := range v.Len() {
		var fresh []string
		for _, k := range v.Index(i).MapKeys() {
			if name := k.String(); !seen[name] {
				seen[name] = true
				fresh = append(fresh, name)
			}
		}
		slices.Sort(fresh)
		names = append(names, fresh...)
	}
	builders := make([]*builder, len(names))
	key := v.Type().Elem().Key()
	for j, name := range names {
		b, err := newBuilder(name, v.Type().Elem().Elem(), v.Len())
		if err != nil {
			return nil, err
		}
		for i := range v.Len() {
			if err := b.add(v.Index(i).MapIndex(reflect.ValueOf(name).Convert(key))); err != nil {
				return nil, err
			}
		}
		builders[j] = b
	}
	return columnsOf(builders), nil
}

// fromMatrix makes columns from a matrix and its descriptions of them.
func fromMatrix(x mat.Matrix) []*Column {
	rows, _ := x.Dims()
	var cols []*Column
	for j, d := range model.ColumnsOf(x) {
		v := make([]float64, rows)
		for i := range v {
			v[i] = x.At(i, j)
		}
		cols = append(cols, described(d, v))
	}
	return cols
}

// described makes a column from values and the description of their meaning.
func described(d model.Column, v []float64) *Column {
	if d.Kind == model.Numeric || len(d.Levels) == 0 {
		return FloatColumn(d.Name, v).WithUnit(d.Unit)
	}
	codes := make([]int32, len(v))
	for i, x := range v {
		codes[i] = -1
		if k := int(x); !math.IsNaN(x) && float64(k) == x && k >= 0 && k < len(d.Levels) {
			codes[i] = int32(k)
		} else if !math.IsNaN(x) {
			return FloatColumn(d.Name, v)
		}
	}
	return CategoryColumn(d.Name, codes, slices.Clone(d.Levels))
}

func fromDataset(d *data.Dataset) *Frame {
	cols := fromMatrix(d.X)
	target := d.X.Target
	if target.Name == "" {
		target.Name = "target"
	}
	switch {
	case d.Y != nil:
		v := make([]float64, len(d.Y))
		for i, y := range d.Y {
			v[i] = float64(y)
		}
		target.Kind = model.Nominal
		cols = append(cols, described(target, v))
	case d.Target != nil:
		cols = append(cols, described(target, slices.Clone(d.Target)))
	}
	return of("FromRows", cols, d.Notes...)
}
