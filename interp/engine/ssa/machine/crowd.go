package machine

import (
	"runtime"
	"slices"
	"sync/atomic"
	"time"

	"github.com/gokernel/gokernel/interp/engine/ssa/goroutine"
)

// The scheduler runs each computing goroutine for ten milliseconds in turn. If a cell has hundreds
// of such goroutines, everything else in the process, such as the goroutine that reads interrupts
// from the pipe, waits in the same queue for seconds. The goroutines of a crowd therefore yield
// regularly, all of them at once. Each goroutine returns to the end of the queue as soon as its
// turn comes, so the whole queue advances within a few milliseconds.
//
// A timer makes them yield. The goroutine that a timer starts runs next, unless another timer fires
// at the same moment and replaces it. That goroutine also inherits a time slice that may have
// ended, and the scheduler can move it to the end of the queue at any point. All timers that fire
// often therefore call Stir. Stir first resets the timer, and requests yields without taking a
// lock. Threads that poll take no lock either, because each would have to wait in the queue before
// it could pass the lock on.

const (
	// The timer runs if cells have at least crowdLeast goroutines. The goroutines yield if at least
	// crowdEach goroutines per processor compute.
	crowdLeast = 32
	crowdEach  = 16
	// stirEvery is the minimum time between two stirs of a crowd. Each computing goroutine adds
	// stirEach, about twenty times the cost of the goroutine's yield.
	stirEvery = 20 * time.Millisecond
	stirEach  = 20 * time.Microsecond
	// lookEach is the time that each goroutine adds to stirEvery while there are too few goroutines
	// for a crowd.
	lookEach = 5 * time.Microsecond
	// If more than mostFresh goroutines wait for their first turn, a go statement yields before it
	// starts another one. Without this limit, goroutines that start others would fill the
	// scheduler's queue twice as fast in each round.
	mostFresh = 1000
	// recentThreads is the number of most recently started threads that can be listed without a
	// lock.
	recentThreads = 4096
)

// crowd is the state that a machine needs when many goroutines run.
type crowd struct {
	threads atomic.Int64 // number of threads of all runs
	fresh   atomic.Int64 // number of threads that go statements started and that have not run yet
	looking atomic.Bool  // the timer is in use
	timer   *time.Timer
	pause   atomic.Int64 // between two stirs, in nanoseconds
	due     atomic.Int64 // earliest time of the next stir
	known   atomic.Pointer[knownCrowd]
	// recent holds the threads that began last, by id. They must be listed without the lock of
	// their run: a goroutine that starts others may have been preempted while it held this lock.
	recent atomic.Pointer[[recentThreads]atomic.Pointer[Thread]]
}

// knownCrowd is a snapshot of the threads of a crowd.
type knownCrowd struct {
	threads []*Thread
	ids     int64 // number of threads that had begun
}

// startCrowd creates the timer without starting it.
func (m *Machine) startCrowd() {
	m.crowd.pause.Store(int64(stirEvery))
	m.crowd.timer = time.AfterFunc(time.Hour, m.tick)
	m.crowd.timer.Stop()
	goroutine.Waits(goroutine.ID()) // the first call waits for another goroutine
}

// joinCrowd counts a new thread.
func (m *Machine) joinCrowd(th *Thread) {
	c := &m.crowd
	if c.threads.Add(1) < crowdLeast {
		return
	}
	recent := c.recent.Load()
	if recent == nil {
		c.recent.CompareAndSwap(nil, new([recentThreads]atomic.Pointer[Thread]))
		recent = c.recent.Load()
	}
	recent[th.id.Load()%recentThreads].Store(th)
	if c.looking.Load() || m.bubbled() { // a bubble has its own time
		return
	}
	if !c.looking.Swap(true) {
		c.timer.Reset(stirEvery)
	}
}

// leaveCrowd counts a thread that has ended.
func (m *Machine) leaveCrowd(th *Thread) {
	m.crowd.threads.Add(-1)
	if recent := m.crowd.recent.Load(); recent != nil {
		recent[th.id.Load()%recentThreads].CompareAndSwap(th, nil)
	}
}

// tick is called by the timer.
func (m *Machine) tick() {
	c := &m.crowd
	if c.threads.Load() < crowdLeast {
		c.known.Store(nil)
		c.looking.Store(false)
		if c.threads.Load() < crowdLeast || c.looking.Swap(true) {
			return
		}
	}
	m.Stir()
}

// Stir makes the goroutines of a crowd yield, unless they have just done so.
func (m *Machine) Stir() {
	c := &m.crowd
	if c.threads.Load() < crowdLeast {
		return
	}
	c.looking.Store(true)
	now, due, pause := time.Now().UnixNano(), c.due.Load(), c.pause.Load()
	if now < due {
		c.timer.Reset(time.Duration(due - now))
		return
	}
	c.timer.Reset(time.Duration(pause))
	if !c.due.CompareAndSwap(due, now+pause) {
		return
	}
	threads := m.crowdNow()
	busy := 0
	for _, th := range threads {
		if th.computes() {
			busy++
		}
	}
	if busy < crowdEach*runtime.GOMAXPROCS(0) {
		c.pause.Store(int64(stirEvery + time.Duration(len(threads))*lookEach))
		return
	}
	c.pause.Store(int64(stirEvery + time.Duration(busy)*stirEach))
	for _, th := range threads {
		// The first goroutine of a cell keeps its time slices, of which it has few. It may be
		// starting the other goroutines. If it yielded, it would get only as far as its next poll
		// in each turn of the queue.
		if th.computes() && th != th.Run.main.Load() {
			th.yields.Store(true)
			th.Bound.Store(-1)
		}
	}
}

// stirIfDue makes the goroutines of a crowd yield if they should have yielded already. Goroutines
// that have waited call it. The timer that woke such a goroutine may have made it run next, instead
// of the goroutine of the crowd's timer.
func (m *Machine) stirIfDue() {
	if c := &m.crowd; c.looking.Load() && time.Now().UnixNano() >= c.due.Load() {
		m.Stir()
	}
}

// crowdNow returns the threads of a crowd without waiting for a lock.
func (m *Machine) crowdNow() []*Thread {
	c := &m.crowd
	known, ids := c.known.Load(), m.ids.Load()
	if known != nil && known.ids == ids && int64(len(known.threads)) == c.threads.Load() {
		return known.threads
	}
	if all, ok := m.tryThreads(); ok {
		c.known.Store(&knownCrowd{all, ids})
		return all
	}
	var threads []*Thread
	if known != nil {
		threads = slices.Clone(known.threads)
	}
	if recent := c.recent.Load(); recent != nil {
		for i := range recent {
			if th := recent[i].Load(); th != nil {
				threads = append(threads, th)
			}
		}
	}
	return threads
}

// computes reports whether the goroutine of a thread runs or waits for a processor.
func (th *Thread) computes() bool {
	g := th.g.Load() // 0 until it has had its first turn
	return g == 0 || th.wait.Load() == Running && !goroutine.Waits(g)
}

// tryThreads returns all goroutines of interpreted code. It returns false if another goroutine
// holds a lock.
func (m *Machine) tryThreads() ([]*Thread, bool) {
	rs := &m.Running
	if !rs.mu.TryLock() {
		return nil, false
	}
	defer rs.mu.Unlock()
	var all []*Thread
	for r := range rs.all {
		if !r.mu.TryLock() {
			return nil, false
		}
		for th := range r.threads {
			all = append(all, th)
		}
		r.mu.Unlock()
	}
	return all, true
}

// slowDown yields if many goroutines wait for their first turn.
func (c *crowd) slowDown() {
	if c.fresh.Load() > mostFresh {
		runtime.Gosched()
	}
}

// yieldIfAsked yields if Stir has requested it, and reports whether it did.
func (th *Thread) yieldIfAsked() bool {
	if !th.yields.Load() || !th.yields.Swap(false) {
		return false
	}
	runtime.Gosched()
	return true
}
