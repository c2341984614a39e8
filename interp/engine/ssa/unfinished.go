package ssa

import "github.com/gokernel/gokernel/interp/engine/ssa/gossa"

// go/ssa makes instances of generic functions, wrappers and methods on first use. While one
// goroutine makes a function, other goroutines that need the function wait for it. If the maker
// panics, the function is never finished, and the next cell that needs it would wait forever. The
// engine therefore discards unfinished functions, so that go/ssa makes them again (package gossa).

// make calls f, which may make go/ssa create functions. The caller must hold the lock building.
func (e *Engine) make(f func()) {
	if e.building.TryLock() {
		panic("ssa: the program was changed without holding the lock building")
	}
	done := false
	defer func() {
		if !done {
			gossa.DropUnfinished(e.prog)
		}
	}()
	f()
	done = true
}
