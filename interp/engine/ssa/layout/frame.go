package layout

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"sync"
	"unsafe"

	"github.com/gokernel/gokernel/interp/engine/ssa/rtype"
)

// Frame points to the header of a function's frame. Values with pointers are after the header, and
// values without pointers before it (at offsets that wrap around). Both areas can therefore grow
// while the function is compiled, and clearing the frame clears one run of words.
type Frame = unsafe.Pointer

// Ref returns the variable at an offset of the frame.
func Ref[T any](fp Frame, off uintptr) *T { return (*T)(unsafe.Add(fp, off)) }

// Slot is a frame slot.
type Slot struct {
	Off  uintptr
	Type *rtype.Type
	Rep  Rep
}

// Layout assigns slots in a frame or in a block of captured variables.
type Layout struct {
	header uintptr // its size
	below  uintptr // bytes before the header
	above  uintptr // bytes from the header on
	ptrs   []byte  // bit i: word i of the area above holds a pointer
	keep   []Span  // words of the area above that are never cleared
}

// Span is a range of offsets.
type Span struct{ From, To uintptr }

// New returns a layout with a header of the given size, which begins with the given number of
// pointers.
func New(header uintptr, pointers int) *Layout {
	l := &Layout{header: header, above: header}
	for w := range pointers {
		l.mark(uintptr(w) * 8)
	}
	return l
}

// Place assigns a slot to a value.
func (l *Layout) Place(t *rtype.Type) Slot {
	s := Slot{Type: t, Rep: Of(t)}
	if t.PtrBytes() == 0 {
		size, align := max(t.Size(), 1), max(t.Align(), 1)
		l.below = (l.below + size + align - 1) &^ (align - 1)
		s.Off = -l.below
		return s
	}
	l.above = (l.above + 7) &^ 7
	s.Off = l.above
	l.above += t.Size()
	l.markType(t.Reflect(), s.Off)
	return s
}

// PlaceConst assigns a slot to a value that all frames of the function share.
func (l *Layout) PlaceConst(t *rtype.Type) Slot {
	s := l.Place(t)
	if t.PtrBytes() != 0 {
		l.keep = append(l.keep, Span{s.Off, l.above})
	}
	return s
}

// PlaceSite assigns a slot to the stack of a callee; see Thread.StackAt of package machine.
func (l *Layout) PlaceSite() uintptr { return l.PlaceConst(PointerType).Off }

func (l *Layout) mark(off uintptr) {
	w := off / 8
	for uintptr(len(l.ptrs)) <= w/8 {
		l.ptrs = append(l.ptrs, 0)
	}
	l.ptrs[w/8] |= 1 << (w % 8)
}

func (l *Layout) markType(t reflect.Type, off uintptr) {
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
	default: // a pointer, which lengths may follow
		l.mark(off)
	}
}

// MarkType marks the pointers of a value of type t at offset 0.
func (l *Layout) MarkType(t *rtype.Type) { l.markType(t.Reflect(), 0) }

// Pointer reports whether the word at an offset is marked as a pointer.
func (l *Layout) Pointer(off uintptr) bool { return l.bit(int(off/8)) == 1 }

// Clears returns the words to clear when the function returns, for ClearPointers.
func (l *Layout) Clears() []Span {
	var spans []Span
	add := func(from, to uintptr) {
		for from < to && l.bit(int(from/8)) == 0 {
			from += 8
		}
		for from < to && l.bit(int(to/8)-1) == 0 {
			to -= 8
		}
		if from < to {
			spans = append(spans, Span{from, to})
		}
	}
	from := l.header
	for _, k := range l.keep {
		add(from, k.From)
		from = (k.To + 7) &^ 7
	}
	add(from, (l.above+7)&^7)
	return spans
}

// Check returns an error if a slot is wrong. A slot must be in the layout, before or after the
// header, and aligned. The bitmap must have exactly the slot's pointers.
func (l *Layout) Check(s Slot) error {
	size := s.Type.Size()
	switch {
	case s.Type.PtrBytes() == 0:
		if below := -s.Off; below < size || below > l.below || below%max(s.Type.Align(), 1) != 0 {
			return fmt.Errorf("%v at %d lies outside of the %d bytes before the header, or is not aligned", s.Type.Reflect(), int(s.Off), l.below)
		}
		return nil
	case s.Off < l.header || s.Off+size > l.above || s.Off%8 != 0:
		return fmt.Errorf("%v at %d lies outside of the bytes from %d to %d, or is not aligned", s.Type.Reflect(), int(s.Off), l.header, l.above)
	}
	var own Layout
	own.markType(s.Type.Reflect(), 0)
	for w := range int(size / 8) {
		if own.bit(w) != l.bit(w+int(s.Off/8)) {
			return fmt.Errorf("word %d of %v at %d is %d in the map of pointers, want %d", w, s.Type.Reflect(), int(s.Off), l.bit(w+int(s.Off/8)), own.bit(w))
		}
	}
	return nil
}

// CheckClears returns an error if, on return, the function clears a constant, or does not clear a
// pointer that is not a constant.
func (l *Layout) CheckClears() error {
	covers := func(spans []Span, off uintptr) bool {
		return slices.ContainsFunc(spans, func(s Span) bool { return s.From <= off && off < s.To })
	}
	spans := l.Clears()
	for off := l.header; off < l.above; off += 8 {
		switch cleared, stays := covers(spans, off), covers(l.keep, off); {
		case cleared && stays:
			return fmt.Errorf("the constant at %d is cleared", off)
		case !cleared && !stays && l.bit(int(off/8)) == 1:
			return fmt.Errorf("the pointer at %d is not cleared", off)
		}
	}
	return nil
}

// String describes the layout: its size and the positions of its pointers.
func (l *Layout) String() string {
	var pointers []uintptr
	for off := l.header; off < l.above; off += 8 {
		if l.bit(int(off/8)) == 1 {
			pointers = append(pointers, off)
		}
	}
	return fmt.Sprintf("%d bytes before the header, %d from the header on; pointers after the header at %v", l.below, l.above, pointers)
}

// Clear clears words of a frame, or of an object with the layout of a frame.
func Clear(fp Frame, spans []Span) {
	for _, s := range spans {
		clear(unsafe.Slice((*unsafe.Pointer)(unsafe.Add(fp, s.From)), (s.To-s.From)/8))
	}
}

// ClearPointers is like Clear, but every span of one word must be a pointer. The write barrier for
// one pointer treats the old word as a pointer, but the write barrier for several words consults
// the bitmap of the object.
func ClearPointers(fp Frame, spans []Span) {
	for _, s := range spans {
		n := (s.To - s.From) / 8
		p := (*unsafe.Pointer)(unsafe.Add(fp, s.From))
		if n == 1 {
			*p = nil
			continue
		}
		clear(unsafe.Slice(p, n))
	}
}

// Shape is the runtime type of a frame. It has the number of words, and the words that are
// pointers.
type Shape struct {
	Type  *rtype.Type
	Start uintptr // distance from the start of the object to the header
}

var shapes sync.Map // form, as a string -> Shape

// Shape returns the type of an object with this layout.
func (l *Layout) Shape() Shape {
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
		return s.(Shape)
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
	s := Shape{rtype.TypeOf(reflect.StructOf(fields)), start}
	shapes.Store(key, s)
	return s
}

func (l *Layout) bit(w int) byte {
	if w/8 >= len(l.ptrs) {
		return 0
	}
	return l.ptrs[w/8] >> (w % 8) & 1
}

// Without returns the words of runs that are not in others.
func Without(runs, others []Span) []Span {
	const word = unsafe.Sizeof(uintptr(0))
	var left []Span
	for _, r := range runs {
		for off := r.From; off < r.To; off += word {
			if slices.ContainsFunc(others, func(o Span) bool { return off >= o.From&^(word-1) && off < o.To }) {
				continue
			}
			if n := len(left); n > 0 && left[n-1].To == off {
				left[n-1].To += word
			} else {
				left = append(left, Span{off, off + word})
			}
		}
	}
	return left
}

// PointerType is the type of a pointer word.
var PointerType = rtype.TypeOf(reflect.TypeFor[unsafe.Pointer]())
