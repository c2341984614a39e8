//go:build linux && (amd64 || arm64)

package ssa_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"maps"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/pprof"
	"runtime/trace"
	"slices"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/gokernel/gokernel/interp/engine"
)

// These tests run JIT-compiled code while the runtime works: collections, stops of the world,
// signals, traces and profiles, and many goroutines.

// JIT-compiled code runs during profiling signals, and during garbage collections, without taking
// part in the collections' stops and write barriers.
func TestNativeBesideTheRuntime(t *testing.T) {
	t.Setenv(nativeVariable, "force")
	defer debug.SetGCPercent(debug.SetGCPercent(3))
	var profile bytes.Buffer
	if err := pprof.StartCPUProfile(&profile); err != nil {
		t.Fatal(err)
	}
	defer pprof.StopCPUProfile()
	s := newSession(t, engine.Hooks{})
	s.want(`
import ("runtime"; "sync")
type node struct { v int; next *node; row []int }
func work(n *node) (s int) {
	for ; n != nil; n = n.next {
		row := n.row
		for i := range row { s += row[i] * n.v }
	}
	return
}
func list(k int) (l *node) {
	for i := range 100 {
		l = &node{i, l, make([]int, 20)}
		for j := range l.row { l.row[j] = j * k }
	}
	return
}
func main() {
	var wg sync.WaitGroup
	var mu sync.Mutex
	all := 0
	for g := range 64 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for r := range 20 {
				s := work(list(g))
				if r%7 == 0 { runtime.GC() }
				mu.Lock()
				all += s
				mu.Unlock()
			}
		}()
	}
	wg.Wait()
	println(all)
}`, "37920960000\n")
}

// Endless JIT-compiled loops and endless JIT-compiled recursion let the runtime stop the world, and
// can be stopped.
func TestNativeLoopsYield(t *testing.T) {
	t.Run("loop", func(t *testing.T) {
		yields(t, `
func work(a []int) { for i := 0; ; i = (i + 1) % len(a) { a[i]++ } }
func main() { work(make([]int, 7)) }`)
	})
	t.Run("recursion", func(t *testing.T) {
		yields(t, `
func work(n int) int { if n == 0 { return 1 }; return work(n-1) - work(n-1) }
func main() { work(200) }`)
	})
	t.Run("recursion with pointers", func(t *testing.T) {
		yields(t, `
func work(n int, a []int) int { if n == 0 { return a[0] }; return work(n-1, a) - work(n-1, a) }
func main() { work(200, []int{1}) }`)
	})
}

func yields(t *testing.T, src string) {
	t.Setenv(nativeVariable, "force")
	s := newSession(t, engine.Hooks{})
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		_, err := s.run(ctx, src)
		done <- err
	}()
	for range 200 {
		runtime.GC()
		time.Sleep(100 * time.Microsecond)
	}
	cancel()
	var stopped *engine.Stopped
	if err := <-done; !errors.As(err, &stopped) {
		t.Errorf("error is %v, want that it was stopped", err)
	}
}

// chasing is a cell whose JIT-compiled code stores pointers into its frame at each side exit, uses
// registers of all kinds, and calls compiled functions.
const chasing = `
import ("math"; "runtime"; "sync")
type node struct { v int; next *node; x float64 }
func work(l *node, rounds int) (s, a, b, c, d, e int, f float64) {
	for range rounds {
		for n := l; n != nil; n = n.next {
			s += n.v; a ^= s; b -= a; c += b & 3; d |= c; e += d - n.v
		}
		for n := l; n != nil; n = n.next { f += math.Sin(n.x) }
	}
	return
}
func main() {
	var l *node
	for i := range 2000 { l = &node{i, l, float64(i)} }
	s1, a1, b1, c1, d1, e1, f1 := work(l, 300)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for i := range 5 {
				s, a, b, c, d, e, f := work(l, 300)
				if s != s1 || a != a1 || b != b1 || c != c1 || d != d1 || e != e1 || f != f1 { panic("it is not the same") }
				if i%2 == 0 { runtime.GC() }
			}
		})
	}
	wg.Wait()
	println("done")
}`

// traced makes the runtime walk stacks in every available way until the end of the test: the
// execution tracer, the flight recorder, and profiles of all kinds.
func traced(t *testing.T) {
	t.Helper()
	if err := pprof.StartCPUProfile(io.Discard); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pprof.StopCPUProfile)
	if err := trace.Start(io.Discard); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(trace.Stop)
	recorder := trace.NewFlightRecorder(trace.FlightRecorderConfig{MaxBytes: 1 << 20})
	if err := recorder.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(recorder.Stop)
	fraction := runtime.SetMutexProfileFraction(1)
	t.Cleanup(func() { runtime.SetMutexProfileFraction(fraction) })
	runtime.SetBlockProfileRate(1)
	t.Cleanup(func() { runtime.SetBlockProfileRate(0) })
	rate := runtime.MemProfileRate
	runtime.MemProfileRate = 1 << 10
	t.Cleanup(func() { runtime.MemProfileRate = rate })
}

// The runtime unwinds the stacks of goroutines in JIT-compiled code by their frame pointers.
func TestNativeTraced(t *testing.T) {
	t.Setenv(nativeVariable, "force")
	traced(t)
	newSession(t, engine.Hooks{}).want(chasing, "done\n")
}

// Cells run JIT-compiled code in 64 goroutines. While it runs, the test stops the world as often as
// possible, collects garbage, sends preemption and profiling signals to every thread, and traces
// stacks.
func TestNativeInAStorm(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(3))
	traced(t)
	names := slices.Sorted(maps.Keys(nativePrograms))
	var work, storms sync.WaitGroup
	done := make(chan bool)
	storm := func(blow func()) {
		storms.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
					blow()
				}
			}
		})
	}
	for i := range 64 {
		src := nativePrograms[names[i%len(names)]]
		if i%16 == 0 {
			src = chasing
		}
		want, _ := nativeRun(t, "off", src)
		t.Setenv(nativeVariable, "force")
		s := newSession(t, engine.Hooks{})
		work.Go(func() {
			code, err := s.compile(src)
			if err != nil {
				t.Error(err)
				return
			}
			if err := code.Run(t.Context()); err != nil {
				t.Error(err)
			}
			if got := s.taken(); got != want {
				t.Errorf("got %s, want %s", got, want)
			}
		})
	}
	stacks := make([]byte, 1<<16)
	storm(func() { runtime.GC(); runtime.Stack(stacks, true) })
	storm(func() {
		for _, p := range pprof.Profiles() {
			if err := p.WriteTo(io.Discard, 0); err != nil {
				t.Error(err)
			}
		}
		time.Sleep(time.Millisecond)
	})
	storm(func() {
		threads, err := os.ReadDir("/proc/self/task")
		if err != nil {
			t.Error(err)
		}
		for _, th := range threads {
			id, _ := strconv.Atoi(th.Name())
			for _, sig := range []syscall.Signal{syscall.SIGURG, syscall.SIGPROF} {
				syscall.RawSyscall(syscall.SYS_TGKILL, uintptr(os.Getpid()), uintptr(id), uintptr(sig))
			}
		}
		time.Sleep(100 * time.Microsecond)
	})
	work.Wait()
	close(done)
	storms.Wait()
}

// After a goroutine has run JIT-compiled code, it keeps no stack for such code while it waits.
func TestNativeOfWaitingGoroutines(t *testing.T) {
	t.Setenv(nativeVariable, "force")
	newSession(t, engine.Hooks{}).want(`
import ("runtime"; "sync")
func down(n int) int { if n == 0 { return 1 }; return down(n-1) + 1 }
func work(n int) (s int) { for i := range n { s += down(i&7) }; return }
func main() {
	memory := func() uint64 {
		runtime.GC()
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before := memory()
	const n = 2000
	var begun, ended sync.WaitGroup
	wait := make(chan bool)
	begun.Add(n)
	for range n {
		ended.Go(func() {
			work(100)
			begun.Done()
			<-wait
		})
	}
	begun.Wait()
	each := (memory() - before) / n
	println(each < 20<<10)
	close(wait)
	ended.Wait()
}`, "true\n")
}

// Endless recursion in JIT-compiled code is detected as soon as in the interpreter: the calls do
// not enter the code again one by one.
func TestNativeRecursionPastTheLimit(t *testing.T) {
	t.Setenv(nativeVariable, "force")
	s := newSession(t, engine.Hooks{})
	_, err := s.run(t.Context(), `func work(n int) int { return 1 + work(n+1) }; func main() { work(0) }`)
	var p *engine.Panic
	if !errors.As(err, &p) || p.Overflow != "work" {
		t.Fatalf("error is %#v, want an overflow in work", err)
	}
	_, functions, err := s.e.JIT()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range functions {
		// Each time that the code was entered, it went as deep as its stack allows.
		if f.Func == "work" && (f.Entered == 0 || f.Entered > 2000) {
			t.Errorf("the code was entered %d times in 400,000 calls", f.Entered)
		}
	}
}

// A function with pointers that JIT-compiled code calls finishes its call when the budget of work
// is used up: the call does not start over in the interpreter. A call that takes very long does.
func TestNativeCallsOverrunTheBudget(t *testing.T) {
	t.Setenv(nativeVariable, "force")
	s := newSession(t, engine.Hooks{})
	s.want(`
func dot(a, b []int) (s int) { for i, x := range a { s += x * b[i] }; return }
func work(a []int, n int) (s int) { for i := range n { s = s*3 + dot(a, a[i%2:cap(a)]) }; return }
func row(n int) []int { a := make([]int, n, n+1); for i := range a { a[i] = i%5 - 1 }; return append(a, 3)[:n] }
func main() {
	println(work(row(5), 60001), work(row(700), 301), work(row(200_000), 7))
}`, "5713289915480600943 -6107488240208128100 546603276\n")
	_, functions, err := s.e.JIT()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range functions {
		if f.Func == "dot" && f.Entered > 100 {
			t.Errorf("the interpreter made %d of 60309 calls", f.Entered)
		}
	}
}
