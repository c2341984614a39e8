//go:build (linux || darwin) && (amd64 || arm64)

package ssa

import (
	"runtime"
	"sync"
	"time"
)

// A goroutine that waits in an operation which the engine knows says so. While
// it waits, another one may look at its frames, and change what it does not
// need any more: it does not go on before that has ended.

// What the field wait of a thread can be.
const (
	isRunning   uint32 = iota
	isWaiting          // for anything
	isAsleep           // for something that only interpreted code can do
	isInspected        // is waiting, and its frames are being looked at
)

// await says that the goroutine is going to wait, and how.
func (th *thread) await(how uint32) {
	th.waits.Add(1)
	th.wait.Store(how)
}

// goOn says that the goroutine does not wait any more. It gives how it waited.
func (th *thread) goOn() (how uint32) {
	for {
		how = th.wait.Load()
		if how != isInspected && th.wait.CompareAndSwap(how, isRunning) {
			return how
		}
		runtime.Gosched()
	}
}

// inspect calls f while the goroutine waits; it reports false when it does not.
func (th *thread) inspect(f func()) bool {
	how := th.wait.Load()
	if how == isRunning || how == isInspected || !th.wait.CompareAndSwap(how, isInspected) {
		return false
	}
	defer th.wait.Store(how)
	f()
	return true
}

// runs is a set of runs.
type runs struct {
	mu      sync.Mutex
	all     map[*cellRun]struct{}
	look    *time.Timer // see deep.go
	looking bool        // the timer is running
}

func (rs *runs) add(r *cellRun) {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	if rs.all == nil {
		rs.all = map[*cellRun]struct{}{}
	}
	rs.all[r] = struct{}{}
	switch {
	case rs.looking:
	case rs.look == nil:
		rs.look = time.AfterFunc(deepLook, r.engine.lookDeep)
	default:
		rs.look.Reset(deepLook)
	}
	rs.looking = true
}

// lookAgain sets the timer again as long as there are runs; it reports whether
// there are.
func (rs *runs) lookAgain() bool {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	rs.looking = len(rs.all) > 0
	if rs.looking {
		rs.look.Reset(deepLook)
	}
	return rs.looking
}

func (rs *runs) remove(r *cellRun) {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	delete(rs.all, r)
}

func (rs *runs) list() []*cellRun {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	var list []*cellRun
	for r := range rs.all {
		list = append(list, r)
	}
	return list
}

// threads gives all goroutines of interpreted code.
func (e *Engine) threads() []*thread {
	var list []*thread
	for _, r := range e.running.list() {
		r.mu.Lock()
		for th := range r.threads {
			list = append(list, th)
		}
		r.mu.Unlock()
	}
	return list
}

// any reports whether there are runs that have goroutines.
func (rs *runs) any() bool {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	return len(rs.all) > 0
}
