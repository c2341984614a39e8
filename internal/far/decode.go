package far

import (
	"encoding"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"reflect"
	"strings"
)

// sentinels are the errors that errors.Is still finds after decoding.
var sentinels = []error{io.EOF, io.ErrUnexpectedEOF, fs.ErrNotExist, fs.ErrExist, fs.ErrPermission, errors.ErrUnsupported}

// errMalformed is the error for bytes that no encoder wrote.
var errMalformed = errors.New("cannot decode the data from the other process")

// mismatch is the error for a value that does not have the type that the receiver wants.
type mismatch struct{ have, want string }

func (m *mismatch) Error() string { return "a value of " + m.have + " does not fit " + m.want }

// remote is an error from the other process.
type remote struct {
	text string
	is   error
}

func (r *remote) Error() string { return r.text }
func (r *remote) Unwrap() error { return r.is }

// decoder decodes one value.
type decoder struct {
	b     []byte
	seen  []reflect.Value // pointers and maps, in the order of the encoder
	depth int
	taken int // bytes allocated for slices
}

// Decode decodes a value into one of type t. If t is nil, it uses the type that the sender
// describes.
func Decode(b []byte, t reflect.Type) (v reflect.Value, err error) {
	defer func() {
		if r := recover(); r != nil { // for example, a map key can't be compared
			v, err = reflect.Value{}, errMalformed
		}
	}()
	d := &decoder{b: b}
	described, err := d.head()
	if err != nil {
		return reflect.Value{}, err
	}
	if described == "" {
		if t == nil {
			return reflect.Zero(anyType), nil
		}
		if !nilable(t.Kind()) {
			return reflect.Value{}, &mismatch{"nil", typeText(t)}
		}
		return reflect.Zero(t), nil
	}
	if t == nil || t.Kind() == reflect.Interface && t != errorType {
		own, err := Parse(described)
		if err != nil {
			return reflect.Value{}, err
		}
		if t != nil && t != anyType && !own.Implements(t) {
			return reflect.Value{}, &mismatch{typeText(own), typeText(t)}
		}
		if t == nil {
			t = own
		}
		v = reflect.New(t).Elem()
		inner := reflect.New(own).Elem()
		if err := d.into(inner); err != nil {
			return reflect.Value{}, err
		}
		v.Set(inner)
	} else {
		v = reflect.New(t).Elem()
		if err := d.into(v); err != nil {
			return reflect.Value{}, err
		}
	}
	if len(d.b) > 0 {
		return reflect.Value{}, errMalformed
	}
	return v, nil
}

// DescribedType returns the type description of an encoded value, or "" for nil.
func DescribedType(b []byte) string {
	described, _ := (&decoder{b: b}).head()
	return described
}

// Fit decodes an argument for a parameter of type t. Unlike with Decode, a number can be converted
// to another type that can represent it, as a constant in Go can.
func Fit(b []byte, t reflect.Type) (reflect.Value, error) {
	v, err := Decode(b, t)
	if err == nil || !isNumber(t.Kind()) {
		return v, err
	}
	own, ownErr := Decode(b, nil)
	if ownErr != nil || !isNumber(own.Kind()) || own.CanFloat() && !reflect.Zero(t).CanFloat() {
		return v, err
	}
	w := own.Convert(t)
	if !w.Convert(own.Type()).Equal(own) {
		return v, err
	}
	return w, nil
}

func isNumber(k reflect.Kind) bool {
	return k >= reflect.Int && k <= reflect.Float64 && k != reflect.Uintptr
}

func typeText(t reflect.Type) string { return strings.ReplaceAll(t.String(), "main.", "") }

func nilable(k reflect.Kind) bool {
	switch k {
	case reflect.Pointer, reflect.Slice, reflect.Map, reflect.Func, reflect.Interface, reflect.Chan:
		return true
	}
	return false
}

// head reads the type description of a value; "" means nil.
func (d *decoder) head() (string, error) {
	tag, err := d.tag()
	if err != nil || tag == tagNil {
		return "", err
	}
	if tag != tagInterface {
		return "", errMalformed
	}
	described, err := d.text()
	if described == "" && err == nil {
		err = errMalformed
	}
	return described, err
}

func (d *decoder) tag() (byte, error) {
	if len(d.b) == 0 {
		return 0, errMalformed
	}
	t := d.b[0]
	d.b = d.b[1:]
	return t, nil
}

func (d *decoder) number() (uint64, error) {
	n, size := binary.Uvarint(d.b)
	if size <= 0 {
		return 0, errMalformed
	}
	d.b = d.b[size:]
	return n, nil
}

func (d *decoder) signed() (int64, error) {
	n, size := binary.Varint(d.b)
	if size <= 0 {
		return 0, errMalformed
	}
	d.b = d.b[size:]
	return n, nil
}

func (d *decoder) float() (float64, error) {
	if len(d.b) < 8 {
		return 0, errMalformed
	}
	x := math.Float64frombits(binary.LittleEndian.Uint64(d.b))
	d.b = d.b[8:]
	return x, nil
}

// length reads the number of elements that follow, each of which has at least the given number of
// bytes.
func (d *decoder) length(each int) (int, error) {
	n, err := d.number()
	if err != nil || n > uint64(len(d.b)/each) {
		return 0, errMalformed
	}
	return int(n), nil
}

func (d *decoder) text() (string, error) {
	n, err := d.length(1)
	if err != nil {
		return "", err
	}
	s := string(d.b[:n])
	d.b = d.b[n:]
	return s, nil
}

// tagNames contains the receiver's descriptions of values of the wrong type.
var tagNames = map[byte]string{
	tagFalse: "type bool", tagTrue: "type bool", tagInt: "an integer type", tagUint: "an unsigned type", tagFloat: "type float64", tagFloat32: "type float32",
	tagComplex: "a complex type", tagString: "type string", tagList: "a slice type", tagFloats: "type []float64", tagInts: "type []int", tagMap: "a map type",
	tagStruct: "a struct type", tagPointer: "a pointer type", tagFunc: "a function type", tagBack: "a function type", tagError: "type error",
}

// into decodes a value into v, which must be settable.
func (d *decoder) into(v reflect.Value) error {
	if d.depth++; d.depth > maxDepth {
		return errMalformed
	}
	defer func() { d.depth-- }()
	tag, err := d.tag()
	if err != nil {
		return err
	}
	k := v.Kind()
	misfit := func() error {
		if have, ok := tagNames[tag]; ok {
			return &mismatch{have, typeText(v.Type())}
		}
		return errMalformed
	}
	switch tag {
	case tagNil:
		if !nilable(k) && k != reflect.UnsafePointer && !(k == reflect.Struct && !plain(v.Type())) {
			return &mismatch{"nil", typeText(v.Type())}
		}
		v.SetZero()
		return nil
	case tagFalse, tagTrue:
		if k != reflect.Bool {
			return misfit()
		}
		v.SetBool(tag == tagTrue)
		return nil
	case tagInt:
		n, err := d.signed()
		if err != nil {
			return err
		}
		if !v.CanInt() || v.OverflowInt(n) {
			return misfit()
		}
		v.SetInt(n)
		return nil
	case tagUint:
		n, err := d.number()
		if err != nil {
			return err
		}
		if !v.CanUint() || v.OverflowUint(n) {
			return misfit()
		}
		v.SetUint(n)
		return nil
	case tagFloat, tagFloat32:
		x, err := d.float()
		if err != nil {
			return err
		}
		if tag == tagFloat && k != reflect.Float64 || tag == tagFloat32 && k != reflect.Float32 {
			return misfit()
		}
		v.SetFloat(x)
		return nil
	case tagComplex:
		re, err := d.float()
		if err != nil {
			return err
		}
		im, err := d.float()
		if err != nil {
			return err
		}
		if !v.CanComplex() {
			return misfit()
		}
		v.SetComplex(complex(re, im))
		return nil
	case tagString:
		s, err := d.text()
		if err != nil {
			return err
		}
		if k != reflect.String {
			return misfit()
		}
		v.SetString(s)
		return nil
	case tagList, tagFloats, tagInts:
		if k != reflect.Slice && k != reflect.Array {
			return misfit()
		}
		return d.list(tag, v, misfit)
	case tagMap:
		if k != reflect.Map {
			return misfit()
		}
		return d.mapping(v)
	case tagStruct:
		if k != reflect.Struct || !plain(v.Type()) || selfEncoding(v.Type()) {
			return misfit()
		}
		return d.structure(v)
	case tagPointer:
		if k != reflect.Pointer {
			return misfit()
		}
		p := reflect.New(v.Type().Elem())
		d.seen = append(d.seen, p)
		v.Set(p.Convert(v.Type()))
		return d.into(p.Elem())
	case tagAgain:
		n, err := d.number()
		if err != nil || n >= uint64(len(d.seen)) || !d.seen[n].Type().ConvertibleTo(v.Type()) || d.seen[n].Kind() != k {
			return errMalformed
		}
		v.Set(d.seen[n].Convert(v.Type()))
		return nil
	case tagFunc, tagBack:
		h, err := d.number()
		if err != nil {
			return err
		}
		if k != reflect.Func {
			return misfit()
		}
		return setFunction(v, tag, h)
	case tagError:
		return d.failure(v, misfit)
	case tagInterface:
		if k != reflect.Interface {
			return errMalformed
		}
		return d.interfaced(v)
	case tagSelf:
		s, err := d.text()
		if err != nil {
			return err
		}
		if k != reflect.Struct || !selfEncoding(v.Type()) {
			return errMalformed
		}
		if err := v.Addr().Interface().(encoding.BinaryUnmarshaler).UnmarshalBinary([]byte(s)); err != nil {
			return errMalformed
		}
		return nil
	}
	return errMalformed
}

func (d *decoder) list(tag byte, v reflect.Value, misfit func() error) error {
	each := 1
	if tag == tagFloats {
		each = 8
	}
	n, err := d.length(each)
	if err != nil {
		return err
	}
	elem := v.Type().Elem().Kind()
	if n > 0 && (tag == tagFloats) != (elem == reflect.Float64) || n > 0 && (tag == tagInts) != (elem == reflect.Int) {
		return misfit()
	}
	if v.Kind() == reflect.Array {
		if v.Len() != n {
			return misfit()
		}
	} else {
		// A few bytes may represent large elements.
		size := max(1, int(v.Type().Elem().Size()))
		if n > MaxBytes/size {
			return errLarge
		}
		if d.taken += n * size; d.taken > 4*MaxBytes {
			return errLarge
		}
		v.Set(reflect.MakeSlice(v.Type(), n, n))
	}
	for i := range n {
		switch tag {
		case tagFloats:
			x, err := d.float()
			if err != nil {
				return err
			}
			v.Index(i).SetFloat(x)
		case tagInts:
			x, err := d.signed()
			if err != nil {
				return err
			}
			v.Index(i).SetInt(x)
		default:
			if err := d.into(v.Index(i)); err != nil {
				return err
			}
		}
	}
	return nil
}

func (d *decoder) mapping(v reflect.Value) error {
	n, err := d.length(2)
	if err != nil {
		return err
	}
	t := v.Type()
	v.Set(reflect.MakeMap(t))
	d.seen = append(d.seen, v)
	for range n {
		key, value := reflect.New(t.Key()).Elem(), reflect.New(t.Elem()).Elem()
		if err := d.into(key); err != nil {
			return err
		}
		if err := d.into(value); err != nil {
			return err
		}
		v.SetMapIndex(key, value)
	}
	return nil
}

// structure decodes a struct. Its fields must match the fields of the receiver's type.
func (d *decoder) structure(v reflect.Value) error {
	n, err := d.length(1)
	if err != nil {
		return err
	}
	t := v.Type()
	if n != t.NumField() {
		return &mismatch{fmt.Sprintf("a struct type with %d fields", n), typeText(t)}
	}
	for i := range n {
		name, err := d.text()
		if err != nil {
			return err
		}
		if name != t.Field(i).Name {
			return &mismatch{"a struct type with other fields", typeText(t)}
		}
		if err := d.into(open(v.Field(i))); err != nil {
			return err
		}
	}
	return nil
}

func (d *decoder) interfaced(v reflect.Value) error {
	described, err := d.text()
	if err != nil {
		return err
	}
	own, err := Parse(described)
	if err != nil {
		return err
	}
	if !own.AssignableTo(v.Type()) {
		return &mismatch{typeText(own), typeText(v.Type())}
	}
	inner := reflect.New(own).Elem()
	if err := d.into(inner); err != nil {
		return err
	}
	v.Set(inner)
	return nil
}

func (d *decoder) failure(v reflect.Value, misfit func() error) error {
	text, err := d.text()
	if err != nil {
		return err
	}
	n, err := d.number()
	if err != nil || n > uint64(len(sentinels)) {
		return errMalformed
	}
	if v.Type() != errorType && v.Type() != anyType {
		return misfit()
	}
	r := &remote{text: clip(text)}
	if n > 0 {
		r.is = sentinels[n-1]
	}
	v.Set(reflect.ValueOf(r))
	return nil
}
