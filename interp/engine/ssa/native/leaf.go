//go:build linux && (amd64 || arm64)

package native

import (
	"runtime"
	"unsafe"
)

// A leaf is a second form of a function that calls nothing and has no loop. Code calls a leaf
// without a frame, through a func value or as a method of an interface. A leaf is a body (calls.go)
// with an entry of its own. The leaf's captured variables, or its receiver, are at the address in a
// scratch register. A leaf that gives up has changed nothing.

// leafRoom is the space on the stack for a leaf, in bytes.
const leafRoom = 1 << 10

// leafSlots is the maximum number of slots of a leaf.
const leafSlots = leafRoom/8 - 16

// leafBody emits a leaf. It returns its entries for code and for Go; an entry that does not exist
// is -1. A leaf that needs too many slots has no entries.
func (e *emitter) leafBody(f *Func) (entry, forGo int) {
	e.begin(f)
	size := e.all.slots + int32(max(len(f.Params), len(f.Results), 1))
	if size > leafSlots {
		return -1, -1
	}
	e.isBody, e.isLeaf, e.size, e.abandon = true, true, size*8, e.newLabel()
	begin := e.newLabel()
	e.set(begin)
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
	e.charge(workOf(f)) // it has no loop, so it may overrun the budget
	e.params(f)
	e.blocksOf()
	e.set(e.abandon)
	e.release(e.size)
	e.setCarry()
	e.ret()
	e.slowStores()
	return e.place(begin), e.leafForGo(f, begin)
}

// leafForGo emits an entry at which Go calls a leaf. Go passes the address for the scratch register
// and the arguments in the context's words. The leaf returns there its result, and whether it has
// one. leafForGo returns -1 if the leaf does not have one result in an integer register.
func (e *emitter) leafForGo(f *Func, entry label) int {
	if len(f.Results) != 1 || f.Vars[f.Results[0]].Type.Float() || len(f.Params) > maxLeafArgs {
		return -1
	}
	word := func(i int) mem { return at(contextReg, contextWords+8*int32(i)) }
	forGo, gaveUp := e.newLabel(), e.newLabel()
	e.set(forGo)
	e.arrive()
	e.movImm(workReg, pollWork)
	e.load(Int64, stackReg, at(contextReg, contextStack))
	for i := range f.Params {
		e.load(Int64, int0, word(1+i))
		e.store(Int64, int0, at(stackReg, -16-8*int32(i)))
	}
	e.load(Int64, int1, word(0))
	e.call(entry)
	e.ifGivenUp(gaveUp)
	e.store(Int64, int0, word(0))
	e.movImm(int0, 1)
	e.store(Int64, int0, word(1))
	e.movImm(int0, 0)
	e.jmp(e.tail)
	e.set(gaveUp)
	e.movImm(int0, 0)
	e.store(Int64, int0, word(1))
	e.jmp(e.tail)
	return e.place(forGo)
}

// maxLeafArgs is the maximum number of arguments that Go passes to a leaf.
const maxLeafArgs = 2

// CallLeaf calls the form of the function without a frame: env has the captured variables, and x
// and y are the arguments, which are not pointers. CallLeaf returns false, and has changed nothing,
// if there is no such form for Go or if the form gives up. The context needs only a small stack.
func (c *Code) CallLeaf(ctx *Context, env unsafe.Pointer, x, y uintptr) (result uintptr, ok bool) {
	if c.leafForGo == 0 {
		return 0, false
	}
	ctx.frame, ctx.flag = nil, barrierFlag
	ctx.words[0], ctx.words[1], ctx.words[2] = uintptr(env), x, y
	enter(ctx, c.leafForGo)
	runtime.KeepAlive(c)
	runtime.KeepAlive(env)
	return ctx.words[0], ctx.words[1] != 0
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
		if reg == None { // a part of a struct in the frame
			w := c.Args[i]
			t := w.Type
			switch t {
			case Float32:
				t = Uint32
			case Float64:
				t = Uint64
			}
			e.load(t, s, at(frameReg, w.From))
			e.store(Int64, s, at(stackReg, -16-8*int32(i)))
			continue
		}
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
