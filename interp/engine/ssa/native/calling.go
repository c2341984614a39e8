//go:build linux && (amd64 || arm64)

package native

import "unsafe"

// callWeight is the work of a call in a frame.
const callWeight = 16

// pendingReturn is the place to which a callee returns.
type pendingReturn struct {
	at   label
	in   *Instr
	next label // where the code continues
}

// callFrame emits a call in a frame of its own. If the call cannot be made, the code leaves at the
// exit.
func (e *emitter) callFrame(in *Instr) {
	c, r := in.Frame, e.f.Calls
	out := e.newLabel()
	needs := e.live.needs(in.Exit)
	e.exits = append(e.exits, pendingExit{from: out, exit: in.Exit, out: true, stores: needs})
	e.ifBarrier(out)
	thread := func(d uint8) { e.load(Int64, d, at(frameReg, r.FrameThread)) }

	// The depth must be below the bound.
	thread(int0)
	e.load(Int32, int1, at(int0, r.ThreadDepth))
	e.load(Int32, int2, at(int0, r.ThreadBound))
	e.ifNotLess(int1, int2, out)

	// Load the code that the callee has now.
	if c.Function != nil {
		e.movImm(int0, int64(uintptr(c.Function)))
		e.load(Int64, int0, at(int0, r.FunctionCode))
		e.movImm(int1, int64(uintptr(c.Code)))
		e.ifDiffers(int0, int1, out)
	} else if c.Targets != nil {
		e.target(in, out)
	} else {
		x := e.get(in.X, int0)
		e.ifZero(x, out)
		e.load(Int64, int1, at(x, 0))
		e.movImm(int2, int64(r.ClosurePC))
		e.ifDiffers(int1, int2, out)
		e.load(Int64, int1, at(x, r.ClosureFn))
		e.load(Int64, int1, at(int1, r.FunctionCode))
	}
	if c.Leaf {
		e.callLeaf(in)
	}
	e.load(Int64, int0, at(int1, r.CodeStart))
	e.ifZero(int0, out)

	// Load the callee's stack of frames, and take a free frame.
	thread(int0)
	e.load(Uint32, int2, at(int0, r.ThreadMask))
	e.load(Uint32, int0, at(int1, r.CodeID))
	e.and(int2, int0)
	e.shiftLeft(int2, bitsOfEntry)
	thread(int0)
	e.load(Int64, int0, at(int0, r.ThreadTable))
	e.lea(int2, mem{base: int0, index: int2, scale: 1})
	e.load(Int64, int0, at(int2, r.EntryCode))
	e.ifDiffers(int0, int1, out)
	e.load(Int64, int2, at(int2, r.EntryStack))
	e.load(Int64, int0, at(int2, r.StackN))
	e.load(Int64, int1, at(int2, r.StackLen))
	e.ifNotLess(int0, int1, out)

	// From here on, nothing can fail.
	e.lea(int0, at(int0, 1))
	e.store(Int64, int0, at(int2, r.StackN))
	e.load(Int64, int2, at(int2, r.StackFrames))
	e.load(Int64, int0, mem{base: int2, index: int0, scale: 8, disp: -8})
	thread(int2)
	e.load(Uint32, int1, at(int2, r.ThreadDepth))
	e.lea(int1, at(int1, 1))
	e.store(Int32, int1, at(int2, r.ThreadDepth))
	e.store(Int64, int1, at(int0, r.FrameDepth)) // also sets the PC, which is the next word, to 0
	e.store(Int64, frameReg, at(int0, r.FrameCaller))
	back := pendingReturn{e.newLabel(), in, e.resumes[e.f.Exits[in.Exit].Next]}
	e.returns = append(e.returns, back)
	e.placeOf(int1, back.at)
	e.store(Int64, int1, at(int0, r.FrameReturn))
	e.movImm(int1, int64(uintptr(unsafe.Pointer(e.cell))))
	e.store(Int64, int1, at(int0, r.FrameCode))
	e.movImm(int1, int64(in.Exit))
	e.store(Int32, int1, at(int0, r.FrameSite))
	e.movImm(int1, int64(c.PC))
	e.store(Int32, int1, at(frameReg, r.FramePC))
	scratch := func(t Type) uint8 {
		if t.Float() {
			return float0
		}
		return int1
	}
	for _, n := range needs {
		if v := e.f.Vars[n.of]; !n.op {
			e.store(v.Type, e.get(n.in, scratch(v.Type)), at(frameReg, v.Home))
		}
	}
	for i, a := range c.Args {
		s := scratch(a.Type)
		if reg := in.Args[i]; reg != None {
			s = e.get(reg, s)
		} else {
			e.load(a.Type, s, at(frameReg, a.From))
		}
		e.store(a.Type, s, at(int0, a.To))
	}
	if c.Targets != nil {
		e.receiver(in)
	}
	if c.Function != nil {
		e.movImm(int2, int64(uintptr(c.Code)))
	} else {
		if c.Targets == nil {
			e.load(Int64, int1, at(e.get(in.X, int1), r.ClosureEnv))
		}
		e.load(Int64, int2, at(int0, r.FrameStack))
		e.load(Int64, int2, at(int2, r.StackCode))
	}
	e.load(Int64, int2, at(int2, r.CodeStart))
	e.mov(frameReg, int0)
	e.jmpTo(int2)
}

// Offsets in a Target.
const (
	targetTable = int32(unsafe.Offsetof(Target{}.Table))
	targetFn    = int32(unsafe.Offsetof(Target{}.Function))
	targetWords = int32(unsafe.Offsetof(Target{}.Words))
	targetTo    = int32(unsafe.Offsetof(Target{}.To))
)

// target loads the code of a call through an interface to int1, and the address of the target to
// the context.
func (e *emitter) target(in *Instr, out label) {
	x := e.get(in.X, int0)
	e.ifZero(x, out)
	e.mov(int1, x)
	e.mov(int2, x)
	e.shiftRight(int1, 5)
	e.shiftRight(int2, 9)
	e.xor(int1, int2)
	e.movImm(int2, int64(len(Targets{})-1))
	e.and(int1, int2)
	e.movImm(int2, int64(uintptr(unsafe.Pointer(in.Frame.Targets))))
	e.load(Int64, int1, mem{base: int2, index: int1, scale: 8})
	e.ifZero(int1, out)
	e.load(Int64, int2, at(int1, targetTable))
	e.ifDiffers(int2, x, out)
	e.store(Int64, int1, at(contextReg, contextWords))
	direct := e.newLabel()
	e.load(Int64, int2, at(int1, targetWords))
	e.ifZero(int2, direct)
	e.ifZero(e.get(in.Y, int2), out)
	e.set(direct)
	e.load(Int64, int1, at(int1, targetFn))
	e.load(Int64, int1, at(int1, e.f.Calls.FunctionCode))
}

// receiver stores the receiver in the callee's frame; int0 points to the frame.
func (e *emitter) receiver(in *Instr) {
	done, direct := e.newLabel(), e.newLabel()
	target := func() { e.load(Int64, int1, at(contextReg, contextWords)) }
	target()
	e.load(Int64, int2, at(int1, targetTo))
	e.lea(int2, mem{base: int0, index: int2, scale: 1})
	e.load(Int64, int1, at(int1, targetWords))
	e.ifZero(int1, direct)
	for k := range int32(maxReceiver) {
		if k > 0 {
			target()
			e.load(Int64, int1, at(int1, targetWords))
			e.lea(int1, at(int1, -k))
			e.ifZero(int1, done)
		}
		e.load(Int64, int1, at(e.get(in.Y, int1), 8*k))
		e.store(Int64, int1, at(int2, 8*k))
	}
	e.jmp(done)
	e.set(direct)
	e.store(Int64, e.get(in.Y, int1), at(int2, 0))
	e.set(done)
}

// comeBack emits the code to which callees return. At these places, the write barrier is off.
func (e *emitter) comeBack() {
	r := e.f.Calls
	for _, b := range e.returns {
		c := b.in.Frame
		e.set(b.at)
		e.mov(int0, frameReg)
		e.load(Int64, frameReg, at(int0, r.FrameCaller))
		for _, w := range c.Results {
			s := int1
			if w.Type.Float() {
				s = float0
			}
			e.load(w.Type, s, at(int0, w.From))
			e.store(w.Type, s, at(frameReg, w.To))
		}
		e.movImm(int2, 0)
		for _, off := range c.Clears {
			e.store(Int64, int2, at(int0, off))
		}
		e.store(Int64, int2, at(int0, r.FrameReturn))
		e.load(Int64, int1, at(int0, r.FrameStack))
		e.load(Int64, int2, at(int1, r.StackN))
		e.lea(int2, at(int2, -1))
		e.store(Int64, int2, at(int1, r.StackN))
		e.load(Int64, int1, at(frameReg, r.FrameThread))
		e.load(Int32, int2, at(int1, r.ThreadDepth))
		e.lea(int2, at(int2, -1))
		e.store(Int32, int2, at(int1, r.ThreadDepth))
		e.jmp(b.next)
	}
}

// start emits the entry for callers in frames. Scratch register int1 has the captured variables.
func (e *emitter) start(f *Func, to label) int {
	at0 := e.newLabel()
	e.set(at0)
	e.entered()
	for _, w := range f.Captured {
		s := int0
		if w.Type.Float() {
			s = float0
		}
		e.load(w.Type, s, at(int1, w.From))
		e.store(w.Type, s, at(frameReg, w.To))
	}
	stop := e.newLabel()
	if len(f.Bodies) > 0 {
		e.load(Int64, int0, at(contextReg, contextRoomy))
		e.ifZero(int0, stop)
	}
	e.countDown(min(callWeight+workOf(f)/4, mostWork), stop)
	e.jmp(to)
	e.set(stop)
	e.departures = append(e.departures, departure{exit: f.StartExit, poll: true})
	e.movImm(int0, int64(len(e.departures)-1))
	e.jmp(e.tail)
	return e.place(at0)
}

// returnFrame jumps back to the caller if the caller is JIT-compiled code and the write barrier is
// off. It may use the scratch registers.
func (e *emitter) returnFrame(toGo label) {
	r := e.f.Calls
	e.load(Int64, int1, at(frameReg, r.FrameReturn))
	e.ifZero(int1, toGo)
	e.movImm(int2, 0)
	for _, off := range e.f.Clears {
		e.store(Int64, int2, at(frameReg, off))
	}
	e.jmpTo(int1)
}
