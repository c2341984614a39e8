package compile

import (
	"go/token"
	"go/types"
	"reflect"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/gokernel/gokernel/interp/engine/ssa/machine"
	"github.com/gokernel/gokernel/interp/engine/ssa/rtype"
	"github.com/gokernel/gokernel/interp/engine/ssa/standin"
	"golang.org/x/tools/go/ssa"
)

// World holds the functions of the rest of the engine that a compiler calls.
type World struct {
	Machine  *machine.Machine
	Types    *rtype.Types
	StandIns *standin.Set
	// Global returns the address of a package variable.
	Global func(*ssa.Global) unsafe.Pointer
	// External returns the func value of a function without a body that is used at a position. It
	// panics with a *engine.Refusal if there is no such function.
	External func(fn *ssa.Function, at token.Pos) reflect.Value
	// Override returns the replacement of the compiled method with that full name. For nearly all
	// methods, it returns the zero Value.
	Override func(name string) reflect.Value
	// NoteLocals is called with each function before its types are requested.
	NoteLocals func(*ssa.Function)
	// Stop is the function that stoppable functions call before each statement.
	Stop types.Object
	// Renewals counts how often types have been renewed. If types have been renewed, interfaces may
	// still hold values of the old types.
	Renewals *atomic.Int32
}

// Compiler compiles the functions of one session.
type Compiler struct {
	World
	targets sync.Map    // targetKey -> *target
	inspect func(*body) // called with each function when it has been compiled
}

// New returns a compiler.
func New(w World) *Compiler { return &Compiler{World: w} }

// Compile sets the code of a function.
func (all *Compiler) Compile(c *machine.Code) {
	c.OwnCalls = all.Machine.Native() != machine.NativeOff
	b := &body{all: all, code: c, ssa: c.SSA, listening: all.inspect != nil, delayed: map[ssa.Value]bool{}}
	b.compile()
	if all.inspect != nil {
		all.inspect(b)
	}
}

// isNow reports whether a value of type t counts as a value of type want, because t was renewed as
// want.
func (all *Compiler) isNow(t, want *rtype.Type) bool {
	return all.Renewals.Load() > 0 && t != nil && all.Types.Latest(t) == want
}
