//go:build linux

// Command faults makes user code, frontends, files and the machine misbehave, each fault many
// times, with a real kernel and its real sockets. It checks the guarantees of the kernel: the
// kernel survives, each request gets one reply and one idle, idle comes last, and variables are
// kept where a Go program would continue. Then frontends work with one kernel for a while as a
// class does. The command records the times to answer and the memory. It exits with status 1 if a
// guarantee is violated.
//
// Usage:
//
//	go run ./bench/faults -program FILE [-times n] [-for time] [-only pattern] [-resume file]
//		[-write file]
//	go run ./bench/faults -program FILE -cells n [-write file]
//	go run ./bench/faults -program FILE -soak time -log file [-pause time] [-share fraction]
//	go run ./bench/faults -log file [-figures folder] [-write file]
//
// The second form runs one session of many cells of ordinary work, and records how much heap the
// evaluator keeps for each cell. It exits with status 1 if this is more than 2 kB.
//
// The third form runs one session of two frontends and a slow subscriber for a long time. Its cells
// declare types, use packages, fail and are interrupted. It logs memory, times to answer,
// descriptors and goroutines. The fourth form reports such a log with curves.
package main

import (
	"flag"
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("bench/faults: ")
	program := flag.String("program", "", "the gokernel to test")
	times := flag.Int("times", 2, "number of trials of each fault")
	short := flag.Bool("short", false, "omit faults that take seconds each, and make floods smaller")
	work := flag.Duration("for", 0, "how long frontends work as a class does, after the faults")
	only := flag.String("only", "", "only faults whose name or group matches this `pattern`")
	cells := flag.Int("cells", 0, "only run a session with this number of cells of ordinary work")
	profile := flag.String("profile", "", "with -cells: write a profile of the evaluator's heap to this `file`")
	resume := flag.String("resume", "", "store each outcome in this `file`, and use the stored ones: an interrupted run continues")
	seed := flag.Uint64("seed", uint64(time.Now().UnixNano()), "seed of the random moments")
	retry := flag.Int("retry", 0, "number of retries of a fault that fails; if it then passes, it is flaky")
	flaky := flag.String("flaky", "", "write the flaky faults to this file, one per line")
	soak := flag.Duration("soak", 0, "only run a session of two frontends and a slow subscriber for this `time`, and write it to -log")
	logged := flag.String("log", "", "the `file` with what -soak has measured; without -soak, it is only reported")
	pause := flag.Duration("pause", 500*time.Millisecond, "with -soak: the average pause between two cells of a frontend")
	share := flag.Float64("share", 0.2, "with -soak: the maximum fraction of one core that kernel, evaluator and frontends use together")
	figures := flag.String("figures", "", "with -log: save the curves as SVG in this `folder`")
	write := flag.String("write", "", "write the tables to this page, between its marks")
	flag.Parse()
	pattern, err := regexp.Compile(*only)
	if *logged != "" && *program == "" {
		if err := soaked(*logged, *figures, *write); err != nil {
			log.Fatal(err)
		}
		return
	}
	if err != nil || *program == "" || *times < 1 || flag.NArg() > 0 {
		log.Printf("-program is required, -times must be at least 1, and -only must be a valid pattern: %v", err)
		flag.Usage()
		os.Exit(2)
	}
	file, err := filepath.Abs(*program)
	if err != nil {
		log.Fatal(err)
	}
	b := &bench{program: file, times: *times, short: *short, rand: rand.New(rand.NewPCG(*seed, 0))}
	if *cells > 0 {
		b.longSession(*cells, *profile, *write)
		return
	}
	log.Printf("seed %d", *seed)
	if *soak > 0 {
		if *logged == "" {
			log.Fatal("-soak needs the file to write to: add -log soak.jsonl")
		}
		if err := b.soak(*soak, *logged, *pause, *share); err != nil {
			log.Fatal(err)
		}
		if err := soaked(*logged, *figures, *write); err != nil {
			log.Fatal(err)
		}
		return
	}
	r := &report{began: time.Now(), times: *times, short: *short}
	var p *parts
	if *resume != "" {
		if p, err = openParts(*resume, file, r); err != nil {
			log.Fatal(err)
		}
	}
	var flakes []string
	for _, f := range all() {
		if !pattern.MatchString(f.name) && !pattern.MatchString(f.group) || f.long && *short {
			continue
		}
		if f.possible != nil && !f.possible() {
			fmt.Printf("omitted, because it is not possible on this machine: %s, %s\n", f.group, f.name)
			continue
		}
		o := p.outcome(f)
		if o == nil {
			at := time.Now()
			o = b.try(f)
			for n := 0; n < *retry && !o.clean(); n++ {
				o.tell()
				if again := b.try(f); again.clean() {
					flakes = append(flakes, f.group+": "+f.name)
					o = again
				}
			}
			o.spent = time.Since(at)
			if err := p.keep(o); err != nil {
				log.Fatal(err)
			}
		}
		r.outcomes = append(r.outcomes, o)
		r.spent += o.spent
		o.tell()
	}
	if *work > 0 {
		if r.work, err = b.class(*work); err != nil {
			log.Fatal(err)
		}
		r.work.tell()
	}
	if *write != "" {
		if err := r.write(*write); err != nil {
			log.Fatal(err)
		}
	}
	if *flaky != "" {
		if err := os.WriteFile(*flaky, []byte(strings.Join(append(flakes, ""), "\n")), 0o644); err != nil {
			log.Fatal(err)
		}
	}
	if n := r.violations(); n > 0 {
		log.Fatalf("%d of %d faults violate a guarantee", n, len(r.outcomes))
	}
	if r.work != nil && !r.work.clean() {
		log.Fatal("the work of a class violates a guarantee")
	}
	fmt.Printf("%d faults, %d times: no violations, %.0f s\n", len(r.outcomes), *times, r.spent.Seconds())
}

// longSession runs a session of many cells and writes the measurements.
func (b *bench) longSession(cells int, profile, write string) {
	l, err := b.long(cells, profile)
	if l != nil && len(l.points) > 0 {
		fmt.Print(l.table())
	}
	if err == nil && write != "" {
		err = writeBetween(write, "long session", "long session", l.table())
	}
	if err != nil {
		log.Fatal(err)
	}
	if l.each() > mostKept {
		log.Fatalf("a cell keeps %.0f bytes, more than %d", l.each(), mostKept)
	}
}

// all returns the faults in the order of the table.
func all() []*fault {
	var list []*fault
	for _, some := range [][]*fault{cells(), clients(), files(), limits(), phases()} {
		list = append(list, some...)
	}
	return list
}

// tell prints the outcome of one fault.
func (o *outcome) tell() {
	mark := "ok  "
	if !o.clean() {
		mark = "OWED"
	}
	a := o.account
	fmt.Printf("%s %s, %s: %d times in %.1f s; deaths %d; lost %d, doubled %d, no idle %d, not last %d; kept %d, lost %d; p50 %v, p99 %v; %.0f and %.0f MiB\n",
		mark, o.fault.group, o.fault.name, o.times, o.spent.Seconds(), o.deaths, a.lost, a.doubled, a.noIdle, a.notLast, o.kept, o.lost,
		quantile(o.took, 0.5).Round(100*time.Microsecond), quantile(o.took, 0.99).Round(100*time.Microsecond), o.kernel, o.evaluator)
	for _, p := range o.problems {
		fmt.Println("     ", p)
	}
}
