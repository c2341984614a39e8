package frame

import (
	"cmp"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"time"
)

// Recode returns the column with each value replaced by its entry in a map, whose keys are of the
// kind of the column and whose values are numbers, strings, bools or times:
//
//	f.Col("size").Recode(map[string]int{"S": 1, "M": 2, "L": 3})
//
// A value without an entry becomes missing, and a note reports it. Pass a third argument, one value
// or a column of the same length, to use it for these values instead. Missing values stay missing.
func (c *Column) Recode(entries any, otherwise ...any) *Column {
	const op = "Column.Recode"
	m := reflect.ValueOf(entries)
	if m.Kind() != reflect.Map {
		misuse(op, `pass a map such as map[string]int{"S": 1, "M": 2}, or use Map for a function`, "the entries must be a map, got %T", entries)
	}
	if len(otherwise) > 1 {
		misuse(op, "", "at most one value for all others can be passed, got %d", len(otherwise))
	}
	keys := m.MapKeys()
	place, err := c.places(keys)
	if err != "" {
		misuse(op, "use keys of kind "+c.kind.String(), "the keys must be of the kind of column %q, which is %v, got %s", c.name, c.kind, err)
	}
	values := reflect.MakeSlice(reflect.SliceOf(m.Type().Elem()), len(keys), len(keys))
	for k, key := range keys {
		values.Index(k).Set(m.MapIndex(key))
	}
	v, _ := columnOf(op, c.name, values.Interface())
	rows, lost, example := none(c.n), 0, -1
	for i := range rows {
		if c.missing.has(i) {
			continue
		}
		k := place(i)
		if k >= 0 {
			rows[i] = int32(k)
		} else if lost++; example < 0 {
			example = i
		}
	}
	if len(otherwise) == 0 {
		d := v.take(rows).Named(c.name)
		if lost > 0 {
			d.notes = []string{fmt.Sprintf("%s of %q without an entry became missing; the first is %s", plural(lost, "value"), c.name, c.quoted(example))}
		}
		return d
	}
	o := choice(op, c.name, otherwise[0])
	if !o.single && o.n != c.n {
		misuse(op, "pass one value, or a column of the same frame", "the values for all others must be 1 or %d (the number of rows), got %d", c.n, o.n)
	}
	for i, k := range rows {
		if k < 0 && !c.missing.has(i) {
			rows[i] = int32(v.n + o.at(i))
		}
	}
	return joinChoices(op, side{v, false}, o).take(rows).Named(c.name)
}

// quoted returns the value of a row as it is written in Go.
func (c *Column) quoted(i int) string {
	if c.kind.text() {
		return strconv.Quote(c.Text(i))
	}
	return c.Text(i)
}

// places sorts the keys, so that results do not depend on the order of a map, and returns a
// function with the position of the key that is the value of a row, or -1. If the keys are of
// another kind it returns their type.
func (c *Column) places(keys []reflect.Value) (place func(i int) int, wrong string) {
	for i, key := range keys {
		for key.Kind() == reflect.Interface && !key.IsNil() {
			key = key.Elem()
		}
		keys[i] = key
		kind, ok := kindOf(key.Type())
		fits := kind == c.kind || kind.text() && c.kind.text() || c.kind == FloatKind && kind == IntKind
		if !ok || !fits {
			return nil, key.Type().String()
		}
	}
	switch c.kind {
	case StringKind, CategoryKind:
		index := numbered(keys, reflect.Value.String)
		codes, w := c.coded()
		to := make([]int, len(w.list))
		for k, s := range w.list {
			to[k] = -1
			if at, ok := index[s]; ok {
				to[k] = at
			}
		}
		return func(i int) int { return to[codes[i]] }, ""
	case FloatKind:
		index := numbered(keys, func(v reflect.Value) float64 {
			if v.CanFloat() {
				return v.Float()
			}
			n, _ := integer(v)
			return float64(n)
		})
		return func(i int) int { return found(index, c.floats[i]) }, ""
	case BoolKind:
		index := map[bool]int{}
		for k, key := range keys {
			index[key.Bool()] = k
		}
		return func(i int) int { return found(index, c.bools[i]) }, ""
	case TimeKind:
		index := numbered(keys, func(v reflect.Value) int64 { return v.Interface().(time.Time).UnixNano() })
		return func(i int) int { return found(index, c.ints[i]) }, ""
	}
	index := numbered(keys, func(v reflect.Value) int64 {
		n, err := integer(v)
		if err != nil { // beyond int64: not a value of the column
			return math.MinInt64
		}
		return n
	})
	return func(i int) int { return found(index, c.ints[i]) }, ""
}

// numbered sorts the keys by their values, and returns the position of each.
func numbered[T cmp.Ordered](keys []reflect.Value, value func(reflect.Value) T) map[T]int {
	slices.SortFunc(keys, func(a, b reflect.Value) int { return cmp.Compare(value(a), value(b)) })
	index := make(map[T]int, len(keys))
	for k, key := range keys {
		index[value(key)] = k
	}
	return index
}

func found[T comparable](index map[T]int, v T) int {
	if k, ok := index[v]; ok {
		return k
	}
	return -1
}

// Dummies returns the frame with each of the named columns replaced by one column of zeros and ones
// for each of its levels or distinct values, with names such as zone_Soho. If a value is missing,
// the entries of its row in these columns are missing. For a model, prefer a OneHotEncoder in a
// pipeline, which learns the levels once and then encodes new data in the same way.
//
//	f.Dummies("zone").Drop("zone_Soho")
func (f *Frame) Dummies(names ...string) *Frame {
	const op = "Frame.Dummies"
	if len(names) == 0 {
		misuse(op, "use some of "+list(f.Names()), "at least one column must be named")
	}
	made := map[string][]*Column{}
	for _, name := range names {
		made[name] = f.col(op, name).dummies(op)
	}
	var cols []*Column
	for _, c := range f.cols {
		if d, ok := made[c.name]; ok {
			cols = append(cols, d...)
		} else {
			cols = append(cols, c)
		}
	}
	return of(op, cols).inherit(f)
}

// dummies returns a column of zeros and ones for each level, or for each distinct value.
func (c *Column) dummies(op string) []*Column {
	var id []int32
	var labels []string
	if c.kind == CategoryKind {
		id, labels = c.codes, c.words.list
	} else {
		g := like(c.n, []*Column{c}).group(op, []string{c.name})
		id = g.id
		for _, r := range g.first {
			if !c.missing.has(int(r)) {
				labels = append(labels, c.label(int(r)))
			}
		}
	}
	if len(labels) > widest {
		misuse(op, "bin it first, for example with Cut", "a column must have at most %d values, but %q has %d", widest, c.name, len(labels))
	}
	cols, taken := make([]*Column, len(labels)), map[string]bool{}
	for k, label := range labels {
		v := make([]int64, c.n)
		for i, at := range id {
			if at == int32(k) {
				v[i] = 1
			}
		}
		cols[k] = withGone(IntColumn(freeName(c.name+"_"+label, taken), v), c.missing)
	}
	return cols
}
