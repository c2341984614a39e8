package native

import "slices"

// bits is a set of variables.
type bits []uint64

func (s bits) has(r Reg) bool { return s[r/64]>>(r%64)&1 != 0 }
func (s bits) add(r Reg)      { s[r/64] |= 1 << (r % 64) }
func (s bits) drop(r Reg)     { s[r/64] &^= 1 << (r % 64) }

// union adds t to s and reports whether s grew.
func (s bits) union(t bits) bool {
	grew := false
	for i, w := range t {
		if w&^s[i] != 0 {
			s[i] |= w
			grew = true
		}
	}
	return grew
}

// liveness knows which variables are needed, and which a function sets.
type liveness struct {
	f       *Func
	in, out []bits // by block
	dirty   bits   // set by code: their homes are not up to date
	reached []bool // blocks that code gets to
}

func (l *liveness) set() bits { return make(bits, (len(l.f.Vars)+63)/64) }

func findLive(f *Func) *liveness {
	l := &liveness{f: f, in: make([]bits, len(f.Blocks)), out: make([]bits, len(f.Blocks))}
	l.dirty = l.set()
	l.reach()
	for i := range f.Blocks {
		l.in[i], l.out[i] = l.set(), l.set()
	}
	for _, i := range f.Order {
		if !l.reached[i] {
			continue
		}
		for k := range f.Blocks[i].Instrs {
			in := &f.Blocks[i].Instrs[k]
			if in.Op == Leave {
				break
			}
			if in.D >= first {
				l.dirty.add(in.D)
			}
		}
	}
	for changed := true; changed; {
		changed = false
		for _, i := range slices.Backward(f.Order) {
			b := &f.Blocks[i]
			for _, s := range b.Successors() {
				l.out[i].union(l.in[s])
			}
			live := append(bits(nil), l.out[i]...)
			l.end(b, live)
			for k := len(b.Instrs) - 1; k >= 0; k-- {
				l.back(&b.Instrs[k], live)
			}
			changed = l.in[i].union(live) || changed
		}
	}
	return l
}

// reach finds the blocks that code gets to from its entries.
func (l *liveness) reach() {
	l.reached = make([]bool, len(l.f.Blocks))
	todo := append([]int(nil), l.f.Entries...)
	for len(todo) > 0 {
		i := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if l.reached[i] {
			continue
		}
		l.reached[i] = true
		if b := &l.f.Blocks[i]; !b.Leaves() {
			todo = append(todo, b.Successors()...)
		}
	}
}

// Leaves reports whether the code leaves in the block whatever happens.
func (b *Block) Leaves() bool {
	for i := range b.Instrs {
		if b.Instrs[i].Op == Leave {
			return true
		}
	}
	return false
}

// Successors returns the blocks behind a block.
func (b *Block) Successors() []int {
	switch b.End {
	case Jump:
		return b.Next[:1]
	case Branch:
		return b.Next[:2]
	}
	return nil
}

// end adds what the end of a block reads.
func (l *liveness) end(b *Block, live bits) {
	switch b.End {
	case Branch:
		for _, r := range [...]Reg{b.Test.X, b.Test.Y} {
			if r >= first {
				live.add(r)
			}
		}
	case Return:
		for _, r := range l.f.Results {
			live.add(r)
		}
	}
}

// back goes from behind an instruction to before it.
func (l *liveness) back(in *Instr, live bits) {
	if in.D >= first {
		live.drop(in.D)
	}
	in.uses(func(r Reg) { live.add(r) })
	if in.leaves() {
		l.exit(in.Exit, live)
	}
}

// exit adds what an exit needs that is not in its home.
func (l *liveness) exit(e int32, live bits) {
	if e < 0 {
		return
	}
	for _, r := range l.f.Exits[e].Uses {
		if l.dirty.has(r) {
			live.add(r)
		}
	}
	for _, n := range l.needs(e) {
		live.add(n.in)
	}
}

// needs returns what is to be put into its home at an exit.
func (l *liveness) needs(e int32) (list []need) {
	if e < 0 {
		return nil
	}
	for _, n := range l.f.Exits[e].needs {
		if n.in != n.of || l.dirty.has(n.of) {
			list = append(list, n)
		}
	}
	return list
}

// findNeeds finds what the interpreter needs at the exits. The code may then be changed so
// that it needs less itself.
func findNeeds(f *Func) {
	l := findLive(f)
	for i := range f.Blocks {
		b := &f.Blocks[i]
		if !l.reached[i] {
			continue
		}
		live := append(bits(nil), l.out[i]...)
		l.end(b, live)
		for k := len(b.Instrs) - 1; k >= 0; k-- {
			in := &b.Instrs[k]
			l.back(in, live)
			if !in.leaves() || in.Exit < 0 {
				continue
			}
			x := &f.Exits[in.Exit]
			l.each(live, func(r Reg) {
				if l.dirty.has(r) && f.Vars[r].Placed {
					x.needs = append(x.needs, need{r, r})
				}
			})
			x.Uses = nil
		}
	}
}

// prune takes out what nobody needs. What the code does not get to says what the
// interpreter needs behind an exit: it stays.
func (l *liveness) prune() {
	for i := range l.f.Blocks {
		b := &l.f.Blocks[i]
		if !l.reached[i] || b.Leaves() {
			continue
		}
		live := append(bits(nil), l.out[i]...)
		l.end(b, live)
		kept := len(b.Instrs)
		for k := len(b.Instrs) - 1; k >= 0; k-- {
			in := b.Instrs[k]
			if in.D >= first && !live.has(in.D) && in.Op != Call && in.Op != CallGo {
				continue
			}
			l.back(&in, live)
			kept--
			b.Instrs[kept] = in
		}
		b.Instrs = b.Instrs[kept:]
	}
}
