package msg

import (
	"bytes"
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
)

// Dict is a JSON object. Nil is encoded as {}, because frontends do not expect null.
type Dict map[string]any

// MarshalJSON implements [json.Marshaler].
func (d Dict) MarshalJSON() ([]byte, error) {
	if d == nil {
		return []byte("{}"), nil
	}
	return marshal(map[string]any(d))
}

// List is a JSON array. Nil is encoded as [].
type List[T any] []T

// MarshalJSON implements [json.Marshaler].
func (l List[T]) MarshalJSON() ([]byte, error) {
	if l == nil {
		return []byte("[]"), nil
	}
	return marshal([]T(l))
}

// Marshal returns the JSON of v. HTML is not escaped. NaN and infinities, which JSON cannot
// represent, become null.
func Marshal(v any) ([]byte, error) {
	b, err := marshal(v)
	var unsupported *json.UnsupportedValueError
	if errors.As(err, &unsupported) {
		plain, perr := finite(reflect.ValueOf(v), 0)
		if perr != nil {
			return nil, perr
		}
		b, err = marshal(plain)
	}
	if err != nil {
		return nil, fmt.Errorf("msg: %w", err)
	}
	return b, nil
}

func marshal(v any) ([]byte, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(buf.Bytes(), []byte("\n")), nil
}

// maxDepth is the nesting depth at which a value is assumed to contain itself.
const maxDepth = 1000

var (
	jsonMarshaler = reflect.TypeFor[json.Marshaler]()
	textMarshaler = reflect.TypeFor[encoding.TextMarshaler]()
)

// finite returns a copy of v, converted to maps and slices, in which NaN and infinities are nil.
// It is called only for values that encoding/json has rejected.
func finite(v reflect.Value, depth int) (any, error) {
	if depth > maxDepth {
		return nil, errors.New("msg: JSON cannot represent a value that contains itself")
	}
	if !v.IsValid() {
		return nil, nil
	}
	switch v.Kind() {
	case reflect.Float32, reflect.Float64:
		if f := v.Float(); math.IsNaN(f) || math.IsInf(f, 0) {
			return nil, nil
		}
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return nil, nil
		}
		if !marshals(v.Type()) {
			return finite(v.Elem(), depth+1)
		}
	case reflect.Map:
		if v.Type().Key().Kind() == reflect.String {
			return finiteMap(v, depth)
		}
	case reflect.Slice, reflect.Array:
		if v.Type().Elem().Kind() != reflect.Uint8 && !(v.Kind() == reflect.Slice && v.IsNil()) && !marshalsItself(v.Type()) {
			return finiteList(v, depth)
		}
	case reflect.Struct:
		if !marshals(v.Type()) {
			return finiteStruct(v, depth)
		}
	}
	return v.Interface(), nil
}

func marshals(t reflect.Type) bool {
	return t.Implements(jsonMarshaler) || t.Implements(textMarshaler)
}

// marshalsItself reports whether t has its own encoding. The types of this package don't count,
// because their MarshalJSON would reject the value again.
func marshalsItself(t reflect.Type) bool {
	return marshals(t) && t.PkgPath() != reflect.TypeFor[Dict]().PkgPath()
}

func finiteMap(v reflect.Value, depth int) (any, error) {
	if marshalsItself(v.Type()) {
		return v.Interface(), nil
	}
	out := make(Dict, v.Len())
	for it := v.MapRange(); it.Next(); {
		e, err := finite(it.Value(), depth+1)
		if err != nil {
			return nil, err
		}
		out[it.Key().String()] = e
	}
	return out, nil
}

func finiteList(v reflect.Value, depth int) (any, error) {
	out := make([]any, v.Len())
	for i := range out {
		e, err := finite(v.Index(i), depth+1)
		if err != nil {
			return nil, err
		}
		out[i] = e
	}
	return out, nil
}

func finiteStruct(v reflect.Value, depth int) (any, error) {
	out := Dict{}
	for _, f := range reflect.VisibleFields(v.Type()) {
		name, opts, _ := strings.Cut(f.Tag.Get("json"), ",")
		if !f.IsExported() || name == "-" || f.Anonymous && name == "" {
			continue
		}
		fv, err := v.FieldByIndexErr(f.Index)
		if err != nil || strings.Contains(opts, "omitempty") && empty(fv) || strings.Contains(opts, "omitzero") && fv.IsZero() {
			continue
		}
		if name == "" {
			name = f.Name
		}
		if out[name], err = finite(fv, depth+1); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func empty(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Map, reflect.Slice, reflect.Array, reflect.String:
		return v.Len() == 0
	case reflect.Struct:
		return false
	}
	return v.IsZero()
}
