package compile

import (
	"go/token"
	"go/types"
	"reflect"
	"unsafe"

	"github.com/gokernel/gokernel/interp/engine/ssa/layout"
	"github.com/gokernel/gokernel/interp/engine/ssa/machine"
	"github.com/gokernel/gokernel/interp/engine/ssa/rtype"
	"golang.org/x/tools/go/ssa"
)

// instruction compiles an instruction that is a statement. Its value, if it has one, gets a frame
// slot.
func (c *body) instruction(in ssa.Instruction) {
	if c.omitted[in] {
		return
	}
	pos := in.Pos()
	switch in := in.(type) {
	case *ssa.Alloc:
		c.alloc(in)
	case *ssa.BinOp:
		if c.scalarOp(in) {
			c.assign(c.slot(in), in)
			return
		}
		c.emit(c.compare(in), pos)
	case *ssa.UnOp:
		switch {
		case in.Op == token.ARROW:
			c.receive(in)
		case in.Op == token.MUL:
			if c.onlyRangedOver(in) {
				return
			}
			d := c.slot(in)
			c.mayPanic(pos)
			c.emit(loadOp(d, c.address(in.X)), pos)
		default:
			c.assign(c.slot(in), in)
		}
	case *ssa.Store:
		if c.toDeferStack(in) {
			return
		}
		if c.fused(in.Val) || !toBlank(in) {
			c.storeInstr(in)
		}
	case *ssa.FieldAddr, *ssa.IndexAddr:
		v := in.(ssa.Value)
		if _, ok := c.staticAddr(v); ok && onlyAddressed(v) {
			return
		}
		c.assign(c.slot(v), v)
	case *ssa.Field:
		d, x := c.slot(in), c.slot(in.X)
		c.emit(moveOp(d.Rep, d.Type, d.Off, x.Off+x.Type.Reflect().Field(in.Field).Offset), pos)
	case *ssa.Index:
		c.indexInstr(in)
	case *ssa.Lookup:
		c.lookup(in)
	case *ssa.MapUpdate:
		c.mapUpdate(in)
	case *ssa.MakeMap:
		c.makeMap(in)
	case *ssa.MakeSlice:
		c.makeSlice(in)
	case *ssa.MakeChan:
		c.makeChan(in)
	case *ssa.Slice:
		c.slice(in)
	case *ssa.SliceToArrayPointer:
		c.sliceToArray(in)
	case *ssa.ChangeType:
		c.store(c.slot(in), in.X, pos)
	case *ssa.Convert:
		if c.numeric(in.X.Type()) && c.numeric(in.Type()) {
			c.assign(c.slot(in), in)
			return
		}
		if d, x := c.slot(in), c.slot(in.X); d.Rep == layout.Slice && x.Rep == layout.String {
			c.emit(c.stringToSlice(in, d.Off, x.Off, d.Type.Reflect().Elem().Kind()), pos)
			return
		}
		c.emit(c.convertInstr(c.slot(in), c.slot(in.X)), pos)
	case *ssa.MultiConvert:
		c.emit(c.convertInstr(c.slot(in), c.slot(in.X)), pos)
	case *ssa.ChangeInterface:
		c.changeInterface(in)
	case *ssa.MakeInterface:
		c.makeInterface(in)
	case *ssa.TypeAssert:
		c.typeAssert(in)
	case *ssa.MakeClosure:
		c.makeClosure(in)
	case *ssa.Extract:
	case *ssa.Range:
		c.rangeInstr(in)
	case *ssa.Next:
		c.next(in)
	case *ssa.Send:
		c.send(in)
	case *ssa.Select:
		c.selectInstr(in)
	case *ssa.Call:
		c.callInstr(in)
	case *ssa.Go:
		c.goInstr(in)
	case *ssa.Defer:
		c.deferInstr(in)
	case *ssa.RunDefers:
		if !c.code.Defers {
			return
		}
		if body := c.ssa.Syntax(); !pos.IsValid() && body != nil {
			pos = body.End() - 1 // the function's closing brace
		}
		c.emit(machine.RunDefers, pos)
	default:
		refuse(pos, "instruction "+reflect.TypeOf(in).String(), "")
	}
}

func (c *body) alloc(in *ssa.Alloc) {
	if c.keepsDefers(in) {
		return
	}
	t := c.typ(elemOf(in.Type()))
	off, ok := c.local[in]
	if !ok && in.Comment == "makeslice" {
		c.makeArray(in, t)
		return
	}
	if !ok {
		d := c.slot(in).Off
		if t.Size() >= 1<<20 {
			c.emit(func(fp frame) {
				machine.Room(1, t.Size())
				*ref[unsafe.Pointer](fp, d) = rtype.Alloc(t)
			}, in.Pos())
			return
		}
		c.emit(func(fp frame) { *ref[unsafe.Pointer](fp, d) = rtype.Alloc(t) }, in.Pos())
		return
	}
	if in.Comment == "varargs" {
		return // all of it is set before append reads it
	}
	if onlyAddressed(in) && c.setAtOnce(in) {
		return
	}
	if c.debug == nil || c.spilled(in) == nil { // otherwise it holds a parameter, which is set already
		c.clearLocal(t, off, in.Pos())
	}
	if !onlyAddressed(in) {
		d := c.slot(in).Off
		c.emit(func(fp frame) { *ref[unsafe.Pointer](fp, d) = unsafe.Add(fp, off) }, in.Pos())
	}
}

// clearLocal clears a variable in the frame.
func (c *body) clearLocal(t *rtype.Type, off uintptr, pos token.Pos) {
	switch layout.Of(t) {
	case layout.Zero:
	case layout.Int64, layout.Uint64, layout.Float64:
		c.emit(func(fp frame) { *ref[uint64](fp, off) = 0 }, pos)
	case layout.Pointer:
		c.emit(func(fp frame) { *ref[unsafe.Pointer](fp, off) = nil }, pos)
	default:
		c.emit(func(fp frame) { rtype.Clear(t, unsafe.Add(fp, off)) }, pos)
	}
}

// onlyAddressed reports whether an address is used only for loads, stores and addresses of fields,
// and so is not needed as a value.
func onlyAddressed(v ssa.Value) bool {
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.UnOp:
			if r.Op == token.MUL {
				continue
			}
		case *ssa.Store:
			if r.Addr == v && r.Val != v {
				continue
			}
		case *ssa.FieldAddr, *ssa.DebugRef, *ssa.IndexAddr:
			continue
		}
		return false
	}
	return true
}

// compare returns d = x == y or x != y for interfaces, structs and arrays.
func (c *body) compare(in *ssa.BinOp) op {
	d := c.slot(in).Off
	x, y := c.slot(in.X), c.slot(in.Y)
	a, b, ne := x.Off, y.Off, in.Op == token.NEQ
	switch x.Rep {
	case layout.Zero:
		return func(fp frame) { *ref[bool](fp, d) = !ne }
	case layout.Interface:
		if isNil(in.Y) {
			return func(fp frame) { *ref[bool](fp, d) = (*ref[unsafe.Pointer](fp, a) == nil) != ne }
		}
		if isNil(in.X) {
			return func(fp frame) { *ref[bool](fp, d) = (*ref[unsafe.Pointer](fp, b) == nil) != ne }
		}
		xe, ye := isEmpty(in.X.Type()), isEmpty(in.Y.Type())
		return func(fp frame) {
			*ref[bool](fp, d) = (loadAny(fp, a, xe) == loadAny(fp, b, ye)) != ne
		}
	case layout.Slice:
		return func(fp frame) {
			*ref[bool](fp, d) = (ref[rtype.Slice](fp, a).Data == ref[rtype.Slice](fp, b).Data) != ne
		}
	}
	equal := x.Type.Equal()
	return func(fp frame) { *ref[bool](fp, d) = equal(unsafe.Add(fp, a), unsafe.Add(fp, b)) != ne }
}

func isNil(v ssa.Value) bool {
	k, ok := v.(*ssa.Const)
	return ok && k.Value == nil
}

// indexInstr compiles d = x[i] for an array value or a string.
func (c *body) indexInstr(in *ssa.Index) {
	if c.repOf(in.X.Type()) == layout.String {
		c.assign(c.slot(in), in)
		return
	}
	d, x := c.slot(in), c.slot(in.X)
	i, u := c.index(in.Index).fn(), c.unsigned(in.Index)
	n := int(in.X.Type().Underlying().(*types.Array).Len())
	size := d.Type.Size()
	c.emit(func(fp frame) {
		k := i(fp)
		if uint64(k) >= uint64(n) {
			badIndex(k, n, u)
		}
		layout.Copy(d.Rep, d.Type, unsafe.Add(fp, d.Off), unsafe.Add(fp, x.Off+uintptr(k)*size))
	}, in.Pos())
}
