package install

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// Place is the location of a kernelspec. The zero Place is the user's own directory.
type Place struct {
	// Prefix is an environment to install into, such as /usr/local or a Python virtual
	// environment. The kernelspec goes to Prefix/share/jupyter/kernels.
	Prefix string
	// If SysPrefix is true, the kernelspec goes into the active Python environment.
	SysPrefix bool
}

// Dir returns the directory that contains kernelspecs.
func (p Place) Dir() (string, error) {
	switch {
	case p.Prefix != "" && p.SysPrefix:
		return "", errors.New("install: --prefix and --sys-prefix cannot be combined: use one of them")
	case p.SysPrefix:
		prefix, err := sysPrefix()
		if err != nil {
			return "", err
		}
		return filepath.Join(prefix, "share", "jupyter", "kernels"), nil
	case p.Prefix != "":
		prefix, err := filepath.Abs(p.Prefix)
		if err != nil {
			return "", fmt.Errorf("install: %w", err)
		}
		return filepath.Join(prefix, "share", "jupyter", "kernels"), nil
	}
	data, err := userDataDir(runtime.GOOS, os.Getenv, os.UserHomeDir)
	if err != nil {
		return "", err
	}
	return filepath.Join(data, "kernels"), nil
}

// depth returns the number of directories at the end of Dir that belong to Jupyter.
func (p Place) depth() int {
	if p == (Place{}) {
		return 2 // jupyter/kernels
	}
	return 3 // share/jupyter/kernels
}

// userDataDir returns the user's Jupyter data directory.
func userDataDir(goos string, env func(string) string, home func() (string, error)) (string, error) {
	if d := env("JUPYTER_DATA_DIR"); d != "" {
		return d, nil
	}
	if d := env("APPDATA"); goos == "windows" && d != "" {
		return filepath.Join(d, "jupyter"), nil
	}
	if d := env("XDG_DATA_HOME"); goos != "windows" && goos != "darwin" && d != "" {
		return filepath.Join(d, "jupyter"), nil
	}
	h, err := home()
	if err != nil {
		return "", fmt.Errorf("install: the user's kernel directory is unknown: %w: set JUPYTER_DATA_DIR, or use --prefix", err)
	}
	switch goos {
	case "windows":
		return filepath.Join(h, ".jupyter", "data"), nil
	case "darwin":
		return filepath.Join(h, "Library", "Jupyter"), nil
	}
	return filepath.Join(h, ".local", "share", "jupyter"), nil
}

// sysPrefix returns the root of the active Python environment.
func sysPrefix() (string, error) {
	for _, name := range []string{"VIRTUAL_ENV", "CONDA_PREFIX"} {
		if d := os.Getenv(name); d != "" {
			return d, nil
		}
	}
	for _, python := range []string{"python3", "python"} {
		out, err := exec.Command(python, "-c", "import sys; print(sys.prefix)").Output()
		if d := strings.TrimSpace(string(out)); err == nil && d != "" {
			return d, nil
		}
	}
	return "", errors.New("install: --sys-prefix needs a Python on the PATH: activate an environment, or use --user or --prefix")
}

// searchPath lists the kernelspec directories of the environment variable JUPYTER_PATH, which
// Jupyter searches first.
func searchPath() []string {
	var dirs []string
	for _, d := range filepath.SplitList(os.Getenv("JUPYTER_PATH")) {
		if d != "" {
			dirs = append(dirs, filepath.Join(d, "kernels"))
		}
	}
	return dirs
}
