package magic

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// Stopwatch measures one run of code for %time.
type Stopwatch struct {
	start  time.Time
	allocs uint64
}

// Start starts a stopwatch.
func Start() *Stopwatch {
	return &Stopwatch{allocs: allocated(), start: time.Now()}
}

// Stop returns the time since the start and the allocated memory as text.
func (s *Stopwatch) Stop() string {
	d := time.Since(s.start)
	return fmt.Sprintf("%s, %s allocated", duration(d), bytes(allocated()-s.allocs))
}

func allocated() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.TotalAlloc
}

// The length of a %timeit: seven rounds, each with enough runs for a tenth of a second.
const (
	timeitTarget = 100 * time.Millisecond
	timeitRounds = 7
)

func timeit(ctx context.Context, c Call) error {
	if c.Code == nil {
		return fmt.Errorf("%%timeit: give a statement to run")
	}
	n, rounds, err := timeitOptions(c.Options)
	if err != nil {
		return err
	}
	for fixed := n > 0; !fixed; {
		n = max(n, 1)
		d := runTimes(c.Code, n)
		if d >= timeitTarget/2 || n >= 1e9 || ctx.Err() != nil {
			break
		}
		n = min(n*10, max(n+1, int(float64(n)*float64(timeitTarget)/float64(max(d, 1)))))
	}
	if c.Options != "" {
		runTimes(c.Code, 1) // the first run differs from later ones
	}
	var sum, sq float64
	best := math.Inf(1)
	for range rounds {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		t := float64(runTimes(c.Code, n)) / float64(n)
		sum, sq, best = sum+t, sq+t*t, min(best, t)
	}
	mean := sum / float64(rounds)
	sd := math.Sqrt(max(sq/float64(rounds)-mean*mean, 0))
	c.Out.Stdout(fmt.Sprintf("%s ± %s each (mean ± sd of %d rounds of %d; best %s)\n",
		duration(time.Duration(mean)), duration(time.Duration(sd)), rounds, n, duration(time.Duration(best))))
	return nil
}

// timeitOptions parses "-n 10 -r 3": the runs per round, 0 if they must be determined, and the
// number of rounds.
func timeitOptions(text string) (n, rounds int, err error) {
	rounds = timeitRounds
	fields := strings.Fields(text)
	for i := 0; i+1 < len(fields); i += 2 {
		v, err := strconv.Atoi(fields[i+1])
		if err != nil || v < 1 {
			return 0, 0, fmt.Errorf("%%timeit: %s %s: give a number above 0", fields[i], fields[i+1])
		}
		if fields[i] == "-n" {
			n = v
		} else {
			rounds = v
		}
	}
	return n, rounds, nil
}

func runTimes(f func(), n int) time.Duration {
	start := time.Now()
	for range n {
		f()
	}
	return time.Since(start)
}

// duration formats a duration with three digits.
func duration(d time.Duration) string {
	switch x := float64(d); {
	case x < 1e3:
		return fmt.Sprintf("%d ns", d)
	case x < 1e6:
		return fmt.Sprintf("%.3g µs", x/1e3)
	case x < 1e9:
		return fmt.Sprintf("%.3g ms", x/1e6)
	case x < 100e9:
		return fmt.Sprintf("%.3g s", x/1e9)
	}
	return d.Round(time.Second).String()
}

func bytes(n uint64) string {
	switch x := float64(n); {
	case x < 1e3:
		return fmt.Sprintf("%d B", n)
	case x < 1e6:
		return fmt.Sprintf("%.3g kB", x/1e3)
	case x < 1e9:
		return fmt.Sprintf("%.3g MB", x/1e6)
	default:
		return fmt.Sprintf("%.3g GB", x/1e9)
	}
}
