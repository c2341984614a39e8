package chart

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/gokernel/gokernel/display"
)

// matrix is what a gonum matrix offers; a slice of rows is made into one.
type matrix interface {
	Dims() (r, c int)
	At(i, j int) float64
}

// columnNamer is a matrix that knows what its columns are called.
type columnNamer interface{ ColumnNames() []string }

// column is one variable of the data: numbers, and what the numbers stand for
// when the data were names or times.
type column struct {
	v      []float64
	levels []string // v[i] is an index into levels, -1 where it is missing
	times  bool     // v[i] is in seconds since 1970
	name   string   // "" when it has none
}

// columnOf reads one variable from a slice or array of numbers, strings, bools or
// times, from a matrix with one row or column, or from a range over none of them
// with an error that says what would do.
func columnOf(verb, what string, data any) (column, error) {
	fail := func(got string) (column, error) {
		return column{}, fmt.Errorf("chart.%s: %s is %s; give a slice of numbers, strings or times, or a vector", verb, what, got)
	}
	switch d := data.(type) {
	case nil:
		return fail("nil")
	case []float64:
		return column{v: d}, nil
	case []int:
		v := make([]float64, len(d))
		for i, x := range d {
			v[i] = float64(x)
		}
		return column{v: v}, nil
	case []string:
		return levelColumn(d), nil
	case Coded:
		v := make([]float64, len(d.Codes))
		for i, k := range d.Codes {
			v[i] = float64(k)
		}
		return column{v: v, levels: d.Levels}, nil
	case []time.Time:
		v := make([]float64, len(d))
		for i, t := range d {
			if t.IsZero() {
				v[i] = math.NaN()
				continue
			}
			v[i] = float64(t.Unix()) + float64(t.Nanosecond())/1e9
		}
		return column{v: v, times: true}, nil
	case matrix:
		r, c := d.Dims()
		if r != 1 && c != 1 {
			return fail(fmt.Sprintf("a %d×%d matrix", r, c))
		}
		v := make([]float64, r*c)
		for i := range v {
			if c == 1 {
				v[i] = d.At(i, 0)
			} else {
				v[i] = d.At(0, i)
			}
		}
		return column{v: v}, nil
	}
	rv := reflect.ValueOf(data)
	if rv.Kind() != reflect.Slice && rv.Kind() != reflect.Array {
		return fail(fmt.Sprintf("of type %T", data))
	}
	v := make([]float64, rv.Len())
	switch rv.Type().Elem().Kind() {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		for i := range v {
			v[i] = float64(rv.Index(i).Int())
		}
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		for i := range v {
			v[i] = float64(rv.Index(i).Uint())
		}
	case reflect.Float32, reflect.Float64:
		for i := range v {
			v[i] = rv.Index(i).Float()
		}
	case reflect.Bool:
		for i := range v {
			if rv.Index(i).Bool() {
				v[i] = 1
			}
		}
		return column{v: v, levels: []string{"false", "true"}}, nil
	case reflect.String:
		s := make([]string, rv.Len())
		for i := range s {
			s[i] = rv.Index(i).String()
		}
		return levelColumn(s), nil
	default:
		return fail(fmt.Sprintf("of type %T", data))
	}
	return column{v: v}, nil
}

// levelColumn numbers the distinct strings in the order of their appearance.
func levelColumn(s []string) column {
	c := column{v: make([]float64, len(s)), levels: []string{}}
	index := map[string]int{}
	for i, x := range s {
		k, ok := index[x]
		if !ok {
			k = len(c.levels)
			index[x] = k
			c.levels = append(c.levels, x)
		}
		c.v[i] = float64(k)
	}
	return c
}

// shares gives truth values as the numbers 0 and 1, NaN where one is missing, and
// other columns as they are.
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

// classes reads labels as classes: strings and bools by their levels, whole
// numbers by their sorted distinct values. ok is false for numbers that measure
// something.
func (c column) classes() (class []int, names []string, ok bool) {
	class = make([]int, len(c.v))
	if c.levels != nil {
		for i, x := range c.v {
			class[i] = int(x)
		}
		return class, c.levels, true
	}
	if c.times {
		return nil, nil, false
	}
	distinct := map[float64]bool{}
	for i, x := range c.v {
		if math.IsNaN(x) && c.name != "" {
			class[i] = -1 // missing
			continue
		}
		if x != math.Trunc(x) || math.Abs(x) > 1e9 {
			return nil, nil, false
		}
		distinct[x] = true
		if len(distinct) > 1000 {
			return nil, nil, false
		}
	}
	values := make([]float64, 0, len(distinct))
	for x := range distinct {
		values = append(values, x)
	}
	sort.Float64s(values)
	index := make(map[float64]int, len(values))
	for i, x := range values {
		index[x] = i
		names = append(names, strconv.FormatFloat(x, 'f', -1, 64))
	}
	for i, x := range c.v {
		if !math.IsNaN(x) {
			class[i] = index[x]
		}
	}
	return class, names, true
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
		return nil, fmt.Errorf("chart.%s: %s is a %T and not a pointer to it; write & before the variable", verb, what, data)
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

func (t table) Dims() (int, int)    { return t.r, t.c }
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

// bounds gives the smallest and largest finite value; lo > hi without one.
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

// quantile of sorted values by linear interpolation (Hyndman and Fan's type 7).
func quantile(sorted []float64, p float64) float64 {
	h := p * float64(len(sorted)-1)
	i := int(h)
	if i+1 >= len(sorted) {
		return sorted[len(sorted)-1]
	}
	return sorted[i] + (h-float64(i))*(sorted[i+1]-sorted[i])
}

// short writes a number for a label, with a true minus sign.
func short(x float64) string { return minus(display.Number(x)) }

func minus(s string) string {
	if len(s) > 1 && s[0] == '-' {
		if strings.Trim(s[1:], "0.") == "" {
			return s[1:] // a zero has no sign
		}
		return "−" + s[1:]
	}
	return s
}

// jsString quotes a string for a Vega expression.
func jsString(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		return `""` // a string can always be marshaled
	}
	return string(b)
}
