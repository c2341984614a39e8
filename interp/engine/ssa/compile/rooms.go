package compile

import (
	"unsafe"

	"github.com/gokernel/gokernel/interp/engine/ssa/layout"
	"github.com/gokernel/gokernel/interp/engine/ssa/machine"
)

// The compiler uses these names of other packages on nearly every line.
type (
	frame = layout.Frame
	slot  = layout.Slot
	rep   = layout.Rep
	iface = layout.Iface

	op         = machine.Op
	branch     = machine.Branch
	block      = machine.Block
	code       = machine.Code
	function   = machine.Function
	thread     = machine.Thread
	frameStack = machine.Stack
	header     = machine.Header
)

// ref returns the variable at an offset of the frame.
func ref[T any](fp frame, off uintptr) *T { return (*T)(unsafe.Add(fp, off)) }

// head returns the header of the frame.
func head(fp frame) *header { return (*header)(fp) }
