package machine

import (
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"strconv"
	"sync"
	"sync/atomic"
	"weak"

	"github.com/gokernel/gokernel/interp/engine"
	"github.com/gokernel/gokernel/interp/engine/ssa/goroutine"
	"github.com/gokernel/gokernel/interp/engine/ssa/layout"
	"github.com/gokernel/gokernel/interp/engine/ssa/rtype"
	"golang.org/x/tools/go/ssa"
)

// Machine is the state that the runs of a session share.
type Machine struct {
	Hooks engine.Hooks
	world World
	label string // label of its goroutines in profiles

	Fsets sync.Map // *types.Package -> *token.FileSet; goroutines of earlier cells read it

	mu        sync.RWMutex
	functions map[*ssa.Function]*Function // functions of packages without a home, and of retired ones
	homes     map[weak.Pointer[home]]bool
	fading    map[weak.Pointer[ssa.Function]]weak.Pointer[Function] // functions of retired packages: see Retire

	codes      atomic.Uint32 // number of code ids given out
	background *Run          // the run of code outside any cell
	Running    runs          // the runs that have goroutines
	firsts     atomic.Int32  // number of the first goroutines of runs
	sampling   atomic.Pointer[Sampling]
	debugging  atomic.Pointer[Debugging]
	native     atomic.Int32 // a NativeMode
	switches   switches
	bubbles    atomic.Int32 // number of running bubbles of testing/synctest
	stepping   atomic.Bool  // a debugger may stop in calls or inspect them; see stepping.go
	ids        atomic.Int64 // number of threads that have begun
	crowd      crowd
}

// World holds the functions of the other packages of the engine that a machine calls.
type World struct {
	// Types makes the runtime types.
	Types *rtype.Types
	// Complete makes go/ssa build a function and everything that it reaches by static calls.
	Complete func(*ssa.Function)
	// Compile finishes the code of a function.
	Compile func(*Code)
	// Native JIT-compiles a function. The error is the reason why it can't.
	Native func(*Code) (*Native, error)
	// FindDead determines which words of a frame of the code are dead while op number at+1 is
	// running.
	FindDead func(*Code) (dead func(at int) []layout.Span)
	// Compiled code may start a goroutine and call interpreted code on it. Outside returns the
	// function to call when such interpreted code does not return. Neither Outside nor the Caller
	// that it returns may keep the call: see rtype.Call.
	Outside func(*rtype.Call) Caller
	// Pending reports whether something, such as a timer or a finalizer, will call interpreted code
	// later.
	Pending func() bool
}

// Caller gets the outcome of a call from a goroutine of compiled code: a panic with the value v, or
// runtime.Goexit if v is nil. The function that it returns is called when the thread has been
// released, and either ends the goroutine or returns. The function gets the call as an argument
// again, because it must not have kept the call.
type Caller func(call *rtype.Call, r *Run, th *Thread, v any) (leave func())

// defaultDepth is the limit on the nesting of interpreted calls if engine.Hooks sets no limit. Each
// call takes about 500 bytes of stack; see deep.go.
const defaultDepth = 400_000

// methodDepth is the limit on the nesting of calls that compiled code makes outside cells, such as
// methods that show a value. The engine does not check the stack there, and the frames of the
// compiled code use it, too.
const methodDepth = 10_000

// machines counts the machines of the process.
var machines atomic.Uint64

// New returns a machine that must be connected before use: see Connect.
func New(hooks engine.Hooks) *Machine {
	if hooks.MaxDepth <= 0 {
		hooks.MaxDepth = defaultDepth
	}
	m := &Machine{Hooks: hooks, label: strconv.FormatUint(machines.Add(1), 10), functions: map[*ssa.Function]*Function{}, homes: map[weak.Pointer[home]]bool{}, fading: map[weak.Pointer[ssa.Function]]weak.Pointer[Function]{}}
	m.startCrowd()
	m.background = newRun(m, 0)
	m.background.Done = reflect.Value{}
	m.background.most = min(hooks.MaxDepth, methodDepth)
	return m
}

// Connect sets the functions that the machine calls. It must be called before anything runs.
func (m *Machine) Connect(w World) { m.world = w }

// Typ returns the runtime type of t.
func (m *Machine) Typ(t types.Type) *rtype.Type {
	rt, err := m.world.Types.Of(t)
	if err != nil {
		panic(&engine.Refusal{What: err.Error()})
	}
	return rt
}

// Function returns the interpreted function of an ssa function.
func (m *Machine) Function(fn *ssa.Function) *Function {
	m.mu.RLock()
	f := m.find(fn)
	m.mu.RUnlock()
	if f != nil {
		return f
	}
	f = &Function{M: m, SSA: fn, Sig: m.PlaceSignature(NewLayout(), fn)}
	m.mu.Lock()
	defer m.mu.Unlock()
	if g := m.find(fn); g != nil {
		return g
	}
	f.Code.Store(&Code{Fn: f, ID: m.codes.Add(1)})
	m.keep(fn, f)
	return f
}

// FuncType returns the type of a function as a func value, whose first parameter is the receiver,
// if it has one.
func (m *Machine) FuncType(fn *ssa.Function) *rtype.Type {
	sig := fn.Signature
	var params []*types.Var
	if r := sig.Recv(); r != nil {
		params = append(params, types.NewParam(token.NoPos, nil, "", r.Type()))
	}
	for p := range sig.Params().Variables() {
		params = append(params, p)
	}
	return m.Typ(types.NewSignatureType(nil, nil, nil, types.NewTuple(params...), sig.Results(), sig.Variadic()))
}

// PlaceSignature lays out the parameters and results of a function.
func (m *Machine) PlaceSignature(l *layout.Layout, fn *ssa.Function) *signature {
	params := paramsOf(fn)
	sig := &signature{Params: make([]layout.Slot, len(params))}
	method := fn.Signature.Recv() != nil && len(params) > 0
	for i, t := range params {
		if i > 0 || !method {
			sig.Params[i] = l.Place(m.Typ(t))
		}
	}
	for r := range fn.Signature.Results().Variables() {
		sig.Results = append(sig.Results, l.Place(m.Typ(r.Type())))
	}
	if method {
		sig.Params[0] = l.Place(m.Typ(params[0]))
	}
	return sig
}

// paramsOf returns the types of the parameters, with a receiver first.
func paramsOf(fn *ssa.Function) []types.Type {
	var list []types.Type
	if _, ok := fn.Syntax().(*ast.FuncDecl); ok && len(fn.TypeArgs()) == 0 { // it may not be built yet
		if r := fn.Signature.Recv(); r != nil {
			list = append(list, r.Type())
		}
		for p := range fn.Signature.Params().Variables() {
			list = append(list, p.Type())
		}
		return list
	}
	for _, p := range fn.Params {
		list = append(list, p.Type())
	}
	return list
}

// SignatureOf returns the frame offsets of the parameters and results of any function of a type,
// without a receiver.
func (m *Machine) SignatureOf(t *types.Signature) *signature {
	l := NewLayout()
	sig := &signature{}
	for p := range t.Params().Variables() {
		sig.Params = append(sig.Params, l.Place(m.Typ(p.Type())))
	}
	for r := range t.Results().Variables() {
		sig.Results = append(sig.Results, l.Place(m.Typ(r.Type())))
	}
	return sig
}

// FsetOf returns the file set with the positions of a function's source.
func (m *Machine) FsetOf(fn *ssa.Function) *token.FileSet {
	for fn.Parent() != nil {
		fn = fn.Parent()
	}
	if o := fn.Origin(); o != nil {
		fn = o
	}
	var pkg *types.Package
	if fn.Pkg != nil {
		pkg = fn.Pkg.Pkg
	} else if o := fn.Object(); o != nil {
		pkg = o.Pkg()
	}
	fset, _ := m.Fsets.Load(pkg)
	f, _ := fset.(*token.FileSet) // nil for a package that does not belong to a cell
	return f
}

// Recompile discards the code of all functions. The code of a function is compiled again when it is
// next needed.
func (m *Machine) Recompile() {
	m.mu.RLock()
	defer m.mu.RUnlock()
	for f := range m.all() {
		f.Code.Store(&Code{Fn: f.Code.Load().Fn, ID: m.codes.Add(1)})
	}
}

// Current returns the run to which the running goroutine belongs.
func (m *Machine) Current() *Run {
	if l := goroutine.GetLocal(); l != nil {
		return threadOf(l).Run
	}
	return m.background
}
