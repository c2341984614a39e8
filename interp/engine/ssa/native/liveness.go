package native

import "github.com/gokernel/gokernel/interp/engine/ssa/dataflow"

// liveness records the registers that are live, and the registers that a function sets.
type liveness struct {
	f       *Func
	in, out []dataflow.Set // by block
	dirty   dataflow.Set   // set by code: their homes are not up to date
	reached []bool         // blocks that code can reach
}

func (l *liveness) set() dataflow.Set { return dataflow.NewSet(len(l.f.Vars)) }

func findLive(f *Func) *liveness {
	l := &liveness{f: f, in: dataflow.Sets(len(f.Blocks), len(f.Vars)), out: dataflow.Sets(len(f.Blocks), len(f.Vars))}
	l.dirty = l.set()
	l.reach()
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
				l.dirty.Add(int(in.D))
			}
		}
	}
	dataflow.Live(f.Order, func(i int) []int { return f.Blocks[i].Successors() }, l.in, l.out, func(i int, live dataflow.Set) {
		b := &f.Blocks[i]
		l.end(b, live)
		for k := len(b.Instrs) - 1; k >= 0; k-- {
			l.back(&b.Instrs[k], live)
		}
	})
	return l
}

// reach finds the blocks that code can reach from its entries.
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

// Leaves reports whether the block always takes a side exit.
func (b *Block) Leaves() bool {
	for i := range b.Instrs {
		if b.Instrs[i].Op == Leave {
			return true
		}
	}
	return false
}

// Successors returns the successors of a block.
func (b *Block) Successors() []int {
	switch b.End {
	case Jump:
		return b.Next[:1]
	case Branch:
		return b.Next[:2]
	}
	return nil
}

// end adds the registers that the end of a block reads.
func (l *liveness) end(b *Block, live dataflow.Set) {
	switch b.End {
	case Branch:
		for _, r := range [...]Reg{b.Test.X, b.Test.Y} {
			if r >= first {
				live.Add(int(r))
			}
		}
	case Return:
		for _, r := range l.f.Results {
			live.Add(int(r))
		}
	}
}

// back turns the set of registers live after an instruction into the set live before the
// instruction.
func (l *liveness) back(in *Instr, live dataflow.Set) {
	if in.D >= first {
		live.Remove(int(in.D))
	}
	for _, r := range in.Defs {
		live.Remove(int(r))
	}
	in.uses(func(r Reg) { live.Add(int(r)) })
	if in.leaves() {
		l.exit(in.Exit, live)
	}
}

// exit adds the registers that a side exit reads because their homes are not up to date.
func (l *liveness) exit(e int32, live dataflow.Set) {
	if e < 0 {
		return
	}
	for _, r := range l.f.Exits[e].Uses {
		if l.dirty.Has(int(r)) {
			live.Add(int(r))
		}
	}
	for _, n := range l.needs(e) {
		live.Add(int(n.in))
	}
}

// needs returns the registers that a side exit writes to their homes.
func (l *liveness) needs(e int32) (list []need) {
	if e < 0 {
		return nil
	}
	for _, n := range l.f.Exits[e].needs {
		if n.in != n.of || l.dirty.Has(int(n.of)) {
			list = append(list, n)
		}
	}
	return list
}

// findNeeds finds the registers that the interpreter needs at the side exits. Later passes can then
// remove uses from the code without changing these needs.
func findNeeds(f *Func) {
	l := findLive(f)
	for i := range f.Blocks {
		b := &f.Blocks[i]
		if !l.reached[i] {
			continue
		}
		live := l.out[i].Clone()
		l.end(b, live)
		for k := len(b.Instrs) - 1; k >= 0; k-- {
			in := &b.Instrs[k]
			after := live
			if in.Op == CallFrame {
				after = live.Clone()
				for _, r := range in.Defs {
					after.Remove(int(r))
				}
			}
			l.back(in, live)
			if !in.leaves() || in.Exit < 0 {
				continue
			}
			x := &f.Exits[in.Exit]
			l.each(live, func(r Reg) {
				if l.dirty.Has(int(r)) && f.Vars[r].Placed {
					x.needs = append(x.needs, need{r, r, !after.Has(int(r))})
				}
			})
			x.Uses = nil
		}
	}
}

// prune removes dead instructions. It keeps unreachable code, which determines the registers that
// the interpreter needs after a side exit.
func (l *liveness) prune() {
	for i := range l.f.Blocks {
		b := &l.f.Blocks[i]
		if !l.reached[i] || b.Leaves() {
			continue
		}
		live := l.out[i].Clone()
		l.end(b, live)
		kept := len(b.Instrs)
		for k := len(b.Instrs) - 1; k >= 0; k-- {
			in := b.Instrs[k]
			if in.D >= first && !live.Has(int(in.D)) && in.Op != Call && in.Op != CallGo && in.Op != CallHelper {
				continue
			}
			l.back(&in, live)
			kept--
			b.Instrs[kept] = in
		}
		b.Instrs = b.Instrs[kept:]
	}
}
