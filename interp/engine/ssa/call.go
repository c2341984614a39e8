//go:build (linux || darwin) && (amd64 || arm64)

package ssa

import (
	"go/token"
	"go/types"
	"unsafe"

	"golang.org/x/tools/go/ssa"

	"github.com/gokernel/gokernel/interp/engine/ssa/rtype"
)

// passer sets a parameter, or several, in the frame of a call from what is in
// the frame of the caller.
type passer func(fp, callee frame)

// callTreeable reports whether a call may be a tree: it has one result that is
// held in registers, and its results are taken from an interpreted function.
func (c *compiler) callTreeable(call *ssa.CallCommon) bool {
	fn := call.StaticCallee()
	return fn == nil || fn.Blocks != nil || c.floatFunc(fn)
}

// argTreeable reports whether an argument may be a tree. Compiled functions take
// their arguments from places in the frame.
func (c *compiler) argTreeable(call *ssa.CallCommon, v ssa.Value) bool {
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

// hasCall reports whether a tree has a call in it. Such a tree is not an argument
// because the frame of the callee is there already when arguments are set.
func (c *compiler) hasCall(v ssa.Value) bool {
	if !c.fused(v) {
		return false
	}
	in := v.(ssa.Instruction)
	if call, ok := in.(*ssa.Call); ok {
		_, builtin := call.Call.Value.(*ssa.Builtin)
		return !builtin
	}
	for _, o := range in.Operands(nil) {
		if *o != nil && c.hasCall(*o) {
			return true
		}
	}
	return false
}

// callInstr is a call statement, or a call whose results have places.
func (c *compiler) callInstr(in *ssa.Call) {
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
	pos := placeOf(in)
	c.emit(c.call(&in.Call, res, pos), pos)
}

// placeOf gives the place of an instruction. The call that a range over a function
// is has that of the word range.
func placeOf(in ssa.Instruction) token.Pos {
	if call, ok := in.(*ssa.Call); ok && !in.Pos().IsValid() && len(call.Call.Args) == 1 {
		if body, ok := call.Call.Args[0].(*ssa.MakeClosure); ok && body.Fn.(*ssa.Function).Synthetic != "" {
			return body.Fn.Pos()
		}
	}
	return in.Pos()
}

// call is res = f(args) for a function that is not a builtin.
func (c *compiler) call(call *ssa.CallCommon, res []slot, pos token.Pos) op {
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
	if len(res) == 1 && registered(res[0].rep) && !c.code.wrapper {
		return storeTree(res[0].off, c.callResult(call, res[0], pos))
	}
	return c.callOp(call, res)
}

// callOp is res = f(args) for an interpreted function or a func value.
func (c *compiler) callOp(call *ssa.CallCommon, res []slot) op {
	cl := c.callee(call, res)
	results := cl.results
	if len(res) == 0 {
		return func(fp frame) {
			if callee, s := cl.begin(fp); callee != nil {
				th := head(fp).thread
				s.code.run(th, callee)
				s.pop(th, callee)
			}
		}
	}
	return func(fp frame) {
		if callee, s := cl.begin(fp); callee != nil {
			th := head(fp).thread
			s.code.run(th, callee)
			for i := range res {
				d := &res[i]
				copyValue(d.rep, d.typ, unsafe.Add(fp, d.off), unsafe.Add(callee, results[i].off))
			}
			s.pop(th, callee)
		}
	}
}

// callee is the function that a call comes to.
type callee struct {
	// begin enters the function and sets its parameters. It gives no frame when
	// the function is compiled: then the call has been made.
	begin   func(fp frame) (frame, *frameStack)
	results []slot
}

// callee prepares a call of an interpreted function. What a compiled one
// returns goes to res.
func (c *compiler) callee(call *ssa.CallCommon, res []slot) callee {
	var cl callee
	if call.IsInvoke() {
		in := c.invocation(call, res)
		cl = callee{begin: in.begin, results: in.results}
	} else if _, closure := call.Value.(*ssa.MakeClosure); call.StaticCallee() != nil && !closure {
		cl = c.static(call)
	} else {
		cl = c.dynamic(call, res)
	}
	if c.code.wrapper {
		// What a wrapper calls may recover as if it had been called itself.
		begin := cl.begin
		cl.begin = func(fp frame) (frame, *frameStack) {
			callee, s := begin(fp)
			if callee == nil {
				return nil, nil
			}
			head(callee).rec = head(fp).rec
			th := head(fp).thread
			s.code.run(th, callee)
			head(callee).rec = nil
			for i := range res {
				d := &res[i]
				copyValue(d.rep, d.typ, unsafe.Add(fp, d.off), unsafe.Add(callee, cl.results[i].off))
			}
			s.pop(th, callee)
			return nil, nil
		}
	}
	return cl
}

// static is a call of a function that is known.
func (c *compiler) static(call *ssa.CallCommon) callee {
	f := c.e.function(call.StaticCallee())
	pass := c.passAll(call.Args, f.sig.params)
	site := c.l.placeSite()
	return callee{results: f.sig.results, begin: func(fp frame) (frame, *frameStack) {
		th, code := head(fp).thread, f.code.Load()
		s := *ref[*frameStack](fp, site)
		if !s.free(code) {
			s = th.stackAt(fp, site, code)
		}
		callee := s.push(th)
		pass(fp, callee)
		return callee, s
	}}
}

// dynamic is a call of a func value.
func (c *compiler) dynamic(call *ssa.CallCommon, res []slot) callee {
	fv := argOf[unsafe.Pointer](c, call.Value).fn()
	sig := c.e.signatureOf(call.Signature())
	pass := c.passAll(call.Args, sig.params)
	compiled := c.compiledCall(c.e.typ(call.Value.Type()), call.Args, res)
	site := c.l.placeSite()
	return callee{results: sig.results, begin: func(fp frame) (frame, *frameStack) {
		p := fv(fp)
		cl := rtype.ClosureOf(p)
		if cl == nil {
			notNil(p)
			compiled(fp, p)
			return nil, nil
		}
		th, code := head(fp).thread, (*function)(cl.Func()).code.Load()
		s := *ref[*frameStack](fp, site)
		if !s.free(code) {
			s = th.stackAt(fp, site, code)
		}
		callee := s.push(th)
		pass(fp, callee)
		if len(code.captured) > 0 {
			code.setCaptured(callee, cl.Env())
		}
		return callee, s
	}}
}

// callTree gives a call with one result as a tree.
func (c *compiler) callTree(in *ssa.Call) any {
	t := c.typ(in.Type())
	if fn := in.Call.StaticCallee(); fn != nil && fn.Blocks == nil {
		return c.compiledTree(fn, &in.Call, in.Pos())
	}
	return c.callResult(&in.Call, slot{typ: t, rep: repOf(t)}, in.Pos())
}

// callResult gives the one result of a call as a tree. It is of the type of d,
// which need not have a place.
func (c *compiler) callResult(call *ssa.CallCommon, d slot, pos token.Pos) any {
	switch d.rep {
	case repBool:
		return resultOf[bool](c, call, d, pos)
	case repInt8:
		return resultOf[int8](c, call, d, pos)
	case repInt16:
		return resultOf[int16](c, call, d, pos)
	case repInt32:
		return resultOf[int32](c, call, d, pos)
	case repInt64:
		return resultOf[int64](c, call, d, pos)
	case repUint8:
		return resultOf[uint8](c, call, d, pos)
	case repUint16:
		return resultOf[uint16](c, call, d, pos)
	case repUint32:
		return resultOf[uint32](c, call, d, pos)
	case repUint64:
		return resultOf[uint64](c, call, d, pos)
	case repFloat32:
		return resultOf[float32](c, call, d, pos)
	case repFloat64:
		return resultOf[float64](c, call, d, pos)
	case repComplex64:
		return resultOf[complex64](c, call, d, pos)
	case repComplex128:
		return resultOf[complex128](c, call, d, pos)
	case repPtr:
		return resultOf[unsafe.Pointer](c, call, d, pos)
	case repString:
		return resultOf[string](c, call, d, pos)
	case repSlice:
		return resultOf[rtype.Slice](c, call, d, pos)
	}
	return resultOf[iface](c, call, d, pos)
}

func resultOf[T any](c *compiler, call *ssa.CallCommon, d slot, pos token.Pos) expr[T] {
	if t := inlineTree[T](c, call, pos); t != nil {
		return t
	}
	if _, closure := call.Value.(*ssa.MakeClosure); call.StaticCallee() != nil && !closure && !c.code.wrapper {
		return staticResult[T](c, call)
	}
	own := c.l.place(d.typ).off // of a compiled function's result
	if call.IsInvoke() && !c.code.wrapper {
		return invokedResult[T](c, call, slot{own, d.typ, d.rep})
	}
	if !c.code.wrapper {
		return dynamicResult[T](c, call, slot{own, d.typ, d.rep})
	}
	cl := c.callee(call, []slot{{own, d.typ, d.rep}})
	r := cl.results[0].off
	return func(fp frame) T {
		callee, s := cl.begin(fp)
		if callee == nil {
			return *ref[T](fp, own)
		}
		th := head(fp).thread
		s.code.run(th, callee)
		v := *ref[T](callee, r)
		s.pop(th, callee)
		return v
	}
}

// staticResult is resultOf for a function that is known, in one piece.
func staticResult[T any](c *compiler, call *ssa.CallCommon) expr[T] {
	f := c.e.function(call.StaticCallee())
	pass := c.passAll(call.Args, f.sig.params)
	r := f.sig.results[0].off
	site := c.l.placeSite()
	return func(fp frame) T {
		th, code := head(fp).thread, f.code.Load()
		s := *ref[*frameStack](fp, site)
		if !s.free(code) {
			s = th.stackAt(fp, site, code)
		}
		callee := s.push(th)
		pass(fp, callee)
		if code.defers || th.depth > th.bound.Load() {
			code.runSlowly(th, callee)
		} else {
			loop(th, callee, code.entry)
		}
		v := *ref[T](callee, r)
		s.pop(th, callee)
		return v
	}
}

// dynamicResult is resultOf for a func value, in one piece. A compiled one
// leaves its result in d.
func dynamicResult[T any](c *compiler, call *ssa.CallCommon, d slot) expr[T] {
	fv := c.slotOf(call.Value).off
	sig := c.e.signatureOf(call.Signature())
	pass := c.passAll(call.Args, sig.params)
	compiled := c.compiledCall(c.e.typ(call.Value.Type()), call.Args, []slot{d})
	site, r := c.l.placeSite(), sig.results[0].off
	return func(fp frame) T {
		p := *ref[unsafe.Pointer](fp, fv)
		cl := rtype.ClosureOf(p)
		if cl == nil {
			notNil(p)
			compiled(fp, p)
			return *ref[T](fp, d.off)
		}
		th, code := head(fp).thread, (*function)(cl.Func()).code.Load()
		s := *ref[*frameStack](fp, site)
		if !s.free(code) {
			s = th.stackAt(fp, site, code)
		}
		callee := s.push(th)
		pass(fp, callee)
		if len(code.captured) > 0 {
			code.setCaptured(callee, cl.Env())
		}
		if code.defers || th.depth > th.bound.Load() {
			code.runSlowly(th, callee)
		} else {
			loop(th, callee, code.entry)
		}
		v := *ref[T](callee, r)
		s.pop(th, callee)
		return v
	}
}

// passAll sets the parameters to the arguments.
func (c *compiler) passAll(args []ssa.Value, params []slot) passer {
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

func (c *compiler) passOne(v ssa.Value, to slot) passer {
	switch to.rep {
	case repZero:
		return nil
	case repBool:
		return pass[bool](c, v, to.off)
	case repInt8:
		return pass[int8](c, v, to.off)
	case repInt16:
		return pass[int16](c, v, to.off)
	case repInt32:
		return pass[int32](c, v, to.off)
	case repInt64:
		return pass[int64](c, v, to.off)
	case repUint8:
		return pass[uint8](c, v, to.off)
	case repUint16:
		return pass[uint16](c, v, to.off)
	case repUint32:
		return pass[uint32](c, v, to.off)
	case repUint64:
		return pass[uint64](c, v, to.off)
	case repFloat32:
		return pass[float32](c, v, to.off)
	case repFloat64:
		return pass[float64](c, v, to.off)
	case repComplex64:
		return pass[complex64](c, v, to.off)
	case repComplex128:
		return pass[complex128](c, v, to.off)
	case repPtr:
		return pass[unsafe.Pointer](c, v, to.off)
	case repString:
		return pass[string](c, v, to.off)
	case repSlice:
		return pass[rtype.Slice](c, v, to.off)
	case repIface:
		return pass[iface](c, v, to.off)
	}
	from, t := c.slot(v).off, to.typ
	return func(fp, callee frame) { moveMemory(t, unsafe.Add(callee, to.off), unsafe.Add(fp, from)) }
}

func pass[T any](c *compiler, v ssa.Value, to uintptr) passer {
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

// passStep passes i + 1, n - 1 and the like; it gives nil for anything else.
func (c *compiler) passStep(v ssa.Value, to uintptr) passer {
	in, ok := v.(*ssa.BinOp)
	if !ok || !c.fused(in) || in.Op != token.ADD && in.Op != token.SUB || c.repOf(in.Type()) != repInt64 {
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

// signatureOf gives where the parameters and results of any function of a type
// lie, a receiver not counted.
func (e *Engine) signatureOf(t *types.Signature) *signature {
	l := newLayout()
	sig := &signature{}
	for p := range t.Params().Variables() {
		sig.params = append(sig.params, l.place(e.typ(p.Type())))
	}
	for r := range t.Results().Variables() {
		sig.results = append(sig.results, l.place(e.typ(r.Type())))
	}
	return sig
}
