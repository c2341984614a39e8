//go:build unix

package install

import (
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestEverybodyMayUseIt installs under a prefix as a user whose files are private, and checks
// that others can read all files and run the program.
func TestEverybodyMayUseIt(t *testing.T) {
	exe := filepath.Join(t.TempDir(), "gokernel")
	if err := os.WriteFile(exe, []byte("program"), 0o700); err != nil {
		t.Fatal(err)
	}
	prefix := t.TempDir()
	mask := syscall.Umask(0o077)
	defer syscall.Umask(mask)
	spec := NewSpec(exe, "", "", "5.5")
	spec.Copy = true
	dir, err := Install(spec, Place{Prefix: filepath.Join(prefix, "new")})
	if err != nil {
		t.Fatal(err)
	}
	for path := dir; path != prefix; path = filepath.Dir(path) {
		mode(t, path, fs.ModeDir|0o755)
	}
	mode(t, filepath.Join(dir, "kernel.json"), 0o644)
	mode(t, filepath.Join(dir, programName), 0o755)
}

func mode(t *testing.T, path string, want fs.FileMode) {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode() != want {
		t.Errorf("%s has mode %v, want %v", path, info.Mode(), want)
	}
}
