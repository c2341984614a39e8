package table

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/display/internal/keyed"
)

// cell is one value of a table.
type cell struct {
	text    string
	number  float64
	numeric bool // text is the formatted number
	missing bool
	whole   bool      // an integer whose text has all digits
	length  bool      // number is a duration in seconds
	moment  time.Time // nonzero for a time
	ranked  bool      // number is the rank of a name, such as a month
}

// column is one column of the data; at returns its cells.
type column struct {
	name string
	unit string
	kind string // shown below the name, such as "numeric"
	n    int
	at   func(i int) cell
	// naming is the cell that names the column, if the first row of the data has the names, or nil.
	naming *cell
	// format formats a number. If it is nil, the numbers of the column are formatted together.
	format func(x float64) string
	exact  bool // numbers have all their digits
}

// matrix has the methods of gonum matrices that a table uses.
type matrix interface {
	Dims() (r, c int)
	At(i, j int) float64
}

// columnNamer is a matrix whose columns have names.
type columnNamer interface{ ColumnNames() []string }

// columnsOf reads the columns of the data.
func columnsOf(data any) ([]column, error) {
	if data == nil {
		return nil, fmt.Errorf("table: the data must not be nil: pass a slice of structs, a map, a matrix or rows of strings")
	}
	v := reflect.ValueOf(data)
	if v.Kind() == reflect.Pointer && v.IsNil() {
		return nil, fmt.Errorf("table: the data must not be a nil %T", data)
	}
	switch d := data.(type) {
	case Source:
		return sourceColumns(d), nil
	case matrix:
		return matrixColumns(d), nil
	case query:
		cols, more, err := queryColumns(d, maxQuery)
		if more {
			return nil, fmt.Errorf("table: the query must have at most %d rows: add LIMIT, or describe ml.FromRows(rows)", maxQuery)
		}
		return cols, err
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
		return structColumns(v)
	}
	return nil, fmt.Errorf("table: a %T has no rows: pass a slice of structs, a map, a matrix or rows of strings", data)
}

// Source is data that describe their own columns.
type Source interface {
	Dims() (rows, columns int)
	// Head returns the name of column j, its unit, and a word for its type, which is shown below
	// the name. Unit and type can be empty.
	Head(j int) (name, unit, kind string)
	// Cell returns the value in row i and column j: a number, a string or any other value that
	// fits into a cell. Nil means that the value is missing.
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

// structColumns shows a single struct with one row per field.
func structColumns(v reflect.Value) ([]column, error) {
	fields := fieldsOf(v.Type())
	if len(fields) == 0 {
		return nil, nothing(v.Type())
	}
	return []column{
		{name: "field", n: len(fields), at: func(i int) cell { return cell{text: fields[i].Name} }},
		{name: "value", n: len(fields), at: func(i int) cell { return fieldCell(v, fields[i]) }},
	}, nil
}

// nothing returns the error for a type without columns.
func nothing(t reflect.Type) error {
	return fmt.Errorf("table: a %v has no fields that can be shown", t)
}

// fieldsOf returns the fields that become columns: exported fields, and all fields of a type that
// is declared in a cell. The fields of embedded structs are included.
func fieldsOf(t reflect.Type) []reflect.StructField {
	var out []reflect.StructField
	inside := func(index []int) bool { // whether the field belongs to a struct that is shown as one value
		for n := 1; n < len(index); n++ {
			if !flat(t.FieldByIndex(index[:n])) {
				return true
			}
		}
		return false
	}
	for _, f := range reflect.VisibleFields(t) {
		if f.Name == "_" || flat(f) || inside(f.Index) {
			continue
		}
		if f.IsExported() || f.PkgPath == "main" || t.PkgPath() == "" {
			out = append(out, f)
		}
	}
	return out
}

// flat reports whether the field is an embedded struct whose fields are shown instead of it.
func flat(f reflect.StructField) bool {
	t := f.Type
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return f.Anonymous && t.Kind() == reflect.Struct && !writesItself(t)
}

// writesItself reports whether values of the type, such as time.Time, are shown by their own
// String method.
func writesItself(t reflect.Type) bool {
	_, ok := cellText(reflect.Zero(t))
	return ok
}

// fieldCell returns the cell of a field of r. It is missing if r, or a struct that embeds the
// field, is nil.
func fieldCell(r reflect.Value, f reflect.StructField) cell {
	if !r.IsValid() {
		return cell{missing: true}
	}
	v, err := r.FieldByIndexErr(f.Index)
	if err != nil {
		return cell{missing: true}
	}
	return cellOf(v)
}

// recordsOf makes columns of n structs. If they have several types, the first column contains the
// type, and a cell is missing if its struct does not have the field.
func recordsOf(row func(i int) reflect.Value, n int, types []reflect.Type) ([]column, error) {
	var cols []column
	if len(types) > 1 {
		cols = append(cols, column{name: "type", n: n, at: func(i int) cell {
			r := row(i)
			if !r.IsValid() {
				return cell{missing: true}
			}
			return cell{text: strings.TrimPrefix(r.Type().String(), "main.")}
		}})
	}
	head := len(cols)
	var names []string
	fields := map[string]map[reflect.Type]reflect.StructField{}
	for _, t := range types {
		for _, f := range fieldsOf(t) {
			if fields[f.Name] == nil {
				fields[f.Name] = map[reflect.Type]reflect.StructField{}
				names = append(names, f.Name)
			}
			fields[f.Name][t] = f
		}
	}
	for _, name := range names {
		of := fields[name]
		cols = append(cols, column{name: name, n: n, at: func(i int) cell {
			if r := row(i); r.IsValid() {
				if f, ok := of[r.Type()]; ok {
					return fieldCell(r, f)
				}
			}
			return cell{missing: true}
		}})
	}
	if len(cols) == head {
		return nil, nothing(types[0])
	}
	return cols, nil
}

// rowTypes returns the distinct types of the rows in order of appearance.
func rowTypes(row func(i int) reflect.Value, n int) []reflect.Type {
	var types []reflect.Type
	for i := range n {
		if r := row(i); r.IsValid() && !slices.Contains(types, r.Type()) {
			types = append(types, r.Type())
		}
	}
	return types
}

// isRecord reports whether the fields of a row of the type become columns.
func isRecord(t reflect.Type) bool { return t.Kind() == reflect.Struct && !writesItself(t) }

func sliceColumns(v reflect.Value) ([]column, error) {
	e := v.Type().Elem()
	for e.Kind() == reflect.Pointer {
		e = e.Elem()
	}
	n := v.Len()
	row := func(i int) reflect.Value { return deref(v.Index(i)) }
	types := []reflect.Type{e}
	if e.Kind() == reflect.Interface && !e.Implements(reflect.TypeFor[error]()) {
		if types = rowTypes(row, n); len(types) > 0 {
			e = types[0] // all rows have the same type
		}
	}
	switch e.Kind() {
	case reflect.Struct:
		if all(types, isRecord) { // time.Time, for example, is a value, not a row
			return recordsOf(row, n, types)
		}
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
			return nil, fmt.Errorf("table: the keys of rows of type %v must be strings", e)
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
		{name: "", n: n, at: func(i int) cell { return cellOf(reflect.ValueOf(i)) }},
		{name: "value", n: n, at: func(i int) cell { return cellOf(v.Index(i)) }},
	}, nil
}

func all(types []reflect.Type, is func(reflect.Type) bool) bool {
	return !slices.ContainsFunc(types, func(t reflect.Type) bool { return !is(t) })
}

// recordColumns reads rows of strings, as encoding/csv returns them. The first row names the
// columns. Columns of numbers are aligned as numbers.
func recordColumns(row func(int) reflect.Value, n int) ([]column, error) {
	if n == 0 {
		return nil, nil
	}
	head := row(0)
	if !head.IsValid() {
		return nil, fmt.Errorf("table: the first row, which names the columns, must not be nil")
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
			return parsed(r.Index(j).String())
		}, naming: &cell{text: head.Index(j).String()}}
	}
	return cols, nil
}

// parsed returns the cell of a string, as a number if it looks like one.
func parsed(s string) cell {
	s = strings.TrimSpace(s)
	if s == "" {
		return cell{missing: true}
	}
	if x, err := strconv.ParseFloat(s, 64); err == nil && looksLikeNumber(s) {
		return cell{text: s, number: x, numeric: true}
	}
	return cell{text: s}
}

// looksLikeNumber reports whether a string that can be parsed as a number also looks like one to
// a reader: 01067 is a code, Inf and 0x1p4 are words.
func looksLikeNumber(s string) bool {
	s = strings.TrimLeft(s, "+-")
	if strings.ContainsAny(s, "xX_") || s == "" || s[0] != '.' && (s[0] < '0' || s[0] > '9') {
		return false
	}
	return len(s) == 1 || s[0] != '0' || s[1] < '0' || s[1] > '9'
}

func mapColumns(v reflect.Value) ([]column, error) {
	entries := keyed.Sorted(v)
	e := v.Type().Elem()
	for e.Kind() == reflect.Pointer {
		e = e.Elem()
	}
	if e.Kind() == reflect.Slice && v.Type().Key().Kind() == reflect.String {
		// A map from names to columns.
		n := 0
		for _, e := range entries {
			n = max(n, e.Value.Len())
		}
		var cols []column
		for _, e := range entries {
			cols = append(cols, column{name: e.Name, n: n, at: func(i int) cell {
				if i >= e.Value.Len() {
					return cell{missing: true}
				}
				return cellOf(e.Value.Index(i))
			}})
		}
		return cols, nil
	}
	n := len(entries)
	cols := []column{{name: "key", n: n, at: func(i int) cell { return cellOf(entries[i].Key) }}}
	row := func(i int) reflect.Value { return deref(entries[i].Value) }
	types := []reflect.Type{e}
	if e.Kind() == reflect.Interface {
		types = rowTypes(row, n)
	}
	switch {
	case len(types) > 0 && all(types, isRecord):
		more, err := recordsOf(row, n, types)
		return append(cols, more...), err
	case e.Kind() == reflect.Map && !writesItself(e):
		return append(cols, pivot(row, n)...), nil
	}
	return append(cols, column{name: "value", n: n, at: func(i int) cell { return cellOf(entries[i].Value) }}), nil
}

// pivot makes columns of n maps, one for each key that occurs.
func pivot(row func(i int) reflect.Value, n int) []column {
	var rows []reflect.Value
	for i := range n {
		if r := row(i); r.IsValid() {
			rows = append(rows, r)
		}
	}
	var cols []column
	for _, key := range keyed.Union(rows) {
		cols = append(cols, column{name: key.Name, n: n, at: func(i int) cell {
			if r := row(i); r.IsValid() {
				if v := r.MapIndex(key.Key); v.IsValid() {
					return cellOf(v)
				}
			}
			return cell{missing: true}
		}})
	}
	return cols
}

func deref(v reflect.Value) reflect.Value {
	for v.IsValid() && (v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface) {
		v = v.Elem() // for nil, the invalid value
	}
	return v
}

func numberCell(x float64) cell {
	if math.IsNaN(x) {
		return cell{missing: true}
	}
	return cell{text: display.Number(x), number: x, numeric: true}
}

// cellOf returns the cell of any value.
func cellOf(v reflect.Value) cell {
	inner := deref(v)
	if v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	if c, ok := timeCell(inner); ok {
		return c
	}
	for _, v := range []reflect.Value{v, inner} {
		if s, ok := cellText(v); ok {
			c := cell{text: s}
			if inner.CanInt() {
				c.number, c.ranked = float64(inner.Int()), true
			}
			return c
		}
	}
	if v = inner; !v.IsValid() {
		return cell{missing: true}
	}
	switch {
	case v.CanFloat():
		return numberCell(v.Float())
	case v.CanInt():
		return cell{text: strconv.FormatInt(v.Int(), 10), number: float64(v.Int()), numeric: true, whole: true}
	case v.CanUint():
		return cell{text: strconv.FormatUint(v.Uint(), 10), number: float64(v.Uint()), numeric: true, whole: true}
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

// cellText returns the text of an error or a fmt.Stringer, and false if its method panics.
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

// oneLine shortens a text to one line.
func oneLine(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > 120 {
		return string(r[:119]) + "…"
	}
	return s
}
