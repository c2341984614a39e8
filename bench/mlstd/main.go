// Command mlstd compares every family of the library with scikit-learn on the same data in one
// run:
//
//	go run ./bench/mlstd -python /path/to/python [-only forest] [-write docs/reports/library-benchmarks.md]
//
// The Go process and a Python process take turns on each case, so that both are measured under
// the same conditions. The minimum of several turns counts, in wall time and in CPU time. The
// data are passed in files. Both sides have the same parameters and the same stopping rule. The
// table also has the quality of both results, so that a fast wrong answer is visible.
package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"math"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"runtime"
	"time"
)

func main() {
	python := flag.String("python", "python3", "a Python with scikit-learn")
	script := flag.String("script", filepath.Join("bench", "mlstd", "sklearn_cases.py"), "the script that measures scikit-learn")
	only := flag.String("only", "", "measure the cases whose family or name matches this regular expression")
	size := flag.String("size", "", "course or large; empty means both")
	budget := flag.Duration("budget", 1500*time.Millisecond, "time for the turns of a case: there are two in any case, and one if it takes ten times as long")
	write := flag.String("write", "", "file to write the page to")
	flag.Parse()
	if err := run(*python, *script, *only, *size, *write, *budget); err != nil {
		fmt.Fprintln(os.Stderr, "bench/mlstd:", err)
		os.Exit(1)
	}
}

// maxTurns is sufficient for a stable minimum of a short case.
const maxTurns = 15

func run(python, script, only, size, write string, budget time.Duration) error {
	match, err := regexp.Compile("(?i)" + only)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "bench-mlstd")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	peer, err := start(python, script)
	if err != nil {
		return err
	}
	defer peer.stop()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	busy := loadAverage()
	began := time.Now()
	var rows []row
	shared := &dataset{}
measuring:
	for _, c := range cases {
		for i, s := range c.sizes {
			if !match.MatchString(c.family+" "+c.name) || s.n == 0 || (size != "" && size != sizeNames[i]) {
				continue
			}
			s.kind = c.kind
			if shared.size != s {
				// One file at a time: consecutive cases share their data.
				shared.drop()
				if shared, err = newDataset(s, dir); err != nil {
					return err
				}
			}
			r, err := turns(c, shared, peer, budget)
			if ctx.Err() != nil { // keep the measurements
				break measuring
			}
			if err != nil {
				return fmt.Errorf("%s, %s: %w", c.name, s, err)
			}
			if c.memory && i == len(c.sizes)-1 {
				if r.heap, err = peakHeap(func() error { _, err := c.run(shared); return err }); err != nil {
					return fmt.Errorf("%s, %s: %w", c.name, s, err)
				}
			}
			rows = append(rows, r)
			fmt.Println(r.line())
		}
	}
	if len(rows) == 0 {
		return fmt.Errorf("no case matches %q", only)
	}
	if write == "" {
		return nil
	}
	var b bytes.Buffer
	page(&b, rows, peer.version, busy, loadAverage(), time.Since(began))
	if ctx.Err() != nil {
		fmt.Fprintf(&b, "\nThe run was interrupted before the remaining cases.\n")
	}
	return os.WriteFile(write, b.Bytes(), 0o666)
}

// row is one line of the table.
type row struct {
	c           bench
	size        size
	own, theirs measured
	turns       int
	heap        uint64 // maximum growth of the heap, if measured
}

// turns measures both sides alternately: twice each (once, if that takes ten times the budget),
// then as often as the budget allows.
func turns(c bench, d *dataset, p *peer, budget time.Duration) (row, error) {
	r := row{c: c, size: d.size, own: worst(), theirs: worst()}
	began := time.Now()
	within := func(d time.Duration) bool { return time.Since(began) < d }
	for r.turns < 1 || (r.turns < 2 && within(10*budget)) || (r.turns < maxTurns && within(budget)) {
		r.turns++
		runtime.GC() // so that this turn does not collect garbage of the previous one
		own, err := c.run(d)
		if err != nil {
			return r, err
		}
		theirs, err := p.measure(c, d)
		if err != nil {
			return r, fmt.Errorf("scikit-learn: %w", err)
		}
		if c.quality == agreement {
			agree(&own, &theirs)
		}
		r.own.best(own)
		r.theirs.best(theirs)
	}
	return r, nil
}

// measured is the result of one side for a case, with wall time and CPU time in seconds. Labels
// are set for clusterers.
type measured struct {
	Fit, FitCPU, Predict, PredictCPU, Quality float64
	Labels                                    []int
}

func worst() measured {
	inf := math.Inf(1)
	return measured{Fit: inf, FitCPU: inf, Predict: inf, PredictCPU: inf}
}

func (m *measured) best(o measured) {
	m.Fit, m.FitCPU = min(m.Fit, o.Fit), min(m.FitCPU, o.FitCPU)
	m.Predict, m.PredictCPU, m.Quality = min(m.Predict, o.Predict), min(m.PredictCPU, o.PredictCPU), o.Quality
}

// stopwatch starts a stopwatch and returns a function that returns the seconds since then.
func stopwatch() func() (clock, cpu float64) {
	begin, used := time.Now(), cpuTime()
	return func() (float64, float64) { return time.Since(begin).Seconds(), (cpuTime() - used).Seconds() }
}
