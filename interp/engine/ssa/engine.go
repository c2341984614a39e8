package ssa

import (
	"context"
	"fmt"
	"go/token"
	"go/types"
	"reflect"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/gokernel/gokernel/interp/engine"
	"github.com/gokernel/gokernel/interp/engine/ssa/compile"
	"github.com/gokernel/gokernel/interp/engine/ssa/gossa"
	"github.com/gokernel/gokernel/interp/engine/ssa/jit"
	"github.com/gokernel/gokernel/interp/engine/ssa/machine"
	"github.com/gokernel/gokernel/interp/engine/ssa/rtype"
	"github.com/gokernel/gokernel/interp/engine/ssa/standin"
	"golang.org/x/tools/go/ssa"
)

// Engine runs checked Go. It implements engine.Engine.
type Engine struct {
	cfg   Config
	m     *machine.Machine
	types *rtype.Types

	// building serializes changes of the go/ssa program: declaring packages and making the methods
	// of types, which can happen at any time.
	building sync.Mutex
	prog     *ssa.Program
	sources  map[string]*Source                       // sources by path; nil: there is none
	declared map[*types.Package]map[types.Object]bool // the objects of compiled packages that are in the go/ssa program
	surveyed map[*ssa.Package]map[*ssa.Function]bool  // functions in which survey has found nothing to refuse
	packages sync.Map                                 // *types.Package -> *loaded: the packages from source
	generic  map[types.Object]bool                    // objects that generic functions of cells use
	links    sync.Map                                 // *ssa.Function -> *ssa.Function: see links.go

	mu      sync.RWMutex
	globals map[types.Object]unsafe.Pointer

	compiler  *compile.Compiler
	locals    localTypes
	overrides *standin.Overrides
	renewals  atomic.Int32 // number of times that types have changed: see renew.go
	sourced   int          // number of cells whose source has been kept
	debugger  *debugger    // nil: none is attached; the lock building guards it
	standIns  *standin.Set
	noJIT     error // why the JIT compiler is off although it was requested
}

// cell is a cell that has been compiled.
type cell struct {
	e         *Engine
	number    int
	fset      *token.FileSet
	pkg       *ssa.Package
	entry     *ssa.Function
	waiting   []*loaded // packages to initialize before the cell runs
	replaces  map[types.Object]types.Object
	evaluated bool // a debugger evaluates the cell in a stopped function
}

// New returns an engine for a new session. It returns an error if the runtime is not as package
// rtype expects, if go/ssa is not as this package expects, or if engine.JITVariable has an invalid
// value.
func New(cfg Config) (*Engine, error) {
	if err := Check(); err != nil {
		return nil, err
	}
	mode, err := engine.StartJITMode()
	if err != nil {
		return nil, err
	}
	e := &Engine{
		cfg:      cfg,
		m:        machine.New(cfg.Hooks),
		prog:     gossa.NewProgram(),
		sources:  map[string]*Source{},
		declared: map[*types.Package]map[types.Object]bool{},
		surveyed: map[*ssa.Package]map[*ssa.Function]bool{},
		generic:  map[types.Object]bool{},
		globals:  map[types.Object]unsafe.Pointer{},
	}
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
		Enter:     e.m.Enter,
		Method:    e.method,
		FromSource: func(pkg *types.Package) bool {
			return e.packageOf(pkg) != nil
		},
	})
	e.standIns = standin.New(e.m)
	e.overrides = e.standIns.Overrides()
	e.compiler = compile.New(compile.World{
		Machine:    e.m,
		Types:      e.types,
		StandIns:   e.standIns,
		Global:     e.globalAddr,
		External:   e.external,
		Override:   e.overrides.Of,
		NoteLocals: e.noteLocals,
		Renewals:   &e.renewals,
		Stop:       stopFunc,
	})
	e.m.Connect(machine.World{
		Types:    e.types,
		Complete: e.complete,
		Compile:  e.compiler.Compile,
		FindDead: e.compiler.FindDead,
		Native:   jit.New(e.compiler).Compile,
		Outside:  standin.Outside,
		Pending:  e.standIns.Pending,
	})
	e.noJIT = e.m.SetNative(machine.NativeMode(mode))
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

// Stir implements engine.Crowded.
func (e *Engine) Stir() { e.m.Stir() }

// Goroutines implements engine.Counter.
func (e *Engine) Goroutines() int { return e.m.Goroutines() }

// RunsPackages implements engine.PackageRunner.
func (e *Engine) RunsPackages() {}

// Profile implements engine.Profiler.
func (e *Engine) Profile() (end func() *engine.Profile, err error) { return e.standIns.Profile() }

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
			e.m.Fsets.Delete(in.Package)
			err = r
		default:
			panic(r)
		}
	}()
	c := &cell{e: e, number: in.Number, fset: in.Fset, replaces: in.Replaces, evaluated: in.Evaluated}
	e.m.Fsets.Store(in.Package, in.Fset)
	if c.waiting, err = e.load(in.Packages); err != nil {
		return nil, err
	}
	info, err := e.resolve(in.Info)
	if err != nil {
		return nil, err
	}
	own := ownInfo(info)
	c.pkg = e.prog.CreatePackage(in.Package, ordered(in.Files, own, in.Package), own, false)
	e.m.Adopt(c.pkg)
	e.make(c.pkg.Build)
	e.survey(c, in)
	e.noteUses(in.Files, own)
	if !in.Evaluated {
		e.keepSource(c.pkg, &source{files: in.Files, info: info, fset: in.Fset})
	}
	e.mu.Lock()
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

// Room ends the running goroutine of a cell when there is not enough memory for n elements of a
// size.
func Room(n int, size uintptr) { machine.Room(n, size) }

// Caller implements engine.Caller.
func (e *Engine) Caller(number int, where string, f func()) engine.Code {
	return &call{e, number, where, f}
}

// call runs a compiled function as a cell.
type call struct {
	e      *Engine
	number int
	where  string
	f      func()
}

// Run implements engine.Code.
func (c *call) Run(ctx context.Context) error { return c.e.m.Call(ctx, c.number, c.where, c.f) }

// Var implements engine.Engine.
func (e *Engine) Var(v *types.Var) (reflect.Value, error) {
	t, err := e.types.Of(v.Type())
	if err != nil {
		return reflect.Value{}, err
	}
	if err := e.roomFor(v, t); err != nil {
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
	fn := e.funcValue(f)
	if fn != nil {
		e.complete(fn)
	}
	if fn != nil && fn.Blocks != nil {
		p := unsafe.Pointer(e.m.Function(fn).Value())
		return reflect.NewAt(e.m.Typ(sig).Reflect(), unsafe.Pointer(&p)).Elem(), nil
	}
	if v, ok := e.compiled(f); ok {
		return v, nil
	}
	return reflect.Value{}, fmt.Errorf("ssa: there is no function %s", f.FullName())
}

// method returns the function that implements a method of a built type.
func (e *Engine) method(m *rtype.Method) unsafe.Pointer {
	fn := e.methodValue(m.Sel)
	if fn == nil {
		panic(fmt.Sprintf("ssa: no method %v", m.Sel))
	}
	return unsafe.Pointer(e.m.Function(fn))
}

// funcValue returns a function of the program.
func (e *Engine) funcValue(f *types.Func) *ssa.Function {
	e.building.Lock()
	defer e.building.Unlock()
	return e.prog.FuncValue(f)
}

// methodValue returns the function of a method, which go/ssa makes on first use.
func (e *Engine) methodValue(sel *types.Selection) (fn *ssa.Function) {
	e.building.Lock()
	defer e.building.Unlock()
	e.make(func() { fn = e.prog.MethodValue(sel) })
	return fn
}

// globalAddr returns the address of a package variable.
func (e *Engine) globalAddr(g *ssa.Global) unsafe.Pointer {
	v, t := g.Object().(*types.Var), e.m.Typ(g.Object().Type())
	if err := e.roomFor(v, t); err != nil {
		machine.End(engine.NoRoom{Err: err})
	}
	return e.variable(v, t)
}

// large is the minimum size of a variable for which the engine asks the session whether there is
// enough memory.
const large = 1 << 20

// roomFor asks the session whether there is enough memory for a variable that has not been
// allocated.
func (e *Engine) roomFor(v *types.Var, t *rtype.Type) error {
	if t.Size() < large || e.cfg.Hooks.Room == nil {
		return nil
	}
	e.mu.RLock()
	_, ok := e.globals[v]
	e.mu.RUnlock()
	if ok {
		return nil
	}
	return e.cfg.Hooks.Room(uint64(t.Size()))
}

func (e *Engine) variable(v *types.Var, t *rtype.Type) unsafe.Pointer {
	e.mu.Lock()
	defer e.mu.Unlock()
	if p, ok := e.globals[v]; ok {
		return p
	}
	var p unsafe.Pointer
	if _, ours := e.m.Fsets.Load(v.Pkg()); !ours && e.cfg.Value != nil {
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

// Run implements engine.Code.
func (c *cell) Run(ctx context.Context) error {
	for _, l := range c.waiting {
		if err := l.initialize(ctx, c.e, c.number); err != nil {
			return err
		}
	}
	c.replace()
	functions := []*machine.Function{c.e.m.Function(c.pkg.Func("init"))}
	if c.entry != nil {
		functions = append(functions, c.e.m.Function(c.entry))
	}
	if c.evaluated {
		return c.e.m.Evaluate(ctx, c.number, functions...)
	}
	return c.e.m.Run(ctx, c.number, functions...)
}

// replace makes code of earlier cells use the new versions of the objects that this cell
// redeclares.
func (c *cell) replace() {
	for old, new := range c.replaces {
		// Since Compile, the new version of a variable uses the memory of the old version.
		fn, ok := new.(*types.Func)
		if !ok || fn.Signature().TypeParams().Len() > 0 {
			continue
		}
		from, to := c.e.funcValue(old.(*types.Func)), c.e.funcValue(fn)
		if from == nil || to == nil {
			continue
		}
		c.e.m.Function(to).Replace(c.e.m.Function(from))
	}
}
