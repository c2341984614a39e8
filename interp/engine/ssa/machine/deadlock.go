package machine

import (
	"maps"
	"reflect"
	"runtime/metrics"
	"time"

	"github.com/gokernel/gokernel/interp/engine"
	"github.com/gokernel/gokernel/interp/engine/ssa/goroutine"
	"github.com/gokernel/gokernel/interp/engine/ssa/rtype"
)

// The runtime ends a program whose goroutines all wait for one another. It
// cannot see that of a cell, beside which the session runs. So a cell that has
// waited for a while is looked at. It is deadlocked when, at several looks,
//
//   - its first goroutine and all others of cells, earlier ones included, wait in
//     the same operations on channels that interpreted code has made, on locks,
//     wait groups and conditions, which only running code ends;
//   - none of them has been woken and is about to run;
//   - no other goroutine is there that compiled code has started for a cell: an
//     HTTP server, a child process that is waited for;
//   - nothing is left behind that calls interpreted code later: a timer, a
//     function that waits for a context, a finalizer, a signal.
//
// Where one of these cannot be known, the cell waits on, and can be interrupted.

// How often a waiting cell is looked at, at first, and at most when what keeps
// it from being deadlocked was costly to find.
const (
	firstLook = 250 * time.Millisecond
	lastLook  = 16 * time.Second
	// At a cell all of whose goroutines are asleep: so often, so far apart.
	restLooks = 10
	restTime  = 5 * time.Millisecond
)

// slumber is the operations that goroutines wait in, by their numbers.
type slumber map[*Thread]uint64

// slumber returns what all goroutines of cells wait in; false if the first of the
// run, or any other, may continue.
func (m *Machine) slumber(r *Run) (slumber, bool) {
	if m.world.Pending() {
		return nil, false
	}
	s := slumber{}
	for _, th := range m.threads() {
		if th.wait.Load() != Asleep {
			return nil, false
		}
		s[th] = th.waits.Load()
	}
	first := r.main.Load()
	_, waits := s[first]
	return s, waits
}

// watch looks at a run from time to time.
type watch struct {
	*time.Ticker
	r      *Run
	every  time.Duration
	before slumber // at the last look
}

func newWatch(r *Run) *watch {
	return &watch{Ticker: time.NewTicker(firstLook), r: r, every: firstLook}
}

// look returns an error if the run is deadlocked.
func (w *watch) look() *engine.Panic {
	m := w.r.M
	now, asleep := m.slumber(w.r)
	if !asleep || !maps.Equal(w.before, now) {
		w.before = now
		return nil
	}
	if m.goroutines() == len(now) && m.staysAsleep(w.r, now) {
		return w.r.deadlock()
	}
	w.every = min(2*w.every, lastLook)
	w.Reset(w.every)
	return nil
}

// staysAsleep reports whether goroutines wait in the same operations for a while, at
// some moment of which no goroutine was about to be run. One that has been woken, a
// lock handed to it, waits until then, which takes long on a busy machine.
func (m *Machine) staysAsleep(r *Run, s slumber) bool {
	rest := false
	for range restLooks {
		time.Sleep(restTime)
		if again, _ := m.slumber(r); !maps.Equal(again, s) {
			return false
		}
		rest = rest || atRest()
	}
	return rest
}

// atRest reports whether no goroutine waits to be run. That of the caller is running.
func atRest() bool {
	s := []metrics.Sample{{Name: "/sched/goroutines/runnable:goroutines"}}
	metrics.Read(s)
	return s[0].Value.Kind() == metrics.KindUint64 && s[0].Value.Uint64() == 0
}

// goroutines counts the goroutines that interpreted code has started, directly
// or through compiled code: they have inherited its label. It gives -1 where they
// cannot be told.
func (m *Machine) goroutines() int {
	all, ok := goroutine.Stacks(labelKey, m.label)
	if !ok {
		return -1
	}
	n := 0
	for _, g := range all {
		n += g.N
	}
	return n
}

// deadlock returns the error of a deadlocked run.
func (r *Run) deadlock() *engine.Panic {
	p := &engine.Panic{Value: deadlockError{}, Text: deadlockError{}.Error(), Fatal: true}
	first := r.main.Load()
	first.inspect(func() { p.Stack = Frames(first.Trace()) })
	return p
}

type deadlockError struct{}

func (deadlockError) Error() string { return "all goroutines are asleep - deadlock!" }
func (deadlockError) RuntimeError() {}

// onlyCells reports whether only interpreted code can end a wait for channels.
func onlyCells(cases []reflect.SelectCase) bool {
	for _, c := range cases {
		if p := c.Chan.UnsafePointer(); p != nil && !rtype.ChanMarked(p) {
			return false
		}
	}
	return true
}
