// Command engine compares compiled Go, the engines of package interp, and Python in one run.
//
// The programs of the set "engine" each stress one thing; the table has both engines and CPython.
// The programs of the set "course" are what students write; the table has cells with each mode of
// the JIT, CPython, and PyPy if it is installed, and says which programs the JIT slows down.
//
// Each program has a function work in Go and in Python; each language runs in its own process. The
// time is the best of several calls, and all results must be equal. Without program arguments, the
// set "engine" also measures the startup, import and declaration costs of the default engine.
//
// Usage:
//
//	go run ./bench/engine [-set engine|course] [-rounds n] [-n calls] [-limit time]
//		[-write file] [program...]
package main

import (
	"bytes"
	"embed"
	"flag"
	"fmt"
	"log"
	"math"
	"os"
	"os/exec"
	"path"
	"runtime"
	"runtime/pprof"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/tools/txtar"
)

//go:embed programs/*.txtar course/*.txtar
var programs embed.FS

// sets maps the sets of programs to their directories.
var sets = map[string]string{"engine": "programs", "course": "course"}

// program is one row of the table.
type program struct {
	set, name string
	goSrc, py string
}

func main() {
	log.SetFlags(0)
	log.SetPrefix("bench/engine: ")
	calls := flag.Int("n", 3, "calls of each program in a round")
	rounds := flag.Int("rounds", 3, "rounds, of which the best call counts")
	set := flag.String("set", "", "the set of programs: engine or course (default: both)")
	limit := flag.Duration("limit", 40*time.Second, "time for the calls of a program in a round")
	write := flag.String("write", "", "file to write the tables and a description of the machine to")
	flag.StringVar(&python, "python", "python3", "the CPython to compare with")
	flag.StringVar(&pypy, "pypy", "pypy3", "the PyPy to compare with, if there is one")
	inside := flag.String("inside", "", "evaluate a program of -set with this engine in this process; the arguments are the program and the number of calls")
	profile := flag.String("profile", "", "with -inside: file to write a CPU profile to")
	cost := flag.String("cost", "", "measure this cost in this process")
	flag.Parse()
	if _, ok := sets[*set]; !ok && *set != "" {
		log.Fatalf("-set must be engine or course, got %q", *set)
	}
	switch {
	case *inside != "":
		if err := profiled(*profile, func() error { return runInside(*inside, *set, flag.Args()) }); err != nil {
			log.Fatal(err)
		}
	case *cost != "":
		v, err := measureCost(*cost)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(v)
	default:
		if !compare(*set, flag.Args(), *rounds, *calls, *limit, *write) {
			os.Exit(1)
		}
	}
}

// profiled calls f, with the CPU profiler if file is not empty.
func profiled(file string, f func() error) error {
	if file == "" {
		return f()
	}
	w, err := os.Create(file)
	if err != nil {
		return err
	}
	defer w.Close()
	if err := pprof.StartCPUProfile(w); err != nil {
		return err
	}
	defer pprof.StopCPUProfile()
	return f()
}

// compare measures and prints the named programs of a set, or all of them. It reports whether
// everything succeeded.
func compare(set string, names []string, rounds, calls int, limit time.Duration, write string) bool {
	var b bytes.Buffer
	busy := loadAverage()
	var notes []string
	ok := true
	found := 0
	for _, part := range []struct {
		set   string
		table func(*bytes.Buffer, []program, int, int, time.Duration) ([]string, bool)
	}{{"engine", table}, {"course", courseTable}} {
		ps := load(part.set, names)
		if set != "" && set != part.set || len(ps) == 0 {
			continue
		}
		if found += len(ps); b.Len() > 0 {
			b.WriteString("\n")
		}
		more, fine := part.table(&b, ps, rounds, calls, limit)
		notes, ok = append(notes, more...), ok && fine
		if part.set == "engine" && len(names) == 0 {
			if err := costTable(&b, rounds); err != nil {
				notes, ok = append(notes, err.Error()), false
			}
		}
	}
	if found == 0 {
		log.Fatalf("there are no programs %q", names)
	}
	os.Stdout.Write(b.Bytes())
	for _, n := range notes {
		fmt.Fprintln(os.Stderr, n)
	}
	if write != "" {
		if err := os.WriteFile(write, page(b.String(), rounds, calls, limit, busy), 0o666); err != nil {
			log.Fatal(err)
		}
	}
	return ok
}

// table measures the programs. It returns the problems, and reports whether there were none; the
// fallback engine need not run every program.
func table(b *bytes.Buffer, ps []program, rounds, calls int, limit time.Duration) (notes []string, ok bool) {
	b.WriteString("| program |")
	for _, c := range contestants {
		fmt.Fprintf(b, " %s, ms |", c.name)
	}
	b.WriteString(" ssa / Go | CPython / ssa | yaegi / ssa |\n|---" + strings.Repeat("|---:", len(contestants)+3) + "|\n")
	var toGo, toPython, toYaegi []float64
	ok = true
	for _, p := range ps {
		all, err := measure(p, contestants, rounds, calls, limit)
		if err != nil {
			return append(notes, err.Error()), false
		}
		fmt.Fprintf(b, "| %s |", p.name)
		native := all[0]
		for i, m := range all {
			switch {
			case m.late:
				fmt.Fprintf(b, " > %.0f s |", limit.Seconds())
			case m.err != nil:
				b.WriteString(" - |")
			default:
				fmt.Fprintf(b, " %.2f |", ms(m.best))
			}
			name := contestants[i].name
			switch {
			case m.err != nil:
				notes = append(notes, fmt.Sprintf("%s, %s: %v", p.name, name, m.err))
			case native.err == nil && !same(m.result, native.result):
				notes = append(notes, fmt.Sprintf("%s: %s gives %s, compiled Go %s", p.name, name, m.result, native.result))
			default:
				continue
			}
			ok = ok && name == "yaegi"
		}
		ssa := all[1].best
		fmt.Fprintf(b, " %s | %s | %s |\n", ratio(ssa, native.best, &toGo),
			ratio(all[3].best, ssa, &toPython), ratio(all[2].best, ssa, &toYaegi))
	}
	fmt.Fprintf(b, "| median |%s %.1f | %.1f | %.1f |\n", strings.Repeat(" |", len(contestants)), median(toGo), median(toPython), median(toYaegi))
	return notes, ok
}

// page returns the tables with a description of the machine.
func page(tables string, rounds, calls int, limit time.Duration, busy string) []byte {
	version, err := exec.Command(python, "--version").Output()
	if err != nil {
		version = []byte("no Python")
	}
	return fmt.Appendf(nil, `# Engine benchmarks

This report compares the times of cells with compiled Go and Python. This report is for developers
of the engines, and for readers who want to know how fast cells run. `+"`make bench-engine`"+` writes this
report.

Each program runs in a process of its own, with %d calls in each of %d rounds in which the columns
take turns; the best call counts. All results must equal the results of compiled Go. A dash means
that the fallback engine refuses the program or fails. All calls of one engine in a round must end
within %v. Each program of the first table stresses one feature, and the last table has programs
of the kinds that students write.

%s, %s %s/%s, %d cores, %s.
Load average at the start: %s.

%s`, calls, rounds, limit, time.Now().UTC().Format("2006-01-02"), runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU(),
		strings.TrimSpace(string(version)), busy, tables)
}

// loadAverage returns the load average of the machine.
func loadAverage() string {
	b, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "not known"
	}
	return strings.Join(strings.Fields(string(b))[:3], " ")
}

// load returns the named programs of a set, or all of them.
func load(set string, names []string) []program {
	entries, err := programs.ReadDir(sets[set])
	if err != nil {
		log.Fatal(err)
	}
	var ps []program
	for _, e := range entries {
		name := strings.ReplaceAll(strings.TrimSuffix(e.Name(), ".txtar")[3:], "_", " ")
		if len(names) > 0 && !slices.Contains(names, name) {
			continue
		}
		b, err := programs.ReadFile(path.Join(sets[set], e.Name()))
		if err != nil {
			log.Fatal(err)
		}
		p := program{set: set, name: name}
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

// ratio formats a / b and appends it to all.
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

// same compares results as numbers, because the languages format them differently.
func same(a, b string) bool {
	x, errA := strconv.ParseFloat(a, 64)
	y, errB := strconv.ParseFloat(b, 64)
	if errA != nil || errB != nil {
		return a == b
	}
	return math.Abs(x-y) <= 1e-9*math.Max(math.Abs(x), math.Abs(y)) // the order of additions is the same, but exp and sqrt come from two libraries
}
