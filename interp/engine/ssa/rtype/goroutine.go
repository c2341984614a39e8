//go:build (linux || darwin || windows) && (amd64 || arm64)

package rtype

import (
	"runtime"
	"sync"
	"time"
	"unsafe"
)

// Goroutine returns a number that tells the running goroutine from all others
// that are alive.
func Goroutine() uintptr { return goroutine() }

// StackSize returns the size of the stack of a goroutine that Goroutine has given.
// The memory of a goroutine that has ended stays a goroutine's.
func StackSize(goroutine uintptr) uintptr {
	s := stackOf(goroutine)
	return s.hi - s.lo
}

// StackUsed returns how much of its stack the running goroutine uses.
func StackUsed() uintptr {
	var here byte
	return stackOf(Goroutine()).hi - uintptr(unsafe.Pointer(&here))
}

// stack is how a runtime.g begins.
type stack struct{ lo, hi uintptr }

//go:norace
func stackOf(goroutine uintptr) stack { return **(**stack)(unsafe.Pointer(&goroutine)) }

// head is how a runtime.g begins.
type head struct {
	_      stack
	_      [2]uintptr // guards of the stack
	_      [3]uintptr // panics, deferred calls, the thread that runs it
	_      [6]uintptr // where it continues
	_      [4]uintptr // of a system call, and the top of the stack
	_      uintptr    // what wakes it
	status uint32
}

// States of a goroutine, of which waiting is the one that it cannot continue in.
const (
	running  = 2
	waiting  = 4
	scanning = 0x1000 // in addition to another
)

//go:norace
func statusOf(goroutine uintptr) uint32 {
	return (*(**head)(unsafe.Pointer(&goroutine))).status &^ scanning
}

// Waits reports whether a goroutine that Goroutine has given waits for something else
// than a processor or the system. It reports false where that cannot be known.
func Waits(goroutine uintptr) bool { return headIsKnown() && statusOf(goroutine) == waiting }

// headIsKnown looks at the running goroutine and at one that waits.
var headIsKnown = sync.OnceValue(func() bool {
	if statusOf(Goroutine()) != running {
		return false
	}
	id, end := make(chan uintptr), make(chan bool)
	defer close(end)
	go func() {
		id <- Goroutine()
		<-end
	}()
	other := <-id
	for range 100 {
		if statusOf(other) == waiting {
			return true
		}
		time.Sleep(50 * time.Microsecond)
	}
	return false
})

// Local is the first field of what a goroutine can point to with SetLocal. To
// package pprof it is a set of one label.
type Local struct {
	list   []label
	labels [1]label
}

type label struct{ key, value string }

// localMark is the capacity of the list of a Local, to tell it from labels that
// the program has set.
const localMark = 0x6b65726e656c

// Init makes l ready for SetLocal. Profiles show the label with goroutines.
func (l *Local) Init(key, value string) {
	l.labels[0] = label{key, value}
	l.list = l.labels[:]
	(*Slice)(unsafe.Pointer(&l.list)).Cap = localMark
}

// SetLocal lets the running goroutine, and those that it starts, point to l. It
// takes the place of profiler labels.
func SetLocal(l *Local) {
	setProfLabel(unsafe.Pointer(l))
}

// GetLocal returns what SetLocal has set for the goroutine or for the one that
// started it; nil when there is nothing.
func GetLocal() *Local {
	l := (*Local)(getProfLabel())
	if l == nil || (*Slice)(unsafe.Pointer(&l.list)).Cap != localMark {
		return nil
	}
	return l
}

// checkStack looks for a variable on the stack of its goroutine.
func checkStack() error {
	var here byte
	at := uintptr(unsafe.Pointer(&here))
	if s := stackOf(Goroutine()); at < s.lo || at >= s.hi {
		return errDiffers
	}
	runtime.KeepAlive(&here)
	return nil
}
