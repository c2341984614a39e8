package modeltest

import (
	"fmt"
	"math"
	"reflect"

	"gonum.org/v1/gonum/mat"
)

// sameState compares the exported fields of two estimators, except functions. The error names the
// first field that differs.
func sameState(a, b any) error {
	return sameValue(reflect.TypeOf(a).String(), reflect.ValueOf(a), reflect.ValueOf(b), 0)
}

// maxDepth bounds the walk, so that a cycle ends.
const maxDepth = 60

func sameValue(path string, a, b reflect.Value, depth int) error {
	if depth > maxDepth {
		return nil
	}
	if a.IsValid() != b.IsValid() {
		return fmt.Errorf("%s: one is nil", path)
	}
	if !a.IsValid() {
		return nil
	}
	if a.Type() != b.Type() {
		return fmt.Errorf("%s: types %v and %v", path, a.Type(), b.Type())
	}
	if a.Type() == reflect.TypeFor[*mat.Dense]() {
		if err := near(a.Interface().(*mat.Dense), b.Interface().(*mat.Dense), 0); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		return nil
	}
	switch a.Kind() {
	case reflect.Func, reflect.Chan:
		return nil
	case reflect.Pointer, reflect.Interface:
		if a.IsNil() || b.IsNil() {
			if a.IsNil() != b.IsNil() {
				return fmt.Errorf("%s: one is nil", path)
			}
			return nil
		}
		return sameValue(path, a.Elem(), b.Elem(), depth+1)
	case reflect.Struct:
		for i := range a.NumField() {
			f := a.Type().Field(i)
			if !f.IsExported() {
				continue
			}
			if err := sameValue(path+"."+f.Name, a.Field(i), b.Field(i), depth+1); err != nil {
				return err
			}
		}
		return nil
	case reflect.Slice, reflect.Array:
		if a.Len() != b.Len() {
			return fmt.Errorf("%s: lengths %d and %d", path, a.Len(), b.Len())
		}
		for i := range a.Len() {
			if err := sameValue(fmt.Sprintf("%s[%d]", path, i), a.Index(i), b.Index(i), depth+1); err != nil {
				return err
			}
		}
		return nil
	case reflect.Map:
		if a.Len() != b.Len() {
			return fmt.Errorf("%s: %d and %d entries", path, a.Len(), b.Len())
		}
		for _, k := range a.MapKeys() {
			if err := sameValue(fmt.Sprintf("%s[%v]", path, k), a.MapIndex(k), b.MapIndex(k), depth+1); err != nil {
				return err
			}
		}
		return nil
	case reflect.Float32, reflect.Float64:
		if x, y := a.Float(), b.Float(); x != y && !(math.IsNaN(x) && math.IsNaN(y)) {
			return fmt.Errorf("%s: %v and %v", path, x, y)
		}
		return nil
	default:
		if !a.Equal(b) {
			return fmt.Errorf("%s: %v and %v", path, a, b)
		}
		return nil
	}
}
