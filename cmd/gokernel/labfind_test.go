//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// fakeLab writes a JupyterLab whose Python always prints the answer, and returns the path of both.
func fakeLab(t *testing.T, answer string) (lab, python string) {
	t.Helper()
	dir := t.TempDir()
	lab, python = filepath.Join(dir, "jupyter-lab"), filepath.Join(dir, "python3")
	for file, text := range map[string]string{
		python: "#!/bin/sh\necho " + answer + "\n",
		lab:    "#!" + python + "\n",
	} {
		if err := os.WriteFile(file, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return lab, python
}

func TestLacksWidgets(t *testing.T) {
	lab, python := fakeLab(t, "False")
	if got, want := lacksWidgets(t.Context(), lab), python+" -m pip install jupyterlab_widgets, then reload the page"; got != want {
		t.Errorf("without the extension: got %q, want %q", got, want)
	}
	lab, _ = fakeLab(t, "True")
	if got := lacksWidgets(t.Context(), lab); got != "" {
		t.Errorf("with the extension: got %q", got)
	}
	lab, _ = fakeLab(t, "I am another program")
	if got := lacksWidgets(t.Context(), lab); got != "" {
		t.Errorf("where it is unknown: got %q", got)
	}
}

// TestStepShowsHowFarPipIs simulates the output of pip.
func TestStepShowsHowFarPipIs(t *testing.T) {
	var w strings.Builder
	dir := t.TempDir()
	pip := filepath.Join(dir, "pip")
	const printed = "Collecting jupyterlab==4.6.6 (from -r list)\n  Downloading jupyterlab.whl (12 MB)\nCollecting tornado>=6\nInstalling collected packages: tornado, jupyterlab"
	if err := os.WriteFile(pip, []byte("#!/bin/sh\ncat <<'END'\n"+printed+"\nEND\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	var lines []string
	err := step(&w, "2/2 installing JupyterLab", func(log pipLog) error {
		return loudly(t.Context(), func(line string) { lines = append(lines, line); log(line) }, pip)
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.TrimRight(strings.Join(lines, ""), "\n"); got != printed {
		t.Errorf("passed on %q, want %q", got, printed)
	}
	if got, want := w.String(), "2/2 installing JupyterLab (0 s)\n2/2 installing JupyterLab: done in 0 s\n"; got != want {
		t.Errorf("shown %q, want %q", got, want)
	}

	at := newPipPlace()
	for _, line := range lines {
		at.line(line)
	}
	if got, want := at.text(), ", unpacking 2 packages"; got != want {
		t.Errorf("at the end: %q, want %q", got, want)
	}
	at = newPipPlace()
	at.line(lines[0])
	if got, want := at.text(), ", package 1, jupyterlab==4.6.6"; got != want {
		t.Errorf("after the first line: %q, want %q", got, want)
	}

	err = step(&w, "2/2 installing JupyterLab", func(log pipLog) error {
		return loudly(t.Context(), log, "sh", "-c", "echo no network >&2; exit 1")
	})
	if err == nil || !strings.Contains(err.Error(), "no network") {
		t.Errorf("a pip that fails: %v", err)
	}
}
