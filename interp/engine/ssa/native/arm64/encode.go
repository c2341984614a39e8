// Package arm64 encodes instructions of arm64 processors, on any platform. It uses the names and
// the operand order of the architecture's manual: the result comes first.
package arm64

import (
	"encoding/binary"
	"errors"
	"math/bits"
)

// Registers with special meanings. ZR reads as 0.
const (
	LR uint8 = 30
	ZR uint8 = 31
)

// Label is a position in the code.
type Label int

// Assembler encodes instructions.
type Assembler struct {
	Code   []byte
	labels []int // positions of the labels; -1 before they are set
	jumps  []jump
}

type jump struct {
	at    int // position of the instruction
	to    Label
	width uint // width of the offset, in bits
	shift uint // first bit of the offset
}

// NewLabel returns a new label.
func (a *Assembler) NewLabel() Label {
	a.labels = append(a.labels, -1)
	return Label(len(a.labels) - 1)
}

// Set sets a label to the current position.
func (a *Assembler) Set(l Label) { a.labels[l] = len(a.Code) }

// Place returns the position of a label.
func (a *Assembler) Place(l Label) int { return a.labels[l] }

// ErrFar means that a jump does not reach its label.
var ErrFar = errors.New("a jump is too far")

// Link fills in the offsets of jumps.
func (a *Assembler) Link() error {
	for _, j := range a.jumps {
		words := (a.labels[j.to] - j.at) / 4
		if most := 1 << (j.width - 1); words < -most || words >= most {
			return ErrFar
		}
		at := a.Code[j.at:]
		binary.LittleEndian.PutUint32(at, binary.LittleEndian.Uint32(at)|uint32(words)&(1<<j.width-1)<<j.shift)
	}
	return nil
}

func (a *Assembler) word(w uint32) { a.Code = binary.LittleEndian.AppendUint32(a.Code, w) }

func (a *Assembler) jump(w uint32, to Label, width, shift uint) {
	a.jumps = append(a.jumps, jump{len(a.Code), to, width, shift})
	a.word(w)
}

// Three is an instruction with a result and two operands in registers.
type Three uint32

// Operations on integers of 64 bits. BIC and ORN are AND and ORR with the bits of the second
// operand inverted.
const (
	ADD  Three = 0x8b000000
	ADDS Three = 0xab000000
	SUB  Three = 0xcb000000
	SUBS Three = 0xeb000000
	AND  Three = 0x8a000000
	BIC  Three = 0x8a200000
	ORR  Three = 0xaa000000
	ORN  Three = 0xaa200000
	EOR  Three = 0xca000000

	LSLV Three = 0x9ac02000
	LSRV Three = 0x9ac02400
	ASRV Three = 0x9ac02800
	SDIV Three = 0x9ac00c00
	UDIV Three = 0x9ac00800
	MUL  Three = 0x9b007c00
)

// Operations on Float64.
const (
	FADD Three = 0x1e602800
	FSUB Three = 0x1e603800
	FMUL Three = 0x1e600800
	FDIV Three = 0x1e601800
	FMAX Three = 0x1e604800
	FMIN Three = 0x1e605800
)

// Single returns the operation on Float32 that corresponds to one on Float64.
func (o Three) Single() Three { return o &^ 0x400000 }

// Three encodes d = n op m.
func (a *Assembler) Three(o Three, d, n, m uint8) {
	a.word(uint32(o) | uint32(m)<<16 | uint32(n)<<5 | uint32(d))
}

// Shift is the kind of shift that applies to the second operand of ADD to EOR.
type Shift uint32

// The shifts.
const (
	LSL Shift = iota
	LSR
	ASR
)

// Shifted encodes d = n op (m shifted by some bits).
func (a *Assembler) Shifted(o Three, d, n, m uint8, s Shift, by uint8) {
	a.word(uint32(o) | uint32(s)<<22 | uint32(m)<<16 | uint32(by)<<10 | uint32(n)<<5 | uint32(d))
}

// Compare encodes a comparison of integers: it sets the flags of n - m.
func (a *Assembler) Compare(n, m uint8) { a.Three(SUBS, ZR, n, m) }

// CompareFloat encodes a comparison of n and m as Float64 or Float32.
func (a *Assembler) CompareFloat(single bool, n, m uint8) {
	o := Three(0x1e602000)
	if single {
		o = o.Single()
	}
	a.Three(o, 0, n, m)
}

// MSUB encodes d = x - n*m.
func (a *Assembler) MSUB(d, n, m, x uint8) { a.Three(0x9b008000|Three(x)<<10, d, n, m) }

// Cond is a condition on the flags. Flipping the lowest bit negates the condition.
type Cond uint32

// The conditions. HS and LO, HI and LS are unsigned. If floats are unordered, EQ, MI, LS, GT and GE
// do not hold.
const (
	EQ Cond = iota
	NE
	HS
	LO
	MI
	PL
	VS
	VC
	HI
	LS
	GE
	LT
	GT
	LE
)

// Not returns the negation of c.
func (c Cond) Not() Cond { return c ^ 1 }

// CSEL encodes d = n if c holds, otherwise m.
func (a *Assembler) CSEL(d, n, m uint8, c Cond) { a.Three(0x9a800000|Three(c)<<12, d, n, m) }

// CSET encodes d = 1 if c holds, otherwise 0.
func (a *Assembler) CSET(d uint8, c Cond) { a.Three(0x9a800400|Three(c.Not())<<12, d, ZR, ZR) }

// Small is an instruction with a constant of 12 bits, which may be shifted by 12. Its register 31
// is the stack pointer, except as the result of ADDSImm and SUBSImm, where it discards the result.
type Small uint32

// Operations with such constants.
const (
	ADDImm  Small = 0x91000000
	ADDSImm Small = 0xb1000000
	SUBImm  Small = 0xd1000000
	SUBSImm Small = 0xf1000000
)

// Fits reports whether Small can encode the constant.
func Fits(v int64) bool { return v >= 0 && (v < 1<<12 || v < 1<<24 && v&0xfff == 0) }

// Small encodes d = n op v for a constant that fits.
func (a *Assembler) Small(o Small, d, n uint8, v int64) {
	shifted := uint32(0)
	if v >= 1<<12 {
		shifted, v = 1, v>>12
	}
	a.word(uint32(o) | shifted<<22 | uint32(v)<<10 | uint32(n)<<5 | uint32(d))
}

// Masked is an instruction with a bit mask constant.
type Masked uint32

// Operations with masks.
const (
	ANDImm Masked = 0x92000000
	ORRImm Masked = 0xb2000000
	EORImm Masked = 0xd2000000
)

// Mask encodes a bit mask constant. Such a constant consists of equal elements of 2, 4, 8, 16, 32
// or 64 bits; each element is a rotated run of ones.
func Mask(v uint64) (encoded uint32, ok bool) {
	if v == 0 || v == ^uint64(0) {
		return 0, false
	}
	size := 64
	for size > 2 && v == bits.RotateLeft64(v, size/2) {
		size /= 2
	}
	field := ^uint64(0) >> (64 - size)
	ones := bits.OnesCount64(v & field)
	for r := range size {
		// a run of ones, rotated right by r in its element
		row := uint64(1)<<ones - 1
		if (row>>r|row<<(size-r))&field == v&field {
			n := uint32(0)
			if size == 64 {
				n = 1
			}
			return n<<12 | uint32(r)<<6 | uint32(^(2*size-1))&0x3f | uint32(ones-1), true
		}
	}
	return 0, false
}

// Masked encodes d = n op mask, with a mask that Mask has encoded.
func (a *Assembler) Masked(o Masked, d, n uint8, encoded uint32) {
	a.word(uint32(o) | encoded<<10 | uint32(n)<<5 | uint32(d))
}

// Move encodes d = n.
func (a *Assembler) Move(d, n uint8) {
	if d != n {
		a.Three(ORR, d, ZR, n)
	}
}

// MoveImm encodes d = v, 16 bits at a time.
func (a *Assembler) MoveImm(d uint8, v int64) {
	if v == 0 {
		a.Move(d, ZR)
		return
	}
	zeros, ones := 0, 0
	for i := 0; i < 64; i += 16 {
		switch uint16(v >> i) {
		case 0:
			zeros++
		case 0xffff:
			ones++
		}
	}
	const movn, movz, movk = 0x92800000, 0xd2800000, 0xf2800000
	first, fill := uint32(movz), uint16(0)
	if ones > zeros {
		first, fill = movn, 0xffff
	}
	begun := false
	for i := range uint32(4) {
		part := uint16(v >> (16 * i))
		switch {
		case begun && part != fill:
			a.word(movk | i<<21 | uint32(part)<<5 | uint32(d))
		case part != fill || v == -1 && !begun:
			a.word(first | i<<21 | uint32(part^fill)<<5 | uint32(d))
			begun = true
		}
	}
}

// ShiftImm encodes d = n shifted by 0 to 63 bits.
func (a *Assembler) ShiftImm(s Shift, d, n, by uint8) {
	switch s {
	case LSL:
		a.field(0xd3400000, d, n, (64-by)&63, 63-by)
	case LSR:
		a.field(0xd3400000, d, n, by, 63)
	case ASR:
		a.field(0x93400000, d, n, by, 63)
	}
}

// Extend encodes d = the lowest 8, 16 or 32 bits of n, sign-extended or zero-extended.
func (a *Assembler) Extend(signed bool, d, n uint8, width int) {
	o := uint32(0xd3400000)
	if signed {
		o = 0x93400000
	}
	a.field(o, d, n, 0, uint8(width-1))
}

func (a *Assembler) field(o uint32, d, n, r, s uint8) {
	a.word(o | uint32(r)<<16 | uint32(s)<<10 | uint32(n)<<5 | uint32(d))
}

// Transfer is a load or a store.
type Transfer uint32

// Loads extend to 64 bits. An S in the name means that the load sign-extends; an F means that it
// loads floats.
const (
	STRB Transfer = 0x39000000
	STRH Transfer = 0x79000000
	STRW Transfer = 0xb9000000
	STR  Transfer = 0xf9000000

	LDRB  Transfer = 0x39400000
	LDRH  Transfer = 0x79400000
	LDRW  Transfer = 0xb9400000
	LDR   Transfer = 0xf9400000
	LDRSB Transfer = 0x39800000
	LDRSH Transfer = 0x79800000
	LDRSW Transfer = 0xb9800000

	STRF32 Transfer = 0xbd000000
	STRF64 Transfer = 0xfd000000
	LDRF32 Transfer = 0xbd400000
	LDRF64 Transfer = 0xfd400000
)

// Size returns the number of bytes that are transferred.
func (o Transfer) Size() int32 { return 1 << (o >> 30) }

// unscaled is the bit that distinguishes the forms with scaled constants.
const unscaled = 1 << 24

// Near reports whether an offset fits into the instruction.
func (o Transfer) Near(off int32) bool {
	return off >= -256 && off < 256 || off >= 0 && off%o.Size() == 0 && off/o.Size() < 1<<12
}

// Transfer encodes a load or a store of r at a near offset from a register.
func (a *Assembler) Transfer(o Transfer, r, base uint8, off int32) {
	if off >= 0 && off%o.Size() == 0 && off/o.Size() < 1<<12 {
		a.word(uint32(o) | uint32(off/o.Size())<<10 | uint32(base)<<5 | uint32(r))
		return
	}
	a.word(uint32(o&^unscaled) | uint32(off)&0x1ff<<12 | uint32(base)<<5 | uint32(r))
}

// Indexed encodes a load or a store at base + index, where the index may be scaled by the size.
func (a *Assembler) Indexed(o Transfer, r, base, index uint8, scaled bool) {
	w := uint32(o&^unscaled) | 1<<21 | uint32(index)<<16 | 3<<13 | 2<<10 | uint32(base)<<5 | uint32(r)
	if scaled {
		w |= 1 << 12
	}
	a.word(w)
}

// Push encodes a store of a word below the address in base, and makes base point to the word.
func (a *Assembler) Push(r, base uint8) {
	a.word(uint32(STR&^unscaled) | 0x1f8<<12 | 3<<10 | uint32(base)<<5 | uint32(r))
}

// Pop encodes the reverse of Push.
func (a *Assembler) Pop(r, base uint8) {
	a.word(uint32(LDR&^unscaled) | 8<<12 | 1<<10 | uint32(base)<<5 | uint32(r))
}

// Two is an instruction with a result and an operand in registers.
type Two uint32

// RBIT reverses the bits of an integer, and CLZ counts its leading zeros.
const (
	RBIT Two = 0xdac00000
	CLZ  Two = 0xdac01000
)

// Operations on Float64. FRINTN to FRINTZ round to even, up, down and to 0.
const (
	FMOV   Two = 0x1e604000
	FABS   Two = 0x1e60c000
	FNEG   Two = 0x1e614000
	FSQRT  Two = 0x1e61c000
	FRINTN Two = 0x1e644000
	FRINTP Two = 0x1e64c000
	FRINTM Two = 0x1e654000
	FRINTZ Two = 0x1e65c000
)

// Conversions between integers of 64 bits (W: 32 bits) and Float64.
const (
	SCVTF   Two = 0x9e620000
	UCVTF   Two = 0x9e630000
	FCVTZS  Two = 0x9e780000
	FCVTZSW Two = 0x1e780000
	FCVTZU  Two = 0x9e790000
)

// FCVTDS converts a Float32 to a Float64, and FCVTSD does the reverse. The other instructions move
// bits: Float64 to integer, integer to Float64, and the same for 32 bits.
const (
	FCVTDS Two = 0x1e22c000
	FCVTSD Two = 0x1e624000

	FMOVToInt    Two = 0x9e660000
	FMOVFromInt  Two = 0x9e670000
	FMOVToIntW   Two = 0x1e260000
	FMOVFromIntW Two = 0x1e270000
)

// Single returns the operation on Float32 that corresponds to one on Float64.
func (o Two) Single() Two { return o &^ 0x400000 }

// Two encodes d = op n.
func (a *Assembler) Two(o Two, d, n uint8) { a.word(uint32(o) | uint32(n)<<5 | uint32(d)) }

// B encodes a jump.
func (a *Assembler) B(to Label) { a.jump(0x14000000, to, 26, 0) }

// BL encodes a call.
func (a *Assembler) BL(to Label) { a.jump(0x94000000, to, 26, 0) }

// BCond encodes a jump if a condition holds.
func (a *Assembler) BCond(c Cond, to Label) { a.jump(0x54000000|uint32(c), to, 19, 5) }

// CBZ encodes a jump if a register is 0.
func (a *Assembler) CBZ(r uint8, to Label) { a.jump(0xb4000000|uint32(r), to, 19, 5) }

// ADR encodes d = the address of a label.
func (a *Assembler) ADR(d uint8, to Label) { a.jump(0x10000000|uint32(d), to, 19, 5) }

// RET encodes a return.
func (a *Assembler) RET() { a.word(0xd65f03c0) }

// BR encodes a jump to the address in a register.
func (a *Assembler) BR(r uint8) { a.word(0xd61f0000 | uint32(r)<<5) }

// BLR encodes a call of the code at the address in a register.
func (a *Assembler) BLR(r uint8) { a.word(0xd63f0000 | uint32(r)<<5) }

// ISB encodes an instruction barrier.
func (a *Assembler) ISB() { a.word(0xd5033fdf) }
