//go:build linux

package native

import "github.com/gokernel/gokernel/interp/engine/ssa/native/arm64"

// The registers for variables. R18, R28 and R29 are reserved for the platform, the goroutine and
// the frame pointer, and R30 holds the return address. R0 to R2, R16, R17, F30 and F31 are scratch.
// R16 and R17 are only for a single load, store or constant.
var (
	intRegs   = []uint8{27, 26, 25, 24, 19, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3}
	floatRegs = []uint8{
		29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15,
		14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0,
	}
)

const (
	frameReg   uint8 = 20
	contextReg uint8 = 21
	workReg    uint8 = 22 // remaining work until the code exits
	stackReg   uint8 = 23 // the stack of the code; the goroutine's is not used

	int0, int1, int2 uint8 = 0, 1, 2
	near0, near1     uint8 = 16, 17
	float0, float1   uint8 = 31, 30
)

type label = arm64.Label

// assembler has the instructions that do not depend on the location of a variable.
type assembler struct{ arm64.Assembler }

func (a *assembler) newLabel() label          { return a.NewLabel() }
func (a *assembler) set(l label)              { a.Set(l) }
func (a *assembler) mov(d, s uint8)           { a.Move(d, s) }
func (a *assembler) jmp(to label)             { a.B(to) }
func (a *assembler) call(to label)            { a.BL(to) }
func (a *assembler) place(l label) int        { return a.Place(l) }
func (a *assembler) placeOf(d uint8, l label) { a.ADR(d, l) }
func (a *assembler) here() int                { return len(a.Code) }
func (a *assembler) movImm(d uint8, v int64) {
	if mask, ok := arm64.Mask(uint64(v)); ok {
		a.Masked(arm64.ORRImm, d, arm64.ZR, mask)
		return
	}
	a.MoveImm(d, v)
}

func (a *assembler) movFloat(d, s uint8) {
	if d != s {
		a.Two(arm64.FMOV, d, s)
	}
}

// text returns the code, with the offsets of its jumps.
func (a *assembler) text() []byte {
	if a.Link() != nil {
		panic(refusal("too long"))
	}
	return a.Code
}

// mem is an operand in memory.
type mem struct {
	base, index uint8
	scale       uint8
	disp        int32
}

const noReg uint8 = 0xff

// at returns the word at an offset from a register.
func at(base uint8, disp int32) mem { return mem{base: base, index: noReg, disp: disp} }

var (
	loads = [...]arm64.Transfer{
		Int8: arm64.LDRSB, Int16: arm64.LDRSH, Int32: arm64.LDRSW, Int64: arm64.LDR,
		Uint8: arm64.LDRB, Uint16: arm64.LDRH, Uint32: arm64.LDRW, Uint64: arm64.LDR,
		Pointer: arm64.LDR, Float32: arm64.LDRF32, Float64: arm64.LDRF64,
	}
	stores = [...]arm64.Transfer{
		Int8: arm64.STRB, Int16: arm64.STRH, Int32: arm64.STRW, Int64: arm64.STR,
		Uint8: arm64.STRB, Uint16: arm64.STRH, Uint32: arm64.STRW, Uint64: arm64.STR,
		Pointer: arm64.STR, Float32: arm64.STRF32, Float64: arm64.STRF64,
	}
)

func (a *assembler) load(t Type, d uint8, m mem)  { a.transfer(loads[t], d, m) }
func (a *assembler) store(t Type, s uint8, m mem) { a.transfer(stores[t], s, m) }

// transfer encodes a load or a store.
func (a *assembler) transfer(o arm64.Transfer, r uint8, m mem) {
	switch {
	case m.index == noReg && o.Near(m.disp):
		a.Transfer(o, r, m.base, m.disp)
	case m.index == noReg:
		a.movImm(near0, int64(m.disp))
		a.Indexed(o, r, m.base, near0, false)
	case m.disp == 0 && (m.scale == 1 || int32(m.scale) == o.Size()):
		a.Indexed(o, r, m.base, m.index, m.scale != 1)
	default:
		a.Shifted(arm64.ADD, near1, m.base, m.index, arm64.LSL, log2(uint64(m.scale)))
		a.transfer(o, r, at(near1, m.disp))
	}
}

// lea sets d to an address.
func (a *assembler) lea(d uint8, m mem) {
	base := m.base
	if m.index != noReg {
		a.Shifted(arm64.ADD, d, m.base, m.index, arm64.LSL, log2(uint64(m.scale)))
		base = d
	}
	a.addImm(d, base, int64(m.disp))
}

// addImm encodes d = n + v.
func (a *assembler) addImm(d, n uint8, v int64) {
	switch {
	case v == 0:
		a.Move(d, n)
	case arm64.Fits(v):
		a.Small(arm64.ADDImm, d, n, v)
	case arm64.Fits(-v):
		a.Small(arm64.SUBImm, d, n, -v)
	default:
		a.movImm(near0, v)
		a.Three(arm64.ADD, d, n, near0)
	}
}

// extend sets d to s, sign-extended or zero-extended from type t.
func (a *assembler) extend(t Type, d, s uint8) {
	if t.Size() == 8 {
		a.Move(d, s)
		return
	}
	a.Extend(t.Signed(), d, s, 8*t.Size())
}

// arrive saves the return address. depart uses it.
func (a *assembler) arrive() { a.store(Int64, arm64.LR, at(contextReg, contextBack)) }

func (a *assembler) depart() {
	a.load(Int64, arm64.LR, at(contextReg, contextBack))
	a.RET()
}

// called begins a callee. It pushes the return address, which ret then pops.
func (a *assembler) called() { a.Push(arm64.LR, stackReg) }

func (a *assembler) ret() {
	a.Pop(arm64.LR, stackReg)
	a.RET()
}

// take grows the stack. release shrinks the stack and clears the carry flag.
func (a *assembler) take(bytes int32) { a.addImm(stackReg, stackReg, -int64(bytes)) }

func (a *assembler) release(bytes int32) {
	if arm64.Fits(int64(bytes)) {
		a.Small(arm64.ADDSImm, stackReg, stackReg, int64(bytes))
		return
	}
	a.movImm(near0, int64(bytes))
	a.Three(arm64.ADDS, stackReg, stackReg, near0)
}

// setCarry sets the carry flag, with which an abandoned call returns.
func (a *assembler) setCarry() { a.Compare(stackReg, stackReg) }

// ifFull jumps to l if the stack is full, and ifGivenUp if a call has been abandoned.
func (a *assembler) ifFull(l label) {
	a.load(Int64, near0, at(contextReg, contextLimit))
	a.Compare(stackReg, near0)
	a.BCond(arm64.LO, l)
}

func (a *assembler) ifGivenUp(l label) { a.BCond(arm64.HS, l) }

// charge subtracts work from the budget, and countDown jumps to l if nothing is left then.
func (a *assembler) charge(work int64) {
	if arm64.Fits(work) {
		a.Small(arm64.SUBSImm, workReg, workReg, work)
	} else {
		a.movImm(near0, work)
		a.Three(arm64.SUBS, workReg, workReg, near0)
	}
}

func (a *assembler) countDown(work int64, l label) {
	a.charge(work)
	a.BCond(arm64.LE, l)
}

// ifBarrier jumps to l if the write barrier of the collector is on.
func (e *emitter) ifBarrier(l label) {
	e.load(Uint32, near0, at(contextReg, contextBarrier))
	e.compare(near0, None, 0)
	e.BCond(arm64.NE, l)
}

// entered begins an entry for code. Another processor may have written the code.
func (e *emitter) entered() { e.ISB() }

// ifDiffers, ifNotLess and ifZero jump to l if the condition holds for registers.
func (e *emitter) ifDiffers(x, y uint8, l label) {
	e.Compare(x, y)
	e.BCond(arm64.NE, l)
}

func (e *emitter) ifNotLess(x, y uint8, l label) {
	e.Compare(x, y)
	e.BCond(arm64.GE, l)
}

func (e *emitter) ifZero(x uint8, l label) { e.CBZ(x, l) }

func (e *emitter) xor(d, s uint8)              { e.Three(arm64.EOR, d, d, s) }
func (e *emitter) shiftRight(d uint8, n uint8) { e.ShiftImm(arm64.LSR, d, d, n) }
func (e *emitter) and(d, s uint8)              { e.Three(arm64.AND, d, d, s) }
func (e *emitter) shiftLeft(d uint8, n uint8)  { e.ShiftImm(arm64.LSL, d, d, n) }

// jmpTo jumps to the address in a register.
func (e *emitter) jmpTo(r uint8) { e.BR(r) }

// callReg calls the code at the address in a register.
func (e *emitter) callReg(r uint8) { e.BLR(r) }

// address returns a memory operand. It may use two of the scratch registers.
func (e *emitter) address(m Mem) mem {
	to := mem{base: e.get(m.Base, int1), index: noReg, disp: m.Disp}
	if m.Index != None {
		to.index, to.scale = e.get(m.Index, int2), m.Scale
	}
	return to
}

// checkAt emits a check that jumps to l if it fails.
func (e *emitter) checkAt(in *Instr, l label) {
	switch in.Op {
	case CheckBelow:
		e.compare(e.get(in.X, int0), in.Y, in.Imm)
		e.BCond(arm64.HS, l)
	case CheckSign:
		e.compare(e.get(in.X, int0), None, 0)
		e.BCond(arm64.LT, l)
	case CheckSet:
		e.CBZ(e.get(in.X, int0), l)
	case Poll:
		e.countDown(in.Imm, l)
	case Leave, CallOut:
		e.jmp(l)
	}
}

// compare compares a register with a variable, or with a constant if the variable is None.
func (e *emitter) compare(x uint8, y Reg, imm int64) {
	switch {
	case y != None:
		e.Compare(x, e.get(y, int1))
	case arm64.Fits(imm):
		e.Small(arm64.SUBSImm, arm64.ZR, x, imm)
	case imm < 0 && arm64.Fits(-imm):
		e.Small(arm64.ADDSImm, arm64.ZR, x, -imm)
	default:
		e.movImm(int1, imm)
		e.Compare(x, int1)
	}
}

// conditions holds the condition codes of comparisons of unsigned integers, signed integers and
// floats. With a NaN, only "not equal" holds.
var conditions = [3][6]arm64.Cond{
	{arm64.EQ, arm64.NE, arm64.LO, arm64.LS, arm64.HI, arm64.HS},
	{arm64.EQ, arm64.NE, arm64.LT, arm64.LE, arm64.GT, arm64.GE},
	{arm64.EQ, arm64.NE, arm64.MI, arm64.LS, arm64.GT, arm64.GE},
}

// holds emits a comparison and returns the condition that is true if the comparison holds.
func (e *emitter) holds(t Type, c Cond, x, y Reg, imm int64) arm64.Cond {
	if t.Float() {
		e.CompareFloat(t == Float32, e.get(x, float0), e.get(y, float1))
		return conditions[2][c]
	}
	e.compare(e.get(x, int0), y, imm)
	return conditionOf(t, c)
}

// conditionOf is like holds, for integers that have already been compared.
func conditionOf(t Type, c Cond) arm64.Cond {
	if t.Signed() {
		return conditions[1][c]
	}
	return conditions[0][c]
}

// branch ends a block.
func (e *emitter) branch(t *Test, next [2]int) {
	cc := e.holds(t.Type, t.Cond, t.X, t.Y, t.Imm)
	if e.follows == next[0] {
		e.BCond(cc.Not(), e.blocks[next[1]])
		return
	}
	e.BCond(cc, e.blocks[next[0]])
	e.goTo(next[1])
}

// Rounds reports whether the processor has the instructions of FRound.
func Rounds() bool { return true }

// CountsOnes reports whether there is code for Ones.
func CountsOnes() bool { return false }

// cacheLines returns the register with the sizes of the cache lines. cleanData writes stores back
// to the level from which instructions are fetched. forgetInstructions invalidates fetched
// instructions.
func cacheLines() uint64
func cleanData(from, to, line uintptr)
func forgetInstructions(from, to, line uintptr)

// written makes the processors execute the bytes that have been written to memory.
func written(from, to uintptr) {
	lines := cacheLines()
	data, instructions := uintptr(4)<<(lines>>16&15), uintptr(4)<<(lines&15)
	cleanData(from&^(data-1), to, data)
	forgetInstructions(from&^(instructions-1), to, instructions)
}
