package main

import (
	"runtime"
	"runtime/debug"
	"testing"
)

func TestCollectorPercent(t *testing.T) {
	was := debug.SetGCPercent(100)
	defer debug.SetGCPercent(was)
	for _, c := range []struct {
		live uint64
		want uint64
	}{
		{startHeap, 200},
		{2 << 20, 400},
		{8 << 20, 100},
		{1 << 30, 100},
		{(1 << 30) + 1, 100},
		{0, 100 * roomForGarbage},
	} {
		g := &collector{percent: 1}
		g.set(c.live)
		if g.percent != c.want {
			t.Errorf("a heap of %d bytes: got %d %%, want %d", c.live, g.percent, c.want)
		}
	}
}

func TestCollectorLeavesACellsOwnPercentage(t *testing.T) {
	was := debug.SetGCPercent(100)
	defer debug.SetGCPercent(was)
	t.Setenv("GOGC", "")
	tuneCollector()
	const own = 37
	debug.SetGCPercent(own)
	for range 3 {
		runtime.GC()
	}
	if got := debug.SetGCPercent(100); got != own {
		t.Errorf("got %d %% after collections, want the %d that was set", got, own)
	}
}

// TestGiveBack allocates much memory, drops it, and has it returned to the system.
func TestGiveBack(t *testing.T) {
	var r giver
	r.give() // garbage of other tests
	before := taken()
	b := make([]byte, 256<<20)
	for i := 0; i < len(b); i += 4096 {
		b[i] = 1
	}
	if grown := taken(); grown < before+200<<20 {
		t.Fatalf("256 MB more take %d MB", (grown-before)>>20)
	}
	runtime.KeepAlive(b)
	r.give()
	if after := taken(); after > before+128<<20 {
		t.Errorf("%d MB are kept", (after-before)>>20)
	}
}
