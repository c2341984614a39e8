package jit

import (
	"go/constant"
	"go/token"
	"go/types"
	"maps"
	"math"
	"strings"

	"github.com/gokernel/gokernel/interp/engine/ssa/compile"
	"github.com/gokernel/gokernel/interp/engine/ssa/layout"
	"github.com/gokernel/gokernel/interp/engine/ssa/machine"
	"github.com/gokernel/gokernel/interp/engine/ssa/native"
	"golang.org/x/tools/go/ssa"
)

// nested is an inlined call, or a callee, while it is lowered. Its values have no frame slots. A
// side exit resumes at the op of the call, so there can be no side exit after a store.
type nested struct {
	call    *ssa.Call
	fn      *ssa.Function
	blocks  map[*ssa.BasicBlock]int
	end     int            // the block after the call
	results [][]native.Reg // registers of the call's results
	fused   bool           // the call is part of an op that also does something else
	stored  bool           // a store has been emitted
	callee  bool           // it is a callee, and not an inlined call
	gaveUp  bool           // the callee has an unsupported instruction after which it may return
	leaf    bool           // it is the function itself, as a callee that calls nothing
}

// owns reports whether a value is defined in the nested function.
func (i *nested) owns(v ssa.Value) bool { return v.Parent() == i.fn }

// noExitAfter reports whether the op that includes a call has no side exit after the call.
func (l *lowering) noExitAfter(call *ssa.Call) bool {
	root, behind := l.rootOf(call), false
	for _, v := range l.pending {
		if l.unable[v] && l.rootOf(v) == root {
			return false
		}
	}
	for _, in := range call.Block().Instrs {
		switch {
		case in == ssa.Instruction(call):
			behind = true
		case !behind:
		case !l.neverExits(in):
			return false
		case in == root:
			return true
		}
	}
	return false
}

// neverExits reports whether the code of an instruction has no side exit.
func (l *lowering) neverExits(in ssa.Instruction) bool {
	number := func(v ssa.Value) (native.Type, bool) {
		t, ok := l.scalarType(v.Type())
		return t, ok && t != native.Pointer
	}
	switch in := in.(type) {
	case *ssa.DebugRef:
		return true
	case *ssa.BinOp:
		k, isConst := in.Y.(*ssa.Const)
		t, ok := number(in.X)
		if _, both := number(in.Y); !ok || !both {
			return false
		}
		switch in.Op {
		case token.QUO, token.REM:
			return t.Float() || isConst && constant.Sign(k.Value) != 0
		case token.SHL, token.SHR:
			return isConst
		}
		return true
	case *ssa.Convert:
		return l.view.Numeric(in.X.Type()) && l.view.Numeric(in.Type())
	case *ssa.UnOp:
		_, ok := number(in.X)
		return ok && (in.Op == token.SUB || in.Op == token.NOT || in.Op == token.XOR)
	case *ssa.Store:
		_, known := l.mems[in.Addr]
		_, static := l.view.Static(in.Addr)
		_, ok := number(in.Val)
		return ok && (known || static) && !l.view.SoleStore(in)
	}
	return false
}

// stored notes that a store has been emitted.
func (l *lowering) stored() {
	if l.nested == nil {
		return
	}
	if l.nested.fused { // a side exit after the call would repeat the store
		panic(cannotInline{})
	}
	l.nested.stored = true
}

// callInstr lowers a call of a builtin, of a function of package math or of a function with a body.
// It inlines the function with a body if that function is small.
func (l *lowering) callInstr(in *ssa.Call) bool {
	if b, ok := in.Call.Value.(*ssa.Builtin); ok {
		return l.builtin(in, b.Name())
	}
	fn := in.Call.StaticCallee()
	if fn == nil || in.Call.IsInvoke() || l.nested != nil && l.nested.leaf && len(fn.Blocks) > 0 {
		return false
	}
	if len(fn.Blocks) == 0 {
		return fn.Pkg != nil && fn.Pkg.Pkg.Path() == "math" && (l.mathCall(in, fn.Name()) || l.callGo(in, fn))
	}
	if l.nested == nil && inlineFits(fn) && fn != l.view.Func() && l.inline(in, fn) {
		return true
	}
	return len(fn.FreeVars) == 0 && l.callCallee(in, fn)
}

// Limits on the functions that are inlined.
const (
	maxInlineInstrs = 60
	maxInlineBlocks = 12
)

// inlineFits reports whether a function can be inlined, because it is small, has no loop and needs
// no frame.
func inlineFits(fn *ssa.Function) bool {
	if len(fn.Blocks) > maxInlineBlocks || fn.Recover != nil || fn.Synthetic != "" && !strings.HasPrefix(fn.Synthetic, "instance") {
		return false
	}
	n := 0
	for _, b := range fn.Blocks {
		n += len(b.Instrs)
		for _, s := range b.Succs {
			if s.Dominates(b) {
				return false
			}
		}
	}
	return n <= maxInlineInstrs
}

// cannotInline is the panic of a call that cannot be inlined.
type cannotInline struct{}

// inline inlines a call. If the function has an instruction that is not supported or that needs a
// frame, inline undoes what it has emitted and returns false.
func (l *lowering) inline(in *ssa.Call, fn *ssa.Function) (done bool) {
	f := l.view.Function(fn)
	has := f.Code.Load()
	if has.Fn != f || f.SwitchedOff() { // a later cell has declared it again, or the user has switched it off
		return false
	}
	l.view.NoteLocals(fn)
	blocks, order, exits, cur := len(l.f.Blocks), len(l.f.Order), len(l.f.Exits), l.cur
	before, notNil := l.f.Blocks[cur], maps.Clone(l.notNil)
	undo := func() {
		l.f.Blocks, l.f.Order, l.f.Exits, l.cur = l.f.Blocks[:blocks], l.f.Order[:order], l.f.Exits[:exits], cur
		l.f.Blocks[cur], l.notNil = before, notNil
	}
	defer func() {
		l.nested = nil
		switch v := recover(); v.(type) {
		case nil:
		case cannotInline:
			undo()
			done = false
		default:
			panic(v)
		}
	}()
	results, ok := l.resultsOf(in)
	if !ok {
		return false
	}
	l.nested = &nested{call: in, fn: fn, results: results, fused: l.view.Fused(in) && !l.noExitAfter(in), blocks: map[*ssa.BasicBlock]int{}}
	l.forget(fn)
	if closure, ok := in.Call.Value.(*ssa.MakeClosure); ok {
		l.captured(closure, fn)
	}
	for i, p := range fn.Params {
		words, ok := l.argWords(in.Call.Args[i])
		if !ok {
			panic(cannotInline{})
		}
		l.values[p] = words
	}
	l.innerBlocks(fn)
	l.nested = nil
	l.storeResults(in, results)
	l.guards = append(l.guards, machine.Guard{F: f, Code: has})
	return true
}

// captured records the locations of the variables that a function literal has captured.
func (l *lowering) captured(closure *ssa.MakeClosure, fn *ssa.Function) {
	for i, b := range closure.Bindings {
		v := fn.FreeVars[i]
		delete(l.values, v)
		delete(l.mems, v)
		off, local := l.view.Static(b)
		alloc, isAlloc := b.(*ssa.Alloc)
		_, isFree := b.(*ssa.FreeVar)
		switch {
		case isAlloc && local:
			l.mems[v] = native.Mem{Base: native.Frame, Disp: int32(off)}
		case isAlloc && l.homes(alloc) != nil || isFree: // they keep their slots
			l.values[v] = l.words(b)
		default:
			panic(cannotInline{})
		}
	}
}

// forget removes what is known about the values of a function, because each inlined call lowers the
// function again.
func (l *lowering) forget(fn *ssa.Function) {
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			if v, ok := in.(ssa.Value); ok {
				delete(l.values, v)
				delete(l.mems, v)
				if a, ok := v.(*ssa.Alloc); ok {
					delete(l.vars, a)
				}
			}
		}
	}
}

// resultsOf returns the registers for the results of a call.
func (l *lowering) resultsOf(in *ssa.Call) (all [][]native.Reg, ok bool) {
	tuple, several := in.Type().(*types.Tuple)
	if !several {
		if l.view.Rep(in.Type()) == layout.Memory {
			words, ok := l.structResult(in.Type())
			return [][]native.Reg{words}, ok
		}
		r := l.view.Rep(in.Type())
		return [][]native.Reg{l.set(in)}, nativeTypes[r] != nil
	}
	if tuple.Len() == 0 {
		return nil, true
	}
	parts := l.view.Tuple(in)
	for i := range tuple.Len() {
		t := tuple.At(i).Type()
		_, ok := l.wordTypes(t)
		switch {
		case !ok:
			return nil, false
		case i >= len(parts) || parts[i].Type == nil:
			all = append(all, nil)
		case parts[i].Rep == layout.Memory:
			words, _ := l.structResult(t)
			all = append(all, words)
		default:
			all = append(all, l.slotWords(parts[i]))
		}
	}
	return all, true
}

// structResult returns new registers for a result that is a struct.
func (l *lowering) structResult(t types.Type) (words []native.Reg, ok bool) {
	list, ok := l.wordTypes(t)
	for _, w := range list {
		words = append(words, l.f.Var(native.Var{Type: w}))
	}
	return words, ok
}

// storeResults stores in the frame those results of an inlined call that are structs.
func (l *lowering) storeResults(in *ssa.Call, results [][]native.Reg) {
	store := func(t types.Type, words []native.Reg, s layout.Slot) {
		l.storeParts(t, words, native.Mem{Base: native.Frame, Disp: int32(s.Off)})
	}
	tuple, several := in.Type().(*types.Tuple)
	if !several {
		if s, ok := l.view.Slot(in); ok && s.Rep == layout.Memory {
			store(in.Type(), results[0], s)
		}
		return
	}
	for i, s := range l.view.Tuple(in) {
		if s.Type != nil && s.Rep == layout.Memory {
			store(tuple.At(i).Type(), results[i], s)
		}
	}
}

// innerBlocks lowers the blocks of an inlined call.
func (l *lowering) innerBlocks(fn *ssa.Function) {
	list := order(fn)
	l.nested.blocks[list[0]] = l.cur
	for _, b := range list[1:] {
		l.nested.blocks[b] = l.newBlock()
	}
	l.nested.end = l.cur
	if len(list) > 1 {
		l.nested.end = l.newBlock()
	}
	for _, b := range list {
		l.cur = l.nested.blocks[b]
		for _, in := range b.Instrs {
			switch in := in.(type) {
			case *ssa.Phi, *ssa.DebugRef:
			case *ssa.Jump:
				l.jump(b, b.Succs[0])
			case *ssa.If:
				l.branch(b, in)
			default:
				if !l.instr(in) {
					panic(cannotInline{})
				}
			}
		}
	}
	l.cur = l.nested.end
}

// innerReturn lowers a return of an inlined call or a callee.
func (l *lowering) innerReturn(in *ssa.Return) bool {
	if l.nested.callee && len(in.Results) != 1 && !l.nested.leaf {
		return false
	}
	var moves [][2]native.Reg
	for i, v := range in.Results {
		from := l.words(v)
		for k, to := range l.nested.results[i] {
			if to != from[k] {
				moves = append(moves, [2]native.Reg{to, from[k]})
			}
		}
	}
	l.moveAll(moves)
	if l.nested.callee {
		l.f.Blocks[l.cur].End = native.Return
		return true
	}
	if l.cur != l.nested.end {
		x := &l.f.Blocks[l.cur]
		x.End, x.Next[0] = native.Jump, l.nested.end
	}
	return true
}

// builtin lowers a call of len, cap, min or max.
func (l *lowering) builtin(in *ssa.Call, name string) bool {
	args := in.Call.Args
	switch name {
	case "append":
		return l.appendOne(in)
	case "real", "imag", "complex":
		return l.complexPart(in, name)
	case "len", "cap":
		switch r := l.view.Rep(args[0].Type()); {
		case r == layout.String, r == layout.Slice && name == "len":
			l.emit(native.Instr{Op: native.Move, D: l.set(in)[0], X: l.words(args[0])[1]})
			return true
		case r == layout.Slice:
			l.emit(native.Instr{Op: native.Move, D: l.set(in)[0], X: l.words(args[0])[2]})
			return true
		}
	case "min", "max":
		t, ok := l.scalarType(in.Type())
		if !ok || t.Float() || t == native.Pointer {
			return false
		}
		l.extreme(in, name == "min", t)
		return true
	}
	return false
}

// extreme lowers min or max of integers.
func (l *lowering) extreme(in *ssa.Call, least bool, t native.Type) {
	cond := native.Greater
	if least {
		cond = native.Less
	}
	x := l.reg(in.Call.Args[0])
	for _, arg := range in.Call.Args[1:] {
		y := l.reg(arg)
		next := l.f.Var(native.Var{Type: t})
		l.emit(native.Instr{Op: native.Pick, Type: t, Cond: cond, D: next, X: x, Y: y})
		x = next
	}
	l.emit(native.Instr{Op: native.Move, D: l.set(in)[0], X: x})
}

// rounding has the modes of ROUNDSD; bit 3 suppresses the flag for inexact results.
var rounding = map[string]int64{"RoundToEven": 8, "Floor": 9, "Ceil": 10, "Trunc": 11}

// mathCall lowers a call of a function of package math that corresponds to a machine instruction.
func (l *lowering) mathCall(in *ssa.Call, name string) bool {
	sig := in.Call.Signature()
	if sig.Recv() != nil || sig.Params().Len() != 1 {
		return false
	}
	if name == "Inf" {
		sign, ok := in.Call.Args[0].(*ssa.Const)
		if ok {
			of := math.Inf(1)
			if compile.IsNegative(sign) {
				of = math.Inf(-1)
			}
			l.emit(native.Instr{Op: native.Const, Type: native.Float64, D: l.set(in)[0], Imm: int64(math.Float64bits(of))})
		}
		return ok
	}
	i := native.Instr{Type: native.Float64}
	mode, rounds := rounding[name]
	switch {
	case name == "Sqrt":
		i.Op = native.FSqrt
	case name == "Abs":
		i.Op = native.FAbs
	case rounds && native.Rounds():
		i.Op, i.Imm = native.FRound, mode
	case name == "Float64bits":
		i.Op, i.To = native.FBits, native.Uint64
	case name == "Float64frombits":
		i.Op = native.FromBits
	case name == "Float32bits":
		i.Op, i.Type, i.To = native.FBits, native.Float32, native.Uint32
	case name == "Float32frombits":
		i.Op, i.Type = native.FromBits, native.Float32
	default:
		return false
	}
	i.X, i.D = l.reg(in.Call.Args[0]), l.set(in)[0]
	l.emit(i)
	return true
}
