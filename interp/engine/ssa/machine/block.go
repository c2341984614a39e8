package machine

import (
	"sync/atomic"

	"github.com/gokernel/gokernel/interp/engine/ssa/layout"
	"golang.org/x/tools/go/ssa"
)

// Op is a statement: it works on a frame and continues.
type Op func(fp layout.Frame)

// Branch ends a block: it gives the next one.
type Branch func(fp layout.Frame) *Block

// Block is a compiled basic block. After its ops it continues to next, to what
// branch says, or, without either, back to the caller.
type Block struct {
	Ops    []Op
	First  int32 // number of the first op in its function
	Next   *Block
	Branch Branch
	// BranchPC is the number of the branch, which may be another block's.
	BranchPC int32
	SSA      *ssa.BasicBlock
	// Stops are the sites in the block, in order; Once is the branch where Branch makes
	// rounds of the block itself. See stepping.go.
	Stops []Stop
	Once  Branch

	native atomic.Pointer[nativeEntry] // as machine code; see native.go
}
