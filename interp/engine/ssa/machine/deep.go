//go:build (linux || darwin) && (amd64 || arm64)

package machine

import (
	"time"

	"github.com/gokernel/gokernel/interp/engine/ssa/rtype"
)

// Calls of interpreted functions are counted, but those of compiled ones between
// them are not: a method MarshalJSON that calls json.Marshal on its own value takes
// some kilobytes of stack a round, and the runtime ends the process at a gigabyte. So
// the stacks of the goroutines of cells are looked at, each by itself: what an
// earlier cell has left behind, or what the runtime keeps of its stack, is not
// held against another one. Goroutines go on when their cell has ended, and so
// does the looking.

const (
	deepLook = 10 * time.Millisecond
	// deepMost is the largest stack that a goroutine may have. The next one is of
	// twice the size; while it fills, there is time to look.
	deepMost = 256 << 20
)

// lookDeep tells the goroutines whose stacks are too large.
func (m *Machine) lookDeep() {
	if !m.Running.lookAgain() {
		return
	}
	for _, r := range m.Running.list() {
		r.mu.Lock()
		for th := range r.threads {
			// The thread of a goroutine that has ended leaves the run under its lock.
			if g := th.g.Load(); g != 0 && rtype.StackSize(g) > deepMost {
				th.deep.Store(true)
				th.Bound.Store(-1)
			}
		}
		r.mu.Unlock()
	}
}

// isDeep reports whether the stack of the running goroutine, the one of th, is too
// large.
func (th *Thread) isDeep() bool {
	return th.deep.Swap(false) && rtype.StackSize(rtype.Goroutine()) > deepMost
}
