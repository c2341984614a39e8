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

// callTreeable says whether a call may be a tree: it has one result that is
// held in registers, and its results are taken from an interpreted function.
func (c *compiler) callTreeable(call *ssa.CallCommon) bool {
	fn := call.StaticCallee()
	if fn == nil {
		return !call.IsInvoke() || true
	}
	return fn.Blocks != nil
}

// argTreeable says whether an argument may be a tree. Compiled functions take
// their arguments from places in the frame.
func (c *compiler) argTreeable(call *ssa.CallCommon, v ssa.Value) bool {
	if call.IsInvoke() || v == call.Value || c.hasCall(v) {
		return false
	}
	fn := call.StaticCallee()
	if fn == nil || fn.Blocks == nil {
		return false
	}
	_, closure := call.Value.(*ssa.MakeClosure)
	return !closure
}

// hasCall says whether a tree has a call in it. Such a tree is not an argument
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
	c.emit(c.call(&in.Call, res, in.Pos()), in.Pos())
}

// call is res = f(args) for a function that is not a builtin.
func (c *compiler) call(call *ssa.CallCommon, res []slot, pos token.Pos) op {
	if fn := call.StaticCallee(); fn != nil && fn.Blocks == nil {
		return c.callExternal(fn, call, res, pos)
	}
	if call.IsInvoke() {
		return c.invoke(call, res)
	}
	if fn := call.StaticCallee(); fn != nil {
		if _, closure := call.Value.(*ssa.MakeClosure); !closure {
			return c.callStatic(fn, call, res)
		}
	}
	return c.callDynamic(call, res)
}

// takeResults copies results to the caller.
func takeResults(fp, callee frame, res, from []slot) {
	for i := range res {
		s := &res[i]
		copyValue(s.rep, s.typ, unsafe.Add(fp, s.off), unsafe.Add(callee, from[i].off))
	}
}

// callStatic calls a function that is known.
func (c *compiler) callStatic(fn *ssa.Function, call *ssa.CallCommon, res []slot) op {
	f := c.e.function(fn)
	pass := c.passAll(call.Args, f.sig.params)
	results := f.sig.results
	wrapper := c.code.wrapper
	switch {
	case wrapper:
	case len(res) == 0 && pass != nil:
		return func(fp frame) {
			th := head(fp).thread
			code := f.code.Load()
			callee := th.enter(code)
			pass(fp, callee)
			code.run(th, callee)
			th.leave(callee)
		}
	case len(res) == 1 && pass != nil && (res[0].rep == repInt64 || res[0].rep == repFloat64):
		d, r := res[0].off, results[0].off
		return func(fp frame) {
			th := head(fp).thread
			code := f.code.Load()
			callee := th.enter(code)
			pass(fp, callee)
			code.run(th, callee)
			*ref[uint64](fp, d) = *ref[uint64](callee, r)
			th.leave(callee)
		}
	}
	return func(fp frame) {
		th := head(fp).thread
		code := f.code.Load()
		callee := th.enter(code)
		if pass != nil {
			pass(fp, callee)
		}
		if wrapper {
			head(callee).rec = head(fp).rec
		}
		code.run(th, callee)
		head(callee).rec = nil
		takeResults(fp, callee, res, results)
		th.leave(callee)
	}
}

// callTree gives a call with one result as a tree.
func (c *compiler) callTree(in *ssa.Call) any {
	switch r := c.repOf(in.Type()); r {
	case repBool:
		return callFor[bool](c, in)
	case repInt8:
		return callFor[int8](c, in)
	case repInt16:
		return callFor[int16](c, in)
	case repInt32:
		return callFor[int32](c, in)
	case repInt64:
		return callFor[int64](c, in)
	case repUint8:
		return callFor[uint8](c, in)
	case repUint16:
		return callFor[uint16](c, in)
	case repUint32:
		return callFor[uint32](c, in)
	case repUint64:
		return callFor[uint64](c, in)
	case repFloat32:
		return callFor[float32](c, in)
	case repFloat64:
		return callFor[float64](c, in)
	case repComplex64:
		return callFor[complex64](c, in)
	case repComplex128:
		return callFor[complex128](c, in)
	case repPtr:
		return callFor[unsafe.Pointer](c, in)
	case repString:
		return callFor[string](c, in)
	case repSlice:
		return callFor[rtype.Slice](c, in)
	}
	return callFor[iface](c, in)
}

func callFor[T any](c *compiler, in *ssa.Call) expr[T] {
	fn := in.Call.StaticCallee()
	_, closure := in.Call.Value.(*ssa.MakeClosure)
	if fn == nil || closure || c.code.wrapper {
		d := c.slot(in)
		call := c.call(&in.Call, []slot{d}, in.Pos())
		off := d.off
		return func(fp frame) T {
			call(fp)
			return *ref[T](fp, off)
		}
	}
	f := c.e.function(fn)
	pass := c.passAll(in.Call.Args, f.sig.params)
	r := f.sig.results[0].off
	if pass == nil {
		pass = func(fp, callee frame) {}
	}
	return func(fp frame) T {
		th := head(fp).thread
		code := f.code.Load()
		callee := th.enter(code)
		pass(fp, callee)
		code.run(th, callee)
		v := *ref[T](callee, r)
		th.leave(callee)
		return v
	}
}

// passAll sets the parameters to the arguments; it is nil when there are none.
func (c *compiler) passAll(args []ssa.Value, params []slot) passer {
	var all []passer
	for i, a := range args {
		if p := c.passOne(a, params[i]); p != nil {
			all = append(all, p)
		}
	}
	switch len(all) {
	case 0:
		return nil
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
	return func(fp, callee frame) { rtype.Move(t, unsafe.Add(callee, to.off), unsafe.Add(fp, from)) }
}

func pass[T any](c *compiler, v ssa.Value, to uintptr) passer {
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

// callDynamic calls a func value.
func (c *compiler) callDynamic(call *ssa.CallCommon, res []slot) op {
	fv := c.slot(call.Value).off
	sig := c.e.signatureOf(call.Signature())
	pass := c.passAll(call.Args, sig.params)
	if pass == nil {
		pass = func(fp, callee frame) {}
	}
	results := sig.results
	wrapper := c.code.wrapper
	compiled := c.compiledCall(c.e.typ(call.Value.Type()), call.Args, res)
	return func(fp frame) {
		p := *ref[unsafe.Pointer](fp, fv)
		cl := rtype.ClosureOf(p)
		if cl == nil {
			_ = *(*byte)(p)
			compiled(fp, p)
			return
		}
		th := head(fp).thread
		code := (*function)(cl.Func()).code.Load()
		callee := th.enter(code)
		pass(fp, callee)
		if len(code.captured) > 0 {
			code.setCaptured(callee, cl.Env())
		}
		if wrapper {
			head(callee).rec = head(fp).rec
			code.run(th, callee)
			head(callee).rec = nil
		} else {
			code.run(th, callee)
		}
		if len(res) == 1 {
			copyValue(res[0].rep, res[0].typ, unsafe.Add(fp, res[0].off), unsafe.Add(callee, results[0].off))
		} else {
			takeResults(fp, callee, res, results)
		}
		th.leave(callee)
	}
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
