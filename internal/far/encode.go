package far

import (
	"bytes"
	"encoding"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"unsafe"
)

// Each encoded value begins with one of these tags, so that a receiver notices if it expects
// another kind of value.
const (
	tagNil byte = iota + 1
	tagFalse
	tagTrue
	tagInt
	tagUint
	tagFloat
	tagFloat32
	tagComplex
	tagString
	tagList   // length, values
	tagFloats // length, 8 bytes each
	tagInts   // length, varints
	tagMap
	tagStruct
	tagPointer
	tagAgain // a pointer that has already been encoded
	tagFunc  // a function of the sender
	tagBack  // a function of the receiver
	tagError
	tagInterface // description of the type, value
	tagSelf      // the value's own encoding
)

const (
	// MaxBytes is the maximum size of an encoded value.
	MaxBytes = 64 << 20
	maxDepth = 2000
)

// errLarge reports that a value is too large to be passed.
var errLarge = fmt.Errorf("it takes more than %d MB", MaxBytes>>20)

// CannotPass is the error for a value that can't be passed.
type CannotPass struct{ What, Why string }

func (e *CannotPass) Error() string {
	return "cannot be passed between the processes: " + e.What + ": " + e.Why
}

// convert maps types to functions that convert their values to simpler ones.
var convert = map[reflect.Type]func(any) any{}

// Simplify registers f for values of type T: the encoder passes f(v) instead of a value v.
func Simplify[T any](f func(T) any) {
	convert[reflect.TypeFor[T]()] = func(v any) any { return f(v.(T)) }
}

// encoder encodes one value.
type encoder struct {
	b     []byte
	seen  map[unsafe.Pointer]int
	depth int
}

// Encode encodes a value with its type. The string what names the value in an error.
func Encode(v reflect.Value, what string) ([]byte, error) {
	e := &encoder{}
	if err := e.interfaced(v); err != nil {
		t := "nil"
		if v.IsValid() {
			t = strings.ReplaceAll(v.Type().String(), "main.", "")
		}
		return nil, &CannotPass{what + " (" + t + ")", err.Error()}
	}
	return e.b, nil
}

// interfaced encodes a value whose type the receiver does not know.
func (e *encoder) interfaced(v reflect.Value) error {
	for v.IsValid() && v.Kind() == reflect.Interface && v.Type() != errorType {
		v = v.Elem()
	}
	if v.IsValid() && v.CanInterface() {
		if f := convert[v.Type()]; f != nil && !(v.Kind() == reflect.Pointer && v.IsNil()) {
			v = reflect.ValueOf(f(v.Interface()))
		}
	}
	if !v.IsValid() {
		e.b = append(e.b, tagNil)
		return nil
	}
	if _, ok := v.Interface().(error); ok && v.Type() != errorType && v.Type().PkgPath() != cellPackage && !isModule(v.Type()) {
		v = v.Convert(errorType)
	}
	e.b = append(e.b, tagInterface)
	e.text(Describe(v.Type()))
	// The copy is addressable, so that value can read all its fields.
	p := reflect.New(v.Type())
	p.Elem().Set(v)
	return e.value(p.Elem())
}

func (e *encoder) number(n uint64) { e.b = binary.AppendUvarint(e.b, n) }

func (e *encoder) text(s string) {
	e.number(uint64(len(s)))
	e.b = append(e.b, s...)
}

// value encodes v, which must be addressable, so that its unexported fields can be read.
func (e *encoder) value(v reflect.Value) error {
	if e.depth++; e.depth > maxDepth {
		return errors.New("it is nested too deep")
	}
	defer func() { e.depth-- }()
	if len(e.b) > MaxBytes {
		return errLarge
	}
	switch v.Kind() {
	case reflect.Bool:
		if v.Bool() {
			e.b = append(e.b, tagTrue)
		} else {
			e.b = append(e.b, tagFalse)
		}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		e.b = append(e.b, tagInt)
		e.b = binary.AppendVarint(e.b, v.Int())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		e.b = append(e.b, tagUint)
		e.number(v.Uint())
	case reflect.Float64:
		e.b = append(e.b, tagFloat)
		e.b = binary.LittleEndian.AppendUint64(e.b, math.Float64bits(v.Float()))
	case reflect.Float32:
		e.b = append(e.b, tagFloat32)
		e.b = binary.LittleEndian.AppendUint64(e.b, math.Float64bits(v.Float()))
	case reflect.Complex64, reflect.Complex128:
		e.b = append(e.b, tagComplex)
		c := v.Complex()
		e.b = binary.LittleEndian.AppendUint64(e.b, math.Float64bits(real(c)))
		e.b = binary.LittleEndian.AppendUint64(e.b, math.Float64bits(imag(c)))
	case reflect.String:
		e.b = append(e.b, tagString)
		e.text(v.String())
	case reflect.Slice:
		if v.IsNil() {
			e.b = append(e.b, tagNil)
			return nil
		}
		return e.list(v)
	case reflect.Array:
		return e.list(v)
	case reflect.Map:
		return e.mapping(v)
	case reflect.Struct:
		return e.structure(v)
	case reflect.Pointer:
		return e.pointer(v)
	case reflect.Func:
		return e.function(v)
	case reflect.Interface:
		if v.IsNil() {
			e.b = append(e.b, tagNil)
			return nil
		}
		if v.Type() == errorType {
			return e.failure(v.Interface().(error))
		}
		return e.interfaced(v)
	default:
		if v.IsZero() {
			e.b = append(e.b, tagNil)
			return nil
		}
		return fmt.Errorf("a %s belongs to one process", v.Type())
	}
	return nil
}

func (e *encoder) list(v reflect.Value) error {
	n := v.Len()
	switch v.Type().Elem().Kind() {
	case reflect.Float64:
		e.b = append(e.b, tagFloats)
		e.number(uint64(n))
		if n > (MaxBytes-len(e.b))/8 {
			return errLarge
		}
		for i := range n {
			e.b = binary.LittleEndian.AppendUint64(e.b, math.Float64bits(v.Index(i).Float()))
		}
		return nil
	case reflect.Int:
		e.b = append(e.b, tagInts)
		e.number(uint64(n))
		if n > MaxBytes-len(e.b) {
			return errLarge
		}
		for i := range n {
			e.b = binary.AppendVarint(e.b, v.Index(i).Int())
		}
		return nil
	}
	e.b = append(e.b, tagList)
	e.number(uint64(n))
	if n > MaxBytes-len(e.b) {
		return errLarge
	}
	for i := range n {
		if err := e.value(v.Index(i)); err != nil {
			return err
		}
	}
	return nil
}

// mapping encodes a map in an order that depends only on its keys.
func (e *encoder) mapping(v reflect.Value) error {
	if v.IsNil() {
		e.b = append(e.b, tagNil)
		return nil
	}
	if again := e.met(v.UnsafePointer()); again {
		return nil
	}
	e.b = append(e.b, tagMap)
	e.number(uint64(v.Len()))
	type entry struct {
		key   []byte
		value reflect.Value
	}
	var all []entry
	own := func(v reflect.Value) reflect.Value {
		p := reflect.New(v.Type())
		p.Elem().Set(v)
		return p.Elem()
	}
	for it := v.MapRange(); it.Next(); {
		k := &encoder{depth: e.depth}
		if err := k.value(own(it.Key())); err != nil {
			return err
		}
		all = append(all, entry{k.b, own(it.Value())})
	}
	slices.SortFunc(all, func(a, b entry) int { return bytes.Compare(a.key, b.key) })
	for _, en := range all {
		e.b = append(e.b, en.key...)
		if err := e.value(en.value); err != nil {
			return err
		}
	}
	return nil
}

// met reports whether the target of a pointer is already encoded, and if so encodes a reference to
// it.
func (e *encoder) met(p unsafe.Pointer) bool {
	if n, ok := e.seen[p]; ok {
		e.b = append(e.b, tagAgain)
		e.number(uint64(n))
		return true
	}
	if e.seen == nil {
		e.seen = map[unsafe.Pointer]int{}
	}
	e.seen[p] = len(e.seen)
	return false
}

func (e *encoder) pointer(v reflect.Value) error {
	if v.IsNil() {
		e.b = append(e.b, tagNil)
		return nil
	}
	if again := e.met(v.UnsafePointer()); again {
		return nil
	}
	e.b = append(e.b, tagPointer)
	return e.value(v.Elem())
}

// modulePath is the path prefix of this module's packages.
const modulePath = "github.com/gokernel/gokernel/"

func isModule(t reflect.Type) bool { return strings.HasPrefix(t.PkgPath(), modulePath) }

// selfEncoding reports whether values of a struct type encode themselves. The type must be a
// compiled type of another module with the methods MarshalBinary and UnmarshalBinary. The receiver
// calls UnmarshalBinary, which checks the data.
func selfEncoding(t reflect.Type) bool {
	if t.PkgPath() == "" || t.PkgPath() == cellPackage || isModule(t) {
		return false
	}
	p := reflect.PointerTo(t)
	return p.Implements(binaryMarshaler) && p.Implements(binaryUnmarshaler)
}

var (
	binaryMarshaler   = reflect.TypeFor[encoding.BinaryMarshaler]()
	binaryUnmarshaler = reflect.TypeFor[encoding.BinaryUnmarshaler]()
)

// plain reports whether a struct type can be passed field by field. This is the case for types of
// cells and of this module, and for other types that have only exported fields.
func plain(t reflect.Type) bool {
	if t.PkgPath() == "" || t.PkgPath() == cellPackage || isModule(t) {
		return true
	}
	for i := range t.NumField() {
		if !t.Field(i).IsExported() {
			return false
		}
	}
	return true
}

func (e *encoder) structure(v reflect.Value) error {
	t := v.Type()
	if selfEncoding(t) {
		b, err := v.Addr().Interface().(encoding.BinaryMarshaler).MarshalBinary()
		if err != nil {
			return err
		}
		e.b = append(e.b, tagSelf)
		e.text(string(b))
		return nil
	}
	if !plain(t) {
		if v.IsZero() {
			e.b = append(e.b, tagNil)
			return nil
		}
		return fmt.Errorf("a %s has unexported fields", t)
	}
	e.b = append(e.b, tagStruct)
	e.number(uint64(t.NumField()))
	for i := range t.NumField() {
		f := t.Field(i)
		e.text(f.Name)
		if err := e.value(open(v.Field(i))); err != nil {
			return fmt.Errorf("field %s: %w", f.Name, err)
		}
	}
	return nil
}

// open returns a field that can be read and set, exported or not.
func open(v reflect.Value) reflect.Value {
	if v.CanInterface() || !v.CanAddr() {
		return v
	}
	return reflect.NewAt(v.Type(), v.Addr().UnsafePointer()).Elem()
}

func (e *encoder) function(v reflect.Value) error {
	if v.IsNil() {
		e.b = append(e.b, tagNil)
		return nil
	}
	id := identity(v)
	if h, ok := standInFor(id); ok {
		e.b = append(e.b, tagBack)
		e.number(h)
		return nil
	}
	e.b = append(e.b, tagFunc)
	e.number(handle(v, id))
	return nil
}

func (e *encoder) failure(err error) error {
	e.b = append(e.b, tagError)
	e.text(clip(err.Error()))
	for i, s := range sentinels {
		if errors.Is(err, s) {
			e.number(uint64(i + 1))
			return nil
		}
	}
	e.number(0)
	return nil
}

// maxText is the maximum length of the texts of errors and panics.
const maxText = 2000

func clip(s string) string {
	if len(s) > maxText {
		return s[:maxText] + "…"
	}
	return s
}
