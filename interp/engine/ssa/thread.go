//go:build (linux || darwin) && (amd64 || arm64)

package ssa

import (
	"sync/atomic"
	"unsafe"

	"github.com/gokernel/gokernel/interp/engine/ssa/rtype"
)

// thread is one goroutine of interpreted code.
type thread struct {
	local rtype.Local // first: see threadOf

	// bound is the depth at which the next call or loop looks up: the depth
	// limit, or negative when the thread has been told to stop.
	bound atomic.Int32
	depth int32 // of the running call; 1 is the first

	mask  uint32         // number of entries of the table - 1
	table unsafe.Pointer // to an array of stackEntry, indexed by code.id & mask
	run   *cellRun       // the run of the cell that started the goroutine
	g     atomic.Uintptr // the goroutine, to tell it from those it started

	spareDefers *deferred
	panics      *panicking // passed on by an inner call; see current
	passing     *panicking // that the next call from compiled code may recover
	next        *block     // that code was told to stop before; see check
	logging     *site      // where the record under way was logged; see slogging.go
	failed      *overflow  // what it ends with, whatever recovers it
	grace       int        // deferred calls of stopped code under way

	wait   atomic.Uint32 // see waiting.go
	waits  atomic.Uint64 // how often it has waited
	deep   atomic.Bool   // the stack was too large; see deep.go
	untidy atomic.Bool   // dead slots are to be cleared; see garbage.go
}

// frameStack holds the frames of one function on one thread. The first n are
// in use, ordered by their depth.
type frameStack struct {
	frames []frame
	n      int
	code   *code
	// clearing says that frames have pointers to drop.
	clearing bool
}

func newStack(c *code) *frameStack { return &frameStack{code: c, clearing: c.clearing} }

type stackEntry struct {
	code  *code
	stack *frameStack
}

var emptyTable [1]stackEntry

// labelKey is the key of the label that goroutines of interpreted code have.
const labelKey = "engine"

func newThread(r *cellRun) *thread {
	th := &thread{run: r, table: unsafe.Pointer(&emptyTable)}
	th.local.Init(labelKey, r.engine.label)
	th.bound.Store(int32(r.most))
	return th
}

func (th *thread) entry(id uint32) *stackEntry {
	return (*stackEntry)(unsafe.Add(th.table, uintptr(id&th.mask)*unsafe.Sizeof(stackEntry{})))
}

// enter gives a frame for a call of c, its parameters still to be set.
func (th *thread) enter(c *code) frame { return th.stackOf(c).push(th) }

// stackOf gives the stack of c, with a free frame on it.
func (th *thread) stackOf(c *code) *frameStack {
	e := th.entry(c.id)
	if e.code != c {
		e = th.addStack(c)
	}
	s := e.stack
	if s.n >= len(s.frames) {
		s.grow(th)
	}
	return s
}

// stackAt is stackOf for a place in the code that calls the same function again
// and again: it keeps the stack in the frame. The thread of a frame is always
// the same.
func (th *thread) stackAt(fp frame, site uintptr, c *code) *frameStack {
	s := th.stackOf(c)
	*ref[*frameStack](fp, site) = s
	return s
}

// free reports whether the stack is one of c and has a frame to give.
func (s *frameStack) free(c *code) bool { return s != nil && s.code == c && s.n < len(s.frames) }

// push takes a frame, of which there must be one.
func (s *frameStack) push(th *thread) frame {
	fp := s.frames[s.n]
	s.n++
	th.depth++
	h := head(fp)
	h.depth, h.pc = th.depth, 0
	return fp
}

// pop gives back the frame of the innermost call.
func (s *frameStack) pop(th *thread, fp frame) {
	s.n--
	th.depth--
	if s.clearing {
		s.code.clear(fp)
	}
}

// leave gives back the frame of the innermost call.
func (th *thread) leave(fp frame) { head(fp).stack.pop(th, fp) }

// addStack makes room for c in the table, doubling it until nothing collides.
func (th *thread) addStack(c *code) *stackEntry {
	c.ready()
	if e := th.entry(c.id); e.code == nil && th.table != unsafe.Pointer(&emptyTable) {
		*e = stackEntry{c, newStack(c)}
		return e
	}
	var have []stackEntry
	for _, e := range th.entries() {
		if e.code != nil {
			have = append(have, e)
		}
	}
	have = append(have, stackEntry{c, newStack(c)})
grow:
	for size := max(8, 2*(th.mask+1)); ; size *= 2 {
		table := make([]stackEntry, size)
		for _, e := range have {
			to := &table[e.code.id&(size-1)]
			if to.code != nil {
				continue grow
			}
			*to = e
		}
		th.table, th.mask = unsafe.Pointer(&table[0]), size-1
		return th.entry(c.id)
	}
}

func (th *thread) entries() []stackEntry {
	return unsafe.Slice((*stackEntry)(th.table), th.mask+1)
}

func (s *frameStack) grow(th *thread) {
	fp := s.code.newFrame()
	h := head(fp)
	h.thread, h.stack = th, s
	s.frames = append(s.frames, fp)
}

// detach takes a frame of c from its stack, to set the parameters of a call
// that is made later by adopt.
func (th *thread) detach(c *code) frame {
	e := th.entry(c.id)
	if e.code != c {
		e = th.addStack(c)
	}
	s := e.stack
	if s.n >= len(s.frames) {
		s.grow(th)
	}
	last := len(s.frames) - 1
	fp := s.frames[last]
	s.frames = s.frames[:last]
	return fp
}

// adopt makes a detached frame that of the innermost call.
func (th *thread) adopt(fp frame) {
	h := head(fp)
	s := h.stack
	s.frames = append(s.frames, fp)
	last := len(s.frames) - 1
	s.frames[s.n], s.frames[last] = fp, s.frames[s.n]
	s.n++
	th.depth++
	h.depth, h.pc = th.depth, 0
}

// unwind gives back the frames of calls deeper than depth, which a panic or
// runtime.Goexit has ended.
func (th *thread) unwind(depth int32) {
	for _, e := range th.entries() {
		s := e.stack
		if s == nil {
			continue
		}
		for s.n > 0 && head(s.frames[s.n-1]).depth > depth {
			s.n--
			fp := s.frames[s.n]
			head(fp).rec, head(fp).defers = nil, nil
			s.code.clear(fp)
		}
	}
	th.depth = depth
}

// alive calls f for the frames deeper than depth, in no order.
func (th *thread) alive(depth int32, f func(fp frame)) {
	for _, e := range th.entries() {
		if e.stack == nil {
			continue
		}
		for i := e.stack.n - 1; i >= 0 && head(e.stack.frames[i]).depth > depth; i-- {
			f(e.stack.frames[i])
		}
	}
}
