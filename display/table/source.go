package table

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/gokernel/gokernel/display"
)

// cell is one value of a table.
type cell struct {
	text    string
	number  float64
	numeric bool // number is what text says
	missing bool
}

// column is one column of the data; at gives its cells.
type column struct {
	name string
	unit string
	kind string // such as "numeric", under the name
	n    int
	at   func(i int) cell
	// format writes a number; nil leaves it to the column as a whole.
	format func(x float64) string
}

// matrix is what a gonum matrix offers.
type matrix interface {
	Dims() (r, c int)
	At(i, j int) float64
}

// columnNamer is a matrix that knows what its columns are called.
type columnNamer interface{ ColumnNames() []string }

// columnsOf reads the columns of the data.
func columnsOf(data any) ([]column, error) {
	if data == nil {
		return nil, fmt.Errorf("table: the data are nil; give a slice of structs, a map, a matrix or rows of strings")
	}
	v := reflect.ValueOf(data)
	if v.Kind() == reflect.Pointer && v.IsNil() {
		return nil, fmt.Errorf("table: the data are a nil %T", data)
	}
	switch d := data.(type) {
	case Source:
		return sourceColumns(d), nil
	case matrix:
		return matrixColumns(d), nil
	}
	for v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	switch v.Kind() {
	case reflect.Slice, reflect.Array:
		return sliceColumns(v)
	case reflect.Map:
		return mapColumns(v)
	case reflect.Struct:
		return structColumns(v), nil
	}
	return nil, fmt.Errorf("table: a %T has no rows; give a slice of structs, a map, a matrix or rows of strings", data)
}

// Source is data that describes its own columns.
type Source interface {
	Dims() (rows, columns int)
	// Head gives the name of column j, its unit, and a word for its type that
	// stands under the name; either of the latter may be empty.
	Head(j int) (name, unit, kind string)
	// Cell gives the value in row i and column j: a number, a text, anything that
	// fits into a cell, or nil where it is missing.
	Cell(i, j int) any
}

func sourceColumns(s Source) []column {
	n, width := s.Dims()
	cols := make([]column, width)
	for j := range cols {
		name, unit, kind := s.Head(j)
		cols[j] = column{name: name, unit: unit, kind: kind, n: n, at: func(i int) cell {
			v := s.Cell(i, j)
			if v == nil {
				return cell{missing: true}
			}
			return cellOf(reflect.ValueOf(v))
		}}
	}
	return cols
}

func matrixColumns(m matrix) []column {
	r, c := m.Dims()
	var names []string
	if n, ok := m.(columnNamer); ok {
		names = n.ColumnNames()
	}
	cols := make([]column, c)
	for j := range cols {
		name := strconv.Itoa(j)
		if j < len(names) {
			name = names[j]
		}
		cols[j] = column{name: name, n: r, at: func(i int) cell { return numberCell(m.At(i, j)) }}
	}
	return cols
}

// structColumns shows one struct as a row for each field.
func structColumns(v reflect.Value) []column {
	fields := fieldsOf(v.Type())
	return []column{
		{name: "field", n: len(fields), at: func(i int) cell { return cell{text: v.Type().Field(fields[i]).Name} }},
		{name: "value", n: len(fields), at: func(i int) cell { return cellOf(v.Field(fields[i])) }},
	}
}

// fieldsOf gives the fields that make columns: exported ones, and all of a type
// that a cell declared.
func fieldsOf(t reflect.Type) []int {
	var out []int
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Name != "_" && (f.IsExported() || t.PkgPath() == "main" || t.PkgPath() == "") {
			out = append(out, i)
		}
	}
	return out
}

func sliceColumns(v reflect.Value) ([]column, error) {
	e := v.Type().Elem()
	for e.Kind() == reflect.Pointer {
		e = e.Elem()
	}
	n := v.Len()
	if e.Kind() == reflect.Interface && n > 0 {
		// []any of rows of one kind.
		if first := v.Index(0).Elem(); first.IsValid() {
			e = first.Type()
		}
	}
	row := func(i int) reflect.Value { return deref(v.Index(i)) }
	switch e.Kind() {
	case reflect.Struct:
		var cols []column
		if _, ok := cellText(reflect.Zero(e)); ok {
			break // such as time.Time: a value, not a row
		}
		for _, f := range fieldsOf(e) {
			cols = append(cols, column{name: e.Field(f).Name, n: n, at: func(i int) cell {
				r := row(i)
				if !r.IsValid() || r.Type() != e {
					return cell{missing: true}
				}
				return cellOf(r.Field(f))
			}})
		}
		return cols, nil
	case reflect.Slice, reflect.Array:
		if e.Elem().Kind() == reflect.String {
			return recordColumns(row, n)
		}
		width := 0
		for i := range n {
			if r := row(i); r.IsValid() {
				width = max(width, r.Len())
			}
		}
		cols := make([]column, width)
		for j := range cols {
			cols[j] = column{name: strconv.Itoa(j), n: n, at: func(i int) cell {
				r := row(i)
				if !r.IsValid() || j >= r.Len() {
					return cell{missing: true}
				}
				return cellOf(r.Index(j))
			}}
		}
		return cols, nil
	case reflect.Map:
		if e.Key().Kind() != reflect.String {
			return nil, fmt.Errorf("table: rows of type %v have keys that are not names", e)
		}
		seen := map[string]bool{}
		var names []string
		for i := range n {
			if r := row(i); r.IsValid() {
				for _, k := range r.MapKeys() {
					if s := k.String(); !seen[s] {
						seen[s] = true
						names = append(names, s)
					}
				}
			}
		}
		sort.Strings(names)
		var cols []column
		for _, name := range names {
			key := reflect.ValueOf(name).Convert(e.Key())
			cols = append(cols, column{name: name, n: n, at: func(i int) cell {
				if r := row(i); r.IsValid() {
					return cellOf(r.MapIndex(key))
				}
				return cell{missing: true}
			}})
		}
		return cols, nil
	}
	return []column{
		{name: "", n: n, at: func(i int) cell { return numberCell(float64(i)) }},
		{name: "value", n: n, at: func(i int) cell { return cellOf(v.Index(i)) }},
	}, nil
}

// recordColumns reads rows of strings, the first of which names the columns, as
// encoding/csv gives them. Columns of numbers are aligned as such.
func recordColumns(row func(int) reflect.Value, n int) ([]column, error) {
	if n == 0 {
		return nil, nil
	}
	head := row(0)
	if !head.IsValid() {
		return nil, fmt.Errorf("table: the first row, which names the columns, is nil")
	}
	width := head.Len()
	for i := range n {
		if r := row(i); r.IsValid() && r.Len() > width {
			return nil, fmt.Errorf("table: row %d has %d values, but the first row names %d columns", i, r.Len(), width)
		}
	}
	cols := make([]column, width)
	for j := range cols {
		cols[j] = column{name: head.Index(j).String(), n: n - 1, at: func(i int) cell {
			r := row(i + 1)
			if !r.IsValid() || j >= r.Len() {
				return cell{missing: true}
			}
			s := strings.TrimSpace(r.Index(j).String())
			if s == "" {
				return cell{missing: true}
			}
			if x, err := strconv.ParseFloat(s, 64); err == nil {
				return cell{text: s, number: x, numeric: true}
			}
			return cell{text: s}
		}}
	}
	return cols, nil
}

func mapColumns(v reflect.Value) ([]column, error) {
	keys := v.MapKeys()
	slices.SortFunc(keys, func(a, b reflect.Value) int {
		x, y := cellOf(a), cellOf(b)
		if x.numeric && y.numeric {
			switch {
			case x.number < y.number:
				return -1
			case x.number > y.number:
				return 1
			}
		}
		return strings.Compare(x.text, y.text)
	})
	e := v.Type().Elem()
	for e.Kind() == reflect.Pointer {
		e = e.Elem()
	}
	if e.Kind() == reflect.Slice && v.Type().Key().Kind() == reflect.String {
		// Columns by name.
		n := 0
		for _, k := range keys {
			n = max(n, v.MapIndex(k).Len())
		}
		var cols []column
		for _, k := range keys {
			s := v.MapIndex(k)
			cols = append(cols, column{name: k.String(), n: n, at: func(i int) cell {
				if i >= s.Len() {
					return cell{missing: true}
				}
				return cellOf(s.Index(i))
			}})
		}
		return cols, nil
	}
	cols := []column{{name: "key", n: len(keys), at: func(i int) cell { return cellOf(keys[i]) }}}
	if e.Kind() == reflect.Struct {
		if _, ok := cellText(reflect.Zero(e)); !ok {
			for _, f := range fieldsOf(e) {
				cols = append(cols, column{name: e.Field(f).Name, n: len(keys), at: func(i int) cell {
					r := deref(v.MapIndex(keys[i]))
					if !r.IsValid() {
						return cell{missing: true}
					}
					return cellOf(r.Field(f))
				}})
			}
			return cols, nil
		}
	}
	return append(cols, column{name: "value", n: len(keys), at: func(i int) cell { return cellOf(v.MapIndex(keys[i])) }}), nil
}

func deref(v reflect.Value) reflect.Value {
	for v.IsValid() && (v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface) {
		v = v.Elem() // of nil: the invalid value
	}
	return v
}

func numberCell(x float64) cell {
	if math.IsNaN(x) {
		return cell{missing: true}
	}
	return cell{text: display.Number(x), number: x, numeric: true}
}

// cellOf makes a cell of any value.
func cellOf(v reflect.Value) cell {
	if s, ok := cellText(v); ok {
		return cell{text: s}
	}
	v = deref(v)
	if !v.IsValid() {
		return cell{missing: true}
	}
	if s, ok := cellText(v); ok {
		return cell{text: s}
	}
	switch {
	case v.CanFloat():
		return numberCell(v.Float())
	case v.CanInt():
		return cell{text: strconv.FormatInt(v.Int(), 10), number: float64(v.Int()), numeric: true}
	case v.CanUint():
		return cell{text: strconv.FormatUint(v.Uint(), 10), number: float64(v.Uint()), numeric: true}
	}
	switch v.Kind() {
	case reflect.String:
		return cell{text: oneLine(v.String())}
	case reflect.Bool:
		return cell{text: strconv.FormatBool(v.Bool())}
	}
	if !v.CanInterface() {
		return cell{text: "…"}
	}
	return cell{text: oneLine(display.Format(v.Interface()))}
}

// cellText is what an error or a fmt.Stringer writes itself; a method that panics
// counts as absent.
func cellText(v reflect.Value) (s string, ok bool) {
	if !v.IsValid() || !v.CanInterface() || v.Kind() == reflect.Interface || v.Kind() == reflect.Pointer && v.IsNil() {
		return "", false
	}
	defer func() {
		if recover() != nil {
			s, ok = "", false
		}
	}()
	switch x := v.Interface().(type) {
	case error:
		return oneLine(x.Error()), true
	case fmt.Stringer:
		return oneLine(x.String()), true
	}
	return "", false
}

// oneLine makes a text fit into a cell.
func oneLine(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > 120 {
		return string(r[:119]) + "…"
	}
	return s
}
