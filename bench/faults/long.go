//go:build linux

package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// mostKept is the maximum number of bytes of heap that a cell of ordinary work can keep in the
// evaluator.
const mostKept = 2000

// long is the measurement of a session with many cells of ordinary work.
type long struct {
	began  time.Time
	points []point
	// declared is the heap that a cell with a type and a method keeps, in bytes.
	declared float64
}

// point is the state of the session after some cells.
type point struct {
	cells             int
	heap              float64 // of the evaluator, in bytes, after a collection
	kernel, evaluator float64 // MiB
	spent             time.Duration
	took              []time.Duration // durations of the cells since the previous point
}

// ordinary contains the cells of such a session, and whether they result in an error. %d is
// replaced by a different number each time.
var ordinary = []struct {
	code string
	errs bool
}{
	{"total := 0\nfor i := range %d % 100 {\n\ttotal += i\n}\ntotal", false},
	{"func square(n int) int { return n*n + %d }\nsquare(3)", false},
	{"Plot([]float64{1, 4, %d, 16}).Title(\"run %d\")", false},
	{"model := &ml.LinearRegression{}\nmodel.Fit(ml.Rows([][]float64{{0}, {1}, {2}, {%d}}), []float64{1, 3, 5, 7})\nmodel.Coef", false},
	{"Table([][]int{{1, %d}, {3, 4}})", false},
	{"values := []float64{1, 2, %d}\nfmt.Println(values, len(values))", false},
	{"words := strings.Fields(\"to be or not to be %d\")\nslices.Sort(words)\nwords", false},
	{"ages := map[string]int{\"Ada\": %d, \"Alan\": 41}\nages[\"Ada\"]", false},
	{"undefined%d + 1", true},
	{"some := []int{1, 2}\nsome[%d + 2]", true},
}

// declaring is a cell that cannot be collected, because values may have its type.
const declaring = "type reading%d struct{ At, Value float64 }\n\nfunc (r reading%d) Double() float64 { return 2 * r.Value }\n\nreading%d{1, 2}.Double()"

// heapCode makes the evaluator return the heap in use after a collection.
const heapCode = `for range 4 {
	runtime.GC()
	time.Sleep(20 * time.Millisecond) // for the finalizers and cleanups of collected objects
}
stats := new(runtime.MemStats)
runtime.ReadMemStats(stats)
stats.HeapAlloc`

// long runs many cells in one session, and then some that declare types. If profile is not empty,
// it writes a heap profile before the cells that declare types.
func (b *bench) long(cells int, profile string) (*long, error) {
	k, c, err := b.open()
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(k.dir)
	defer k.stop()
	defer c.close()
	l := &long{began: time.Now()}
	var took []time.Duration
	measure := func(n int) error {
		x := c.cell(heapCode)
		heap, err := strconv.ParseFloat(x.value, 64)
		if err != nil {
			return fmt.Errorf("after %d cells the heap is %q, %s", n, x.value, x.status)
		}
		l.points = append(l.points, point{n, heap, resident(k.cmd.Process.Pid), resident(k.evaluator()), time.Since(l.began), took})
		took = nil
		return nil
	}
	run := func(code string, n int, errs bool) error {
		x := c.send("shell", "execute_request", map[string]any{
			"code": strings.ReplaceAll(code, "%d", strconv.Itoa(n)), "allow_stdin": false, "stop_on_error": false, "store_history": true,
		})
		x.wait()
		took = append(took, x.took)
		if (x.status == "error") != errs {
			return fmt.Errorf("cell %d, %q, ends with %s: %s: %s", n, code, x.status, x.name, x.value)
		}
		if a := c.closeAll(false); !a.clean() {
			return fmt.Errorf("cell %d, %q, violates a guarantee: %+v", n, code, a)
		}
		return nil
	}
	warm := min(cells/10, 500) // packages are loaded and caches filled
	for n := range cells {
		if n == warm || n > 0 && n%max(1, cells/10) == 0 {
			if err := measure(n); err != nil {
				return l, err
			}
		}
		o := ordinary[n%len(ordinary)]
		if err := run(o.code, n+10, o.errs); err != nil {
			return l, err
		}
	}
	if err := measure(cells); err != nil {
		return l, err
	}
	if profile != "" {
		x := c.cell(fmt.Sprintf("import \"runtime/pprof\"\nfile, err := os.Create(%q)\nif err != nil {\n\tpanic(err)\n}\npprof.Lookup(\"heap\").WriteTo(file, 0)\nfile.Close()", profile))
		if x.status != "ok" {
			return l, fmt.Errorf("no profile: %s: %s", x.name, x.value)
		}
	}
	const types = 1000
	for n := range types {
		if err := run(declaring, n, false); err != nil {
			return l, err
		}
	}
	before := l.last().heap
	if err := measure(cells + types); err != nil {
		return l, err
	}
	l.declared = (l.last().heap - before) / types
	l.points = l.points[:len(l.points)-1]
	return l, nil
}

func (l *long) last() point { return l.points[len(l.points)-1] }

// each returns the heap that a cell keeps, in bytes.
func (l *long) each() float64 {
	first, last := l.points[0], l.last()
	if last.cells == first.cells {
		return 0
	}
	return (last.heap - first.heap) / float64(last.cells-first.cells)
}

// table returns the part of the report about a long session.
func (l *long) table() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s. A session ran %d cells of ordinary work: loops, a redeclared function, a figure, a fit, tables, prints, maps, two kinds of errors. A cell keeps %.0f bytes of the evaluator's heap; a cell that declares a type and a method keeps %.1f kB.\n\n",
		l.began.UTC().Format(time.DateOnly), l.last().cells, l.each(), l.declared/1e3)
	b.WriteString("| cells | after | p50, ms | p99, ms | heap in use, MiB | evaluator, MiB | kernel, MiB |\n|---:|---:|---:|---:|---:|---:|---:|\n")
	for _, p := range l.points {
		fmt.Fprintf(&b, "| %d | %v | %s | %s | %.1f | %s | %s |\n", p.cells, p.spent.Round(time.Second), ms(quantile(p.took, 0.5)), ms(quantile(p.took, 0.99)), p.heap/(1<<20), mib(p.evaluator), mib(p.kernel))
	}
	return b.String()
}
