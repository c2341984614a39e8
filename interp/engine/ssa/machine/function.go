package machine

import (
	"go/token"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"unsafe"
	"weak"

	"github.com/gokernel/gokernel/interp/engine/ssa/layout"
	"github.com/gokernel/gokernel/interp/engine/ssa/rtype"
	"golang.org/x/tools/go/ssa"
)

// Function is the callers' view of an interpreted function. Its code changes when a later cell
// redeclares it.
type Function struct {
	M    *Machine
	SSA  *ssa.Function
	Sig  *signature
	Code atomic.Pointer[Code]

	once     sync.Once
	captures *Captures
	closure  atomic.Pointer[rtype.Closure] // the func value without captured variables
	replaced []weak.Pointer[Function]      // earlier functions that now have its code
	// stoppable is the form of the function that can be stopped; see sites.go.
	stoppable atomic.Pointer[ssa.Function]

	passing sync.Mutex
	passed  map[int][]weak.Pointer[ssa.Function] // functions that calls pass, by parameter
}

// NotePassed records that a call of the function passes fn as a parameter. At most a given number
// of functions are recorded.
func (f *Function) NotePassed(param int, fn *ssa.Function, most int) {
	f.passing.Lock()
	defer f.passing.Unlock()
	if f.passed == nil {
		f.passed = map[int][]weak.Pointer[ssa.Function]{}
	}
	list, p := f.passed[param], weak.Make(fn)
	if slices.Contains(list, p) {
		return
	}
	if len(list) == most {
		list = list[1:]
	}
	f.passed[param] = append(list, p)
}

// Passed returns functions that calls pass as a parameter.
func (f *Function) Passed(param int) (list []*ssa.Function) {
	f.passing.Lock()
	defer f.passing.Unlock()
	for _, p := range f.passed[param] {
		if fn := p.Value(); fn != nil {
			list = append(list, fn)
		}
	}
	return list
}

// signature holds the frame offsets of parameters and results. They depend only on the types, and a
// receiver comes last, so callers can compute the offsets without knowing the function.
type signature struct {
	Params, Results []layout.Slot
}

// Captures is the layout of the block of variables that a closure has captured.
type Captures struct {
	Typ     *rtype.Type
	Offsets []uintptr
}

// CaptureForm returns the layout of the block of captured variables.
func (f *Function) CaptureForm() *Captures {
	f.once.Do(func() {
		c := &Captures{}
		var fields []reflect.StructField
		for _, v := range f.SSA.FreeVars {
			t := f.M.Typ(v.Type()).Reflect()
			if t.Kind() == reflect.Pointer {
				t = reflect.TypeFor[unsafe.Pointer]() // functions with different pointer types share a layout
			}
			fields = append(fields, reflect.StructField{Name: "F" + strconv.Itoa(len(fields)), Type: t})
		}
		t := reflect.StructOf(fields)
		for i := range fields {
			c.Offsets = append(c.Offsets, t.Field(i).Offset)
		}
		c.Typ = rtype.TypeOf(t)
		f.captures = c
	})
	return f.captures
}

// Binding returns the offset of captured variable i in the block.
func (f *Function) Binding(i int) uintptr { return f.CaptureForm().Offsets[i] }

// Value returns the function as a func value, without captured variables.
func (f *Function) Value() *rtype.Closure {
	if c := f.closure.Load(); c != nil {
		return c
	}
	c := f.bind(nil)
	if !f.closure.CompareAndSwap(nil, c) {
		return f.closure.Load()
	}
	return c
}

// bind makes a func value with captured variables.
func (f *Function) bind(env unsafe.Pointer) *rtype.Closure {
	return f.M.world.Types.Signature(f.M.FuncType(f.SSA)).Closure(unsafe.Pointer(f), env)
}

// Code is the compiled form of a function's body.
type Code struct {
	Fn *Function
	ID uint32
	// SSA is the function from which the code is compiled; it is set when the code is ready.
	SSA *ssa.Function
	// Debug is set if the code can be stopped.
	Debug *DebugForm

	once  sync.Once
	done  atomic.Bool // compilation has ended
	err   any         // the value with which it panicked
	Entry *Block
	// Blocks has the blocks in the order of go/ssa.
	Blocks []*Block

	Recovery *Block // where a recovered panic continues
	Frames   layout.Shape
	Places   uint64       // a hash of the frame slots
	template layout.Frame // constants, to be copied into a new frame; nil if there are none
	Clears   []layout.Span
	pos      []token.Pos
	Inlined  []InlinedOp
	Inlines  map[*Function]*Code // the code that inlined bodies were compiled from
	Captured []Capture
	clearing bool // clears is not empty
	armed    bool // a statement of it has breakpoints; see stepping.go
	Defers   bool // it has deferred calls, or a stack for the deferred calls of its loop bodies
	Wrapper  bool // it forwards its call, including a panic to recover

	deadOnce sync.Once
	dead     func(at int) []layout.Span // the dead words while an op runs; see tidy.go

	isReady atomic.Bool
	heated  atomic.Bool            // JIT compilation has begun
	native  atomic.Pointer[Native] // JIT-compiled code, or why there is none; see native.go
	calls   atomic.Int32           // calls by JIT-compiled code by way of the interpreter
	start   atomic.Uintptr         // where JIT-compiled code that calls it jumps to, or 0
	leaf    atomic.Uintptr         // the same for calls of func values without a frame
	method  atomic.Uintptr         // the same for calls of methods of interfaces without a frame
	// viaPointer means that interfaces may hold a pointer to the method's receiver, although the
	// receiver is a pointer itself.
	viaPointer atomic.Bool

	// JIT-compiled code that has been dropped. Calls in progress may still return to it.
	old   []*Native
	oldMu sync.Mutex
	// OwnCalls means that each call of an interpreted function has an op of its own, so that
	// JIT-compiled code can make the call.
	OwnCalls bool
}

// Capture holds the offset of a captured variable in a frame and in the closure's block.
type Capture struct {
	To   layout.Slot
	From uintptr
}

// ready compiles the code on first use.
func (c *Code) ready() {
	c.once.Do(func() {
		defer func() {
			c.err = recover()
			c.done.Store(true)
		}()
		c.SSA = c.Fn.Body()
		if complete := c.Fn.M.world.Complete; complete != nil {
			complete(c.SSA)
		}
		c.Analyze()
		c.Fn.M.world.Compile(c)
		c.armEntry()
		c.isReady.Store(true)
		if c.Fn.M.Native() == NativeForced {
			c.heat()
		}
	})
	if c.err != nil {
		panic(c.err)
	}
}

// Analyze determines the special properties of a function.
func (c *Code) Analyze() {
	fn := c.SSA
	if fn.Synthetic != "" && fn.Parent() == nil {
		for _, p := range []string{"wrapper", "bound", "thunk"} {
			c.Wrapper = c.Wrapper || strings.HasPrefix(fn.Synthetic, p)
		}
	}
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			switch in := in.(type) {
			case *ssa.Defer:
				c.Defers = true
			case *ssa.Call:
				if bi, ok := in.Call.Value.(*ssa.Builtin); ok && bi.Name() == "ssa:deferstack" && !Unneeded(in) {
					c.Defers = true
				}
			}
		}
	}
}

// Finish sets the results of the compiler's layout.
func (c *Code) Finish(l *layout.Layout, presets []func(layout.Frame), pos []token.Pos) {
	c.Frames = l.Shape()
	c.Clears = l.Clears()
	c.clearing = len(c.Clears) > 0
	c.pos = pos
	if len(presets) > 0 {
		c.template = unsafe.Add(rtype.Alloc(c.Frames.Type), c.Frames.Start)
		for _, set := range presets {
			set(c.template)
		}
	}
}

// LaidOutAs reports whether other, compiled from the same function, has the same frame layout and
// the same op numbers.
func (c *Code) LaidOutAs(other *Code) bool {
	return c.Frames == other.Frames && c.Places == other.Places && slices.Equal(c.Clears, other.Clears) &&
		slices.Equal(c.pos, other.pos) && slices.Equal(c.Captured, other.Captured) &&
		slices.EqualFunc(c.Blocks, other.Blocks, func(a, b *Block) bool {
			return a.SSA == b.SSA && a.First == b.First && a.BranchPC == b.BranchPC && len(a.Ops) == len(b.Ops)
		})
}

// newFrame returns a frame that contains the constants.
func (c *Code) newFrame() layout.Frame {
	c.ready()
	p := rtype.Alloc(c.Frames.Type)
	if c.template != nil {
		rtype.Move(c.Frames.Type, p, unsafe.Add(c.template, -c.Frames.Start))
	}
	return unsafe.Add(p, c.Frames.Start)
}

// clear drops the pointers of a frame that is not in use any more.
func (c *Code) clear(fp layout.Frame) { layout.ClearPointers(fp, c.Clears) }

// SetCaptured copies the captured variables of a closure into a frame.
func (c *Code) SetCaptured(fp layout.Frame, env unsafe.Pointer) {
	for i := range c.Captured {
		v := &c.Captured[i]
		if v.To.Rep == layout.Pointer {
			*layout.Ref[unsafe.Pointer](fp, v.To.Off) = *(*unsafe.Pointer)(unsafe.Add(env, v.From))
			continue
		}
		layout.Copy(v.To.Rep, v.To.Type, unsafe.Add(fp, v.To.Off), unsafe.Add(env, v.From))
	}
}

// Run runs the code on a frame whose parameters are set.
func (c *Code) Run(th *Thread, fp layout.Frame) {
	if c.Defers || th.Depth > th.Bound.Load() {
		c.RunSlowly(th, fp)
		return
	}
	Loop(th, fp, c.Entry)
}

// RunSlowly is like Run, for code with deferred calls, and for a thread that has to poll before it
// continues.
func (c *Code) RunSlowly(th *Thread, fp layout.Frame) {
	if th.Depth > th.Bound.Load() {
		th.check(c.Entry)
		if th.hot.Swap(false) {
			th.heat(fp)
		}
	}
	if c.Defers {
		c.runDeferring(th, fp)
		return
	}
	loop(th, fp, c.Entry)
}

// loop is like Loop, for a thread that may be sampled or make steps.
func loop(th *Thread, fp layout.Frame, b *Block) {
	switch th.Bound.Load() {
	case sampledBound:
		sampledLoop(th, fp, b)
	case steppedBound:
		steppedLoop(th, fp, b)
	default:
		Loop(th, fp, b)
	}
}

// Loop runs blocks until one of them returns.
func Loop(th *Thread, fp layout.Frame, b *Block) {
	h := Head(fp)
	for {
		pc, ops := b.First, b.Ops
		if e := b.native.Load(); e != nil {
			var at int32
			if b, at = th.enterNative(fp, b, e); b == nil {
				return
			}
			pc, ops = b.First+at, b.Ops[at:]
		}
		for _, o := range ops {
			pc++
			h.PC = pc
			o(fp)
		}
		if b.Branch != nil {
			h.PC = b.BranchPC
			b = b.Branch(fp)
		} else if b = b.Next; b == nil {
			return
		}
		if th.Bound.Load() < 0 && th.lookUp(fp, b) {
			loop(th, fp, b)
			return
		}
	}
}

// lookUp polls as check does, and reports whether the thread has to continue in another loop.
func (th *Thread) lookUp(fp layout.Frame, next *Block) bool {
	th.check(next)
	if th.hot.Swap(false) {
		th.heat(fp)
	}
	return th.Bound.Load() <= sampledBound
}

// FunctionOf returns the interpreted function of a func value, or nil if it is compiled.
func FunctionOf(v reflect.Value) *Function {
	p := reflect.New(v.Type())
	if !v.CanInterface() {
		return nil
	}
	p.Elem().Set(v)
	word := *(*unsafe.Pointer)(p.UnsafePointer())
	if c := rtype.ClosureOf(word); c != nil {
		return (*Function)(c.Func())
	}
	if m := rtype.MethodOf(word); m != nil { // a method as package reflect lists it
		return (*Function)(m.Func())
	}
	return nil
}

// Argument returns the first argument of type T in a call from compiled code, and the number of
// parameters. The number is 0 if no argument has type T.
func Argument[T any](call *rtype.Call) (v T, of int) {
	f := (*Function)(call.Func())
	for i, p := range f.Sig.Params {
		if p.Type.Reflect() == reflect.TypeFor[T]() {
			call.Arg(i, unsafe.Pointer(&v))
			return v, len(f.Sig.Params)
		}
	}
	return v, 0
}
