package chart

import (
	"fmt"
	"math"
	"reflect"

	"github.com/gokernel/gokernel/display/internal/keyed"
)

// numberOf converts a value of a map to a number.
func numberOf(v reflect.Value) (float64, bool) {
	for v.Kind() == reflect.Interface && !v.IsNil() {
		v = v.Elem()
	}
	switch {
	case v.CanInt():
		return float64(v.Int()), true
	case v.CanUint():
		return float64(v.Uint()), true
	case v.CanFloat():
		return v.Float(), true
	}
	return 0, false
}

// innerMaps returns the values of the entries, if all are maps.
func innerMaps(entries []keyed.Entry) ([]reflect.Value, bool) {
	maps := make([]reflect.Value, len(entries))
	for i, e := range entries {
		v := e.Value
		for v.Kind() == reflect.Interface && !v.IsNil() {
			v = v.Elem()
		}
		if v.Kind() != reflect.Map {
			return nil, false
		}
		maps[i] = v
	}
	return maps, len(maps) > 0
}

func namesOf(entries []keyed.Entry) []string {
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = e.Name
	}
	return names
}

// positions returns the values on the axis of the keys: the keys themselves if all are plain
// numbers, otherwise their names.
func positions(entries []keyed.Entry) any {
	xs := make([]float64, len(entries))
	for i, e := range entries {
		x, ok := keyed.Plain(e.Key)
		if !ok {
			return namesOf(entries)
		}
		xs[i] = x
	}
	return xs
}

// mapBars adds bars for the entries of a map to numbers, or to maps of numbers.
func (c *Chart) mapBars(m reflect.Value) *Chart {
	entries := keyed.Sorted(m)
	if maps, ok := innerMaps(entries); ok {
		table, columns, err := tableOfMaps("Bar", maps)
		if err != nil {
			c.fail(err)
			return c
		}
		for j, column := range columns {
			y := columnAt(table, j)
			for i := range y {
				if math.IsNaN(y[i]) {
					y[i] = 0 // no bar
				}
			}
			c.Bars(positions(entries), y).Name(column)
		}
		return c
	}
	y := make([]float64, len(entries))
	for i, e := range entries {
		var ok bool
		if y[i], ok = numberOf(e.Value); !ok {
			c.fail(fmt.Errorf("chart.Bar: the value of %s is of type %v; give a map to numbers", e.Name, e.Value.Type()))
			return c
		}
	}
	return c.Bars(positions(entries), y)
}

// tableOfMaps makes a table of maps to numbers, with a row for each and a column for each key that
// any of them has; maps that lack a key have NaN in its column.
func tableOfMaps(verb string, maps []reflect.Value) (table, []string, error) {
	keys := keyed.Union(maps)
	t := table{r: len(maps), c: len(keys)}
	for _, m := range maps {
		for _, k := range keys {
			x := math.NaN()
			if v := m.MapIndex(k.Key); v.IsValid() {
				var ok bool
				if x, ok = numberOf(v); !ok {
					return t, nil, fmt.Errorf("chart.%s: the value of %s is of type %v; give maps to numbers", verb, k.Name, v.Type())
				}
			}
			t.v = append(t.v, x)
		}
	}
	return t, namesOf(keys), nil
}

// mapGroups reads a map to slices of numbers.
func mapGroups(verb string, m reflect.Value) (groups [][]float64, names []string, err error) {
	entries := keyed.Sorted(m)
	for _, e := range entries {
		col, err := columnOf(verb, "the group "+e.Name, e.Value.Interface())
		if err != nil {
			return nil, nil, err
		}
		groups = append(groups, col.v)
	}
	return groups, namesOf(entries), nil
}
