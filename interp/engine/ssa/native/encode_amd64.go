//go:build linux

package native

import "encoding/binary"

// Registers of the processor.
const (
	rax uint8 = iota
	rcx
	rdx
	rbx
	rsp
	rbp
	rsi
	rdi
	r8
	r9
	r10
	r11
	r12
	r13
	r14
	r15
)

// noReg means that there is no index.
const noReg uint8 = 0xff

// mem is an operand in memory.
type mem struct {
	base, index uint8
	scale       uint8
	disp        int32
}

// at returns the word at an offset from a register.
func at(base uint8, disp int32) mem { return mem{base: base, index: noReg, disp: disp} }

// label is a position in the code.
type label int

// assembler encodes instructions.
type assembler struct {
	b      []byte
	labels []int // positions of the labels; -1 before they are set
	jumps  []jump
}

type jump struct {
	at int // position of the offset, 4 bytes
	to label
}

func (a *assembler) newLabel() label {
	a.labels = append(a.labels, -1)
	return label(len(a.labels) - 1)
}

func (a *assembler) set(l label) { a.labels[l] = len(a.b) }

// place returns the position of a label; here returns the position of the next instruction.
func (a *assembler) place(l label) int { return a.labels[l] }
func (a *assembler) here() int         { return len(a.b) }

// text returns the code, with the offsets of its jumps.
func (a *assembler) text() []byte {
	for _, j := range a.jumps {
		binary.LittleEndian.PutUint32(a.b[j.at:], uint32(int32(a.labels[j.to]-j.at-4)))
	}
	return a.b
}

func (a *assembler) imm32(v int32) { a.b = binary.LittleEndian.AppendUint32(a.b, uint32(v)) }

// opcode is an instruction: a prefix or 0, whether the byte 0F precedes the opcode byte, and the
// opcode byte.
type opcode struct {
	prefix byte
	escape byte // 0, 0x0f, or 0x3a for 0F 3A
	code   byte
}

// begin writes the bytes before the operands. byteReg means that a register operand has 8
// bits; a REX prefix then selects SPL, BPL, SIL or DIL instead of AH, CH, DH or BH.
func (a *assembler) begin(o opcode, wide bool, reg, index, base uint8, byteReg bool) {
	if o.prefix != 0 {
		a.b = append(a.b, o.prefix)
	}
	rex := byte(0)
	if wide {
		rex |= 8
	}
	rex |= reg >> 3 << 2
	if index != noReg {
		rex |= index >> 3 << 1
	}
	rex |= base >> 3
	if rex != 0 || byteReg {
		a.b = append(a.b, 0x40|rex)
	}
	switch o.escape {
	case 0x0f:
		a.b = append(a.b, 0x0f)
	case 0x3a:
		a.b = append(a.b, 0x0f, 0x3a)
	}
	a.b = append(a.b, o.code)
}

// regs encodes an instruction with two registers.
func (a *assembler) regs(o opcode, wide bool, reg, rm uint8) {
	a.begin(o, wide, reg, noReg, rm, false)
	a.b = append(a.b, 0xc0|reg&7<<3|rm&7)
}

// memory encodes an instruction with a register and a memory operand.
func (a *assembler) memory(o opcode, wide bool, reg uint8, m mem, byteReg bool) {
	a.begin(o, wide, reg, m.index, m.base, byteReg)
	mode, short := byte(0x80), m.disp >= -128 && m.disp <= 127
	switch {
	case m.disp == 0 && m.base&7 != rbp:
		mode = 0
	case short:
		mode = 0x40
	}
	if m.index == noReg && m.base&7 != rsp {
		a.b = append(a.b, mode|reg&7<<3|m.base&7)
	} else {
		index, scale := byte(rsp), byte(0)
		if m.index != noReg {
			index = m.index & 7
			scale = map[uint8]byte{1: 0, 2: 1, 4: 2, 8: 3}[m.scale]
		}
		a.b = append(a.b, mode|reg&7<<3|rsp, scale<<6|index<<3|m.base&7)
	}
	switch mode {
	case 0x40:
		a.b = append(a.b, byte(m.disp))
	case 0x80:
		a.imm32(m.disp)
	}
}

// The integer operations with two operands, by the code of d = d op s. In the operations with
// constants, the operation's number is code>>3.
const (
	aluAdd byte = 0x03
	aluOr  byte = 0x0b
	aluAnd byte = 0x23
	aluSub byte = 0x2b
	aluXor byte = 0x33
	aluCmp byte = 0x3b
)

func (a *assembler) alu(code byte, d, s uint8) { a.regs(opcode{code: code - 2}, true, s, d) }

func (a *assembler) aluImm(code byte, d uint8, v int32) {
	if v >= -128 && v <= 127 {
		a.regs(opcode{code: 0x83}, true, code>>3, d)
		a.b = append(a.b, byte(v))
		return
	}
	if d == rax {
		a.b = append(a.b, 0x48, code&^7|5)
		a.imm32(v)
		return
	}
	a.regs(opcode{code: 0x81}, true, code>>3, d)
	a.imm32(v)
}

func (a *assembler) aluMem(code byte, d uint8, m mem) {
	a.memory(opcode{code: code}, true, d, m, false)
}

func (a *assembler) mov(d, s uint8) {
	if d != s {
		a.regs(opcode{code: 0x89}, true, s, d)
	}
}

// movImm sets a register and preserves the flags.
func (a *assembler) movImm(d uint8, v int64) {
	switch {
	case uint64(v) <= 0xffffffff:
		a.begin(opcode{code: 0xb8 | d&7}, false, 0, noReg, d, false)
		a.imm32(int32(uint32(v)))
	case int64(int32(v)) == v:
		a.regs(opcode{code: 0xc7}, true, 0, d)
		a.imm32(int32(v))
	default:
		a.begin(opcode{code: 0xb8 | d&7}, true, 0, noReg, d, false)
		a.b = binary.LittleEndian.AppendUint64(a.b, uint64(v))
	}
}

// The loads of integers, which extend to 64 bits.
var loads = [...]struct {
	op   opcode
	wide bool
}{
	Int8: {opcode{0, 0x0f, 0xbe}, true}, Int16: {opcode{0, 0x0f, 0xbf}, true}, Int32: {opcode{0, 0, 0x63}, true}, Int64: {opcode{0, 0, 0x8b}, true},
	Uint8: {opcode{0, 0x0f, 0xb6}, false}, Uint16: {opcode{0, 0x0f, 0xb7}, false}, Uint32: {opcode{0, 0, 0x8b}, false}, Uint64: {opcode{0, 0, 0x8b}, true},
	Pointer: {opcode{0, 0, 0x8b}, true},
}

func (a *assembler) load(t Type, d uint8, m mem) {
	switch t {
	case Float32:
		a.memory(opcode{0xf3, 0x0f, 0x10}, false, d, m, false)
	case Float64:
		a.memory(opcode{0xf2, 0x0f, 0x10}, false, d, m, false)
	default:
		a.memory(loads[t].op, loads[t].wide, d, m, false)
	}
}

func (a *assembler) store(t Type, s uint8, m mem) {
	switch t {
	case Float32:
		a.memory(opcode{0xf3, 0x0f, 0x11}, false, s, m, false)
	case Float64:
		a.memory(opcode{0xf2, 0x0f, 0x11}, false, s, m, false)
	case Int8, Uint8:
		a.memory(opcode{0, 0, 0x88}, false, s, m, s >= rsp && s <= rdi)
	case Int16, Uint16:
		a.memory(opcode{0x66, 0, 0x89}, false, s, m, false)
	case Int32, Uint32:
		a.memory(opcode{0, 0, 0x89}, false, s, m, false)
	default:
		a.memory(opcode{0, 0, 0x89}, true, s, m, false)
	}
}

// storeImm stores a constant.
func (a *assembler) storeImm(t Type, v int32, m mem) {
	switch t.Size() {
	case 1:
		a.memory(opcode{0, 0, 0xc6}, false, 0, m, false)
		a.b = append(a.b, byte(v))
	case 2:
		a.memory(opcode{0x66, 0, 0xc7}, false, 0, m, false)
		a.b = append(a.b, byte(v), byte(v>>8))
	case 4:
		a.memory(opcode{0, 0, 0xc7}, false, 0, m, false)
		a.imm32(v)
	default:
		a.memory(opcode{0, 0, 0xc7}, true, 0, m, false)
		a.imm32(v)
	}
}

// extend sets d to s, sign-extended or zero-extended from type t.
func (a *assembler) extend(t Type, d, s uint8) {
	switch t {
	case Int64, Uint64, Pointer:
		a.mov(d, s)
	case Uint32:
		a.regs(opcode{code: 0x89}, false, s, d)
	case Int8, Uint8:
		a.begin(loads[t].op, loads[t].wide, d, noReg, s, s >= rsp && s <= rdi)
		a.b = append(a.b, 0xc0|d&7<<3|s&7)
	default:
		a.regs(loads[t].op, loads[t].wide, d, s)
	}
}

func (a *assembler) lea(d uint8, m mem) { a.memory(opcode{code: 0x8d}, true, d, m, false) }

func (a *assembler) imul(d, s uint8) { a.regs(opcode{0, 0x0f, 0xaf}, true, d, s) }

func (a *assembler) imulImm(d, s uint8, v int32) {
	if v >= -128 && v <= 127 {
		a.regs(opcode{code: 0x6b}, true, d, s)
		a.b = append(a.b, byte(v))
		return
	}
	a.regs(opcode{code: 0x69}, true, d, s)
	a.imm32(v)
}

func (a *assembler) neg(d uint8) { a.regs(opcode{code: 0xf7}, true, 3, d) }
func (a *assembler) not(d uint8) { a.regs(opcode{code: 0xf7}, true, 2, d) }

// ones counts the one bits of s. lowest and highest return the index of the lowest and of the
// highest one bit; if s is 0, they set the zero flag and d is undefined.
func (a *assembler) ones(d, s uint8)    { a.regs(opcode{0xf3, 0x0f, 0xb8}, true, d, s) }
func (a *assembler) lowest(d, s uint8)  { a.regs(opcode{0, 0x0f, 0xbc}, true, d, s) }
func (a *assembler) highest(d, s uint8) { a.regs(opcode{0, 0x0f, 0xbd}, true, d, s) }

// The shifts, by their numbers.
const (
	shl uint8 = 4
	shr uint8 = 5
	sar uint8 = 7
)

func (a *assembler) shiftImm(kind, d uint8, n uint8) {
	if n == 1 {
		a.regs(opcode{code: 0xd1}, true, kind, d)
		return
	}
	a.regs(opcode{code: 0xc1}, true, kind, d)
	a.b = append(a.b, n)
}

// shift shifts by the low bits of CX.
func (a *assembler) shift(kind, d uint8) { a.regs(opcode{code: 0xd3}, true, kind, d) }

// divide divides DX:AX by s: the quotient is in AX, the remainder in DX.
func (a *assembler) divide(signed bool, s uint8) {
	if signed {
		a.b = append(a.b, 0x48, 0x99) // CQO
		a.regs(opcode{code: 0xf7}, true, 7, s)
		return
	}
	a.movImm(rdx, 0)
	a.regs(opcode{code: 0xf7}, true, 6, s)
}

// The conditions of jumps and of set.
const (
	ccBelow    byte = 2
	ccNotBelow byte = 3
	ccEqual    byte = 4
	ccNotEqual byte = 5
	ccNotAbove byte = 6
	ccAbove    byte = 7
	ccSign     byte = 8
	ccParity   byte = 10
	ccNoParity byte = 11
	ccLess     byte = 12
	ccNotLess  byte = 13
	ccNotMore  byte = 14
	ccMore     byte = 15
)

func (a *assembler) setcc(cc byte, d uint8) {
	a.begin(opcode{0, 0x0f, 0x90 | cc}, false, 0, noReg, d, d >= rsp && d <= rdi)
	a.b = append(a.b, 0xc0|d&7)
}

// moveIf sets d to s if a condition holds.
func (a *assembler) moveIf(cc byte, d, s uint8) { a.regs(opcode{0, 0x0f, 0x40 | cc}, true, d, s) }

// borrow sets d to -1 if the last comparison was below, otherwise to 0.
func (a *assembler) borrow(d uint8) { a.regs(opcode{code: 0x19}, true, d, d) }

func (a *assembler) test(x, y uint8) { a.regs(opcode{code: 0x85}, true, y, x) }

func (a *assembler) jcc(cc byte, to label) {
	a.b = append(a.b, 0x0f, 0x80|cc)
	a.distance(to)
}

func (a *assembler) jmp(to label) {
	a.b = append(a.b, 0xe9)
	a.distance(to)
}

// placeOf encodes d = the address of a label.
func (a *assembler) placeOf(d uint8, l label) {
	a.b = append(a.b, 0x48|d>>3<<2, 0x8d, d&7<<3|5)
	a.distance(l)
}

func (a *assembler) distance(to label) {
	a.jumps = append(a.jumps, jump{len(a.b), to})
	a.imm32(0)
}

func (a *assembler) call(to label) {
	a.b = append(a.b, 0xe8)
	a.distance(to)
}

func (a *assembler) ret() { a.b = append(a.b, 0xc3) }

// setCarry sets the carry flag, as a comparison does if x is below y.
func (a *assembler) setCarry() { a.b = append(a.b, 0xf9) }

// The floating-point operations with two operands, by their codes.
const (
	sseSqrt byte = 0x51
	sseAdd  byte = 0x58
	sseMul  byte = 0x59
	sseSub  byte = 0x5c
	sseMin  byte = 0x5d
	sseDiv  byte = 0x5e
)

// scalar returns the prefix of instructions of a type.
func scalar(t Type) byte {
	if t == Float32 {
		return 0xf3
	}
	return 0xf2
}

func (a *assembler) sse(code byte, t Type, d, s uint8) {
	a.regs(opcode{scalar(t), 0x0f, code}, false, d, s)
}

// sseMem is sse with a source in memory.
func (a *assembler) sseMem(code byte, t Type, d uint8, m mem) {
	a.memory(opcode{scalar(t), 0x0f, code}, false, d, m, false)
}

// movFloat copies a whole register.
func (a *assembler) movFloat(d, s uint8) {
	if d != s {
		a.regs(opcode{0, 0x0f, 0x28}, false, d, s)
	}
}

// ucomi compares floats: above, below, equal, or parity if one is a NaN.
func (a *assembler) ucomi(t Type, x, y uint8) {
	if t == Float32 {
		a.regs(opcode{0, 0x0f, 0x2e}, false, x, y)
		return
	}
	a.regs(opcode{0x66, 0x0f, 0x2e}, false, x, y)
}

func (a *assembler) xorps(d, s uint8) { a.regs(opcode{0, 0x0f, 0x57}, false, d, s) }
func (a *assembler) andps(d, s uint8) { a.regs(opcode{0, 0x0f, 0x54}, false, d, s) }
func (a *assembler) orps(d, s uint8)  { a.regs(opcode{0, 0x0f, 0x56}, false, d, s) }

// round encodes ROUNDSD or ROUNDSS with a mode.
func (a *assembler) round(t Type, d, s, mode uint8) {
	code := byte(0x0b)
	if t == Float32 {
		code = 0x0a
	}
	a.regs(opcode{0x66, 0x3a, code}, false, d, s)
	a.b = append(a.b, mode)
}

// toFloat converts an integer of 64 bits to a float. toInt truncates a float to an integer of 64 or
// 32 bits.
func (a *assembler) toFloat(t Type, d, s uint8) { a.regs(opcode{scalar(t), 0x0f, 0x2a}, true, d, s) }
func (a *assembler) toInt(t Type, wide bool, d, s uint8) {
	a.regs(opcode{scalar(t), 0x0f, 0x2c}, wide, d, s)
}

// otherFloat converts a float of type t to the other float type.
func (a *assembler) otherFloat(t Type, d, s uint8) {
	a.regs(opcode{scalar(t), 0x0f, 0x5a}, false, d, s)
}

// floatBits sets an integer register to the bits of a float register. fromBits sets a float
// register to the bits of an integer register.
func (a *assembler) floatBits(d, s uint8) { a.regs(opcode{0x66, 0x0f, 0x7e}, true, s, d) }
func (a *assembler) fromBits(d, s uint8)  { a.regs(opcode{0x66, 0x0f, 0x6e}, true, d, s) }
