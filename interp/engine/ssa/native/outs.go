//go:build linux && (amd64 || arm64)

package native

import (
	"sync/atomic"
	"unsafe"
)

// For most call-outs, the operations run without a return from enter: enter calls callOut, and
// enters the code again. The operation may run other code on the same context, because code that
// has made a call-out keeps everything in its frame.

// outWork is the work of an operation that Go runs for the code.
const outWork = 16

// out is a call-out whose operations run without a return to enter.
type out struct {
	op    func(unsafe.Pointer)
	more  []func(unsafe.Pointer) // further operations
	pc    int32                  // the number of the first operation
	waits bool                   // the goroutine may wait, or run the user's code
	next  uintptr                // where the code is entered after the operations
}

// SetOps sets the operations of the call-outs. For an exit, ops returns the operations, the number
// of the first operation minus 1, and the entry at which the code continues. SetOps must be called
// before the code runs.
func (c *Code) SetOps(ops func(exit int32) (all []func(unsafe.Pointer), first int32, resume int)) {
	c.outs = make([]out, len(c.departures))
	for i, d := range c.departures {
		if !d.quick {
			continue
		}
		all, first, resume := ops(d.exit)
		c.outs[i] = out{op: all[0], more: all[1:], pc: first + 1, waits: d.waits, next: c.again[resume]}
	}
}

// callOut runs the operations of a call-out. It sets next to 0 if the code has to leave.
//
//lint:ignore U1000 enter calls it, which is assembly
func callOut(c *Context) {
	code, fp, exit, left := c.gone(), c.frame, c.exit, c.left
	o := &code.outs[uint32(exit)&^(landFlag|outFlag)]
	c.next = 0
	if o.waits && c.roomy != 0 && !c.stays {
		return
	}
	r := code.runtime
	pc := (*int32)(unsafe.Add(fp, r.FramePC))
	*pc = o.pc
	o.op(fp)
	for i, op := range o.more {
		*pc = o.pc + 1 + int32(i)
		op(fp)
	}
	c.next = 0 // the operation may have run other code, which sets it
	c.frame, c.exit, c.cell = fp, exit, uintptr(unsafe.Pointer(code.cell))
	thread := *(*unsafe.Pointer)(unsafe.Add(fp, r.FrameThread))
	if left <= 2*outWork || atomic.LoadInt32((*int32)(unsafe.Add(thread, r.ThreadBound))) < 0 {
		c.left, c.ran = left, 1
		return
	}
	c.left, c.next = left-outWork, o.next
}
