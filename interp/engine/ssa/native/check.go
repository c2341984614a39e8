//go:build linux && (amd64 || arm64)

package native

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"strings"
	"sync"
	"unsafe"
)

// Check returns an error if JIT-compiled code cannot be trusted in this binary, on this processor.
// The error describes the condition that does not hold; no code may be compiled then. The first
// call does the work, in less than a millisecond.
func Check() error { return checkOnce() }

var checkOnce = sync.OnceValue(func() error {
	for _, a := range []struct {
		name string
		test func() error
	}{
		{"loops that return pointers, and calls to compiled functions", checkLoop},
		{"functions that are called, resumed and abandoned", checkBodies},
		{"operations that the code leaves to Go", checkOuts},
	} {
		if err := a.test(); err != nil {
			return fmt.Errorf("%s: %w: see docs/explanation/engine-porting.md", a.name, err)
		}
	}
	return nil
})

var errDiffers = errors.New("the result differs from what is expected")

// checkNode is an element of a list.
type checkNode struct {
	next  *checkNode
	value int64
}

// checkFrame is the frame of a loop over a list.
type checkFrame struct {
	list  *checkNode
	sum   int64
	power float64
	seven int64
}

// checkLoop runs
//
//	for ; list != nil; list = list.next { sum += list.value * seven; power = f(power, power) }
//
// The loop takes side exits with its pointer several times, and calls a function that checks the
// chain of frame pointers.
func checkLoop() error {
	var chain error
	calls := 0
	f := NewFunc()
	f.Go = []func(x, y float64) float64{func(x, y float64) float64 {
		if calls++; calls%100 == 1 {
			growStack(32) // which may move the stack
			chain = errors.Join(chain, checkFramePointers())
		}
		return math.Sqrt(x*y) + 1
	}}
	list := f.Var(Var{Type: Pointer, Placed: true, Home: int32(unsafe.Offsetof(checkFrame{}.list))})
	sum := f.Var(Var{Type: Int64, Placed: true, Home: int32(unsafe.Offsetof(checkFrame{}.sum))})
	power := f.Var(Var{Type: Float64, Placed: true, Home: int32(unsafe.Offsetof(checkFrame{}.power))})
	seven := f.Var(Var{Type: Int64, Placed: true, Home: int32(unsafe.Offsetof(checkFrame{}.seven))})
	v := f.Var(Var{Type: Int64})
	f.Blocks = []Block{
		{End: Branch, Test: Test{Type: Pointer, Cond: NotEqual, X: list}, Next: [2]int{1, 2}},
		{Depth: 1, End: Jump, Next: [2]int{0}, Instrs: []Instr{
			{Op: Load, Type: Int64, D: v, Mem: Mem{Base: list, Disp: int32(unsafe.Offsetof(checkNode{}.value))}},
			{Op: Mul, Type: Int64, D: v, X: v, Y: seven},
			{Op: Add, Type: Int64, D: sum, X: sum, Y: v},
			{Op: CallGo, Type: Float64, D: power, Args: []Reg{power, power}},
			{Op: Load, Type: Pointer, D: list, Mem: Mem{Base: list, Disp: int32(unsafe.Offsetof(checkNode{}.next))}},
			{Op: Poll, Exit: 0},
		}},
		{End: Return},
	}
	f.Order, f.Entries, f.Exits, f.Results = []int{0, 1, 2}, []int{0}, []Exit{{}}, []Reg{sum, power}
	code, err := Compile(f, nil)
	if err != nil {
		return err
	}
	const length = 500
	frame := &checkFrame{seven: 7}
	for i := range int64(length) {
		frame.list = &checkNode{frame.list, i}
	}
	polls := 0
	ctx := NewContext(stackSize)
	for {
		how, _, _ := code.Run(ctx, 0, unsafe.Pointer(frame))
		if how == Returned {
			break
		}
		if polls++; how != Polled || polls > length || frame.list == nil || frame.list.next != nil && frame.list.value != frame.list.next.value+1 {
			return errDiffers
		}
	}
	if frame.sum != 7*length*(length-1)/2 || frame.power != length || calls != length || polls == 0 {
		return errDiffers
	}
	return chain
}

// checkBodies runs
//
//	func f(n int) int { if n < 2 { return n }; return f(n-1) + f(n-2) }
//
// The code suspends within calls, and must give up if n is too large for the stack.
func checkBodies() error {
	body := NewFunc()
	n := body.Var(Var{Type: Int64})
	less, a, b := body.Var(Var{Type: Int64}), body.Var(Var{Type: Int64}), body.Var(Var{Type: Int64})
	body.Params, body.Results, body.Entries, body.Order = []Reg{n}, []Reg{a}, []int{0}, []int{0, 1, 2}
	body.Blocks = []Block{
		{End: Branch, Test: Test{Type: Int64, Cond: Less, X: n, Imm: 2}, Next: [2]int{1, 2}},
		{End: Return, Instrs: []Instr{{Op: Move, D: a, X: n}}},
		{End: Return, Instrs: []Instr{
			{Op: Sub, Type: Int64, D: less, X: n, Imm: 1},
			{Op: Call, Type: Int64, D: a, Args: []Reg{less}, Exit: -1},
			{Op: Sub, Type: Int64, D: less, X: n, Imm: 2},
			{Op: Call, Type: Int64, D: b, Args: []Reg{less}, Exit: -1},
			{Op: Add, Type: Int64, D: a, X: a, Y: b},
		}},
	}
	f := NewFunc()
	arg := f.Var(Var{Type: Int64, Placed: true, Home: 0})
	result := f.Var(Var{Type: Int64, Placed: true, Home: 8})
	f.Bodies, f.Exits, f.Results, f.Order, f.Entries = []*Func{body}, []Exit{{Op: 5}}, []Reg{result}, []int{0}, []int{0}
	f.Blocks = []Block{{End: Return, Instrs: []Instr{{Op: Call, Type: Int64, D: result, Args: []Reg{arg}, Exit: 0}}}}
	code, err := Compile(f, nil)
	if err != nil {
		return err
	}
	ctx := NewContext(stackSize)
	run := func(frame *[2]int64) (how int, suspended bool) {
		how, _, _ = code.Run(ctx, 0, unsafe.Pointer(frame))
		for how == Suspended {
			suspended = true
			how, _, _ = code.Resume(ctx, unsafe.Pointer(frame))
		}
		return how, suspended
	}
	frame := [2]int64{18}
	if how, suspended := run(&frame); how != Returned || frame[1] != 2584 || !suspended {
		return errDiffers
	}
	frame = [2]int64{stackSize, 5}
	if how, _ := run(&frame); how != GivenUp || !ctx.Full() || frame != [2]int64{stackSize, 5} {
		return errDiffers
	}
	return nil
}

// framePointer returns the frame pointer. It points to the caller's frame pointer, after which
// comes the return address.
func framePointer() uintptr

// checkFramePointers follows the frame pointers of the running goroutine through the JIT-compiled
// code that has called checkFramePointers. The runtime's execution tracer and profiler do the same.
func checkFramePointers() error {
	through := false
	for fp, n := framePointer(), 0; n < 20; n++ {
		frame := **(**[2]uintptr)(unsafe.Pointer(&fp))
		f := runtime.FuncForPC(frame[1])
		if f == nil {
			return fmt.Errorf("a frame pointer does not lead to a function: %w", errDiffers)
		}
		switch _, name, _ := strings.Cut(f.Name(), "native."); {
		case name == "enter":
			through = true
		case name == "checkLoop", name == "checkOuts", name == "Check", strings.HasPrefix(name, "init.func"):
			if through { // the compiler may have inlined the check
				return nil
			}
		}
		if frame[0] <= fp || frame[0] > fp+1<<12 {
			return fmt.Errorf("a frame pointer does not lead to the caller: %w", errDiffers)
		}
		fp = frame[0]
	}
	return fmt.Errorf("frame pointers do not lead to the caller of the code: %w", errDiffers)
}

// growStack uses so much stack that the stack grows.
//
//go:noinline
func growStack(n int) byte {
	var room [256]byte
	if n > 0 {
		room[n%len(room)] = growStack(n - 1)
	}
	return room[n%len(room)]
}
