//go:build !(linux && (amd64 || arm64))

package native

import "unsafe"

// Supported reports whether there is machine code on the platform.
const Supported = false

// Context is what a goroutine needs to run code.
type Context struct{}

// TakeContext makes a context.
func TakeContext() *Context { return nil }

// Full reports false.
func (*Context) Full() bool { return false }

// PutContext does nothing.
func PutContext(*Context) {}

// Code is the machine code of a function.
type Code struct{ Size int }

// How code has been left.
const (
	Returned = iota
	Left
	Polled
	Suspended
	GivenUp
)

// Compile fails: there is none.
func Compile(*Func, []unsafe.Pointer) (*Code, error) {
	return nil, refusal("not on this platform")
}

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

// Check has nothing to look at.
func Check() error { return nil }

// Rounds reports whether the processor has the instructions of FRound.
func Rounds() bool { return false }
