package install

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// programName is the file name of a copy of the program.
var programName = "gokernel" + map[bool]string{true: ".exe"}[runtime.GOOS == "windows"]

// Temporary reports whether the program is in a location where files do not stay, as with `go
// run` or a build in a clone.
func Temporary(exe string) bool {
	if Environment(exe) != "" {
		return false // the kernel of a Python environment stays as long as the environment
	}
	if filepath.Base(filepath.Dir(exe)) == ".build" {
		return true // make clean removes it
	}
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
	// Newer versions of the go command run programs from the build cache.
	return strings.Contains(filepath.ToSlash(exe), "/go-build")
}

// DataDir returns the directory of the user's gokernel data, such as the history of cells.
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

func copyProgram(from, to string) error {
	src, err := os.Open(from)
	if err != nil {
		return err
	}
	defer src.Close()
	dst, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o755)
	if err != nil {
		return err
	}
	_, err = io.Copy(dst, src)
	return errors.Join(err, dst.Chmod(0o755), dst.Close())
}
