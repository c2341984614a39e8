package main

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"
)

// section returns the table of one size.
func section(results []result, rows, turns int, versions string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "## %s rows\n\n", thousands(rows))
	fmt.Fprintf(&b, "%s, %s %s/%s, %d cores, %s. Minimum of %d rounds. Load average at the end: %s.\n\n", time.Now().UTC().Format(time.DateOnly),
		runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), versions, turns, load())
	fasterPandas, within := 0, 0
	for _, r := range results {
		if r.own.Seconds < r.pandas.Seconds {
			fasterPandas++
		}
		if r.own.Seconds <= 2*r.polars.Seconds {
			within++
		}
	}
	fmt.Fprintf(&b, "Frames are faster than pandas in %d of %d questions, and take at most twice the time of Polars in %d.\n\n", fasterPandas, len(results), within)
	b.WriteString("| question | result rows | here, s | pandas, s | ratio | Polars, s | ratio |\n|---|---:|---:|---:|---:|---:|---:|\n")
	for _, r := range results {
		fmt.Fprintf(&b, "| %s | %s | %.4f | %.4f | %.2f | %.4f | %.2f |\n", r.question.text, thousands(r.own.Rows), r.own.Seconds,
			r.pandas.Seconds, r.pandas.Seconds/r.own.Seconds, r.polars.Seconds, r.polars.Seconds/r.own.Seconds)
	}
	return b.String()
}

// thousands formats a number with commas.
func thousands(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// load returns the load averages of the machine, if the system reports them.
func load() string {
	b, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	return strings.Join(strings.Fields(string(b))[:3], " ")
}
