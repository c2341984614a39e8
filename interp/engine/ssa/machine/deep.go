package machine

import (
	"time"

	"github.com/gokernel/gokernel/interp/engine/ssa/goroutine"
)

// The engine counts calls of interpreted functions, but not the compiled calls between them. A
// method MarshalJSON that calls json.Marshal on its own value takes a few kilobytes of stack per
// recursion, and the runtime ends the process when a stack reaches a gigabyte. The engine therefore
// checks the stack of each goroutine of a cell: the goroutine itself checks its stack after some
// number of calls, and a timer requests a check when the stack is large. Each goroutine counts only
// for itself, so stacks of an abandoned cell, or memory that the runtime keeps for its stack, do
// not count against another goroutine. Goroutines can outlive their cell, and the checks of their
// stacks continue until the goroutines end.

const (
	deepLook = 10 * time.Millisecond
	// eachLook is the time that each goroutine adds to the interval between checks, about ten times
	// the duration of its check. No goroutine begins or ends during a check, so many goroutines
	// would make no progress if checks followed each other without a pause.
	eachLook = time.Microsecond
	// deepStep is the number of calls that a goroutine makes before it checks its stack itself.
	deepStep = 20_000
	// deepMost is the maximum number of bytes of its stack that a goroutine may use. The runtime
	// doubles stacks, and ends the process when one of 512 MB is full. While the rest of the stack
	// fills, there is time for a check.
	deepMost = 320 << 20
)

// firstBound returns the depth at which a new thread checks its stack.
func (th *Thread) firstBound() int32 { return th.boundAt(deepStep) }

// boundAt returns depth or the depth limit, whichever is lower. For a thread that makes steps or is
// sampled, boundAt returns the bound that switches to the loop for steps or samples.
func (th *Thread) boundAt(depth int) int32 {
	switch {
	case th.halt.Load() || th.watched.Load():
		return steppedBound
	case th.Run.M.sampling.Load() != nil:
		return sampledBound
	}
	return int32(min(th.Run.most, depth))
}

// nextBound returns the depth at which a thread that has checked its stack checks the stack again.
func (th *Thread) nextBound() int32 { return th.boundAt(int(th.Depth) + deepStep) }

// lookEvery returns the interval between two checks.
func (m *Machine) lookEvery() time.Duration {
	if m.Native() == NativeOn {
		return hotTime
	}
	return deepLook
}

// lookDeep asks the goroutines whose stacks are large to check them.
func (m *Machine) lookDeep() {
	m.Stir()
	warm := m.Native() == NativeOn
	n := 0
	for _, r := range m.Running.list() {
		r.mu.Lock()
		n += len(r.threads)
		for th := range r.threads {
			// The thread of an ended goroutine leaves the run under the run's lock.
			if g := th.g.Load(); g != 0 && goroutine.StackSize(g) > deepMost {
				th.deep.Store(true)
				th.Bound.Store(-1)
			}
			if warm && th.Bound.Load() >= 0 && th.wait.Load() == Running {
				th.hot.Store(true)
				th.Bound.Store(-1)
			}
		}
		r.mu.Unlock()
	}
	m.Running.lookAgain(max(m.lookEvery(), time.Duration(n)*eachLook))
}

// isDeep reports whether the running goroutine, which is the goroutine of th, uses too much stack.
func (th *Thread) isDeep() bool {
	th.deep.Store(false)
	return goroutine.StackUsed() > deepMost
}
