package kernel

import (
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// TestMemoryIsGivenBack checks when memory is returned: once, after a large output has been
// published and publishing has stopped, but not after a small output.
func TestMemoryIsGivenBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var given atomic.Int32
		m := newMemory(nil)
		m.giveBack = func() { given.Add(1) }
		after := func(d time.Duration, want int32) {
			t.Helper()
			time.Sleep(d)
			synctest.Wait()
			if got := given.Load(); got != want {
				t.Fatalf("memory was returned %d times, want %d", got, want)
			}
		}
		m.used(largeOutput / 2)
		after(time.Minute, 0)
		m.used(largeOutput / 2)
		after(giveBackDelay/2, 0)
		m.used(1) // publishing continues
		after(giveBackDelay*3/4, 0)
		after(giveBackDelay, 1)
		m.used(1)
		after(time.Minute, 1)
		m.used(2 * largeOutput)
		after(2*giveBackDelay, 2)
	})
}
