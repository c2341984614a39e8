package compile

import (
	"go/types"
	"reflect"
	"unicode/utf8"
	"unsafe"

	"github.com/gokernel/gokernel/interp/engine/ssa/layout"
	"github.com/gokernel/gokernel/interp/engine/ssa/rtype"
	"golang.org/x/tools/go/ssa"
)

// stringIter is the state of a range over a string.
type stringIter struct {
	s    string
	next int
}

var stringIterType = rtype.TypeOf(reflect.TypeFor[stringIter]())

// mapIter is the state of a range over a map. The runtime's iterator holds the map.
type mapIter struct {
	it      rtype.MapIter
	started bool
	typ     *rtype.Type
	m       unsafe.Pointer
}

// rangeInstr makes the iterator of a range over a string or a map.
func (c *body) rangeInstr(in *ssa.Range) {
	x := c.slot(in.X)
	if x.Rep == layout.String {
		d := c.l.Place(stringIterType)
		c.slots[in] = d
		c.emit(func(fp frame) { *ref[stringIter](fp, d.Off) = stringIter{s: *ref[string](fp, x.Off)} }, in.Pos())
		return
	}
	d := c.l.Place(layout.PointerType)
	c.slots[in] = d
	c.emit(func(fp frame) {
		*ref[*mapIter](fp, d.Off) = &mapIter{typ: x.Type, m: *ref[unsafe.Pointer](fp, x.Off)}
	}, in.Pos())
}

// next compiles a step of a range. The results of the step are ok, the key and the value.
func (c *body) next(in *ssa.Next) {
	ts := c.tuple(in)
	it := c.slot(in.Iter).Off
	if in.IsString {
		n, ok := newRuneStep(ts, it), ts[0].Off
		c.emit(func(fp frame) { *ref[bool](fp, ok) = n.step(fp) }, in.Pos())
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
			*ref[bool](fp, ok.Off) = false
			return
		}
		if wantKey {
			layout.Copy(key.Rep, key.Type, unsafe.Add(fp, key.Off), m.it.Key)
		}
		if wantElem {
			layout.Copy(elem.Rep, elem.Type, unsafe.Add(fp, elem.Off), m.it.Elem)
		}
		*ref[bool](fp, ok.Off) = true
	}, in.Pos())
}

// stepBranch returns the branch at the end of the head of a range loop. The branch makes the step,
// which was the last op of the block, and tests whether there was one more element. stepBranch
// returns nil for other conditions.
func (c *body) stepBranch(cond ssa.Value, in *ssa.If, yes, no *block) branch {
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
	if c.stepped == nil {
		c.stepped = map[*ssa.Next]bool{}
	}
	c.stepped[next] = true
	if next.IsString {
		c.ops = c.ops[:len(c.ops)-1]
		n := newRuneStep(c.tuple(next), c.slot(next.Iter).Off)
		return func(fp frame) *block {
			if n.step(fp) {
				return yes
			}
			return no
		}
	}
	step, off := c.ops[len(c.ops)-1], c.tuple(next)[0].Off
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

// runeStep makes a step of a range over a string.
type runeStep struct {
	it, at, rune     uintptr // frame offsets
	wantAt, wantRune bool
}

func newRuneStep(ts []slot, it uintptr) *runeStep {
	return &runeStep{it, ts[1].Off, ts[2].Off, ts[1].Type != nil, ts[2].Type != nil}
}

// step reports whether there was one more rune.
func (n *runeStep) step(fp frame) bool {
	s := ref[stringIter](fp, n.it)
	if uint(s.next) >= uint(len(s.s)) {
		return false
	}
	if n.wantAt {
		*ref[int](fp, n.at) = s.next
	}
	c, size := rune(s.s[s.next]), 1
	if c >= utf8.RuneSelf {
		c, size = utf8.DecodeRuneInString(s.s[s.next:])
	}
	if n.wantRune {
		*ref[rune](fp, n.rune) = c
	}
	s.next += size
	return true
}
