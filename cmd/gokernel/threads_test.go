package main

import (
	"runtime"
	"runtime/pprof"
	"testing"
)

// TestThreads checks that long work gets an additional thread while any of it runs.
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

// TestReserve checks that the reserved threads exist, and stay.
func TestReserve(t *testing.T) {
	threads := pprof.Lookup("threadcreate")
	reserve(30)
	before := threads.Count()
	if before < 30 {
		t.Errorf("there are %d threads, want 30 at least", before)
	}
	for range 50 { // a thread that was just released may not be free yet
		before = threads.Count()
		reserve(20)
		if threads.Count() < before+20 {
			return
		}
	}
	t.Error("no thread has been kept")
}
