package main

import (
	"runtime"
	"sync"
)

// threads is the number of threads on which the kernel process runs. Its goroutines forward each
// message in a few microseconds. Waking a second thread for a message would take longer, and would
// take CPU time from the cells. So the process has one thread, and a second one only while long
// work would block the messages.
type threads struct {
	mu   sync.Mutex
	long int // running pieces of long work
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

// spareThreads is the number of additional threads that the kernel process keeps.
const spareThreads = 6

// reserve makes the runtime create threads, which it keeps. The runtime creates a thread when all
// existing threads wait for the system. If it can't create a thread, because a cell has started as
// many programs as the user may run, the runtime ends the process.
func reserve(n int) {
	var made, ended sync.WaitGroup
	release := make(chan struct{})
	made.Add(n)
	for range n {
		ended.Go(func() {
			runtime.LockOSThread() // the thread waits with the goroutine, so others need one more
			defer runtime.UnlockOSThread()
			made.Done()
			<-release
		})
	}
	made.Wait()
	close(release)
	ended.Wait()
}
