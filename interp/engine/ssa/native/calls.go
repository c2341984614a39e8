//go:build linux && (amd64 || arm64)

package native

// A body is called on the stack of the code. The caller spills to its own slots the registers that
// it still needs, and passes the arguments below the stack pointer, in the callee's highest slots.
// The result is in a scratch register. A body that cannot continue gives up: all active bodies are
// abandoned, the function's call returns with the carry flag set, and the function takes the side
// exit before the call.

// bodySlots is the maximum number of slots of a body, which checks the stack before it uses them.
const bodySlots = 512

// mostArgs is the maximum number of words that a call passes.
const mostArgs = 8

// saved lists the registers that a call spills: the registers used after the call, and the
// registers that only the call's side exit uses.
type saved struct{ behind, exit []Reg }

// prepare finds the registers that the function's calls spill, and assigns slots to them.
func (e *emitter) prepare() {
	e.kept = map[*Instr]saved{}
	e.slots = map[Reg]int32{}
	for _, i := range e.f.Order {
		if !e.live.reached[i] {
			continue
		}
		b := &e.f.Blocks[i]
		live := e.live.out[i].Clone()
		e.live.end(b, live)
		for k := len(b.Instrs) - 1; k >= 0; k-- {
			in := &b.Instrs[k]
			if in.Op != Call && in.Op != CallGo && in.Op != CallHelper && in.Op != StorePtr {
				e.live.back(in, live)
				continue
			}
			var s saved
			behind := live.Clone()
			if in.D >= first {
				behind.Remove(int(in.D))
			}
			e.live.each(behind, func(r Reg) { s.behind = e.keep(s.behind, r) })
			e.live.back(in, live)
			if in.Op == Call && in.Exit >= 0 {
				for _, n := range e.live.needs(in.Exit) {
					if !behind.Has(int(n.in)) {
						s.exit = e.keep(s.exit, n.in)
					}
				}
			}
			e.kept[in] = s
		}
	}
}

// keep adds a variable that is in a register, and assigns a slot to it.
func (e *emitter) keep(list []Reg, r Reg) []Reg {
	if e.all.place[r].kind != inReg {
		return list
	}
	if _, ok := e.slots[r]; !ok {
		e.slots[r] = e.all.slots
		e.all.slots++
	}
	return append(list, r)
}

// wide returns the type of a variable on the stack.
func (e *emitter) wide(r Reg) Type {
	if e.f.Vars[r].Type.Float() {
		return Float64
	}
	return Int64
}

func (e *emitter) restore(list []Reg) {
	for _, r := range list {
		e.load(e.wide(r), e.all.place[r].reg, at(stackReg, e.slots[r]*8))
	}
}

// scratch returns the scratch register that holds a result.
func (e *emitter) scratch(r Reg) uint8 {
	if e.f.Vars[r].Type.Float() {
		return float0
	}
	return int0
}

// callTo emits a call.
func (e *emitter) callTo(in *Instr) {
	kept := e.kept[in]
	for _, list := range [2][]Reg{kept.behind, kept.exit} {
		for _, r := range list {
			e.store(e.wide(r), e.all.place[r].reg, at(stackReg, e.slots[r]*8))
		}
	}
	if in.Op == CallHelper {
		for i, r := range in.Args {
			e.store(Int64, e.get(r, int0), at(contextReg, contextWords+8*int32(i)))
		}
		e.callGo(helperNumber - in.Imm)
		e.load(Int64, int0, at(contextReg, contextWords))
	} else if in.Op == CallGo {
		for i, r := range in.Args {
			e.store(Float64, e.get(r, float0), at(contextReg, contextArgs+8*int32(i)))
		}
		e.callGo(in.Imm)
		e.load(Float64, float0, at(contextReg, contextArgs))
	} else {
		for i, r := range in.Args {
			e.store(e.wide(r), e.get(r, e.scratch(r)), at(stackReg, -16-8*int32(i)))
		}
		e.call(e.bodies[in.Imm])
		if in.Exit >= 0 {
			l := e.newLabel()
			e.exits = append(e.exits, pendingExit{from: l, exit: in.Exit, call: true, stores: e.live.needs(in.Exit), restore: append(append([]Reg(nil), kept.behind...), kept.exit...)})
			e.ifGivenUp(l)
		}
	}
	if in.D >= first && e.all.place[in.D].kind != nowhere {
		d, s := e.dest(in.D), e.scratch(in.D)
		if s == float0 {
			e.movFloat(d, s)
		} else {
			e.mov(d, s)
		}
		e.done(in.D, d)
	}
	e.restore(kept.behind)
}

// pendingStore is a store of a pointer. Its code for a running collection comes after the
// function's code.
type pendingStore struct {
	in         *Instr
	from, back label
}

// storePointer emits a store of a pointer. The collector's write barrier cannot be switched on
// while the code runs.
func (e *emitter) storePointer(in *Instr) {
	p := pendingStore{in, e.newLabel(), e.newLabel()}
	e.ifBarrier(p.from)
	m := e.address(in.Mem)
	e.store(Int64, e.get(in.Z, int0), m)
	e.set(p.back)
	e.pending = append(e.pending, p)
}

// slowStores emits the code that stores pointers during a collection by calling Go.
func (e *emitter) slowStores() {
	for _, p := range e.pending {
		kept := e.kept[p.in]
		e.set(p.from)
		for _, r := range kept.behind {
			e.store(e.wide(r), e.all.place[r].reg, at(stackReg, e.slots[r]*8))
		}
		m := e.address(p.in.Mem)
		e.lea(int0, m)
		e.store(Int64, int0, at(contextReg, contextWords))
		e.store(Int64, e.get(p.in.Z, int0), at(contextReg, contextWords+8))
		e.callGo(storeNumber)
		e.restore(kept.behind)
		e.jmp(p.back)
	}
}

// callGo exits to a Go function and resumes. It emits neither a call instruction nor a return
// instruction. The processor predicts the target of a return instruction from the matching call,
// which is the call of enter.
func (e *emitter) callGo(number int64) {
	back := e.newLabel()
	e.placeOf(int0, back)
	e.store(Int64, int0, at(contextReg, contextNext))
	e.store(Int64, stackReg, at(contextReg, contextSaved))
	e.movImm(int0, goFlag|number)
	e.jmp(e.tail)
	e.set(back)
	e.arrive()
	e.load(Int64, stackReg, at(contextReg, contextSaved))
	e.load(Int32, workReg, at(contextReg, contextLeft)) // negative after an overrun
}

// body emits the code of a body.
func (e *emitter) body(f *Func, entry label) {
	e.begin(f)
	args := int32(len(f.Params))
	size := e.all.slots + max(args, 1)
	if size > bodySlots || args > mostArgs {
		panic(refusal("too many variables in a function that is called"))
	}
	e.size = size * 8
	e.set(entry)
	e.called()
	e.ifFull(e.full)
	e.take(e.size)
	e.poll(workOf(f))
	e.params(f)
	e.blocksOf()
	for _, p := range e.polls {
		e.set(p[0])
		if e.suspends {
			e.call(e.suspend)
		} else {
			e.movImm(int0, -maxOverrun)
			e.ifNotLess(int0, workReg, e.abandon)
		}
		e.jmp(p[1])
	}
}

// params loads the parameters of a body, and sets the registers that hold constants.
func (e *emitter) params(f *Func) {
	for i, r := range f.Params {
		if e.all.place[r].kind == nowhere {
			continue
		}
		d := e.dest(r)
		e.load(e.wide(r), d, at(stackReg, e.size-8-8*int32(i)))
		e.done(r, d)
	}
	e.live.each(e.live.in[0], func(r Reg) {
		if v := f.Vars[r]; v.Const {
			e.constant(&Instr{Op: Const, Type: v.Type, D: r, Imm: v.Value})
		}
	})
}

// poll emits, in a body, the check that the budget of work is not used up. If it is, a body that
// may suspend does so. Another body overruns the budget, so that the function leaves at its next
// poll, after the call. A body that overruns the budget too much is abandoned.
func (e *emitter) poll(work int64) {
	from, back := e.newLabel(), e.newLabel()
	e.countDown(work, from)
	e.set(back)
	e.polls = append(e.polls, [2]label{from, back})
}

// bodyReturn emits the return of a body.
func (e *emitter) bodyReturn() {
	if e.isLeaf && len(e.f.Results) > 1 {
		e.leafReturn()
		return
	}
	for _, r := range e.f.Results {
		s := e.scratch(r)
		if s == float0 {
			e.movFloat(s, e.get(r, s))
		} else {
			e.mov(s, e.get(r, s))
		}
	}
	e.release(e.size) // this clears the carry flag
	e.ret()
}

// maySuspend reports whether the code may stop within a body and resume there. It may if all
// pointers are also in the frame, where the collector sees them.
func (e *emitter) maySuspend() bool {
	for _, f := range e.f.Bodies {
		for _, v := range f.Vars[first:] {
			if v.Type == Pointer && !v.Const {
				return false
			}
		}
	}
	for _, i := range e.f.Order {
		if !e.live.reached[i] {
			continue
		}
		b := &e.f.Blocks[i]
		live := e.live.out[i].Clone()
		e.live.end(b, live)
		for k := len(b.Instrs) - 1; k >= 0; k-- {
			found := false
			if b.Instrs[k].Op == Call {
				e.live.each(live, func(r Reg) { found = found || e.f.Vars[r].Type == Pointer && e.live.dirty.Has(int(r)) })
			}
			e.live.back(&b.Instrs[k], live)
			if b.Instrs[k].Op == Call {
				e.live.each(live, func(r Reg) { found = found || e.f.Vars[r].Type == Pointer && e.live.dirty.Has(int(r)) })
			}
			if found {
				return false
			}
		}
	}
	return true
}

// stops emits the code for giving up and for suspending, which all bodies share.
func (e *emitter) stops(slots int32) (resume, giveUp int) {
	e.set(e.full)
	e.movImm(int0, 1)
	e.store(Int32, int0, at(contextReg, contextFull))
	e.set(e.abandon)
	e.load(Int64, stackReg, at(contextReg, contextStack))
	e.take(slots*8 + 8)
	e.setCarry()
	e.ret()

	all := int32(len(intRegs)+len(floatRegs)) * 8
	e.set(e.suspend)
	e.called()
	e.take(all)
	e.registers(e.store)
	e.store(Int64, stackReg, at(contextReg, contextSaved))
	e.departures = append(e.departures, departure{exit: exitSuspended})
	e.movImm(int0, int64(len(e.departures)-1))
	e.jmp(e.tail)

	resume = e.here()
	e.arrive()
	e.load(Int64, stackReg, at(contextReg, contextSaved))
	e.movImm(workReg, pollWork)
	e.registers(func(t Type, r uint8, m mem) { e.load(t, r, m) })
	e.release(all)
	e.ret()

	giveUp = e.here()
	e.arrive()
	e.movImm(workReg, pollWork)
	e.jmp(e.abandon)
	return resume, giveUp
}

// registers calls do for each register that can hold a variable, with the register's word on the
// stack.
func (e *emitter) registers(do func(t Type, r uint8, m mem)) {
	off := int32(0)
	for _, r := range intRegs {
		do(Int64, r, at(stackReg, off))
		off += 8
	}
	for _, r := range floatRegs {
		do(Float64, r, at(stackReg, off))
		off += 8
	}
}
