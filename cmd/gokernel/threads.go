package main

import (
	"runtime"
	"sync"
)

// threads is the number of threads on which the kernel process runs. It passes
// messages on: its goroutines hand each one over in a few microseconds, and to
// wake a second thread for that takes longer, from processors that cells can
// use. So there is one, and another only while something would keep it from the
// messages.
type threads struct {
	mu   sync.Mutex
	long int // pieces of long work under way
}

func (t *threads) add(long int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.long += long
	runtime.GOMAXPROCS(1 + min(1, t.long))
}

// beside runs work that takes milliseconds.
func (t *threads) beside(work func()) {
	t.add(1)
	defer t.add(-1)
	work()
}
