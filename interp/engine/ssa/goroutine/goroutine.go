package goroutine

import (
	"errors"
	"runtime"
	"sync"
	"time"
	"unsafe"
)

// ID returns a number that distinguishes the running goroutine from all others that are
// alive.
func ID() uintptr { return goroutine() }

// StackSize returns the size of the stack of the goroutine with the given ID. The goroutine may
// have ended, because the runtime reuses the memory of goroutines only for other goroutines.
func StackSize(id uintptr) uintptr {
	s := stackOf(id)
	return s.hi - s.lo
}

// StackUsed returns how much of its stack the running goroutine uses.
func StackUsed() uintptr {
	var here byte
	return stackOf(ID()).hi - uintptr(unsafe.Pointer(&here))
}

// stack is the beginning of a runtime.g.
type stack struct{ lo, hi uintptr }

//go:norace
func stackOf(id uintptr) stack { return **(**stack)(unsafe.Pointer(&id)) }

// head is the beginning of a runtime.g up to its state.
type head struct {
	_      stack
	_      [2]uintptr // guards of the stack
	_      [3]uintptr // panics, deferred calls, the thread that runs it
	_      [6]uintptr // where it continues
	_      [4]uintptr // state of a system call, and the top of the stack
	_      uintptr    // what wakes it
	status uint32
}

// States of a goroutine. In the state waiting it is blocked.
const (
	running  = 2
	waiting  = 4
	scanning = 0x1000 // set in addition to another state
)

//go:norace
func statusOf(id uintptr) uint32 {
	return (*(**head)(unsafe.Pointer(&id))).status &^ scanning
}

// Waits reports whether the goroutine with the given ID is blocked on something other than a
// processor or a system call. It returns false if the runtime's data do not have the expected
// layout.
func Waits(id uintptr) bool { return headIsKnown() && statusOf(id) == waiting }

// headIsKnown checks the states of the running goroutine and of a blocked goroutine.
var headIsKnown = sync.OnceValue(func() bool {
	if statusOf(ID()) != running {
		return false
	}
	id, end := make(chan uintptr), make(chan bool)
	defer close(end)
	go func() {
		id <- ID()
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

// Local is the first field of goroutine-local data, which SetLocal attaches. Package pprof sees a
// Local as a set of one label.
type Local struct {
	list   []label
	labels [1]label
}

type label struct{ key, value string }

// localMark is the capacity of the list of a Local. It distinguishes a Local from labels
// that the program has set.
const localMark = 0x6b65726e656c

// Init makes l ready for SetLocal. Profiles show the label with goroutines.
func (l *Local) Init(key, value string) {
	l.labels[0] = label{key, value}
	l.list = l.labels[:]
	(*sliceHeader)(unsafe.Pointer(&l.list)).cap = localMark
}

// SetLocal attaches l to the running goroutine and to the goroutines that it starts. It
// replaces profiler labels.
func SetLocal(l *Local) {
	setProfLabel(unsafe.Pointer(l))
}

// GetLocal returns the Local that SetLocal has attached to the goroutine or to the goroutine that
// started it, or nil if there is none.
func GetLocal() *Local {
	l := (*Local)(getProfLabel())
	if l == nil || (*sliceHeader)(unsafe.Pointer(&l.list)).cap != localMark {
		return nil
	}
	return l
}

// sliceHeader is a slice as the runtime lays it out.
type sliceHeader struct {
	_   unsafe.Pointer
	_   int
	cap int
}

// CheckStack looks for a variable on the stack of its goroutine. It returns an error if a
// runtime.g does not begin with the bounds of the stack.
func CheckStack() error {
	var here byte
	at := uintptr(unsafe.Pointer(&here))
	if s := stackOf(ID()); at < s.lo || at >= s.hi {
		return errors.New("runtime.g does not begin with the bounds of the stack")
	}
	runtime.KeepAlive(&here)
	return nil
}
