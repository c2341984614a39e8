package machine

import (
	"time"

	"github.com/gokernel/gokernel/interp/engine/ssa/goroutine"
)

// Calls of interpreted functions are counted, but those of compiled ones between
// them are not: a method MarshalJSON that calls json.Marshal on its own value takes
// some kilobytes of stack a round, and the runtime ends the process at a gigabyte. So
// the stacks of the goroutines of cells are looked at, each by itself: by the
// goroutine after some calls, and by a timer, which asks it to when its stack is large.
// What an earlier cell has left behind, or what the runtime keeps of its stack, is not
// held against another one. Goroutines continue when their cell has ended, and so
// does the looking.

const (
	deepLook = 10 * time.Millisecond
	// eachLook is the time to the next look for each goroutine, some ten times as long as
	// it takes to look at it. No goroutine begins or ends meanwhile: where looks follow
	// each other, those that are many come to nothing else.
	eachLook = time.Microsecond
	// deepStep is how many calls a goroutine makes before it looks at its stack itself.
	deepStep = 20_000
	// deepMost is how much of its stack a goroutine may use. The runtime doubles
	// stacks, and ends the process when one of 512 MB is full; while the rest of it
	// fills, there is time to look.
	deepMost = 320 << 20
)

// firstBound returns the depth at which a new thread looks at its stack.
func (th *Thread) firstBound() int32 { return th.boundAt(deepStep) }

// boundAt is a depth, or what leads to the loop of a thread that makes steps or is
// sampled.
func (th *Thread) boundAt(depth int) int32 {
	switch {
	case th.halt.Load() || th.watched.Load():
		return steppedBound
	case th.Run.M.sampling.Load() != nil:
		return sampledBound
	}
	return int32(min(th.Run.most, depth))
}

// nextBound returns the depth at which a thread that has looked at its stack does so again.
func (th *Thread) nextBound() int32 { return th.boundAt(int(th.Depth) + deepStep) }

// lookEvery is the time between two looks.
func (m *Machine) lookEvery() time.Duration {
	if m.Native() == NativeOn {
		return hotTime
	}
	return deepLook
}

// lookDeep tells the goroutines whose stacks are large to look at them.
func (m *Machine) lookDeep() {
	m.Stir()
	warm := m.Native() == NativeOn
	n := 0
	for _, r := range m.Running.list() {
		r.mu.Lock()
		n += len(r.threads)
		for th := range r.threads {
			// The thread of a goroutine that has ended leaves the run under its lock.
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

// isDeep reports whether the running goroutine, the one of th, uses too much stack.
func (th *Thread) isDeep() bool {
	th.deep.Store(false)
	return goroutine.StackUsed() > deepMost
}
