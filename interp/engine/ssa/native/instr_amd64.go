//go:build linux

package native

import "math"

// instr emits an instruction that never takes an exit.
func (e *emitter) instr(in *Instr) {
	switch in.Op {
	case Const:
		e.constant(in)
	case Move:
		e.move(in.D, in.X)
	case Add, Sub, Mul, And, Or, Xor, AndNot:
		e.arithmetic(in)
	case Neg, Not:
		d := e.dest(in.D)
		e.mov(d, e.get(in.X, rax))
		if in.Op == Neg {
			e.neg(d)
		} else {
			e.not(d)
		}
		e.extend(in.Type, d, d)
		e.done(in.D, d)
	case Shl, Shr:
		e.shiftBy(in)
	case Div, Rem:
		e.division(in)
	case Pick:
		e.mov(rax, e.get(in.X, rax))
		y := e.get(in.Y, rcx)
		e.alu(aluCmp, y, rax)
		e.moveIf(conditionOf(in.Type, in.Cond), rax, y)
		d := e.dest(in.D)
		e.mov(d, rax)
		e.done(in.D, d)
	case Ones, LowZeros, BitLen:
		e.bits(in)
	case Extend:
		d := e.dest(in.D)
		e.extend(in.To, d, e.get(in.X, rax))
		e.done(in.D, d)
	case Set:
		e.setTo(in)
	case Load:
		d := e.dest(in.D)
		e.load(in.Type, d, e.address(in.Mem))
		e.done(in.D, d)
	case Store:
		e.storeTo(in)
	case Address:
		d := e.dest(in.D)
		e.lea(d, e.address(in.Mem))
		e.done(in.D, d)
	default:
		e.float(in)
	}
}

// bits emits an instruction that counts bits.
func (e *emitter) bits(in *Instr) {
	d, x := e.dest(in.D), e.get(in.X, rax)
	switch in.Op {
	case Ones:
		e.ones(d, x)
	case LowZeros:
		e.lowest(rcx, x)
		e.movImm(rax, 64)
		e.moveIf(ccEqual, rcx, rax)
		e.mov(d, rcx)
	default:
		e.highest(rcx, x)
		e.movImm(rax, -1)
		e.moveIf(ccEqual, rcx, rax)
		e.lea(d, at(rcx, 1))
	}
	e.done(in.D, d)
}

func (e *emitter) constant(in *Instr) {
	d := e.dest(in.D)
	switch {
	case !in.Type.Float():
		e.movImm(d, in.Imm)
	case in.Imm == 0:
		e.xorps(d, d)
	default:
		e.movImm(rax, in.Imm)
		e.fromBits(d, rax)
	}
	e.done(in.D, d)
}

func (e *emitter) move(to, from Reg) {
	d := e.dest(to)
	if e.f.Vars[to].Type.Float() {
		e.movFloat(d, e.get(from, d))
	} else {
		e.mov(d, e.get(from, d))
	}
	e.done(to, d)
}

var aluCodes = map[Op]byte{Add: aluAdd, Sub: aluSub, And: aluAnd, Or: aluOr, Xor: aluXor}

// arithmetic emits D = X op Y.
func (e *emitter) arithmetic(in *Instr) {
	d, x := e.dest(in.D), e.get(in.X, rax)
	if in.Y == None && in.Op != AndNot && int64(int32(in.Imm)) == in.Imm {
		e.arithmeticImm(in, d, x)
	} else {
		y := rcx
		if in.Y == None {
			e.movImm(rcx, in.Imm)
		} else {
			y = e.get(in.Y, rcx)
		}
		e.arithmeticReg(in.Op, d, x, y)
	}
	if in.Op == Add || in.Op == Sub || in.Op == Mul {
		e.extend(in.Type, d, d)
	}
	e.done(in.D, d)
}

func (e *emitter) arithmeticImm(in *Instr, d, x uint8) {
	imm := int32(in.Imm)
	switch {
	case in.Op == Mul && imm > 0 && imm&(imm-1) == 0:
		e.mov(d, x)
		if n := log2(uint64(imm)); n > 0 {
			e.shiftImm(shl, d, n)
		}
	case in.Op == Mul && multiple(imm) != 0:
		by := multiple(imm)
		e.lea(d, mem{base: x, index: x, scale: by - 1})
		if n := log2(uint64(imm) / uint64(by)); n > 0 {
			e.shiftImm(shl, d, n)
		}
	case in.Op == Mul:
		e.imulImm(d, x, imm)
	case in.Op == Add && d != x:
		e.lea(d, at(x, imm))
	default:
		e.mov(d, x)
		e.aluImm(aluCodes[in.Op], d, imm)
	}
}

// multiple returns 3, 5 or 9 if a number is 3, 5 or 9 times a power of two, and 0 otherwise.
func multiple(imm int32) uint8 {
	for _, by := range [...]int32{3, 5, 9} {
		if q := imm / by; imm > 0 && imm%by == 0 && q&(q-1) == 0 {
			return uint8(by)
		}
	}
	return 0
}

func (e *emitter) arithmeticReg(op Op, d, x, y uint8) {
	if op == AndNot {
		e.mov(rdx, y)
		e.not(rdx)
		op, y = And, rdx
	}
	if d == y && d != x {
		if op == Sub {
			e.mov(rax, x)
			e.alu(aluSub, rax, y)
			e.mov(d, rax)
			return
		}
		x, y = y, x
	}
	switch {
	case op == Mul:
		e.mov(d, x)
		e.imul(d, y)
	case op == Add && d != x:
		e.lea(d, mem{base: x, index: y, scale: 1})
	default:
		e.mov(d, x)
		e.alu(aluCodes[op], d, y)
	}
}

// shiftBy emits D = X << Y or X >> Y with unsigned Y.
func (e *emitter) shiftBy(in *Instr) {
	kind := shl
	switch {
	case in.Op == Shr && in.Type.Signed():
		kind = sar
	case in.Op == Shr:
		kind = shr
	}
	d := e.dest(in.D)
	if in.Y == None {
		n := uint64(in.Imm)
		e.mov(d, e.get(in.X, d))
		switch {
		case n > 63 && kind == sar:
			e.shiftImm(sar, d, 63)
		case n > 63:
			e.movImm(d, 0)
		case n > 0:
			e.shiftImm(kind, d, uint8(n))
		}
	} else {
		e.mov(rcx, e.get(in.Y, rcx))
		e.mov(rax, e.get(in.X, rax))
		e.aluImm(aluCmp, rcx, 64)
		e.borrow(rdx)
		if kind == sar {
			e.not(rdx)
			e.alu(aluOr, rcx, rdx)
			e.shift(kind, rax)
		} else {
			e.shift(kind, rax)
			e.alu(aluAnd, rax, rdx)
		}
		e.mov(d, rax)
	}
	if in.Op == Shl {
		e.extend(in.Type, d, d)
	}
	e.done(in.D, d)
}

// division emits D = X / Y or X % Y. The processor faults if the minimum integer is divided by -1,
// but Go defines the result.
func (e *emitter) division(in *Instr) {
	if in.Y == None && in.Imm > 0 && in.Imm&(in.Imm-1) == 0 {
		e.divisionByPower(in)
		return
	}
	y := rcx
	if in.Y == None {
		e.movImm(rcx, in.Imm)
	} else {
		y = e.get(in.Y, rcx)
	}
	e.mov(rax, e.get(in.X, rax))
	signed, end := in.Type.Signed(), e.newLabel()
	if signed && (in.Y != None || in.Imm == -1) {
		divide := e.newLabel()
		e.aluImm(aluCmp, y, -1)
		e.jcc(ccNotEqual, divide)
		e.neg(rax)
		e.movImm(rdx, 0)
		e.jmp(end)
		e.set(divide)
	}
	e.divide(signed, y)
	e.set(end)
	if in.Op == Rem {
		e.mov(rax, rdx)
	}
	d := e.dest(in.D)
	e.extend(in.Type, d, rax)
	e.done(in.D, d)
}

// divisionByPower emits a division by a power of two. The quotient of a negative number is rounded
// up.
func (e *emitter) divisionByPower(in *Instr) {
	n := log2(uint64(in.Imm))
	x, d := e.get(in.X, rcx), e.dest(in.D)
	e.mov(rax, x)
	if in.Type.Signed() && n > 0 {
		e.shiftImm(sar, rax, 63)
		e.shiftImm(shr, rax, 64-n)
		e.alu(aluAdd, rax, x)
	}
	switch {
	case in.Op == Rem && n == 0:
		e.movImm(rax, 0)
	case in.Op == Rem:
		kind := shr
		if in.Type.Signed() {
			kind = sar
		}
		e.shiftImm(kind, rax, n)
		e.shiftImm(shl, rax, n)
		e.mov(rdx, x)
		e.alu(aluSub, rdx, rax)
		e.mov(rax, rdx)
	case n > 0 && in.Type.Signed():
		e.shiftImm(sar, rax, n)
	case n > 0:
		e.shiftImm(shr, rax, n)
	}
	e.mov(d, rax)
	e.done(in.D, d)
}

// setTo emits D = X Cond Y.
func (e *emitter) setTo(in *Instr) {
	if in.Type.Float() {
		cc, parity := e.compareFloats(in.Type, in.Cond, in.X, in.Y)
		e.setcc(cc, rax)
		if parity {
			if in.Cond == Equal {
				e.setcc(ccNoParity, rcx)
				e.alu(aluAnd, rax, rcx)
			} else {
				e.setcc(ccParity, rcx)
				e.alu(aluOr, rax, rcx)
			}
		}
	} else {
		e.compare(e.get(in.X, rax), in.Y, in.Imm)
		e.setcc(conditionOf(in.Type, in.Cond), rax)
	}
	d := e.dest(in.D)
	e.extend(Uint8, d, rax)
	e.done(in.D, d)
}

func (e *emitter) storeTo(in *Instr) {
	m := e.address(in.Mem)
	switch {
	case in.Z != None && in.Type.Float():
		e.store(in.Type, e.get(in.Z, float0), m)
	case in.Z != None:
		e.store(in.Type, e.get(in.Z, rax), m)
	case int64(int32(in.Imm)) == in.Imm:
		e.storeImm(in.Type, int32(in.Imm), m)
	default:
		e.movImm(rax, in.Imm)
		t := Int64
		if in.Type.Size() == 4 {
			t = Int32
		}
		e.store(t, rax, m)
	}
}

var sseCodes = map[Op]byte{FAdd: sseAdd, FSub: sseSub, FMul: sseMul, FDiv: sseDiv}

// float emits an instruction on floats.
func (e *emitter) float(in *Instr) {
	t := in.Type
	d := e.dest(in.D)
	switch in.Op {
	case FAdd, FSub, FMul, FDiv:
		x, y := e.get(in.X, float0), e.get(in.Y, float1)
		if d == y && d != x {
			e.movFloat(float1, y)
			y = float1
		}
		e.movFloat(d, x)
		e.sse(sseCodes[in.Op], t, d, y)
	case FMin:
		e.minimum(in, d)
	case FNeg, FAbs:
		e.signBit(in, d)
	case FSqrt:
		e.sse(sseSqrt, t, d, e.get(in.X, float1))
	case FRound:
		e.round(t, d, e.get(in.X, float1), uint8(in.Imm))
	case FBits:
		e.floatBits(d, e.get(in.X, float1))
		e.extend(in.To, d, d)
	case FromBits:
		e.fromBits(d, e.get(in.X, rax))
	case IntFloat:
		e.xorps(d, d)
		e.toFloat(in.To, d, e.get(in.X, rax))
	case UintFloat:
		e.uintFloat(in, d)
	case FloatInt:
		wide := in.To == Int64 || in.To == Uint32
		e.toInt(t, wide, d, e.get(in.X, float1))
		e.extend(in.To, d, d)
	case FloatUint:
		e.floatUint(in, d)
	case FloatFloat:
		e.otherFloat(t, d, e.get(in.X, float1))
	default:
		panic("native: no code for an operation")
	}
	e.done(in.D, d)
}

// minimum emits min(X, Y) with the instructions of compiled Go. MINSD(x, y) is y if x or y is a
// NaN, and if both are zeros. So MINSD(x, y) | MINSD(MINSD(x, y), x) is a NaN or a negative zero if
// x or y is one.
func (e *emitter) minimum(in *Instr, d uint8) {
	x, y := e.get(in.X, float0), e.get(in.Y, float1)
	e.movFloat(float0, x)
	e.sse(sseMin, in.Type, float0, y)
	e.movFloat(float1, float0)
	if e.all.place[in.X].kind == onStack {
		e.sseMem(sseMin, in.Type, float1, e.slot(in.X))
	} else {
		e.sse(sseMin, in.Type, float1, x)
	}
	e.orps(float0, float1)
	e.movFloat(d, float0)
}

// signBit changes or clears the sign bit of a number.
func (e *emitter) signBit(in *Instr, d uint8) {
	mask := int64(math.MinInt64)
	if in.Type == Float32 {
		mask = 1 << 31
	}
	x := e.get(in.X, float0)
	if in.Op == FAbs {
		e.movImm(rax, ^mask)
		e.fromBits(float1, rax)
		e.movFloat(d, x)
		e.andps(d, float1)
		return
	}
	e.movImm(rax, mask)
	e.fromBits(float1, rax)
	e.movFloat(d, x)
	e.xorps(d, float1)
}

// uintFloat converts an unsigned number. It halves a large number before the conversion and doubles
// the result. The bit that halving drops is kept for rounding.
func (e *emitter) uintFloat(in *Instr, d uint8) {
	large, end := e.newLabel(), e.newLabel()
	e.mov(rax, e.get(in.X, rax))
	e.xorps(d, d)
	e.test(rax, rax)
	e.jcc(ccSign, large)
	e.toFloat(in.To, d, rax)
	e.jmp(end)
	e.set(large)
	e.mov(rcx, rax)
	e.aluImm(aluAnd, rcx, 1)
	e.shiftImm(shr, rax, 1)
	e.alu(aluOr, rax, rcx)
	e.toFloat(in.To, d, rax)
	e.sse(sseAdd, in.To, d, d)
	e.set(end)
}

// floatUint converts to an unsigned number of 64 bits. From 2^63 on, it converts the excess over
// 2^63.
func (e *emitter) floatUint(in *Instr, d uint8) {
	large, end := e.newLabel(), e.newLabel()
	x := e.get(in.X, float0)
	limit := int64(math.Float64bits(1 << 63))
	if in.Type == Float32 {
		limit = int64(math.Float32bits(1 << 63))
	}
	e.movImm(rax, limit)
	e.fromBits(float1, rax)
	e.ucomi(in.Type, float1, x)
	e.jcc(ccNotAbove, large)
	e.toInt(in.Type, true, rax, x)
	e.jmp(end)
	e.set(large)
	e.movFloat(float0, x)
	e.sse(sseSub, in.Type, float0, float1)
	e.toInt(in.Type, true, rax, float0)
	e.movImm(rcx, math.MinInt64)
	e.alu(aluOr, rax, rcx)
	e.set(end)
	e.mov(d, rax)
}
