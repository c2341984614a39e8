package snapshot

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unsafe"
)

// Encode writes the state of the value that p points to, without the fields that omit excludes. The
// error names the field that cannot be written: a function, a channel, or a value of a type that is
// not registered.
func Encode(p any, omit Omit) ([]byte, error) {
	v := reflect.ValueOf(p)
	if v.Kind() != reflect.Pointer || v.IsNil() {
		return nil, fmt.Errorf("%T is not a pointer to a value", p)
	}
	e := &encoder{omit: omit, seen: map[identity]uint64{}, structs: map[reflect.Type]uint64{}}
	if err := e.value(v, 0); err != nil {
		return nil, at(strings.TrimPrefix(v.Type().String(), "*"), err)
	}
	return e.buf, nil
}

// identity is equal for two pointers, slices or maps if they are the same object. It includes the
// type because a struct and its first field share an address.
type identity struct {
	at     unsafe.Pointer
	length int
	typ    reflect.Type
}

type encoder struct {
	buf     []byte
	omit    Omit
	seen    map[identity]uint64
	structs map[reflect.Type]uint64
	fields  [][]int // kept fields of each struct type
}

func (e *encoder) uint(n uint64) { e.buf = binary.AppendUvarint(e.buf, n) }

func (e *encoder) string(s string) {
	e.uint(uint64(len(s)))
	e.buf = append(e.buf, s...)
}

// known writes the mark of a nil or of a reference to an earlier value, and reports whether there
// is nothing more to write.
func (e *encoder) known(v reflect.Value, id identity) bool {
	if v.IsNil() {
		e.uint(isNil)
		return true
	}
	if n, ok := e.seen[id]; ok {
		e.uint(isSeen)
		e.uint(n)
		return true
	}
	e.uint(isNew)
	return false
}

func (e *encoder) note(id identity) { e.seen[id] = uint64(len(e.seen)) }

func (e *encoder) value(v reflect.Value, depth int) error {
	if depth > maxDepth {
		return errors.New("values are nested too deeply to be saved")
	}
	switch v.Kind() {
	case reflect.Bool:
		b := byte(0)
		if v.Bool() {
			b = 1
		}
		e.buf = append(e.buf, b)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		e.buf = binary.AppendVarint(e.buf, v.Int())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		e.uint(v.Uint())
	case reflect.Float64:
		e.buf = binary.LittleEndian.AppendUint64(e.buf, math.Float64bits(v.Float()))
	case reflect.Float32:
		e.buf = binary.LittleEndian.AppendUint32(e.buf, math.Float32bits(float32(v.Float())))
	case reflect.String:
		e.string(v.String())
	case reflect.Array:
		return e.elements(v, depth)
	case reflect.Struct:
		return e.structure(v, depth)
	case reflect.Interface:
		return e.dynamic(v, depth)
	case reflect.Pointer:
		id := identity{v.UnsafePointer(), 1, v.Type()}
		if e.known(v, id) {
			return nil
		}
		e.note(id)
		return e.value(v.Elem(), depth+1)
	case reflect.Slice:
		id := identity{v.UnsafePointer(), v.Len(), v.Type()}
		if v.Len() == 0 {
			id.at = nil
		}
		if e.known(v, id) {
			return nil
		}
		e.uint(uint64(v.Len()))
		if err := e.elements(v, depth); err != nil {
			return err
		}
		e.note(id)
	case reflect.Map:
		id := identity{v.UnsafePointer(), v.Len(), v.Type()}
		if e.known(v, id) {
			return nil
		}
		if err := e.entries(v, depth); err != nil {
			return err
		}
		e.note(id)
	case reflect.Func:
		if !v.IsNil() {
			return errors.New("functions cannot be saved")
		}
		e.uint(isNil)
	default:
		return fmt.Errorf("values of type %s cannot be saved", v.Type())
	}
	return nil
}

func (e *encoder) elements(v reflect.Value, depth int) error {
	if v.Type().Elem() == reflect.TypeFor[float64]() && v.Kind() == reflect.Slice {
		for _, x := range unsafe.Slice((*float64)(v.UnsafePointer()), v.Len()) {
			e.buf = binary.LittleEndian.AppendUint64(e.buf, math.Float64bits(x))
		}
		return nil
	}
	for i := range v.Len() {
		if err := e.value(v.Index(i), depth+1); err != nil {
			return at("["+strconv.Itoa(i)+"]", err)
		}
	}
	return nil
}

func (e *encoder) entries(v reflect.Value, depth int) error {
	// Sorting keys by their encoding leads to a fixed order for any key type.
	if !plainKey(v.Type().Key()) {
		return fmt.Errorf("maps with keys of type %s cannot be saved", v.Type().Key())
	}
	type entry struct {
		code []byte
		key  reflect.Value
	}
	keys := make([]entry, 0, v.Len())
	for _, k := range v.MapKeys() {
		one := &encoder{}
		if err := one.value(k, depth+1); err != nil {
			return at("[key]", err)
		}
		keys = append(keys, entry{one.buf, k})
	}
	slices.SortFunc(keys, func(a, b entry) int {
		return cmp.Or(cmp.Compare(len(a.code), len(b.code)), bytes.Compare(a.code, b.code))
	})
	e.uint(uint64(len(keys)))
	for _, k := range keys {
		e.buf = append(e.buf, k.code...)
		if err := e.value(addressable(v.MapIndex(k.key)), depth+1); err != nil {
			return at(fmt.Sprintf("[%v]", k.key), err)
		}
	}
	return nil
}

func (e *encoder) structure(v reflect.Value, depth int) error {
	t := v.Type()
	n, ok := e.structs[t]
	if !ok {
		n = uint64(len(e.fields))
		e.structs[t] = n
		e.fields = append(e.fields, e.omit.fieldsOf(t))
	}
	e.uint(n)
	kept := e.fields[n]
	if !ok {
		e.uint(uint64(len(kept)))
		for _, i := range kept {
			e.string(t.Field(i).Name)
			e.string(t.Field(i).Type.String())
		}
	}
	for _, i := range kept {
		if err := e.value(field(v, i), depth+1); err != nil {
			return at("."+t.Field(i).Name, err)
		}
	}
	return nil
}

func (e *encoder) dynamic(v reflect.Value, depth int) error {
	if v.IsNil() {
		e.uint(isNil)
		return nil
	}
	v = v.Elem()
	name, ok := Name(v.Type())
	if !ok {
		if v.Kind() == reflect.Func {
			return fmt.Errorf("the model has a %s; functions cannot be saved", v.Type())
		}
		return fmt.Errorf("the model has a %s; only types of the library, and types passed to ml.Register, can be saved", v.Type())
	}
	e.uint(isNew)
	e.string(name)
	return e.value(addressable(v), depth+1)
}

// plainKey reports whether keys of type t are written only by their value.
func plainKey(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Pointer, reflect.Interface, reflect.Chan, reflect.Struct, reflect.UnsafePointer:
		return false
	case reflect.Array:
		return plainKey(t.Elem())
	}
	return true
}
