package native

import (
	"sort"

	"github.com/gokernel/gokernel/interp/engine/ssa/dataflow"
)

// place is the location of a variable: a machine register of its class, or a slot of the stack.
type place struct {
	reg  uint8
	slot int32 // index of the word; only if spilled
	kind placeKind
}

type placeKind uint8

const (
	nowhere placeKind = iota // the variable is dead
	inReg
	onStack
)

// interval is the live interval of a variable, from one instruction number to another.
type interval struct {
	r        Reg
	from, to int
	weight   float64 // estimated number of uses
	reuse    Reg     // the result of the last instruction that reads r; it can reuse the register of r
}

// allocation holds the locations of a function's variables.
type allocation struct {
	place []place
	slots int32
}

// allocate assigns machine registers by linear scan over the live intervals. When the
// registers are used up, it spills the interval with the lowest cost. The result of an
// instruction reuses the register of an operand that is dead after the instruction.
func allocate(l *liveness, ints, floats []uint8) *allocation {
	a := &allocation{place: make([]place, len(l.f.Vars))}
	all := intervals(l)
	sort.SliceStable(all, func(i, j int) bool { return all[i].from < all[j].from })
	var active [2][]interval
	free := [2][]uint8{append([]uint8(nil), ints...), append([]uint8(nil), floats...)}
	for _, v := range all {
		class := 0
		if l.f.Vars[v.r].Type.Float() {
			class = 1
		}
		kept, own := active[class][:0], -1
		for _, other := range active[class] {
			switch {
			case other.to < v.from:
				free[class] = append(free[class], a.place[other.r].reg)
			case other.to == v.from && other.reuse == v.r:
				own = len(kept)
				fallthrough
			default:
				kept = append(kept, other)
			}
		}
		active[class] = kept
		if own >= 0 {
			a.place[v.r] = a.place[kept[own].r]
			kept[own] = v
			continue
		}
		if n := len(free[class]); n > 0 {
			a.place[v.r] = place{kind: inReg, reg: free[class][n-1]}
			free[class] = free[class][:n-1]
			active[class] = append(active[class], v)
			continue
		}
		least := -1
		for i, other := range active[class] {
			if other.cost() < v.cost() && (least < 0 || other.cost() < active[class][least].cost()) {
				least = i
			}
		}
		if least < 0 {
			a.spill(v.r)
			continue
		}
		out := active[class][least]
		a.place[v.r] = a.place[out.r]
		a.spill(out.r)
		active[class][least] = v
	}
	return a
}

// cost returns the cost of spilling a variable, per instruction for which the spill frees a
// register.
func (v interval) cost() float64 { return v.weight / float64(v.to-v.from+1) }

func (a *allocation) spill(r Reg) {
	a.place[r] = place{kind: onStack, slot: a.slots}
	a.slots++
}

// intervals returns the live intervals of the variables; the intervals have no holes.
func intervals(l *liveness) []interval {
	list := make([]interval, len(l.f.Vars))
	touch := func(r Reg, at int) {
		v := &list[r]
		if v.r == None {
			*v = interval{r: r, from: at, to: at}
		}
		v.from, v.to = min(v.from, at), max(v.to, at)
	}
	at := 0
	for _, i := range l.f.Order {
		if !l.reached[i] {
			continue
		}
		b := &l.f.Blocks[i]
		begin := at
		weight := 1.0
		for range min(b.Depth, 8) {
			weight *= 8
		}
		use := func(r Reg) {
			touch(r, at)
			list[r].weight += weight
		}
		for k := range b.Instrs {
			at++
			in := &b.Instrs[k]
			in.uses(use)
			if in.D >= first {
				if in.X >= first && in.X != in.D && !in.leaves() {
					list[in.X].reuse = in.D
				}
				use(in.D)
			}
			if in.leaves() {
				l.touchUses(in.Exit, at, touch)
			}
		}
		at++
		live := l.set()
		l.end(b, live)
		l.each(live, use)
		l.each(l.in[i], func(r Reg) { touch(r, begin) })
		l.each(l.out[i], func(r Reg) { touch(r, at) })
		at++
	}
	var used []interval
	for _, v := range list {
		if v.r != None {
			used = append(used, v)
		}
	}
	return used
}

// touchUses calls touch for the registers that a side exit reads.
func (l *liveness) touchUses(e int32, at int, touch func(Reg, int)) {
	for _, n := range l.needs(e) {
		touch(n.in, at)
	}
}

// each calls do for each member of a set.
func (l *liveness) each(s dataflow.Set, do func(Reg)) {
	for r := range s.All {
		do(Reg(r))
	}
}
