package machine

import (
	"runtime"
	"time"

	"github.com/gokernel/gokernel/interp/engine/ssa/layout"
)

// A frame keeps the values of its slots alive until the function returns. Code that requests a
// garbage collection expects more: values that are not used any more are garbage. runtime.GC
// therefore first clears the dead slots in the frames of all goroutines. A slot is dead if its
// value has no use after the running op. The liveness is computed on demand, by compiling the
// function once more and recording the uses, so other code does not pay for the computation.

// tidyTime is the maximum time that runtime.GC waits for the other goroutines: a goroutine in a
// compiled call does not respond.
const tidyTime = 10 * time.Millisecond

// Collect implements runtime.GC.
func (m *Machine) Collect() {
	self := m.Thread()
	if self != nil {
		self.clearDead(self.Depth)
	}
	m.tidy(self)
	runtime.GC()
}

// tidy clears the dead slots in the frames of all goroutines but one. It clears them itself for a
// waiting goroutine; a running goroutine clears its own dead slots.
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

// askTidy asks a running thread to clear its dead slots. It returns false if an earlier request is
// still pending, because then no response is to be expected soon.
func (th *Thread) askTidy() bool {
	if th.untidy.Swap(true) {
		return false
	}
	th.Run.mu.Lock()
	defer th.Run.mu.Unlock()
	th.Bound.Store(-1)
	return true
}

// answerTidy clears dead slots if that has been requested. It skips the innermost frame, whose op
// number is not known at the end of a block.
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

// clearDead clears the dead slots of the frames up to a depth. These frames are at calls, or their
// thread waits.
func (th *Thread) clearDead(depth int32) {
	th.alive(0, func(fp layout.Frame) {
		if h := Head(fp); h.PC > 0 && h.depth <= depth {
			h.stack.Code.clearDead(fp)
		}
	})
}

// clearDead clears the dead slots of a frame of the code.
func (c *Code) clearDead(fp layout.Frame) {
	c.deadOnce.Do(func() { c.dead = c.Fn.M.world.FindDead(c) })
	layout.Clear(fp, c.dead(int(Head(fp).PC)-1))
}
