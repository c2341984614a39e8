package rtype

import (
	"reflect"
	"unsafe"
)

// Type is the runtime's descriptor of a Go type, with the layout of internal/abi.Type. The first
// word of an empty interface's value points to a Type, and a reflect.Type holds the same pointer.
type Type struct {
	size, ptrBytes    uintptr
	hash              uint32
	tflag             tflag
	align, fieldAlign uint8
	kind              uint8
	equal             func(unsafe.Pointer, unsafe.Pointer) bool
	gcData            *byte
	str               nameOff
	ptrToThis         typeOff
}

type (
	tflag   uint8
	nameOff int32
	typeOff int32
	textOff int32
)

const (
	tflagUncommon      tflag = 1 << 0
	tflagExtraStar     tflag = 1 << 1
	tflagNamed         tflag = 1 << 2
	tflagRegularMemory tflag = 1 << 3
	tflagDirectIface   tflag = 1 << 5
)

// uncommon follows the descriptor of a type that has a name or methods.
type uncommon struct {
	pkgPath nameOff
	mcount  uint16
	xcount  uint16
	moff    uint32 // distance from the uncommon to the first method
	_       uint32
}

// method is an entry of a method table. ifn takes the data word of an interface as its receiver;
// tfn takes the receiver as Go passes it.
type method struct {
	name nameOff
	mtyp typeOff
	ifn  textOff
	tfn  textOff
}

type imethod struct {
	name nameOff
	typ  typeOff
}

type arrayType struct {
	Type
	elem *Type
	_    *Type // a slice of elem
	len  uintptr
}

type chanType struct {
	Type
	elem *Type
	dir  int
}

type funcType struct {
	Type
	inCount  uint16
	outCount uint16 // the top bit says variadic
}

type interfaceType struct {
	Type
	pkgPath *byte
	methods []imethod
}

type mapType struct {
	Type
	key, elem, group *Type
	hasher           func(unsafe.Pointer, uintptr) uintptr
	groupSize        uintptr
	mapGroups        // the layout of a group, by the version of Go
	flags            uint32
}

type ptrType struct {
	Type
	elem *Type
}

type sliceType struct {
	Type
	elem *Type
}

type structField struct {
	name   *byte
	typ    *Type
	offset uintptr
}

type structType struct {
	Type
	pkgPath *byte
	fields  []structField
}

// Itab is the runtime's table for an interface type and a dynamic type. The first word of a
// non-empty interface's value points to an Itab.
type Itab struct {
	inter *Type
	typ   *Type
	hash  uint32
	fun   [1]uintptr // as many as the interface has methods
}

// ItabType is the offset of the dynamic type in an Itab.
const ItabType = unsafe.Offsetof(Itab{}.typ)

// Interface returns the interface type.
func (t *Itab) Interface() *Type { return t.inter }

// Type returns the dynamic type.
func (t *Itab) Type() *Type { return t.typ }

// words is an interface value as two words.
type words struct {
	typ  unsafe.Pointer // *Type, or *Itab for interfaces with methods
	data unsafe.Pointer
}

// rtypeItab is the *reflect.rtype table of a reflect.Type value.
var rtypeItab = func() unsafe.Pointer {
	t := reflect.TypeFor[int]()
	return (*words)(unsafe.Pointer(&t)).typ
}()

// TypeOf returns the descriptor behind a reflect.Type.
func TypeOf(t reflect.Type) *Type {
	return (*Type)((*words)(unsafe.Pointer(&t)).data)
}

// Reflect returns the reflect.Type of the descriptor.
func (t *Type) Reflect() (r reflect.Type) {
	w := (*words)(unsafe.Pointer(&r))
	w.typ, w.data = rtypeItab, unsafe.Pointer(t)
	return r
}

// Size returns the size of a value in bytes.
func (t *Type) Size() uintptr { return t.size }

// Align returns the alignment of a variable in bytes.
func (t *Type) Align() uintptr { return uintptr(t.align) }

// PtrBytes returns the length of the prefix of a value that can hold pointers, or 0 if there are
// none.
func (t *Type) PtrBytes() uintptr { return t.ptrBytes }

// Kind returns the kind as package reflect numbers it.
func (t *Type) Kind() reflect.Kind { return reflect.Kind(t.kind) }

// Direct reports whether the data word of an interface holds the value itself instead of a pointer
// to it.
func (t *Type) Direct() bool { return t.tflag&tflagDirectIface != 0 }

// Equal returns the function that compares two values, or nil if they cannot be compared.
func (t *Type) Equal() func(p, q unsafe.Pointer) bool { return t.equal }

// String returns the type in the notation of package reflect.
func (t *Type) String() string { return t.Reflect().String() }

// as returns t as a descriptor of type D.
func as[D any](t *Type) *D { return (*D)(unsafe.Pointer(t)) }

// uncommonOf returns the uncommon part of a descriptor that has one.
func uncommonOf(t *Type) *uncommon {
	return (*uncommon)(unsafe.Add(unsafe.Pointer(t), descriptorOf(t.Kind()).Size()))
}
