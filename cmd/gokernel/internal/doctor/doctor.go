// Package doctor finds out whether a kernel can run on a machine, and what to do
// where it cannot.
package doctor

import (
	"context"
	"fmt"
	"io"
	"strings"
)

// Verdict is what a check came to.
type Verdict string

// The verdicts. A note does not keep the kernel from running.
const (
	OK    Verdict = "ok"
	Note  Verdict = "note"
	Fault Verdict = "fault"
)

// Finding is the result of one check.
type Finding struct {
	// Check names what was looked at, in a word or two.
	Check   string  `json:"check"`
	Verdict Verdict `json:"verdict"`
	// Text says what was found.
	Text string `json:"text"`
	// Remedy says what to do; it is empty when nothing need be done.
	Remedy string `json:"remedy,omitempty"`
}

// Patient is what is examined: the program and where it keeps things.
type Patient struct {
	// Program is the program's file, Version what it says of itself.
	Program, Version string
	// Engine says why the default engine cannot run here; nil means that it can.
	Engine error
	// Lab gives the JupyterLab that "gokernel lab" would start, "" if it would have to
	// set one up; the error says why it could not.
	Lab func(context.Context) (string, error)
	// Widgets returns what to do where that JupyterLab cannot show widgets, else "".
	Widgets func(ctx context.Context, lab string) string
	// Environment is the prefix of the environment that the program is installed in, ""
	// if it is in none.
	Environment string
	// History is the file of the history of cells, Cache the directory of what lab sets up.
	History, Cache string
	// Temporary is set for a program whose file does not stay, as that of `go run`.
	Temporary bool
}

// Examine makes all checks, and calls report with each finding as it comes.
func Examine(ctx context.Context, p Patient, report func(Finding)) {
	for _, check := range []func(context.Context, Patient) []Finding{
		checkProgram, checkEngine, checkKernel, checkSpecs, checkLab, checkHistory, checkMemory, checkDisk, checkGrading, checkModules,
	} {
		for _, f := range check(ctx, p) {
			report(f)
		}
	}
}

// Write writes a finding as a line, and its remedy as another.
func Write(w io.Writer, f Finding) {
	fmt.Fprintf(w, "%-6s %-9s %s\n", f.Verdict, f.Check, indent(f.Text))
	if f.Remedy != "" {
		fmt.Fprintf(w, "%-6s %-9s %s\n", "", "", indent("-> "+f.Remedy))
	}
}

// indent sets the lines of a text below its first one.
func indent(text string) string {
	return strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n"+strings.Repeat(" ", 17))
}
