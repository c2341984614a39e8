package main

import (
	"bufio"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/gokernel/gokernel/install"
)

// labProgram returns the path of JupyterLab's program in a Python environment.
func labProgram(environment string) string {
	if runtime.GOOS == "windows" {
		return filepath.Join(environment, "Scripts", "jupyter-lab.exe")
	}
	return filepath.Join(environment, "bin", "jupyter-lab")
}

// installedLabs lists the JupyterLabs that lab may start, the best first: the one in the
// environment of this program, which need not be active, and the one on the PATH.
func installedLabs() []string {
	var list []string
	if exe, err := os.Executable(); err == nil {
		if env := install.Environment(exe); env != "" {
			if lab, err := exec.LookPath(labProgram(env)); err == nil {
				list = append(list, lab)
			}
		}
	}
	if lab, err := exec.LookPath("jupyter-lab"); err == nil && (len(list) == 0 || list[0] != lab) {
		list = append(list, lab)
	}
	return list
}

// labPython returns the command of the Python that a JupyterLab runs with, or nil if that is
// unknown.
func labPython(lab string) ([]string, error) {
	f, err := os.Open(lab)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	line, _ := bufio.NewReaderSize(f, 4096).ReadString('\n')
	if interpreter, script := strings.CutPrefix(line, "#!"); script {
		if args := strings.Fields(interpreter); len(args) > 0 && strings.Contains(args[len(args)-1], "python") {
			return args, nil
		}
		return nil, nil
	}
	// On Windows, pip creates a program. It is in the folder of Python or in a subfolder.
	for _, python := range []string{"python.exe", filepath.Join("..", "python.exe")} {
		if path, err := exec.LookPath(filepath.Join(filepath.Dir(lab), python)); err == nil {
			return []string{path}, nil
		}
	}
	return nil, nil
}

// labRuns explains why an existing JupyterLab does not run: its Python may have been removed, or it
// may be a shim of pyenv for another Python. JupyterLab takes seconds to report its version, so
// labRuns asks JupyterLab's Python for the version if that Python is known.
func labRuns(ctx context.Context, lab string) error {
	python, err := labPython(lab)
	switch {
	case err != nil:
		return err
	case python != nil:
		const find = "import importlib.util as u; u.find_spec('jupyterlab') or exit('there is no jupyterlab')"
		return quietly(ctx, python[0], append(python[1:], "-c", find)...)
	case runtime.GOOS == "windows":
		return nil // lab is a program, not a script
	}
	return quietly(ctx, lab, "--version")
}

// lacksWidgets returns what to do if a JupyterLab has no extension that shows widgets. Otherwise,
// or if its Python is unknown, it returns "".
func lacksWidgets(ctx context.Context, lab string) string {
	python, err := labPython(lab)
	if err != nil || python == nil {
		return ""
	}
	const find = `import os, jupyter_core.paths as p
print(any(os.path.exists(os.path.join(d, "labextensions", "@jupyter-widgets", "jupyterlab-manager", "package.json")) for d in p.jupyter_path()))`
	out, err := exec.CommandContext(ctx, python[0], append(python[1:], "-c", find)...).Output()
	if err != nil || strings.TrimSpace(string(out)) != "False" {
		return ""
	}
	return strings.Join(python, " ") + " -m pip install jupyterlab_widgets, then reload the page"
}
