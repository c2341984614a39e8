package jit

import (
	"go/token"
	"runtime"

	"github.com/gokernel/gokernel/interp/engine/ssa/compile"
	"github.com/gokernel/gokernel/interp/engine/ssa/layout"
	"github.com/gokernel/gokernel/interp/engine/ssa/native"
	"golang.org/x/tools/go/ssa"
)

// temp emits an instruction that sets a new register, and returns the register.
func (l *lowering) temp(t native.Type, in native.Instr) native.Reg {
	in.D = l.f.Var(native.Var{Type: t})
	l.emit(in)
	return in.D
}

// slice lowers x[lo:hi:max], where x is a slice, a string or a pointer to an array.
func (l *lowering) slice(in *ssa.Slice) bool {
	r := l.view.Rep(in.X.Type())
	if r != layout.Slice && r != layout.String && r != layout.Pointer || l.nested == nil && l.homes(in) == nil {
		return false
	}
	if data, n, ok := l.view.Table(in); ok {
		size := l.constant(native.Int64, int64(n))
		for i, from := range []native.Reg{l.pointer(data), size, size} {
			l.emit(native.Instr{Op: native.Move, D: l.set(in)[i], X: from})
		}
		return true
	}
	var words []native.Reg
	if r == layout.Pointer {
		m, ok := l.mem(in.X, in)
		if !ok {
			return false
		}
		n := l.constant(native.Int64, int64(l.view.Type(compile.Elem(in.X.Type())).Reflect().Len()))
		words = []native.Reg{l.temp(native.Pointer, native.Instr{Op: native.Address, Mem: m}), n, n}
		r = layout.Slice
	} else {
		words = l.words(in.X)
	}
	room, size := words[1], int64(1) // the capacity of a string is its length
	if r == layout.Slice {
		room, size = words[2], int64(l.view.Type(compile.Elem(in.Type())).Size())
	}
	bound := func(v ssa.Value, or native.Reg) native.Reg {
		if v != nil {
			return l.reg(v)
		}
		return or
	}
	next := func(x native.Reg) native.Reg {
		return l.temp(native.Int64, native.Instr{Op: native.Add, Type: native.Int64, X: x, Imm: 1})
	}
	high, most := bound(in.High, words[1]), bound(in.Max, room)
	low := bound(in.Low, native.None)
	if in.Max != nil {
		l.emit(native.Instr{Op: native.CheckBelow, X: most, Y: next(room), Exit: l.exit(in)})
	}
	if in.High != nil || in.Max != nil {
		l.emit(native.Instr{Op: native.CheckBelow, X: high, Y: next(most), Exit: l.exit(in)})
	}
	from := [3]native.Reg{words[0], high, most}
	if low != native.None {
		l.emit(native.Instr{Op: native.CheckBelow, X: low, Y: next(high), Exit: l.exit(in)})
		sub := func(x native.Reg) native.Reg {
			return l.temp(native.Int64, native.Instr{Op: native.Sub, Type: native.Int64, X: x, Y: low})
		}
		from[1] = sub(high)
		if from[2] = from[1]; r == layout.Slice {
			from[2] = sub(most)
		}
		// If the result is empty, the pointer stays inside the array.
		mask := l.temp(native.Int64, native.Instr{Op: native.Neg, Type: native.Int64, X: from[2]})
		mask = l.temp(native.Int64, native.Instr{Op: native.Shr, Type: native.Int64, X: mask, Imm: 63})
		by := l.temp(native.Int64, native.Instr{Op: native.And, Type: native.Int64, X: low, Y: mask})
		if size != 1 {
			by = l.temp(native.Int64, native.Instr{Op: native.Mul, Type: native.Int64, X: by, Imm: size})
		}
		from[0] = l.temp(native.Pointer, native.Instr{Op: native.Address, Mem: native.Mem{Base: words[0], Index: by, Scale: 1}})
	}
	var moves [][2]native.Reg
	for i, to := range l.set(in) {
		if to != from[i] {
			moves = append(moves, [2]native.Reg{to, from[i]})
		}
	}
	l.moveAll(moves)
	return true
}

// appendedValue returns v if an instruction is part of append(s, v) and the array that holds v has
// no other use.
func appendedValue(in ssa.Instruction) ssa.Value {
	var a *ssa.Alloc
	switch in := in.(type) {
	case *ssa.Alloc:
		a = in
	case *ssa.IndexAddr:
		a, _ = in.X.(*ssa.Alloc)
	case *ssa.Store:
		if at, ok := in.Addr.(*ssa.IndexAddr); ok {
			a, _ = at.X.(*ssa.Alloc)
		}
	case *ssa.Slice:
		a, _ = in.X.(*ssa.Alloc)
	}
	if a == nil || a.Comment != "varargs" || len(*a.Referrers()) != 2 {
		return nil
	}
	var v ssa.Value
	appends := false
	for _, r := range *a.Referrers() {
		switch r := r.(type) {
		case *ssa.IndexAddr:
			if users := *r.Referrers(); len(users) == 1 {
				if st, ok := users[0].(*ssa.Store); ok && st.Addr == r {
					v = st.Val
				}
			}
		case *ssa.Slice:
			if users := *r.Referrers(); len(users) == 1 && r.Low == nil && r.High == nil && r.Max == nil {
				call, ok := users[0].(*ssa.Call)
				if !ok {
					break
				}
				b, ok := call.Call.Value.(*ssa.Builtin)
				appends = ok && b.Name() == "append"
			}
		}
	}
	if !appends {
		return nil
	}
	return v
}

// nestedAppend lowers append(s, v) in an inlined call. If s has no free capacity, the code makes
// the outermost call in full.
func (l *lowering) nestedAppend(in *ssa.Call) bool {
	if !l.inlining() || l.nested.stored || l.nested.outermost().slow == 0 || len(in.Call.Args) != 2 {
		return false
	}
	args, ok := in.Call.Args[1].(*ssa.Slice)
	if !ok {
		return false
	}
	v := appendedValue(args)
	if v == nil {
		return false
	}
	values, ok := l.argWords(v)
	if !ok || len(values) == 0 {
		return false
	}
	elem := compile.Elem(in.Type())
	s := l.words(in.Call.Args[0])
	l.orElse(native.Test{Type: native.Uint64, Cond: native.Less, X: s[1], Y: s[2]}, l.nested.outermost().slow)
	m, ok := l.scaled(native.Mem{Base: s[0]}, s[1], l.view.Type(elem).Size())
	if !ok {
		return false
	}
	if l.view.Rep(elem) == layout.Memory {
		l.storeParts(elem, values, m)
	} else {
		for i, t := range nativeTypes[l.view.Rep(elem)] {
			l.storeWord(t, values[i], m)
			m.Disp += int32(t.Size())
		}
	}
	n := l.temp(native.Int64, native.Instr{Op: native.Add, Type: native.Int64, X: s[1], Imm: 1})
	l.copyRegs(l.set(in), []native.Reg{s[0], n, s[2]})
	return true
}

// appendOne lowers append(s, values...) for values that are listed in the call and a slice with
// enough free capacity. If there is not enough, the interpreter appends.
func (l *lowering) appendOne(in *ssa.Call) bool {
	if l.nested != nil || len(in.Call.Args) != 2 || l.ops != 1 || l.op+1 > l.view.Ops(l.block) {
		return false
	}
	for _, v := range l.pending {
		if l.rootOf(v) != ssa.Instruction(in) {
			return false // registers that have no home do not outlast the call-out
		}
	}
	to := l.homes(in)
	if len(to) != 3 {
		return false
	}
	elem := l.view.Type(compile.Elem(in.Type()))
	var values []native.Reg // the only value, or nil if the values are in the frame
	var all []piece
	array, count := uintptr(0), 1
	if v := l.view.OnlyArgument(in.Call.Args[1]); v != nil {
		off := int32(0)
		for _, t := range nativeTypes[l.view.Rep(v.Type())] {
			all = append(all, piece{t, off})
			off += int32(t.Size())
		}
		values = l.words(v)
	} else {
		var ok bool
		if array, count, ok = l.view.Arguments(in.Call.Args[1]); !ok || uintptr(count)*elem.Size() > maxCopy {
			return false
		}
		for i := range count {
			for _, p := range copied(elem) {
				all = append(all, piece{p.t, p.off + int32(i)*int32(elem.Size())})
			}
		}
	}
	if len(all) == 0 {
		return false
	}
	s := l.words(in.Call.Args[0])
	l.note(in)
	exit := l.exit(in)
	l.f.Exits[exit].Ops = 1
	add := func(x native.Reg, n int64) native.Reg {
		return l.temp(native.Int64, native.Instr{Op: native.Add, Type: native.Int64, X: x, Imm: n})
	}
	last := s[1]
	if count > 1 {
		last = add(s[1], int64(count-1))
	}
	from := l.cur
	fast := l.newBlock()
	slow := l.newBlock()
	l.f.Blocks[from].End, l.f.Blocks[from].Next = native.Branch, [2]int{fast, slow}
	l.f.Blocks[from].Test = native.Test{Type: native.Uint64, Cond: native.Less, X: last, Y: s[2]}
	l.cur = slow
	l.emit(native.Instr{Op: native.CallOut, Exit: exit, Defs: to})
	l.resume(exit)
	slow = l.cur
	join := l.newBlock()
	l.f.Blocks[slow].End, l.f.Blocks[slow].Next[0] = native.Jump, join
	l.cur = fast
	m, _ := l.scaled(native.Mem{Base: s[0]}, s[1], elem.Size())
	if values == nil {
		for _, p := range all {
			values = append(values, l.temp(p.t, native.Instr{Op: native.Load, Type: p.t, Mem: native.Mem{Base: native.Frame, Disp: int32(array) + p.off}}))
		}
	}
	for i, p := range all {
		at := m
		at.Disp += p.off
		l.storeWord(p.t, values[i], at)
	}
	n := add(s[1], int64(count))
	var moves [][2]native.Reg
	for i, x := range [3]native.Reg{s[0], n, s[2]} {
		if to[i] != x {
			moves = append(moves, [2]native.Reg{to[i], x})
		}
	}
	l.moveAll(moves)
	l.f.Blocks[l.cur].End, l.f.Blocks[l.cur].Next[0] = native.Jump, join
	l.cur = join
	return true
}

// complexBinary lowers x op y of complex numbers. The runtime computes quotients.
func (l *lowering) complexBinary(in *ssa.BinOp) bool {
	r := l.view.Rep(in.Type())
	if r != layout.Complex64 && r != layout.Complex128 {
		return false
	}
	t := nativeTypes[r][0]
	op := func(o native.Op, t native.Type, x, y native.Reg) native.Reg {
		return l.temp(t, native.Instr{Op: o, Type: t, X: x, Y: y})
	}
	var re, im native.Reg
	switch in.Op {
	case token.ADD, token.SUB:
		x, y, o := l.words(in.X), l.words(in.Y), floatArithmetic[in.Op]
		re, im = op(o, t, x[0], y[0]), op(o, t, x[1], y[1])
	case token.MUL:
		if runtime.GOARCH != "amd64" {
			return false // compiled Go fuses products with sums
		}
		x, y := l.words(in.X), l.words(in.Y)
		wide := func(w native.Reg) native.Reg {
			if t == native.Float64 {
				return w
			}
			return l.temp(native.Float64, native.Instr{Op: native.FloatFloat, Type: native.Float32, To: native.Float64, X: w})
		}
		a, b, c, d := wide(x[0]), wide(x[1]), wide(y[0]), wide(y[1])
		const f = native.Float64
		re = op(native.FSub, f, op(native.FMul, f, a, c), op(native.FMul, f, b, d))
		im = op(native.FAdd, f, op(native.FMul, f, a, d), op(native.FMul, f, b, c))
		if t == native.Float32 {
			narrow := func(w native.Reg) native.Reg {
				return l.temp(t, native.Instr{Op: native.FloatFloat, Type: f, To: t, X: w})
			}
			re, im = narrow(re), narrow(im)
		}
	default:
		return false
	}
	to := l.set(in)
	l.moveAll([][2]native.Reg{{to[0], re}, {to[1], im}})
	return true
}

// complexPart lowers real, imag and complex.
func (l *lowering) complexPart(in *ssa.Call, name string) bool {
	if len(in.Call.Args) == 0 || l.nested == nil && l.homes(in) == nil && l.values[in] == nil {
		return false
	}
	var from []native.Reg
	switch name {
	case "real":
		from = l.words(in.Call.Args[0])[:1]
	case "imag":
		from = l.words(in.Call.Args[0])[1:2]
	default:
		from = []native.Reg{l.reg(in.Call.Args[0]), l.reg(in.Call.Args[1])}
	}
	var moves [][2]native.Reg
	for i, to := range l.set(in) {
		if to != from[i] {
			moves = append(moves, [2]native.Reg{to, from[i]})
		}
	}
	l.moveAll(moves)
	return true
}
