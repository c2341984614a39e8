// Package variable reads the variables of figures: from slices and vectors, and from columns of
// tables by name.
package variable

import (
	"fmt"
	"math"
	"reflect"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/gokernel/gokernel/display/internal/keyed"
)

// Table is a table with named columns, such as a frame.
type Table interface {
	Len() int
	ColumnValues(name string) (values any, ok bool)
}

// Coded is a column of repeated names: value i is Levels[Codes[i]], or missing if the code is -1.
type Coded = struct {
	Codes  []int32
	Levels []string
}

// Column is one variable: numbers, and the meaning of the numbers if the data were names or
// times.
type Column struct {
	V      []float64
	Levels []string       // V[i] is an index into Levels, -1 if missing
	Times  bool           // V[i] is in seconds since 1970
	Zone   *time.Location // time zone of times, nil for UTC
	Mixed  bool           // the times have several zones and are shown in UTC
	Spans  bool           // V[i] is a duration in seconds
	Name   string         // may be ""
}

// matrix has the methods of gonum matrices that are used here.
type matrix interface {
	Dims() (r, c int)
	At(i, j int) float64
}

// Of reads one variable from a slice or array of numbers, strings, bools or times, or from a
// matrix with one row or column. For other types it returns an error that says what to pass.
func Of(verb, what string, data any) (Column, error) {
	fail := func(got string) (Column, error) {
		return Column{}, fmt.Errorf("%s: %s is %s; give a slice of numbers, strings or times, or a vector", verb, what, got)
	}
	switch d := data.(type) {
	case nil:
		return fail("nil")
	case []float64:
		return Column{V: d}, nil
	case []int:
		v := make([]float64, len(d))
		for i, x := range d {
			v[i] = float64(x)
		}
		return Column{V: v}, nil
	case []string:
		return OfNames(d), nil
	case Coded:
		v := make([]float64, len(d.Codes))
		for i, k := range d.Codes {
			v[i] = float64(k)
		}
		return Column{V: v, Levels: d.Levels}.inCalendar(), nil
	case []time.Time:
		v := make([]float64, len(d))
		for i, t := range d {
			if t.IsZero() {
				v[i] = math.NaN()
				continue
			}
			v[i] = float64(t.Unix()) + float64(t.Nanosecond())/1e9
		}
		c := Column{V: v, Times: true}
		c.Zone, c.Mixed = zoneOf(d)
		return c, nil
	case []time.Duration:
		v := make([]float64, len(d))
		for i, x := range d {
			v[i] = x.Seconds()
		}
		return Column{V: v, Spans: true}, nil
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
		return Column{V: v}, nil
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
		return Column{V: v, Levels: []string{"false", "true"}}, nil
	case reflect.String:
		s := make([]string, rv.Len())
		for i := range s {
			s[i] = rv.Index(i).String()
		}
		return OfNames(s), nil
	default:
		return fail(fmt.Sprintf("of type %T", data))
	}
	return Column{V: v}, nil
}

// zoneOf returns the common time zone of times, or nil for UTC; mixed reports whether there are
// several.
func zoneOf(times []time.Time) (zone *time.Location, mixed bool) {
	var first time.Time
	for _, t := range times {
		switch {
		case t.IsZero():
		case first.IsZero():
			first = t
		case t.Location() != first.Location() && !SameZone(t.Location(), first.Location(), t):
			return nil, true
		}
	}
	if first.IsZero() || first.Location() == time.UTC {
		return nil, false
	}
	return first.Location(), false
}

// SameZone reports whether two zones (nil for UTC) are equal: by their names or, without names, by
// their local times at one instant.
func SameZone(a, b *time.Location, at time.Time) bool {
	if a == nil {
		a = time.UTC
	}
	if b == nil {
		b = time.UTC
	}
	if a == b || a.String() != "" && a.String() == b.String() {
		return true
	}
	_, x := at.In(a).Zone()
	_, y := at.In(b).Zone()
	return (a.String() == "" || b.String() == "") && x == y
}

// OfNames numbers the distinct strings in order of appearance, and names of months and weekdays
// in the order of the calendar.
func OfNames(s []string) Column {
	c := Column{V: make([]float64, len(s)), Levels: []string{}}
	index := map[string]int{}
	for i, x := range s {
		k, ok := index[x]
		if !ok {
			k = len(c.Levels)
			index[x] = k
			c.Levels = append(c.Levels, x)
		}
		c.V[i] = float64(k)
	}
	return c.inCalendar()
}

// inCalendar sorts levels that name months or weekdays by the calendar.
func (c Column) inCalendar() Column {
	order := keyed.CalendarOrder(c.Levels)
	if order == nil {
		return c
	}
	levels, place := make([]string, len(order)), make([]float64, len(order))
	for to, from := range order {
		levels[to], place[from] = c.Levels[from], float64(to)
	}
	for i, x := range c.V {
		if x >= 0 {
			c.V[i] = place[int(x)]
		}
	}
	c.Levels = levels
	return c
}

// Classes converts labels to classes: strings and bools by their levels, integers by their sorted
// distinct values. It returns false for numeric measurements.
func (c Column) Classes() (class []int, names []string, ok bool) {
	class = make([]int, len(c.V))
	if c.Levels != nil {
		for i, x := range c.V {
			class[i] = int(x)
		}
		return class, c.Levels, true
	}
	if c.Times {
		return nil, nil, false
	}
	distinct := map[float64]bool{}
	for i, x := range c.V {
		if math.IsNaN(x) && c.Name != "" {
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
		names = append(names, strings.Replace(strconv.FormatFloat(x, 'f', -1, 64), "-", "−", 1))
	}
	for i, x := range c.V {
		if !math.IsNaN(x) {
			class[i] = index[x]
		}
	}
	return class, names, true
}

// Named returns a column of classes with their names as levels. It returns false for numeric
// measurements.
func (c Column) Named() (named Column, ok bool) {
	if c.Levels != nil {
		return c, true
	}
	class, names, ok := c.Classes()
	if !ok {
		return c, false
	}
	v := make([]float64, len(class))
	for i, k := range class {
		v[i] = float64(k)
	}
	return Column{V: v, Levels: names, Name: c.Name}, true
}

// Reader reads the arguments of one verb: data, or names of columns after a table.
type Reader struct {
	Verb  string // name in errors, such as "graph.Treemap"
	Table Table  // may be nil
}

// Begin returns a reader for the arguments of a verb. The first argument can be a table; Begin also
// returns the other arguments.
func Begin(verb string, args []any) (Reader, []any) {
	if len(args) > 0 {
		if t, ok := args[0].(Table); ok && !IsNil(args[0]) {
			return Reader{verb, t}, args[1:]
		}
	}
	return Reader{Verb: verb}, args
}

// one is a single column of a table.
type one interface {
	Name() string
	Data() any
}

// Column reads one variable: a slice or vector, a column, or the name of a column. what names the
// variable in errors.
func (r Reader) Column(what string, data any) (Column, error) {
	switch d := data.(type) {
	case string:
		if r.Table == nil {
			_, verb, _ := strings.Cut(r.Verb, ".")
			return Column{}, fmt.Errorf("%s: %s is the string %q, which would name a column; pass the table first: %s(f, %q)", r.Verb, what, d, verb, d)
		}
		values, ok := r.Table.ColumnValues(d)
		if !ok {
			return Column{}, fmt.Errorf("%s: there is no column %q%s", r.Verb, d, r.names())
		}
		col, err := Of(r.Verb, "column "+strconv.Quote(d), values)
		col.Name = d
		return col, err
	case one:
		if IsNil(data) {
			break
		}
		col, err := Of(r.Verb, what, d.Data())
		col.Name = d.Name()
		return col, err
	}
	return Of(r.Verb, what, data)
}

// Numbers reads a variable that must be numbers.
func (r Reader) Numbers(what string, data any) (Column, error) {
	c, err := r.Column(what, data)
	if err == nil && (c.Levels != nil || c.Times) {
		err = fmt.Errorf("%s: %s must be numbers, and %s", r.Verb, what, c.kind())
	}
	return c, err
}

// Names reads a variable of names, or of integers that are used as names.
func (r Reader) Names(what string, data any) (Column, error) {
	c, err := r.Column(what, data)
	if err != nil {
		return c, err
	}
	named, ok := c.Named()
	if !ok {
		return c, fmt.Errorf("%s: %s must be names, and %s", r.Verb, what, c.kind())
	}
	return named, nil
}

func (c Column) kind() string {
	subject := "they are"
	if c.Name != "" {
		subject = fmt.Sprintf("column %q holds", c.Name)
	}
	switch {
	case c.Levels != nil:
		return subject + " names"
	case c.Times:
		return subject + " times"
	}
	return subject + " measurements"
}

// SameLength returns an error if variables have different lengths.
func (r Reader) SameLength(what []string, cols ...Column) error {
	for i, c := range cols {
		if len(c.V) != len(cols[0].V) {
			return fmt.Errorf("%s: there are %d %s and %d %s; their numbers must be equal", r.Verb, len(cols[0].V), what[0], len(c.V), what[i])
		}
	}
	return nil
}

// names lists the columns of the table for an error.
func (r Reader) names() string {
	const most = 12
	n, ok := r.Table.(interface{ Names() []string })
	if !ok || len(n.Names()) == 0 {
		return ""
	}
	names := n.Names()
	rest := ""
	if len(names) > most {
		rest = fmt.Sprintf(" and %d more", len(names)-most)
		names = names[:most]
	}
	return "; there are " + strings.Join(names, ", ") + rest
}

// IsNil reports whether v is nil or a nil pointer.
func IsNil(v any) bool {
	rv := reflect.ValueOf(v)
	return v == nil || rv.Kind() == reflect.Pointer && rv.IsNil()
}
