//go:build !(linux && (amd64 || arm64))

package native

import "unsafe"

// Supported reports whether JIT compilation is available on the platform.
const Supported = false

// Context is the state for running code in a goroutine.
type Context struct{}

// Code returns nil.
func (*Context) Code() *Code { return nil }

// Ref refers to code.
type Ref uintptr

// Code returns nil.
func (Ref) Code() *Code { return nil }

// Frame returns nil.
func (*Context) Frame() unsafe.Pointer { return nil }

// SmallStack is the size of a stack.
const SmallStack = 0

// NewContext returns a context.
func NewContext(int) *Context { return &Context{} }

// ForceBarrier does nothing.
func ForceBarrier() (end func()) { return func() {} }

// TakeContext returns nil.
func TakeContext() *Context { return nil }

// MayStay does nothing.
func (*Context) MayStay(bool) {}

// Full reports false.
func (*Context) Full() bool { return false }

// PutContext does nothing.
func PutContext(*Context) {}

// Code is the JIT-compiled code of a function.
type Code struct {
	Size  int
	Start uintptr
	Leaf  uintptr
	Tag   unsafe.Pointer
}

// Range returns no addresses.
func (*Code) Range() (start, end uintptr) { return 0, 0 }

// The ways in which a run can end.
const (
	Returned = iota
	Left
	Polled
	Suspended
	GivenUp
	Out
	Ran
)

// Compile returns an error, because the platform is not supported.
func Compile(*Func, []unsafe.Pointer) (*Code, error) {
	return nil, refusal("not on this platform")
}

// SetOps is never called.
func (*Code) SetOps(func(exit int32) (all []func(unsafe.Pointer), first int32, resume int)) {}

// Calls reports false.
func (*Code) Calls() bool { return false }

// CallLeaf returns false.
func (*Code) CallLeaf(*Context, unsafe.Pointer, uintptr, uintptr) (uintptr, bool) { return 0, false }

// Run is never called.
func (*Code) Run(*Context, int, unsafe.Pointer) (how int, exit int32, work uint32) {
	panic("native: there is no code on this platform")
}

// Resume is never called.
func (*Code) Resume(*Context, unsafe.Pointer) (how int, exit int32, work uint32) {
	panic("native: there is no code on this platform")
}

// GiveUp is never called.
func (*Code) GiveUp(*Context, unsafe.Pointer) (how int, exit int32, work uint32) {
	panic("native: there is no code on this platform")
}

// Check returns nil, because there is nothing to check.
func Check() error { return nil }

// Rounds reports whether the processor has the instructions of FRound.
func Rounds() bool { return false }

// CountsOnes reports whether the processor has the instruction of Ones.
func CountsOnes() bool { return false }
