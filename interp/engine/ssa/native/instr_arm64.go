//go:build linux

package native

import "github.com/gokernel/gokernel/interp/engine/ssa/native/arm64"

// instr emits an instruction that never takes an exit.
func (e *emitter) instr(in *Instr) {
	if in.Op == Store {
		e.storeTo(in)
		return
	}
	d := e.dest(in.D)
	switch in.Op {
	case Const:
		e.constant(in)
		return
	case Move:
		e.move(in.D, in.X)
		return
	case Add, Sub, Mul, And, Or, Xor, AndNot:
		e.arithmetic(in, d, e.get(in.X, int0))
	case Neg:
		e.Three(arm64.SUB, d, arm64.ZR, e.get(in.X, int0))
		e.extend(in.Type, d, d)
	case Not:
		e.Three(arm64.ORN, d, arm64.ZR, e.get(in.X, int0))
		e.extend(in.Type, d, d)
	case Shl, Shr:
		e.shiftBy(in, d, e.get(in.X, int0))
	case Div, Rem:
		e.division(in, d, e.get(in.X, int0))
	case Pick:
		x, y := e.get(in.X, int0), e.get(in.Y, int1)
		e.Compare(y, x)
		e.CSEL(d, y, x, conditionOf(in.Type, in.Cond))
	case LowZeros:
		e.Two(arm64.RBIT, d, e.get(in.X, int0))
		e.Two(arm64.CLZ, d, d)
	case BitLen:
		e.Two(arm64.CLZ, int1, e.get(in.X, int0))
		e.movImm(d, 64)
		e.Three(arm64.SUB, d, d, int1)
	case Extend:
		e.extend(in.To, d, e.get(in.X, int0))
	case Set:
		e.CSET(d, e.holds(in.Type, in.Cond, in.X, in.Y, in.Imm))
	case Load:
		e.load(in.Type, d, e.address(in.Mem))
	case Address:
		e.lea(d, e.address(in.Mem))
	default:
		e.float(in, d)
	}
	e.done(in.D, d)
}

func (e *emitter) constant(in *Instr) {
	d := e.dest(in.D)
	if in.Type.Float() {
		bits := arm64.ZR
		if in.Imm != 0 {
			bits = int0
			e.movImm(bits, in.Imm)
		}
		e.Two(arm64.FMOVFromInt, d, bits)
	} else {
		e.movImm(d, in.Imm)
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

var (
	integerOps = map[Op]arm64.Three{
		Add: arm64.ADD, Sub: arm64.SUB, Mul: arm64.MUL, And: arm64.AND, Or: arm64.ORR, Xor: arm64.EOR, AndNot: arm64.BIC,
	}
	maskOps = map[Op]arm64.Masked{And: arm64.ANDImm, Or: arm64.ORRImm, Xor: arm64.EORImm, AndNot: arm64.ANDImm}
)

// arithmetic emits d = x op Y.
func (e *emitter) arithmetic(in *Instr, d, x uint8) {
	if in.Y != None || !e.arithmeticImm(in, d, x) {
		y := int1
		if in.Y == None {
			e.movImm(y, in.Imm)
		} else {
			y = e.get(in.Y, int1)
		}
		e.Three(integerOps[in.Op], d, x, y)
	}
	if in.Op == Add || in.Op == Sub || in.Op == Mul {
		e.extend(in.Type, d, d)
	}
}

// arithmeticImm emits d = x op constant. It returns false if the constant needs a register.
func (e *emitter) arithmeticImm(in *Instr, d, x uint8) bool {
	imm := in.Imm
	switch in.Op {
	case Add:
		e.addImm(d, x, imm)
		return true
	case Sub:
		e.addImm(d, x, -imm)
		return true
	case Mul:
		switch {
		case imm > 0 && imm&(imm-1) == 0:
			e.ShiftImm(arm64.LSL, d, x, log2(uint64(imm)))
		case imm > 2 && (imm-1)&(imm-2) == 0:
			e.Shifted(arm64.ADD, d, x, x, arm64.LSL, log2(uint64(imm-1)))
		default:
			return false
		}
		return true
	case AndNot:
		imm = ^imm
	}
	mask, ok := arm64.Mask(uint64(imm))
	if ok {
		e.Masked(maskOps[in.Op], d, x, mask)
	}
	return ok
}

// shiftBy emits d = x << Y or x >> Y with unsigned Y. The processor uses the count modulo 64.
func (e *emitter) shiftBy(in *Instr, d, x uint8) {
	signed := in.Op == Shr && in.Type.Signed()
	kind, by := arm64.LSL, arm64.LSLV
	switch {
	case signed:
		kind, by = arm64.ASR, arm64.ASRV
	case in.Op == Shr:
		kind, by = arm64.LSR, arm64.LSRV
	}
	switch n := uint64(in.Imm); {
	case in.Y == None && signed:
		e.ShiftImm(kind, d, x, uint8(min(n, 63)))
	case in.Y == None && n > 63:
		e.movImm(d, 0)
	case in.Y == None:
		e.ShiftImm(kind, d, x, uint8(n))
	case signed:
		y := e.get(in.Y, int1)
		e.movImm(int2, 63)
		e.Compare(y, int2)
		e.CSEL(int2, y, int2, arm64.LO)
		e.Three(by, d, x, int2)
	default:
		y := e.get(in.Y, int1)
		e.Three(by, int2, x, y)
		e.Small(arm64.SUBSImm, arm64.ZR, y, 64)
		e.CSEL(d, int2, arm64.ZR, arm64.LO)
	}
	if in.Op == Shl {
		e.extend(in.Type, d, d)
	}
}

// division emits d = x / Y or x % Y. The minimum integer divided by -1 is itself, as in Go.
func (e *emitter) division(in *Instr, d, x uint8) {
	if in.Y == None && in.Imm > 0 && in.Imm&(in.Imm-1) == 0 {
		e.divisionByPower(in, d, x)
		return
	}
	y := int1
	if in.Y == None {
		e.movImm(y, in.Imm)
	} else {
		y = e.get(in.Y, int1)
	}
	divide := arm64.UDIV
	if in.Type.Signed() {
		divide = arm64.SDIV
	}
	if in.Op == Rem {
		e.Three(divide, int2, x, y)
		e.MSUB(d, int2, y, x)
	} else {
		e.Three(divide, d, x, y)
	}
	e.extend(in.Type, d, d)
}

// divisionByPower emits a division by a power of two. The quotient of a negative number is rounded
// up.
func (e *emitter) divisionByPower(in *Instr, d, x uint8) {
	n := log2(uint64(in.Imm))
	kind, from := arm64.LSR, x
	if in.Type.Signed() && n > 0 {
		kind = arm64.ASR
		e.ShiftImm(arm64.ASR, int2, x, 63)
		e.Shifted(arm64.ADD, int2, x, int2, arm64.LSR, 64-n)
		from = int2
	}
	switch {
	case in.Op == Rem && n == 0:
		e.movImm(d, 0)
	case in.Op == Rem:
		e.ShiftImm(kind, int2, from, n)
		e.Shifted(arm64.SUB, d, x, int2, arm64.LSL, n)
	case n == 0:
		e.mov(d, x)
	default:
		e.ShiftImm(kind, d, from, n)
	}
}

func (e *emitter) storeTo(in *Instr) {
	m := e.address(in.Mem)
	switch {
	case in.Z != None && in.Type.Float():
		e.store(in.Type, e.get(in.Z, float0), m)
	case in.Z != None:
		e.store(in.Type, e.get(in.Z, int0), m)
	case in.Imm == 0:
		e.store(in.Type, arm64.ZR, m)
	default:
		e.movImm(int0, in.Imm)
		e.store(in.Type, int0, m)
	}
}

var (
	floatOps = map[Op]arm64.Three{FAdd: arm64.FADD, FSub: arm64.FSUB, FMul: arm64.FMUL, FDiv: arm64.FDIV, FMin: arm64.FMIN, FMax: arm64.FMAX}
	signOps  = map[Op]arm64.Two{FNeg: arm64.FNEG, FAbs: arm64.FABS, FSqrt: arm64.FSQRT}
	roundOps = map[int64]arm64.Two{8: arm64.FRINTN, 9: arm64.FRINTM, 10: arm64.FRINTP, 11: arm64.FRINTZ}
)

// float emits an instruction on floats. Products are rounded before an addition, never fused.
func (e *emitter) float(in *Instr, d uint8) {
	one := func(o arm64.Two, t Type, x uint8) {
		if t == Float32 {
			o = o.Single()
		}
		e.Two(o, d, x)
	}
	switch in.Op {
	case FAdd, FSub, FMul, FDiv, FMin, FMax:
		o := floatOps[in.Op]
		if in.Type == Float32 {
			o = o.Single()
		}
		e.Three(o, d, e.get(in.X, float0), e.get(in.Y, float1))
	case FNeg, FAbs, FSqrt:
		one(signOps[in.Op], in.Type, e.get(in.X, float0))
	case FRound:
		one(roundOps[in.Imm], in.Type, e.get(in.X, float0))
	case FBits:
		e.Two(arm64.FMOVToInt, d, e.get(in.X, float0))
		e.extend(in.To, d, d)
	case FromBits:
		e.Two(arm64.FMOVFromInt, d, e.get(in.X, int0))
	case IntFloat:
		one(arm64.SCVTF, in.To, e.get(in.X, int0))
	case UintFloat:
		one(arm64.UCVTF, in.To, e.get(in.X, int0))
	case FloatInt: // types under 32 bits convert by way of 32 bits, Uint32 by way of 64
		o := arm64.FCVTZSW
		if in.To == Int64 || in.To == Uint32 {
			o = arm64.FCVTZS
		}
		one(o, in.Type, e.get(in.X, float0))
		e.extend(in.To, d, d)
	case FloatUint:
		one(arm64.FCVTZU, in.Type, e.get(in.X, float0))
	case FloatFloat:
		o := arm64.FCVTSD
		if in.Type == Float32 {
			o = arm64.FCVTDS
		}
		e.Two(o, d, e.get(in.X, float0))
	default:
		panic("native: no code for an operation")
	}
}
