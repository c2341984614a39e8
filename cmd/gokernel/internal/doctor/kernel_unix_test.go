//go:build unix

package doctor

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestKernelThatFails runs programs that are not kernels: shell scripts.
func TestKernelThatFails(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		script, want string
		patience     time.Duration
	}{
		{"echo sockets are forbidden >&2; exit 3", "the kernel exited at once\nsockets are forbidden", time.Minute},
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
	if _, err := tryKernel(t.Context(), filepath.Join(dir, "none")); err == nil || !strings.HasPrefix(err.Error(), "the kernel doesn't start: ") {
		t.Errorf("a program that is not there: %v", err)
	}
}
