//go:build (linux || darwin) && (amd64 || arm64)

package ssa

import (
	"reflect"
	"sync"
	"sync/atomic"
	"unsafe"
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

// Where package sync keeps the states of its locks.
var (
	mutexState  = stateOf[sync.Mutex]("mu", "state")
	readerCount = stateOf[sync.RWMutex]("readerCount", "v")
)

const (
	lockedBit  = 1       // of mutexState
	maxReaders = 1 << 30 // what a writer takes from readerCount
)

// state is an int32 in a struct T.
type state[T any] struct{ off uintptr }

// stateOf finds a field by its name, and by the names of the structs around it.
// It panics if there is none: package sync is not what this one knows.
func stateOf[T any](path ...string) state[T] {
	t, off := reflect.TypeFor[T](), uintptr(0)
	for _, name := range path {
		f, ok := t.FieldByName(name)
		if !ok {
			panic("ssa: " + t.String() + " has no field " + name)
		}
		t, off = f.Type, off+f.Offset
	}
	if t.Kind() != reflect.Int32 {
		panic("ssa: the state of " + reflect.TypeFor[T]().String() + " is of type " + t.String())
	}
	return state[T]{off}
}

func (s state[T]) of(x *T) int32 {
	return atomic.LoadInt32((*int32)(unsafe.Add(unsafe.Pointer(x), s.off)))
}

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
		if mutexState.of(l)&lockedBit == 0 {
			panic(fatalError("sync: unlock of unlocked mutex"))
		}
	case *sync.RWMutex:
		if readerCount.of(l) >= 0 {
			panic(fatalError("sync: Unlock of unlocked RWMutex"))
		}
	}
}

func mustBeRLocked(l *sync.RWMutex) {
	if n := readerCount.of(l); n == 0 || n == -maxReaders {
		panic(fatalError("sync: RUnlock of unlocked RWMutex"))
	}
}
