package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// timing returns the main function that times work; calls is the number of calls.
func timing(calls string) string {
	imports := `import ("fmt"; "time")`
	if strings.Contains(calls, "os.") {
		imports = `import ("fmt"; "os"; "strconv"; "time")`
	}
	return "package main\n\n" + imports + "\n\nfunc main() {\n\t" + calls + `
	best := time.Duration(1 << 62)
	var result any
	for range calls {
		start := time.Now()
		result = work()
		best = min(best, time.Since(start))
	}
	fmt.Println(best.Nanoseconds(), result)
}
`
}

const pyMain = `
def time_work():
    import sys, time
    best, result = 1 << 62, None
    for _ in range(int(sys.argv[1])):
        start = time.perf_counter_ns()
        result = work()
        best = min(best, time.perf_counter_ns() - start)
    print(best, result)

time_work()
`

// measured is the result of one engine for a program.
type measured struct {
	best   time.Duration
	result string
	err    error
	late   bool // stopped at the time limit
}

// contestant is a way to run programs: a column of the table.
type contestant struct {
	name string
	// command returns the command that runs a program in its own process; the number of calls is
	// appended to it. It can use the directory.
	command func(p program, dir string) ([]string, error)
	env     []string // additional variables
}

// contestants are the columns of the table.
var contestants = []contestant{
	{name: "compiled Go", command: compile},
	{name: "ssa", command: evaluate("ssa")},
	{name: "yaegi", command: evaluate("yaegi")},
	{name: "CPython", command: interpret(&python)},
}

// python and pypy are the commands that run CPython and PyPy.
var python, pypy string

// interpret returns a function that returns the command to run a program with a Python.
func interpret(python *string) func(p program, _ string) ([]string, error) {
	return func(p program, _ string) ([]string, error) { return []string{*python, "-c", p.py + pyMain}, nil }
}

// compile builds the program.
func compile(p program, dir string) ([]string, error) {
	for name, text := range map[string]string{"work.go": p.goSrc, "main.go": timing("calls, _ := strconv.Atoi(os.Args[1])")} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			return nil, err
		}
	}
	build := exec.Command("go", "build", "-o", "work", "work.go", "main.go")
	build.Dir = dir
	if out, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("go build: %v: %s", err, out)
	}
	return []string{filepath.Join(dir, "work")}, nil
}

// evaluate returns a function that returns the command to evaluate a program with an engine of
// package interp.
func evaluate(engine string) func(p program, _ string) ([]string, error) {
	return func(p program, _ string) ([]string, error) {
		self, err := os.Executable()
		return []string{self, "-set", p.set, "-inside", engine, p.name}, err
	}
}

// measure runs a program by the contestants in turn, several times, so that other work on the
// machine affects all of them. The best call of each counts.
func measure(p program, contestants []contestant, rounds, calls int, limit time.Duration) ([]measured, error) {
	dir, err := os.MkdirTemp("", "bench-engine")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	all := make([]measured, len(contestants))
	commands := make([][]string, len(contestants))
	for i, c := range contestants {
		commands[i], all[i].err = c.command(p, dir)
	}
	for round := range rounds {
		for i := range contestants {
			m := &all[i]
			if m.err != nil {
				continue
			}
			ctx, cancel := context.WithTimeout(context.Background(), limit)
			again := output(ctx, commands[i], contestants[i].env, calls)
			cancel()
			if round == 0 || again.err != nil || again.best < m.best {
				*m = again
			}
		}
	}
	return all, nil
}

// output parses "nanoseconds result" from the output of a command.
func output(ctx context.Context, command, env []string, calls int) measured {
	args := append(command[1:len(command):len(command)], strconv.Itoa(calls))
	cmd := exec.CommandContext(ctx, command[0], args...)
	cmd.Env = append(os.Environ(), env...)
	cmd.WaitDelay = time.Second
	var notes bytes.Buffer
	cmd.Stderr = &notes
	b, err := cmd.Output()
	if ctx.Err() != nil {
		return measured{err: ctx.Err(), late: true}
	}
	if err != nil {
		return measured{err: fmt.Errorf("%w: %s", err, bytes.TrimSpace(notes.Bytes()))}
	}
	ns, result, _ := strings.Cut(strings.TrimSpace(string(b)), " ")
	n, err := strconv.ParseInt(ns, 10, 64)
	return measured{best: time.Duration(n), result: result, err: err}
}
