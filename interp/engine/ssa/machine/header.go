package machine

import (
	"unsafe"

	"github.com/gokernel/gokernel/interp/engine/ssa/layout"
	"github.com/gokernel/gokernel/interp/engine/ssa/native"
)

// Header is the part that every frame has.
type Header struct {
	Thread *Thread    // the thread whose stack has the frame
	stack  *Stack     // the frames of the same function
	Rec    *Panicking // the panic that a directly deferred call may recover
	Defers *Deferred  // deferred calls, newest first
	depth  int32      // depth of the call; see Thread.depth
	PC     int32      // number of the running op + 1, 0 before the first

	// These fields are set if JIT-compiled code has called the function in this frame. They are the
	// address at which the caller continues, the caller's frame, the caller's code, and the exit of
	// the call. See native.go.
	back, caller uintptr
	code         native.Ref
	site         int32
}

// The size of the header, and the number of pointers at its start.
const (
	headerSize     = unsafe.Sizeof(Header{})
	headerPointers = 4
)

// NewLayout begins the layout of a frame.
func NewLayout() *layout.Layout { return layout.New(headerSize, headerPointers) }

// Head returns the header of a frame.
func Head(fp layout.Frame) *Header { return (*Header)(fp) }
