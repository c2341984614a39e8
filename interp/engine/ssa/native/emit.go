//go:build linux && (amd64 || arm64)

package native

import (
	"fmt"
	"unsafe"
)

// Limits on compiled functions.
const (
	maxCode     = 256 << 10 // bytes
	maxSlots    = 1 << 10   // words of the stack
	maxPointers = 64        // stored to the frame at one exit during a collection
)

// departure is a point at which the code exits. It has the number of the exit, and the work that
// the Go side does there.
type departure struct {
	exit     int32 // number of an exit of the function, exitReturned or exitSuspended
	poll     bool
	call     bool    // the call has been abandoned
	out      bool    // it is a call-out
	quick    bool    // callOut runs its operations
	waits    bool    // the operations may wait, or run the user's code
	pointers []int32 // homes of the pointers among the context's words
}

// Values of departure.exit that are not exits of the function.
const (
	exitReturned  = -1
	exitSuspended = -2 // suspended within a body
)

// emitter emits the code of a function and its bodies.
type emitter struct {
	assembler
	cell *owner
	f    *Func // the function or body that is emitted now
	live *liveness
	all  *allocation

	isBody  bool
	isLeaf  bool
	size    int32 // size of the stack of a body
	blocks  []label
	follows int // the block that is emitted next
	exits   []pendingExit
	polls   [][2]label     // polls of a body: the label that a poll jumps to, and the label at which the body resumes
	pending []pendingStore // stores of pointers during a collection
	kept    map[*Instr]saved
	slots   map[Reg]int32 // where calls spill registers

	entries  []label
	again    []int         // by entry: the position of the entry after a call-out, or -1
	resumes  map[int]label // by block: the entries for code
	returns  []pendingReturn
	began    int // the entry for callers in frames
	bodies   []label
	tail     label
	abandon  label // abandons bodies
	full     label // abandons bodies because the stack is full
	suspend  label // suspends a body
	suspends bool

	departures []departure
}

// emitted is the code of a function and its entry points.
type emitted struct {
	text           []byte
	entries        []int
	again          []int // -1: none
	departures     []departure
	resume, giveUp int
	slots          int32 // words of the stack
	start          int   // the entry for callers in frames
	leaf           int   // the entry for callers without a frame, or -1
	leafForGo      int   // the same for Go
}

// pendingExit is an exit whose code comes after the function's code.
type pendingExit struct {
	from    label
	exit    int32
	poll    bool
	call    bool
	out     bool
	returns bool
	stores  []need
	// restore lists the registers that a call has spilled.
	restore []Reg
}

// emit returns the code of a function.
func emit(f *Func, c *owner) (code *emitted, err error) {
	defer func() {
		switch v := recover().(type) {
		case nil:
		case refusal:
			err = v
		default:
			panic(v)
		}
	}()
	e := &emitter{cell: c}
	for _, l := range []*label{&e.tail, &e.abandon, &e.full, &e.suspend} {
		*l = e.newLabel()
	}
	for range f.Bodies {
		e.bodies = append(e.bodies, e.newLabel())
	}
	e.begin(f)
	slots := e.all.slots
	if slots > maxSlots {
		return nil, refusal("too many variables")
	}
	e.suspends = e.maySuspend()
	e.begins()
	e.blocksOf()
	e.leave()
	e.isBody = true
	for i, b := range f.Bodies {
		e.body(b, e.bodies[i])
	}
	code = &emitted{slots: slots}
	code.resume, code.giveUp = e.stops(slots)
	code.start, code.leaf, code.leafForGo = e.began, -1, -1
	if f.Leaf != nil {
		code.leaf, code.leafForGo = e.leafBody(f.Leaf)
	}
	code.text, code.departures = e.text(), e.departures
	for _, l := range e.entries {
		code.entries = append(code.entries, e.place(l))
	}
	code.again = e.again
	return code, nil
}

// begin begins a function.
func (e *emitter) begin(f *Func) {
	findNeeds(f)
	dropRepeats(f)
	chargePolls(f)
	cut(f)
	rotate(f)
	findLive(f).prune()
	skipEmpty(f)
	e.f, e.live = f, findLive(f)
	e.all = allocate(e.live, intRegs, floatRegs)
	e.blocks, e.exits, e.polls, e.pending = nil, nil, nil, nil
	for range f.Blocks {
		e.blocks = append(e.blocks, e.newLabel())
	}
	e.prepare()
}

// cut splits the blocks after their call-outs. After a call-out, Go enters the next block, which
// loads the registers from their homes.
func cut(f *Func) {
	for i := range f.Blocks {
		b := &f.Blocks[i]
		if n := len(b.Instrs); n > 0 && b.Instrs[n-1].Op >= CallOut {
			b.End = Stop
		}
	}
}

// blocksOf emits the blocks.
func (e *emitter) blocksOf() {
	for n, i := range e.f.Order {
		if e.live.reached[i] {
			e.follows = e.behind(n)
			e.block(i)
		}
		if e.here() > maxCode {
			panic(refusal("too long"))
		}
	}
}

// begins emits the entries: their code switches to the stack of the context and loads the live
// registers.
func (e *emitter) begins() {
	e.resumes = map[int]label{}
	for _, b := range e.f.Entries {
		e.resumes[b] = e.newLabel()
	}
	outs := map[int]bool{}
	for i := range e.f.Exits {
		if e.f.Exits[i].quick(e.f) {
			outs[e.f.Exits[i].Next] = true
		}
	}
	for _, b := range e.f.Entries {
		if e.again = append(e.again, -1); outs[b] {
			e.again[len(e.again)-1] = e.here()
			e.arrive()
			e.load(Int32, workReg, at(contextReg, contextLeft))
			e.jmp(e.resumes[b])
		}
		l := e.newLabel()
		e.set(l)
		e.entries = append(e.entries, l)
		e.arrive()
		e.movImm(workReg, pollWork)
		e.set(e.resumes[b])
		e.load(Int64, stackReg, at(contextReg, contextStack))
		if e.all.slots > 0 {
			e.take(e.all.slots * 8)
		}
		e.live.each(e.live.in[b], func(r Reg) {
			v := e.f.Vars[r]
			if v.Const {
				e.constant(&Instr{Op: Const, Type: v.Type, D: r, Imm: v.Value})
				return
			}
			if !v.Placed {
				panic(refusal(fmt.Sprintf("variable %d is needed at block %d and has no home", r, b)))
			}
			d := e.dest(r)
			e.load(v.Type, d, at(frameReg, v.Home))
			e.done(r, d)
		})
		e.jmp(e.blocks[b])
	}
	if f := e.f; f.Callable {
		e.began = e.start(f, e.resumes[f.Entries[f.Start]])
	}
}

// slot returns the stack slot of a variable.
func (e *emitter) slot(r Reg) mem { return at(stackReg, e.all.place[r].slot*8) }

// dest returns the register in which to compute a variable; done stores the register at the
// variable's location.
func (e *emitter) dest(r Reg) uint8 {
	switch {
	case e.all.place[r].kind == inReg:
		return e.all.place[r].reg
	case e.f.Vars[r].Type.Float():
		return float0
	}
	return int0
}

func (e *emitter) done(r Reg, d uint8) {
	if e.all.place[r].kind == onStack {
		t := Int64
		if e.f.Vars[r].Type.Float() {
			t = Float64
		}
		e.store(t, d, e.slot(r))
	}
}

// get returns the register that a variable is in, or loads it into a scratch register.
func (e *emitter) get(r Reg, scratch uint8) uint8 {
	if r == Frame {
		return frameReg
	}
	switch p := e.all.place[r]; p.kind {
	case inReg:
		return p.reg
	case onStack:
		t := Int64
		if e.f.Vars[r].Type.Float() {
			t = Float64
		}
		e.load(t, scratch, e.slot(r))
	default:
		panic(fmt.Sprintf("native: variable %d has no place", r))
	}
	return scratch
}

// block emits a block.
func (e *emitter) block(i int) {
	b := &e.f.Blocks[i]
	e.set(e.blocks[i])
	for k := range b.Instrs {
		in := &b.Instrs[k]
		if in.leaves() {
			if in.Op == CallFrame {
				e.callFrame(in)
				return
			}
			e.check(in)
			if in.Op == Leave || in.Op == CallOut {
				return
			}
			continue
		}
		if in.Op == CallGo || in.Op == CallHelper {
			e.callTo(in)
			continue
		}
		if in.Op == StorePtr {
			e.storePointer(in)
			continue
		}
		e.instr(in)
	}
	switch b.End {
	case Jump:
		e.goTo(b.Next[0])
	case Branch:
		e.branch(&b.Test, b.Next)
	case Return:
		if e.isBody {
			e.bodyReturn()
			return
		}
		e.departures = append(e.departures, departure{exit: exitReturned})
		x := pendingExit{exit: exitReturned}
		for _, r := range e.f.Results {
			if e.live.dirty.Has(int(r)) {
				x.stores = append(x.stores, need{of: r, in: r})
			}
		}
		x.returns = e.f.Callable
		e.exit(x, len(e.departures)-1)
	}
}

// behind returns the block that is emitted after the nth block.
func (e *emitter) behind(n int) int {
	for _, i := range e.f.Order[n+1:] {
		if e.live.reached[i] {
			return i
		}
	}
	return -1
}

// goTo jumps to a block, unless that block comes next.
func (e *emitter) goTo(to int) {
	if e.follows != to {
		e.jmp(e.blocks[to])
	}
}

// check emits an instruction that may take its exit.
func (e *emitter) check(in *Instr) {
	switch {
	case in.Op == Call:
		e.callTo(in)
		return
	case e.isBody && in.Op == Poll:
		e.poll(in.Imm)
		return
	case e.isBody:
		e.checkAt(in, e.abandon)
		return
	}
	l := e.newLabel()
	e.exits = append(e.exits, pendingExit{from: l, exit: in.Exit, poll: in.Op == Poll, out: in.Op == CallOut, stores: e.live.needs(in.Exit)})
	e.checkAt(in, l)
}

// leave emits the exits and the return to Go.
func (e *emitter) leave() {
	e.slowStores()
	for _, x := range e.exits {
		e.departures = append(e.departures, departure{exit: x.exit, poll: x.poll, call: x.call, out: x.out})
		e.set(x.from)
		e.restore(x.restore)
		e.exit(x, len(e.departures)-1)
	}
	e.comeBack()
	e.set(e.tail)
	e.store(Int32, workReg, at(contextReg, contextLeft))
	e.store(Int64, frameReg, at(contextReg, contextFrame))
	e.movImm(int1, int64(uintptr(unsafe.Pointer(e.cell))))
	e.store(Int64, int1, at(contextReg, contextCell))
	e.depart()
}

// exit stores in the frame the registers that the interpreter needs, and exits. While the write
// barrier is on, it stores pointers in the context instead; land then moves them to the frame.
func (e *emitter) exit(x pendingExit, number int) {
	d := &e.departures[number]
	id := int64(number)
	if x.out {
		d.quick, d.waits = e.f.Exits[x.exit].quick(e.f), e.f.Exits[x.exit].Waits
		if d.quick {
			id |= outFlag
		}
	}
	var pointers []need
	for _, n := range x.stores {
		v := e.f.Vars[n.of]
		if v.Type == Pointer {
			pointers = append(pointers, n)
			continue
		}
		scratch := int0
		if v.Type.Float() {
			scratch = float0
		}
		e.store(v.Type, e.get(n.in, scratch), at(frameReg, v.Home))
	}
	if len(pointers) > maxPointers {
		panic(refusal("too many pointers"))
	}
	if len(pointers) > 0 || x.returns {
		barrier := e.newLabel()
		e.ifBarrier(barrier)
		for _, n := range pointers {
			e.store(Int64, e.get(n.in, int0), at(frameReg, e.f.Vars[n.of].Home))
		}
		if x.returns {
			toGo := e.newLabel()
			e.returnFrame(toGo)
			e.set(toGo)
		}
		e.movImm(int0, id)
		e.jmp(e.tail)
		e.set(barrier)
		for i, n := range pointers {
			e.store(Int64, e.get(n.in, int0), at(contextReg, contextWords+8*int32(i)))
			d.pointers = append(d.pointers, e.f.Vars[n.of].Home)
		}
	}
	if len(pointers) > 0 {
		id |= landFlag
	}
	e.movImm(int0, id)
	e.jmp(e.tail)
}

// quick reports whether callOut runs the operations of an exit, so that enter need not return for
// them.
func (x *Exit) quick(f *Func) bool { return x.Ops > 0 && x.Called == nil && f.Calls != nil }

// log2 returns n for the power of two 1<<n.
func log2(v uint64) (n uint8) {
	for v > 1 {
		v >>= 1
		n++
	}
	return n
}
