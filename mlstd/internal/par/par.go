// Package par runs loops in parallel so that the result does not depend on the number of
// processors: the chunks depend only on the length of the loop.
package par

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// Range divides [0, n) into consecutive chunks of at most grain iterations, and calls f(lo, hi) for
// each chunk, on up to GOMAXPROCS goroutines. It returns when all calls have returned. Chunks must
// not write to the same memory; a panic in f is forwarded to the caller.
func Range(n, grain int, f func(lo, hi int)) {
	if grain < 1 {
		grain = 1
	}
	chunks := (n + grain - 1) / grain
	workers := min(runtime.GOMAXPROCS(0), chunks)
	if workers <= 1 {
		for lo := 0; lo < n; lo += grain {
			f(lo, min(lo+grain, n))
		}
		return
	}
	var next atomic.Int64
	var wg sync.WaitGroup
	var failed atomic.Pointer[any]
	for range workers {
		wg.Go(func() {
			defer func() {
				if r := recover(); r != nil {
					failed.CompareAndSwap(nil, &r)
				}
			}()
			for failed.Load() == nil {
				c := int(next.Add(1)) - 1
				if c >= chunks {
					return
				}
				f(c*grain, min((c+1)*grain, n))
			}
		})
	}
	wg.Wait()
	if r := failed.Load(); r != nil {
		panic(*r)
	}
}
