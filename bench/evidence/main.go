// Command evidence compares cells with compiled Go: programs from several generators run compiled,
// and as cells with the JIT off, on and forced, which must all print the same. Notebooks run with
// each mode of the JIT, and must show the same.
//
//	go run ./bench/evidence -n 300 -seed 1
//	go run ./bench/evidence -kinds notebooks -program build/gokernel
//	go run ./bench/evidence -interrupts 1000
//
// It prints the number of programs and differences of each kind, and keeps programs that differ.
// With -hostile, cells run with each of several settings of the runtime, such as an aggressive
// garbage collector. With -interrupts, it instead
// interrupts cells at random moments and checks what they have computed by then.
package main

import (
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/gokernel/gokernel/bench/internal/gocell"
	"github.com/gokernel/gokernel/interp/engine"
)

// options are the flags.
type options struct {
	kinds      []string
	n          int
	seed       uint64
	hostile    bool
	keep       string
	program    string
	notebooks  string
	interrupts int
}

func main() {
	log.SetFlags(0)
	log.SetPrefix("bench/evidence: ")
	var o options
	kinds := flag.String("kinds", strings.Join(generatedKinds(), ","), "what to run: generators, or notebooks")
	flag.IntVar(&o.n, "n", 120, "programs of each generator")
	flag.Uint64Var(&o.seed, "seed", 1, "seed of the first program")
	flag.BoolVar(&o.hostile, "hostile", false, "run cells with hostile settings of the runtime")
	flag.StringVar(&o.keep, "keep", "", "write programs that differ to this `directory` (default: a new one)")
	flag.StringVar(&o.program, "program", "gokernel", "the gokernel that runs notebooks")
	flag.StringVar(&o.notebooks, "notebooks", "notebooks", "the directory of the notebooks")
	flag.IntVar(&o.interrupts, "interrupts", 0, "interrupt cells this many times instead")
	cell := flag.String("cell", "", "run this Go file as a cell, here")
	flag.Parse()
	if *cell != "" {
		os.Exit(runCell(*cell))
	}
	if o.interrupts > 0 {
		if err := interrupt(o.interrupts, o.seed, os.Stdout); err != nil {
			log.Fatal(err)
		}
		return
	}
	o.kinds = strings.Split(*kinds, ",")
	for _, k := range o.kinds {
		if k != notebooksKind && !slices.Contains(generatedKinds(), k) {
			log.Fatalf("-kinds must be of %s and %s, got %q", strings.Join(generatedKinds(), ", "), notebooksKind, k)
		}
	}
	if o.keep == "" {
		dir, err := os.MkdirTemp("", "evidence")
		if err != nil {
			log.Fatal(err)
		}
		o.keep = dir
	} else if err := os.MkdirAll(o.keep, 0o777); err != nil {
		log.Fatal(err)
	}
	if !compare(o) {
		os.Exit(1)
	}
}

// compare runs all kinds and prints the table. It reports whether nothing differs.
func compare(o options) bool {
	fmt.Println("| kind | programs | runs as cells | differences | seconds |")
	fmt.Println("|---|---:|---:|---:|---:|")
	same := true
	for _, kind := range o.kinds {
		start := time.Now()
		var t tally
		var err error
		if kind == notebooksKind {
			t, err = compareNotebooks(o)
		} else {
			t, err = compareGenerated(kind, o)
		}
		fmt.Printf("| %s | %d | %d | %d | %.0f |\n", kind, t.programs, t.runs, len(t.differences), time.Since(start).Seconds())
		for _, d := range t.differences {
			fmt.Fprintln(os.Stderr, d)
		}
		if err != nil {
			log.Printf("%s: %v", kind, err)
		}
		same = same && err == nil && len(t.differences) == 0
	}
	return same
}

// tally counts what has run.
type tally struct {
	programs, runs int
	differences    []string
}

// jitModes are the modes in which cells run.
var jitModes = []engine.JITMode{engine.JITOff, engine.JITOn, engine.JITForce}

// runCell runs a file as a cell and returns the exit status. It prints a panic as Go does.
func runCell(file string) int {
	text, err := os.ReadFile(file)
	if err != nil {
		log.Fatal(err)
	}
	write := func(_ int, b []byte) { os.Stdout.Write(b) }
	s, err := gocell.New("ssa", engine.Hooks{Stdout: write, Stderr: write})
	if err != nil {
		log.Fatal(err)
	}
	err = s.Run(string(text))
	var p *engine.Panic
	var exit *engine.Exit
	switch {
	case err == nil:
		return 0
	case errors.As(err, &exit):
		return exit.Code
	case errors.As(err, &p):
		fmt.Println("panic:", p.Text)
		return 2
	}
	fmt.Println("error:", err)
	return 3
}
