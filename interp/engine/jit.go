package engine

import (
	"errors"
	"fmt"
	"go/token"
	"go/types"
	"os"
	"runtime"
)

// JITMode selects the functions that are JIT-compiled.
type JITMode int

const (
	JITOff   JITMode = iota
	JITOn            // hot functions
	JITForce         // every function, on its first call: for tests
)

// DefaultJITMode returns the mode of a session if the user doesn't choose one: on where the JIT was
// tested on real hardware, and off elsewhere.
func DefaultJITMode() JITMode {
	if runtime.GOOS == "linux" && runtime.GOARCH == "amd64" {
		return JITOn
	}
	return JITOff
}

// JITVariable is the environment variable with the mode in which sessions start.
const JITVariable = "GOKERNEL_JIT"

// formerJITVariable is the former name of JITVariable. Setting it is an error, so that nobody
// believes that it still has an effect.
const formerJITVariable = "GOKERNEL_NATIVE"

var jitModes = []string{"off", "on", "force"}

// String returns the mode as users write it.
func (m JITMode) String() string { return jitModes[m] }

// ParseJITMode returns the mode that a user has written.
func ParseJITMode(s string) (JITMode, error) {
	for m, name := range jitModes {
		if s == name {
			return JITMode(m), nil
		}
	}
	return 0, fmt.Errorf("the mode of the JIT must be off, on or force, got %q", s)
}

// StartJITMode returns the mode in which sessions start: the value of JITVariable, or that of
// DefaultJITMode if the variable isn't set or is empty.
func StartJITMode() (JITMode, error) {
	if v, ok := os.LookupEnv(formerJITVariable); ok {
		return 0, fmt.Errorf("%s is now called %s: unset it and set %s=%s", formerJITVariable, JITVariable, JITVariable, v)
	}
	v := os.Getenv(JITVariable)
	if v == "" {
		return DefaultJITMode(), nil
	}
	m, err := ParseJITMode(v)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", JITVariable, err)
	}
	return m, nil
}

// ErrNoJIT means that the session has no JIT compiler.
var ErrNoJIT = errors.New("the JIT needs the default engine on linux, amd64 or arm64")

// JIT is implemented by engines that can JIT-compile functions.
type JIT interface {
	// JIT returns the mode. It also returns, in no order, the functions that the engine has tried
	// to compile and those that are switched off. The error is ErrNoJIT, or wraps it with a reason
	// if a check of the engine has failed.
	JIT() (JITMode, []JITFunction, error)
	// SetJIT changes the mode. Compiled code is dropped, and goroutines that run it continue in
	// the interpreter.
	SetJIT(JITMode) error
	// SwitchJIT turns the JIT on or off for the functions called name, and for the function
	// literals in them. If a cell declares such a function again, the switch still applies. It
	// reports whether the engine has met such a function.
	SwitchJIT(name string, on bool) bool
	// ExplainJIT describes the functions called name, and the function literals in them, line by
	// line. It compiles those functions that have not been compiled, without running them. If f is
	// not nil, f is one of the functions.
	ExplainJIT(name string, f *types.Func) []JITFunction
}

// JITFunction describes a function that was JIT-compiled, or has the reason why it was not.
type JITFunction struct {
	Func    string // as in a Frame
	Pos     token.Position
	Size    int   // of the code in bytes
	Entered int64 // number of entries
	Off     bool  // it is switched off
	Why     string
	Exits   []SideExit // in the order of the source
	Lines   []JITLine  // in ascending order; only ExplainJIT sets them
}

// JITCode describes the JIT-compiled code of a function.
type JITCode struct {
	Func       string // as in a Frame
	Name       string // for SwitchJIT
	Pos        token.Position
	Start, End uintptr // the addresses of its first byte and after its last byte
}

// SideExit is a position at which JIT-compiled code deoptimizes.
type SideExit struct {
	Pos token.Position
	Why string
}

// JITLine is a line with instructions of a function.
type JITLine struct {
	Line     int
	Compiled bool // JIT-compiled code runs it, apart from its exits
}
