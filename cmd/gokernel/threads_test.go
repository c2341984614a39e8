package main

import (
	"runtime"
	"testing"
)

// TestThreads checks that long work gets a thread of its own for as long as any
// of it runs.
func TestThreads(t *testing.T) {
	before := runtime.GOMAXPROCS(0)
	defer runtime.GOMAXPROCS(before)
	var th threads
	check := func(want int) {
		t.Helper()
		if got := runtime.GOMAXPROCS(0); got != want {
			t.Errorf("GOMAXPROCS is %d, want %d", got, want)
		}
	}
	th.add(0)
	check(1)
	th.beside(func() {
		check(2)
		th.beside(func() { check(2) })
		check(2)
	})
	check(1)
}
