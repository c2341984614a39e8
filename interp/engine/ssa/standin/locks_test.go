package standin

import (
	"reflect"
	"sync"
	"testing"
)

func TestLocks(t *testing.T) {
	if !locks().known {
		t.Fatal("the locks of package sync are not what they are known to be: see locks.go")
	}
	var m sync.Mutex
	var rw sync.RWMutex
	if mutexLocked(&m) || rwMutexLocked(&rw) || rwMutexRLocked(&rw) {
		t.Error("a free lock is held")
	}
	m.Lock()
	rw.RLock()
	if !mutexLocked(&m) || rwMutexLocked(&rw) || !rwMutexRLocked(&rw) {
		t.Error("held locks are not held")
	}
	rw.RUnlock()
	rw.Lock()
	if !rwMutexLocked(&rw) || rwMutexRLocked(&rw) {
		t.Error("a lock for writing is not what it should be")
	}
	if _, ok := stateOf(reflect.TypeFor[sync.Mutex](), "mu", "none"); ok {
		t.Error("found a field that is not there")
	}
}
