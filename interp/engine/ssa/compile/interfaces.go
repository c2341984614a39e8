package compile

import (
	"os"
	"sync/atomic"
	"unsafe"

	"github.com/gokernel/gokernel/interp/engine/ssa/layout"
	"github.com/gokernel/gokernel/interp/engine/ssa/machine"
	"github.com/gokernel/gokernel/interp/engine/ssa/rtype"
	"github.com/gokernel/gokernel/interp/engine/ssa/standin"
	"golang.org/x/tools/go/ssa"
)

// dynamicType returns the type that an interface value holds, or nil if it holds none.
func dynamicType(v *iface, empty bool) *rtype.Type {
	if empty || v.Tab == nil {
		return (*rtype.Type)(v.Tab)
	}
	return (*rtype.Itab)(v.Tab).Type()
}

// loadAny returns the interface value in a frame slot as an any.
func loadAny(fp frame, off uintptr, empty bool) (x any) {
	v := ref[iface](fp, off)
	*(*iface)(unsafe.Pointer(&x)) = iface{Tab: unsafe.Pointer(dynamicType(v, empty)), Data: v.Data}
	return x
}

// changeInterface compiles conversions between interface types that cannot fail.
func (c *body) changeInterface(in *ssa.ChangeInterface) {
	d, x := c.slot(in), c.slot(in.X)
	from, to := isEmpty(in.X.Type()), isEmpty(in.Type())
	if from && to {
		c.emit(moveOp(d.Rep, d.Type, d.Off, x.Off), in.Pos())
		return
	}
	table := tableCache(d.Type, to)
	standard := c.standardChange(in.X.Type(), in.Type())
	c.emit(func(fp frame) {
		v := ref[iface](fp, x.Off)
		t, data := dynamicType(v, from), v.Data
		if t == nil {
			*ref[iface](fp, d.Off) = iface{}
			return
		}
		if standard != nil {
			t, data = standard(t, data)
		}
		*ref[iface](fp, d.Off) = iface{Tab: table(t), Data: data}
	}, in.Pos())
}

// tableCache returns a function for an interface type. The function returns the first word of an
// interface value of this type with a given dynamic type.
func tableCache(inter *rtype.Type, empty bool) func(t *rtype.Type) unsafe.Pointer {
	if empty {
		return func(t *rtype.Type) unsafe.Pointer { return unsafe.Pointer(t) }
	}
	var last atomic.Pointer[rtype.Itab]
	return func(t *rtype.Type) unsafe.Pointer {
		if i := last.Load(); i != nil && i.Type() == t {
			return unsafe.Pointer(i)
		}
		i := rtype.Assert(inter, t)
		last.Store(i)
		return unsafe.Pointer(i)
	}
}

// makeInterface compiles the conversion of a value to an interface.
func (c *body) makeInterface(in *ssa.MakeInterface) {
	d := c.slot(in)
	t := c.typ(in.X.Type())
	table := tableCache(d.Type, isEmpty(in.Type()))
	if k, ok := in.X.(*ssa.Const); ok && !t.Direct() {
		// Constants are boxed once, because nothing can write to them.
		p := rtype.Alloc(t)
		setConst(t, p, k)
		c.emit(func(fp frame) { *ref[iface](fp, d.Off) = iface{Tab: table(t), Data: p} }, in.Pos())
		return
	}
	var box expr[unsafe.Pointer]
	switch r := layout.Of(t); r {
	case layout.Int64:
		box = boxed[int64](c, in.X, t)
	case layout.Float64:
		box = boxed[float64](c, in.X, t)
	case layout.String:
		box = boxed[string](c, in.X, t)
	case layout.Pointer:
		if t.Direct() {
			box = argOf[unsafe.Pointer](c, in.X).fn()
		}
	}
	if box == nil {
		x := c.slotOf(in.X)
		if t.Direct() {
			box = func(fp frame) unsafe.Pointer { return *ref[unsafe.Pointer](fp, x.Off) }
		} else {
			box = func(fp frame) unsafe.Pointer {
				p := rtype.Alloc(t)
				layout.Copy(x.Rep, t, p, unsafe.Add(fp, x.Off))
				return p
			}
		}
	}
	if t == fileType && !forCommand(in) {
		if standard := c.standardChange(in.X.Type(), in.Type()); standard != nil {
			c.emit(func(fp frame) {
				t, p := standard(t, box(fp))
				*ref[iface](fp, d.Off) = iface{Tab: table(t), Data: p}
			}, in.Pos())
			return
		}
	}
	c.emit(func(fp frame) {
		p := box(fp)
		*ref[iface](fp, d.Off) = iface{Tab: table(t), Data: p}
	}, in.Pos())
}

func boxed[T any](c *body, v ssa.Value, t *rtype.Type) expr[unsafe.Pointer] {
	x := argOf[T](c, v).fn()
	return func(fp frame) unsafe.Pointer {
		v := x(fp)
		p := rtype.Alloc(t)
		*(*T)(p) = v
		return p
	}
}

// slotOf returns the slot of a value. A value that is a tree is stored in a new slot.
func (c *body) slotOf(v ssa.Value) slot {
	if !c.fused(v) {
		return c.slot(v)
	}
	if off, ok := c.staticLoad(v); ok {
		t := c.typ(v.Type())
		return slot{Off: off, Type: t, Rep: layout.Of(t)}
	}
	delete(c.inTree, v)
	if c.listening {
		c.delayed[v] = true
	}
	s := c.slot(v)
	c.assign(s, v)
	return s
}

// typeAssert compiles x.(T), and v, ok := x.(T).
func (c *body) typeAssert(in *ssa.TypeAssert) {
	x := c.slot(in.X)
	var d, ok slot
	if in.CommaOk {
		ts := c.tuple(in)
		d, ok = ts[0], ts[1]
	} else {
		d = c.slot(in)
	}
	from := isEmpty(in.X.Type())
	want := c.typ(in.AssertedType)
	if isInterface(in.AssertedType) {
		standard := c.standardChange(in.X.Type(), in.AssertedType)
		c.emit(c.all.assertInterface(d, ok, x.Off, from, want, isEmpty(in.AssertedType), in.CommaOk, standard), in.Pos())
		return
	}
	direct := want.Direct()
	// A standard file counts as the file that it represents.
	standard := func(t *rtype.Type) bool { return t == standardType && want == fileType }
	get := func(fp frame, v *iface, t *rtype.Type) {
		if standard(t) {
			*ref[*os.File](fp, d.Off) = (*standin.File)(v.Data).File
			return
		}
		if direct {
			*ref[unsafe.Pointer](fp, d.Off) = v.Data
		} else {
			layout.Copy(d.Rep, want, unsafe.Add(fp, d.Off), v.Data)
		}
	}
	if in.CommaOk {
		c.emit(func(fp frame) {
			v := ref[iface](fp, x.Off)
			t := dynamicType(v, from)
			same := t == want || standard(t) || c.all.isNow(t, want)
			if same {
				get(fp, v, t)
			} else {
				machine.ClearSlot(fp, d)
			}
			*ref[bool](fp, ok.Off) = same
		}, in.Pos())
		return
	}
	static := x.Type
	c.emit(func(fp frame) {
		v := ref[iface](fp, x.Off)
		t := dynamicType(v, from)
		if t != want && !standard(t) && !c.all.isNow(t, want) {
			panic(rtype.AssertionError(static, t, want))
		}
		get(fp, v, t)
	}, in.Pos())
}

func (all *Compiler) assertInterface(d, ok slot, x uintptr, from bool, want *rtype.Type, empty, commaOk bool, standard standardChange) op {
	return func(fp frame) {
		v := *ref[iface](fp, x)
		t := dynamicType(&v, from)
		if all.Renewals.Load() > 0 && t != nil {
			t = all.Types.Latest(t)
		}
		if standard != nil {
			t, v.Data = standard(t, v.Data)
		}
		var table unsafe.Pointer
		switch {
		case t == nil:
		case empty:
			table = unsafe.Pointer(t)
		case commaOk:
			table = unsafe.Pointer(rtype.ItabFor(want, t))
		default:
			table = unsafe.Pointer(rtype.Assert(want, t))
		}
		if table == nil {
			if !commaOk {
				panic(rtype.AssertionError(nil, nil, want))
			}
			v.Data = nil
		}
		*ref[iface](fp, d.Off) = iface{Tab: table, Data: v.Data}
		if commaOk {
			*ref[bool](fp, ok.Off) = table != nil
		}
	}
}
