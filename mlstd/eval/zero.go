package eval

import (
	"maps"
	"reflect"

	"github.com/gokernel/gokernel/mlstd/model"
)

// meant returns p with [model.Zero] instead of each 0 that fresh stores in a float64 field of the
// model, where 0 would mean the default. It also returns the names of the parameters whose 0 fresh
// stores in integer fields, for which no [model.Zero] exists.
func meant(fresh func(p Params) any, p Params) (zeros Params, defaults []string) {
	zeros = p
	for _, name := range p.names() {
		if p[name] != 0 {
			continue
		}
		at := func(v float64) any {
			q := maps.Clone(zeros)
			q[name] = v
			return fresh(q)
		}
		v, whole := meantZero(at)
		if v != 0 {
			zeros = maps.Clone(zeros)
			zeros[name] = v
		}
		if whole {
			defaults = append(defaults, name)
		}
	}
	return zeros, defaults
}

// orZero returns v, or [model.Zero] for a 0 that would mean the default.
func orZero(v float64, at func(v float64) any) float64 {
	if v != 0 {
		return v
	}
	v, _ = meantZero(at)
	return v
}

// meantZero returns model.Zero if at(model.Zero) differs from at(0) only in fields that are 0 in
// the latter, and 0 otherwise. whole reports whether at stores its argument in an integer field.
func meantZero(at func(v float64) any) (zero float64, whole bool) {
	base := at(0)
	var d modelDifference
	d.compare(reflect.ValueOf(base), reflect.ValueOf(at(model.Zero)), 0)
	if d.zeros > 0 && !d.other {
		return model.Zero, false
	}
	d = modelDifference{}
	d.compare(reflect.ValueOf(base), reflect.ValueOf(at(1)), 0)
	return 0, d.whole > 0
}

// modelDifference describes how two unfitted models differ.
type modelDifference struct {
	zeros int  // numbers that are 0 in one model and model.Zero in the other
	whole int  // integers that are 0 in only one model
	other bool // anything else
}

// deepest is how far compare follows pointers.
const deepest = 40

func (d *modelDifference) compare(a, b reflect.Value, depth int) {
	if !a.IsValid() || !b.IsValid() || a.Type() != b.Type() || depth > deepest {
		d.other = d.other || a.IsValid() != b.IsValid() || a.IsValid() && a.Type() != b.Type()
		return
	}
	switch a.Kind() {
	case reflect.Float64:
		d.number(a.Float(), b.Float())
	case reflect.Int, reflect.Int64, reflect.Int32:
		if a.Int() != b.Int() {
			d.other = true
			if a.Int() == 0 {
				d.whole++
			}
		}
	case reflect.Pointer, reflect.Interface:
		if a.IsNil() || b.IsNil() {
			d.other = d.other || a.IsNil() != b.IsNil()
			return
		}
		if a.Kind() == reflect.Pointer && a.Pointer() == b.Pointer() {
			return
		}
		d.compare(a.Elem(), b.Elem(), depth+1)
	case reflect.Struct:
		for i := range a.NumField() {
			d.compare(a.Field(i), b.Field(i), depth+1)
		}
	case reflect.Slice, reflect.Array:
		if a.Len() != b.Len() {
			d.other = true
			return
		}
		for i := range a.Len() {
			d.compare(a.Index(i), b.Index(i), depth+1)
		}
	case reflect.Func:
		d.functions(a, b, depth)
	case reflect.Bool:
		d.other = d.other || a.Bool() != b.Bool()
	case reflect.String:
		d.other = d.other || a.String() != b.String()
	}
}

func (d *modelDifference) number(a, b float64) {
	switch {
	case a == 0 && b == model.Zero:
		d.zeros++
	case a != b && (a == a || b == b):
		d.other = true
	}
}

// functions compares the results of two functions without parameters, such as the New field of an
// ensemble.
func (d *modelDifference) functions(a, b reflect.Value, depth int) {
	if a.IsNil() || b.IsNil() {
		d.other = d.other || a.IsNil() != b.IsNil()
		return
	}
	if t := a.Type(); t.NumIn() == 0 && t.NumOut() == 1 && a.CanInterface() && b.CanInterface() {
		d.compare(a.Call(nil)[0], b.Call(nil)[0], depth+1)
	}
}
