//go:build linux && (amd64 || arm64)

package ssa_test

import (
	"flag"
	"io"
	"runtime"
	"runtime/pprof"
	"runtime/trace"
	"sync"
	"testing"
	"time"

	"github.com/gokernel/gokernel/interp/engine"
)

// hostileFlag makes the tests of this file repeat for a time.
var hostileFlag = flag.Duration("hostile", 0, "repeat the hostile tests of the JIT for this time")

// hostile runs f once, or until the time of the flag -hostile is over.
func hostile(t *testing.T, f func()) {
	t.Helper()
	t.Setenv(nativeVariable, "force")
	for start := time.Now(); ; {
		f()
		if t.Failed() || time.Since(start) >= *hostileFlag {
			return
		}
	}
}

// during calls disturb again and again while f runs.
func during(disturb, f func()) {
	done := make(chan bool)
	var ended sync.WaitGroup
	ended.Go(func() {
		for {
			select {
			case <-done:
				return
			default:
				disturb()
			}
		}
	})
	f()
	close(done)
	ended.Wait()
}

// 20,000 goroutines run JIT-compiled code, wait in turns, and are all unwound while they run and
// wait.
func TestNativeOf20000Goroutines(t *testing.T) {
	src := `
import ("runtime"; "sync")
type node struct { v int; next *node }
func down(l *node, n int) int { if n == 0 { return l.v }; return down(l.next, n-1) + l.v }
func work(l *node, n int) (s int) {
	for i := range n { s += down(l, i%8) }
	return
}
func main() {
	var l *node
	for i := range 10 { l = &node{i, l} }
	const n = 20000
	var begun, ended sync.WaitGroup
	wait := make(chan int)
	sums := make([]int, n)
	begun.Add(n)
	for g := range n {
		ended.Go(func() {
			sums[g] = work(l, 50)
			begun.Done()
			by := <-wait
			sums[g] = sums[g]*by + work(l, g%50)
		})
	}
	begun.Wait()
	runtime.GC()
	for range n { wait <- 2 }
	ended.Wait()
	want := work(l, 50) * 2
	wrong := 0
	for g, s := range sums { if s != want + work(l, g%50) { wrong++ } }
	println(want, wrong)
}`
	want, _ := nativeRun(t, "off", src)
	hostile(t, func() {
		stacks := make([]byte, 1<<20)
		during(func() {
			runtime.Stack(stacks, true)
			if err := pprof.Lookup("goroutine").WriteTo(io.Discard, 0); err != nil {
				t.Error(err)
			}
		}, func() {
			if got, entered := nativeRun(t, "force", src); got != want || entered == 0 {
				t.Errorf("got %q after %d entries, want %q", got, entered, want)
			}
		})
	})
}

// Stacks grow and move while functions of every depth run JIT-compiled loops over pointers to them,
// and shrink during collections.
func TestNativeWhileStacksMove(t *testing.T) {
	src := `
import "runtime"
type frame struct { sums [4]int; up *frame; f func(int) int }
func work(f *frame, n int) int {
	for ; f != nil; f = f.up {
		for i := range f.sums { f.sums[i] += i*n; n ^= f.sums[i] & 0xff }
	}
	return n
}
func down(depth, n int, up *frame) int {
	var here frame
	here.up = up
	if depth%7 == 0 { here.up = nil }
	here.f = func(x int) int { here.sums[1] += x; return here.sums[1] }
	n = work(&here, n)
	if depth > 0 { n += down(depth-1, n, &here) }
	if depth%100 == 50 { runtime.GC() }
	return n&0xffff + here.f(n&3) + work(&here, depth)
}
func main() {
	sum := 0
	results := make(chan int)
	for g := range 8 {
		go func() {
			s := 0
			for r := range 6 { s += down(50 + 150*(r%3) + g, r, nil) }
			results <- s
		}()
	}
	for range 8 { sum += <-results }
	println(sum)
}`
	want, _ := nativeRun(t, "off", src)
	hostile(t, func() {
		during(runtime.GC, func() {
			if got, entered := nativeRun(t, "force", src); got != want || entered == 0 {
				t.Errorf("got %q after %d entries, want %q", got, entered, want)
			}
		})
	})
}

// Traces and profiles begin and end at any moment of JIT-compiled code.
func TestNativeWhileTracesBegin(t *testing.T) {
	hostile(t, func() {
		during(func() {
			recorder := trace.NewFlightRecorder(trace.FlightRecorderConfig{MaxBytes: 1 << 20})
			for _, begin := range []func() (end func(), err error){
				func() (func(), error) { return trace.Stop, trace.Start(io.Discard) },
				func() (func(), error) { return pprof.StopCPUProfile, pprof.StartCPUProfile(io.Discard) },
				func() (func(), error) { return recorder.Stop, recorder.Start() },
			} {
				end, err := begin()
				if err != nil {
					t.Error(err)
					continue
				}
				runtime.GC()
				end()
			}
		}, func() { newSession(t, engine.Hooks{}).want(chasing, "done\n") })
	})
}
