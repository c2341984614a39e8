package jit

import (
	"math"
	"runtime"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/gokernel/gokernel/interp/engine/ssa/compile"
	"github.com/gokernel/gokernel/interp/engine/ssa/layout"
	"github.com/gokernel/gokernel/interp/engine/ssa/native"
)

// builtin lowers a call of len, cap, min or max.
func (l *lowering) builtin(in *ssa.Call, name string) bool {
	args := in.Call.Args
	switch name {
	case "append":
		if l.nested != nil {
			return l.nestedAppend(in)
		}
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
		if !ok || t == native.Pointer {
			return false
		}
		l.extreme(in, name == "min", t)
		return true
	}
	return false
}

// extreme lowers min or max of numbers.
func (l *lowering) extreme(in *ssa.Call, least bool, t native.Type) {
	cond := native.Greater
	if least {
		cond = native.Less
	}
	x := l.reg(in.Call.Args[0])
	for _, arg := range in.Call.Args[1:] {
		y := l.reg(arg)
		if t.Float() {
			x = l.extremeFloat(x, y, least, t)
		} else {
			x = l.temp(t, native.Instr{Op: native.Pick, Type: t, Cond: cond, X: x, Y: y})
		}
	}
	l.emit(native.Instr{Op: native.Move, D: l.set(in)[0], X: x})
}

// extremeFloat returns min(x, y) or max(x, y), with the bits that compiled Go computes.
func (l *lowering) extremeFloat(x, y native.Reg, least bool, t native.Type) native.Reg {
	op := func(o native.Op, x, y native.Reg) native.Reg {
		return l.temp(t, native.Instr{Op: o, Type: t, X: x, Y: y})
	}
	switch {
	case least:
		return op(native.FMin, x, y)
	case runtime.GOARCH == "amd64":
		return op(native.FNeg, op(native.FMin, op(native.FNeg, x, native.None), op(native.FNeg, y, native.None)), native.None)
	}
	return op(native.FMax, x, y)
}

// rounding has the modes of ROUNDSD; bit 3 suppresses the flag for inexact results.
var rounding = map[string]int64{"RoundToEven": 8, "Floor": 9, "Ceil": 10, "Trunc": 11}

// mathCall lowers a call of a function of package math that corresponds to a few machine
// instructions.
func (l *lowering) mathCall(in *ssa.Call, name string) bool {
	if name == "IsInf" {
		return l.isInf(in)
	}
	if in.Call.Signature().Params().Len() != 1 {
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
	switch name {
	case "IsNaN":
		x := l.reg(in.Call.Args[0])
		l.emit(native.Instr{Op: native.Set, Type: native.Float64, Cond: native.NotEqual, D: l.set(in)[0], X: x, Y: x})
		return true
	case "Signbit":
		all := l.temp(native.Uint64, native.Instr{Op: native.FBits, Type: native.Float64, To: native.Uint64, X: l.reg(in.Call.Args[0])})
		l.emit(native.Instr{Op: native.Shr, Type: native.Uint64, D: l.set(in)[0], X: all, Imm: 63})
		return true
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

// isInf lowers math.IsInf(x, k) for a constant k.
func (l *lowering) isInf(in *ssa.Call) bool {
	sign, ok := in.Call.Args[1].(*ssa.Const)
	if !ok {
		return false
	}
	x, of := l.reg(in.Call.Args[0]), math.Inf(1)
	switch {
	case compile.IsNegative(sign):
		of = math.Inf(-1)
	case sign.Int64() == 0:
		x = l.temp(native.Float64, native.Instr{Op: native.FAbs, Type: native.Float64, X: x})
	}
	y := l.constant(native.Float64, int64(math.Float64bits(of)))
	l.emit(native.Instr{Op: native.Set, Type: native.Float64, Cond: native.Equal, D: l.set(in)[0], X: x, Y: y})
	return true
}

// bitsCall lowers a call of a function of package math/bits: OnesCount, TrailingZeros,
// LeadingZeros, Len and RotateLeft, for all types.
func (l *lowering) bitsCall(in *ssa.Call, name string) bool {
	kind := strings.TrimRight(name, "0123456789")
	size, err := strconv.Atoi(name[len(kind):])
	if err != nil {
		size = 64 // a uint
	}
	const word = native.Uint64
	do := func(o native.Op, x, y native.Reg, imm int64) native.Reg {
		return l.temp(word, native.Instr{Op: o, Type: word, X: x, Y: y, Imm: imm})
	}
	var result native.Reg
	switch kind {
	case "OnesCount":
		result = l.ones(l.reg(in.Call.Args[0]), do)
	case "TrailingZeros":
		x := l.reg(in.Call.Args[0])
		if size < 64 { // of 0 there are size
			x = do(native.Or, x, native.None, 1<<size)
		}
		result = do(native.LowZeros, x, native.None, 0)
	case "Len", "LeadingZeros":
		if result = do(native.BitLen, l.reg(in.Call.Args[0]), native.None, 0); kind == "LeadingZeros" {
			result = do(native.Sub, l.constant(word, int64(size)), result, 0)
		}
	case "RotateLeft":
		x := l.reg(in.Call.Args[0])
		by := do(native.And, l.reg(in.Call.Args[1]), native.None, int64(size-1))
		rest := do(native.Sub, l.constant(word, int64(size)), by, 0)
		result = do(native.Or, do(native.Shl, x, by, 0), do(native.Shr, x, rest, 0), 0)
	default:
		return false
	}
	t, ok := l.scalarType(in.Type())
	if !ok {
		return false
	}
	l.emit(native.Instr{Op: native.Extend, Type: word, To: t, D: l.set(in)[0], X: result})
	return true
}

// ones returns the number of one bits of x. Without an instruction, it adds the bits of each pair,
// then the counts of each pair of pairs, then of each byte, and the counts of all bytes with a
// product.
func (l *lowering) ones(x native.Reg, do func(o native.Op, x, y native.Reg, imm int64) native.Reg) native.Reg {
	if native.CountsOnes() {
		return do(native.Ones, x, native.None, 0)
	}
	mask := func(x native.Reg, byteMask uint64) native.Reg {
		return do(native.And, x, l.constant(native.Uint64, int64(byteMask*(math.MaxUint64/255))), 0)
	}
	shift := func(x native.Reg, by int64) native.Reg { return do(native.Shr, x, native.None, by) }
	x = do(native.Sub, x, mask(shift(x, 1), 0x55), 0)
	x = do(native.Add, mask(x, 0x33), mask(shift(x, 2), 0x33), 0)
	x = mask(do(native.Add, x, shift(x, 4), 0), 0x0f)
	x = do(native.Mul, x, l.constant(native.Uint64, math.MaxUint64/255), 0)
	return shift(x, 56)
}
