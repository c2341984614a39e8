//go:build (linux || darwin) && (amd64 || arm64)

package ssa

import (
	"go/token"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"unsafe"

	"golang.org/x/tools/go/ssa"

	"github.com/gokernel/gokernel/interp/engine/ssa/rtype"
)

// function is an interpreted function as its callers know it. Its code changes
// when a later cell declares it again.
type function struct {
	e    *Engine
	ssa  *ssa.Function
	sig  *signature
	code atomic.Pointer[code]

	once     sync.Once
	captures *captures
	closure  atomic.Pointer[rtype.Closure] // the func value without captured variables
	replaced []*function                   // earlier ones that have its code now
}

// signature is where parameters and results lie in a frame. It depends on the
// types alone, a receiver coming last, so that callers know it who do not know
// the function.
type signature struct {
	params, results []slot
}

// placeSignature lays out the parameters and results of a function.
func (e *Engine) placeSignature(l *layout, fn *ssa.Function) *signature {
	sig := &signature{params: make([]slot, len(fn.Params))}
	params := fn.Params
	method := fn.Signature.Recv() != nil && len(params) > 0
	for i, p := range params {
		if i > 0 || !method {
			sig.params[i] = l.place(e.typ(p.Type()))
		}
	}
	for r := range fn.Signature.Results().Variables() {
		sig.results = append(sig.results, l.place(e.typ(r.Type())))
	}
	if method {
		sig.params[0] = l.place(e.typ(params[0].Type()))
	}
	return sig
}

// captures is the form of the block of variables that a closure has captured.
type captures struct {
	typ     *rtype.Type
	offsets []uintptr
}

func (f *function) captureForm() *captures {
	f.once.Do(func() {
		c := &captures{}
		var fields []reflect.StructField
		for _, v := range f.ssa.FreeVars {
			t := f.e.typ(v.Type()).Reflect()
			if t.Kind() == reflect.Pointer {
				t = reflect.TypeFor[unsafe.Pointer]() // one shape for all closures with as many
			}
			fields = append(fields, reflect.StructField{Name: "F" + strconv.Itoa(len(fields)), Type: t})
		}
		t := reflect.StructOf(fields)
		for i := range fields {
			c.offsets = append(c.offsets, t.Field(i).Offset)
		}
		c.typ = rtype.TypeOf(t)
		f.captures = c
	})
	return f.captures
}

// binding gives where captured variable i lies in the block.
func (f *function) binding(i int) uintptr { return f.captureForm().offsets[i] }

// value gives the function as a func value, without captured variables.
func (f *function) value() *rtype.Closure {
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
func (f *function) bind(env unsafe.Pointer) *rtype.Closure {
	return f.e.types.Signature(f.e.funcType(f.ssa)).Closure(unsafe.Pointer(f), env)
}

// code is the compiled body of a function.
type code struct {
	fn *function
	id uint32

	once  sync.Once
	err   any // what compilation panicked with
	entry *block

	recovery *block // where a recovered panic goes on
	frames   shape
	template frame // constants, to be copied into a new frame; nil if there are none
	clears   []run
	pos      []token.Pos
	inlined  []inlinedOp
	inlines  map[*function]*code // what inlined bodies were of
	captured []capture
	clearing bool // clears is not empty
	defers   bool // it has deferred calls, or a stack for those of its loop bodies
	wrapper  bool // it passes its call on, a panic to recover included

	usesOnce sync.Once
	uses     *uses
}

// capture says where a captured variable goes in a frame, and where it is in
// the closure's block.
type capture struct {
	to   slot
	from uintptr
}

// ready compiles the code when it is first needed.
func (c *code) ready() {
	c.once.Do(func() {
		defer func() { c.err = recover() }()
		c.analyze()
		(&compiler{e: c.fn.e, code: c, ssa: c.fn.ssa}).compile()
	})
	if c.err != nil {
		panic(c.err)
	}
}

// analyze finds out what sets a function apart.
func (c *code) analyze() {
	fn := c.fn.ssa
	if fn.Synthetic != "" && fn.Parent() == nil {
		for _, p := range []string{"wrapper", "bound", "thunk"} {
			c.wrapper = c.wrapper || strings.HasPrefix(fn.Synthetic, p)
		}
	}
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			switch in := in.(type) {
			case *ssa.Defer:
				c.defers = true
			case *ssa.Call:
				if bi, ok := in.Call.Value.(*ssa.Builtin); ok && bi.Name() == "ssa:deferstack" {
					c.defers = true
				}
			}
		}
	}
}

// finish takes over what the compiler has laid out.
func (c *code) finish(l *layout, presets []func(frame), pos []token.Pos) {
	c.frames = l.shape()
	c.clears = l.clears()
	c.clearing = len(c.clears) > 0
	c.pos = pos
	if len(presets) > 0 {
		c.template = unsafe.Add(rtype.Alloc(c.frames.typ), c.frames.start)
		for _, set := range presets {
			set(c.template)
		}
	}
}

// newFrame makes a frame with the constants in it.
func (c *code) newFrame() frame {
	c.ready()
	p := rtype.Alloc(c.frames.typ)
	if c.template != nil {
		rtype.Move(c.frames.typ, p, unsafe.Add(c.template, -c.frames.start))
	}
	return unsafe.Add(p, c.frames.start)
}

// clear drops the pointers of a frame that is not in use any more.
func (c *code) clear(fp frame) { clearRuns(fp, c.clears) }

// clearRuns clears words of a frame.
func clearRuns(fp frame, runs []run) {
	for _, r := range runs {
		n := (r.to - r.from) / 8
		p := (*unsafe.Pointer)(unsafe.Add(fp, r.from))
		if n == 1 {
			*p = nil
			continue
		}
		clear(unsafe.Slice(p, n))
	}
}

// setCaptured copies the captured variables of a closure into a frame.
func (c *code) setCaptured(fp frame, env unsafe.Pointer) {
	for i := range c.captured {
		v := &c.captured[i]
		if v.to.rep == repPtr {
			*ref[unsafe.Pointer](fp, v.to.off) = *(*unsafe.Pointer)(unsafe.Add(env, v.from))
			continue
		}
		copyValue(v.to.rep, v.to.typ, unsafe.Add(fp, v.to.off), unsafe.Add(env, v.from))
	}
}

// run runs the code on a frame whose parameters are set.
func (c *code) run(th *thread, fp frame) {
	if c.defers || th.depth > th.bound.Load() {
		c.runSlowly(th, fp)
		return
	}
	loop(th, fp, c.entry)
}

func (c *code) runSlowly(th *thread, fp frame) {
	if th.depth > th.bound.Load() {
		th.check(nil)
	}
	if c.defers {
		c.runDeferring(th, fp)
		return
	}
	loop(th, fp, c.entry)
}

// loop runs blocks until one returns.
func loop(th *thread, fp frame, b *block) {
	h := head(fp)
	for {
		pc := b.first
		for _, o := range b.ops {
			pc++
			h.pc = pc
			o(fp)
		}
		if b.branch != nil {
			h.pc = b.branchPC
			b = b.branch(fp)
		} else if b = b.next; b == nil {
			return
		}
		if th.bound.Load() < 0 {
			th.check(b)
		}
	}
}
