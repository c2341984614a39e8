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

// timing is the main function that times work; calls says how often.
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
if __name__ == "__main__":
    import sys, time
    best, result = 1 << 62, None
    for _ in range(int(sys.argv[1])):
        start = time.perf_counter_ns()
        result = work()
        best = min(best, time.perf_counter_ns() - start)
    print(best, result)
`

// runNative compiles the program and runs it.
func runNative(ctx context.Context, p program, calls int) measured {
	dir, err := os.MkdirTemp("", "bench-engine")
	if err != nil {
		return measured{err: err}
	}
	defer os.RemoveAll(dir)
	main := timing("calls, _ := strconv.Atoi(os.Args[1])")
	for name, text := range map[string]string{"work.go": p.goSrc, "main.go": main} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			return measured{err: err}
		}
	}
	build := exec.Command("go", "build", "-o", "work", "work.go", "main.go")
	build.Dir = dir
	if out, err := build.CombinedOutput(); err != nil {
		return measured{err: fmt.Errorf("go build: %v: %s", err, out)}
	}
	return output(ctx, filepath.Join(dir, "work"), strconv.Itoa(calls))
}

// runEngine gives what evaluates the program by an engine of package interp, in
// a process of its own.
func runEngine(name string) func(ctx context.Context, p program, calls int) measured {
	return func(ctx context.Context, p program, calls int) measured {
		self, err := os.Executable()
		if err != nil {
			return measured{err: err}
		}
		return output(ctx, self, "-n", strconv.Itoa(calls), "-inside", name, p.name)
	}
}

// python is the command that CPython is.
var python string

// runPython runs the Python program.
func runPython(ctx context.Context, p program, calls int) measured {
	return output(ctx, python, "-c", p.py+pyMain, strconv.Itoa(calls))
}

// output reads "nanoseconds result" from what a command prints.
func output(ctx context.Context, name string, args ...string) measured {
	cmd := exec.CommandContext(ctx, name, args...)
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
