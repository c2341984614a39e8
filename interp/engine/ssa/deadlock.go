//go:build (linux || darwin) && (amd64 || arm64)

package ssa

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"reflect"
	"runtime"
	"runtime/pprof"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
	"weak"

	"github.com/gokernel/gokernel/interp/engine"
	"github.com/gokernel/gokernel/interp/engine/ssa/rtype"
)

// The runtime ends a program whose goroutines all wait for one another. It
// cannot see that of a cell, beside which the session runs. So a cell that has
// waited for a while is looked at. It is deadlocked when, at several looks,
//
//   - its first goroutine and all others of cells, earlier ones included, wait in
//     the same operations on channels that interpreted code has made, on locks,
//     wait groups and conditions, which only running code ends;
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
)

// slumber is the operations that goroutines wait in, by their numbers.
type slumber map[*thread]uint64

// slumber gives what all goroutines of cells wait in; false if the first of the
// run, or any other, may go on.
func (e *Engine) slumber(r *cellRun) (slumber, bool) {
	if e.later.any() || e.signals.any() {
		return nil, false
	}
	s := slumber{}
	for _, th := range e.threads() {
		if th.wait.Load() != isAsleep {
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
	r      *cellRun
	every  time.Duration
	before slumber // at the last look
}

func newWatch(r *cellRun) *watch {
	return &watch{Ticker: time.NewTicker(firstLook), r: r, every: firstLook}
}

// look gives an error if the run is deadlocked.
func (w *watch) look() *engine.Panic {
	e := w.r.engine
	now, asleep := e.slumber(w.r)
	if !asleep || !maps.Equal(w.before, now) {
		w.before = now
		return nil
	}
	if e.goroutines() == len(now) {
		if again, _ := e.slumber(w.r); maps.Equal(again, now) {
			return w.r.deadlock()
		}
	}
	w.every = min(2*w.every, lastLook)
	w.Reset(w.every)
	return nil
}

// goroutines counts the goroutines that interpreted code has started, directly
// or through compiled code: they have inherited its label.
func (e *Engine) goroutines() int {
	n := 0
	for _, g := range e.stacks() {
		n += g.n
	}
	return n
}

// stack is that of so many goroutines.
type stack struct {
	n         int
	functions []string // innermost first
}

// stacks gives the stacks of the goroutines that have the label of interpreted
// code.
func (e *Engine) stacks() []stack {
	var profile bytes.Buffer
	if err := pprof.Lookup("goroutine").WriteTo(&profile, 1); err != nil {
		return nil
	}
	label := fmt.Appendf(nil, "# labels: {%q:%q}", labelKey, e.label)
	var all []stack
	group, ours := 0, false
	for line := range bytes.Lines(profile.Bytes()) {
		if count, _, ok := bytes.Cut(line, []byte(" @")); ok {
			group, _ = strconv.Atoi(string(count))
			ours = false
		} else if bytes.HasPrefix(line, label) {
			all = append(all, stack{n: group})
			ours = true
		} else if ours {
			// "#	0x47b2e5	sync.(*Mutex).Lock+0x25	/usr/lib/go/src/sync/mutex.go:46"
			if fields := bytes.Fields(line); len(fields) > 2 {
				name, _, _ := bytes.Cut(fields[2], []byte("+0x"))
				last := &all[len(all)-1]
				last.functions = append(last.functions, string(name))
			}
		}
	}
	return all
}

// deadlock gives the error of a deadlocked run.
func (r *cellRun) deadlock() *engine.Panic {
	p := &engine.Panic{Value: deadlockError{}, Text: deadlockError{}.Error(), Fatal: true}
	first := r.main.Load()
	first.inspect(func() { p.Stack = frames(first.trace()) })
	return p
}

type deadlockError struct{}

func (deadlockError) Error() string { return "all goroutines are asleep - deadlock!" }
func (deadlockError) RuntimeError() {}

// later counts what calls interpreted code later, without a goroutine.
type later struct {
	finalizers atomic.Bool // there have been some
	calls      atomic.Int64

	mu     sync.Mutex
	timers map[weak.Pointer[time.Timer]]bool // those that call functions: whether they are going to
}

func (l *later) any() bool {
	if l.finalizers.Load() || l.calls.Load() > 0 {
		return true
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, pending := range l.timers {
		if pending {
			return true
		}
	}
	return false
}

// overrides gives the functions that leave calls for later, by their names.
func (l *later) overrides() map[string]any {
	return map[string]any{
		"runtime.SetFinalizer": func(obj, finalizer any) {
			l.finalizers.Store(true)
			runtime.SetFinalizer(obj, finalizer)
		},
		"context.AfterFunc":   l.afterContext,
		"time.AfterFunc":      l.afterTime,
		"(*time.Timer).Stop":  func(t *time.Timer) bool { defer l.set(t, false); return t.Stop() },
		"(*time.Timer).Reset": func(t *time.Timer, d time.Duration) bool { l.set(t, true); return t.Reset(d) },
	}
}

// ofRun lets a goroutine of its own, on which f is called, belong to the run that
// the calling goroutine belongs to.
func ofRun(f func()) func() {
	local := rtype.GetLocal()
	if f == nil || local == nil {
		return f
	}
	return func() {
		rtype.SetLocal(local)
		f()
	}
}

func (l *later) afterContext(ctx context.Context, f func()) (stop func() bool) {
	l.calls.Add(1)
	end := sync.OnceFunc(func() { l.calls.Add(-1) })
	f = ofRun(f)
	inner := context.AfterFunc(ctx, func() { defer end(); f() })
	return func() bool {
		stopped := inner()
		if stopped {
			end()
		}
		return stopped
	}
}

func (l *later) afterTime(d time.Duration, f func()) *time.Timer {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.timers == nil {
		l.timers = map[weak.Pointer[time.Timer]]bool{}
	}
	var key weak.Pointer[time.Timer]
	f = ofRun(f)
	t := time.AfterFunc(d, func() {
		l.calls.Add(1)
		defer l.calls.Add(-1)
		l.mu.Lock() // not before the key is known
		l.timers[key] = false
		l.mu.Unlock()
		f()
	})
	key = weak.Make(t)
	l.timers[key] = true
	runtime.AddCleanup(t, l.forget, key)
	return t
}

func (l *later) forget(key weak.Pointer[time.Timer]) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.timers, key)
}

// set notes whether a timer that calls a function is going to.
func (l *later) set(t *time.Timer, pending bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	key := weak.Make(t)
	if _, calls := l.timers[key]; calls {
		l.timers[key] = pending
	}
}

// locks gives the functions that wait for other goroutines, by their names.
func (e *Engine) locks() map[string]any {
	return map[string]any{
		"(*sync.Mutex).Lock": func(m *sync.Mutex) {
			if !m.TryLock() {
				e.sleeping(m.Lock)
			}
		},
		"(*sync.RWMutex).Lock": func(m *sync.RWMutex) {
			if !m.TryLock() {
				e.sleeping(m.Lock)
			}
		},
		"(*sync.RWMutex).RLock": func(m *sync.RWMutex) {
			if !m.TryRLock() {
				e.sleeping(m.RLock)
			}
		},
		"(*sync.WaitGroup).Wait": func(w *sync.WaitGroup) { e.sleeping(w.Wait) },
	}
}

// sleeping calls f, which waits for other goroutines.
func (e *Engine) sleeping(f func()) {
	if th := e.thread(); th != nil {
		th.await(isAsleep)
		defer th.goOn()
	}
	f()
}

// onlyCells reports whether only interpreted code can end a wait for channels.
func onlyCells(cases []reflect.SelectCase) bool {
	for _, c := range cases {
		if p := c.Chan.UnsafePointer(); p != nil && !rtype.ChanMarked(p) {
			return false
		}
	}
	return true
}
