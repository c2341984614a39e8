package jit

import (
	"math"

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
		if !ok || t.Float() || t == native.Pointer {
			return false
		}
		l.extreme(in, name == "min", t)
		return true
	}
	return false
}

// extreme lowers min or max of integers.
func (l *lowering) extreme(in *ssa.Call, least bool, t native.Type) {
	cond := native.Greater
	if least {
		cond = native.Less
	}
	x := l.reg(in.Call.Args[0])
	for _, arg := range in.Call.Args[1:] {
		y := l.reg(arg)
		next := l.f.Var(native.Var{Type: t})
		l.emit(native.Instr{Op: native.Pick, Type: t, Cond: cond, D: next, X: x, Y: y})
		x = next
	}
	l.emit(native.Instr{Op: native.Move, D: l.set(in)[0], X: x})
}

// rounding has the modes of ROUNDSD; bit 3 suppresses the flag for inexact results.
var rounding = map[string]int64{"RoundToEven": 8, "Floor": 9, "Ceil": 10, "Trunc": 11}

// mathCall lowers a call of a function of package math that corresponds to a machine instruction.
func (l *lowering) mathCall(in *ssa.Call, name string) bool {
	sig := in.Call.Signature()
	if sig.Recv() != nil || sig.Params().Len() != 1 {
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
