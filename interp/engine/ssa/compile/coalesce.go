package compile

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/gokernel/gokernel/interp/engine/ssa/live"
)

// placed reports whether a value gets a frame slot that it may share with a φ.
func (c *body) placed(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Phi:
		return true
	case *ssa.Parameter:
		return c.outer == nil // otherwise it may be in a slot of the caller
	case *ssa.Alloc, *ssa.Extract, *ssa.Range:
		return false
	case ssa.Instruction:
		if _, tuple := v.(ssa.Value).Type().(*types.Tuple); tuple {
			return false
		}
		return !c.fused(v.(ssa.Value))
	}
	return false
}

// plan returns the description of the function's values for package live.
func (c *body) plan() *live.Plan {
	return &live.Plan{
		Placed: c.placed,
		Fused:  c.fused,
		Alike:  func(a, b types.Type) bool { return c.typ(a) == c.typ(b) },
	}
}

// coalesce lets φs share frame slots with their operands where the values are never live at the
// same time.
func (c *body) coalesce() { c.class = live.Share(c.ssa, c.plan()) }
