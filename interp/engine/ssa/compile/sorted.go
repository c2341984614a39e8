package compile

import (
	"slices"

	"github.com/gokernel/gokernel/interp/engine/ssa/layout"
	"github.com/gokernel/gokernel/interp/engine/ssa/rtype"
	"golang.org/x/tools/go/ssa"
)

// sortOp returns the op that calls the compiled slices.Sort for elements of a basic type, or nil
// for other calls.
func (c *body) sortOp(fn *ssa.Function, call *ssa.CallCommon) op {
	if fn.Parent() != nil {
		return nil // Origin needs the enclosing generic function, which is never built
	}
	if o := fn.Origin(); o == nil || o.String() != "slices.Sort" {
		return nil
	}
	x := c.slotOf(call.Args[0])
	switch layout.Of(rtype.TypeOf(x.Type.Reflect().Elem())) {
	case layout.Int64:
		return sortSlice[int64](x.Off)
	case layout.Float64:
		return sortSlice[float64](x.Off)
	case layout.String:
		return sortSlice[string](x.Off)
	case layout.Int32:
		return sortSlice[int32](x.Off)
	case layout.Uint8:
		return sortSlice[uint8](x.Off)
	}
	return nil
}

func sortSlice[T ordered](x uintptr) op {
	return func(fp frame) { slices.Sort(*ref[[]T](fp, x)) }
}
