//go:build linux && (amd64 || arm64)

package sandbox

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestStart runs the test binary again as processes that use too much.
func TestStart(t *testing.T) {
	if what := os.Getenv("SANDBOX_TAKE"); what != "" {
		take(t, what)
		return
	}
	for what, want := range map[string]string{
		"threads": "more than 512 threads",
		"memory":  "out of memory: the session takes more than 256 MiB",
		"tables":  "out of memory: the session takes more than 256 MiB",
		"pages":   "has written more than 4096 MiB",
		"bytes":   "has written more than 4096 MiB",
		"nothing": "PASS",
	} {
		t.Run(what, func(t *testing.T) {
			cmd := exec.Command(os.Args[0], "-test.run=^TestStart$", "-test.v")
			cmd.Env = append(os.Environ(), "SANDBOX_TAKE="+what)
			cmd.SysProcAttr = &syscall.SysProcAttr{}
			r, w, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			cmd.Stdout, cmd.Stderr = w, w
			err = Start(cmd, Limits{Memory: 256 << 20})
			w.Close()
			if err != nil {
				t.Fatal(err)
			}
			text, err := io.ReadAll(r) // also ends when the watch does
			if err != nil {
				t.Fatal(err)
			}
			err = cmd.Wait()
			if !strings.Contains(string(text), want) || (err == nil) != (what == "nothing") {
				t.Errorf("%v, want %q in\n%s", err, want, text)
			}
		})
	}
}

// take uses more than is allowed, and then waits to be killed.
func take(t *testing.T, what string) {
	switch what {
	case "nothing":
		return
	case "threads":
		for range maxThreads + 50 {
			go func() { _, _, _ = syscall.Syscall(syscall.SYS_PPOLL, 0, 0, 0) }()
		}
	case "memory":
		b, err := syscall.Mmap(-1, 0, 512<<20, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_SHARED)
		if err != nil {
			t.Fatal(err)
		}
		for i := 0; i < len(b); i += 4096 {
			b[i] = 1
		}
	case "tables":
		// The quick check must not wait for the check that takes long. Each page that is read needs
		// a page table, and all pages are the zero page.
		const step = 2 << 20
		b, err := syscall.Mmap(-1, 0, step<<18, syscall.PROT_READ, syscall.MAP_ANON|syscall.MAP_PRIVATE|syscall.MAP_NORESERVE)
		if err == nil {
			err = syscall.Madvise(b, syscall.MADV_NOHUGEPAGE)
		}
		if err != nil {
			t.Fatal(err)
		}
		zeros := byte(0)
		for i := 0; i < len(b); i += step {
			zeros |= b[i]
		}
		t.Log(zeros)
	case "pages":
		// The pages of one file change repeatedly, and are written back each time.
		f, err := os.Create(filepath.Join(t.TempDir(), "own"))
		if err == nil {
			err = f.Truncate(64 << 20)
		}
		if err != nil {
			t.Fatal(err)
		}
		for range 65 {
			b, err := syscall.Mmap(int(f.Fd()), 0, 64<<20, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
			if err != nil {
				t.Fatal(err)
			}
			for i := 0; i < len(b); i += 4096 {
				b[i]++
			}
			if err := errors.Join(syscall.Munmap(b), f.Truncate(0), f.Truncate(64<<20)); err != nil {
				t.Fatal(err)
			}
		}
	case "bytes":
		null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		for b := make([]byte, 64<<20); ; {
			if _, err := null.Write(b); err != nil {
				t.Fatal(err)
			}
		}
	}
	select {}
}
