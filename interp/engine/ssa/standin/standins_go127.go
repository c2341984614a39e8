//go:build go1.27

package standin

import (
	"encoding/json/jsontext"
	"reflect"
)

func init() {
	for name, f := range map[string]func(dst, src []byte) ([]byte, error){
		"encoding/json/jsontext.AppendQuote":   jsontext.AppendQuote[[]byte],
		"encoding/json/jsontext.AppendUnquote": jsontext.AppendUnquote[[]byte],
	} {
		generics[name] = func(_ reflect.Type, a []reflect.Value) []reflect.Value {
			return withError(f(a[0].Bytes(), textOf(a[1])))
		}
	}
	generics["encoding/json/jsontext.AppendFormat"] = func(_ reflect.Type, a []reflect.Value) []reflect.Value {
		return withError(jsontext.AppendFormat(a[0].Bytes(), textOf(a[1]), a[2].Interface().([]jsontext.Options)...))
	}
}

// textOf returns the bytes of a string or a slice of bytes.
func textOf(v reflect.Value) []byte {
	if v.Kind() == reflect.String {
		return []byte(v.String())
	}
	return v.Bytes()
}

func withError(b []byte, err error) []reflect.Value {
	return []reflect.Value{reflect.ValueOf(b), reflect.ValueOf(&err).Elem()}
}
