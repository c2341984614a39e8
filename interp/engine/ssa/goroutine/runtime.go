//go:build (!go1.28 && !gokernel_closed) || gokernel_port

package goroutine

//lint:file-ignore U1000 the function without a body is written in assembly

import "unsafe"

// goroutine returns the address of the running goroutine. It is written in assembly.
func goroutine() uintptr

// Linked reports whether the functions of the runtime are linked in.
const Linked = true

// Go keeps these functions of the runtime open to packages that link to them (go.dev/issue/67401).

//go:linkname setProfLabel runtime/pprof.runtime_setProfLabel
func setProfLabel(labels unsafe.Pointer)

//go:linkname getProfLabel runtime/pprof.runtime_getProfLabel
func getProfLabel() unsafe.Pointer

// Pin keeps the running goroutine on its thread and keeps garbage collections from starting,
// until Unpin is called.
//
//go:linkname Pin runtime.procPin
func Pin() int

// writeBarrier is the variable that compiled code checks before it stores a pointer.
//
//go:linkname writeBarrier runtime.writeBarrier
var writeBarrier struct {
	enabled uint32
	_       uint64
}

// WriteBarrier returns the address of a word that is 0 while pointers are stored without the write
// barrier of the garbage collector. The word changes only while the world is stopped.
func WriteBarrier() *uint32 { return &writeBarrier.enabled }

// Unpin ends what Pin has begun.
//
//go:linkname Unpin runtime.procUnpin
func Unpin()
