package compile

import (
	"go/types"
	"strconv"
	"unsafe"

	"github.com/gokernel/gokernel/interp/engine/ssa/layout"
	"github.com/gokernel/gokernel/interp/engine/ssa/machine"
	"github.com/gokernel/gokernel/interp/engine/ssa/rtype"
	"golang.org/x/tools/go/ssa"
)

// makeSlice compiles make([]T, len, cap).
func (c *body) makeSlice(in *ssa.MakeSlice) {
	d := c.slot(in)
	elem := rtype.TypeOf(d.Type.Reflect().Elem())
	n, m := c.index(in.Len).fn(), c.index(in.Cap).fn()
	c.emit(func(fp frame) {
		length, room := int(n(fp)), int(m(fp))
		machine.Room(room, elem.Size())
		*ref[rtype.Slice](fp, d.Off) = rtype.MakeSlice(elem, length, room)
	}, in.Pos())
}

// makeArray compiles the array of make([]T, len, cap) with a constant cap, which may be larger than
// any array can be.
func (c *body) makeArray(in *ssa.Alloc, array *rtype.Type) {
	d := c.slot(in).Off
	elem, most := rtype.TypeOf(array.Reflect().Elem()), array.Reflect().Len()
	n := 0
	for _, r := range *in.Referrers() {
		if s, ok := r.(*ssa.Slice); ok {
			if high, ok := s.High.(*ssa.Const); ok {
				n = int(high.Int64())
			}
		}
	}
	c.emit(func(fp frame) {
		machine.Room(most, elem.Size())
		*ref[unsafe.Pointer](fp, d) = rtype.MakeSlice(elem, n, most).Data
	}, in.Pos())
}

// slice compiles x[lo:hi:max] for a string, a slice or a pointer to an array.
func (c *body) slice(in *ssa.Slice) {
	if _, _, ok := c.arguments(in); ok {
		return // append reads them where they are
	}
	d := c.slot(in)
	if t, ok := c.tables[in]; ok {
		c.emit(tableOp(d.Off, t), in.Pos())
		return
	}
	at := func(v ssa.Value) expr[int64] {
		if v == nil {
			return nil
		}
		return c.index(v).fn()
	}
	lo, hi, most := at(in.Low), at(in.High), at(in.Max)
	lowU, highU, maxU := c.unsigned(in.Low), c.unsigned(in.High), c.unsigned(in.Max)
	if d.Rep == layout.String {
		x := c.slot(in.X).Off
		if lowU || highU {
			c.emit(sliceStringUnsigned(d.Off, x, lo, hi, lowU, highU), in.Pos())
			return
		}
		c.emit(sliceString(d.Off, x, lo, hi), in.Pos())
		return
	}
	size := d.Type.Reflect().Elem().Size()
	var get func(fp frame) rtype.Slice
	form := ofSlice
	if p, ok := in.X.Type().Underlying().(*types.Pointer); ok {
		form = ofArray
		if a, ok := in.X.(*ssa.Alloc); ok && a.Comment == "makeslice" {
			form = byMake
		}
		n := int(p.Elem().Underlying().(*types.Array).Len())
		if off, ok := c.staticAddr(in.X); ok {
			get = func(fp frame) rtype.Slice { return rtype.Slice{Data: unsafe.Add(fp, off), Len: n, Cap: n} }
		} else {
			x := c.slot(in.X).Off
			get = func(fp frame) rtype.Slice {
				p := *ref[unsafe.Pointer](fp, x)
				notNil(p)
				return rtype.Slice{Data: p, Len: n, Cap: n}
			}
		}
	} else {
		x := c.slot(in.X).Off
		get = func(fp frame) rtype.Slice { return *ref[rtype.Slice](fp, x) }
	}
	c.emit(func(fp frame) {
		s := get(fp)
		l, h, m := int64(0), int64(s.Len), int64(s.Cap)
		if lo != nil {
			l = lo(fp)
		}
		if hi != nil {
			h = hi(fp)
		}
		if most != nil {
			m = most(fp)
		}
		if uint64(l) > uint64(h) || uint64(h) > uint64(m) || uint64(m) > uint64(s.Cap) {
			bounds{s, form, most != nil, l, h, m, lowU, highU, maxU}.fail()
		}
		if m > l { // otherwise keep the pointer inside the array
			s.Data = unsafe.Add(s.Data, uintptr(l)*size)
		}
		*ref[rtype.Slice](fp, d.Off) = rtype.Slice{Data: s.Data, Len: int(h - l), Cap: int(m - l)}
	}, in.Pos())
}

// unsigned reports whether a bound or an index may be too large for an int64.
func (c *body) unsigned(v ssa.Value) bool { return v != nil && c.repOf(v.Type()) == layout.Uint64 }

func sliceString(d, x uintptr, lo, hi expr[int64]) op {
	switch {
	case lo == nil && hi == nil:
		return move[string](d, x)
	case lo == nil:
		return func(fp frame) { *ref[string](fp, d) = (*ref[string](fp, x))[:hi(fp)] }
	case hi == nil:
		return func(fp frame) { *ref[string](fp, d) = (*ref[string](fp, x))[lo(fp):] }
	}
	return func(fp frame) { *ref[string](fp, d) = (*ref[string](fp, x))[lo(fp):hi(fp)] }
}

// sliceStringUnsigned is like sliceString, but with a uint64 bound: the runtime's panic prints the
// bound's unsigned value.
func sliceStringUnsigned(d, x uintptr, lo, hi expr[int64], lowU, highU bool) op {
	return func(fp frame) {
		s := *ref[string](fp, x)
		l, h := int64(0), int64(len(s))
		if lo != nil {
			l = lo(fp)
		}
		if hi != nil {
			h = hi(fp)
		}
		switch {
		case lowU && highU:
			s = s[uint64(l):uint64(h)]
		case lowU:
			s = s[uint64(l):h]
		default:
			s = s[l:uint64(h)]
		}
		*ref[string](fp, d) = s
	}
}

// bounds is a slice expression that has failed.
type bounds struct {
	s                 rtype.Slice
	form              sliceForm
	full              bool // it has three bounds
	l, h, m           int64
	lowU, highU, maxU bool // the bound is of an unsigned type
}

type sliceForm uint8

const (
	ofSlice sliceForm = iota
	ofArray
	byMake // make([]T, n) with a constant capacity
)

// fail raises the runtime's panic for slice bounds out of range.
//
//go:noinline
func (b bounds) fail() {
	var none struct{}
	z := unsafe.Slice(&none, b.s.Cap)
	if b.form == byMake {
		_ = make([]struct{}, b.h, b.s.Cap)
	}
	if b.full {
		switch {
		case uint64(b.m) > uint64(b.s.Cap):
			if b.form == ofArray {
				panic(machine.PlainError("runtime error: slice bounds out of range [::" + bound(b.m, b.maxU) + "]" + withLength(b.m, b.maxU, b.s.Cap)))
			}
			if b.maxU {
				_ = z[0:0:uint64(b.m)]
			}
			_ = z[0:0:b.m]
		case uint64(b.h) > uint64(b.m):
			if b.highU {
				_ = z[0:uint64(b.h):b.m]
			}
			_ = z[0:b.h:b.m]
		case b.lowU:
			_ = z[uint64(b.l):b.h:b.m]
		}
		_ = z[b.l:b.h:b.m]
	}
	if uint64(b.h) > uint64(b.s.Cap) {
		if b.form == ofArray {
			var c byte
			str := unsafe.String(&c, b.s.Cap)
			if b.highU {
				_ = str[:uint64(b.h)]
			}
			_ = str[:b.h]
		}
		if b.highU {
			_ = z[:uint64(b.h)]
		}
		_ = z[:b.h]
	}
	if b.lowU {
		_ = z[uint64(b.l):b.h]
	}
	_ = z[b.l:b.h]
}

// bound formats a bound.
func bound(v int64, unsigned bool) string {
	if unsigned {
		return strconv.FormatUint(uint64(v), 10)
	}
	return strconv.FormatInt(v, 10)
}

// withLength returns the end of an error message about a bound; it is empty for a negative bound.
func withLength(v int64, unsigned bool, n int) string {
	if v < 0 && !unsigned {
		return ""
	}
	return " with length " + strconv.Itoa(n)
}

// sliceToArray converts a slice to an array pointer.
func (c *body) sliceToArray(in *ssa.SliceToArrayPointer) {
	d, x := c.slot(in), c.slot(in.X)
	n := d.Type.Reflect().Elem().Len()
	c.emit(func(fp frame) {
		s := ref[rtype.Slice](fp, x.Off)
		if s.Len < n {
			badConversion(s.Len, n)
		}
		*ref[unsafe.Pointer](fp, d.Off) = s.Data
	}, in.Pos())
}

// appendOnly reports whether an array only holds the arguments of append, which copies them.
func (c *body) appendOnly(a *ssa.Alloc) bool {
	if a.Comment != "varargs" {
		return false
	}
	for _, r := range *a.Referrers() {
		switch r := r.(type) {
		case *ssa.IndexAddr:
			for _, u := range *r.Referrers() {
				if st, ok := u.(*ssa.Store); !ok || st.Addr != r {
					return false
				}
			}
		case *ssa.Slice:
			for _, u := range *r.Referrers() {
				call, ok := u.(*ssa.Call)
				if !ok {
					return false
				}
				b, ok := call.Call.Value.(*ssa.Builtin)
				if !ok || b.Name() != "append" || call.Call.Args[1] != r {
					return false
				}
			}
		default:
			return false
		}
	}
	return true
}

// appendOp returns d = append(s, more...).
func (c *body) appendOp(call *ssa.CallCommon, d slot) op {
	s := c.slot(call.Args[0])
	if len(call.Args) == 1 {
		return moveOp(d.Rep, d.Type, d.Off, s.Off)
	}
	elem := rtype.TypeOf(s.Type.Reflect().Elem())
	if off, n, ok := c.arguments(call.Args[1]); ok {
		if n == 1 {
			if v := c.onlyArgument(call.Args[1]); v != nil {
				off = c.slot(v).Off
			}
			if o := appendOne(d.Off, s.Off, off, elem); o != nil {
				return o
			}
		}
		return func(fp frame) {
			*ref[rtype.Slice](fp, d.Off) = appended(elem, *ref[rtype.Slice](fp, s.Off), rtype.Slice{Data: unsafe.Add(fp, off), Len: n, Cap: n})
		}
	}
	more := c.slot(call.Args[1])
	if more.Rep == layout.String {
		return func(fp frame) {
			*ref[[]byte](fp, d.Off) = append(*ref[[]byte](fp, s.Off), *ref[string](fp, more.Off)...)
		}
	}
	return func(fp frame) {
		*ref[rtype.Slice](fp, d.Off) = appended(elem, *ref[rtype.Slice](fp, s.Off), *ref[rtype.Slice](fp, more.Off))
	}
}

// arguments returns the number of the arguments of append and, if they are in the frame, their
// frame offset.
func (c *body) arguments(v ssa.Value) (off uintptr, n int, ok bool) {
	s, ok := v.(*ssa.Slice)
	if !ok {
		return 0, 0, false
	}
	a, ok := s.X.(*ssa.Alloc)
	if !ok || !c.appendOnly(a) {
		return 0, 0, false
	}
	off, ok = c.local[a]
	return off, int(elemOf(a.Type()).Underlying().(*types.Array).Len()), ok
}

// onlyArgument returns the only argument of append, if it has a slot of its own and so is not
// stored in an array of arguments.
func (c *body) onlyArgument(v ssa.Value) ssa.Value {
	s, ok := v.(*ssa.Slice)
	if !ok {
		return nil
	}
	for _, r := range *s.X.Referrers() {
		if at, ok := r.(*ssa.IndexAddr); ok {
			if st, ok := (*at.Referrers())[0].(*ssa.Store); ok && len(*at.Referrers()) == 1 && c.soleStore(st) {
				return st.Val
			}
		}
	}
	return nil
}

// soleStore reports whether a store sets the only argument of an append that reads it from its own
// slot.
func (c *body) soleStore(in *ssa.Store) bool {
	at, ok := in.Addr.(*ssa.IndexAddr)
	if !ok || c.fused(in.Val) {
		return false
	}
	a, ok := at.X.(*ssa.Alloc)
	if !ok || c.local[a] == 0 || !c.appendOnly(a) {
		return false
	}
	t := elemOf(a.Type()).Underlying().(*types.Array)
	if t.Len() != 1 {
		return false
	}
	switch c.repOf(t.Elem()) {
	case layout.Zero, layout.Int16, layout.Uint16, layout.Complex64, layout.Complex128, layout.Interface, layout.Memory:
		return false
	}
	return true
}

// appendOne returns d = append(s, v) for a value of a common type in the frame.
func appendOne(d, s, v uintptr, elem *rtype.Type) op {
	switch layout.Of(elem) {
	case layout.Bool, layout.Int8, layout.Uint8:
		return appendValue[uint8](d, s, v)
	case layout.Int32, layout.Uint32, layout.Float32:
		return appendValue[uint32](d, s, v)
	case layout.Int64, layout.Uint64, layout.Float64:
		return appendValue[uint64](d, s, v)
	case layout.Pointer:
		return appendValue[unsafe.Pointer](d, s, v)
	case layout.String:
		return appendValue[string](d, s, v)
	case layout.Slice:
		return appendValue[[]byte](d, s, v)
	}
	return nil
}

func appendValue[T any](d, s, v uintptr) op {
	if d == s { // then only the length is written, unless it grows
		return func(fp frame) {
			p := ref[[]T](fp, d)
			*p = append(*p, *ref[T](fp, v))
		}
	}
	return func(fp frame) { *ref[[]T](fp, d) = append(*ref[[]T](fp, s), *ref[T](fp, v)) }
}

func appended(elem *rtype.Type, x, y rtype.Slice) rtype.Slice {
	if y.Len == 0 {
		return x
	}
	n := x.Len + y.Len
	if uint(n) > uint(x.Cap) {
		x.Data, x.Cap = grown(elem, x, y.Len)
	}
	at := unsafe.Add(x.Data, uintptr(x.Len)*elem.Size())
	if elem.PtrBytes() == 0 {
		size := uintptr(y.Len) * elem.Size()
		copy(unsafe.Slice((*byte)(at), size), unsafe.Slice((*byte)(y.Data), size))
	} else {
		rtype.CopySlice(elem, rtype.Slice{Data: at, Len: y.Len, Cap: y.Len}, y)
	}
	return rtype.Slice{Data: x.Data, Len: n, Cap: x.Cap}
}

func grown(elem *rtype.Type, x rtype.Slice, more int) (unsafe.Pointer, int) {
	machine.Room(x.Len+more, elem.Size())
	g := rtype.Grow(elem, x, more)
	return g.Data, g.Cap
}
