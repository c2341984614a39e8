package doctor

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// TestKernelThatFails runs programs that are no kernels.
func TestKernelThatFails(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Log("the programs are shell scripts")
		return
	}
	dir := t.TempDir()
	for _, c := range []struct {
		script, want string
		patience     time.Duration
	}{
		{"echo sockets are forbidden >&2; exit 3", "the kernel ended at once\nsockets are forbidden", time.Minute},
		{"exec sleep 100", "the kernel did not open its sockets within 1m0s", 100 * time.Millisecond},
	} {
		program := filepath.Join(dir, "program")
		if err := os.WriteFile(program, []byte("#!/bin/sh\n"+c.script+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), c.patience)
		_, err := tryKernel(ctx, program)
		cancel()
		if err == nil || err.Error() != c.want {
			t.Errorf("%s: %v, want %s", c.script, err, c.want)
		}
	}
	if _, err := tryKernel(t.Context(), filepath.Join(dir, "none")); err == nil || !strings.HasPrefix(err.Error(), "the kernel does not start: ") {
		t.Errorf("a program that is not there: %v", err)
	}
}

func TestWrite(t *testing.T) {
	var b strings.Builder
	Write(&b, Finding{"memory", Note, "100 MB are free\nof 200", "End other kernels."})
	const want = "note   memory    100 MB are free\n" +
		"                 of 200\n" +
		"                 -> End other kernels.\n"
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}

func TestMemoryIsPlausible(t *testing.T) {
	free, limit := memory()
	if runtime.GOOS == "linux" && (free < 1<<20 || free > 1<<50) {
		t.Errorf("%d bytes are free (%s)", free, limit)
	}
}
