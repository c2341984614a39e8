package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

const goMain = `package main

import (
	"fmt"
	"os"
	"strconv"
	"time"
)

func main() {
	calls, _ := strconv.Atoi(os.Args[1])
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
func runNative(p program, calls int) measured {
	dir, err := os.MkdirTemp("", "bench-engine")
	if err != nil {
		return measured{err: err}
	}
	defer os.RemoveAll(dir)
	for name, text := range map[string]string{"work.go": p.goSrc, "main.go": goMain} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			return measured{err: err}
		}
	}
	build := exec.Command("go", "build", "-o", "work", "work.go", "main.go")
	build.Dir = dir
	if out, err := build.CombinedOutput(); err != nil {
		return measured{err: fmt.Errorf("go build: %v: %s", err, out)}
	}
	return output(exec.Command(filepath.Join(dir, "work"), strconv.Itoa(calls)))
}

// runPython runs the Python program.
func runPython(p program, calls int) measured {
	return output(exec.Command("python3", "-c", p.py+pyMain, strconv.Itoa(calls)))
}

// output reads "nanoseconds result" from what a command prints.
func output(cmd *exec.Cmd) measured {
	cmd.Stderr = os.Stderr
	b, err := cmd.Output()
	if err != nil {
		return measured{err: err}
	}
	ns, result, _ := strings.Cut(strings.TrimSpace(string(b)), " ")
	n, err := strconv.ParseInt(ns, 10, 64)
	return measured{best: time.Duration(n), result: result, err: err}
}
