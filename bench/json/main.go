//go:build unix

// Command json compares ml.Read and pandas.read_json on the same JSON files, by wall and CPU time,
// the best of several runs.
//
//	go run ./bench/json -python .venv/bin/python -rows 1000000
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	"github.com/gokernel/gokernel/mlstd/frame/read"
)

const peer = `
import json, resource, sys, time
import pandas as pd
path, lines, runs = sys.argv[1], sys.argv[2] == "lines", int(sys.argv[3])
best = [1e9, 1e9]
for _ in range(runs):
    cpu, wall = resource.getrusage(resource.RUSAGE_SELF), time.perf_counter()
    f = pd.read_json(path, lines=lines)
    after = resource.getrusage(resource.RUSAGE_SELF)
    best = [min(best[0], time.perf_counter() - wall), min(best[1], after.ru_utime + after.ru_stime - cpu.ru_utime - cpu.ru_stime)]
print(json.dumps({"Wall": best[0], "CPU": best[1], "Rows": len(f), "Fare": float(f["fare"].sum()), "Version": pd.__version__}))
`

type answer struct {
	Wall, CPU, Fare float64
	Rows            int
	Version         string
}

func main() {
	log.SetFlags(0)
	python := flag.String("python", ".venv/bin/python", "a Python `program` with pandas")
	rows := flag.Int("rows", 1_000_000, "number of rows")
	runs := flag.Int("runs", 3, "number of runs")
	flag.Parse()
	dir, err := os.MkdirTemp("", "json")
	check(err)
	defer os.RemoveAll(dir)
	fmt.Printf("%d rows of 6 columns\n%-18s %10s %10s %14s %14s\n", *rows, "", "MB", "ml.Read", "pandas", "times faster")
	for _, kind := range []string{"lines", "list"} {
		path := filepath.Join(dir, "a.json")
		size := write(path, *rows, kind == "lines")
		ours := answer{Wall: 1e9, CPU: 1e9}
		for range *runs {
			cpu, wall := used(), time.Now()
			f, err := read.Read(path)
			check(err)
			ours.Wall, ours.CPU = min(ours.Wall, time.Since(wall).Seconds()), min(ours.CPU, used()-cpu)
			ours.Rows, ours.Fare = f.Len(), f.Col("fare").Sum()
		}
		cmd := exec.Command(*python, "-c", peer, path, kind, strconv.Itoa(*runs))
		cmd.Stderr = os.Stderr
		out, err := cmd.Output()
		check(err)
		var theirs answer
		check(json.Unmarshal(out, &theirs))
		if d := ours.Fare - theirs.Fare; ours.Rows != theirs.Rows || d > 1e-6*ours.Fare || d < -1e-6*ours.Fare {
			log.Fatalf("the results differ: %+v and %+v", ours, theirs)
		}
		fmt.Printf("%-18s %10.0f %8.2f s %12.2f s %13.1f×\n", kind+", wall time", float64(size)/1e6, ours.Wall, theirs.Wall, theirs.Wall/ours.Wall)
		fmt.Printf("%-18s %10s %8.2f s %12.2f s %13.1f×   (pandas %s)\n", kind+", CPU time", "", ours.CPU, theirs.CPU, theirs.CPU/ours.CPU, theirs.Version)
	}
}

// used returns the CPU time of this process in seconds.
func used() float64 {
	var u syscall.Rusage
	check(syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()).Seconds()
}

// write writes a file of trips and returns its size.
func write(path string, rows int, lines bool) int64 {
	file, err := os.Create(path)
	check(err)
	w := bufio.NewWriterSize(file, 1<<20)
	rng := rand.New(rand.NewPCG(1, 2))
	begin, between, end := "[", ",\n", "]\n"
	if lines {
		begin, between, end = "", "\n", "\n"
	}
	fmt.Fprint(w, begin)
	for i := range rows {
		if i > 0 {
			fmt.Fprint(w, between)
		}
		fmt.Fprintf(w, `{"id":%d,"zone":"zone %d","fare":%.2f,"km":%g,"paid":%v,"driver":"driver %d"}`, i, rng.IntN(100), rng.Float64()*100, rng.Float64(), i%3 == 0, rng.IntN(rows))
	}
	fmt.Fprint(w, end)
	check(w.Flush())
	st, err := file.Stat()
	check(err)
	check(file.Close())
	return st.Size()
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
