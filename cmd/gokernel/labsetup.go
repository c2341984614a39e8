package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/gokernel/gokernel/internal/filelock"
)

// labRequirements are the versions that a fresh environment gets.
//
//go:embed lab-requirements.txt
var labRequirements []byte

// labSettings keep a fresh environment, whose versions are pinned, from asking
// whether it may look for news and newer versions.
const labSettings = `{
  "@jupyterlab/apputils-extension:notification": {"fetchNews": "false", "checkForUpdates": false}
}
`

// findLab gives the program of a JupyterLab that runs: the one on the PATH, or
// else one in an environment of its own, below cache.
func findLab(ctx context.Context, status io.Writer, cache string) (string, error) {
	if lab, err := exec.LookPath("jupyter-lab"); err == nil {
		why := labRuns(ctx, lab)
		if why == nil {
			return lab, nil
		}
		fmt.Fprintf(status, "The JupyterLab on the PATH, %s, does not run, so another one is used: %v\n", lab, why)
	}
	return setUpLab(ctx, status, cache)
}

// labRuns tells why a JupyterLab that is there does not run: its Python may have
// been removed, or it may be a shim of pyenv for another Python. JupyterLab takes
// seconds to say its version, so its Python is asked where that is known.
func labRuns(ctx context.Context, lab string) error {
	f, err := os.Open(lab)
	if err != nil {
		return err
	}
	defer f.Close()
	line, _ := bufio.NewReaderSize(f, 4096).ReadString('\n')
	interpreter, script := strings.CutPrefix(line, "#!")
	args := strings.Fields(interpreter)
	switch {
	case !script || len(args) == 0:
		return nil // a program
	case strings.Contains(args[len(args)-1], "python"):
		const find = "import importlib.util as u; u.find_spec('jupyterlab') or exit('there is no jupyterlab')"
		return quietly(ctx, args[0], append(args[1:], "-c", find)...)
	}
	return quietly(ctx, lab, "--version")
}

// labEnv gives the program of the JupyterLab that lab keeps below cache, and
// whether it is there, whole, and runs.
func labEnv(ctx context.Context, cache string) (lab string, ready func() bool) {
	bin, exe := "bin", ""
	if runtime.GOOS == "windows" {
		bin, exe = "Scripts", ".exe"
	}
	env := labDir(cache)
	lab = filepath.Join(env, bin, "jupyter-lab"+exe)
	return lab, func() bool {
		_, err := os.Stat(filepath.Join(env, labComplete))
		return err == nil && labRuns(ctx, lab) == nil
	}
}

// labComplete is the file of an environment that is written last: a broken set-up
// is done again.
const labComplete = "complete"

// labDir is the environment with the wanted versions.
func labDir(cache string) string {
	sum := sha256.Sum256(labRequirements)
	return filepath.Join(cache, "lab-"+hex.EncodeToString(sum[:4]))
}

// setUpLab gives the program of a JupyterLab in an environment of its own,
// which it makes when there is none with the wanted versions.
func setUpLab(ctx context.Context, status io.Writer, cache string) (string, error) {
	env := labDir(cache)
	lab, ready := labEnv(ctx, cache)
	if ready() {
		return lab, nil
	}
	python, err := findPython(ctx)
	if err != nil {
		return "", err
	}
	unlock, err := lockSetUp(ctx, status, env+".lock")
	if err != nil {
		return "", err
	}
	defer unlock()
	if ready() { // somebody else has done it
		return lab, nil
	}
	fmt.Fprintf(status, "Setting up JupyterLab with %s in %s; this takes a minute or two, once.\n", python, env)
	if err := quietly(ctx, python, "-m", "venv", "--clear", env); err != nil {
		return "", fmt.Errorf("lab: %w\nPython cannot make an environment. On Debian and Ubuntu, \"sudo apt install python3-venv\" provides what it needs", err)
	}
	list := filepath.Join(env, "requirements.txt")
	if err := os.WriteFile(list, labRequirements, 0o644); err != nil {
		return "", fmt.Errorf("lab: %w", err)
	}
	if err := quietly(ctx, filepath.Join(filepath.Dir(lab), "python"+filepath.Ext(lab)), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", list); err != nil {
		return "", fmt.Errorf("lab: %w\nInstalling needs the network and 300 MB of room; try again, or install JupyterLab yourself so that jupyter-lab is on the PATH", err)
	}
	settings := filepath.Join(env, "share", "jupyter", "lab", "settings", "overrides.json")
	if err := errors.Join(os.MkdirAll(filepath.Dir(settings), 0o755), os.WriteFile(settings, []byte(labSettings), 0o644)); err != nil {
		return "", fmt.Errorf("lab: %w", err)
	}
	if err := os.WriteFile(filepath.Join(env, labComplete), nil, 0o644); err != nil {
		return "", fmt.Errorf("lab: %w", err)
	}
	return lab, nil
}

// lockSetUp waits until no other process is at the set-up that the file stands
// for: two of them would destroy each other's work.
func lockSetUp(ctx context.Context, status io.Writer, file string) (unlock func(), err error) {
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return nil, fmt.Errorf("lab: %w", err)
	}
	f, err := os.OpenFile(file, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("lab: %w", err)
	}
	for told := false; !filelock.Try(f); told = true {
		if !told {
			fmt.Fprintln(status, "Another gokernel is setting JupyterLab up; this one waits for it.")
		}
		select {
		case <-ctx.Done():
			f.Close()
			return nil, fmt.Errorf("lab: %w", ctx.Err())
		case <-time.After(200 * time.Millisecond):
		}
	}
	return func() { f.Close() }, nil
}

// pythons are the names that Python goes by; where the first ones are too old,
// a newer one may be installed beside them.
var pythons = []string{"python3", "python", "py", "python3.14", "python3.13", "python3.12", "python3.11", "python3.10"}

// findPython looks for a Python that JupyterLab runs with.
func findPython(ctx context.Context) (string, error) {
	const version = "import sys; print('%d.%d' % sys.version_info[:2]); sys.exit(sys.version_info < (3, 10))"
	var old string
	for _, name := range pythons {
		path, err := exec.LookPath(name)
		if err != nil {
			continue
		}
		out, err := exec.CommandContext(ctx, path, "-c", version).Output()
		if err == nil {
			return path, nil
		}
		if v := strings.TrimSpace(string(out)); v != "" && old == "" {
			old = fmt.Sprintf(" (%s is Python %s)", path, v)
		}
	}
	return "", fmt.Errorf(`lab: JupyterLab is not on the PATH, and neither is Python 3.10 or newer, with which it could be set up%s.
Install Python from your system's packages or from https://www.python.org, then run this command again.
Without Python, "gokernel run NOTEBOOK" executes notebooks and makes web pages of them`, old)
}

// quietly runs a program; what it prints becomes part of the error when it
// fails.
func quietly(ctx context.Context, program string, args ...string) error {
	out, err := exec.CommandContext(ctx, program, args...).CombinedOutput()
	if err == nil {
		return nil
	}
	if out = bytes.TrimSpace(out); len(out) == 0 {
		return fmt.Errorf("%s: %w", filepath.Base(program), err)
	}
	return fmt.Errorf("%s: %w\n%s", filepath.Base(program), err, out)
}
