package rtype

import (
	"fmt"
	"sync"
	"sync/atomic"
	"unsafe"
)

// A method table holds code pointers, so every method of a built type needs its own code. The
// assembly file has numStubs small pieces of code, stubSize bytes apart: piece n jumps to closure n
// of the stub table.

// numStubs is the number of pieces. The first one is not used.
const numStubs = 1 << 15

// stubTable points to the closures by the number of their stub. The assembly code reads it. When
// the table grows, a new one replaces it.
var stubTable unsafe.Pointer

var inUse struct {
	sync.Mutex
	table []*Closure // length: number of stubs in use
}

func closurePC() uintptr { return closureCodePC }

// newStub returns the code pointer of a new stub that jumps to c.
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
		// A caller that still reads the old table knows only the stubs in that table.
		atomic.StorePointer(&stubTable, unsafe.Pointer(unsafe.SliceData(grown)))
	}
	inUse.table = append(inUse.table[:n], c)
	return stubsPC + uintptr(n)*stubSize, nil
}

// methodAt returns the method of a stub at a code pointer, or nil if there is none.
func methodAt(pc uintptr) *Method {
	n := (pc - stubsPC) / stubSize
	if pc < stubsPC || n >= numStubs {
		return nil
	}
	table := atomic.LoadPointer(&stubTable)
	c := *(**Closure)(unsafe.Add(table, n*unsafe.Sizeof(table)))
	return (*Method)(c.env)
}

// MethodOf returns the built method that a func value calls directly. The methods that package
// reflect lists for a type are such func values. For any other func value, MethodOf returns nil.
func MethodOf(fv unsafe.Pointer) *Method {
	if fv == nil {
		return nil
	}
	return methodAt(*(*uintptr)(fv))
}

// StubsLeft returns the number of stubs left for methods. A method with a value receiver needs two
// or three stubs, and any other method needs one.
func StubsLeft() int {
	inUse.Lock()
	defer inUse.Unlock()
	return numStubs - max(len(inUse.table), 1)
}

// codeAt returns the machine code at pc.
func codeAt(pc uintptr, n int) []byte {
	return unsafe.Slice(*(**byte)(unsafe.Pointer(&pc)), n)
}
