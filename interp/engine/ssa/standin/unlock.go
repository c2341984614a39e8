package standin

import (
	"sync"

	"github.com/gokernel/gokernel/interp/engine/ssa/machine"
)

// Unlocking an unlocked lock is a fatal error in Go and would kill the session. The stand-ins
// therefore check the lock first: the cell ends with Go's message at its position. A correct
// program holds the lock that it unlocks, and no other goroutine can unlock the lock during the
// check, so the result is reliable.

// unlocks returns the functions that unlock a lock, by their names.
func (s *Set) unlocks() map[string]any {
	return map[string]any{
		"(*sync.Mutex).Unlock":    func(m *sync.Mutex) { mustBeLocked(m); m.Unlock() },
		"(*sync.RWMutex).Unlock":  func(m *sync.RWMutex) { mustBeLocked(m); m.Unlock() },
		"(*sync.RWMutex).RUnlock": func(m *sync.RWMutex) { mustBeRLocked(m); m.RUnlock() },
		"(*sync.Cond).Wait": func(c *sync.Cond) {
			mustBeLocked(c.L) // which Wait unlocks
			s.m.Sleeping(c.Wait)
		},
	}
}

func mustBeLocked(l sync.Locker) {
	switch l := l.(type) {
	case *sync.Mutex:
		if !mutexLocked(l) {
			machine.End(machine.FatalError("sync: unlock of unlocked mutex"))
		}
	case *sync.RWMutex:
		if !rwMutexLocked(l) {
			machine.End(machine.FatalError("sync: Unlock of unlocked RWMutex"))
		}
	}
}

func mustBeRLocked(l *sync.RWMutex) {
	if !rwMutexRLocked(l) {
		machine.End(machine.FatalError("sync: RUnlock of unlocked RWMutex"))
	}
}

// locks returns the functions that wait for other goroutines, by name.
func (s *Set) locks() map[string]any {
	return map[string]any{
		"(*sync.Mutex).Lock": func(m *sync.Mutex) {
			if !m.TryLock() {
				s.m.Sleeping(m.Lock)
			}
		},
		"(*sync.RWMutex).Lock": func(m *sync.RWMutex) {
			if !m.TryLock() {
				s.m.Sleeping(m.Lock)
			}
		},
		"(*sync.RWMutex).RLock": func(m *sync.RWMutex) {
			if !m.TryRLock() {
				s.m.Sleeping(m.RLock)
			}
		},
		"(*sync.WaitGroup).Wait": func(w *sync.WaitGroup) { s.m.Sleeping(w.Wait) },
	}
}
