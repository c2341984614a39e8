//go:build (linux || darwin) && (amd64 || arm64)

package ssa

import (
	"sync"

	"github.com/gokernel/gokernel/interp/engine/ssa/rtype"
)

// A Go program ends that unlocks what is not locked, and the session would end
// with it. So the locks are looked at before: the cell ends with Go's words, at its
// place. A correct program holds the lock that it unlocks, and nobody else can
// unlock it meanwhile, so that what is seen is so.

// fatalError is the panic of what a Go program does not survive. Cell code cannot
// recover it.
type fatalError string

func (e fatalError) Error() string { return string(e) }

// RuntimeError marks e as a [runtime.Error].
func (fatalError) RuntimeError() {}

// unlocks gives the functions that unlock, by their names.
func (e *Engine) unlocks() map[string]any {
	return map[string]any{
		"(*sync.Mutex).Unlock":    func(m *sync.Mutex) { mustBeLocked(m); m.Unlock() },
		"(*sync.RWMutex).Unlock":  func(m *sync.RWMutex) { mustBeLocked(m); m.Unlock() },
		"(*sync.RWMutex).RUnlock": func(m *sync.RWMutex) { mustBeRLocked(m); m.RUnlock() },
		"(*sync.Cond).Wait": func(c *sync.Cond) {
			mustBeLocked(c.L) // which Wait unlocks
			e.sleeping(c.Wait)
		},
	}
}

func mustBeLocked(l sync.Locker) {
	switch l := l.(type) {
	case *sync.Mutex:
		if !rtype.MutexLocked(l) {
			panic(fatalError("sync: unlock of unlocked mutex"))
		}
	case *sync.RWMutex:
		if !rtype.RWMutexLocked(l) {
			panic(fatalError("sync: Unlock of unlocked RWMutex"))
		}
	}
}

func mustBeRLocked(l *sync.RWMutex) {
	if !rtype.RWMutexRLocked(l) {
		panic(fatalError("sync: RUnlock of unlocked RWMutex"))
	}
}
