package compile

import (
	"go/token"
	"go/types"
	"unsafe"

	"golang.org/x/tools/go/ssa"

	"github.com/gokernel/gokernel/interp/engine/ssa/rtype"
)

// lengthKind is the way to compute len and cap of a value.
type lengthKind uint8

const (
	lenOfString lengthKind = iota
	lenOfSlice
	lenFixed     // of arrays
	lenByRuntime // of maps and channels
)

func (c *body) lenOf(v ssa.Value) lengthKind {
	switch t := v.Type().Underlying().(type) {
	case *types.Basic:
		return lenOfString
	case *types.Slice:
		return lenOfSlice
	case *types.Array, *types.Pointer:
		_ = t
		return lenFixed
	}
	return lenByRuntime
}

// lenTree returns len(v) or cap(v).
func (c *body) lenTree(capacity bool, v ssa.Value) expr[int64] {
	switch c.lenOf(v) {
	case lenOfString:
		a := argOf[string](c, v)
		if a.kind == inSlot {
			off := a.off
			return func(fp frame) int64 { return int64(len(*ref[string](fp, off))) }
		}
		t := a.fn()
		return func(fp frame) int64 { return int64(len(t(fp))) }
	case lenOfSlice:
		a := argOf[rtype.Slice](c, v)
		if a.kind == inSlot {
			off := a.off
			if capacity {
				return func(fp frame) int64 { return int64(ref[rtype.Slice](fp, off).Cap) }
			}
			return func(fp frame) int64 { return int64(ref[rtype.Slice](fp, off).Len) }
		}
		t := a.fn()
		if capacity {
			return func(fp frame) int64 { return int64(t(fp).Cap) }
		}
		return func(fp frame) int64 { return int64(t(fp).Len) }
	case lenFixed:
		t := v.Type().Underlying()
		if p, ok := t.(*types.Pointer); ok {
			t = p.Elem().Underlying()
		}
		n := t.(*types.Array).Len()
		return func(frame) int64 { return n }
	}
	off := c.slot(v).Off
	if _, isMap := v.Type().Underlying().(*types.Map); isMap {
		return func(fp frame) int64 { return int64(rtype.MapLen(*ref[unsafe.Pointer](fp, off))) }
	}
	if capacity {
		return func(fp frame) int64 { return int64(rtype.ChanCap(*ref[unsafe.Pointer](fp, off))) }
	}
	return func(fp frame) int64 { return int64(rtype.ChanLen(*ref[unsafe.Pointer](fp, off))) }
}

// stringIndex returns s[i] of a string.
func (c *body) stringIndex(s, i ssa.Value, pos token.Pos) expr[uint8] {
	c.mayPanic(pos)
	x, k := argOf[string](c, s), c.index(i)
	if x.kind == inSlot && k.kind == inSlot {
		xo, ko := x.off, k.off
		return func(fp frame) uint8 { return (*ref[string](fp, xo))[*ref[int64](fp, ko)] }
	}
	f, g := x.fn(), k.fn()
	if c.unsigned(i) {
		return func(fp frame) uint8 { return f(fp)[uint64(g(fp))] }
	}
	return func(fp frame) uint8 { return f(fp)[g(fp)] }
}
