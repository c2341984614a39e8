package value

import (
	"fmt"
	"math"
	"reflect"
)

// maxVisits is the maximum number of values that Size visits, so that it takes at most a few
// milliseconds.
const maxVisits = 200_000

// Size returns the bytes of memory that a variable uses, with everything that it points to; shared
// memory counts once. It returns false if the count is incomplete. Strings, which may share their
// text, count in full. The size of a map's table is estimated from its entries. The contents of
// function values and channels do not count.
func Size(v reflect.Value) (bytes int64, whole bool) {
	if !v.IsValid() {
		return 0, true
	}
	s := sizer{seen: map[uintptr]bool{}}
	s.bytes = int64(v.Type().Size())
	s.behind(v)
	return s.bytes, s.visits < maxVisits
}

type sizer struct {
	seen   map[uintptr]bool
	visits int
	bytes  int64
}

// enter reports whether the memory at the address has not been counted yet.
func (s *sizer) enter(at uintptr) bool {
	if at == 0 || s.seen[at] {
		return false
	}
	s.seen[at] = true
	return true
}

// behind counts what a value points to, without the value itself.
func (s *sizer) behind(v reflect.Value) {
	if s.visits++; s.visits >= maxVisits || flat(v.Type()) {
		return
	}
	switch v.Kind() {
	case reflect.String:
		s.bytes += int64(v.Len())
	case reflect.Pointer:
		if !v.IsNil() && s.enter(v.Pointer()) {
			s.bytes += int64(v.Type().Elem().Size())
			s.behind(v.Elem())
		}
	case reflect.Interface:
		if e := v.Elem(); e.IsValid() {
			if k := e.Kind(); k != reflect.Pointer && k != reflect.Map && k != reflect.Chan && k != reflect.Func {
				s.bytes += int64(e.Type().Size())
			}
			s.behind(e)
		}
	case reflect.Slice:
		if v.Cap() > 0 && s.enter(v.Pointer()) {
			s.bytes += int64(v.Cap()) * int64(v.Type().Elem().Size())
			s.elements(v)
		}
	case reflect.Array:
		s.elements(v)
	case reflect.Struct:
		for i := range v.NumField() {
			s.behind(v.Field(i))
		}
	case reflect.Map:
		if !v.IsNil() && s.enter(v.Pointer()) {
			s.mapping(v)
		}
	}
}

func (s *sizer) elements(v reflect.Value) {
	if flat(v.Type().Elem()) {
		return
	}
	for i := 0; i < v.Len() && s.visits < maxVisits; i++ {
		s.behind(v.Index(i))
	}
}

func (s *sizer) mapping(v reflect.Value) {
	t := v.Type()
	// A byte beside each entry and seven eighths of the slots in use, as in the runtime's
	// tables.
	s.bytes += int64(v.Len()) * (int64(t.Key().Size()) + int64(t.Elem().Size()) + 1) * 8 / 7
	if flat(t.Key()) && flat(t.Elem()) {
		return
	}
	for it := v.MapRange(); it.Next() && s.visits < maxVisits; {
		s.behind(it.Key())
		s.behind(it.Value())
	}
}

// flat reports whether values of the type point to nothing that counts.
func flat(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.String, reflect.Pointer, reflect.Interface, reflect.Slice, reflect.Map:
		return false
	case reflect.Array:
		return t.Len() == 0 || flat(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if !flat(t.Field(i).Type) {
				return false
			}
		}
	}
	return true
}

// SizeText formats a size: 512 B, 8.0 kB, at least 1.2 MB.
func SizeText(v reflect.Value) string {
	n, whole := Size(v)
	if !whole {
		return "at least " + Bytes(n)
	}
	return Bytes(n)
}

// Bytes formats a number of bytes.
func Bytes(n int64) string {
	text := fmt.Sprintf("%d B", n)
	for i, unit := range []string{"kB", "MB", "GB"} {
		if x := float64(n) / math.Pow(1000, float64(i+1)); x >= 0.9995 {
			text = fmt.Sprintf("%.1f %s", x, unit)
		}
	}
	return text
}
