package model

import (
	"fmt"
	"reflect"
	"strings"
)

// NameOf returns the name of the type of m without the package, such as "KNN".
func NameOf(m any) string {
	name := fmt.Sprintf("%T", m)
	return name[strings.LastIndexByte(name, '.')+1:]
}

// Clone returns an independent model with the parameters of m. If m is a pointer, it copies the
// variable that m points to. Clone also copies the models in the exported fields of m, including
// lists of models such as the steps of a pipeline. Everything else that fields point to, such as
// kernels and tables, is shared. A value that is not a pointer is returned as it is.
func Clone[M any](m M) M {
	v := reflect.ValueOf(&m).Elem()
	v.Set(cloned(v))
	return m
}

// cloned copies models, and the slices and structs that contain them.
func cloned(v reflect.Value) reflect.Value {
	switch v.Kind() {
	case reflect.Interface:
		if v.IsNil() {
			return v
		}
		out := reflect.New(v.Type()).Elem()
		out.Set(cloned(v.Elem()))
		return out
	case reflect.Pointer:
		if v.IsNil() || v.Type().Elem().Kind() != reflect.Struct || !v.MethodByName("Fit").IsValid() {
			return v
		}
		out := reflect.New(v.Type().Elem())
		fields := out.Elem()
		fields.Set(v.Elem())
		for i := range fields.NumField() {
			if f := fields.Field(i); f.CanSet() {
				f.Set(cloned(f))
			}
		}
		return out
	case reflect.Slice:
		if v.IsNil() || v.Type().Elem().Kind() != reflect.Interface && v.Type().Elem().Kind() != reflect.Pointer {
			return v
		}
		out := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		for i := range v.Len() {
			out.Index(i).Set(cloned(v.Index(i)))
		}
		return out
	}
	return v
}
