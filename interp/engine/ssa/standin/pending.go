package standin

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
	"weak"

	"github.com/gokernel/gokernel/interp/engine/ssa/goroutine"
)

// later records timers, finalizers and cleanups. They call interpreted code later, although no
// goroutine waits for the call.
type later struct {
	finalizers atomic.Bool // whether any finalizer or cleanup has been set
	calls      atomic.Int64

	mu     sync.Mutex
	timers map[weak.Pointer[time.Timer]]bool // timers that call functions: whether pending
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

// overrides returns the functions that schedule later calls, by name.
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

// ofRun returns a function that calls f on a separate goroutine. That goroutine belongs to the run
// of the goroutine that calls ofRun.
func ofRun(f func()) func() {
	local := goroutine.GetLocal()
	if f == nil || local == nil {
		return f
	}
	return func() {
		goroutine.SetLocal(local)
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
		l.mu.Lock() // waits until key is set
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

// set records whether a timer that calls a function is pending.
func (l *later) set(t *time.Timer, pending bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	key := weak.Make(t)
	if _, calls := l.timers[key]; calls {
		l.timers[key] = pending
	}
}
