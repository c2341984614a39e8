package rtype

import "unsafe"

// Slice is the header of a slice value.
type Slice struct {
	Data     unsafe.Pointer
	Len, Cap int
}

// Alloc returns a zeroed variable of type t.
func Alloc(t *Type) unsafe.Pointer { return unsafeNew(t) }

// AllocArray returns n zeroed variables of type t in a row.
func AllocArray(t *Type, n int) unsafe.Pointer { return unsafeNewArray(t, n) }

// Move copies a value of type t, with the write barriers that it needs. The
// two may overlap.
func Move(t *Type, dst, src unsafe.Pointer) { typedmemmove(t, dst, src) }

// Clear zeroes a variable of type t.
func Clear(t *Type, p unsafe.Pointer) { typedmemclr(t, p) }

// Hash returns the hash of the value at p as a map would compute it, and panics
// as a map does when its dynamic type cannot be hashed.
func Hash(t *Type, p unsafe.Pointer, seed uintptr) uintptr { return typehash(t, p, seed) }

// MakeSlice is make([]elem, len, cap); it panics as Go does when a length is
// out of range.
func MakeSlice(elem *Type, len, cap int) Slice {
	return Slice{makeslice(elem, len, cap), len, cap}
}

// Grow returns a slice with the elements of s and room for num more, of length
// s.Len+num, the new ones not cleared where they hold no pointers: what append
// does when num more do not fit.
func Grow(elem *Type, s Slice, num int) Slice {
	return growslice(s.Data, s.Len+num, s.Cap, num, elem)
}

// CopySlice is copy(dst, src) for slices of elem.
func CopySlice(elem *Type, dst, src Slice) int { return typedslicecopy(elem, dst, src) }

// MakeMap is make(t, hint) for a map type.
func MakeMap(t *Type, hint int) unsafe.Pointer { return makemap(t, hint, nil) }

// MapGet returns a pointer to the element of *key, or to a zero element when
// there is none, which must not be written to. The map may be nil.
func MapGet(t *Type, m, key unsafe.Pointer) (elem unsafe.Pointer, ok bool) {
	return mapaccess2(t, m, key)
}

// MapSlot returns a pointer to the element of *key, inserting a zero one when
// there is none. It panics on a nil map as an assignment does.
func MapSlot(t *Type, m, key unsafe.Pointer) unsafe.Pointer { return mapassign(t, m, key) }

// MapDelete is delete(m, *key).
func MapDelete(t *Type, m, key unsafe.Pointer) { mapdelete(t, m, key) }

// MapClear is clear(m).
func MapClear(t *Type, m unsafe.Pointer) {
	if m != nil {
		mapclear(t, m)
	}
}

// MapLen is len(m).
func MapLen(m unsafe.Pointer) int { return maplen(m) }

// MapIter is the state of a range over a map. Its zero value is ready for
// Start. Key and Elem point into the map and are nil at the end.
type MapIter struct {
	Key, Elem unsafe.Pointer
	_         *Type          // of the map
	_         unsafe.Pointer // the runtime's iterator
}

// Start begins a range over m, which may be nil, and takes the first step.
func (it *MapIter) Start(t *Type, m unsafe.Pointer) {
	*it = MapIter{}
	mapiterinit(t, m, it)
}

// Next takes a step. It must not be called after Key has become nil.
func (it *MapIter) Next() { mapiternext(it) }

// MakeChan is make(t, size) for a channel type.
func MakeChan(t *Type, size int) unsafe.Pointer { return makechan(t, size) }

// Send is c <- *elem; not blocking, it reports whether it could send.
func Send(c, elem unsafe.Pointer, block bool) bool { return chansend(c, elem, !block) }

// Recv is *elem, ok = <-c; not blocking, selected is false when nothing was
// there.
func Recv(c, elem unsafe.Pointer, block bool) (selected, ok bool) {
	return chanrecv(c, !block, elem)
}

// ChanLen is len(c).
func ChanLen(c unsafe.Pointer) int { return chanlen(c) }

// ChanCap is cap(c).
func ChanCap(c unsafe.Pointer) int { return chancap(c) }

// Close is close(c).
func Close(c unsafe.Pointer) { chanclose(c) }

// ItabFor returns the table for a dynamic type in an interface type that has
// methods; nil when the type does not implement it.
func ItabFor(inter, typ *Type) *Itab { return getitab(inter, typ, true) }

// Assert returns the table for a dynamic type in an interface type that has
// methods, and panics with the runtime's *TypeAssertionError when the type does
// not implement it.
func Assert(inter, typ *Type) *Itab { return getitab(inter, typ, false) }

// Interface makes the value at p of type t an any. The value is copied.
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
