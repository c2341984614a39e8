//go:build (linux || darwin) && (amd64 || arm64)

package ssa

import (
	"reflect"
	"strconv"
	"sync"
	"unsafe"

	"github.com/gokernel/gokernel/interp/engine/ssa/rtype"
)

// frame points to the header of a function's frame. What holds pointers lies
// behind the header, what holds none lies before it (at offsets that wrap
// around), so that both areas can grow while the function is compiled and so
// that leaving the function clears one run of words.
type frame = unsafe.Pointer

// header is the part that every frame has.
type header struct {
	thread *thread     // whose stack the frame is on
	stack  *frameStack // the frames of the same function
	rec    *panicking  // the panic that a directly deferred call may recover
	defers *deferred   // deferred calls, newest first
	depth  int32       // of the call; see thread.depth
	pc     int32       // number of the running op + 1, 0 before the first
}

const headerSize = unsafe.Sizeof(header{})

func head(fp frame) *header { return (*header)(fp) }

// ref gives the variable at an offset of the frame.
func ref[T any](fp frame, off uintptr) *T { return (*T)(unsafe.Add(fp, off)) }

// slot is a place in a frame.
type slot struct {
	off uintptr
	typ *rtype.Type
	rep rep
}

// layout assigns places in a frame or in a block of captured variables.
type layout struct {
	below uintptr // bytes before the header
	above uintptr // bytes from the header on
	ptrs  []byte  // bit i: word i of the area above holds a pointer
	keep  []run   // words of the area above that are never cleared
}

// run is a range of offsets.
type run struct{ from, to uintptr }

func newLayout() *layout {
	l := &layout{above: headerSize}
	for w := range 4 {
		l.mark(uintptr(w) * 8)
	}
	return l
}

// place finds room for a value.
func (l *layout) place(t *rtype.Type) slot {
	s := slot{typ: t, rep: repOf(t)}
	if t.PtrBytes() == 0 {
		size, align := max(t.Size(), 1), max(t.Align(), 1)
		l.below = (l.below + size + align - 1) &^ (align - 1)
		s.off = -l.below
		return s
	}
	l.above = (l.above + 7) &^ 7
	s.off = l.above
	l.above += t.Size()
	l.markType(t.Reflect(), s.off)
	return s
}

// placeConst finds room for a value that all frames of the function share.
func (l *layout) placeConst(t *rtype.Type) slot {
	s := l.place(t)
	if t.PtrBytes() != 0 {
		l.keep = append(l.keep, run{s.off, l.above})
	}
	return s
}

// placeSite finds room for the stack of a function that is called; see
// thread.stackAt.
func (l *layout) placeSite() uintptr { return l.placeConst(pointerType).off }

func (l *layout) mark(off uintptr) {
	w := off / 8
	for uintptr(len(l.ptrs)) <= w/8 {
		l.ptrs = append(l.ptrs, 0)
	}
	l.ptrs[w/8] |= 1 << (w % 8)
}

func (l *layout) markType(t reflect.Type, off uintptr) {
	if rtype.TypeOf(t).PtrBytes() == 0 {
		return
	}
	switch t.Kind() {
	case reflect.Interface:
		l.mark(off)
		l.mark(off + 8)
	case reflect.Array:
		for i := range t.Len() {
			l.markType(t.Elem(), off+uintptr(i)*t.Elem().Size())
		}
	case reflect.Struct:
		for i := range t.NumField() {
			f := t.Field(i)
			l.markType(f.Type, off+f.Offset)
		}
	default: // one pointer first, perhaps lengths behind it
		l.mark(off)
	}
}

// clears gives the runs of words to clear when the function is left.
func (l *layout) clears() []run {
	var runs []run
	from := headerSize
	for _, k := range l.keep {
		if k.from > from {
			runs = append(runs, run{from, k.from})
		}
		from = (k.to + 7) &^ 7
	}
	if end := (l.above + 7) &^ 7; end > from {
		runs = append(runs, run{from, end})
	}
	return runs
}

// shape is the runtime type of a frame: so many words, and which are pointers.
type shape struct {
	typ   *rtype.Type
	start uintptr // from the start of the object to the header
}

var shapes sync.Map // string of the form -> shape

// shape gives the type of the laid out object.
func (l *layout) shape() shape {
	start := (l.below + 7) &^ 7
	words := int((l.above + 7) / 8)
	form := make([]byte, 0, words+4)
	for n := start; n != 0; n >>= 8 {
		form = append(form, byte(n))
	}
	form = append(form, 0xff)
	for w := range words {
		form = append(form, l.bit(w))
	}
	key := string(form)
	if s, ok := shapes.Load(key); ok {
		return s.(shape)
	}
	var fields []reflect.StructField
	add := func(n int, t reflect.Type) {
		name := "F" + strconv.Itoa(len(fields))
		fields = append(fields, reflect.StructField{Name: name, Type: reflect.ArrayOf(n, t)})
	}
	if start > 0 {
		add(int(start/8), reflect.TypeFor[uintptr]())
	}
	for w := 0; w < words; {
		b, from := l.bit(w), w
		for w < words && l.bit(w) == b {
			w++
		}
		if b == 1 {
			add(w-from, reflect.TypeFor[unsafe.Pointer]())
		} else {
			add(w-from, reflect.TypeFor[uintptr]())
		}
	}
	s := shape{rtype.TypeOf(reflect.StructOf(fields)), start}
	shapes.Store(key, s)
	return s
}

func (l *layout) bit(w int) byte {
	if w/8 >= len(l.ptrs) {
		return 0
	}
	return l.ptrs[w/8] >> (w % 8) & 1
}
