//go:build linux && (amd64 || arm64)

package native

// A leaf is a second form of a function that calls nothing and has no loop. Code calls a leaf
// without a frame, through a func value or as a method of an interface. A leaf is a body (calls.go)
// with an entry of its own. The leaf's captured variables, or its receiver, are at the address in a
// scratch register. A leaf that gives up has changed nothing.

// leafRoom is the space on the stack for a leaf, in bytes.
const leafRoom = 1 << 10

// leafSlots is the maximum number of slots of a leaf.
const leafSlots = leafRoom/8 - 16

// leafBody emits a leaf. It returns its entry, or -1 if it needs too many slots.
func (e *emitter) leafBody(f *Func) int {
	e.begin(f)
	size := e.all.slots + int32(max(len(f.Params), len(f.Results), 1))
	if size > leafSlots {
		return -1
	}
	e.isBody, e.isLeaf, e.size, e.abandon = true, true, size*8, e.newLabel()
	entry := e.newLabel()
	e.set(entry)
	e.entered()
	e.called()
	e.take(e.size)
	for _, c := range f.Env {
		if e.all.place[c.Reg].kind == nowhere {
			continue
		}
		if c.Direct {
			d := e.dest(c.Reg)
			e.mov(d, int1)
			e.done(c.Reg, d)
			continue
		}
		t := f.Vars[c.Reg].Type
		d := e.dest(c.Reg)
		e.load(t, d, at(int1, c.Off))
		e.done(c.Reg, d)
	}
	e.countDown(workOf(f), e.abandon)
	e.params(f)
	e.blocksOf()
	e.set(e.abandon)
	e.release(e.size)
	e.setCarry()
	e.ret()
	e.slowStores()
	return e.place(entry)
}

// callLeaf emits a call of a leaf, if the callee has one. Scratch register int1 has the callee's
// code. If the callee has no leaf, the code continues after the emitted code. While the leaf runs,
// the registers that the caller still needs are in the frame.
func (e *emitter) callLeaf(in *Instr) {
	c, r := in.Frame, e.f.Calls
	none, gaveUp := e.newLabel(), e.newLabel()
	field := r.CodeLeaf
	if c.Targets != nil {
		field = r.CodeMethod
	}
	e.load(Int64, int2, at(int1, field))
	e.ifZero(int2, none)
	for _, n := range e.live.needs(in.Exit) {
		v := e.f.Vars[n.of]
		s := int1
		if v.Type.Float() {
			s = float0
		}
		e.store(v.Type, e.get(n.in, s), at(frameReg, v.Home))
	}
	for i, reg := range in.Args {
		s := int1
		if e.f.Vars[reg].Type.Float() {
			s = float0
		}
		e.store(e.wide(reg), e.get(reg, s), at(stackReg, -16-8*int32(i)))
	}
	if c.Targets != nil {
		e.mov(int1, e.get(in.Y, int1))
	} else {
		e.load(Int64, int1, at(e.get(in.X, int1), r.ClosureEnv))
	}
	e.callReg(int2)
	e.ifGivenUp(gaveUp)
	e.exits = append(e.exits, pendingExit{from: gaveUp, exit: in.Exit, out: true})
	for _, w := range c.LeafResults {
		s := int0
		if w.Type.Float() {
			s = float0
		}
		if c.LeafWords > 1 {
			t := Int64
			if w.Type.Float() {
				t = Float64
			}
			e.load(t, s, at(stackReg, -16-8*int32(w.Number)))
		}
		e.store(w.Type, s, at(frameReg, w.To))
	}
	e.jmp(e.resumes[e.f.Exits[in.Exit].Next])
	e.set(none)
}

// leafReturn moves the results of a leaf to the places where its callers read them.
func (e *emitter) leafReturn() {
	for i, r := range e.f.Results {
		e.store(e.wide(r), e.get(r, e.scratch(r)), at(stackReg, e.size-8-8*int32(i)))
	}
	e.release(e.size)
	e.ret()
}
