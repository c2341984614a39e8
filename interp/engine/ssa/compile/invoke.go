package compile

import (
	"go/types"
	"reflect"
	"slices"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/gokernel/gokernel/interp/engine/ssa/layout"
	"github.com/gokernel/gokernel/interp/engine/ssa/machine"
	"github.com/gokernel/gokernel/interp/engine/ssa/rtype"
	"golang.org/x/tools/go/ssa"
)

// target is the most recent target of a call through an interface.
type target struct {
	itab   *rtype.Itab
	fn     *function // nil: a compiled method
	direct bool      // the data word is the receiver, not a pointer to it
	word   bool      // the receiver is a word without pointers, and data points to it
	recv   slot
	method *rtype.Method
	code   unsafe.Pointer // the method as a func value that takes the data word
	other  reflect.Value  // the replacement of a compiled method, if it has one
}

// recentTargets caches the targets of a call by the address of the method table.
type recentTargets [8]atomic.Pointer[target]

func (r *recentTargets) of(itab *rtype.Itab) *atomic.Pointer[target] {
	p := uintptr(unsafe.Pointer(itab))
	return &r[(p>>5^p>>9)%uintptr(len(r))]
}

// methodIndex returns the index of a method in the method tables of an interface type.
func methodIndex(t types.Type, m *types.Func) int {
	i := t.Underlying().(*types.Interface)
	ids := make([]*types.Func, i.NumMethods())
	for k := range ids {
		ids[k] = i.Method(k)
	}
	slices.SortFunc(ids, rtype.CompareMethods)
	for k, f := range ids {
		if f.Id() == m.Id() {
			return k
		}
	}
	return -1
}

// target returns the target of method i of a table.
func (all *Compiler) target(itab *rtype.Itab, i int) *target {
	key := targetKey{itab, i}
	if t, ok := all.targets.Load(key); ok {
		return t.(*target)
	}
	t, _ := all.targets.LoadOrStore(key, all.find(itab, i))
	return t.(*target)
}

type targetKey struct {
	itab *rtype.Itab
	i    int
}

func (all *Compiler) find(itab *rtype.Itab, i int) *target {
	t := &target{itab: itab, code: itab.Func(i)}
	if m := itab.Implementation(i); m != nil {
		t.method = m
		own := m.Recv == itab.Type()
		t.direct = own && m.Recv.Direct()
		t.fn = (*function)(m.Func())
		t.recv = t.fn.Sig.Params[0]
		t.word = own && !t.direct && m.Recv.Size() == 8 && m.Recv.PtrBytes() == 0
		return t
	}
	if t.other = all.overrideOf(itab, i); t.other.IsValid() {
		t.code = layout.FuncWord(t.other)
	}
	return t
}

// overrideOf returns the replacement of the compiled method i of a table, if its receiver is a
// pointer.
func (all *Compiler) overrideOf(itab *rtype.Itab, i int) reflect.Value {
	p := itab.Type().Reflect()
	if p.Kind() != reflect.Pointer || p.Elem().Name() == "" {
		return reflect.Value{}
	}
	name := itab.Interface().Reflect().Method(i).Name
	return all.Override("(*" + p.Elem().PkgPath() + "." + p.Elem().Name() + ")." + name)
}

// setReceiver sets the receiver of a call to the value that an interface holds.
func (t *target) setReceiver(callee frame, data unsafe.Pointer) {
	switch {
	case t.direct:
		*ref[unsafe.Pointer](callee, t.recv.Off) = data
		return
	case t.word:
		*ref[uint64](callee, t.recv.Off) = *(*uint64)(data)
		return
	case data == nil:
		t.method.Receiver(nil, nil) // panics: a value method and a nil pointer
	}
	layout.Copy(t.recv.Rep, t.recv.Type, unsafe.Add(callee, t.recv.Off), data)
}

// invocation is a call of a method through an interface.
type invocation struct {
	all      *Compiler
	x        uintptr // frame offset of the interface value
	method   int
	pass     passer // nil: there are no arguments
	compiled func(fp frame, t *target)
	recent   recentTargets
	results  []slot
}

func (c *body) invocation(call *ssa.CallCommon, res []slot) *invocation {
	i := methodIndex(call.Value.Type(), call.Method)
	sig := c.all.Machine.SignatureOf(call.Signature())
	in := &invocation{all: c.all, x: c.slot(call.Value).Off, method: i, results: sig.Results}
	if len(call.Args) > 0 {
		in.pass = c.passAll(call.Args, sig.Params)
	}
	in.compiled = c.compiledMethod(c.all.Machine.Typ(call.Value.Type()), i, call, res)
	return in
}

// begin implements callee.begin.
func (in *invocation) begin(fp frame) (frame, *frameStack) {
	v := ref[iface](fp, in.x)
	itab := (*rtype.Itab)(v.Tab)
	recent := in.recent.of(itab)
	t := recent.Load()
	if t == nil || t.itab != itab {
		notNil(v.Tab)
		t = in.all.target(itab, in.method)
		recent.Store(t)
	}
	if t.fn == nil {
		in.compiled(fp, t)
		return nil, nil
	}
	th := head(fp).Thread
	s := th.StackOf(t.fn.Code.Load())
	callee := s.Push(th)
	t.setReceiver(callee, v.Data)
	if in.pass != nil {
		in.pass(fp, callee)
	}
	return callee, s
}

// invokedResult implements callResult for a method of an interface. A compiled method leaves its
// result in d.
func invokedResult[T any](c *body, call *ssa.CallCommon, d slot) expr[T] {
	in := c.invocation(call, []slot{d})
	r := in.results[0].Off
	return func(fp frame) T {
		callee, s := in.begin(fp)
		if callee == nil {
			return *ref[T](fp, d.Off)
		}
		th, code := head(fp).Thread, s.Code
		if code.Defers || th.Depth > th.Bound.Load() {
			code.RunSlowly(th, callee)
		} else {
			machine.Loop(th, callee, code.Entry)
		}
		v := *ref[T](callee, r)
		s.Pop(th, callee)
		return v
	}
}

// prepare evaluates the function and the arguments of a go or defer statement and returns the call
// to make later.
func (c *body) prepare(call *ssa.CallCommon, in ssa.Instruction) func(fp frame, th *thread) *machine.Deferred {
	if b, ok := call.Value.(*ssa.Builtin); ok {
		return c.prepareCopy(c.builtin(b, call, nil, in.Pos()), call, b.Name() == "recover")
	}
	if call.IsInvoke() {
		return c.prepareInvoke(call)
	}
	fn := call.StaticCallee()
	_, closure := call.Value.(*ssa.MakeClosure)
	switch {
	case fn != nil && fn.Blocks == nil:
		return c.prepareCopy(c.callExternal(fn, call, nil, in.Pos()), call, false)
	case fn != nil && !closure:
		f := c.all.Machine.Function(fn)
		pass := c.passAll(call.Args, f.Sig.Params)
		return func(fp frame, th *thread) *machine.Deferred {
			d := th.NewDeferred()
			d.Code = f.Code.Load()
			d.Frame = th.Detach(d.Code)
			pass(fp, d.Frame)
			return d
		}
	}
	fv := c.slot(call.Value).Off
	sig := c.all.Machine.SignatureOf(call.Signature())
	pass := c.passAll(call.Args, sig.Params)
	_, isGo := in.(*ssa.Go)
	dynamic := c.compiledCall(c.all.Machine.Typ(call.Value.Type()), call.Args, nil)
	compiled := c.prepareCopy(func(fp frame) {
		p := *ref[unsafe.Pointer](fp, fv)
		notNil(p)
		dynamic(fp, p)
	}, call, false)
	return func(fp frame, th *thread) *machine.Deferred {
		p := *ref[unsafe.Pointer](fp, fv)
		if p == nil && isGo {
			panic(machine.PlainError("go of nil func value"))
		}
		cl := rtype.ClosureOf(p)
		if cl == nil {
			d := compiled(fp, th)
			d.Passes = p != nil && rtype.PassesOn(p)
			return d
		}
		d := th.NewDeferred()
		d.Code = (*function)(cl.Func()).Code.Load()
		d.Frame = th.Detach(d.Code)
		pass(fp, d.Frame)
		d.Code.SetCaptured(d.Frame, cl.Env())
		return d
	}
}

func (c *body) prepareInvoke(call *ssa.CallCommon) func(fp frame, th *thread) *machine.Deferred {
	x := c.slot(call.Value).Off
	i := methodIndex(call.Value.Type(), call.Method)
	sig := c.all.Machine.SignatureOf(call.Signature())
	pass := c.passAll(call.Args, sig.Params)
	method := c.compiledMethod(c.all.Machine.Typ(call.Value.Type()), i, call, nil)
	all := c.all
	compiled := c.prepareCopy(func(fp frame) {
		method(fp, all.target((*rtype.Itab)(ref[iface](fp, x).Tab), i))
	}, call, false)
	return func(fp frame, th *thread) *machine.Deferred {
		v := ref[iface](fp, x)
		notNil(v.Tab)
		t := all.target((*rtype.Itab)(v.Tab), i)
		if t.fn == nil {
			return compiled(fp, th)
		}
		d := th.NewDeferred()
		if v.Data == nil && !t.direct {
			d.Call = func() { t.method.Receiver(nil, nil) } // panics, but only at the call
			return d
		}
		d.Code = t.fn.Code.Load()
		d.Frame = th.Detach(d.Code)
		t.setReceiver(d.Frame, v.Data)
		pass(fp, d.Frame)
		return d
	}
}

// prepareCopy prepares an op that makes a call, to run later on a copy of the current frame. The
// copy has only the values that the call needs, so that other values can be collected.
func (c *body) prepareCopy(o op, call *ssa.CallCommon, recovers bool) func(fp frame, th *thread) *machine.Deferred {
	code := c.code
	var needed []layout.Span
	for _, v := range append([]ssa.Value{call.Value}, call.Args...) {
		if s, ok := c.slots[v]; ok {
			needed = append(needed, layout.Span{From: s.Off, To: s.Off + s.Type.Size()})
		}
	}
	drop := sync.OnceValue(func() []layout.Span { return layout.Without(code.Clears, needed) })
	return func(fp frame, th *thread) *machine.Deferred {
		p := rtype.Alloc(code.Frames.Type)
		rtype.Move(code.Frames.Type, p, unsafe.Add(fp, -code.Frames.Start))
		own := unsafe.Add(p, code.Frames.Start)
		layout.Clear(own, drop())
		d := th.NewDeferred()
		head(own).Thread = th
		d.Call = func() { o(own) }
		if recovers {
			d.Recovers = true
			head(own).Rec = head(fp).Rec // the panic that a call from here would see
		}
		return d
	}
}
