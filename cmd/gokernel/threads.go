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

// spareThreads is how many threads the kernel process keeps beside those that it runs on.
const spareThreads = 6

// reserve has the runtime make threads, which it keeps. It makes one when all that there
// are wait for the system, and ends the process when it cannot: when a cell has
// started as many programs as the user may have.
func reserve(n int) {
	var made, ended sync.WaitGroup
	release := make(chan struct{})
	made.Add(n)
	for range n {
		ended.Go(func() {
			runtime.LockOSThread() // the thread waits with the goroutine, which takes one more for the others
			defer runtime.UnlockOSThread()
			made.Done()
			<-release
		})
	}
	made.Wait()
	close(release)
	ended.Wait()
}
