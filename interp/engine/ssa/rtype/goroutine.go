//go:build (linux || darwin) && (amd64 || arm64)

package rtype

import (
	"runtime"
	"unsafe"
)

// Goroutine gives a number that tells the running goroutine from all others
// that are alive.
func Goroutine() uintptr { return goroutine() }

// StackSize gives the size of the stack of a goroutine that Goroutine has given.
// The memory of a goroutine that has ended stays a goroutine's.
func StackSize(goroutine uintptr) uintptr {
	s := stackOf(goroutine)
	return s.hi - s.lo
}

// StackUsed gives how much of its stack the running goroutine uses.
func StackUsed() uintptr {
	var here byte
	return stackOf(Goroutine()).hi - uintptr(unsafe.Pointer(&here))
}

// stack is how a runtime.g begins.
type stack struct{ lo, hi uintptr }

//go:norace
func stackOf(goroutine uintptr) stack { return **(**stack)(unsafe.Pointer(&goroutine)) }

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

// GetLocal gives what SetLocal has set for the goroutine or for the one that
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
