// Package doctor checks whether a kernel can run on a machine, and suggests what to do if it can't.
package doctor

import (
	"context"
	"fmt"
	"io"
	"strings"
)

// Verdict is the result of a check.
type Verdict string

// These are the verdicts. A note does not prevent the kernel from running.
const (
	OK    Verdict = "ok"
	Note  Verdict = "note"
	Fault Verdict = "fault"
)

// Finding is the result of one check.
type Finding struct {
	// Check names the subject of the check in a word or two.
	Check   string  `json:"check"`
	Verdict Verdict `json:"verdict"`
	// Text describes the result.
	Text string `json:"text"`
	// Remedy suggests what to do; it is empty if nothing needs to be done.
	Remedy string `json:"remedy,omitempty"`
}

// Patient describes what to check: the program and the paths it uses.
type Patient struct {
	// Program is the program's file, and Version the version it reports.
	Program, Version string
	// Engine explains why the default engine can't run here; nil means that it can.
	Engine error
	// Lab returns the JupyterLab that "gokernel lab" would start, or "" if it would install one.
	// The error explains why it can't.
	Lab func(context.Context) (string, error)
	// Widgets returns what to do if that JupyterLab can't show widgets, or "".
	Widgets func(ctx context.Context, lab string) string
	// Environment is the prefix of the Python environment in which the program is installed, or "".
	Environment string
	// History is the file with the history of cells, and Cache the directory for what lab installs.
	History, Cache string
	// Temporary reports that the program's file is temporary, as with `go run`.
	Temporary bool
}

// Examine runs all checks, and calls report with each finding.
func Examine(ctx context.Context, p Patient, report func(Finding)) {
	for _, check := range []func(context.Context, Patient) []Finding{
		checkProgram, checkEngine, checkKernel, checkSpecs, checkLab, checkHistory, checkMemory, checkDisk, checkGrading, checkModules,
	} {
		for _, f := range check(ctx, p) {
			report(f)
		}
	}
}

// Write writes a finding on a line, and its remedy on another line.
func Write(w io.Writer, f Finding) {
	fmt.Fprintf(w, "%-6s %-9s %s\n", f.Verdict, f.Check, indent(f.Text))
	if f.Remedy != "" {
		fmt.Fprintf(w, "%-6s %-9s %s\n", "", "", indent("-> "+f.Remedy))
	}
}

// indent indents the lines of a text after the first one.
func indent(text string) string {
	return strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n"+strings.Repeat(" ", 17))
}
