package enginetest

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gokernel/gokernel/interp/engine/enginetest/progen"
)

var generatedFlag = flag.Int("generated", 24, "how many generated programs to run")

// programsPerFile is the number of generated programs that are compiled and run together.
const programsPerFile = 40

// onceWrong holds seeds of programs that an engine once ran incorrectly.
var onceWrong = []uint64{100036, 100516}

// GeneratedPrograms runs programs that package progen generates, compiled and in the engine, and
// compares their output. These programs use the whole language, while the programs of
// RandomPrograms use the constructs that the engine optimizes. A difference is reported with the
// seed that reproduces the program: -generated 1 -seed S.
func GeneratedPrograms(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the compiler")
	}
	comparePrograms(t, onceWrong)
	for from := 0; from < *generatedFlag; from += programsPerFile {
		var seeds []uint64
		for i := from; i < min(from+programsPerFile, *generatedFlag); i++ {
			seeds = append(seeds, *seedFlag+uint64(i))
		}
		comparePrograms(t, seeds)
	}
}

// FuzzPrograms runs the same comparison for the seeds of the fuzzer.
func FuzzPrograms(f *testing.F) {
	for seed := range uint64(4) {
		f.Add(seed << 40)
	}
	f.Fuzz(func(t *testing.T, seed uint64) { comparePrograms(t, []uint64{seed}) })
}

// comparePrograms runs the programs of some seeds.
func comparePrograms(t *testing.T, seeds []uint64) {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "main.go")
	if err := os.WriteFile(file, []byte(progen.File(seeds)), 0o666); err != nil {
		t.Fatal(err)
	}
	want, err := compiledRun(dir, file)
	if err != nil {
		t.Fatalf("seeds %d to %d: %v", seeds[0], seeds[len(seeds)-1], err)
	}
	compareRun(t, file, want)
	compareRun(t, file, want, "GOGC=3", "GODEBUG=clobberfree=1") // overwrites memory that is freed too early
}

// compareRun runs the programs of a file in the engine.
func compareRun(t *testing.T, file, want string, env ...string) {
	t.Helper()
	e, err := start(file, filepath.Dir(file), 2*time.Minute, env...)
	if err != nil {
		t.Fatal(err)
	}
	got := sections(e.output)
	for name, text := range sections(want) {
		switch mine, ran := got[name]; {
		case !ran:
			t.Errorf("seed %s %v: did not run: status %d, %s", name, env, e.status, lineWith(e.output, "fatal error: ", "panic: ", "refused"))
		case mine != text:
			t.Errorf("seed %s %v: %s", name, env, difference(mine, text))
		}
	}
}

// compiledRun returns the output of a program that compiled Go runs.
func compiledRun(dir, file string) (string, error) {
	program := filepath.Join(dir, "program")
	build := exec.Command("go", "build", "-o", program, file)
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, out)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	out, err := exec.CommandContext(ctx, program).CombinedOutput()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return "", fmt.Errorf("the compiled program ended with %w: %s", err, bytes.TrimSpace(out[max(0, len(out)-2000):]))
	}
	return string(out), err
}

// sections splits the output of several programs by their seeds.
func sections(output string) map[string]string {
	all := map[string]string{}
	for _, s := range strings.Split("\n"+output, "\n== P")[1:] {
		name, text, _ := strings.Cut(s, "\n")
		all[name] = text
	}
	return all
}
