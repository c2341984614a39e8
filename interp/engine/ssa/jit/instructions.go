package jit

import (
	"go/token"
	"go/types"
	"math"

	"github.com/gokernel/gokernel/interp/engine/ssa/compile"
	"github.com/gokernel/gokernel/interp/engine/ssa/layout"
	"github.com/gokernel/gokernel/interp/engine/ssa/native"
	"golang.org/x/tools/go/ssa"
)

// instr lowers an instruction that does not end its block with a jump. It returns false if the
// instruction is not supported; the code emitted until then changes no state.
func (l *lowering) instr(in ssa.Instruction) bool {
	if l.inlining() && appendedValue(in) != nil {
		return true
	}
	switch in := in.(type) {
	case *ssa.BinOp:
		if l.isTest(in) {
			return true // part of the branch
		}
		return l.binary(in)
	case *ssa.UnOp:
		return l.unary(in)
	case *ssa.Convert:
		return l.convert(in)
	case *ssa.ChangeType:
		return l.changeType(in)
	case *ssa.FieldAddr:
		return l.address(in, in)
	case *ssa.IndexAddr:
		return l.address(in, in)
	case *ssa.Index:
		return l.index(in, in.X, in.Index)
	case *ssa.Lookup:
		return !in.CommaOk && l.index(in, in.X, in.Index)
	case *ssa.Field:
		return l.field(in)
	case *ssa.Store:
		return l.storeInstr(in)
	case *ssa.Alloc:
		if l.nested != nil {
			return l.nestedAlloc(in)
		}
		return l.alloc(in)
	case *ssa.Extract:
		if l.nested != nil {
			return l.nestedExtract(in)
		}
		_, ok := l.view.Slot(in)
		return ok
	case *ssa.Slice:
		return l.slice(in)
	case *ssa.Range:
		return l.rangeInstr(in)
	case *ssa.TypeAssert:
		return l.assert(in)
	case *ssa.Call:
		return l.callInstr(in)
	case *ssa.Return:
		return l.returns(in)
	}
	return false
}

// isTest reports whether a comparison is used only by the branch at the end of its block.
func (l *lowering) isTest(in *ssa.BinOp) bool {
	refs := *in.Referrers()
	if len(refs) != 1 || l.nested == nil && !l.view.Fused(in) {
		return false
	}
	_, ok := refs[0].(*ssa.If)
	if !ok || refs[0].Block() != in.Block() {
		return false
	}
	return l.compares(in)
}

// compares reports whether comparison supports x op y.
func (l *lowering) compares(in *ssa.BinOp) bool {
	if _, ok := conds[in.Op]; !ok {
		return false
	}
	x, y := in.X, in.Y
	if _, first := x.(*ssa.Const); first {
		x, y = y, x
	}
	switch r := l.view.Rep(x.Type()); {
	case len(nativeTypes[r]) == 1:
		k, isConst := y.(*ssa.Const)
		t, _ := l.scalarType(x.Type())
		if !isConst || t.Float() {
			return true
		}
		_, ok := l.constBits(k)
		return ok
	case r == layout.Slice || r == layout.Interface:
		return compile.IsNil(y)
	default:
		return r == layout.String
	}
}

// test returns the condition of a branch.
func (l *lowering) test(in *ssa.If) (native.Test, bool) {
	if cmp, ok := in.Cond.(*ssa.BinOp); ok && l.isTest(cmp) {
		return l.comparison(cmp)
	}
	return native.Test{Type: native.Uint8, Cond: native.NotEqual, X: l.reg(in.Cond)}, true
}

var conds = map[token.Token]native.Cond{
	token.EQL: native.Equal, token.NEQ: native.NotEqual, token.LSS: native.Less,
	token.LEQ: native.LessEqual, token.GTR: native.Greater, token.GEQ: native.GreaterEqual,
}

// swapped maps each comparison to the comparison with exchanged operands.
var swapped = map[native.Cond]native.Cond{
	native.Equal: native.Equal, native.NotEqual: native.NotEqual, native.Less: native.Greater,
	native.LessEqual: native.GreaterEqual, native.Greater: native.Less, native.GreaterEqual: native.LessEqual,
}

// comparison returns the test x op y of numbers, bools, pointers or strings. It also supports
// comparisons with nil if only nil has a first word of zero.
func (l *lowering) comparison(in *ssa.BinOp) (native.Test, bool) {
	cond, ok := conds[in.Op]
	if !ok {
		return native.Test{}, false
	}
	x, y := in.X, in.Y
	if _, first := x.(*ssa.Const); first {
		x, y, cond = y, x, swapped[cond]
	}
	t, scalar := l.scalarType(x.Type())
	if !scalar {
		r := l.view.Rep(x.Type())
		if r == layout.String {
			return l.compareStrings(x, y, cond), true
		}
		if !compile.IsNil(y) || r != layout.Slice && r != layout.Interface {
			return native.Test{}, false
		}
		return native.Test{Type: native.Pointer, Cond: cond, X: l.words(x)[0]}, true
	}
	test := native.Test{Type: t, Cond: cond, X: l.reg(x)}
	if k, ok := y.(*ssa.Const); ok && !t.Float() {
		test.Imm, ok = l.constBits(k)
		return test, ok
	}
	test.Y = l.reg(y)
	return test, true
}

var arithmetic = map[token.Token]native.Op{
	token.ADD: native.Add, token.SUB: native.Sub, token.MUL: native.Mul, token.AND: native.And, token.OR: native.Or,
	token.XOR: native.Xor, token.AND_NOT: native.AndNot, token.QUO: native.Div, token.REM: native.Rem,
	token.SHL: native.Shl, token.SHR: native.Shr,
}

var floatArithmetic = map[token.Token]native.Op{token.ADD: native.FAdd, token.SUB: native.FSub, token.MUL: native.FMul, token.QUO: native.FDiv}

// binary lowers x op y.
func (l *lowering) binary(in *ssa.BinOp) bool {
	if _, ok := conds[in.Op]; ok {
		if !l.compares(in) {
			return false
		}
		t, ok := l.comparison(in)
		if ok {
			l.emit(native.Instr{Op: native.Set, Type: t.Type, Cond: t.Cond, D: l.set(in)[0], X: t.X, Y: t.Y, Imm: t.Imm})
		}
		return ok
	}
	t, ok := l.scalarType(in.Type())
	if !ok {
		return l.complexBinary(in)
	}
	if t == native.Pointer {
		return false
	}
	if t.Float() {
		op, ok := floatArithmetic[in.Op]
		if !ok {
			return false
		}
		i := native.Instr{Op: op, Type: t, D: l.set(in)[0], X: l.reg(in.X)}
		if r, exact := l.reciprocal(in.Y, t); exact && op == native.FDiv {
			i.Op, i.Y = native.FMul, r
		} else {
			i.Y = l.reg(in.Y)
		}
		l.emit(i)
		return true
	}
	op, ok := arithmetic[in.Op]
	if !ok {
		return false
	}
	i := native.Instr{Op: op, Type: t}
	x, y := in.X, in.Y
	if _, first := x.(*ssa.Const); first && (op == native.Add || op == native.Mul || op == native.And || op == native.Or || op == native.Xor) {
		x, y = y, x
	}
	switch op {
	case native.Shl, native.Shr:
		ok = l.count(&i, y, in)
	case native.Div, native.Rem:
		ok = l.divisor(&i, y, in)
	default:
		if k, isConst := y.(*ssa.Const); isConst {
			i.Imm, ok = l.constBits(k)
		} else {
			i.Y = l.reg(y)
		}
	}
	if !ok {
		return false
	}
	i.X, i.D = l.reg(x), l.set(in)[0]
	l.emit(i)
	return true
}

// reciprocal returns 1/y if y is a power of two and both are normal numbers. Multiplying by 1/y
// yields the exact quotient, and is faster.
func (l *lowering) reciprocal(y ssa.Value, t native.Type) (native.Reg, bool) {
	k, ok := y.(*ssa.Const)
	if !ok {
		return native.None, false
	}
	bits, ok := l.constBits(k)
	if !ok {
		return native.None, false
	}
	v, most := math.Float64frombits(uint64(bits)), 1023
	if t == native.Float32 {
		v, most = float64(math.Float32frombits(uint32(bits))), 127
	}
	if fraction, exponent := math.Frexp(v); math.Abs(fraction) != 0.5 || exponent > most || exponent < 1-most {
		return native.None, false
	}
	if t == native.Float32 {
		return l.constant(t, int64(math.Float32bits(float32(1/v)))), true
	}
	return l.constant(t, int64(math.Float64bits(1/v))), true
}

// count lowers the second operand of a shift, with the check that it is not negative.
func (l *lowering) count(i *native.Instr, y ssa.Value, in ssa.Instruction) bool {
	if k, ok := y.(*ssa.Const); ok {
		if compile.IsNegative(k) {
			return false
		}
		i.Imm = int64(min(k.Uint64(), 64))
		return true
	}
	t, ok := l.scalarType(y.Type())
	if !ok {
		return false
	}
	i.Y = l.reg(y)
	if t.Signed() {
		l.emit(native.Instr{Op: native.CheckSign, X: i.Y, Exit: l.exit(in)})
	}
	return true
}

// divisor lowers the second operand of a division, with the check that it is not zero.
func (l *lowering) divisor(i *native.Instr, y ssa.Value, in ssa.Instruction) bool {
	if k, ok := y.(*ssa.Const); ok {
		i.Imm, ok = l.constBits(k)
		return ok && i.Imm != 0
	}
	i.Y = l.reg(y)
	l.emit(native.Instr{Op: native.CheckSet, X: i.Y, Exit: l.exit(in)})
	return true
}

// unary lowers a load or an operation on one operand.
func (l *lowering) unary(in *ssa.UnOp) bool {
	switch in.Op {
	case token.MUL:
		return l.load(in)
	case token.ARROW:
		return false
	}
	t, ok := l.scalarType(in.Type())
	if !ok {
		return false
	}
	i := native.Instr{Type: t, X: l.reg(in.X), D: l.set(in)[0]}
	switch {
	case in.Op == token.NOT:
		i.Op, i.Imm = native.Xor, 1
	case in.Op == token.XOR:
		i.Op = native.Not
	case in.Op == token.SUB && t.Float():
		i.Op = native.FNeg
	case in.Op == token.SUB:
		i.Op = native.Neg
	default:
		return false
	}
	l.emit(i)
	return true
}

// load lowers *p.
func (l *lowering) load(in *ssa.UnOp) bool {
	if l.nested == nil && l.view.OnlyRangedOver(in) {
		return true
	}
	r := l.view.Rep(in.Type())
	if r == layout.Zero {
		return false
	}
	if l.nested != nil {
		if done, ok := l.nestedLoad(in); done {
			return ok
		}
	}
	if r == layout.Memory {
		s, ok := l.view.Slot(in)
		t := l.view.Type(in.Type())
		if !ok || t.Size() > maxCopy {
			return false
		}
		m, ok := l.mem(in.X, in)
		if ok {
			l.copyMemory(native.Mem{Base: native.Frame, Disp: int32(s.Off)}, m, t)
		}
		return ok
	}
	m, ok := l.mem(in.X, in)
	if ok {
		l.loadWords(l.set(in), r, m)
	}
	return ok
}

// storeInstr lowers *p = v.
func (l *lowering) storeInstr(in *ssa.Store) bool {
	if regs, ok := l.variable(in.Addr); ok {
		words, ok := l.argWords(in.Val)
		if ok {
			l.copyRegs(regs, words)
		}
		return ok
	}
	if l.nested != nil && l.nested.callee && !l.nested.leaf {
		return false // a second execution of the call would store again
	}
	if l.view.NoOp(in) {
		return false
	}
	r := l.view.Rep(in.Val.Type())
	t := l.view.Type(in.Val.Type())
	if r == layout.Zero {
		return false
	}
	if r == layout.Memory && l.nested != nil {
		words, fits := l.argWords(in.Val)
		m, ok := l.mem(in.Addr, in)
		if fits && ok {
			l.storeParts(in.Val.Type(), words, m)
			l.stored()
		}
		return fits && ok
	}
	if r == layout.Memory {
		s, ok := l.view.Slot(in.Val)
		if !ok || t.Size() > maxCopy {
			return false
		}
		m, ok := l.mem(in.Addr, in)
		if ok && m != (native.Mem{Base: native.Frame, Disp: int32(s.Off)}) {
			l.copyMemory(m, native.Mem{Base: native.Frame, Disp: int32(s.Off)}, t)
		}
		return ok
	}
	m, ok := l.mem(in.Addr, in)
	if !ok {
		return false
	}
	if k, isConst := in.Val.(*ssa.Const); isConst {
		if bits, ok := l.constBits(k); ok && !nativeTypes[r][0].Float() {
			l.emit(native.Instr{Op: native.Store, Type: nativeTypes[r][0], Imm: bits, Mem: m})
			l.stored()
			return true
		}
	}
	for i, w := range l.words(in.Val) {
		t := nativeTypes[r][i]
		l.storeWord(t, w, m)
		m.Disp += int32(t.Size())
	}
	l.stored()
	return true
}

// storeWord emits the store of one word.
func (l *lowering) storeWord(t native.Type, w native.Reg, m native.Mem) {
	op := native.Store
	if t == native.Pointer {
		op = native.StorePtr
	}
	l.emit(native.Instr{Op: op, Type: t, Z: w, Mem: m})
}

// changeType lowers a conversion that changes only the type.
func (l *lowering) changeType(in *ssa.ChangeType) bool {
	r := l.view.Rep(in.Type())
	if r == layout.Memory || r == layout.Zero {
		return false
	}
	from, to := l.words(in.X), l.set(in)
	var moves [][2]native.Reg
	for i := range to {
		moves = append(moves, [2]native.Reg{to[i], from[i]})
	}
	l.moveAll(moves)
	return true
}

// convert lowers a conversion between numbers.
func (l *lowering) convert(in *ssa.Convert) bool {
	from, ok := l.scalarType(in.X.Type())
	to, both := l.scalarType(in.Type())
	if !ok || !both || from == native.Pointer || to == native.Pointer || !l.view.Numeric(in.X.Type()) || !l.view.Numeric(in.Type()) {
		return false
	}
	i := native.Instr{Type: from, To: to, X: l.reg(in.X), D: l.set(in)[0]}
	switch {
	case from.Float() && to.Float() && from == to:
		i.Op = native.Move
	case from.Float() && to.Float():
		i.Op = native.FloatFloat
	case from.Float() && to == native.Uint64:
		i.Op = native.FloatUint
	case from.Float():
		i.Op = native.FloatInt
	case to.Float() && from == native.Uint64:
		i.Op = native.UintFloat
	case to.Float():
		i.Op = native.IntFloat
	default:
		i.Op = native.Extend
	}
	l.emit(i)
	return true
}

// index lowers an element of a string, or of an array that is a value.
func (l *lowering) index(in ssa.Value, x, index ssa.Value) bool {
	at := in.(ssa.Instruction)
	switch l.view.Rep(x.Type()) {
	case layout.String:
		if _, isConst := x.(*ssa.Const); isConst {
			return false
		}
		words, i := l.words(x), l.reg(index)
		l.emit(native.Instr{Op: native.CheckBelow, X: i, Y: words[1], Exit: l.exit(at)})
		l.emit(native.Instr{Op: native.Load, Type: native.Uint8, D: l.set(in)[0], Mem: native.Mem{Base: words[0], Index: i, Scale: 1}})
		return true
	case layout.Memory:
		s, ok := l.view.Slot(x)
		array, isArray := x.Type().Underlying().(*types.Array)
		r := l.view.Rep(in.Type())
		if !ok || !isArray || l.nested != nil || nativeTypes[r] == nil || array.Len() > math.MaxInt32 {
			return false
		}
		m, ok := l.member(native.Mem{Base: native.Frame, Disp: int32(s.Off)}, index, int(array.Len()), l.view.Type(array.Elem()).Size(), at)
		if ok {
			l.loadWords(l.set(in), r, m)
		}
		return ok
	}
	return false
}

// rangeInstr lowers the start of a range over a string.
func (l *lowering) rangeInstr(in *ssa.Range) bool {
	iter, ok := l.view.Slot(in)
	if !ok || l.nested != nil || l.view.Rep(in.X.Type()) != layout.String {
		return false
	}
	words := l.words(in.X)
	m := native.Mem{Base: native.Frame, Disp: int32(iter.Off)}
	l.storeWord(native.Pointer, words[0], m)
	m.Disp += 8
	l.storeWord(native.Int64, words[1], m)
	m.Disp += 8
	l.storeWord(native.Int64, l.constant(native.Int64, 0), m)
	return true
}

// field lowers a field of a struct that is a value.
func (l *lowering) field(in *ssa.Field) bool {
	if l.nested != nil {
		return l.nestedField(in)
	}
	s, ok := l.view.Slot(in.X)
	r := l.view.Rep(in.Type())
	if !ok || s.Rep != layout.Memory || nativeTypes[r] == nil {
		return false
	}
	off := s.Off + s.Type.Reflect().Field(in.Field).Offset
	l.loadWords(l.set(in), r, native.Mem{Base: native.Frame, Disp: int32(off)})
	return true
}

// alloc lowers the declaration of a variable that is in the frame.
func (l *lowering) alloc(in *ssa.Alloc) bool {
	off, ok := l.view.Local(in)
	if !ok {
		return false
	}
	if in.Comment == "varargs" || compile.OnlyAddressed(in) && l.view.SetAtOnce(in) {
		return true
	}
	t := l.view.Type(compile.Elem(in.Type()))
	if t.Size() > maxCopy || t.Size() == 0 {
		return false
	}
	for _, p := range pieces(t) {
		l.storeWord(p.t, l.constant(p.t, 0), native.Mem{Base: native.Frame, Disp: int32(off) + p.off})
	}
	if !compile.OnlyAddressed(in) {
		l.emit(native.Instr{Op: native.Address, D: l.set(in)[0], Mem: native.Mem{Base: native.Frame, Disp: int32(off)}})
	}
	return true
}

// returns lowers a return of the function itself.
func (l *lowering) returns(in *ssa.Return) bool {
	if l.nested != nil {
		return l.innerReturn(in)
	}
	var moves [][2]native.Reg
	for i, v := range in.Results {
		if s := l.view.Results()[i]; s.Rep == layout.Memory {
			if _, ok := l.view.Slot(v); !ok || s.Type.Size() > maxCopy {
				return false
			}
		}
	}
	for i, v := range in.Results {
		s := l.view.Results()[i]
		if s.Rep == layout.Memory {
			if from, _ := l.view.Slot(v); from.Off != s.Off {
				l.copyMemory(native.Mem{Base: native.Frame, Disp: int32(s.Off)}, native.Mem{Base: native.Frame, Disp: int32(from.Off)}, s.Type)
			}
			continue
		}
		to, from := l.slotWords(s), l.words(v)
		for k := range to {
			if to[k] != from[k] {
				moves = append(moves, [2]native.Reg{to[k], from[k]})
			}
		}
	}
	l.moveAll(moves)
	l.f.Blocks[l.cur].End = native.Return
	return true
}

// reason returns the reason why an instruction is not supported.
func (l *lowering) reason(in ssa.Instruction) string {
	switch in := in.(type) {
	case *ssa.Alloc, *ssa.MakeSlice, *ssa.MakeMap, *ssa.MakeChan, *ssa.MakeClosure, *ssa.MakeInterface:
		return "allocates"
	case *ssa.Slice:
		return "slices"
	case *ssa.Lookup, *ssa.MapUpdate, *ssa.Range, *ssa.Next:
		return "uses a map or a string"
	case *ssa.Store:
		return "stores a pointer"
	case *ssa.Send, *ssa.Select, *ssa.Go:
		return "uses a channel or starts a goroutine"
	case *ssa.TypeAssert, *ssa.ChangeInterface:
		return "tests the type of an interface value"
	case *ssa.Panic:
		return "panics"
	case *ssa.Call:
		if b, ok := in.Call.Value.(*ssa.Builtin); ok {
			return "calls " + b.Name()
		}
		if fn := in.Call.StaticCallee(); fn != nil {
			return "calls " + fn.Name()
		}
		return "calls a function value or a method of an interface"
	}
	return "has a value whose type does not fit a register"
}
