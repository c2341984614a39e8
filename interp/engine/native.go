package engine

import (
	"errors"
	"go/token"
)

// ErrNoNative means that cells are not JIT-compiled.
var ErrNoNative = errors.New("no machine code is made of cells")

// NativeReporter is implemented by engines that JIT-compile hot functions.
type NativeReporter interface {
	// Native returns the functions that the engine has tried to JIT-compile, in no order. The
	// error is ErrNoNative, or wraps it with a reason if a check of the engine has failed.
	Native() ([]NativeFunction, error)
}

// NativeFunction describes a function that was JIT-compiled, or says why it was not.
type NativeFunction struct {
	Func    string // as in a Frame
	Pos     token.Position
	Size    int   // size of the code in bytes
	Entered int64 // number of entries
	Why     string
	Leaves  []NativeLeave // positions in the order of the source
}

// NativeLeave is a position at which JIT-compiled code deoptimizes.
type NativeLeave struct {
	Pos token.Position
	Why string
}
