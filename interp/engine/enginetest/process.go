package enginetest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/gokernel/gokernel/interp/engine"
)

// programVariable is the environment variable that holds the program for a test binary to run
// instead of its tests.
const programVariable = "GOKERNEL_ENGINETEST_PROGRAM"

// exitRefused is the status of a process whose engine has refused the program. No program of the
// suites exits with this status.
const exitRefused = 97

// Main is the TestMain of an engine's tests.
func Main(m *testing.M, newEngine NewEngine) {
	if program := os.Getenv(programVariable); program != "" {
		os.Unsetenv(programVariable)
		os.Exit(runProgram(newEngine, program))
	}
	os.Exit(m.Run())
}

// runProgram runs a file as one cell, and exits as the compiled program would.
func runProgram(newEngine NewEngine, file string) int {
	src, err := os.ReadFile(file)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return exitRefused
	}
	n, err := NewNotebook(newEngine, engine.Hooks{
		GoPanic: func(_ int, p *engine.Panic) { os.Exit(died(p)) },
		Stdout:  func(_ int, text []byte) { os.Stdout.Write(text) },
		Stderr:  func(_ int, text []byte) { os.Stderr.Write(text) },
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, "no engine:", err)
		return exitRefused
	}
	code, err := n.Compile(filepath.Base(file), string(src))
	if err != nil {
		fmt.Fprintln(os.Stderr, "refused:", err)
		return exitRefused
	}
	err = code.Run(context.Background())
	var p *engine.Panic
	var exit *engine.Exit
	var refusal *engine.Refusal
	switch {
	case err == nil:
		return 0
	case errors.As(err, &p):
		return died(p)
	case errors.As(err, &exit):
		return exit.Code
	case errors.As(err, &refusal):
		fmt.Fprintln(os.Stderr, "refused while it ran:", err)
		return exitRefused
	}
	fmt.Fprintln(os.Stderr, "error:", err)
	return 1
}

// died prints a panic as Go does.
func died(p *engine.Panic) int {
	fmt.Fprintf(os.Stderr, "panic: %s\n\ngoroutine 1 [running]:\n", p.Text)
	for _, f := range p.Stack {
		fmt.Fprintf(os.Stderr, "main.%s(...)\n\t%v\n", f.Func, f.Pos)
	}
	return 2
}

// ending is the end of a program's process.
type ending struct {
	output  string // stdout and stderr together
	status  int    // exit status of the process; -1 when a signal ended it
	timeout bool
}

// start runs the program in a separate process in the directory dir, with some variables added to
// the environment.
func start(file, dir string, limit time.Duration, env ...string) (ending, error) {
	file, err := filepath.Abs(file)
	if err != nil {
		return ending{}, err
	}
	self, err := itself()
	if err != nil {
		return ending{}, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, self[0], self[1:]...)
	cmd.Dir = dir
	cmd.Env = append(append(os.Environ(), env...), programVariable+"="+file)
	cmd.WaitDelay = time.Second
	var output bytes.Buffer // one pipe for both streams, which keeps their order
	cmd.Stdout, cmd.Stderr = &output, &output
	err = cmd.Run()
	e := ending{output: output.String(), timeout: ctx.Err() != nil}
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) && !e.timeout {
		return e, err
	}
	e.status = cmd.ProcessState.ExitCode()
	return e, nil
}

// itself returns the command that runs this program. Under an emulator, the command starts with the
// wrapper that the go command uses, such as go_linux_arm64_exec.
func itself() ([]string, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	emulator, err := exec.LookPath("go_" + runtime.GOOS + "_" + runtime.GOARCH + "_exec")
	if err != nil {
		return []string{self}, nil
	}
	return []string{emulator, self}, nil
}

// verdict is the outcome of a program's run.
type verdict string

const (
	right    verdict = "right"
	refused  verdict = "refused"
	wrong    verdict = "wrong"
	timedOut verdict = "timeout"
	crashed  verdict = "crash"
)

// judge compares the end of a program with the expected output and exit status.
func (e ending) judge(want string, status int) (verdict, string) {
	switch {
	case e.timeout:
		return timedOut, ""
	case e.status == exitRefused:
		return refused, firstLine(e.output)
	case strings.Contains(e.output, "fatal error: ") || strings.Contains(e.output, "[signal SIG") || e.status == -1:
		return crashed, lineWith(e.output, "fatal error: ", "[signal SIG")
	case strings.Contains(e.output, "WARNING: DATA RACE"):
		return wrong, e.output
	case e.status != status:
		return wrong, fmt.Sprintf("status %d: %s", e.status, lineWith(e.output, "panic: ", ""))
	case e.output != want:
		return wrong, difference(e.output, want)
	}
	return right, ""
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return line
}

// lineWith returns the first line that contains one of the strings.
func lineWith(s string, texts ...string) string {
	for _, text := range texts {
		for line := range strings.Lines(s) {
			if strings.Contains(line, text) {
				return strings.TrimSpace(line)
			}
		}
	}
	return firstLine(s)
}

// difference describes the first place at which got differs from want.
func difference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range max(len(g), len(w)) {
		gl, wl := "", ""
		if i < len(g) {
			gl = g[i]
		}
		if i < len(w) {
			wl = w[i]
		}
		if gl != wl {
			return fmt.Sprintf("line %d: got %q, want %q", i+1, gl, wl)
		}
	}
	return ""
}
