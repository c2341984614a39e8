//go:build (linux || darwin || windows) && (amd64 || arm64)

package rtype

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
	if MutexLocked(&m) || RWMutexLocked(&rw) || RWMutexRLocked(&rw) {
		t.Error("a free lock is held")
	}
	m.Lock()
	rw.RLock()
	if !MutexLocked(&m) || RWMutexLocked(&rw) || !RWMutexRLocked(&rw) {
		t.Error("held locks are not held")
	}
	rw.RUnlock()
	rw.Lock()
	if !RWMutexLocked(&rw) || RWMutexRLocked(&rw) {
		t.Error("a lock for writing is not what it should be")
	}
	if _, ok := stateOf(reflect.TypeFor[sync.Mutex](), "mu", "none"); ok {
		t.Error("found a field that is not there")
	}
}

func TestAssertionError(t *testing.T) {
	if !assertionErrors() {
		t.Fatal("runtime.TypeAssertionError is not what it is known to be: see assertion.go")
	}
	static, have, want := TypeOf(anyType), TypeOf(reflect.TypeFor[int]()), TypeOf(reflect.TypeFor[string]())
	for _, have := range []*Type{have, nil} {
		real, other := newAssertionError(static, have, want), otherAssertionError{static, have, want}
		if real.Error() != other.Error() {
			t.Errorf("got %q, the runtime has %q", other, real)
		}
	}
}
