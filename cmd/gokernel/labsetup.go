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
	"strings"
	"sync"
	"time"

	"github.com/gokernel/gokernel/internal/filelock"
	"github.com/gokernel/gokernel/internal/status"
)

// labRequirements contains the versions for a new environment.
//
//go:embed lab-requirements.txt
var labRequirements []byte

// labSettings prevents a new environment, whose versions are pinned, from asking whether it may
// check for news and newer versions.
const labSettings = `{
  "@jupyterlab/apputils-extension:notification": {"fetchNews": "false", "checkForUpdates": false}
}
`

// findLab returns the program of a working JupyterLab. If no installed JupyterLab works, it uses
// one in a separate environment below cache.
func findLab(ctx context.Context, w io.Writer, cache string) (string, error) {
	for _, lab := range installedLabs() {
		why := labRuns(ctx, lab)
		if why != nil {
			fmt.Fprintf(w, "The JupyterLab %s doesn't run, so another one is used: %v\n", lab, why)
			continue
		}
		fmt.Fprintf(w, "Starting the installed JupyterLab, %s; press Ctrl-C to end it.\n", lab)
		if remedy := lacksWidgets(ctx, lab); remedy != "" {
			fmt.Fprintf(w, "It shows sliders and other controls as text, because jupyterlab_widgets is missing: %s\n", remedy)
		}
		return lab, nil
	}
	lab, err := setUpLab(ctx, w, cache)
	if err == nil {
		fmt.Fprintf(w, "Starting JupyterLab in %s; press Ctrl-C to end it.\n", labDir(cache))
	}
	return lab, err
}

// labEnv returns the program of lab's JupyterLab below cache, and a function that reports whether
// it is complete and runs.
func labEnv(ctx context.Context, cache string) (lab string, ready func() bool) {
	env := labDir(cache)
	lab = labProgram(env)
	return lab, func() bool {
		_, err := os.Stat(filepath.Join(env, labComplete))
		return err == nil && labRuns(ctx, lab) == nil
	}
}

// labComplete is the last file written to an environment. If it is missing, the installation is
// incomplete and is repeated.
const labComplete = "complete"

// labDir returns the environment with the wanted versions.
func labDir(cache string) string {
	sum := sha256.Sum256(labRequirements)
	return filepath.Join(cache, "lab-"+hex.EncodeToString(sum[:4]))
}

// setUpLab returns the program of a JupyterLab in a separate environment, which it creates if there
// is none with the wanted versions.
func setUpLab(ctx context.Context, w io.Writer, cache string) (string, error) {
	env := labDir(cache)
	lab, ready := labEnv(ctx, cache)
	if ready() {
		return lab, nil
	}
	python, err := findPython(ctx)
	if err != nil {
		return "", err
	}
	unlock, err := lockSetUp(ctx, w, env+".lock")
	if err != nil {
		return "", err
	}
	defer unlock()
	if ready() { // another process has done it
		return lab, nil
	}
	fmt.Fprintf(w, "There is no JupyterLab yet, so one is set up in %s; this takes a minute or two, once.\n", env)
	err = step(w, "1/2 making a Python environment with "+python, func(pipLog) error {
		return quietly(ctx, python, "-m", "venv", "--clear", env)
	})
	if err != nil {
		return "", fmt.Errorf("lab: %w\nPython can't create an environment. On Debian and Ubuntu, run \"sudo apt install python3-venv\"", err)
	}
	list := filepath.Join(env, "requirements.txt")
	if err := os.WriteFile(list, labRequirements, 0o644); err != nil {
		return "", fmt.Errorf("lab: %w", err)
	}
	err = step(w, "2/2 installing JupyterLab", func(log pipLog) error {
		return loudly(ctx, log, filepath.Join(filepath.Dir(lab), "python"+filepath.Ext(lab)), "-m", "pip", "install", "--no-color", "--progress-bar=off", "--disable-pip-version-check", "-r", list)
	})
	if err != nil {
		return "", fmt.Errorf("lab: %w\nInstalling needs the network and 300 MB of disk space; try again, or install JupyterLab yourself so that jupyter-lab is on the PATH", err)
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

// pipLog receives the lines that pip prints.
type pipLog func(line string)

// pipPlace is the progress of pip, according to its output.
type pipPlace struct {
	mu       sync.Mutex
	packages int
	at       string
}

func newPipPlace() *pipPlace { return &pipPlace{} }

func (p *pipPlace) line(line string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	doing, subject, _ := strings.Cut(strings.TrimSpace(line), " ")
	switch doing {
	case "Collecting":
		p.packages++
		subject, _, _ = strings.Cut(subject, " ")
		p.at = fmt.Sprintf(", package %d, %s", p.packages, subject)
	case "Installing":
		p.at = fmt.Sprintf(", unpacking %d packages", p.packages)
	}
}

func (p *pipPlace) text() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.at
}

// step runs a step of the installation, and shows the step, its duration, and the progress of pip.
func step(w io.Writer, what string, do func(pipLog) error) error {
	begun, place := time.Now(), newPipPlace()
	took := func() string { return status.Duration(time.Since(begun)) }
	stop := status.Show(w, func() string { return fmt.Sprintf("%s (%s%s)", what, took(), place.text()) })
	if err := do(place.line); err != nil {
		stop("")
		return err
	}
	stop(fmt.Sprintf("%s: done in %s", what, took()))
	return nil
}

// lockSetUp waits for the lock on the file, which a process holds during an installation, because
// two installations at the same time would destroy each other's work.
func lockSetUp(ctx context.Context, w io.Writer, file string) (unlock func(), err error) {
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return nil, fmt.Errorf("lab: %w", err)
	}
	f, err := os.OpenFile(file, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("lab: %w", err)
	}
	for told := false; !filelock.Try(f); told = true {
		if !told {
			fmt.Fprintln(w, "Another gokernel is setting JupyterLab up; this one waits for it.")
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

// pythons are the names of Python. If the first ones are too old, a newer one may be installed
// beside them.
var pythons = []string{"python3", "python", "py", "python3.14", "python3.13", "python3.12", "python3.11", "python3.10"}

// findPython finds a Python that JupyterLab runs with.
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

// quietly runs a program; if it fails, its output becomes part of the error.
func quietly(ctx context.Context, program string, args ...string) error {
	return loudly(ctx, func(string) {}, program, args...)
}

// loudly is like quietly, but also forwards the program's output line by line.
func loudly(ctx context.Context, log pipLog, program string, args ...string) error {
	cmd := exec.CommandContext(ctx, program, args...)
	r, pipe := io.Pipe()
	cmd.Stdout, cmd.Stderr = pipe, pipe
	cmd.Env = append(os.Environ(), "PYTHONUNBUFFERED=1")
	var printed bytes.Buffer
	read := make(chan struct{})
	go func() {
		defer close(read)
		for s := bufio.NewReader(r); ; {
			line, err := s.ReadString('\n')
			printed.WriteString(line)
			log(line)
			if err != nil {
				return
			}
		}
	}()
	err := cmd.Run()
	pipe.Close()
	<-read
	out := printed.Bytes()
	if err == nil {
		return nil
	}
	if out = bytes.TrimSpace(out); len(out) == 0 {
		return fmt.Errorf("%s: %w", filepath.Base(program), err)
	}
	return fmt.Errorf("%s: %w\n%s", filepath.Base(program), err, out)
}
