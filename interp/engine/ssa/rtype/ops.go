package rtype

import "unsafe"

// Slice is the header of a slice value.
type Slice struct {
	Data     unsafe.Pointer
	Len, Cap int
}

// Alloc returns a zeroed variable of type t.
func Alloc(t *Type) unsafe.Pointer { return unsafeNew(t) }

// AllocArray returns n adjacent zeroed variables of type t.
func AllocArray(t *Type, n int) unsafe.Pointer { return unsafeNewArray(t, n) }

// Move copies a value of type t with write barriers. The source and the destination may overlap.
func Move(t *Type, dst, src unsafe.Pointer) { typedmemmove(t, dst, src) }

// Clear zeroes a variable of type t.
func Clear(t *Type, p unsafe.Pointer) { typedmemclr(t, p) }

// Hash returns the hash that a map computes for the value at p. It panics, as a map does, if the
// dynamic type cannot be hashed.
func Hash(t *Type, p unsafe.Pointer, seed uintptr) uintptr { return typehash(t, p, seed) }

// MakeSlice implements make([]elem, len, cap). It panics as Go does if a length is out of range.
func MakeSlice(elem *Type, len, cap int) Slice {
	return Slice{makeslice(elem, len, cap), len, cap}
}

// Grow returns a slice of length s.Len+num with the elements of s and room for num more. New
// elements without pointers are not cleared. append grows the slice in the same way if num more
// elements do not fit.
func Grow(elem *Type, s Slice, num int) Slice {
	return growslice(s.Data, s.Len+num, s.Cap, num, elem)
}

// CopySlice implements copy(dst, src) for slices of elem.
func CopySlice(elem *Type, dst, src Slice) int { return typedslicecopy(elem, dst, src) }

// MakeMap implements make(t, hint) for a map type.
func MakeMap(t *Type, hint int) unsafe.Pointer { return makemap(t, hint, nil) }

// MapGet returns a pointer to the element of *key, or to a read-only zero element if there is none.
// The map may be nil.
func MapGet(t *Type, m, key unsafe.Pointer) (elem unsafe.Pointer, ok bool) {
	return mapaccess2(t, m, key)
}

// MapSlot returns a pointer to the element of *key, and inserts a zero element if there is none. It
// panics on a nil map, as an assignment does.
func MapSlot(t *Type, m, key unsafe.Pointer) unsafe.Pointer { return mapassign(t, m, key) }

// maxFastElem is the maximum size of an element that a map keeps in its table, in bytes.
const maxFastElem = 128

// FastMap reports whether the functions below, for keys of a given kind, are valid for a map type:
// the keys are integers of 64 or 32 bits, or strings.
func FastMap(t *Type) bool { return t.Reflect().Elem().Size() <= maxFastElem }

// MapGet64, MapGet32 and MapGetString are like MapGet, for keys of one kind.
func MapGet64(t *Type, m unsafe.Pointer, key uint64) (elem unsafe.Pointer, ok bool) {
	return mapaccess2Fast64(t, m, key)
}

func MapGet32(t *Type, m unsafe.Pointer, key uint32) (elem unsafe.Pointer, ok bool) {
	return mapaccess2Fast32(t, m, key)
}

func MapGetString(t *Type, m unsafe.Pointer, key string) (elem unsafe.Pointer, ok bool) {
	return mapaccess2FastString(t, m, key)
}

// MapSlot64, MapSlot32 and MapSlotString are like MapSlot, for keys of one kind.
func MapSlot64(t *Type, m unsafe.Pointer, key uint64) unsafe.Pointer {
	return mapassignFast64(t, m, key)
}

func MapSlot32(t *Type, m unsafe.Pointer, key uint32) unsafe.Pointer {
	return mapassignFast32(t, m, key)
}

func MapSlotString(t *Type, m unsafe.Pointer, key string) unsafe.Pointer {
	return mapassignFastString(t, m, key)
}

// MapDelete implements delete(m, *key).
func MapDelete(t *Type, m, key unsafe.Pointer) { mapdelete(t, m, key) }

// MapClear implements clear(m).
func MapClear(t *Type, m unsafe.Pointer) {
	if m != nil {
		mapclear(t, m)
	}
}

// MapLen returns len(m).
func MapLen(m unsafe.Pointer) int { return maplen(m) }

// MapIter is the state of a range over a map. Its zero value is ready for
// Start. Key and Elem point into the map and are nil at the end.
type MapIter struct {
	Key, Elem unsafe.Pointer
	_         *Type          // type of the map
	_         unsafe.Pointer // the runtime's iterator
}

// Start begins a range over m, which may be nil, and takes the first step.
func (it *MapIter) Start(t *Type, m unsafe.Pointer) {
	*it = MapIter{}
	mapiterinit(t, m, it)
}

// Next takes a step. It must not be called after Key has become nil.
func (it *MapIter) Next() { mapiternext(it) }

// MakeChan implements make(t, size) for a channel type.
func MakeChan(t *Type, size int) unsafe.Pointer { return makechan(t, size) }

// Send implements c <- *elem. If block is false, Send does not wait, and reports whether it has
// sent the element.
func Send(c, elem unsafe.Pointer, block bool) bool { return chansend(c, elem, !block) }

// Recv implements *elem, ok = <-c. If block is false, Recv does not wait, and selected is false if
// nothing was available.
func Recv(c, elem unsafe.Pointer, block bool) (selected, ok bool) {
	return chanrecv(c, !block, elem)
}

// ChanLen returns len(c).
func ChanLen(c unsafe.Pointer) int { return chanlen(c) }

// ChanCap returns cap(c).
func ChanCap(c unsafe.Pointer) int { return chancap(c) }

// Close implements close(c).
func Close(c unsafe.Pointer) { chanclose(c) }

// ItabFor returns the table for a dynamic type in an interface type that has methods, or nil if the
// type does not implement it.
func ItabFor(inter, typ *Type) *Itab { return getitab(inter, typ, true) }

// Assert returns the table for a dynamic type in an interface type that has methods. It panics with
// the runtime's *TypeAssertionError if the type does not implement it.
func Assert(inter, typ *Type) *Itab { return getitab(inter, typ, false) }

// Interface returns a copy of the value at p of type t as an any.
func Interface(t *Type, p unsafe.Pointer) (v any) {
	w := (*words)(unsafe.Pointer(&v))
	if t.Direct() {
		w.data = *(*unsafe.Pointer)(p)
	} else {
		c := unsafeNew(t)
		typedmemmove(t, c, p)
		w.data = c
	}
	w.typ = unsafe.Pointer(t)
	return v
}
