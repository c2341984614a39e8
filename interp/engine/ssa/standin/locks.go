package standin

import (
	"reflect"
	"sync"
	"sync/atomic"
	"unsafe"
)

// Package sync does not report whether a lock is held. If its locks are not as expected, all of
// them count as held. An extra unlock then ends the program, as in any Go program, instead of the
// cell.

// mutexLocked reports whether the mutex is locked.
func mutexLocked(m *sync.Mutex) bool {
	l := locks()
	return !l.known || l.mutex.of(unsafe.Pointer(m))&lockedBit != 0
}

// rwMutexLocked reports whether the mutex is locked for writing or a writer waits for the mutex.
func rwMutexLocked(m *sync.RWMutex) bool {
	l := locks()
	return !l.known || l.readers.of(unsafe.Pointer(m)) < 0
}

// rwMutexRLocked reports whether the mutex is locked for reading.
func rwMutexRLocked(m *sync.RWMutex) bool {
	l := locks()
	if !l.known {
		return true
	}
	n := l.readers.of(unsafe.Pointer(m))
	return n != 0 && n != -maxReaders
}

const (
	lockedBit  = 1       // bit of a locked mutex
	maxReaders = 1 << 30 // a writer subtracts this from the number of readers
)

// lockStates holds the offsets of the states of package sync's locks.
type lockStates struct {
	known          bool
	mutex, readers state
}

// locks finds the fields with the states, and checks the fields' values while a lock is held.
var locks = sync.OnceValue(func() (l lockStates) {
	var m sync.Mutex
	var rw sync.RWMutex
	var ok, also bool
	l.mutex, ok = stateOf(reflect.TypeOf(&m).Elem(), "mu", "state")
	l.readers, also = stateOf(reflect.TypeOf(&rw).Elem(), "readerCount", "v")
	if !ok || !also {
		return lockStates{}
	}
	free := l.mutex.of(unsafe.Pointer(&m)) == 0 && l.readers.of(unsafe.Pointer(&rw)) == 0
	m.Lock()
	held := l.mutex.of(unsafe.Pointer(&m)) == lockedBit
	m.Unlock()
	rw.RLock()
	held = held && l.readers.of(unsafe.Pointer(&rw)) == 1
	rw.RUnlock()
	rw.Lock()
	held = held && l.readers.of(unsafe.Pointer(&rw)) == -maxReaders
	rw.Unlock()
	l.known = free && held && l.mutex.of(unsafe.Pointer(&m)) == 0 && l.readers.of(unsafe.Pointer(&rw)) == 0
	return l
})

// state is the offset of an int32 in a struct.
type state struct{ off uintptr }

// stateOf finds a field by its name and by the names of the structs around it.
func stateOf(t reflect.Type, path ...string) (s state, ok bool) {
	for _, name := range path {
		if t.Kind() != reflect.Struct {
			return state{}, false
		}
		f, found := t.FieldByName(name)
		if !found {
			return state{}, false
		}
		t, s.off = f.Type, s.off+f.Offset
	}
	return s, t.Kind() == reflect.Int32
}

func (s state) of(p unsafe.Pointer) int32 { return atomic.LoadInt32((*int32)(unsafe.Add(p, s.off))) }
