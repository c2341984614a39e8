// Package snapshot writes the whole state of a value as bytes and makes an equal
// value of them. It is what saving a fitted model rests on.
//
// An estimator keeps part of what Fit found in unexported fields: classes,
// columns, flat trees, kept rows. Package snapshot reads and writes those by
// reflection, here in one place, rather than by two methods in each of a hundred
// types that somebody would forget to change with the fields. For the same
// reason it is the only package of the library that uses unsafe: reflection
// shows an unexported field but sets it only through its address.
//
// Pointers to the same thing in the value point to the same thing in the copy.
// Slices that overlap without being equal become separate ones.
//
// # Format
//
// Unsigned numbers (lengths, references) are varints as of encoding/binary, signed
// ones its zigzag varints. Floats are 8 (float32: 4) bytes of their IEEE form,
// little-endian, so that every bit comes back. A string is its length and its
// bytes.
//
//	pointer    0 nil | 1 new, then what it points to | 2 the number of one met before
//	slice, map 0 nil | 1 new, then the length and the elements | 2 the number of one met before
//	interface  0 nil | 1, then the name of the dynamic type and its value
//	struct     the number of its type, then its fields in order
//	function   0; only nil is written
//
// A map's elements are key and value, in the order of the keys. Pointers count from
// where they are met, slices and maps from where they end; all three share one
// count from 0. Types of structs count from 0 as they are first met. There, their
// number is followed by the number of fields and the name and type of each, so that
// a reader with different fields reports it instead of misreading. A field that a
// type gets later, and whose zero value means what the data written before mean, is
// tagged `snapshot:"added"`; data may lack it. A type that is added to many others
// has a field _ with this tag instead.
package snapshot

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"unsafe"
)

// maxDepth bounds the nesting of values, so that neither a ring of slices nor a
// forged file can exhaust the stack, which no program survives.
const maxDepth = 100_000

const (
	isNil = iota
	isNew
	isSeen
)

var (
	byName = map[string]reflect.Type{}
	known  = map[reflect.Type]string{}
)

// Register makes the types of the values known as dynamic types of interfaces.
// It is called while packages are initialized and panics when two types have
// one name.
func Register(values ...any) {
	for _, v := range values {
		t := reflect.TypeOf(v)
		name := t.String()
		if other, ok := byName[name]; ok && other != t {
			panic(fmt.Sprintf("snapshot: two types are called %s", name))
		}
		byName[name], known[t] = t, name
	}
}

func init() {
	Register(false, 0, int64(0), uint64(0), 0.0, "", []float64(nil), []int(nil), []string(nil))
}

// Known returns the names of the registered types in ascending order.
func Known() []string { return slices.Sorted(maps.Keys(byName)) }

// Type returns the registered type of that name, nil if there is none.
func Type(name string) reflect.Type { return byName[name] }

// Name returns the name under which a type is registered.
func Name(t reflect.Type) (string, bool) {
	name, ok := known[t]
	return name, ok
}

// Omit tells which fields of structs are left out: they are neither written nor
// read, and are zero in the copy.
type Omit func(owner reflect.Type, f reflect.StructField) bool

// fieldsOf lists the fields of t that are kept.
func (o Omit) fieldsOf(t reflect.Type) []int {
	var kept []int
	for i := range t.NumField() {
		if f := t.Field(i); f.Name != "_" && !o(t, f) {
			kept = append(kept, i)
		}
	}
	return kept
}

// field returns field i of the addressable struct v, free of the rule that an
// unexported field cannot be set.
func field(v reflect.Value, i int) reflect.Value {
	f := v.Field(i)
	return reflect.NewAt(f.Type(), unsafe.Pointer(f.UnsafeAddr())).Elem()
}

// addressable returns v, or a copy of it that has an address.
func addressable(v reflect.Value) reflect.Value {
	if v.CanAddr() {
		return v
	}
	p := reflect.New(v.Type()).Elem()
	p.Set(v)
	return p
}

// pathError is an error at a place inside a value.
type pathError struct {
	path string
	err  error
}

func (e *pathError) Error() string { return e.path + ": " + e.err.Error() }
func (e *pathError) Unwrap() error { return e.err }

// maxPath is where the names of places are cut off: those inside long chains
// would fill pages.
const maxPath = 200

// at puts a step in front of the place that err names.
func at(step string, err error) error {
	if e, ok := err.(*pathError); ok {
		path := step + e.path
		if len(path) > maxPath {
			path = path[:maxPath] + "…"
		}
		return &pathError{path, e.err}
	}
	return &pathError{step, err}
}
