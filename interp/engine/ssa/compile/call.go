package compile

import (
	"go/token"
	"go/types"
	"unsafe"

	"github.com/gokernel/gokernel/interp/engine/ssa/layout"
	"github.com/gokernel/gokernel/interp/engine/ssa/machine"
	"github.com/gokernel/gokernel/interp/engine/ssa/rtype"
	"golang.org/x/tools/go/ssa"
)

// passer copies one or several arguments from the caller's frame to the parameters in the callee's
// frame.
type passer func(fp, callee frame)

// callTreeable reports whether a call may be a tree: it has one result, which is held in registers,
// and its callee is interpreted.
func (c *body) callTreeable(call *ssa.CallCommon) bool {
	fn := call.StaticCallee()
	return fn == nil || fn.Blocks != nil || c.floatFunc(fn)
}

// argTreeable reports whether an argument may be a tree. Arguments of functions compiled by Go may
// not, because these functions read them from frame slots, except for those that floatFunc reports.
func (c *body) argTreeable(call *ssa.CallCommon, v ssa.Value) bool {
	if call.IsInvoke() || v == call.Value || c.hasCall(v) {
		return false
	}
	fn := call.StaticCallee()
	if fn == nil {
		return false
	}
	if fn.Blocks == nil {
		return c.floatFunc(fn)
	}
	_, closure := call.Value.(*ssa.MakeClosure)
	return !closure
}

// hasCall reports whether a tree contains a call. A tree with a call cannot be an argument, because
// the frame of the callee already exists when the arguments are set.
func (c *body) hasCall(v ssa.Value) bool {
	if !c.fused(v) {
		return false
	}
	in := v.(ssa.Instruction)
	if call, ok := in.(*ssa.Call); ok {
		if _, builtin := call.Call.Value.(*ssa.Builtin); !builtin {
			return true
		}
	}
	for _, o := range in.Operands(nil) {
		if *o != nil && c.hasCall(*o) {
			return true
		}
	}
	return false
}

// callInstr compiles a call statement, or a call whose results have frame slots.
func (c *body) callInstr(in *ssa.Call) {
	if c.isStop(in) {
		return // no debugger is attached now
	}
	if b, ok := in.Call.Value.(*ssa.Builtin); ok && b.Name() == "ssa:deferstack" && machine.Unneeded(in) {
		return
	}
	var res []slot
	if t, ok := in.Type().(*types.Tuple); ok {
		if t.Len() > 0 {
			res = c.tuple(in)
		}
	} else if len(*in.Referrers()) > 0 {
		res = []slot{c.slot(in)}
	}
	if b, ok := in.Call.Value.(*ssa.Builtin); ok {
		c.emit(c.builtin(b, &in.Call, res, in.Pos()), in.Pos())
		return
	}
	pos := machine.PlaceOf(in)
	c.emit(c.call(&in.Call, res, pos), pos)
}

// call returns res = f(args) for a function that is not a builtin.
func (c *body) call(call *ssa.CallCommon, res []slot, pos token.Pos) op {
	fn := call.StaticCallee()
	if fn != nil && fn.Blocks == nil {
		return c.callExternal(fn, call, res, pos)
	}
	if fn != nil {
		if o := c.sortOp(fn, call); o != nil {
			return o
		}
	}
	if o := c.inlineOp(call, res, pos); o != nil {
		return o
	}
	if len(res) == 1 && registered(res[0].Rep) && !c.code.Wrapper {
		return storeTree(res[0].Off, c.callResult(call, res[0], pos))
	}
	return c.callOp(call, res)
}

// callOp returns res = f(args) for an interpreted function or a func value.
func (c *body) callOp(call *ssa.CallCommon, res []slot) op {
	cl := c.callee(call, res)
	results := cl.results
	if len(res) == 0 {
		return func(fp frame) {
			if callee, s := cl.begin(fp); callee != nil {
				th := head(fp).Thread
				s.Code.Run(th, callee)
				s.Pop(th, callee)
			}
		}
	}
	return func(fp frame) {
		if callee, s := cl.begin(fp); callee != nil {
			th := head(fp).Thread
			s.Code.Run(th, callee)
			for i := range res {
				d := &res[i]
				layout.Copy(d.Rep, d.Type, unsafe.Add(fp, d.Off), unsafe.Add(callee, results[i].Off))
			}
			s.Pop(th, callee)
		}
	}
}

// callee is the target of a call.
type callee struct {
	// begin enters the function and sets its parameters. If the function is compiled, begin makes
	// the call and returns no frame.
	begin   func(fp frame) (frame, *frameStack)
	results []slot
}

// callee prepares a call of an interpreted function. A compiled function stores its results in res.
func (c *body) callee(call *ssa.CallCommon, res []slot) callee {
	var cl callee
	if call.IsInvoke() {
		in := c.invocation(call, res)
		cl = callee{begin: in.begin, results: in.results}
	} else if _, closure := call.Value.(*ssa.MakeClosure); call.StaticCallee() != nil && !closure {
		cl = c.static(call)
	} else {
		cl = c.dynamic(call, res)
	}
	if c.code.Wrapper {
		// A function that a wrapper calls may recover as if it had been called directly.
		begin := cl.begin
		cl.begin = func(fp frame) (frame, *frameStack) {
			callee, s := begin(fp)
			if callee == nil {
				return nil, nil
			}
			head(callee).Rec = head(fp).Rec
			th := head(fp).Thread
			s.Code.Run(th, callee)
			head(callee).Rec = nil
			for i := range res {
				d := &res[i]
				layout.Copy(d.Rep, d.Type, unsafe.Add(fp, d.Off), unsafe.Add(callee, cl.results[i].Off))
			}
			s.Pop(th, callee)
			return nil, nil
		}
	}
	return cl
}

// static returns the call of a known function.
func (c *body) static(call *ssa.CallCommon) callee {
	f := c.all.Machine.Function(call.StaticCallee())
	pass := c.passAll(call.Args, f.Sig.Params)
	site := c.l.PlaceSite()
	return callee{results: f.Sig.Results, begin: func(fp frame) (frame, *frameStack) {
		th, code := head(fp).Thread, f.Code.Load()
		s := *ref[*frameStack](fp, site)
		if !s.Free(code) {
			s = th.StackAt(fp, site, code)
		}
		callee := s.Push(th)
		pass(fp, callee)
		return callee, s
	}}
}

// dynamic returns the call of a func value.
func (c *body) dynamic(call *ssa.CallCommon, res []slot) callee {
	fv := argOf[unsafe.Pointer](c, call.Value).fn()
	sig := c.all.Machine.SignatureOf(call.Signature())
	pass := c.passAll(call.Args, sig.Params)
	compiled := c.compiledCall(c.all.Machine.Typ(call.Value.Type()), call.Args, res)
	site := c.l.PlaceSite()
	return callee{results: sig.Results, begin: func(fp frame) (frame, *frameStack) {
		p := fv(fp)
		cl := rtype.ClosureOf(p)
		if cl == nil {
			notNil(p)
			compiled(fp, p)
			return nil, nil
		}
		th, code := head(fp).Thread, (*function)(cl.Func()).Code.Load()
		s := *ref[*frameStack](fp, site)
		if !s.Free(code) {
			s = th.StackAt(fp, site, code)
		}
		callee := s.Push(th)
		pass(fp, callee)
		if len(code.Captured) > 0 {
			code.SetCaptured(callee, cl.Env())
		}
		return callee, s
	}}
}

// callTree returns, as a tree, a call with one result.
func (c *body) callTree(in *ssa.Call) any {
	t := c.typ(in.Type())
	if fn := in.Call.StaticCallee(); fn != nil && fn.Blocks == nil {
		return c.compiledTree(fn, &in.Call, in.Pos())
	}
	return c.callResult(&in.Call, slot{Type: t, Rep: layout.Of(t)}, in.Pos())
}

// callResult returns the single result of a call as a tree. The result has the type of d, which
// need not have a frame slot.
func (c *body) callResult(call *ssa.CallCommon, d slot, pos token.Pos) any {
	switch d.Rep {
	case layout.Bool:
		return resultOf[bool](c, call, d, pos)
	case layout.Int8:
		return resultOf[int8](c, call, d, pos)
	case layout.Int16:
		return resultOf[int16](c, call, d, pos)
	case layout.Int32:
		return resultOf[int32](c, call, d, pos)
	case layout.Int64:
		return resultOf[int64](c, call, d, pos)
	case layout.Uint8:
		return resultOf[uint8](c, call, d, pos)
	case layout.Uint16:
		return resultOf[uint16](c, call, d, pos)
	case layout.Uint32:
		return resultOf[uint32](c, call, d, pos)
	case layout.Uint64:
		return resultOf[uint64](c, call, d, pos)
	case layout.Float32:
		return resultOf[float32](c, call, d, pos)
	case layout.Float64:
		return resultOf[float64](c, call, d, pos)
	case layout.Complex64:
		return resultOf[complex64](c, call, d, pos)
	case layout.Complex128:
		return resultOf[complex128](c, call, d, pos)
	case layout.Pointer:
		return resultOf[unsafe.Pointer](c, call, d, pos)
	case layout.String:
		return resultOf[string](c, call, d, pos)
	case layout.Slice:
		return resultOf[rtype.Slice](c, call, d, pos)
	}
	return resultOf[iface](c, call, d, pos)
}

func resultOf[T any](c *body, call *ssa.CallCommon, d slot, pos token.Pos) expr[T] {
	if t := inlineTree[T](c, call, pos); t != nil {
		return t
	}
	if _, closure := call.Value.(*ssa.MakeClosure); call.StaticCallee() != nil && !closure && !c.code.Wrapper {
		return staticResult[T](c, call)
	}
	own := c.l.Place(d.Type).Off // for the result of a compiled function
	if call.IsInvoke() && !c.code.Wrapper {
		return invokedResult[T](c, call, slot{Off: own, Type: d.Type, Rep: d.Rep})
	}
	if !c.code.Wrapper {
		return dynamicResult[T](c, call, slot{Off: own, Type: d.Type, Rep: d.Rep})
	}
	cl := c.callee(call, []slot{{Off: own, Type: d.Type, Rep: d.Rep}})
	r := cl.results[0].Off
	return func(fp frame) T {
		callee, s := cl.begin(fp)
		if callee == nil {
			return *ref[T](fp, own)
		}
		th := head(fp).Thread
		s.Code.Run(th, callee)
		v := *ref[T](callee, r)
		s.Pop(th, callee)
		return v
	}
}

// staticResult implements callResult for a known function, as one closure.
func staticResult[T any](c *body, call *ssa.CallCommon) expr[T] {
	f := c.all.Machine.Function(call.StaticCallee())
	pass := c.passAll(call.Args, f.Sig.Params)
	r := f.Sig.Results[0].Off
	site := c.l.PlaceSite()
	return func(fp frame) T {
		th, code := head(fp).Thread, f.Code.Load()
		s := *ref[*frameStack](fp, site)
		if !s.Free(code) {
			s = th.StackAt(fp, site, code)
		}
		callee := s.Push(th)
		pass(fp, callee)
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

// dynamicResult implements callResult for a func value, as one closure. A compiled function leaves
// its result in d.
func dynamicResult[T any](c *body, call *ssa.CallCommon, d slot) expr[T] {
	fv := c.slotOf(call.Value).Off
	sig := c.all.Machine.SignatureOf(call.Signature())
	pass := c.passAll(call.Args, sig.Params)
	compiled := c.compiledCall(c.all.Machine.Typ(call.Value.Type()), call.Args, []slot{d})
	site, r := c.l.PlaceSite(), sig.Results[0].Off
	return func(fp frame) T {
		p := *ref[unsafe.Pointer](fp, fv)
		cl := rtype.ClosureOf(p)
		if cl == nil {
			notNil(p)
			compiled(fp, p)
			return *ref[T](fp, d.Off)
		}
		th, code := head(fp).Thread, (*function)(cl.Func()).Code.Load()
		s := *ref[*frameStack](fp, site)
		if !s.Free(code) {
			s = th.StackAt(fp, site, code)
		}
		callee := s.Push(th)
		pass(fp, callee)
		if len(code.Captured) > 0 {
			code.SetCaptured(callee, cl.Env())
		}
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

// passAll sets the parameters to the arguments.
func (c *body) passAll(args []ssa.Value, params []slot) passer {
	var all []passer
	for i, a := range args {
		if p := c.passOne(a, params[i]); p != nil {
			all = append(all, p)
		}
	}
	switch len(all) {
	case 0:
		return func(fp, callee frame) {}
	case 1:
		return all[0]
	case 2:
		a, b := all[0], all[1]
		return func(fp, callee frame) {
			a(fp, callee)
			b(fp, callee)
		}
	case 3:
		a, b, d := all[0], all[1], all[2]
		return func(fp, callee frame) {
			a(fp, callee)
			b(fp, callee)
			d(fp, callee)
		}
	}
	return func(fp, callee frame) {
		for _, p := range all {
			p(fp, callee)
		}
	}
}

func (c *body) passOne(v ssa.Value, to slot) passer {
	switch to.Rep {
	case layout.Zero:
		return nil
	case layout.Bool:
		return pass[bool](c, v, to.Off)
	case layout.Int8:
		return pass[int8](c, v, to.Off)
	case layout.Int16:
		return pass[int16](c, v, to.Off)
	case layout.Int32:
		return pass[int32](c, v, to.Off)
	case layout.Int64:
		return pass[int64](c, v, to.Off)
	case layout.Uint8:
		return pass[uint8](c, v, to.Off)
	case layout.Uint16:
		return pass[uint16](c, v, to.Off)
	case layout.Uint32:
		return pass[uint32](c, v, to.Off)
	case layout.Uint64:
		return pass[uint64](c, v, to.Off)
	case layout.Float32:
		return pass[float32](c, v, to.Off)
	case layout.Float64:
		return pass[float64](c, v, to.Off)
	case layout.Complex64:
		return pass[complex64](c, v, to.Off)
	case layout.Complex128:
		return pass[complex128](c, v, to.Off)
	case layout.Pointer:
		return pass[unsafe.Pointer](c, v, to.Off)
	case layout.String:
		return pass[string](c, v, to.Off)
	case layout.Slice:
		return pass[rtype.Slice](c, v, to.Off)
	case layout.Interface:
		return pass[iface](c, v, to.Off)
	}
	from, t := c.slot(v).Off, to.Type
	return func(fp, callee frame) { layout.Move(t, unsafe.Add(callee, to.Off), unsafe.Add(fp, from)) }
}

func pass[T any](c *body, v ssa.Value, to uintptr) passer {
	if p := c.passStep(v, to); p != nil {
		return p
	}
	a := argOf[T](c, v)
	off, k, t := a.off, a.k, a.tree
	switch a.kind {
	case inSlot:
		return func(fp, callee frame) { *ref[T](callee, to) = *ref[T](fp, off) }
	case isConst:
		return func(_, callee frame) { *ref[T](callee, to) = k }
	}
	return func(fp, callee frame) { *ref[T](callee, to) = t(fp) }
}

// passStep passes i + 1, n - 1 and the like. It returns nil for any other value.
func (c *body) passStep(v ssa.Value, to uintptr) passer {
	in, ok := v.(*ssa.BinOp)
	if !ok || !c.fused(in) || in.Op != token.ADD && in.Op != token.SUB || c.repOf(in.Type()) != layout.Int64 {
		return nil
	}
	x, y := bothArgs[int64](c, in.X, in.Y)
	if x.kind != inSlot || y.kind != isConst {
		return nil
	}
	off, k := x.off, y.k
	if in.Op == token.SUB {
		k = -k
	}
	return func(fp, callee frame) { *ref[int64](callee, to) = *ref[int64](fp, off) + k }
}
