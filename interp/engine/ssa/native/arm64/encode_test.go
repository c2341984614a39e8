package arm64

import (
	"fmt"
	"testing"

	"github.com/gokernel/gokernel/interp/engine/ssa/native/asmtest"
)

type adder func(make func(a *Assembler), format string, args ...any)

// The encoder must emit the same bytes as the toolchain's assembler.
func TestEncodings(t *testing.T) {
	var all []asmtest.Encoding
	add := func(make func(a *Assembler), format string, args ...any) {
		var a Assembler
		make(&a)
		if err := a.Link(); err != nil {
			t.Fatal(err)
		}
		all = append(all, asmtest.Encoding{Text: fmt.Sprintf(format, args...), Code: a.Code})
	}
	for _, d := range []uint8{0, 7, 16, 27} {
		for _, n := range []uint8{1, 15, 26} {
			for _, m := range []uint8{2, 19, 30} {
				integers(add, d, n, m)
				floats(add, d, n, m)
			}
			constants(add, d, n)
			conversions(add, d, n)
			transfers(add, d, n)
		}
		numbers(add, d)
	}
	jumps(add)
	asmtest.Compare(t, "arm64", all)
}

var conditions = map[Cond]string{EQ: "EQ", NE: "NE", HS: "HS", LO: "LO", MI: "MI", PL: "PL", VS: "VS", VC: "VC", HI: "HI", LS: "LS", GE: "GE", LT: "LT", GT: "GT", LE: "LE"}

func integers(add adder, d, n, m uint8) {
	shifted := map[Three]string{ADD: "ADD", ADDS: "ADDS", SUB: "SUB", SUBS: "SUBS", AND: "AND", BIC: "BIC", ORR: "ORR", ORN: "ORN", EOR: "EOR"}
	for o, name := range shifted {
		add(func(a *Assembler) { a.Three(o, d, n, m) }, "%s R%d, R%d, R%d", name, m, n, d)
		for s, sign := range map[Shift]string{LSL: "<<", LSR: ">>", ASR: "->"} {
			add(func(a *Assembler) { a.Shifted(o, d, n, m, s, 13) }, "%s R%d%s13, R%d, R%d", name, m, sign, n, d)
		}
	}
	for o, name := range map[Three]string{LSLV: "LSL", LSRV: "LSR", ASRV: "ASR", SDIV: "SDIV", UDIV: "UDIV", MUL: "MUL"} {
		add(func(a *Assembler) { a.Three(o, d, n, m) }, "%s R%d, R%d, R%d", name, m, n, d)
	}
	add(func(a *Assembler) { a.Compare(n, m) }, "CMP R%d, R%d", m, n)
	add(func(a *Assembler) { a.MSUB(d, n, m, 5) }, "MSUB R%d, R5, R%d, R%d", m, n, d)
	for c, name := range conditions {
		add(func(a *Assembler) { a.CSEL(d, n, m, c) }, "CSEL %s, R%d, R%d, R%d", name, n, m, d)
	}
}

func constants(add adder, d, n uint8) {
	for o, name := range map[Small]string{ADDImm: "ADD", ADDSImm: "ADDS", SUBImm: "SUB", SUBSImm: "SUBS"} {
		for _, v := range []int64{1, 8, 4095, 4096, 0xabc000} {
			add(func(a *Assembler) { a.Small(o, d, n, v) }, "%s $%d, R%d, R%d", name, v, n, d)
		}
	}
	for _, v := range []int64{0, 64, 4095} {
		add(func(a *Assembler) { a.Small(SUBSImm, ZR, n, v) }, "CMP $%d, R%d", v, n)
		add(func(a *Assembler) { a.Small(ADDSImm, ZR, n, v) }, "CMN $%d, R%d", v, n)
	}
	for o, name := range map[Masked]string{ANDImm: "AND", ORRImm: "ORR", EORImm: "EOR"} {
		for _, v := range []uint64{1, 7, 0xff, 0xf0, 1 << 63, 1<<63 - 1, 0x8000000000000001, 0x00ff00ff00ff00ff, 0x5555555555555555, 0xfffffffffffffff8, 0xe1e1e1e1e1e1e1e1} {
			encoded, ok := Mask(v)
			if !ok {
				panic(fmt.Sprintf("%#x is a mask", v))
			}
			add(func(a *Assembler) { a.Masked(o, d, n, encoded) }, "%s $%#x, R%d, R%d", name, v, n, d)
		}
	}
	add(func(a *Assembler) { a.Move(d, n) }, "MOVD R%d, R%d", n, d)
	for s, name := range map[Shift]string{LSL: "LSL", LSR: "LSR", ASR: "ASR"} {
		for _, by := range []uint8{1, 31, 32, 63} {
			add(func(a *Assembler) { a.ShiftImm(s, d, n, by) }, "%s $%d, R%d, R%d", name, by, n, d)
		}
	}
	for _, width := range []int{8, 16, 32} {
		add(func(a *Assembler) { a.Extend(true, d, n, width) }, "SBFX $0, R%d, $%d, R%d", n, width, d)
		add(func(a *Assembler) { a.Extend(false, d, n, width) }, "UBFX $0, R%d, $%d, R%d", n, width, d)
	}
	add(func(a *Assembler) { a.Push(d, n) }, "MOVD.W R%d, -8(R%d)", d, n)
	add(func(a *Assembler) { a.Pop(d, n) }, "MOVD.P 8(R%d), R%d", n, d)
}

func numbers(add adder, d uint8) {
	for v, text := range map[int64]string{
		0: "MOVD $0, R%d", 77: "MOVZ $77, R%d", -1: "MOVD $-1, R%d", -78: "MOVN $77, R%d", 5 << 48: "MOVZ $(5<<48), R%d",
		0x12340000abcd: "MOVZ $0xabcd, R%d; MOVK $(0x1234<<32), R%[1]d", -0xedcc0001: "MOVN $(0xedcc<<16), R%d",
		0x123456789abcdef0: "MOVZ $0xdef0, R%d; MOVK $(0x9abc<<16), R%[1]d; MOVK $(0x5678<<32), R%[1]d; MOVK $(0x1234<<48), R%[1]d",
		-0x5432edcc0001:    "MOVN $(0xedcc<<16), R%d; MOVK $(0xabcd<<32), R%[1]d",
	} {
		add(func(a *Assembler) { a.MoveImm(d, v) }, text, d)
	}
	for c, name := range conditions {
		add(func(a *Assembler) { a.CSET(d, c) }, "CSET %s, R%d", name, d)
	}
}

func floats(add adder, d, n, m uint8) {
	for o, name := range map[Three]string{FADD: "FADD", FSUB: "FSUB", FMUL: "FMUL", FDIV: "FDIV", FMIN: "FMIN", FMAX: "FMAX"} {
		add(func(a *Assembler) { a.Three(o, d, n, m) }, "%sD F%d, F%d, F%d", name, m, n, d)
		add(func(a *Assembler) { a.Three(o.Single(), d, n, m) }, "%sS F%d, F%d, F%d", name, m, n, d)
	}
	add(func(a *Assembler) { a.CompareFloat(false, n, m) }, "FCMPD F%d, F%d", m, n)
	add(func(a *Assembler) { a.CompareFloat(true, n, m) }, "FCMPS F%d, F%d", m, n)
}

func conversions(add adder, d, n uint8) {
	for o, name := range map[Two]string{
		FMOV: "FMOV", FABS: "FABS", FNEG: "FNEG", FSQRT: "FSQRT", FRINTN: "FRINTN", FRINTP: "FRINTP", FRINTM: "FRINTM", FRINTZ: "FRINTZ",
	} {
		add(func(a *Assembler) { a.Two(o, d, n) }, "%sD F%d, F%d", name, n, d)
		add(func(a *Assembler) { a.Two(o.Single(), d, n) }, "%sS F%d, F%d", name, n, d)
	}
	for o, name := range map[Two]string{SCVTF: "SCVTF", UCVTF: "UCVTF"} {
		add(func(a *Assembler) { a.Two(o, d, n) }, "%sD R%d, F%d", name, n, d)
		add(func(a *Assembler) { a.Two(o.Single(), d, n) }, "%sS R%d, F%d", name, n, d)
	}
	for o, name := range map[Two]string{FCVTZS: "FCVTZS%s", FCVTZSW: "FCVTZS%sW", FCVTZU: "FCVTZU%s"} {
		add(func(a *Assembler) { a.Two(o, d, n) }, fmt.Sprintf(name, "D")+" F%d, R%d", n, d)
		add(func(a *Assembler) { a.Two(o.Single(), d, n) }, fmt.Sprintf(name, "S")+" F%d, R%d", n, d)
	}
	for o, name := range map[Two]string{RBIT: "RBIT", CLZ: "CLZ"} {
		add(func(a *Assembler) { a.Two(o, d, n) }, "%s R%d, R%d", name, n, d)
	}
	add(func(a *Assembler) { a.Two(FCVTDS, d, n) }, "FCVTSD F%d, F%d", n, d)
	add(func(a *Assembler) { a.Two(FCVTSD, d, n) }, "FCVTDS F%d, F%d", n, d)
	add(func(a *Assembler) { a.Two(FMOVToInt, d, n) }, "FMOVD F%d, R%d", n, d)
	add(func(a *Assembler) { a.Two(FMOVFromInt, d, n) }, "FMOVD R%d, F%d", n, d)
	add(func(a *Assembler) { a.Two(FMOVToIntW, d, n) }, "FMOVS F%d, R%d", n, d)
	add(func(a *Assembler) { a.Two(FMOVFromIntW, d, n) }, "FMOVS R%d, F%d", n, d)
}

func transfers(add adder, r, base uint8) {
	type named struct {
		name  string
		store bool
		class string
	}
	for o, x := range map[Transfer]named{
		STRB: {"MOVB", true, "R"}, STRH: {"MOVH", true, "R"}, STRW: {"MOVW", true, "R"}, STR: {"MOVD", true, "R"},
		LDRB: {"MOVBU", false, "R"}, LDRH: {"MOVHU", false, "R"}, LDRW: {"MOVWU", false, "R"}, LDR: {"MOVD", false, "R"},
		LDRSB: {"MOVB", false, "R"}, LDRSH: {"MOVH", false, "R"}, LDRSW: {"MOVW", false, "R"},
		STRF32: {"FMOVS", true, "F"}, STRF64: {"FMOVD", true, "F"}, LDRF32: {"FMOVS", false, "F"}, LDRF64: {"FMOVD", false, "F"},
	} {
		write := func(make func(a *Assembler), format string, args ...any) {
			at, reg := fmt.Sprintf(format, args...), fmt.Sprintf("%s%d", x.class, r)
			if x.store {
				add(make, "%s %s, %s", x.name, reg, at)
				return
			}
			add(make, "%s %s, %s", x.name, at, reg)
		}
		for _, off := range []int32{0, -1, -256, 3, 255, o.Size(), 100 * o.Size(), 4095 * o.Size()} {
			if !o.Near(off) {
				panic(fmt.Sprintf("%d is near", off))
			}
			write(func(a *Assembler) { a.Transfer(o, r, base, off) }, "%d(R%d)", off, base)
		}
		write(func(a *Assembler) { a.Indexed(o, r, base, 9, false) }, "(R%d)(R9)", base)
		if shift := map[int32]int{2: 1, 4: 2, 8: 3}[o.Size()]; shift > 0 {
			write(func(a *Assembler) { a.Indexed(o, r, base, 9, true) }, "(R%d)(R9<<%d)", base, shift)
		}
	}
}

// jumps are jump instructions, each with one word between it and its target.
func jumps(add adder) {
	over := func(jump func(a *Assembler, to Label)) func(a *Assembler) {
		return func(a *Assembler) {
			to := a.NewLabel()
			jump(a, to)
			a.word(7)
			a.Set(to)
			a.word(8)
		}
	}
	back := func(jump func(a *Assembler, to Label)) func(a *Assembler) {
		return func(a *Assembler) {
			to := a.NewLabel()
			a.Set(to)
			a.word(7)
			jump(a, to)
		}
	}
	both := func(jump func(a *Assembler, to Label), name string) {
		add(over(jump), "%s 2(PC); WORD $7; WORD $8", name)
		add(back(jump), "WORD $7; %s -1(PC)", name)
	}
	for c, name := range conditions {
		both(func(a *Assembler, to Label) { a.BCond(c, to) }, "B"+name)
	}
	both(func(a *Assembler, to Label) { a.CBZ(5, to) }, "CBZ R5,")
	add(over(func(a *Assembler, to Label) { a.ADR(5, to) }), "ADR over, R5; WORD $7; over: WORD $8")
	add(back(func(a *Assembler, to Label) { a.ADR(5, to) }), "back: WORD $7; ADR back, R5")
	both(func(a *Assembler, to Label) { a.B(to) }, "B")
	both(func(a *Assembler, to Label) { a.BL(to) }, "BL")
	add(func(a *Assembler) { a.RET(); a.word(9) }, "RET; WORD $9")
	add(func(a *Assembler) { a.BR(17); a.ISB() }, "JMP (R17); ISB $15")
	add(func(a *Assembler) { a.BLR(3) }, "CALL (R3)")
}

// A jump that does not reach its label causes an error.
func TestFar(t *testing.T) {
	var a Assembler
	to := a.NewLabel()
	a.BCond(EQ, to)
	a.Code = append(a.Code, make([]byte, 1<<20-8)...)
	a.Set(to)
	if err := a.Link(); err != nil {
		t.Error(err)
	}
	a.Code = append(a.Code, 0, 0, 0, 0)
	a.Set(to)
	if err := a.Link(); err != ErrFar {
		t.Errorf("error is %v", err)
	}
}

// Mask accepts exactly the bit mask constants.
func TestMask(t *testing.T) {
	masks := map[uint64]bool{}
	for size := 2; size <= 64; size *= 2 {
		for ones := 1; ones < size; ones++ {
			for r := range size {
				row := uint64(1)<<ones - 1
				field := (row>>r | row<<(size-r)) & (^uint64(0) >> (64 - size))
				for at := size; at < 64; at *= 2 {
					field |= field << at
				}
				masks[field] = true
			}
		}
	}
	if len(masks) != 5334 {
		t.Errorf("there are %d masks", len(masks))
	}
	seen := map[uint32]bool{}
	for m := range masks {
		encoded, ok := Mask(m)
		if !ok || seen[encoded] {
			t.Errorf("%#x: %#x, %t", m, encoded, ok)
		}
		seen[encoded] = true
		for _, other := range []uint64{m + 2, m ^ 0x10100, m * 5} {
			if _, ok := Mask(other); ok != masks[other] {
				t.Errorf("%#x: %t", other, ok)
			}
		}
	}
}
