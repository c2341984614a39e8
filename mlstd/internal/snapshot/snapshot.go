// Package snapshot encodes the whole state of a value as bytes and decodes them to an equal value.
// Package persist uses it to save fitted models.
//
// An estimator keeps part of its fitted state in unexported fields: classes, columns, flat trees,
// kept rows. Package snapshot reads and writes these fields by reflection. Otherwise, a hundred
// types would need two methods each, and somebody would forget to update the methods when the
// fields change. It is the only package of the library that uses unsafe, because reflection can
// read an unexported field but can set it only through its address.
//
// Pointers to the same variable in the value point to the same variable in the copy. Slices that
// overlap without being equal become separate slices.
//
// # Format
//
// Unsigned numbers (lengths, references) are varints as in encoding/binary, and signed numbers are
// its zigzag varints. Floats are 8 (float32: 4) bytes of their IEEE form, little-endian, so that
// every bit is preserved. A string is its length followed by its bytes.
//
//	pointer    0 nil | 1 new, then what it points to | 2 the number of one met before
//	slice, map 0 nil | 1 new, then the length and the elements | 2 the number of one met before
//	interface  0 nil | 1, then the name of the dynamic type and its value
//	struct     the number of its type, then its fields in order
//	function   0; only nil is written
//
// A map's elements are pairs of key and value, in the order of the keys. Pointers are numbered when
// they are first encountered, and slices and maps when they end; all three share one sequence that
// starts at 0. Struct types are numbered from 0 in the order in which they are first encountered.
// At the first occurrence, the number is followed by the number of fields and the name and type of
// each field. If a program's type has different fields, Decode therefore returns an error instead
// of a wrong value. If a field is added to a type later, and its zero value is correct for older
// data, the field is tagged `snapshot:"added"`; older data without the field can still be decoded.
// A type that is embedded in many types later has a field _ with this tag instead.
package snapshot

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"sync"
	"unsafe"
)

// maxDepth is the maximum nesting of values. Without it, a cycle of slices or a forged file could
// exhaust the stack, which is a fatal error.
const maxDepth = 100_000

const (
	isNil = iota
	isNew
	isSeen
)

var (
	names  sync.RWMutex
	byName = map[string]reflect.Type{}
	known  = map[reflect.Type]string{}
)

// Register registers the types of the values as dynamic types of interfaces. Call it only while
// packages are initialized. It panics if two types have the same name.
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

// Own begins the names of the types that users register. It keeps these names apart from the names
// of the library's types.
const Own = "own "

// RegisterOwn registers a type of a user under [Own] and the name, and replaces the type that had
// the name. It can be called at any time.
func RegisterOwn(name string, t reflect.Type) {
	names.Lock()
	defer names.Unlock()
	byName[Own+name], known[t] = t, Own+name
}

func init() {
	Register(false, 0, int64(0), uint64(0), 0.0, "", []float64(nil), []int(nil), []string(nil))
}

// Known returns the names of the registered types in ascending order.
func Known() []string {
	names.RLock()
	defer names.RUnlock()
	return slices.Sorted(maps.Keys(byName))
}

// Type returns the registered type with the given name, or nil if there is none.
func Type(name string) reflect.Type {
	names.RLock()
	defer names.RUnlock()
	return byName[name]
}

// Name returns the name under which a type is registered.
func Name(t reflect.Type) (string, bool) {
	names.RLock()
	defer names.RUnlock()
	name, ok := known[t]
	return name, ok
}

// Omit reports whether a struct field is left out. Such a field is neither written nor read, and is
// zero in the copy.
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

// field returns field i of the addressable struct v, which can be set even if it is unexported.
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

// pathError is an error with its path inside a value.
type pathError struct {
	path string
	err  error
}

func (e *pathError) Error() string { return e.path + ": " + e.err.Error() }
func (e *pathError) Unwrap() error { return e.err }

// maxPath is the maximum length of paths: paths inside long chains would fill pages.
const maxPath = 200

// at adds a step at the start of the path of err.
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
