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

// World is what a compiler asks of the rest of the engine.
type World struct {
	Machine  *machine.Machine
	Types    *rtype.Types
	StandIns *standin.Set
	// Global gives the address of a package variable.
	Global func(*ssa.Global) unsafe.Pointer
	// External gives the func value of a function without a body, which is used
	// at a place; it panics with a *engine.Refusal when there is none.
	External func(fn *ssa.Function, at token.Pos) reflect.Value
	// Override gives what cells get for the compiled method of that full name; the
	// zero Value for nearly all.
	Override func(name string) reflect.Value
	// NoteLocals is told of each function before its types are asked for.
	NoteLocals func(*ssa.Function)
	// Stop is what functions that can be stopped call before their statements.
	Stop types.Object
	// Renewals counts how often types have become others: values of a renewed
	// type may be in interfaces still.
	Renewals *atomic.Int32
}

// Compiler compiles the functions of one session.
type Compiler struct {
	World
	targets sync.Map    // targetKey -> *target
	inspect func(*body) // is shown each function when it has been compiled
}

// New makes a compiler.
func New(w World) *Compiler { return &Compiler{World: w} }

// Compile finishes the code of a function.
func (all *Compiler) Compile(c *machine.Code) {
	b := &body{all: all, code: c, ssa: c.SSA, listening: all.inspect != nil, delayed: map[ssa.Value]bool{}}
	b.compile()
	if all.inspect != nil {
		all.inspect(b)
	}
}

// isNow reports whether a value of type t is one of type want, into which the type
// has been renewed.
func (all *Compiler) isNow(t, want *rtype.Type) bool {
	return all.Renewals.Load() > 0 && t != nil && all.Types.Latest(t) == want
}
