package machine

import (
	"encoding/binary"
	"sync"
	"time"

	"github.com/gokernel/gokernel/interp/engine"
	"github.com/gokernel/gokernel/interp/engine/ssa/goroutine"
	"github.com/gokernel/gokernel/interp/engine/ssa/layout"
)

// A profile consists of samples. A thousand times a second, the CPU time that the process has used
// since the last tick is distributed among the running goroutines. Each of them records its calls
// as soon as the op that was running has ended. For this, code runs in a separate loop while a
// profile is taken. The bound of a thread makes it switch to this loop. Code polls the bound
// anyway, so profiles cost nothing while none is taken.

// Threads with these bounds run in a separate loop: the first bound while a profile is taken, the
// second while a thread checks at each statement whether it has to stop.
const (
	sampledBound = -2
	steppedBound = -3
)

// sampleMost is the maximum number of calls of a sample.
const sampleMost = 512

// Sampling is a profile in progress.
type Sampling struct {
	Start time.Time

	m         *Machine
	quit, end chan struct{}
	ticks     int
	seen      map[*Thread]int // the tick at which a thread was last seen running

	mu      sync.Mutex
	samples map[string]*Sample // by their calls
}

// Sample is a call stack in which a goroutine was sampled.
type Sample struct {
	Count int
	Time  time.Duration // CPU time
	// Compiled means that the innermost call is a call of a compiled function, which has just
	// returned.
	Compiled bool
	trace    []Traced
}

// Calls returns the calls, innermost first, without calls of wrappers.
func (s *Sample) Calls() []Call {
	var all []Call
	for _, t := range s.trace {
		if !t.code.Wrapper {
			all = append(all, t.placed(told)...)
		}
	}
	return all
}

// Sample begins a profile of all goroutines of interpreted code. It returns nil while another
// profile is being taken.
func (m *Machine) Sample() *Sampling {
	s := &Sampling{Start: time.Now(), m: m, quit: make(chan struct{}), end: make(chan struct{}), seen: map[*Thread]int{}, samples: map[string]*Sample{}}
	if !m.sampling.CompareAndSwap(nil, s) {
		return nil
	}
	m.rebound()
	go s.run()
	return s
}

// Stop ends the profile.
func (s *Sampling) Stop() []*Sample {
	close(s.quit)
	<-s.end
	s.m.sampling.Store(nil)
	s.m.rebound()
	s.mu.Lock()
	defer s.mu.Unlock()
	var list []*Sample
	for _, sample := range s.samples {
		list = append(list, sample)
	}
	return list
}

// rebound starts or stops the sampling of threads.
func (m *Machine) rebound() {
	for _, r := range m.Running.list() {
		r.mu.Lock()
		for th := range r.threads {
			th.rebound()
			th.due.Store(0)
		}
		r.mu.Unlock()
	}
}

// rebound sets the bound that leads to the loop in which the thread has to run. A thread that has
// to poll gets this bound after polling. The caller must hold the lock of its run.
func (th *Thread) rebound() {
	for {
		bound, want := th.Bound.Load(), th.firstBound()
		if !(bound != -1 && (bound < 0) != (want < 0) || bound < -1 && bound != want) || th.Bound.CompareAndSwap(bound, want) {
			return
		}
	}
}

// run distributes CPU time among goroutines until the profile ends.
func (s *Sampling) run() {
	defer close(s.end)
	tick := time.NewTicker(engine.ProfilePeriod)
	defer tick.Stop()
	at, used := s.Start, processTime()
	for {
		select {
		case <-s.quit:
			return
		case <-tick.C:
		}
		now, now2 := time.Now(), processTime()
		s.ticks++
		s.share(now2-used, now.Sub(at))
		at, used = now, now2
	}
}

// share distributes CPU time among the goroutines that have used it, which run or only wait for a
// processor. Each gets at most the elapsed time. If no goroutine has used CPU time, the time counts
// for the goroutine that ran last. Compiled code may then be working for that goroutine in
// goroutines of its own.
func (s *Sampling) share(used, elapsed time.Duration) {
	var on, last []*Thread
	latest := -1
	for _, th := range s.m.threads() {
		g := th.g.Load()
		switch {
		case g == 0 || th.wait.Load() != Running:
		case !goroutine.Waits(g):
			on = append(on, th)
			s.seen[th] = s.ticks
		case s.seen[th] > latest:
			last, latest = []*Thread{th}, s.seen[th]
		case s.seen[th] == latest:
			last = append(last, th)
		}
	}
	if len(on) == 0 {
		on = last
	} else if len(last) > 0 {
		used = min(used, time.Duration(len(on))*elapsed)
	}
	for _, th := range on {
		th.due.Add(int64(used) / int64(len(on)))
	}
}

// sample records the calls of the running goroutine when CPU time is due.
func (th *Thread) sample(compiled bool) {
	due := th.due.Swap(0)
	s := th.Run.M.sampling.Load()
	if due == 0 || s == nil {
		return
	}
	trace := th.trace(sampleMost)
	key := []byte{0}
	if compiled {
		key[0] = 1
	}
	for _, t := range trace {
		key = binary.LittleEndian.AppendUint32(key, t.code.ID)
		key = binary.LittleEndian.AppendUint32(key, uint32(t.pc))
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	sample := s.samples[string(key)]
	if sample == nil {
		for i := range trace {
			trace[i].next = nil
		}
		sample = &Sample{trace: trace, Compiled: compiled}
		s.samples[string(key)] = sample
	}
	sample.Count++
	sample.Time += time.Duration(due)
}

// sampledLoop is like Loop, but takes samples for a profile.
func sampledLoop(th *Thread, fp layout.Frame, b *Block) {
	h := Head(fp)
	for {
		pc := b.First
		for _, o := range b.Ops {
			pc++
			h.PC = pc
			o(fp)
			if th.due.Load() != 0 {
				th.sample(false)
			}
		}
		if b.Branch != nil {
			h.PC = b.BranchPC
			b = b.Branch(fp)
		} else if b = b.Next; b == nil {
			return
		}
		if th.due.Load() != 0 {
			th.sample(false)
		}
		switch bound := th.Bound.Load(); {
		case bound >= 0 || bound == steppedBound:
			loop(th, fp, b)
			return
		case bound != sampledBound:
			th.check(b)
		}
	}
}
