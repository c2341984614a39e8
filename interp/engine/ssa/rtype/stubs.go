package rtype

import (
	"fmt"
	"sync"
	"sync/atomic"
	"unsafe"
)

// A method table holds code pointers, so every method of a built type needs
// code of its own. The assembler has numStubs small pieces of it, stubSize
// bytes apart: piece n continues in closure n of the stub table.

// numStubs is the number of pieces, of which the first is not used.
const numStubs = 1 << 15

// stubTable points to the closures by the number of their stub. The assembler
// reads it; growing replaces it.
var stubTable unsafe.Pointer

var inUse struct {
	sync.Mutex
	table []*Closure // as long as the stubs that are in use
}

func closurePC() uintptr { return closureCodePC }

// newStub returns a code pointer that continues in c.
func newStub(c *Closure) (pc uintptr, err error) {
	inUse.Lock()
	defer inUse.Unlock()
	n := max(len(inUse.table), 1)
	if n == numStubs {
		return 0, fmt.Errorf("rtype: all %d method stubs are in use: restart the session to declare more methods", numStubs-1)
	}
	if n >= cap(inUse.table) {
		grown := make([]*Closure, n, min(max(2*n, 64), numStubs))
		copy(grown, inUse.table)
		inUse.table = grown
		// Callers that still read the old table find all that they can know of.
		atomic.StorePointer(&stubTable, unsafe.Pointer(unsafe.SliceData(grown)))
	}
	inUse.table = append(inUse.table[:n], c)
	return stubsPC + uintptr(n)*stubSize, nil
}

// methodAt returns the method that a code pointer is a stub of; nil if it is not.
func methodAt(pc uintptr) *Method {
	n := (pc - stubsPC) / stubSize
	if pc < stubsPC || n >= numStubs {
		return nil
	}
	table := atomic.LoadPointer(&stubTable)
	c := *(**Closure)(unsafe.Add(table, n*unsafe.Sizeof(table)))
	return (*Method)(c.env)
}

// MethodOf returns the built method that a func value calls directly, as the methods
// are that package reflect lists for a type; nil if it is something else.
func MethodOf(fv unsafe.Pointer) *Method {
	if fv == nil {
		return nil
	}
	return methodAt(*(*uintptr)(fv))
}

// StubsLeft returns the number of methods that can still be declared, at two or
// three stubs for a method with a value receiver and one for the others.
func StubsLeft() int {
	inUse.Lock()
	defer inUse.Unlock()
	return numStubs - max(len(inUse.table), 1)
}

// codeAt returns the machine code at pc.
func codeAt(pc uintptr, n int) []byte {
	return unsafe.Slice(*(**byte)(unsafe.Pointer(&pc)), n)
}
