package engine

import (
	"errors"
	"go/token"
)

// ErrNoNative says that no machine code is made of cells.
var ErrNoNative = errors.New("no machine code is made of cells")

// NativeReporter is implemented by engines that make machine code of functions that run
// for long.
type NativeReporter interface {
	// Native tells of the functions that this was tried with, in no order. The error is
	// ErrNoNative, or wraps it where there is something to be said: a check of the engine has failed.
	Native() ([]NativeFunction, error)
}

// NativeFunction is a function that has machine code, or is why it has none.
type NativeFunction struct {
	Func    string // as in a Frame
	Pos     token.Position
	Size    int   // of the machine code in bytes
	Entered int64 // how often it was
	Why     string
	Leaves  []NativeLeave // in the order of the source
}

// NativeLeave is a place where machine code leaves for the interpreter.
type NativeLeave struct {
	Pos token.Position
	Why string
}
