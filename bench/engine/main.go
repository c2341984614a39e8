// Command engine compares what evaluates cells, side by side in one run:
// compiled Go, the engines of package interp, and CPython. Each program of the
// directory programs has the same function work in Go and in Python, which runs
// in a process of its own; the time is the best of several calls, and all must
// give the same result.
//
// Usage: go run ./bench/engine [-n calls] [-limit time] [-write file] [program...]
package main

import (
	"bytes"
	"context"
	"embed"
	"flag"
	"fmt"
	"log"
	"math"
	"os"
	"os/exec"
	"path"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/tools/txtar"
)

//go:embed programs/*.txtar
var programs embed.FS

// program is one row of the table.
type program struct {
	name      string
	goSrc, py string
}

// measured is what one engine made of a program.
type measured struct {
	best   time.Duration
	result string
	err    error
	late   bool // it was stopped at the time limit
}

// columns are what is compared, in the order of the table.
var columns = []struct {
	name string
	run  func(ctx context.Context, p program, calls int) measured
}{
	{"compiled Go", runNative},
	{"ssa", runEngine("ssa")},
	{"yaegi", runEngine("yaegi")},
	{"CPython", runPython},
}

func main() {
	log.SetFlags(0)
	log.SetPrefix("bench/engine: ")
	calls := flag.Int("n", 5, "calls of each program, of which the best counts")
	limit := flag.Duration("limit", time.Minute, "time for all calls of a program")
	write := flag.String("write", "", "file to write the table to, with what it was measured on")
	flag.StringVar(&python, "python", "python3", "the Python to compare with")
	inside := flag.String("inside", "", "evaluate one program by this engine, here")
	flag.Parse()
	ps := load(flag.Args())
	if *inside != "" {
		if len(ps) != 1 {
			log.Fatal("-inside wants one program")
		}
		if err := runInside(*inside, ps[0], *calls); err != nil {
			log.Fatal(err)
		}
		return
	}
	var b bytes.Buffer
	busy := loadAverage()
	notes, failed := table(&b, ps, *calls, *limit)
	os.Stdout.Write(b.Bytes())
	for _, n := range notes {
		fmt.Fprintln(os.Stderr, n)
	}
	if *write != "" {
		if err := os.WriteFile(*write, page(b.String(), *calls, *limit, busy), 0o666); err != nil {
			log.Fatal(err)
		}
	}
	if failed {
		os.Exit(1)
	}
}

// table measures the programs. It gives what went wrong, and whether that is a
// failure: the portable engine need not run every program.
func table(b *bytes.Buffer, ps []program, calls int, limit time.Duration) (notes []string, failed bool) {
	b.WriteString("| program |")
	for _, e := range columns {
		fmt.Fprintf(b, " %s, ms |", e.name)
	}
	b.WriteString(" ssa / Go | CPython / ssa | yaegi / ssa |\n|---" + strings.Repeat("|---:", len(columns)+3) + "|\n")
	var toGo, toPython, toYaegi []float64
	for _, p := range ps {
		fmt.Fprintf(b, "| %s |", p.name)
		got := map[string]measured{}
		for _, e := range columns {
			ctx, cancel := context.WithTimeout(context.Background(), limit)
			m := e.run(ctx, p, calls)
			cancel()
			got[e.name] = m
			switch {
			case m.late:
				fmt.Fprintf(b, " > %.0f s |", limit.Seconds())
			case m.err != nil:
				b.WriteString(" - |")
			default:
				fmt.Fprintf(b, " %.2f |", ms(m.best))
			}
			native := got["compiled Go"]
			switch {
			case m.err != nil:
				notes = append(notes, fmt.Sprintf("%s, %s: %v", p.name, e.name, m.err))
			case native.err == nil && !same(m.result, native.result):
				notes = append(notes, fmt.Sprintf("%s: %s gives %s, compiled Go %s", p.name, e.name, m.result, native.result))
			default:
				continue
			}
			failed = failed || e.name != "yaegi"
		}
		ssa := got["ssa"].best
		fmt.Fprintf(b, " %s | %s | %s |\n", ratio(ssa, got["compiled Go"].best, &toGo),
			ratio(got["CPython"].best, ssa, &toPython), ratio(got["yaegi"].best, ssa, &toYaegi))
	}
	fmt.Fprintf(b, "| median |%s %.1f | %.1f | %.1f |\n", strings.Repeat(" |", len(columns)), median(toGo), median(toPython), median(toYaegi))
	return notes, failed
}

// page is the table with what it was measured on.
func page(table string, calls int, limit time.Duration, busy string) []byte {
	version, err := exec.Command(python, "--version").Output()
	if err != nil {
		version = []byte("no Python")
	}
	return fmt.Appendf(nil, `# The engines, side by side

`+"`make bench-engine`"+` writes this page. Each program of bench/engine/programs runs in a process of its own, %d times, of which the best counts; all of them
must give what compiled Go gives. A dash: the portable engine refuses the program or fails. All calls of a program by one engine have %v together.

%s; %s %s/%s, %d cores, %s; load average when it began: %s.

%s`, calls, limit, time.Now().UTC().Format("2006-01-02"), runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU(),
		strings.TrimSpace(string(version)), busy, table)
}

// loadAverage says how busy the machine is.
func loadAverage() string {
	b, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "not known"
	}
	return strings.Join(strings.Fields(string(b))[:3], " ")
}

// load gives the named programs, or all.
func load(names []string) []program {
	entries, err := programs.ReadDir("programs")
	if err != nil {
		log.Fatal(err)
	}
	var ps []program
	for _, e := range entries {
		name := strings.ReplaceAll(strings.TrimSuffix(e.Name(), ".txtar")[3:], "_", " ")
		if len(names) > 0 && !slices.Contains(names, name) {
			continue
		}
		b, err := programs.ReadFile(path.Join("programs", e.Name()))
		if err != nil {
			log.Fatal(err)
		}
		p := program{name: name}
		for _, f := range txtar.Parse(b).Files {
			switch f.Name {
			case "go":
				p.goSrc = "package main\n\n" + string(f.Data)
			case "python":
				p.py = string(f.Data)
			}
		}
		ps = append(ps, p)
	}
	return ps
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// ratio writes a / b and keeps it.
func ratio(a, b time.Duration, all *[]float64) string {
	if a == 0 || b == 0 {
		return "-"
	}
	r := float64(a) / float64(b)
	*all = append(*all, r)
	return strconv.FormatFloat(r, 'f', 1, 64)
}

func median(x []float64) float64 {
	if len(x) == 0 {
		return math.NaN()
	}
	slices.Sort(x)
	return (x[(len(x)-1)/2] + x[len(x)/2]) / 2
}

// same compares results as numbers: the languages write them differently.
func same(a, b string) bool {
	x, errA := strconv.ParseFloat(a, 64)
	y, errB := strconv.ParseFloat(b, 64)
	if errA != nil || errB != nil {
		return a == b
	}
	return math.Abs(x-y) <= 1e-9*math.Max(math.Abs(x), math.Abs(y)) // sums in one order, but exp and sqrt of two libraries
}
