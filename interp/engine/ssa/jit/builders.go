package jit

import (
	"bytes"
	"reflect"
	"strings"

	"github.com/gokernel/gokernel/interp/engine/ssa/layout"
	"github.com/gokernel/gokernel/interp/engine/ssa/native"
	"golang.org/x/tools/go/ssa"
)

// A strings.Builder and a bytes.Buffer are compiled Go, and most of their methods only append a few
// bytes to a slice. JIT-compiled code does so itself while the capacity lasts. Otherwise, and for
// the first write, the method is a call-out.

// builder has the offsets of the fields of a type. An offset is -1 if there is no such field.
type builder struct {
	self int32 // a pointer to the object itself, set by the first write
	buf  int32 // the bytes
	last int32 // a byte that a write sets to 0
}

// builders are the types whose layout is known.
var builders = func() map[string]builder {
	known := map[string]builder{}
	add := func(t reflect.Type, self, last string, fields int) {
		b := builder{-1, -1, -1}
		offset := func(name string, kind reflect.Kind, to *int32) bool {
			f, ok := t.FieldByName(name)
			if ok = ok && f.Type.Kind() == kind; ok {
				*to = int32(f.Offset)
			}
			return ok
		}
		ok := t.NumField() == fields && offset("buf", reflect.Slice, &b.buf)
		if self != "" {
			ok = ok && offset(self, reflect.Pointer, &b.self)
		}
		if last != "" {
			ok = ok && offset(last, reflect.Int8, &b.last)
		}
		if ok {
			known["*"+t.String()] = b
		}
	}
	add(reflect.TypeFor[strings.Builder](), "addr", "", 2)
	add(reflect.TypeFor[bytes.Buffer](), "", "lastRead", 3)
	return known
}()

// builderCall lowers a call of a method of a strings.Builder or a bytes.Buffer.
func (l *lowering) builderCall(in *ssa.Call, fn *ssa.Function) bool {
	if fn.Signature.Recv() == nil || l.nested != nil || l.ops != 1 || l.op+1 > l.view.Ops(l.block) {
		return false
	}
	b, ok := builders[fn.Signature.Recv().Type().String()]
	if !ok {
		return false
	}
	for _, v := range l.pending {
		if l.rootOf(v) != ssa.Instruction(in) {
			return false // registers that have no home do not outlast the call-out
		}
	}
	args := in.Call.Args
	switch fn.Name() {
	case "WriteByte":
		return l.write(in, b, func(at native.Mem, done int) {
			l.storeWord(native.Uint8, l.reg(args[1]), at)
			l.jumpTo(done)
		}, native.None)
	case "WriteRune":
		return l.writeRune(in, b)
	case "WriteString":
		s := l.words(args[1])
		return l.write(in, b, func(at native.Mem, done int) { l.copyBytes(at, s[0], s[1], done) }, s[1])
	case "String":
		words := l.resultWords(in, 0)
		if b.self < 0 || len(words) != 2 {
			return false
		}
		m, ok := l.mem(args[0], in)
		if !ok {
			return false
		}
		m.Disp += b.buf
		l.loadWords(words, layout.String, m)
	case "Len":
		words := l.resultWords(in, 0)
		if b.self < 0 || len(words) != 1 {
			return false
		}
		m, ok := l.mem(args[0], in)
		if !ok {
			return false
		}
		m.Disp += b.buf + 8
		l.loadWords(words, layout.Int64, m)
	default:
		return false
	}
	return true
}

// resultWords returns the registers of result i of a call, or nil if the result is not used.
func (l *lowering) resultWords(in *ssa.Call, i int) []native.Reg {
	n := in.Call.Signature().Results().Len()
	if s, ok := l.resultSlot(in, i, n); ok {
		return l.slotWords(s)
	}
	return nil
}

// jumpTo ends the block with a jump.
func (l *lowering) jumpTo(block int) {
	b := &l.f.Blocks[l.cur]
	b.End, b.Next[0] = native.Jump, block
}

// branchTo ends the block with a branch.
func (l *lowering) branchTo(t native.Test, yes, no int) {
	b := &l.f.Blocks[l.cur]
	b.End, b.Test, b.Next = native.Branch, t, [2]int{yes, no}
}

// writeRune lowers WriteRune, which writes one byte for a character of ASCII.
func (l *lowering) writeRune(in *ssa.Call, b builder) bool {
	r := l.reg(in.Call.Args[1])
	return l.writeIf(in, b, &native.Test{Type: native.Uint32, Cond: native.Less, X: r, Imm: 128}, func(at native.Mem, done int) {
		l.emit(native.Instr{Op: native.Store, Type: native.Uint8, Z: r, Mem: at})
		l.jumpTo(done)
	}, native.None)
}

// write lowers a method that writes n bytes, or one byte if n is None.
func (l *lowering) write(in *ssa.Call, b builder, do func(at native.Mem, done int), n native.Reg) bool {
	return l.writeIf(in, b, nil, do, n)
}

// writeIf is like write. If the test, which may be nil, does not hold, the method is a call-out.
// The results of the method are the number of bytes and a nil error, or only the error.
func (l *lowering) writeIf(in *ssa.Call, b builder, test *native.Test, do func(at native.Mem, done int), n native.Reg) bool {
	m, ok := l.mem(in.Call.Args[0], in)
	if !ok {
		return false
	}
	l.note(in)
	exit := l.exit(in)
	l.f.Exits[exit].Ops = 1
	results := in.Call.Signature().Results().Len()
	var defs []native.Reg
	for i := range results {
		defs = append(defs, l.resultWords(in, i)...)
	}
	recv := m.Base
	if m != (native.Mem{Base: recv}) || recv == native.Frame {
		recv = l.temp(native.Pointer, native.Instr{Op: native.Address, Mem: m})
	}
	load := func(t native.Type, off int32) native.Reg {
		return l.temp(t, native.Instr{Op: native.Load, Type: t, Mem: native.Mem{Base: recv, Disp: off}})
	}
	slow, done := l.newBlock(), l.newBlock()
	unless := func(t native.Test) { // continues if the test holds
		next := l.newBlock()
		l.branchTo(t, next, slow)
		l.cur = next
	}
	if test != nil {
		unless(*test)
	}
	if b.self >= 0 {
		unless(native.Test{Type: native.Pointer, Cond: native.Equal, X: load(native.Pointer, b.self), Y: recv})
	}
	length := load(native.Int64, b.buf+8)
	end := native.Instr{Op: native.Add, Type: native.Int64, X: length, Y: n}
	if n == native.None {
		end.Imm = 1
	}
	after := l.temp(native.Int64, end)
	unless(native.Test{Type: native.Uint64, Cond: native.LessEqual, X: after, Y: load(native.Int64, b.buf+16)})
	data := load(native.Pointer, b.buf)
	l.emit(native.Instr{Op: native.Store, Type: native.Int64, Z: after, Mem: native.Mem{Base: recv, Disp: b.buf + 8}})
	if b.last >= 0 {
		l.emit(native.Instr{Op: native.Store, Type: native.Uint8, Mem: native.Mem{Base: recv, Disp: b.last}})
	}
	if results == 2 {
		if words := l.resultWords(in, 0); words != nil && n != native.None {
			l.emit(native.Instr{Op: native.Move, D: words[0], X: n})
		} else if words != nil {
			l.emit(native.Instr{Op: native.Move, D: words[0], X: l.constant(native.Int64, 1)})
		}
	}
	for _, w := range l.resultWords(in, results-1) {
		l.emit(native.Instr{Op: native.Move, D: w, X: l.constant(native.Pointer, 0)})
	}
	do(native.Mem{Base: data, Index: length, Scale: 1}, done)
	l.cur = slow
	l.emit(native.Instr{Op: native.CallOut, Exit: exit, Defs: defs})
	l.resume(exit)
	l.jumpTo(done)
	l.cur = done
	return true
}

// copyBytes copies n bytes that do not overlap, and continues at a block.
func (l *lowering) copyBytes(to native.Mem, from, n native.Reg, done int) {
	p := l.temp(native.Pointer, native.Instr{Op: native.Address, Mem: to})
	less := func(most int64, yes, no int) {
		l.branchTo(native.Test{Type: native.Uint64, Cond: native.Less, X: n, Imm: most}, yes, no)
	}
	// ends copies the first and the last bytes, which may overlap.
	ends := func(t native.Type) {
		size := int32(t.Size())
		at := func(base native.Reg, end bool) native.Mem {
			if end {
				return native.Mem{Base: base, Index: n, Scale: 1, Disp: -size}
			}
			return native.Mem{Base: base}
		}
		x := l.temp(t, native.Instr{Op: native.Load, Type: t, Mem: at(from, false)})
		y := l.temp(t, native.Instr{Op: native.Load, Type: t, Mem: at(from, true)})
		l.emit(native.Instr{Op: native.Store, Type: t, Z: x, Mem: at(p, false)})
		l.emit(native.Instr{Op: native.Store, Type: t, Z: y, Mem: at(p, true)})
		l.jumpTo(done)
	}
	below8, below4, below2 := l.newBlock(), l.newBlock(), l.newBlock()
	atLeast8, atLeast4, atLeast2 := l.newBlock(), l.newBlock(), l.newBlock()
	to16, one, long := l.newBlock(), l.newBlock(), l.newBlock()
	less(8, below8, atLeast8)
	l.cur = below8
	less(4, below4, atLeast4)
	l.cur = below4
	less(2, below2, atLeast2)
	l.cur = below2
	less(1, done, one)
	l.cur = one
	x := l.temp(native.Uint8, native.Instr{Op: native.Load, Type: native.Uint8, Mem: native.Mem{Base: from}})
	l.emit(native.Instr{Op: native.Store, Type: native.Uint8, Z: x, Mem: native.Mem{Base: p}})
	l.jumpTo(done)
	l.cur = atLeast2
	ends(native.Uint16)
	l.cur = atLeast4
	ends(native.Uint32)
	l.cur = atLeast8
	less(17, to16, long)
	l.cur = to16
	ends(native.Uint64)
	l.cur = long
	l.temp(native.Int64, native.Instr{Op: native.CallHelper, Type: native.Int64, Imm: native.HelperCopy, Args: []native.Reg{p, from, n}})
	l.jumpTo(done)
}
