// Command scan runs one task of the benchmark of data larger than memory, and prints the seconds
// and a checksum of the result: go run ./bench/scan TASK FOLDER parquet|csv MEGABYTES. The script
// run.py compares it with DuckDB and Polars.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"runtime/pprof"
	"strconv"
	"time"

	"github.com/gokernel/gokernel/mlstd/frame"
	"github.com/gokernel/gokernel/mlstd/frame/lazy"
	"github.com/gokernel/gokernel/mlstd/frame/read"
)

func main() {
	if err := run(os.Args[1], os.Args[2], os.Args[3], os.Args[4]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// tasks are the same tasks as in others.py.
var tasks = map[string]func(r, d *lazy.Frame) *lazy.Frame{
	"filter": func(r, _ *lazy.Frame) *lazy.Frame {
		return r.Where(r.Col("passengers").Greater(4).And(r.Col("km").Less(1))).Agg(frame.Count(), frame.Sum("fare"))
	},
	"recent": func(r, _ *lazy.Frame) *lazy.Frame {
		return r.Where(r.Col("at").Less("2023-11-15 12:00")).Agg(frame.Count(), frame.Sum("km"))
	},
	"few": func(r, _ *lazy.Frame) *lazy.Frame {
		return r.By("zone").Agg(frame.Count(), frame.Sum("km"), frame.Mean("fare"), frame.Max("fare"))
	},
	"many": func(r, _ *lazy.Frame) *lazy.Frame {
		return r.By("driver").Agg(frame.Count(), frame.Sum("km"), frame.Mean("fare"))
	},
	"median": func(r, _ *lazy.Frame) *lazy.Frame {
		return r.By("zone").Agg(frame.Median("km"), frame.Quantile("km", 0.9))
	},
	"join": func(r, d *lazy.Frame) *lazy.Frame {
		return r.Join(d, "driver").By("team").Agg(frame.Count(), frame.Sum("fare"))
	},
	"sort": func(r, _ *lazy.Frame) *lazy.Frame { return r.Select("id", "km", "fare").Sort("km", "id") },
	"top":  func(r, _ *lazy.Frame) *lazy.Frame { return r.Select("id", "fare").Sort("-fare", "id").Head(100) },
}

func run(task, folder, kind, megabytes string) error {
	limit, err := strconv.Atoi(megabytes)
	if err != nil {
		return err
	}
	debug.SetMemoryLimit(int64(limit) << 20 / 6 * 7) // as the kernel does with --max-memory
	if name := os.Getenv("CPUPROFILE"); name != "" {
		f, err := os.Create(name)
		if err != nil {
			return err
		}
		pprof.StartCPUProfile(f)
		defer pprof.StopCPUProfile()
	}
	begin := time.Now()
	rides, err := read.Scan(filepath.Join(folder, "rides-*."+kind))
	if err != nil {
		return err
	}
	drivers, err := read.Scan(filepath.Join(folder, "drivers."+kind))
	if err != nil {
		return err
	}
	q := tasks[task](rides, drivers)
	if task == "sort" {
		out := filepath.Join(folder, "out-gokernel.parquet")
		defer os.Remove(out)
		if err := read.Write(out, q); err != nil {
			return err
		}
		seconds := time.Since(begin).Seconds()
		l, err := read.Scan(out)
		if err != nil {
			return err
		}
		n, err := l.Agg(frame.Count()).Collect()
		if err != nil {
			return err
		}
		fmt.Printf("%.2f 1 %.6g\n", seconds, n.Col("count").Floats()[0])
		return nil
	}
	out, err := q.Collect()
	if err != nil {
		return err
	}
	seconds, total := time.Since(begin).Seconds(), 0.0
	for _, c := range out.Columns() {
		if k := c.Kind(); k == frame.IntKind || k == frame.FloatKind {
			for _, x := range c.Floats() {
				if x == x {
					total += x
				}
			}
		}
	}
	fmt.Printf("%.2f %d %.6g\n", seconds, out.Len(), total)
	return nil
}
