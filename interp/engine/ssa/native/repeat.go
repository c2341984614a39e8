package native

import "maps"

// Value numbering over extended basic blocks: an instruction whose value, load or check is
// available already becomes a move or is removed. An extended basic block is a path of blocks with
// one predecessor each. A store invalidates the loads of all memory that the store may change, and
// makes the stored value available.

// version identifies the value that one instruction has assigned to a register.
type version struct {
	r Reg
	n int
}

// value is the expression of an instruction: its operation and the versions of its operands.
type value struct {
	op          Op
	t, to       Type
	cond        Cond
	x, y        version
	imm         int64
	base, index version
	scale       uint8
	disp        int32
	memory      int
}

// known is the state at a point of the code.
type known struct {
	now    map[Reg]int       // the version of each register that has been assigned
	of     map[value]version // the register that holds a value
	same   map[version]version
	memory int           // version of the memory outside the frame
	frame  map[int32]int // versions of words of the frame
	others int           // version of all other words of the frame
	any    int           // version of the frame as a whole
}

type repeats struct {
	f     *Func
	last  int  // version
	taken bool // pointers may point to the frame
}

// dropRepeats removes redundant instructions.
func dropRepeats(f *Func) {
	preds := make([]int, len(f.Blocks))
	one := make([]int, len(f.Blocks))
	for _, i := range f.Order {
		for _, s := range f.Blocks[i].Successors() {
			preds[s]++
			one[s] = i
		}
	}
	for _, i := range f.Entries {
		preds[i] += 2
	}
	r := &repeats{f: f, taken: f.takesFrame()}
	ends := make([]*known, len(f.Blocks))
	for _, i := range f.Order {
		k := &known{now: map[Reg]int{}, of: map[value]version{}, same: map[version]version{}, frame: map[int32]int{}}
		if preds[i] == 1 && ends[one[i]] != nil {
			p := ends[one[i]]
			k = &known{maps.Clone(p.now), maps.Clone(p.of), maps.Clone(p.same), p.memory, maps.Clone(p.frame), p.others, p.any}
		}
		r.block(&f.Blocks[i], k)
		ends[i] = k
	}
}

// block numbers the values of a block and removes redundant instructions.
func (r *repeats) block(b *Block, k *known) {
	kept := b.Instrs[:0]
	for _, in := range b.Instrs {
		k.rename(&in.X, &in.Y, &in.Z, &in.Mem.Base, &in.Mem.Index)
		if len(in.Args) > 0 {
			args := append([]Reg(nil), in.Args...)
			for j := range args {
				k.rename(&args[j])
			}
			in.Args = args
		}
		if in.leaves() && in.Exit >= 0 {
			needs := r.f.Exits[in.Exit].needs
			for j := range needs {
				k.rename(&needs[j].in)
			}
		}
		if r.repeated(&in, k) {
			continue
		}
		kept = append(kept, in)
	}
	b.Instrs = kept
	if b.End == Branch {
		k.rename(&b.Test.X, &b.Test.Y)
	}
}

// repeated reports whether an instruction is redundant. If not, repeated records the value of the
// instruction, and turns the instruction into a move if the value is available.
func (r *repeats) repeated(in *Instr, k *known) bool {
	switch {
	case in.Op == Store || in.Op == StorePtr:
		r.stores(in, k)
		return false
	case in.Op == CallHelper && in.Imm == HelperCopy:
		r.stores(in, k)
		r.sets(in.D, k)
		return false
	case in.Op == Move:
		from := k.version(in.X)
		if d := r.sets(in.D, k); in.D != in.X {
			k.same[d] = from
		}
		return false
	case in.Op == CheckBelow || in.Op == CheckSign || in.Op == CheckSet:
		v := k.value(in)
		_, checked := k.of[v]
		k.of[v] = version{}
		return checked
	case in.D < first:
		return false
	case in.Op == Const || in.Op == Call || in.Op == CallGo || in.Op == CallHelper:
		r.sets(in.D, k)
		return false
	}
	v := k.value(in)
	if at, ok := k.of[v]; ok && k.version(at.r) == at {
		*in = Instr{Op: Move, D: in.D, X: at.r}
		if d := r.sets(in.D, k); d.r != at.r {
			k.same[d] = at
		}
		return false
	}
	k.of[v] = r.sets(in.D, k)
	return false
}

// stores notes that a store changes memory.
func (r *repeats) stores(in *Instr, k *known) {
	r.last++
	ofFrame := in.Mem.Base == Frame
	if !ofFrame || r.taken {
		k.memory = r.last
	}
	switch {
	case ofFrame && !r.taken && in.Mem.inWord(in.Type):
		k.frame[in.Mem.Disp>>3], k.any = r.last, r.last
	case ofFrame || r.taken:
		clear(k.frame)
		k.others, k.any = r.last, r.last
	}
	if in.Z >= first && r.f.Vars[in.Z].Type == in.Type {
		v := k.value(&Instr{Op: Load, Type: in.Type, Mem: in.Mem})
		k.of[v] = k.version(in.Z)
	}
}

// takesFrame reports whether a function computes an address in the frame.
func (f *Func) takesFrame() bool {
	for i := range f.Blocks {
		for k := range f.Blocks[i].Instrs {
			in := &f.Blocks[i].Instrs[k]
			if in.Op == Address && in.Mem.Base == Frame || in.X == Frame || in.Y == Frame || in.Z == Frame || in.Mem.Index == Frame {
				return true
			}
		}
	}
	return false
}

// sets returns a new version of a register.
func (r *repeats) sets(d Reg, k *known) version {
	r.last++
	k.now[d] = r.last
	return version{d, r.last}
}

func (k *known) version(r Reg) version { return version{r, k.now[r]} }

// rename replaces each register that is a copy by its original.
func (k *known) rename(all ...*Reg) {
	for _, p := range all {
		if *p < first {
			continue
		}
		if of, ok := k.same[k.version(*p)]; ok && k.version(of.r) == of {
			*p = of.r
		}
	}
}

func (k *known) value(in *Instr) value {
	v := value{
		op: in.Op, t: in.Type, to: in.To, cond: in.Cond, x: k.version(in.X), y: k.version(in.Y), imm: in.Imm,
		base: k.version(in.Mem.Base), index: k.version(in.Mem.Index), scale: in.Mem.Scale, disp: in.Mem.Disp,
	}
	if in.Op == Load {
		v.memory = k.memoryAt(in.Mem, in.Type)
	}
	return v
}

// inWord reports whether a value is in the frame at a known offset and within one word.
func (m Mem) inWord(t Type) bool {
	return m.Index == None && m.Disp>>3 == (m.Disp+int32(t.Size())-1)>>3
}

// memoryAt returns the version of the memory of a value at an address.
func (k *known) memoryAt(m Mem, t Type) int {
	switch {
	case m.Base != Frame:
		return k.memory
	case !m.inWord(t):
		return k.any
	}
	if n, ok := k.frame[m.Disp>>3]; ok {
		return n
	}
	return k.others
}
