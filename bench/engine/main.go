// Command engine compares what evaluates cells, side by side in one run:
// compiled Go, the engines of package interp, and CPython. Each program of the
// directory programs has the same function work in Go and in Python; the time
// is the best of several calls, and all must give the same result.
//
// Usage: go run ./bench/engine [-n calls] [program...]
package main

import (
	"embed"
	"flag"
	"fmt"
	"log"
	"math"
	"os"
	"path"
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
}

// engines are the columns of the table, in order.
var engines = []struct {
	name string
	run  func(p program, calls int) measured
}{
	{"compiled Go", runNative},
	{"ssa", runSSA},
	{"yaegi", runYaegi},
	{"CPython", runPython},
}

func main() {
	log.SetFlags(0)
	log.SetPrefix("bench/engine: ")
	calls := flag.Int("n", 5, "calls of each program, of which the best counts")
	only := flag.String("engines", "", "engines to run, comma-separated; all if empty")
	flag.Parse()
	var ratioNative, ratioPython []float64
	fmt.Print("| program |")
	for _, e := range engines {
		fmt.Printf(" %s ms |", e.name)
	}
	fmt.Println(" ssa / Go | CPython / ssa |")
	fmt.Println("|---" + strings.Repeat("|---:", len(engines)+2) + "|")
	failed := false
	for _, p := range load(flag.Args()) {
		fmt.Printf("| %s |", p.name)
		got := map[string]measured{}
		for _, e := range engines {
			if *only != "" && !slices.Contains(strings.Split(*only, ","), e.name) {
				fmt.Print(" - |")
				continue
			}
			m := e.run(p, *calls)
			got[e.name] = m
			switch {
			case m.err != nil:
				fmt.Fprintf(os.Stderr, "%s, %s: %v\n", p.name, e.name, m.err)
				fmt.Print(" failed |")
				failed = failed || e.name != "yaegi"
			default:
				fmt.Printf(" %.2f |", ms(m.best))
			}
		}
		ssa, native, python := got["ssa"], got["compiled Go"], got["CPython"]
		fmt.Printf(" %s | %s |\n", ratio(ssa.best, native.best, &ratioNative), ratio(python.best, ssa.best, &ratioPython))
		for name, m := range got {
			if m.err == nil && native.err == nil && native.result != "" && !same(m.result, native.result) {
				fmt.Fprintf(os.Stderr, "%s: %s gives %s, compiled Go %s\n", p.name, name, m.result, native.result)
				failed = failed || name != "yaegi"
			}
		}
	}
	fmt.Printf("\nmedian: ssa %.1f times compiled Go, CPython %.1f times ssa\n", median(ratioNative), median(ratioPython))
	if failed {
		os.Exit(1)
	}
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
