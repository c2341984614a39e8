//go:build linux

package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gokernel/gokernel/display/chart"
)

// soaked prints the report of a soak from its log, saves the curves in a folder, and writes the
// report to a page that refers to them.
func soaked(name, folder, page string) error {
	start, samples, err := readSoak(name)
	if err != nil {
		return err
	}
	text := soakTable(start, samples)
	fmt.Print(text)
	if folder != "" {
		if err := soakFigures(folder, samples); err != nil {
			return err
		}
	}
	if page != "" {
		if folder != "" {
			at, err := filepath.Rel(filepath.Dir(page), folder)
			if err != nil {
				return err
			}
			at = filepath.ToSlash(at)
			text += fmt.Sprintf("\n![Memory of both processes over time](%s/soak-memory.svg)\n\n![Time to answer over time, by kind of cell](%s/soak-latency.svg)\n\n![Open files, threads and goroutines over time](%s/soak-counts.svg)\n", at, at, at)
		}
		if err := writeBetween(page, "soak", "soak", text); err != nil {
			return err
		}
	}
	if last := samples[len(samples)-1]; !last.Finished || !last.Correct || len(last.Failed) > 0 {
		return fmt.Errorf("the soak is not clean: finished %v, variables right %v, failures %q", last.Finished, last.Correct, last.Failed)
	}
	return nil
}

func readSoak(name string) (start soakStart, samples []sample, err error) {
	f, err := os.Open(name)
	if err != nil {
		return start, nil, err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 16<<20)
	for n := 1; lines.Scan(); n++ {
		if n == 1 {
			err = json.Unmarshal(lines.Bytes(), &start)
		} else {
			var s sample
			err = json.Unmarshal(lines.Bytes(), &s)
			samples = append(samples, s)
		}
		if err != nil {
			return start, nil, fmt.Errorf("%s:%d: %w", name, n, err)
		}
	}
	if len(samples) == 0 && lines.Err() == nil {
		return start, nil, fmt.Errorf("%s has no samples", name)
	}
	return start, samples, lines.Err()
}

// at returns a quantile of sorted or unsorted times in milliseconds.
func at(took []float64, q float64) float64 {
	if len(took) == 0 {
		return 0
	}
	s := slices.Sorted(slices.Values(took))
	return s[min(len(s)-1, int(q*float64(len(s))))]
}

// soakGroups is the order of the groups in the report.
var soakGroups = []string{declares, packages, computes, errs, stops, asks, "probe"}

// soakTable returns the text and the tables of the report.
func soakTable(start soakStart, samples []sample) string {
	var b strings.Builder
	var account [5]int
	took := map[string][]float64{}
	for _, s := range samples {
		for group, some := range s.Took {
			took[group] = append(took[group], some...)
		}
		account = s.Account // they are totals
	}
	last := samples[len(samples)-1]
	fmt.Fprintf(&b, "%s on %d cores, %s, %s: the test ran for %v with two frontends and a slow subscriber.\n",
		start.Began.UTC().Format(time.DateOnly), start.Cores, start.Arch, start.Go, last.After.Round(time.Second))
	fmt.Fprintf(&b, "%d cells declared %d types in %d requests. Of the replies, %d were lost and %d doubled.\nOf the idle messages, %d were missing and %d were not last.\n",
		last.Cells, last.Types, account[0], account[1], account[2], account[3], account[4])
	fmt.Fprintf(&b, "The subscriber read %d messages and was disconnected %d times.\nAll processes together used %.0f s of CPU time, %.0f %% of a core.\n",
		last.Slow, last.Reconnects, last.CPU, 100*last.CPU/last.After.Seconds())
	if last.Correct {
		b.WriteString("At the end, the session still had the variables of the first cell, with their types and methods.\n\n")
	} else {
		b.WriteString("**The variables of the first cell were not there at the end.**\n\n")
	}
	for _, f := range last.Failed {
		fmt.Fprintf(&b, "Failure: %s\n\n", f)
	}
	b.WriteString("| a cell that | times | p50, ms | p95, ms | p99, ms |\n|---|---:|---:|---:|---:|\n")
	for _, g := range soakGroups {
		if t := took[g]; len(t) > 0 {
			fmt.Fprintf(&b, "| %s | %d | %.1f | %.1f | %.1f |\n", g, len(t), at(t, 0.5), at(t, 0.95), at(t, 0.99))
		}
	}
	b.WriteString("\n| after | types | kernel RSS, MiB | kernel PSS | evaluator RSS | evaluator PSS | heap in use | files, kernel | files, evaluator | threads | goroutines | load |\n|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n")
	step := last.After / 12
	for i, next := 0, time.Duration(0); i < len(samples); i++ {
		if s := samples[i]; s.After >= next || i == len(samples)-1 {
			next += step
			fmt.Fprintf(&b, "| %v | %d | %.0f | %.0f | %.0f | %.0f | %.1f | %d | %d | %d + %d | %d | %.1f |\n", s.After.Round(time.Second), s.Types,
				s.KernelRSS, s.KernelPSS, s.EvaluatorRSS, s.EvaluatorPSS, s.Heap, s.KernelFiles, s.EvaluatorFiles, s.KernelThreads, s.EvaluatorThreads, s.Goroutines, s.Load)
		}
	}
	return b.String()
}

// soakFigures saves the curves.
func soakFigures(folder string, samples []sample) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	var minutes []float64
	curve := func(f func(s sample) float64) (v []float64) {
		for _, s := range samples {
			v = append(v, f(s))
		}
		return v
	}
	minutes = curve(func(s sample) float64 { return s.After.Minutes() })
	memory := chart.New().
		Line(minutes, curve(func(s sample) float64 { return s.EvaluatorRSS })).Name("evaluator, RSS").
		Line(minutes, curve(func(s sample) float64 { return s.EvaluatorPSS })).Name("evaluator, PSS").
		Line(minutes, curve(func(s sample) float64 { return s.Heap })).Name("evaluator, heap in use").
		Line(minutes, curve(func(s sample) float64 { return s.KernelRSS })).Name("kernel, RSS").
		Line(minutes, curve(func(s sample) float64 { return s.KernelPSS })).Name("kernel, PSS").
		Title("Memory").X("minutes").Y("MiB")
	if err := memory.Save(filepath.Join(folder, "soak-memory.svg")); err != nil {
		return err
	}
	latency := chart.New()
	for _, g := range []string{declares, computes, packages, asks} {
		for _, q := range []struct {
			name string
			q    float64
		}{{"p50", 0.5}, {"p95", 0.95}} {
			x, y := windows(samples, g, q.q)
			latency.Line(x, y).Name(g + ", " + q.name)
			if q.name == "p95" {
				latency.Dashed()
			}
		}
	}
	if err := latency.LogY().Title("Time to answer").X("minutes").Y("ms").Save(filepath.Join(folder, "soak-latency.svg")); err != nil {
		return err
	}
	counts := chart.New().
		Line(minutes, curve(func(s sample) float64 { return float64(s.EvaluatorFiles) })).Name("open files, evaluator").
		Line(minutes, curve(func(s sample) float64 { return float64(s.KernelFiles) })).Name("open files, kernel").
		Line(minutes, curve(func(s sample) float64 { return float64(s.EvaluatorThreads) })).Name("threads, evaluator").
		Line(minutes, curve(func(s sample) float64 { return float64(s.KernelThreads) })).Name("threads, kernel").
		Line(minutes, curve(func(s sample) float64 { return float64(s.Goroutines) })).Name("goroutines, evaluator").
		Title("Files, threads and goroutines").X("minutes").Y("number")
	return counts.Save(filepath.Join(folder, "soak-counts.svg"))
}

// windows returns a quantile of the times of a group for each twenty-fourth of the time.
func windows(samples []sample, group string, q float64) (minutes, ms []float64) {
	width := samples[len(samples)-1].After / 24
	var took []float64
	for end, i := width, 0; i < len(samples); i++ {
		took = append(took, samples[i].Took[group]...)
		if samples[i].After >= end || i == len(samples)-1 {
			if len(took) > 0 {
				minutes, ms = append(minutes, samples[i].After.Minutes()), append(ms, at(took, q))
			}
			took = nil
			end += width
		}
	}
	return minutes, ms
}
