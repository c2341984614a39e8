package compile

import (
	"go/types"
	"unsafe"

	"github.com/gokernel/gokernel/interp/engine/ssa/rtype"
	"golang.org/x/tools/go/ssa"
)

// A slice literal of constants that is only read needs one array for all executions, such as a
// table of names in a function. The instructions that make the array have no ops.

// table is the array of such a literal.
type table struct {
	data unsafe.Pointer
	n    int
}

// findTables finds the slice literals of constants that are only read.
func (c *body) findTables() {
	if c.debug != nil {
		return
	}
	for _, b := range c.ssa.Blocks {
		for i, in := range b.Instrs {
			if a, ok := in.(*ssa.Alloc); ok && a.Comment == "slicelit" {
				c.findTable(a, b.Instrs[i+1:])
			}
		}
	}
}

// findTable handles the array of a slice literal, which has these instructions after it.
func (c *body) findTable(a *ssa.Alloc, rest []ssa.Instruction) {
	array := elemOf(a.Type()).Underlying().(*types.Array)
	if array.Len() == 0 {
		return
	}
	var whole *ssa.Slice
	address := map[ssa.Value]bool{a: true}
	parts := []ssa.Instruction{a}
	n := len(*a.Referrers())
	for _, in := range rest {
		if n == 0 {
			break
		}
		switch in := in.(type) {
		case *ssa.IndexAddr:
			if _, ok := in.Index.(*ssa.Const); !ok || !address[in.X] {
				continue
			}
			address[in] = true
			n += len(*in.Referrers()) - 1
		case *ssa.FieldAddr:
			if !address[in.X] {
				continue
			}
			address[in] = true
			n += len(*in.Referrers()) - 1
		case *ssa.Store:
			if _, ok := in.Val.(*ssa.Const); !ok || !address[in.Addr] || in.Addr == a {
				continue
			}
			n--
		case *ssa.DebugRef:
			if address[in.X] {
				n--
			}
			continue
		case *ssa.Slice:
			if in.X != a || in.Low != nil || in.High != nil || in.Max != nil || whole != nil {
				continue
			}
			whole = in
			n--
			continue
		default:
			continue
		}
		parts = append(parts, in)
	}
	if n != 0 || whole == nil {
		return // an address has another use
	}
	f := following{seen: map[ssa.Value]bool{}, local: true}
	if !f.slice(whole, 0) || f.changed {
		return
	}
	t := c.typ(elemOf(a.Type()))
	data := rtype.Alloc(t)
	for _, in := range parts {
		if st, ok := in.(*ssa.Store); ok {
			setConst(c.typ(st.Val.Type()), unsafe.Add(data, c.offsetIn(a, st.Addr)), st.Val.(*ssa.Const))
		}
		c.omitted[in] = true
	}
	c.tables[whole] = table{data, int(array.Len())}
}

// offsetIn returns the offset of an address in the array of a table.
func (c *body) offsetIn(a *ssa.Alloc, addr ssa.Value) uintptr {
	switch v := addr.(type) {
	case *ssa.IndexAddr:
		elem := c.typ(elemOf(v.Type()))
		return c.offsetIn(a, v.X) + uintptr(v.Index.(*ssa.Const).Int64())*elem.Size()
	case *ssa.FieldAddr:
		return c.offsetIn(a, v.X) + c.fieldOffset(v)
	}
	return 0
}

// tableOp returns the op that sets d to a table.
func tableOp(d uintptr, t table) op {
	s := rtype.Slice{Data: t.data, Len: t.n, Cap: t.n}
	return func(fp frame) { *ref[rtype.Slice](fp, d) = s }
}
