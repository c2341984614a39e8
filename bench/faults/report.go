//go:build linux

package main

import (
	"bytes"
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"
)

// report is the result of one run.
type report struct {
	began    time.Time
	times    int
	short    bool
	spent    time.Duration
	outcomes []*outcome
	work     *work
}

// violations counts the faults that violate a guarantee for an unknown reason.
func (r *report) violations() (n int) {
	for _, o := range r.outcomes {
		if !o.clean() && o.fault.known == "" {
			n++
		}
	}
	return n
}

// ms formats a time to answer.
func ms(d time.Duration) string {
	switch v := float64(d) / float64(time.Millisecond); {
	case d == 0:
		return ""
	case v < 10:
		return fmt.Sprintf("%.1f", v)
	default:
		return fmt.Sprintf("%.0f", v)
	}
}

func mib(v float64) string {
	if v == 0 {
		return ""
	}
	return fmt.Sprintf("%.0f", v)
}

// tables returns the measured part of the report.
func (r *report) tables() string {
	var b strings.Builder
	all := account{}
	deaths, unexpected, trials := 0, 0, 0
	for _, o := range r.outcomes {
		all.add(o.account)
		deaths += o.deaths
		unexpected += o.unexpected
		trials += o.times
	}
	form := ""
	if r.short {
		form = "; the short form, without faults that take seconds each, floods a fiftieth as large"
	}
	fmt.Fprintf(&b, "%s; %d cores, %s/%s, %s. The run tried %d faults, with %d trials and %d requests in %.0f s%s.\n\n", r.began.UTC().Format(time.DateOnly), runtime.NumCPU(), runtime.GOOS, runtime.GOARCH,
		runtime.Version(), len(r.outcomes), trials, all.requests, r.spent.Seconds(), form)
	fmt.Fprintf(&b, "| kernels that died | replies lost | replies doubled | idle missing | idle not last | variables lost unexpectedly |\n|---:|---:|---:|---:|---:|---:|\n| %d | %d | %d | %d | %d | %d |\n",
		deaths, all.lost, all.doubled, all.noIdle, all.notLast, unexpected)
	group := ""
	for _, o := range r.outcomes {
		if o.fault.group != group {
			group = o.fault.group
			fmt.Fprintf(&b, "\n### %s\n\n| | times | violations | variables | p50, ms | p99, ms | kernel, MiB | evaluator, MiB |\n|---|---:|---:|---|---:|---:|---:|---:|\n", strings.ToUpper(group[:1])+group[1:])
		}
		violations := o.deaths + o.unexpected + o.account.lost + o.account.doubled + o.account.noIdle + o.account.notLast
		fmt.Fprintf(&b, "| %s | %d | %d | %s | %s | %s | %s | %s |\n", o.fault.name, o.times, violations, o.variables(),
			ms(quantile(o.took, 0.5)), ms(quantile(o.took, 0.99)), mib(o.kernel), mib(o.evaluator))
	}
	for _, o := range r.outcomes {
		if o.fault.known != "" {
			fmt.Fprintf(&b, "\nKnown: %s: %s.\n", o.fault.name, o.fault.known)
		}
	}
	if r.work != nil {
		b.WriteString(r.work.table())
	}
	return b.String()
}

// variables describes the effect on the session's variables.
func (o *outcome) variables() string {
	switch {
	case o.fault.state == none:
		return ""
	case o.lost == 0:
		return "stay"
	case o.kept == 0:
		return "go"
	}
	return fmt.Sprintf("stay %d, go %d", o.kept, o.lost)
}

// write inserts the tables into the page.
func (r *report) write(name string) error {
	return writeBetween(name, "measured", "what is measured", r.tables())
}

// writeBetween replaces the text between the comments of a part of the page.
func writeBetween(name, begin, end, text string) error {
	page, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	first, last := "<!-- "+begin+" -->\n", "<!-- end of "+end+" -->\n"
	before, rest, ok := bytes.Cut(page, []byte(first))
	_, after, ok2 := bytes.Cut(rest, []byte(last))
	if !ok || !ok2 {
		return fmt.Errorf("%s has no place for the text: it needs the lines %q and %q", name, strings.TrimSpace(first), strings.TrimSpace(last))
	}
	return os.WriteFile(name, bytes.Join([][]byte{before, []byte(first), []byte(text), []byte(last), after}, nil), 0o644)
}
