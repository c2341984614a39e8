//go:build linux

package native

import "sync"

// The registers for variables. Of the other registers, AX, CX, DX, X14 and X15 are scratch. DI
// holds the frame, R14 the context, and R15 the remaining work until the code exits.
var (
	intRegs   = []uint8{r13, r12, rbp, r11, r10, r9, r8, rsi, rbx}
	floatRegs = []uint8{13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0}
)

const (
	frameReg   = rdi
	contextReg = r14
	workReg    = r15
	stackReg   = rsp

	int0         = rax // scratch
	int1         = rcx
	int2         = rdx
	float0 uint8 = 15 // scratch
	float1 uint8 = 14
)

// arrive saves the return address, which is on the goroutine's stack. depart uses it.
func (e *emitter) arrive() { e.store(Int64, rsp, at(contextReg, contextBack)) }

func (e *emitter) depart() {
	e.load(Int64, rsp, at(contextReg, contextBack))
	e.ret()
}

// called begins a callee: the processor has pushed the return address.
func (e *emitter) called() {}

// take grows the stack. release shrinks the stack and clears the carry flag.
func (e *emitter) take(bytes int32)    { e.aluImm(aluSub, rsp, bytes) }
func (e *emitter) release(bytes int32) { e.aluImm(aluAdd, rsp, bytes) }

// ifFull jumps to l if the stack is full, and ifGivenUp if a call has been abandoned.
func (e *emitter) ifFull(l label) {
	e.aluMem(aluCmp, rsp, at(contextReg, contextLimit))
	e.jcc(ccBelow, l)
}

func (e *emitter) ifGivenUp(l label) { e.jcc(ccBelow, l) }

// charge subtracts work from the budget, and countDown jumps to l if nothing is left then.
func (e *emitter) charge(work int64) { e.aluImm(aluSub, workReg, int32(work)) }

func (e *emitter) countDown(work int64, l label) {
	e.charge(work)
	e.jcc(ccNotMore, l)
}

// ifBarrier jumps to l if the write barrier of the collector is on. It may use AX.
func (e *emitter) ifBarrier(l label) {
	e.load(Uint32, rax, at(contextReg, contextBarrier))
	e.test(rax, rax)
	e.jcc(ccNotEqual, l)
}

// entered begins an entry for code.
func (e *emitter) entered() {}

// ifDiffers, ifNotLess and ifZero jump to l if the condition holds for registers.
func (e *emitter) ifDiffers(x, y uint8, l label) {
	e.alu(aluCmp, x, y)
	e.jcc(ccNotEqual, l)
}

func (e *emitter) ifNotLess(x, y uint8, l label) {
	e.alu(aluCmp, x, y)
	e.jcc(ccNotLess, l)
}

func (e *emitter) ifZero(x uint8, l label) {
	e.test(x, x)
	e.jcc(ccEqual, l)
}

func (e *emitter) xor(d, s uint8)              { e.alu(aluXor, d, s) }
func (e *emitter) shiftRight(d uint8, n uint8) { e.shiftImm(shr, d, n) }
func (e *emitter) and(d, s uint8)              { e.alu(aluAnd, d, s) }
func (e *emitter) shiftLeft(d uint8, n uint8)  { e.shiftImm(shl, d, n) }

// jmpTo jumps to the address in a register.
func (e *emitter) jmpTo(r uint8) { e.regs(opcode{code: 0xff}, false, 4, r) }

// callReg calls the code at the address in a register.
func (e *emitter) callReg(r uint8) { e.regs(opcode{code: 0xff}, false, 2, r) }

// address returns a memory operand. It may use CX and DX.
func (e *emitter) address(m Mem) mem {
	to := mem{base: e.get(m.Base, rcx), index: noReg, disp: m.Disp}
	if m.Index != None {
		to.index, to.scale = e.get(m.Index, rdx), m.Scale
	}
	return to
}

// checkAt emits a check that jumps to l if it fails.
func (e *emitter) checkAt(in *Instr, l label) {
	switch in.Op {
	case CheckBelow:
		x := e.get(in.X, rax)
		e.compare(x, in.Y, in.Imm)
		e.jcc(ccNotBelow, l)
	case CheckSign:
		x := e.get(in.X, rax)
		e.test(x, x)
		e.jcc(ccSign, l)
	case CheckSet:
		x := e.get(in.X, rax)
		e.test(x, x)
		e.jcc(ccEqual, l)
	case Poll:
		e.countDown(in.Imm, l)
	case Leave, CallOut:
		e.jmp(l)
	}
}

// compare compares a register with a variable, or with a constant if the variable is None.
func (e *emitter) compare(x uint8, y Reg, imm int64) {
	switch {
	case y != None && e.all.place[y].kind == onStack:
		e.aluMem(aluCmp, x, e.slot(y))
	case y != None:
		e.alu(aluCmp, x, e.get(y, rcx))
	case imm == 0:
		e.test(x, x)
	case int64(int32(imm)) == imm:
		e.aluImm(aluCmp, x, int32(imm))
	default:
		e.movImm(rcx, imm)
		e.alu(aluCmp, x, rcx)
	}
}

// conditions holds the condition codes of integer comparisons, signed and unsigned.
var conditions = [2][6]byte{
	{ccEqual, ccNotEqual, ccBelow, ccNotAbove, ccAbove, ccNotBelow},
	{ccEqual, ccNotEqual, ccLess, ccNotMore, ccMore, ccNotLess},
}

func conditionOf(t Type, c Cond) byte {
	if t.Signed() {
		return conditions[1][c]
	}
	return conditions[0][c]
}

// branch ends a block.
func (e *emitter) branch(t *Test, next [2]int) {
	yes, no := e.blocks[next[0]], e.blocks[next[1]]
	if t.Type.Float() {
		cc, parity := e.compareFloats(t.Type, t.Cond, t.X, t.Y)
		switch {
		case parity && t.Cond == Equal: // both flags must show equality
			e.jcc(ccNotEqual, no)
			e.jcc(ccParity, no)
			e.goTo(next[0])
			return
		case parity:
			e.jcc(ccNotEqual, yes)
			e.jcc(ccParity, yes)
		default:
			e.jcc(cc, yes)
		}
		e.goTo(next[1])
		return
	}
	e.compare(e.get(t.X, rax), t.Y, t.Imm)
	cc := conditionOf(t.Type, t.Cond)
	if e.follows == next[0] {
		e.jcc(cc^1, no)
		return
	}
	e.jcc(cc, yes)
	e.goTo(next[1])
}

// compareFloats compares floats. It returns the condition code that is true if the comparison
// holds. parity means that equality also depends on the parity flag.
func (e *emitter) compareFloats(t Type, c Cond, x, y Reg) (cc byte, parity bool) {
	if c == Less || c == LessEqual {
		x, y, c = y, x, c.swapped()
	}
	e.ucomi(t, e.get(x, float0), e.get(y, float1))
	switch c {
	case Greater:
		return ccAbove, false
	case GreaterEqual:
		return ccNotBelow, false
	case Equal:
		return ccEqual, true
	}
	return ccNotEqual, true
}

// features returns feature flags of the processor.
func features() uint32

// Rounds reports whether the processor has the instructions of FRound, which are part of SSE 4.1.
var Rounds = sync.OnceValue(func() bool { return features()&(1<<19) != 0 })

// CountsOnes reports whether the processor has the instruction of Ones.
var CountsOnes = sync.OnceValue(func() bool { return features()&(1<<23) != 0 })

// written does nothing, because the processor notices writes to memory that it executes.
func written(from, to uintptr) {}
