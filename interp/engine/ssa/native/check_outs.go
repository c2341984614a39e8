//go:build linux && (amd64 || arm64)

package native

import (
	"errors"
	"unsafe"
)

// checkThread and checkOutFrame stand for the objects of the machine that code with call-outs uses.
type checkThread struct{ bound int32 }

type checkOutFrame struct {
	thread *checkThread
	pc     int32
	list   *checkNode
	sum    int64
}

// checkOuts runs
//
//	for ; list != nil; list = list.next { sum += list.value }
//
// with the sum as a call-out. The operation of the call-out moves the stack, runs the code on the
// same context, and tells the code to leave.
func checkOuts() error {
	f := NewFunc()
	list := f.Var(Var{Type: Pointer, Placed: true, Home: int32(unsafe.Offsetof(checkOutFrame{}.list))})
	sum := f.Var(Var{Type: Int64, Placed: true, Home: int32(unsafe.Offsetof(checkOutFrame{}.sum))})
	f.Blocks = []Block{
		{End: Branch, Test: Test{Type: Pointer, Cond: NotEqual, X: list}, Next: [2]int{1, 2}},
		{Depth: 1, End: Jump, Next: [2]int{3}, Instrs: []Instr{{Op: CallOut, Exit: 0, Defs: []Reg{sum}}}},
		{End: Return},
		{Depth: 1, End: Jump, Next: [2]int{0}, Instrs: []Instr{
			{Op: Load, Type: Pointer, D: list, Mem: Mem{Base: list, Disp: int32(unsafe.Offsetof(checkNode{}.next))}},
			{Op: Poll, Exit: 1},
		}},
	}
	f.Order, f.Entries, f.Results = []int{0, 1, 3, 2}, []int{0, 3}, []Reg{sum}
	f.Exits = []Exit{{Ops: 1, Next: 3, Uses: []Reg{list, sum}}, {}}
	f.Calls = &Runtime{FrameThread: int32(unsafe.Offsetof(checkOutFrame{}.thread)), FramePC: int32(unsafe.Offsetof(checkOutFrame{}.pc))}
	code, err := Compile(f, nil)
	if err != nil {
		return err
	}
	ctx := NewContext(SmallStack)
	nested, runs := 0, 0
	var chain error
	op := func(p unsafe.Pointer) {
		fr := (*checkOutFrame)(p)
		if fr.pc != 8 {
			chain = errDiffers
		}
		fr.sum += fr.list.value
		fr.thread.bound = 0
		if nested > 0 {
			return
		}
		if runs++; runs%200 == 0 {
			growStack(32)
			chain = errors.Join(chain, checkFramePointers())
		}
		if runs == 950 {
			fr.thread.bound = -1
		}
		if runs%100 == 50 {
			nested++
			inner := &checkOutFrame{thread: &checkThread{}, list: &checkNode{value: 5}}
			if how, _, _ := code.Run(ctx, 0, unsafe.Pointer(inner)); how != Returned || inner.sum != 5 {
				chain = errDiffers
			}
			nested--
		}
	}
	code.SetOps(func(int32) ([]func(unsafe.Pointer), int32, int) { return []func(unsafe.Pointer){op}, 7, 1 })
	const length = 1000
	frame := &checkOutFrame{thread: &checkThread{}}
	for i := range int64(length) {
		frame.list = &checkNode{frame.list, i}
	}
	told, polled := 0, 0
	for entry := 0; ; {
		how, exit, _ := code.Run(ctx, entry, unsafe.Pointer(frame))
		switch {
		case how == Returned:
			if frame.sum != length*(length-1)/2 || told == 0 || polled == 0 {
				return errDiffers
			}
			return chain
		case how == Ran && exit == 0:
			entry = 1
			if frame.thread.bound < 0 {
				told++
			} else {
				polled++
			}
		case how == Polled && exit == 1:
			entry = 0
			polled++
		default:
			return errDiffers
		}
	}
}
