package machine

import (
	"runtime"
	"time"

	"github.com/gokernel/gokernel/interp/engine/ssa/layout"
)

// A frame keeps what its slots have pointed to until the function returns.
// Code that asks for a garbage collection expects more: values that are not
// used any more are garbage. So runtime.GC first has the slots cleared, in the
// frames of all goroutines, whose values have no use behind the running op. What
// it needs to know is computed then, by compiling the function once more and
// listening, so that no other code pays for it.

// tidyTime bounds the wait of runtime.GC for the other goroutines: one that is
// in a compiled call does not answer.
const tidyTime = 10 * time.Millisecond

// Collect is runtime.GC.
func (m *Machine) Collect() {
	self := m.Thread()
	if self != nil {
		self.clearDead(self.Depth)
	}
	m.tidy(self)
	runtime.GC()
}

// tidy has dead slots cleared in the frames of all goroutines but one: here
// where a goroutine is waiting, by itself where it is running.
func (m *Machine) tidy(but *Thread) {
	var asked []*Thread
	for _, th := range m.threads() {
		if th == but || th.inspect(func() { th.clearDead(th.Depth) }) {
			continue
		}
		if th.askTidy() {
			asked = append(asked, th)
		}
	}
	deadline := time.Now().Add(tidyTime)
	for _, th := range asked {
		for th.untidy.Load() && time.Now().Before(deadline) {
			time.Sleep(20 * time.Microsecond)
		}
	}
}

// askTidy asks a running thread to clear its dead slots. It reports whether an
// answer may come soon: not when an earlier request has not been answered.
func (th *Thread) askTidy() bool {
	if th.untidy.Swap(true) {
		return false
	}
	th.Run.mu.Lock()
	defer th.Run.mu.Unlock()
	th.Bound.Store(-1)
	return true
}

// answerTidy clears dead slots if somebody has asked for it. The number of the
// innermost frame's op is not known at the end of a block, so that it is left.
func (th *Thread) answerTidy() {
	if !th.untidy.Load() {
		return
	}
	if th.failed == nil {
		th.resetBound()
	}
	th.clearDead(th.Depth - 1)
	th.untidy.Store(false)
}

// clearDead clears the dead slots of the frames up to a depth, which are at
// calls or waiting.
func (th *Thread) clearDead(depth int32) {
	th.alive(0, func(fp layout.Frame) {
		if h := Head(fp); h.PC > 0 && h.depth <= depth {
			h.stack.Code.clearDead(fp)
		}
	})
}

// clearDead clears the slots of a frame of the code.
func (c *Code) clearDead(fp layout.Frame) {
	c.deadOnce.Do(func() { c.dead = c.Fn.M.world.FindDead(c) })
	layout.Clear(fp, c.dead(int(Head(fp).PC)-1))
}
