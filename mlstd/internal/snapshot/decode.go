package snapshot

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
)

// Decode returns a value of type t, which is a pointer type, from data that [Encode] wrote for such
// a value. The error reports the place in the value and the byte at which data and type differ.
// Decode does not panic for any data, and its memory use is at most a small multiple of the length
// of the data.
func Decode(data []byte, t reflect.Type, omit Omit) (any, error) {
	d := &decoder{data: data, omit: omit, structs: map[reflect.Type]int{}}
	v := reflect.New(t).Elem()
	err := d.value(v, 0)
	switch {
	case err == nil && v.IsNil():
		err = errors.New("the data must not be empty")
	case err == nil && d.pos < len(data):
		err = fmt.Errorf("%d bytes of trailing data", len(data)-d.pos)
	}
	if err != nil {
		return nil, at(strings.TrimPrefix(t.String(), "*"), fmt.Errorf("at byte %d: %w", d.pos, err))
	}
	return v.Interface(), nil
}

type decoder struct {
	data    []byte
	pos     int
	omit    Omit
	seen    []reflect.Value
	structs map[reflect.Type]int
	fields  [][]int
}

var errEnd = errors.New("the data end within a value")

func (d *decoder) uint() (uint64, error) {
	n, size := binary.Uvarint(d.data[d.pos:])
	if size <= 0 {
		return 0, errEnd
	}
	d.pos += size
	return n, nil
}

// length reads a number of elements that take at least one byte each.
func (d *decoder) length() (int, error) {
	n, err := d.uint()
	if err != nil {
		return 0, err
	}
	if left := len(d.data) - d.pos; n > uint64(left) {
		return 0, fmt.Errorf("the length %d exceeds the %d bytes that are left", n, left)
	}
	return int(n), nil
}

func (d *decoder) string() (string, error) {
	n, err := d.length()
	if err != nil {
		return "", err
	}
	d.pos += n
	return string(d.data[d.pos-n : d.pos]), nil
}

func (d *decoder) take(n int) ([]byte, error) {
	if len(d.data)-d.pos < n {
		return nil, errEnd
	}
	d.pos += n
	return d.data[d.pos-n : d.pos], nil
}

// mark reads whether a value is nil, new or a reference to an earlier one, and sets v if there is
// nothing more to read.
func (d *decoder) mark(v reflect.Value) (isOld bool, err error) {
	m, err := d.uint()
	if err != nil {
		return false, err
	}
	switch m {
	case isNil:
		return true, nil
	case isNew:
		return false, nil
	case isSeen:
		n, err := d.uint()
		if err != nil {
			return false, err
		}
		if n >= uint64(len(d.seen)) {
			return false, fmt.Errorf("expected a reference to one of %[2]d values, got value %[1]d", n, len(d.seen))
		}
		old := d.seen[n]
		if old.Type() != v.Type() {
			return false, fmt.Errorf("expected a reference to a %[2]s, got a reference to a %[1]s", old.Type(), v.Type())
		}
		v.Set(old)
		return true, nil
	}
	return false, fmt.Errorf("unknown tag %d", m)
}

func (d *decoder) value(v reflect.Value, depth int) error {
	if depth > maxDepth {
		return errors.New("values are nested too deeply")
	}
	switch v.Kind() {
	case reflect.Bool:
		b, err := d.take(1)
		if err != nil {
			return err
		}
		if b[0] > 1 {
			return fmt.Errorf("%d is not a boolean", b[0])
		}
		v.SetBool(b[0] == 1)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		n, size := binary.Varint(d.data[d.pos:])
		if size <= 0 {
			return errEnd
		}
		d.pos += size
		if v.OverflowInt(n) {
			return fmt.Errorf("%d is too large for %s", n, v.Type())
		}
		v.SetInt(n)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		n, err := d.uint()
		if err != nil {
			return err
		}
		if v.OverflowUint(n) {
			return fmt.Errorf("%d is too large for %s", n, v.Type())
		}
		v.SetUint(n)
	case reflect.Float64:
		b, err := d.take(8)
		if err != nil {
			return err
		}
		v.SetFloat(math.Float64frombits(binary.LittleEndian.Uint64(b)))
	case reflect.Float32:
		b, err := d.take(4)
		if err != nil {
			return err
		}
		v.SetFloat(float64(math.Float32frombits(binary.LittleEndian.Uint32(b))))
	case reflect.String:
		s, err := d.string()
		if err != nil {
			return err
		}
		v.SetString(s)
	case reflect.Array:
		for i := range v.Len() {
			if err := d.value(v.Index(i), depth+1); err != nil {
				return at("["+strconv.Itoa(i)+"]", err)
			}
		}
	case reflect.Struct:
		return d.structure(v, depth)
	case reflect.Interface:
		return d.dynamic(v, depth)
	case reflect.Pointer:
		if old, err := d.mark(v); old || err != nil {
			return err
		}
		v.Set(reflect.New(v.Type().Elem()))
		d.note(v)
		return d.value(v.Elem(), depth+1)
	case reflect.Slice:
		if old, err := d.mark(v); old || err != nil {
			return err
		}
		if err := d.elements(v, depth); err != nil {
			return err
		}
		d.note(v)
	case reflect.Map:
		if old, err := d.mark(v); old || err != nil {
			return err
		}
		if err := d.entries(v, depth); err != nil {
			return err
		}
		d.note(v)
	case reflect.Func:
		m, err := d.uint()
		if err != nil {
			return err
		}
		if m != isNil {
			return errors.New("functions cannot be loaded")
		}
	default:
		return fmt.Errorf("values of type %s cannot be loaded", v.Type())
	}
	return nil
}

// note remembers a copy of v, because v itself is a variable, which can change.
func (d *decoder) note(v reflect.Value) {
	c := reflect.New(v.Type()).Elem()
	c.Set(v)
	d.seen = append(d.seen, c)
}

func (d *decoder) elements(v reflect.Value, depth int) error {
	n, err := d.length()
	if err != nil {
		return err
	}
	if v.Type().Elem() == reflect.TypeFor[float64]() {
		b, err := d.take(8 * n)
		if err != nil {
			return err
		}
		s := make([]float64, n)
		for i := range s {
			s[i] = math.Float64frombits(binary.LittleEndian.Uint64(b[8*i:]))
		}
		v.Set(reflect.ValueOf(s).Convert(v.Type()))
		return nil
	}
	// Memory grows with the elements that are read, since the stated length may be wrong.
	v.Set(reflect.MakeSlice(v.Type(), 0, min(n, 64)))
	for i := range n {
		if i == v.Cap() {
			v.Grow(min(n-i, i))
		}
		v.SetLen(i + 1)
		if err := d.value(v.Index(i), depth+1); err != nil {
			return at("["+strconv.Itoa(i)+"]", err)
		}
	}
	return nil
}

func (d *decoder) entries(v reflect.Value, depth int) error {
	n, err := d.length()
	if err != nil {
		return err
	}
	t := v.Type()
	v.Set(reflect.MakeMap(t))
	for range n {
		key, val := reflect.New(t.Key()).Elem(), reflect.New(t.Elem()).Elem()
		if !plainKey(t.Key()) {
			return fmt.Errorf("maps with keys of type %s cannot be loaded", t.Key())
		}
		if err := d.value(key, depth+1); err != nil {
			return at("[key]", err)
		}
		if err := d.value(val, depth+1); err != nil {
			return at(fmt.Sprintf("[%v]", key), err)
		}
		v.SetMapIndex(key, val)
	}
	return nil
}

func (d *decoder) structure(v reflect.Value, depth int) error {
	t := v.Type()
	n, err := d.uint()
	if err != nil {
		return err
	}
	want, met := d.structs[t]
	if !met {
		want = len(d.fields)
	}
	if n != uint64(want) {
		return fmt.Errorf("expected a %s, type %d, got type %d", t, want, n)
	}
	if !met {
		kept, err := d.sameFields(t, d.omit.fieldsOf(t))
		if err != nil {
			return err
		}
		d.structs[t] = want
		d.fields = append(d.fields, kept)
	}
	for _, i := range d.fields[want] {
		if err := d.value(field(v, i), depth+1); err != nil {
			return at("."+t.Field(i).Name, err)
		}
	}
	return nil
}

// sameFields reads the description of a type and compares it to t. It returns the fields that are
// in the data: all kept fields, except for fields that were added to the type later and are tagged
// as such.
func (d *decoder) sameFields(t reflect.Type, kept []int) (had []int, err error) {
	n, err := d.length()
	if err != nil {
		return nil, err
	}
	for range n {
		name, err := d.string()
		if err != nil {
			return nil, err
		}
		typ, err := d.string()
		if err != nil {
			return nil, err
		}
		for len(kept) > 0 && added(t, kept[0]) && t.Field(kept[0]).Name != name {
			kept = kept[1:]
		}
		if len(kept) == 0 {
			return nil, fmt.Errorf("the data have the field %s.%s, which the type lacks in this program", t, name)
		}
		if f := t.Field(kept[0]); f.Name != name || f.Type.String() != typ {
			return nil, fmt.Errorf("the data have the field %s.%s of type %s where this program has %s of type %s",
				t, name, typ, f.Name, f.Type)
		}
		had, kept = append(had, kept[0]), kept[1:]
	}
	for _, i := range kept {
		if !added(t, i) {
			return nil, fmt.Errorf("the data lack the field %s.%s, which the type has in this program", t, t.Field(i).Name)
		}
	}
	return had, nil
}

// added reports whether data can lack a field, because the field was added to its type after data
// had been written, and its zero value has the meaning of that data. If the type of the field has a
// field _ with the tag, this applies to all fields of that type.
func added(t reflect.Type, i int) bool {
	f := t.Field(i)
	if f.Type.Kind() == reflect.Struct {
		if mark, ok := f.Type.FieldByName("_"); ok && mark.Tag.Get("snapshot") == "added" {
			return true
		}
	}
	return f.Tag.Get("snapshot") == "added"
}

func (d *decoder) dynamic(v reflect.Value, depth int) error {
	m, err := d.uint()
	if err != nil || m == isNil {
		return err
	}
	if m != isNew {
		return fmt.Errorf("unknown tag %d", m)
	}
	name, err := d.string()
	if err != nil {
		return err
	}
	t := Type(name)
	if t == nil {
		return fmt.Errorf("the type %q is neither in this library nor passed to ml.Register", strings.TrimPrefix(name, Own))
	}
	if !t.AssignableTo(v.Type()) {
		return fmt.Errorf("a %s is not a %s", t, v.Type())
	}
	p := reflect.New(t).Elem()
	if err := d.value(p, depth+1); err != nil {
		return err
	}
	v.Set(p)
	return nil
}
