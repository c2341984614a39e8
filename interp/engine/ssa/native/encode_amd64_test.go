//go:build linux

package native

import (
	"fmt"
	"testing"

	"github.com/gokernel/gokernel/interp/engine/ssa/native/asmtest"
)

// names are the registers' names in the toolchain's assembler.
var names = []string{"AX", "CX", "DX", "BX", "SP", "BP", "SI", "DI", "R8", "R9", "R10", "R11", "R12", "R13", "R14", "R15"}

func text(m mem) string {
	s := fmt.Sprintf("%d(%s)", m.disp, names[m.base])
	if m.index != noReg {
		s += fmt.Sprintf("(%s*%d)", names[m.index], m.scale)
	}
	return s
}

// encodings returns all instructions that the compiler uses, with operands that need each form of
// prefix and address.
func encodings() []asmtest.Encoding {
	var all []asmtest.Encoding
	add := func(make func(a *assembler), format string, args ...any) {
		var a assembler
		make(&a)
		all = append(all, asmtest.Encoding{Text: fmt.Sprintf(format, args...), Code: a.b})
	}
	some := []uint8{rax, rbx, rsp, rbp, rsi, r8, r12, r13, r15}
	mems := []mem{
		at(rdi, 0), at(rdi, -8), at(rdi, -4096), at(rsp, 16), at(rbp, 0), at(r12, 0), at(r13, 0), at(r14, 400),
		{rbx, rcx, 8, 0}, {rbp, r9, 4, 0}, {r13, rdx, 2, 127}, {r12, r12, 1, 128}, {rcx, rdx, 1, -128},
	}
	for _, d := range some {
		for _, s := range some {
			integers(add, d, s)
		}
		constants(add, d)
	}
	for _, m := range mems {
		for _, r := range []uint8{rax, rbp, rsi, r9} {
			memories(add, r, m)
		}
	}
	for _, d := range []uint8{0, 7, 8, 15} {
		for _, s := range []uint8{1, 6, 9, 14} {
			floats(add, d, s)
		}
	}
	return all
}

type adder func(make func(a *assembler), format string, args ...any)

func integers(add adder, d, s uint8) {
	n, m := names[d], names[s]
	for code, name := range map[byte]string{aluAdd: "ADDQ", aluOr: "ORQ", aluAnd: "ANDQ", aluSub: "SUBQ", aluXor: "XORQ"} {
		add(func(a *assembler) { a.alu(code, d, s) }, "%s %s, %s", name, m, n)
	}
	add(func(a *assembler) { a.alu(aluCmp, d, s) }, "CMPQ %s, %s", n, m)
	add(func(a *assembler) { a.moveIf(ccLess, d, s) }, "CMOVQLT %s, %s", m, n)
	add(func(a *assembler) { a.moveIf(ccAbove, d, s) }, "CMOVQHI %s, %s", m, n)
	add(func(a *assembler) { a.test(d, s) }, "TESTQ %s, %s", m, n)
	add(func(a *assembler) { a.imul(d, s) }, "IMULQ %s, %s", m, n)
	add(func(a *assembler) { a.ones(d, s) }, "POPCNTQ %s, %s", m, n)
	add(func(a *assembler) { a.lowest(d, s) }, "BSFQ %s, %s", m, n)
	add(func(a *assembler) { a.highest(d, s) }, "BSRQ %s, %s", m, n)
	if d != s {
		add(func(a *assembler) { a.mov(d, s) }, "MOVQ %s, %s", m, n)
	}
	if s == rsp || d == rsp {
		return
	}
	for t, name := range map[Type]string{Int8: "MOVBQSX", Int16: "MOVWQSX", Int32: "MOVLQSX", Uint8: "MOVBLZX", Uint16: "MOVWLZX", Uint32: "MOVL"} {
		add(func(a *assembler) { a.extend(t, d, s) }, "%s %s, %s", name, m, n)
	}
}

func constants(add adder, d uint8) {
	n := names[d]
	for _, v := range []int32{1, -1, 127, -128, 128, 1 << 20} {
		for code, name := range map[byte]string{aluAdd: "ADDQ", aluOr: "ORQ", aluAnd: "ANDQ", aluSub: "SUBQ", aluXor: "XORQ"} {
			add(func(a *assembler) { a.aluImm(code, d, v) }, "%s $%d, %s", name, v, n)
		}
		add(func(a *assembler) { a.aluImm(aluCmp, d, v) }, "CMPQ %s, $%d", n, v)
		add(func(a *assembler) { a.imulImm(d, rsi, v) }, "IMUL3Q $%d, SI, %s", v, n)
	}
	for _, v := range []int64{1, -1, 1 << 20, 1 << 31, 1<<32 - 1, 1 << 32, -1 << 31, -1<<31 - 1, -1 << 63} {
		name := "MOVQ"
		if v > 0 && v < 1<<31 {
			name = "MOVL"
		}
		add(func(a *assembler) { a.movImm(d, v) }, "%s $%d, %s", name, v, n)
	}
	for kind, name := range map[uint8]string{shl: "SHLQ", shr: "SHRQ", sar: "SARQ"} {
		add(func(a *assembler) { a.shiftImm(kind, d, 1) }, "%s $1, %s", name, n)
		add(func(a *assembler) { a.shiftImm(kind, d, 63) }, "%s $63, %s", name, n)
		add(func(a *assembler) { a.shift(kind, d) }, "%s CX, %s", name, n)
	}
	add(func(a *assembler) { a.setCarry() }, "STC")
	add(func(a *assembler) { a.neg(d) }, "NEGQ %s", n)
	add(func(a *assembler) { a.not(d) }, "NOTQ %s", n)
	add(func(a *assembler) { a.borrow(d) }, "SBBQ %s, %s", n, n)
	add(func(a *assembler) { a.divide(true, d) }, "CQO; IDIVQ %s", n)
	add(func(a *assembler) { a.divide(false, d) }, "MOVL $0, DX; DIVQ %s", n)
	for cc, name := range map[byte]string{ccBelow: "SETCS", ccNotBelow: "SETCC", ccEqual: "SETEQ", ccNotEqual: "SETNE", ccNotAbove: "SETLS", ccAbove: "SETHI",
		ccParity: "SETPS", ccNoParity: "SETPC", ccLess: "SETLT", ccNotLess: "SETGE", ccNotMore: "SETLE", ccMore: "SETGT"} {
		if d != rsp {
			add(func(a *assembler) { a.setcc(cc, d) }, "%s %s", name, n)
		}
	}
}

func memories(add adder, r uint8, m mem) {
	n, at := names[r], text(m)
	for t, name := range map[Type]string{Int8: "MOVBQSX", Int16: "MOVWQSX", Int32: "MOVLQSX", Int64: "MOVQ", Uint8: "MOVBLZX", Uint16: "MOVWLZX", Uint32: "MOVL"} {
		add(func(a *assembler) { a.load(t, r, m) }, "%s %s, %s", name, at, n)
	}
	for t, name := range map[Type]string{Int8: "MOVB", Int16: "MOVW", Int32: "MOVL", Int64: "MOVQ"} {
		add(func(a *assembler) { a.store(t, r, m) }, "%s %s, %s", name, n, at)
		add(func(a *assembler) { a.storeImm(t, 77, m) }, "%s $77, %s", name, at)
	}
	for t, name := range map[Type]string{Float32: "MOVSS", Float64: "MOVSD"} {
		add(func(a *assembler) { a.load(t, r, m) }, "%s %s, X%d", name, at, r)
		add(func(a *assembler) { a.store(t, r, m) }, "%s X%d, %s", name, r, at)
		add(func(a *assembler) { a.sseMem(sseMin, t, r, m) }, "MIN%s %s, X%d", name[3:], at, r)
	}
	add(func(a *assembler) { a.lea(r, m) }, "LEAQ %s, %s", at, n)
	add(func(a *assembler) { a.aluMem(aluCmp, r, m) }, "CMPQ %s, %s", n, at)
}

func floats(add adder, d, s uint8) {
	for t, suffix := range map[Type]string{Float32: "SS", Float64: "SD"} {
		for code, name := range map[byte]string{sseSqrt: "SQRT", sseAdd: "ADD", sseMul: "MUL", sseSub: "SUB", sseDiv: "DIV", sseMin: "MIN"} {
			add(func(a *assembler) { a.sse(code, t, d, s) }, "%s%s X%d, X%d", name, suffix, s, d)
		}
		add(func(a *assembler) { a.ucomi(t, d, s) }, "UCOMI%s X%d, X%d", suffix, s, d)
		add(func(a *assembler) { a.round(t, d, s, 9) }, "ROUND%s $9, X%d, X%d", suffix, s, d)
		add(func(a *assembler) { a.toFloat(t, d, s) }, "CVTSQ2%s %s, X%d", suffix, names[s], d)
		add(func(a *assembler) { a.toInt(t, true, d, s) }, "CVTT%s2SQ X%d, %s", suffix, s, names[d])
		add(func(a *assembler) { a.toInt(t, false, d, s) }, "CVTT%s2SL X%d, %s", suffix, s, names[d])
	}
	add(func(a *assembler) { a.otherFloat(Float32, d, s) }, "CVTSS2SD X%d, X%d", s, d)
	add(func(a *assembler) { a.otherFloat(Float64, d, s) }, "CVTSD2SS X%d, X%d", s, d)
	add(func(a *assembler) { a.movFloat(d, s) }, "MOVAPS X%d, X%d", s, d)
	add(func(a *assembler) { a.xorps(d, s) }, "XORPS X%d, X%d", s, d)
	add(func(a *assembler) { a.andps(d, s) }, "ANDPS X%d, X%d", s, d)
	add(func(a *assembler) { a.orps(d, s) }, "ORPS X%d, X%d", s, d)
	add(func(a *assembler) { a.floatBits(d, s) }, "MOVQ X%d, %s", s, names[d])
	add(func(a *assembler) { a.fromBits(d, s) }, "MOVQ %s, X%d", names[s], d)
}

// The encoder must emit the same bytes as the toolchain's assembler.
func TestEncodings(t *testing.T) { asmtest.Compare(t, "amd64", encodings()) }
