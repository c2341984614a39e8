package chart

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"time"

	"github.com/gokernel/gokernel/display/internal/guide"
	"github.com/gokernel/gokernel/display/internal/variable"
)

// matrix has the methods of gonum matrices that are used here; a slice of rows is converted to one.
type matrix interface {
	Dims() (r, c int)
	At(i, j int) float64
}

// columnNamer is a matrix with column names.
type columnNamer interface{ ColumnNames() []string }

// column is one variable of the data. If the data are names or times, the numbers encode them.
type column struct {
	v       []float64
	levels  []string       // v[i] is an index into levels, -1 if missing
	times   bool           // v[i] is in seconds since 1970
	name    string         // "" when it has none
	zone    *time.Location // time zone of times, nil for UTC
	mixed   bool           // the times have several zones
	spans   bool           // v[i] is a duration in seconds
	counted bool           // the levels are whole numbers as strings
}

// columnOf reads one variable from a slice or array of numbers, strings, bools or times, or from a
// matrix with one row or column; other data are an error that lists the accepted types.
func columnOf(verb, what string, data any) (column, error) {
	c, err := variable.Of("chart."+verb, what, data)
	return ofColumn(c), err
}

func ofColumn(c variable.Column) column {
	return column{v: c.V, levels: c.Levels, times: c.Times, name: c.Name, zone: c.Zone, mixed: c.Mixed, spans: c.Spans}
}

// given reports whether the levels are names from the data. Whole numbers and booleans are not:
// other names can replace them.
func (c column) given() bool {
	return c.levels != nil && !c.counted && !slices.Equal(c.levels, []string{"false", "true"})
}

// shares returns booleans as the numbers 0 and 1, with NaN for missing values, and returns other
// columns unchanged.
func (c column) shares() column {
	if !slices.Equal(c.levels, []string{"false", "true"}) {
		return c
	}
	v := make([]float64, len(c.v))
	for i, x := range c.v {
		v[i] = x
		if x < 0 {
			v[i] = math.NaN()
		}
	}
	return column{v: v, name: c.name}
}

// classes reads labels as classes: strings and bools by their levels, whole numbers by their sorted
// distinct values. ok is false for numbers that measure a quantity.
func (c column) classes() (class []int, names []string, ok bool) {
	return variable.Column{V: c.v, Levels: c.levels, Times: c.times, Name: c.name}.Classes()
}

// matrixOf reads a matrix or a slice of equally long rows.
func matrixOf(verb, what string, data any) (matrix, error) {
	if m, ok := data.(matrix); ok && !isNil(data) {
		return m, nil
	}
	rv := reflect.ValueOf(data)
	if rv.IsValid() && rv.Kind() == reflect.Slice && rv.Type().Elem().Kind() == reflect.Slice {
		m := table{r: rv.Len()}
		for i := range m.r {
			col, err := columnOf(verb, fmt.Sprintf("row %d of %s", i, what), rv.Index(i).Interface())
			if err != nil {
				return nil, err
			}
			if i > 0 && len(col.v) != m.c {
				return nil, fmt.Errorf("chart.%s: row %d of %s has %d values, row 0 has %d", verb, i, what, len(col.v), m.c)
			}
			m.c = len(col.v)
			m.v = append(m.v, col.v...)
		}
		return m, nil
	}
	if rv.IsValid() && reflect.PointerTo(rv.Type()).Implements(reflect.TypeFor[matrix]()) {
		return nil, fmt.Errorf("chart.%s: %s must be a pointer, got a %T; write & before the variable", verb, what, data)
	}
	return nil, fmt.Errorf("chart.%s: %s is of type %T; give a matrix or a slice of rows", verb, what, data)
}

func isNil(v any) bool {
	rv := reflect.ValueOf(v)
	return v == nil || rv.Kind() == reflect.Pointer && rv.IsNil()
}

// table is a matrix that owns its values, row by row.
type table struct {
	r, c int
	v    []float64
}

func (t table) Dims() (int, int) { return t.r, t.c }

func (t table) At(i, j int) float64 { return t.v[i*t.c+j] }

// isMatrix reports whether data has several columns.
func isMatrix(data any) bool {
	if m, ok := data.(matrix); ok && !isNil(data) {
		r, c := m.Dims()
		return r != 1 && c > 1
	}
	rv := reflect.ValueOf(data)
	return rv.IsValid() && rv.Kind() == reflect.Slice && rv.Type().Elem().Kind() == reflect.Slice
}

// columnAt copies a column of a matrix.
func columnAt(m matrix, j int) []float64 {
	r, _ := m.Dims()
	v := make([]float64, r)
	for i := range v {
		v[i] = m.At(i, j)
	}
	return v
}

// bounds returns the smallest and the largest finite value. If there is no finite value, lo > hi.
func bounds(v []float64) (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for _, x := range v {
		if isFinite(x) {
			lo, hi = math.Min(lo, x), math.Max(hi, x)
		}
	}
	return lo, hi
}

func isFinite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// quantile returns a quantile of sorted values by linear interpolation (Hyndman and Fan's type 7).
func quantile(sorted []float64, p float64) float64 {
	h := p * float64(len(sorted)-1)
	i := int(h)
	if i+1 >= len(sorted) {
		return sorted[len(sorted)-1]
	}
	return sorted[i] + (h-float64(i))*(sorted[i+1]-sorted[i])
}

// short formats a number for a label, with a typographic minus sign.
func short(x float64) string { return guide.Short(x) }

func minus(s string) string { return guide.Minus(s) }

// jsString quotes a string for a Vega expression.
func jsString(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		return `""` // a string can always be marshaled
	}
	return string(b)
}
