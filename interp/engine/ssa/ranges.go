//go:build (linux || darwin) && (amd64 || arm64)

package ssa

import (
	"go/types"
	"unicode/utf8"
	"unsafe"

	"golang.org/x/tools/go/ssa"

	"github.com/gokernel/gokernel/interp/engine/ssa/rtype"
)

// stringIter is a range over a string under way.
type stringIter struct {
	s    string
	next int
}

// mapIter is a range over a map under way. The runtime's iterator holds the
// map.
type mapIter struct {
	it      rtype.MapIter
	started bool
	typ     *rtype.Type
	m       unsafe.Pointer
}

// rangeInstr makes the iterator of a range over a string or a map.
func (c *compiler) rangeInstr(in *ssa.Range) {
	d := c.l.place(pointerType)
	c.slots[in] = d
	x := c.slot(in.X)
	if x.rep == repString {
		c.emit(func(fp frame) {
			*ref[*stringIter](fp, d.off) = &stringIter{s: *ref[string](fp, x.off)}
		}, in.Pos())
		return
	}
	c.emit(func(fp frame) {
		*ref[*mapIter](fp, d.off) = &mapIter{typ: x.typ, m: *ref[unsafe.Pointer](fp, x.off)}
	}, in.Pos())
}

// next takes a step: ok, key, value.
func (c *compiler) next(in *ssa.Next) {
	ts := c.tuple(in)
	it := c.slot(in.Iter).off
	if in.IsString {
		c.emit(nextRune(ts, it), in.Pos())
		return
	}
	t := in.Type().(*types.Tuple)
	wantKey := t.At(1).Type() != types.Typ[types.Invalid]
	wantElem := t.At(2).Type() != types.Typ[types.Invalid]
	ok, key, elem := ts[0], ts[1], ts[2]
	c.emit(func(fp frame) {
		m := *ref[*mapIter](fp, it)
		if m.started {
			m.it.Next()
		} else {
			m.started = true
			m.it.Start(m.typ, m.m)
		}
		if m.it.Key == nil {
			*ref[bool](fp, ok.off) = false
			return
		}
		if wantKey {
			copyValue(key.rep, key.typ, unsafe.Add(fp, key.off), m.it.Key)
		}
		if wantElem {
			copyValue(elem.rep, elem.typ, unsafe.Add(fp, elem.off), m.it.Elem)
		}
		*ref[bool](fp, ok.off) = true
	}, in.Pos())
}

// stepBranch ends the head of a range loop: it takes the step, which is the last
// op of the block, and goes on by whether there was one more. It gives nil for
// other conditions.
func (c *compiler) stepBranch(cond ssa.Value, in *ssa.If, yes, no *block) branch {
	more, ok := cond.(*ssa.Extract)
	if !ok || more.Index != 0 || len(c.ops) == 0 || len(*more.Referrers()) != 1 {
		return nil
	}
	next, ok := more.Tuple.(*ssa.Next)
	if !ok || next.Block() != in.Block() {
		return nil
	}
	is := in.Block().Instrs
	for i := len(is) - 2; is[i] != ssa.Instruction(next); i-- {
		if _, ok := is[i].(*ssa.Extract); !ok {
			return nil
		}
	}
	step, off := c.ops[len(c.ops)-1], c.tuple(next)[0].off
	c.mayPanic(c.pos[len(c.pos)-1])
	c.ops, c.pos = c.ops[:len(c.ops)-1], c.pos[:len(c.pos)-1]
	return func(fp frame) *block {
		step(fp)
		if *ref[bool](fp, off) {
			return yes
		}
		return no
	}
}

func nextRune(ts []slot, it uintptr) op {
	ok, at, r := ts[0].off, ts[1].off, ts[2].off
	wantAt, wantRune := ts[1].typ != nil, ts[2].typ != nil
	return func(fp frame) {
		s := *ref[*stringIter](fp, it)
		if s.next >= len(s.s) {
			*ref[bool](fp, ok) = false
			return
		}
		if wantAt {
			*ref[int](fp, at) = s.next
		}
		c, n := rune(s.s[s.next]), 1
		if c >= utf8.RuneSelf {
			c, n = utf8.DecodeRuneInString(s.s[s.next:])
		}
		if wantRune {
			*ref[rune](fp, r) = c
		}
		s.next += n
		*ref[bool](fp, ok) = true
	}
}
