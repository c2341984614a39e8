package ssa

// go/ssa makes instances of generic functions, wrappers and methods when they are
// first asked for, and whoever asks for one that is being made waits for it. When
// the maker panics they are never finished, and the next cell that needs one of
// them would wait for ever. So they are forgotten, to be made again (private.go).

// make calls f, which lets go/ssa make functions. The lock building is held.
func (e *Engine) make(f func()) {
	if e.building.TryLock() {
		panic("ssa: the program is changed without the lock building")
	}
	done := false
	defer func() {
		if !done {
			dropUnfinished(e.prog)
		}
	}()
	f()
	done = true
}
