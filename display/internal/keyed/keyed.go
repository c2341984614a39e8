// Package keyed reads maps in an order that suits their keys: numbers by size, names of months
// and weekdays by the calendar, times by date, and other keys by name.
package keyed

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"time"
)

// Entry is a key of a map with its name, and the value.
type Entry struct {
	Key, Value reflect.Value
	Name       string
}

// Sorted returns the entries of a map, ordered by key.
func Sorted(m reflect.Value) []Entry {
	entries := make([]Entry, 0, m.Len())
	for it := m.MapRange(); it.Next(); {
		k := it.Key()
		if k.Kind() == reflect.Interface && !k.IsNil() {
			k = k.Elem()
		}
		entries = append(entries, Entry{k, it.Value(), Name(k)})
	}
	sort(entries)
	return entries
}

// sort sorts entries by key; names of months or weekdays by the calendar.
func sort(entries []Entry) {
	slices.SortStableFunc(entries, func(a, b Entry) int { return compare(a.Key, b.Key) })
	names := make([]string, len(entries))
	for i, e := range entries {
		if e.Key.Kind() != reflect.String {
			return
		}
		names[i] = e.Name
	}
	if places, ok := Calendar(names); ok {
		place := map[string]int{}
		for i, name := range names {
			place[name] = places[i]
		}
		slices.SortStableFunc(entries, func(a, b Entry) int { return cmp.Compare(place[a.Name], place[b.Name]) })
	}
}

// Union returns the distinct keys of maps, in order.
func Union(maps []reflect.Value) []Entry {
	seen := map[any]bool{}
	var all []Entry
	for _, m := range maps {
		for _, e := range Sorted(m) {
			if id := e.Key.Interface(); !seen[id] {
				seen[id] = true
				all = append(all, Entry{Key: e.Key, Name: e.Name})
			}
		}
	}
	sort(all)
	return all
}

func compare(a, b reflect.Value) int {
	switch {
	case a.CanInt() && b.CanInt():
		return cmp.Compare(a.Int(), b.Int())
	case a.CanUint() && b.CanUint():
		return cmp.Compare(a.Uint(), b.Uint())
	}
	if x, ok := number(a); ok {
		if y, ok := number(b); ok {
			return cmp.Compare(x, y)
		}
	}
	if a.CanInterface() && b.CanInterface() {
		s, ok1 := a.Interface().(time.Time)
		t, ok2 := b.Interface().(time.Time)
		if ok1 && ok2 {
			return s.Compare(t)
		}
	}
	return cmp.Compare(Name(a), Name(b))
}

func number(v reflect.Value) (float64, bool) {
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

// Plain returns the value of v if it is a number whose type has no String method; time.Month, for
// example, has a String method.
func Plain(v reflect.Value) (float64, bool) {
	if _, named := stringer(v); named {
		return 0, false
	}
	return number(v)
}

// Name formats a key.
func Name(v reflect.Value) string {
	if s, ok := stringer(v); ok {
		return s
	}
	switch {
	case v.Kind() == reflect.String:
		return v.String()
	case v.CanInt():
		return strconv.FormatInt(v.Int(), 10)
	case v.CanUint():
		return strconv.FormatUint(v.Uint(), 10)
	case v.CanFloat():
		return strconv.FormatFloat(v.Float(), 'g', -1, 64)
	case v.CanInterface():
		return fmt.Sprint(v.Interface())
	}
	return v.String()
}

// stringer returns the text of v's String method, and false if the method panics.
func stringer(v reflect.Value) (s string, ok bool) {
	if !v.CanInterface() {
		return "", false
	}
	x, ok := v.Interface().(fmt.Stringer)
	if !ok {
		return "", false
	}
	defer func() {
		if recover() != nil {
			s, ok = "", false
		}
	}()
	return x.String(), true
}
