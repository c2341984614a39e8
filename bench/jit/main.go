//go:build linux

// Command jit measures how long garbage collections and interrupts wait for loops that run as
// JIT-compiled code, as closures and as compiled Go, and prints two tables.
//
//	go run ./bench/jit -collections 200
//
// The first table has the CPU time between two polls of JIT-compiled code, which other work on
// the machine does not affect. The second table has the waiting times. The waiting time of a
// collection is read from the runtime: the time from the decision to stop the world until the
// world has stopped, and until it continues. The time of an interrupt is measured from the
// cancellation of the context to the end of the cell. A loop of each kind runs in the number of
// goroutines that the table shows, next to one that allocates.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"math"
	"os"
	"runtime"
	"runtime/metrics"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/gokernel/gokernel/bench/internal/gocell"
	"github.com/gokernel/gokernel/interp/engine"
)

// cell contains the loops. A line that is added is the start of its function main.
const cell = `package main

import "math"

type node struct {
	next *node
	v    int
	row  [6]int
}

var kept *node

func sums(a []float64, l *node) {
	for i := 0; ; i = (i + 1) % len(a) {
		a[i] = a[i]*0.5 + 1
	}
}

func divisions(a []float64, l *node) {
	for x, n := 1, 0; ; n++ {
		x = (1<<62 + n) / (x%7 + 3)
		a[0] = float64(x)
	}
}

func list(a []float64, l *node) {
	for n, s := l, 0; ; {
		s += n.v
		n = n.next
		if n == nil {
			n = l
			a[0] = float64(s)
		}
	}
}

func depth(l *node, n int) int {
	if n == 0 {
		return l.v
	}
	return depth(l.next, n-1) - depth(l, n-1)
}

func calls(a []float64, l *node) {
	for {
		a[0] = float64(depth(l, 14))
	}
}

func powers(a []float64, l *node) {
	for x := 1.0; ; {
		x = math.Pow(x+a[0], 0.3)
		a[1] = x
	}
}

func allocate() {
	for {
		kept = nil
		for range 20000 {
			kept = &node{next: kept}
		}
	}
}

func start(n int, work func(a []float64, l *node)) {
	var l *node
	for i := range 200000 {
		l = &node{next: l, v: i}
	}
	go allocate()
	for range n - 1 {
		go work(make([]float64, 100), l)
	}
	work(make([]float64, 100), l)
}

func alone(work func(a []float64, l *node)) {
	nodes := make([]node, 1<<20)
	for i := range nodes { // links each node to a distant one
		nodes[i*7368787%len(nodes)].next = &nodes[(i+1)*7368787%len(nodes)]
	}
	work(make([]float64, 100), &nodes[0])
}
`

var kinds = []string{"sums", "divisions", "list", "calls", "powers"}

func main() {
	log.SetFlags(0)
	log.SetPrefix("bench/jit: ")
	collections := flag.Int("collections", 100, "collections for each row")
	interrupts := flag.Int("interrupts", 5, "interrupts for each row")
	flag.Parse()
	fmt.Println("| loop | µs of CPU time between two polls |")
	fmt.Println("|---|---:|")
	for _, kind := range kinds {
		between, err := looks(kind)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("| %s | %.1f |\n", kind, between)
	}
	fmt.Println()
	fmt.Println("| loop | goroutines | run as | µs until stopped, median | 99 % | longest | pause, median | longest | interrupt, median ms | longest |")
	fmt.Println("|---|---:|---|---:|---:|---:|---:|---:|---:|---:|")
	for _, kind := range kinds {
		for _, n := range []int{1, 4, 64} {
			for _, mode := range []string{"on", "off", "compiled"} {
				if mode == "compiled" && kind != "sums" {
					continue // would be the same
				}
				if err := row(kind, n, mode, *collections, *interrupts); err != nil {
					log.Fatal(err)
				}
			}
		}
	}
}

// row measures a loop in n goroutines.
func row(kind string, n int, mode string, collections, interrupts int) error {
	waits := newWaits()
	var ends []float64
	each := (collections + interrupts - 1) / interrupts
	for range interrupts {
		begin, err := starter(kind, n, mode)
		if err != nil {
			return err
		}
		ctx, cancel := context.WithCancel(context.Background())
		ended := make(chan error, 1)
		go func() { ended <- begin(ctx) }()
		time.Sleep(300 * time.Millisecond) // the loop is hot by then
		waits.begin()
		for range each {
			runtime.GC()
			time.Sleep(time.Millisecond)
		}
		waits.end()
		at := time.Now()
		cancel()
		<-ended
		ends = append(ends, float64(time.Since(at).Microseconds())/1e3)
	}
	slices.Sort(ends)
	name := map[string]string{"on": "machine code", "off": "closures", "compiled": "compiled"}[mode]
	fmt.Printf("| %s | %d | %s | %s | %s | %s | %s | %s ", kind, n, name, waits.stopping.at(0.5), waits.stopping.at(0.99), waits.stopping.at(1), waits.total.at(0.5), waits.total.at(1))
	if mode == "compiled" {
		fmt.Println("| | |")
	} else {
		fmt.Printf("| %.2f | %.2f |\n", ends[len(ends)/2], ends[len(ends)-1])
	}
	return nil
}

// starter returns a function that runs a loop until its context is canceled.
func starter(kind string, n int, mode string) (func(context.Context) error, error) {
	if mode == "compiled" {
		return func(ctx context.Context) error { return runCompiled(ctx, n) }, nil
	}
	if err := os.Setenv(engine.JITVariable, mode); err != nil {
		return nil, err
	}
	_, code, err := compile(fmt.Sprintf("func main() { start(%d, %s) }", n, kind))
	if err != nil {
		return nil, err
	}
	return code.Run, nil
}

// compile compiles the cell with a function main.
func compile(entry string) (engine.Engine, engine.Code, error) {
	s, err := gocell.New("ssa", engine.Hooks{})
	if err != nil {
		return nil, nil, err
	}
	code, err := s.Compile(cell + entry)
	return s.Engine, code, err
}

// runCompiled runs the sums of the cell as compiled Go.
func runCompiled(ctx context.Context, n int) error {
	var stop atomic.Bool
	var all sync.WaitGroup
	all.Go(func() {
		for !stop.Load() {
			kept = nil
			for range 20000 {
				kept = &link{next: kept}
			}
		}
	})
	for range n {
		all.Go(func() {
			a := make([]float64, 100)
			for i := 0; !stop.Load(); i = (i + 1) % len(a) {
				a[i] = a[i]*0.5 + 1
			}
		})
	}
	<-ctx.Done()
	stop.Store(true)
	all.Wait()
	return nil
}

// looks returns the CPU time between two polls of a loop, in µs.
func looks(kind string) (float64, error) {
	if err := os.Setenv(engine.JITVariable, "on"); err != nil {
		return 0, err
	}
	e, code, err := compile(fmt.Sprintf("func main() { alone(%s) }", kind))
	if err != nil {
		return 0, err
	}
	count := func() (n int64) {
		_, functions, err := e.(engine.JIT).JIT()
		if err != nil {
			log.Fatal(err)
		}
		for _, f := range functions {
			n += f.Entered
		}
		return n
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- code.Run(ctx) }()
	least := math.Inf(1)
	for range 5 {
		time.Sleep(200 * time.Millisecond) // the loop is hot by then
		n, used := count(), processorTime()
		time.Sleep(200 * time.Millisecond)
		least = min(least, float64((processorTime()-used).Nanoseconds())/1e3/float64(count()-n))
	}
	cancel()
	<-ended
	return least, nil
}

// processorTime returns the CPU time of the process.
func processorTime() time.Duration {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		log.Fatal(err)
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}

type link struct {
	next *link
	_    [7]int
}

var kept *link

// waits are the histograms of the waiting times of collections.
type waits struct{ stopping, total histogram }

func newWaits() *waits {
	return &waits{histogram{name: "/sched/pauses/stopping/gc:seconds"}, histogram{name: "/sched/pauses/total/gc:seconds"}}
}

func (w *waits) begin() { w.stopping.begin(); w.total.begin() }
func (w *waits) end()   { w.stopping.end(); w.total.end() }

// histogram is the growth of a histogram of the runtime.
type histogram struct {
	name    string
	before  []uint64
	gained  []uint64
	buckets []float64
}

func (h *histogram) read() *metrics.Float64Histogram {
	s := []metrics.Sample{{Name: h.name}}
	metrics.Read(s)
	return s[0].Value.Float64Histogram()
}

func (h *histogram) begin() { h.before = slices.Clone(h.read().Counts) }

func (h *histogram) end() {
	now := h.read()
	if h.gained == nil {
		h.gained, h.buckets = make([]uint64, len(now.Counts)), slices.Clone(now.Buckets)
	}
	for i, n := range now.Counts {
		h.gained[i] += n - h.before[i]
	}
}

// at returns the time, in µs, that the given fraction of waits does not exceed.
func (h *histogram) at(part float64) string {
	all := uint64(0)
	for _, n := range h.gained {
		all += n
	}
	seen := uint64(0)
	for i, n := range h.gained {
		if seen += n; n > 0 && float64(seen) >= part*float64(all) {
			return fmt.Sprintf("%.0f", h.buckets[i+1]*1e6)
		}
	}
	return ""
}
