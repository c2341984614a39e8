package install

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// Program gives the path by which a kernelspec can start the program exe from
// now on. A program that lies in a place which is cleaned up, as that of
// `go run` does, is copied to a directory of the user's first; copied says so.
func Program(exe string) (path string, copied bool, err error) {
	if exe, err = filepath.Abs(exe); err != nil {
		return "", false, fmt.Errorf("install: %w", err)
	}
	if !passing(exe) {
		return exe, false, nil
	}
	dir, err := DataDir()
	if err != nil {
		return "", false, fmt.Errorf("%w; there is no place for a copy of the program: build it with `go install` first", err)
	}
	name := "gokernel"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	path = filepath.Join(dir, "bin", name)
	if err := copyProgram(exe, path); err != nil {
		return "", false, fmt.Errorf("install: cannot keep a copy of the program: %w", err)
	}
	return path, true, nil
}

// passing tells whether the file lies where files do not stay.
func passing(exe string) bool {
	for _, dir := range []string{os.TempDir(), os.Getenv("GOTMPDIR")} {
		if dir == "" {
			continue
		}
		if real, err := filepath.EvalSymlinks(dir); err == nil {
			dir = real
		}
		file := exe
		if real, err := filepath.EvalSymlinks(exe); err == nil {
			file = real
		}
		if rel, err := filepath.Rel(dir, file); err == nil && filepath.IsLocal(rel) {
			return true
		}
	}
	// Newer versions of the go command run programs out of the build cache.
	return strings.Contains(filepath.ToSlash(exe), "/go-build")
}

// DataDir is where gokernel keeps what belongs to the user: the history of
// cells, and a copy of itself where that is needed.
func DataDir() (string, error) {
	if d := os.Getenv("XDG_DATA_HOME"); d != "" {
		return filepath.Join(d, "gokernel"), nil
	}
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
		d, err := os.UserConfigDir()
		if err != nil {
			return "", fmt.Errorf("install: the user has no directory for data: %w", err)
		}
		return filepath.Join(d, "gokernel"), nil
	}
	h, err := os.UserHomeDir()
	if err != nil {
		return "", fmt.Errorf("install: the user has no directory for data: %w", err)
	}
	return filepath.Join(h, ".local", "share", "gokernel"), nil
}

func copyProgram(from, to string) (err error) {
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	src, err := os.Open(from)
	if err != nil {
		return err
	}
	defer src.Close()
	dst, err := os.CreateTemp(filepath.Dir(to), ".gokernel-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			dst.Close()
			os.Remove(dst.Name())
		}
	}()
	if _, err := io.Copy(dst, src); err != nil {
		return err
	}
	if err := dst.Chmod(0o755); err != nil {
		return err
	}
	if err := dst.Close(); err != nil {
		return err
	}
	return os.Rename(dst.Name(), to)
}
