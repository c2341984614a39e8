package compile

import (
	"go/ast"
	"go/token"
	"go/types"
	"unsafe"

	"github.com/gokernel/gokernel/interp/engine/ssa/layout"
	"github.com/gokernel/gokernel/interp/engine/ssa/rtype"
	"golang.org/x/tools/go/ssa"
)

// loadTree returns the value at an address.
func loadTree(r rep, a address) any {
	switch r {
	case layout.Bool:
		return load[bool](a)
	case layout.Int8:
		return load[int8](a)
	case layout.Int16:
		return load[int16](a)
	case layout.Int32:
		return load[int32](a)
	case layout.Int64:
		return load[int64](a)
	case layout.Uint8:
		return load[uint8](a)
	case layout.Uint16:
		return load[uint16](a)
	case layout.Uint32:
		return load[uint32](a)
	case layout.Uint64:
		return load[uint64](a)
	case layout.Float32:
		return load[float32](a)
	case layout.Float64:
		return load[float64](a)
	case layout.Complex64:
		return load[complex64](a)
	case layout.Complex128:
		return load[complex128](a)
	case layout.Pointer:
		return load[unsafe.Pointer](a)
	case layout.String:
		return load[string](a)
	case layout.Slice:
		return load[rtype.Slice](a)
	case layout.Interface:
		return load[iface](a)
	}
	panic("ssa: no tree for values in memory")
}

func load[T any](a address) expr[T] {
	off, plus := a.off, a.plus
	switch a.kind {
	case inFrame:
		return func(fp frame) T { return *ref[T](fp, off) }
	case global:
		p := (*T)(a.fixed)
		return func(frame) T { return *p }
	case behind:
		if plus == 0 {
			return func(fp frame) T { return **ref[*T](fp, off) }
		}
		return func(fp frame) T { return *(*T)(unsafe.Add(*ref[unsafe.Pointer](fp, off), plus)) }
	case element:
		x, i, k := a.base.off, a.index.off, a.index.k
		if a.index.kind == inSlot {
			u, v := a.base.u, a.base.v
			switch a.base.shape {
			case ofElement:
				return func(fp frame) T { return (*ref[[][]T](fp, u))[*ref[int64](fp, v)][*ref[int64](fp, i)] }
			case ofField:
				return func(fp frame) T { return (*(*[]T)(unsafe.Add(*ref[unsafe.Pointer](fp, u), v)))[*ref[int64](fp, i)] }
			case inGlobal:
				s := (*[]T)(a.base.at)
				return func(fp frame) T { return (*s)[*ref[int64](fp, i)] }
			}
		}
		switch a.base.kind<<2 | a.index.kind {
		case slotSlot:
			return func(fp frame) T { return (*ref[[]T](fp, x))[*ref[int64](fp, i)] }
		case slotConst:
			return func(fp frame) T { return (*ref[[]T](fp, x))[k] }
		case slotTree:
			index := a.index.tree
			return func(fp frame) T { return (*ref[[]T](fp, x))[index(fp)] }
		case treeSlot:
			base := sliceTree[T](a.base.tree)
			return func(fp frame) T { return base(fp)[*ref[int64](fp, i)] }
		}
		base, index := sliceTree[T](a.base.fn()), a.index.fn()
		return func(fp frame) T { return base(fp)[index(fp)] }
	case member:
		return loadMember[T](a)
	}
	tree := a.tree
	return func(fp frame) T { return *(*T)(unsafe.Add(tree(fp), plus)) }
}

// loadMember implements loadTree for a field of an element.
func loadMember[T any](a address) expr[T] {
	i, size, plus := a.index.off, a.elem, a.plus
	switch {
	case a.base.kind == inSlot:
		x := a.base.off
		return func(fp frame) T {
			s, k := ref[rtype.Slice](fp, x), *ref[int64](fp, i)
			if uint64(k) >= uint64(s.Len) {
				badIndex(k, s.Len, false)
			}
			return *(*T)(unsafe.Add(s.Data, uintptr(k)*size+plus))
		}
	case a.base.shape == inGlobal:
		s := (*rtype.Slice)(a.base.at)
		return func(fp frame) T {
			k := *ref[int64](fp, i)
			if uint64(k) >= uint64(s.Len) {
				badIndex(k, s.Len, false)
			}
			return *(*T)(unsafe.Add(s.Data, uintptr(k)*size+plus))
		}
	}
	u, v := a.base.u, a.base.v
	return func(fp frame) T {
		s, k := (*rtype.Slice)(unsafe.Add(*ref[unsafe.Pointer](fp, u), v)), *ref[int64](fp, i)
		if uint64(k) >= uint64(s.Len) {
			badIndex(k, s.Len, false)
		}
		return *(*T)(unsafe.Add(s.Data, uintptr(k)*size+plus))
	}
}

// sliceTree converts a tree that returns a slice to a tree that returns a []T. Both return the
// slice in the same three registers.
func sliceTree[T any](t expr[rtype.Slice]) expr[[]T] {
	return *(*expr[[]T])(unsafe.Pointer(&t))
}

// loadOp returns the op that sets a frame slot to the value at an address.
func loadOp(d slot, a address) op {
	switch d.Rep {
	case layout.Zero:
		p := a.pointer()
		return func(fp frame) { notNil(p(fp)) }
	case layout.Bool, layout.Int8, layout.Uint8:
		return loadInto[uint8](d.Off, a)
	case layout.Int16, layout.Uint16:
		return loadInto[uint16](d.Off, a)
	case layout.Int32, layout.Uint32, layout.Float32:
		return loadInto[uint32](d.Off, a)
	case layout.Int64, layout.Uint64, layout.Float64:
		return loadInto[uint64](d.Off, a)
	case layout.Complex64:
		return loadInto[complex64](d.Off, a)
	case layout.Complex128:
		return loadInto[complex128](d.Off, a)
	case layout.Pointer:
		return loadInto[unsafe.Pointer](d.Off, a)
	case layout.String:
		return loadInto[string](d.Off, a)
	case layout.Slice:
		return loadInto[rtype.Slice](d.Off, a)
	case layout.Interface:
		return loadInto[iface](d.Off, a)
	}
	switch layout.Words(d.Type) {
	case 1:
		return loadInto[[1]uint64](d.Off, a)
	case 2:
		return loadInto[[2]uint64](d.Off, a)
	case 3:
		return loadInto[[3]uint64](d.Off, a)
	case 4:
		return loadInto[[4]uint64](d.Off, a)
	}
	off, t, p := d.Off, d.Type, a.pointer()
	return func(fp frame) {
		from := p(fp)
		notNil(from)
		layout.Move(t, unsafe.Add(fp, off), from)
	}
}

func loadInto[T any](d uintptr, a address) op {
	off, plus := a.off, a.plus
	switch a.kind {
	case inFrame:
		return move[T](d, off)
	case global:
		p := (*T)(a.fixed)
		return func(fp frame) { *ref[T](fp, d) = *p }
	case behind:
		if plus == 0 {
			return func(fp frame) { *ref[T](fp, d) = **ref[*T](fp, off) }
		}
		return func(fp frame) { *ref[T](fp, d) = *(*T)(unsafe.Add(*ref[unsafe.Pointer](fp, off), plus)) }
	case element:
		x, i := a.base.off, a.index.off
		if a.base.kind == inSlot && a.index.kind == inSlot {
			return func(fp frame) { *ref[T](fp, d) = (*ref[[]T](fp, x))[*ref[int64](fp, i)] }
		}
	}
	return set(d, load[T](a))
}

// storeInstr compiles *addr = value.
func (c *body) storeInstr(in *ssa.Store) {
	if c.soleStore(in) {
		return
	}
	if off, ok := c.staticAddr(in.Addr); ok {
		t := c.typ(in.Val.Type())
		c.store(slot{Off: off, Type: t, Rep: layout.Of(t)}, in.Val, in.Pos())
		return
	}
	if o := c.updateOp(in); o != nil {
		c.emit(o, in.Pos())
		return
	}
	var o op
	switch c.repOf(in.Val.Type()) {
	case layout.Bool:
		o = storeValue[bool](c, in)
	case layout.Int8:
		o = storeValue[int8](c, in)
	case layout.Int16:
		o = storeValue[int16](c, in)
	case layout.Int32:
		o = storeValue[int32](c, in)
	case layout.Int64:
		o = storeValue[int64](c, in)
	case layout.Uint8:
		o = storeValue[uint8](c, in)
	case layout.Uint16:
		o = storeValue[uint16](c, in)
	case layout.Uint32:
		o = storeValue[uint32](c, in)
	case layout.Uint64:
		o = storeValue[uint64](c, in)
	case layout.Float32:
		o = storeValue[float32](c, in)
	case layout.Float64:
		o = storeValue[float64](c, in)
	case layout.Complex64:
		o = storeValue[complex64](c, in)
	case layout.Complex128:
		o = storeValue[complex128](c, in)
	case layout.Pointer:
		o = storeValue[unsafe.Pointer](c, in)
	case layout.String:
		o = storeValue[string](c, in)
	case layout.Slice:
		o = storeValue[rtype.Slice](c, in)
	case layout.Interface:
		o = storeValue[iface](c, in)
	default:
		o = c.storeMemory(in)
	}
	c.emit(o, in.Pos())
}

// storeMemory implements storeInstr for a struct or an array.
func (c *body) storeMemory(in *ssa.Store) op {
	v := c.slot(in.Val)
	switch layout.Words(v.Type) {
	case 1:
		return storeValue[[1]uint64](c, in)
	case 2:
		return storeValue[[2]uint64](c, in)
	case 3:
		return storeValue[[3]uint64](c, in)
	case 4:
		return storeValue[[4]uint64](c, in)
	}
	p := c.address(in.Addr).pointer()
	off, t := v.Off, v.Type
	return func(fp frame) {
		to := p(fp)
		notNil(to)
		layout.Move(t, to, unsafe.Add(fp, off))
	}
}

func storeValue[T any](c *body, in *ssa.Store) op {
	val := argOf[T](c, in.Val)
	a := c.address(in.Addr)
	off, plus, v, k, t := a.off, a.plus, val.off, val.k, val.tree
	switch a.kind {
	case global:
		p := (*T)(a.fixed)
		switch val.kind {
		case inSlot:
			return func(fp frame) { *p = *ref[T](fp, v) }
		case isConst:
			return func(frame) { *p = k }
		}
		return func(fp frame) { *p = t(fp) }
	case behind:
		switch val.kind {
		case inSlot:
			return func(fp frame) { *(*T)(unsafe.Add(*ref[unsafe.Pointer](fp, off), plus)) = *ref[T](fp, v) }
		case isConst:
			return func(fp frame) { *(*T)(unsafe.Add(*ref[unsafe.Pointer](fp, off), plus)) = k }
		}
		return func(fp frame) {
			x := t(fp)
			*(*T)(unsafe.Add(*ref[unsafe.Pointer](fp, off), plus)) = x
		}
	case element:
		if a.base.kind == inSlot && a.index.kind == inSlot {
			s, i := a.base.off, a.index.off
			switch val.kind {
			case inSlot:
				return func(fp frame) { (*ref[[]T](fp, s))[*ref[int64](fp, i)] = *ref[T](fp, v) }
			case isConst:
				return func(fp frame) { (*ref[[]T](fp, s))[*ref[int64](fp, i)] = k }
			}
			return func(fp frame) {
				x := t(fp)
				(*ref[[]T](fp, s))[*ref[int64](fp, i)] = x
			}
		}
		base, index := sliceTree[T](a.base.fn()), a.index.fn()
		if val.kind == inSlot {
			if a.index.kind == inSlot {
				x, y, i := a.base.u, a.base.v, a.index.off
				switch a.base.shape {
				case ofElement:
					return func(fp frame) { (*ref[[][]T](fp, x))[*ref[int64](fp, y)][*ref[int64](fp, i)] = *ref[T](fp, v) }
				case ofField:
					return func(fp frame) {
						(*(*[]T)(unsafe.Add(*ref[unsafe.Pointer](fp, x), y)))[*ref[int64](fp, i)] = *ref[T](fp, v)
					}
				case inGlobal:
					s := (*[]T)(a.base.at)
					return func(fp frame) { (*s)[*ref[int64](fp, i)] = *ref[T](fp, v) }
				}
			}
			return func(fp frame) { base(fp)[index(fp)] = *ref[T](fp, v) }
		}
		t = val.fn()
		return func(fp frame) {
			s, i := base(fp), index(fp)
			x := t(fp)
			s[i] = x
		}
	}
	p := a.pointer()
	if val.kind == inSlot {
		return func(fp frame) { *(*T)(p(fp)) = *ref[T](fp, v) }
	}
	t = val.fn()
	return func(fp frame) {
		x := t(fp)
		*(*T)(p(fp)) = x
	}
}

// onlyRangedOver reports whether a loaded array is the operand of a range clause that does not use
// the elements. If so, Go does not read the array, and the pointer may be nil.
func (c *body) onlyRangedOver(in *ssa.UnOp) bool {
	if _, array := in.Type().Underlying().(*types.Array); !array || len(*in.Referrers()) > 0 || c.ssa.Syntax() == nil {
		return false
	}
	found := false
	ast.Inspect(c.ssa.Syntax(), func(n ast.Node) bool {
		if r, ok := n.(*ast.RangeStmt); ok {
			if star, ok := ast.Unparen(r.X).(*ast.StarExpr); ok && star.Star == in.Pos() && !calls(star.X) {
				found = true
			}
		}
		return !found
	})
	return found
}

// calls reports whether an expression has a call or a receive operation. Such an expression is
// evaluated even if only its length is used.
func calls(x ast.Expr) bool {
	found := false
	ast.Inspect(x, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			found = true
		case *ast.UnaryExpr:
			found = found || n.Op == token.ARROW
		}
		return !found
	})
	return found
}

// toBlank reports whether the target of a store is a blank field; such a store is left out.
func toBlank(in *ssa.Store) bool {
	f, ok := in.Addr.(*ssa.FieldAddr)
	return ok && elemOf(f.X.Type()).Underlying().(*types.Struct).Field(f.Field).Name() == "_"
}
