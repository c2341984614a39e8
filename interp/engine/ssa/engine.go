//go:build (linux || darwin) && (amd64 || arm64)

package ssa

import (
	"fmt"
	"go/token"
	"go/types"
	"reflect"
	"strconv"
	"sync"
	"sync/atomic"
	"unsafe"

	"golang.org/x/tools/go/ssa"

	"github.com/gokernel/gokernel/interp/engine"
	"github.com/gokernel/gokernel/interp/engine/ssa/rtype"
)

// Engine runs checked Go. It implements engine.Engine.
type Engine struct {
	cfg      Config
	maxDepth int
	types    *rtype.Types

	// building serializes what changes the go/ssa program: declaring packages
	// and making the methods of types, which can be asked for at any time.
	building sync.Mutex
	prog     *ssa.Program
	sources  map[string]*Source                       // by path; nil: there is none
	fsets    sync.Map                                 // of *token.FileSet by *types.Package; goroutines of earlier cells read it
	declared map[*types.Package]map[types.Object]bool // of compiled packages, what the program has
	surveyed map[*ssa.Function]bool                   // what survey has found nothing to refuse in

	mu        sync.RWMutex
	functions map[*ssa.Function]*function
	globals   map[types.Object]unsafe.Pointer
	cells     map[*types.Package]*cell

	targets    sync.Map // targetKey -> *target
	locals     localTypes
	codes      atomic.Uint32 // number of code ids given out
	overrides  map[string]reflect.Value
	background *cellRun
	running    runs         // those that have goroutines
	renewals   atomic.Int32 // how often types have become others: see renew.go
	firsts     atomic.Int32 // the first goroutines of runs
	signals    signals
	later      later
	label      string          // of its goroutines, to profilers
	standard   []*standardFile // what the session deals with
}

// cell is a cell that has been compiled.
type cell struct {
	e        *Engine
	number   int
	fset     *token.FileSet
	pkg      *ssa.Package
	entry    *ssa.Function
	replaces map[types.Object]types.Object
}

// engines counts the engines of the process.
var engines atomic.Uint64

// methodDepth is the bound on the nesting of calls for what compiled code calls outside of cells: methods
// that show a value. Nothing watches the stack there, which grows by the frames of
// the compiled code, too.
const methodDepth = 10_000

// New makes an engine for a new session. It fails when the runtime is not what
// package rtype knows.
func New(cfg Config) (*Engine, error) {
	if err := rtype.Check(); err != nil {
		return nil, err
	}
	e := &Engine{
		cfg:       cfg,
		maxDepth:  cfg.Hooks.MaxDepth,
		prog:      ssa.NewProgram(token.NewFileSet(), ssa.InstantiateGenerics|ssa.BareInits),
		sources:   map[string]*Source{},
		declared:  map[*types.Package]map[types.Object]bool{},
		surveyed:  map[*ssa.Function]bool{},
		functions: map[*ssa.Function]*function{},
		globals:   map[types.Object]unsafe.Pointer{},
		cells:     map[*types.Package]*cell{},
	}
	if e.maxDepth <= 0 {
		e.maxDepth = DefaultDepth
	}
	e.label = strconv.FormatUint(engines.Add(1), 10)
	e.types = rtype.New(rtype.Config{
		Lookup: func(path, name string) reflect.Type {
			if cfg.Type == nil {
				return nil
			}
			return cfg.Type(path, name)
		},
		Roots:     cfg.Roots,
		Hidden:    cfg.Hidden,
		Enclosing: e.enclosing,
		Enter:     e.enter,
		Method:    e.method,
	})
	e.standard = e.makeStandard()
	e.overrides = e.makeOverrides()
	e.background = newRun(e, nil)
	e.background.most = min(e.maxDepth, methodDepth)
	return e, nil
}

// Name implements engine.Engine.
func (e *Engine) Name() string { return "ssa" }

// WatchesStacks implements engine.StackWatcher.
func (e *Engine) WatchesStacks() {}

// CarriesPanics implements engine.PanicCarrier.
func (e *Engine) CarriesPanics() {}

// RenewsTypes implements engine.Renewer.
func (e *Engine) RenewsTypes() {}

// Close implements engine.Engine.
func (e *Engine) Close() error { return nil }

// Compile implements engine.Engine.
func (e *Engine) Compile(in *engine.Cell) (_ engine.Code, err error) {
	e.building.Lock()
	defer e.building.Unlock()
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *engine.Refusal:
			e.fsets.Delete(in.Package)
			err = r
		default:
			panic(r)
		}
	}()
	c := &cell{e: e, number: in.Number, fset: in.Fset, replaces: in.Replaces}
	e.fsets.Store(in.Package, in.Fset)
	info, err := e.resolve(in.Info)
	if err != nil {
		return nil, err
	}
	c.pkg = e.prog.CreatePackage(in.Package, in.Files, info, false)
	e.make(c.pkg.Build)
	e.survey(c, in)
	e.mu.Lock()
	e.cells[in.Package] = c
	for old, new := range in.Replaces {
		if _, ok := new.(*types.Var); ok {
			if p, ok := e.globals[old]; ok {
				e.globals[new] = p
			}
		}
	}
	e.mu.Unlock()
	if in.Entry != nil {
		c.entry = e.prog.FuncValue(in.Entry)
	}
	in.Note = e.renew(in)
	return c, nil
}

// Var implements engine.Engine.
func (e *Engine) Var(v *types.Var) (reflect.Value, error) {
	t, err := e.types.Of(v.Type())
	if err != nil {
		return reflect.Value{}, err
	}
	return reflect.NewAt(t.Reflect(), e.variable(v, t)).Elem(), nil
}

// Type implements engine.Engine.
func (e *Engine) Type(t types.Type) (reflect.Type, error) {
	rt, err := e.types.Of(t)
	if err != nil {
		return nil, err
	}
	return rt.Reflect(), nil
}

// Func implements engine.Engine.
func (e *Engine) Func(f *types.Func) (_ reflect.Value, err error) {
	defer func() {
		if r, ok := recover().(*engine.Refusal); ok {
			err = r
		}
	}()
	sig := f.Type().(*types.Signature)
	if sig.Recv() != nil || sig.TypeParams().Len() > 0 {
		return reflect.Value{}, fmt.Errorf("ssa: %s is a method or generic: it has no value of its own", f.FullName())
	}
	if fn := e.prog.FuncValue(f); fn != nil && fn.Blocks != nil {
		p := unsafe.Pointer(e.function(fn).value())
		return reflect.NewAt(e.typ(sig).Reflect(), unsafe.Pointer(&p)).Elem(), nil
	}
	if v, ok := e.compiled(f); ok {
		return v, nil
	}
	return reflect.Value{}, fmt.Errorf("ssa: there is no function %s", f.FullName())
}

// typ gives the runtime type of t.
func (e *Engine) typ(t types.Type) *rtype.Type {
	rt, err := e.types.Of(t)
	if err != nil {
		refuse(token.NoPos, err.Error(), "")
	}
	return rt
}

// function gives the interpreted function of an ssa function.
func (e *Engine) function(fn *ssa.Function) *function {
	e.mu.RLock()
	f := e.functions[fn]
	e.mu.RUnlock()
	if f != nil {
		return f
	}
	f = &function{e: e, ssa: fn, sig: e.placeSignature(newLayout(), fn)}
	e.mu.Lock()
	defer e.mu.Unlock()
	if g := e.functions[fn]; g != nil {
		return g
	}
	f.code.Store(&code{fn: f, id: e.codes.Add(1)})
	e.functions[fn] = f
	return f
}

// funcType gives the type of a function as a func value, a receiver being the
// first parameter.
func (e *Engine) funcType(fn *ssa.Function) *rtype.Type {
	sig := fn.Signature
	var params []*types.Var
	if r := sig.Recv(); r != nil {
		params = append(params, types.NewParam(token.NoPos, nil, "", r.Type()))
	}
	for p := range sig.Params().Variables() {
		params = append(params, p)
	}
	return e.typ(types.NewSignatureType(nil, nil, nil, types.NewTuple(params...), sig.Results(), sig.Variadic()))
}

// method gives the function that implements a method of a built type.
func (e *Engine) method(m *rtype.Method) unsafe.Pointer {
	fn := e.methodValue(m.Sel)
	if fn == nil {
		panic(fmt.Sprintf("ssa: no method %v", m.Sel))
	}
	return unsafe.Pointer(e.function(fn))
}

// methodValue gives the function of a method, which is made when it is first
// asked for.
func (e *Engine) methodValue(sel *types.Selection) (fn *ssa.Function) {
	e.building.Lock()
	defer e.building.Unlock()
	e.make(func() { fn = e.prog.MethodValue(sel) })
	return fn
}

// globalAddr gives the address of a package variable.
func (e *Engine) globalAddr(g *ssa.Global) unsafe.Pointer {
	return e.variable(g.Object().(*types.Var), e.typ(g.Object().Type()))
}

func (e *Engine) variable(v *types.Var, t *rtype.Type) unsafe.Pointer {
	e.mu.Lock()
	defer e.mu.Unlock()
	if p, ok := e.globals[v]; ok {
		return p
	}
	var p unsafe.Pointer
	if _, ours := e.fsets.Load(v.Pkg()); !ours && e.cfg.Value != nil {
		if x, ok := e.cfg.Value(v.Pkg().Path(), v.Name()); ok && x.CanAddr() {
			p = x.Addr().UnsafePointer()
		}
	}
	if p == nil {
		p = rtype.Alloc(t)
	}
	e.globals[v] = p
	return p
}

// fsetOf gives the positions of a function's source.
func (e *Engine) fsetOf(fn *ssa.Function) *token.FileSet {
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
	fset, _ := e.fsets.Load(pkg)
	f, _ := fset.(*token.FileSet) // nil for a package that is no cell's
	return f
}
