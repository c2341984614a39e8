package machine

import (
	"sync/atomic"

	"github.com/gokernel/gokernel/interp/engine/ssa/layout"
	"golang.org/x/tools/go/ssa"
)

// Op is a statement: it works on a frame and returns.
type Op func(fp layout.Frame)

// Branch ends a block and returns the next one.
type Branch func(fp layout.Frame) *Block

// Block is a compiled basic block. After its ops, control passes to next or to the result of
// branch. A block that has neither returns to the caller.
type Block struct {
	Ops    []Op
	First  int32 // number of the first op in its function
	Next   *Block
	Branch Branch
	// BranchPC is the number of the branch as an op. The compiler may have moved the branch here
	// from another block.
	BranchPC int32
	SSA      *ssa.BasicBlock
	// Stops are the sites in the block, in order. If Branch itself iterates the block, Once is the
	// branch to take after a single iteration. See stepping.go.
	Stops []Stop
	Once  Branch

	native atomic.Pointer[nativeEntry] // its JIT-compiled code; see native.go
}
