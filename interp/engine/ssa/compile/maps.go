package compile

import (
	"go/token"
	"slices"
	"unsafe"

	"github.com/gokernel/gokernel/interp/engine/ssa/layout"
	"github.com/gokernel/gokernel/interp/engine/ssa/machine"
	"github.com/gokernel/gokernel/interp/engine/ssa/rtype"
	"golang.org/x/tools/go/ssa"
)

// lookup compiles v = m[k], and v, ok = m[k].
func (c *body) lookup(in *ssa.Lookup) {
	if c.repOf(in.X.Type()) == layout.String {
		c.assign(c.slot(in), in)
		return
	}
	m, k := c.slot(in.X), c.slot(in.Index)
	if !in.CommaOk {
		d := c.slot(in)
		if o := fastLookup(m, k, d); o != nil {
			c.emit(o, in.Pos())
			return
		}
		find := finder(m, k)
		c.emit(func(fp frame) {
			p, _ := find(fp)
			layout.Copy(d.Rep, d.Type, unsafe.Add(fp, d.Off), p)
		}, in.Pos())
		return
	}
	ts := c.tuple(in)
	d, ok := ts[0], ts[1]
	find := finder(m, k)
	c.emit(func(fp frame) {
		p, has := find(fp)
		layout.Copy(d.Rep, d.Type, unsafe.Add(fp, d.Off), p)
		*ref[bool](fp, ok.Off) = has
	}, in.Pos())
}

// mapUpdate compiles m[k] = v.
func (c *body) mapUpdate(in *ssa.MapUpdate) {
	m, k := c.slot(in.Map), c.slot(in.Key)
	if c.addToElement(in, m, k) {
		return
	}
	v := c.slot(in.Value)
	if o := fastUpdate(m, k, v); o != nil {
		c.emit(o, in.Pos())
		return
	}
	place := placer(m, k)
	c.emit(func(fp frame) { layout.Copy(v.Rep, v.Type, place(fp), unsafe.Add(fp, v.Off)) }, in.Pos())
}

// finder returns a function that finds the element of a key, as rtype.MapGet does.
func finder(m, k slot) func(fp frame) (elem unsafe.Pointer, ok bool) {
	t, m0, k0 := m.Type, m.Off, k.Off
	if rtype.FastMap(t) {
		switch k.Rep {
		case layout.Int64, layout.Uint64:
			return func(fp frame) (unsafe.Pointer, bool) {
				return rtype.MapGet64(t, *ref[unsafe.Pointer](fp, m0), *ref[uint64](fp, k0))
			}
		case layout.Int32, layout.Uint32:
			return func(fp frame) (unsafe.Pointer, bool) {
				return rtype.MapGet32(t, *ref[unsafe.Pointer](fp, m0), *ref[uint32](fp, k0))
			}
		case layout.String:
			return func(fp frame) (unsafe.Pointer, bool) {
				return rtype.MapGetString(t, *ref[unsafe.Pointer](fp, m0), *ref[string](fp, k0))
			}
		}
	}
	return func(fp frame) (unsafe.Pointer, bool) {
		return rtype.MapGet(t, *ref[unsafe.Pointer](fp, m0), unsafe.Add(fp, k0))
	}
}

// placer returns a function that finds or inserts the element of a key, as rtype.MapSlot does.
func placer(m, k slot) func(fp frame) unsafe.Pointer {
	t, m0, k0 := m.Type, m.Off, k.Off
	if rtype.FastMap(t) {
		switch k.Rep {
		case layout.Int64, layout.Uint64:
			return func(fp frame) unsafe.Pointer {
				return rtype.MapSlot64(t, *ref[unsafe.Pointer](fp, m0), *ref[uint64](fp, k0))
			}
		case layout.Int32, layout.Uint32:
			return func(fp frame) unsafe.Pointer {
				return rtype.MapSlot32(t, *ref[unsafe.Pointer](fp, m0), *ref[uint32](fp, k0))
			}
		case layout.String:
			return func(fp frame) unsafe.Pointer {
				return rtype.MapSlotString(t, *ref[unsafe.Pointer](fp, m0), *ref[string](fp, k0))
			}
		}
	}
	return func(fp frame) unsafe.Pointer {
		return rtype.MapSlot(t, *ref[unsafe.Pointer](fp, m0), unsafe.Add(fp, k0))
	}
}

// makeMap compiles make(map[K]V, n).
func (c *body) makeMap(in *ssa.MakeMap) {
	d := c.slot(in)
	entry := d.Type.Reflect().Key().Size() + d.Type.Reflect().Elem().Size() + 1
	n := func(frame) int64 { return 0 }
	if in.Reserve != nil {
		n = c.index(in.Reserve).fn()
	}
	c.emit(func(fp frame) {
		hint := n(fp)
		if hint < 0 || hint > 1<<40 {
			hint = 0
		}
		machine.Room(int(hint), entry)
		*ref[unsafe.Pointer](fp, d.Off) = rtype.MakeMap(d.Type, int(hint))
	}, in.Pos())
}

// fastLookup reads a map as if it had one of a few map types of this binary. That is valid because
// maps with keys of one kind and elements of one size and pointer layout have the same layout, and
// the hash of a basic key depends only on the map.
func fastLookup(m, k, d slot) op {
	switch k.Rep {
	case layout.Int64, layout.Uint64:
		return fastGet[int64](m, k, d)
	case layout.Int32, layout.Uint32:
		return fastGet[int32](m, k, d)
	case layout.String:
		return fastGet[string](m, k, d)
	}
	return nil
}

func fastGet[K comparable](m, k, d slot) op {
	switch d.Rep {
	case layout.Int64, layout.Uint64, layout.Float64:
		return mapGet[K, int64](m.Off, k.Off, d.Off)
	case layout.Bool:
		return mapGet[K, bool](m.Off, k.Off, d.Off)
	case layout.Pointer:
		return mapGet[K, unsafe.Pointer](m.Off, k.Off, d.Off)
	case layout.String:
		return mapGet[K, string](m.Off, k.Off, d.Off)
	case layout.Slice:
		return mapGet[K, rtype.Slice](m.Off, k.Off, d.Off)
	}
	return nil
}

func mapGet[K comparable, V any](m, k, d uintptr) op {
	return func(fp frame) { *ref[V](fp, d) = (*ref[map[K]V](fp, m))[*ref[K](fp, k)] }
}

// fastUpdate is the counterpart of fastLookup.
func fastUpdate(m, k, v slot) op {
	switch k.Rep {
	case layout.Int64, layout.Uint64:
		return fastSet[int64](m, k, v)
	case layout.Int32, layout.Uint32:
		return fastSet[int32](m, k, v)
	case layout.String:
		return fastSet[string](m, k, v)
	}
	return nil
}

func fastSet[K comparable](m, k, v slot) op {
	switch v.Rep {
	case layout.Int64, layout.Uint64, layout.Float64:
		return mapSet[K, int64](m.Off, k.Off, v.Off)
	case layout.Bool:
		return mapSet[K, bool](m.Off, k.Off, v.Off)
	case layout.Pointer:
		return mapSet[K, unsafe.Pointer](m.Off, k.Off, v.Off)
	case layout.String:
		return mapSet[K, string](m.Off, k.Off, v.Off)
	case layout.Slice:
		return mapSet[K, []byte](m.Off, k.Off, v.Off)
	}
	return nil
}

func mapSet[K comparable, V any](m, k, v uintptr) op {
	return func(fp frame) { (*ref[map[K]V](fp, m))[*ref[K](fp, k)] = *ref[V](fp, v) }
}

// addToElement compiles m[k] += v as one step. go/ssa represents this assignment as three
// instructions; the first two have been compiled already.
func (c *body) addToElement(in *ssa.MapUpdate, m, k slot) bool {
	sum, ok := in.Value.(*ssa.BinOp)
	if !ok || sum.Op != token.ADD || len(*sum.Referrers()) != 1 || c.fused(sum) {
		return false
	}
	get, ok := sum.X.(*ssa.Lookup)
	if !ok || get.CommaOk || get.X != in.Map || get.Index != in.Key || len(*get.Referrers()) != 1 {
		return false
	}
	is := in.Block().Instrs
	i := slices.Index(is, ssa.Instruction(in))
	if i < 2 || is[i-1] != ssa.Instruction(sum) || is[i-2] != ssa.Instruction(get) || len(c.ops) < 2 {
		return false
	}
	var o op
	switch r := c.repOf(sum.Type()); {
	case r == layout.Int64 && k.Rep == layout.String:
		o = addElement[string, int64](c, m, k, sum.Y)
	case r == layout.Int64 && k.Rep == layout.Int64:
		o = addElement[int64, int64](c, m, k, sum.Y)
	case r == layout.Float64 && k.Rep == layout.String:
		o = addElement[string, float64](c, m, k, sum.Y)
	case r == layout.Float64 && k.Rep == layout.Int64:
		o = addElement[int64, float64](c, m, k, sum.Y)
	case r == layout.Int64:
		o = addSlot[int64](c, placer(m, k), sum.Y)
	case r == layout.Float64:
		o = addSlot[float64](c, placer(m, k), sum.Y)
	default:
		return false
	}
	c.ops, c.pos = c.ops[:len(c.ops)-2], c.pos[:len(c.pos)-2]
	c.emit(o, in.Pos())
	return true
}

func addElement[K comparable, V number](c *body, m, k slot, v ssa.Value) op {
	y := argOf[V](c, v).fn()
	return func(fp frame) {
		x := y(fp)
		(*ref[map[K]V](fp, m.Off))[*ref[K](fp, k.Off)] += x
	}
}

// addSlot is addElement for keys of any type.
func addSlot[V number](c *body, place func(fp frame) unsafe.Pointer, v ssa.Value) op {
	y := argOf[V](c, v).fn()
	return func(fp frame) {
		x := y(fp)
		*(*V)(place(fp)) += x
	}
}
