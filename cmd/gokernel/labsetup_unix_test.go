//go:build unix

package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// fakePython replaces Python: it creates environments with a jupyter-lab in them, and fails as its
// environment variables request.
const fakePython = `#!/bin/sh
PATH=/bin:/usr/bin
case "$1 $2" in
"-c "*)
	echo ${FAKE_VERSION:-3.12}
	[ -z "$FAKE_VERSION" ];;
"-m venv")
	[ -z "$FAKE_NO_VENV" ] || { echo "ensurepip is not available"; exit 1; }
	[ "$3" = --clear ] && rm -rf "$4" && mkdir -p "$4/bin" && cp "$0" "$4/bin/python";;
"-m pip")
	[ -z "$FAKE_LOG" ] || { echo installed >> "$FAKE_LOG"; sleep 1; }
	[ -z "$FAKE_NO_NETWORK" ] || { echo "no matching distribution"; exit 1; }
	printf '#!/bin/sh\necho 4\n' > "${0%/*}/jupyter-lab" && chmod +x "${0%/*}/jupyter-lab";;
*)
	exit 9;;
esac
`

func script(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
}

func TestFindLab(t *testing.T) {
	path, cache := t.TempDir(), filepath.Join(t.TempDir(), "a cache")
	t.Setenv("PATH", path)
	find := func(t *testing.T) (lab, said string, err error) {
		t.Helper()
		var status strings.Builder
		lab, err = findLab(t.Context(), &status, cache)
		return lab, status.String(), err
	}
	fails := func(t *testing.T, want ...string) {
		t.Helper()
		_, _, err := find(t)
		for _, w := range want {
			if err == nil || !strings.Contains(err.Error(), w) {
				t.Errorf("got %v, want an error with %q", err, w)
			}
		}
	}
	t.Run("no Python", func(t *testing.T) { fails(t, "neither is Python 3.10", "www.python.org", "gokernel run") })

	python := filepath.Join(path, "python3")
	script(t, python, fakePython)
	t.Run("old Python", func(t *testing.T) {
		t.Setenv("FAKE_VERSION", "3.8")
		fails(t, fmt.Sprintf("(%s is Python 3.8)", python), "gokernel run")
	})
	t.Run("no venv", func(t *testing.T) {
		t.Setenv("FAKE_NO_VENV", "1")
		fails(t, "ensurepip is not available", "apt install python3-venv")
	})
	t.Run("no network", func(t *testing.T) {
		t.Setenv("FAKE_NO_NETWORK", "1")
		fails(t, "no matching distribution", "needs the network")
	})
	var lab string
	t.Run("set up, after all that", func(t *testing.T) {
		got, said, err := find(t)
		if err != nil || !strings.HasPrefix(got, cache) || !strings.Contains(said, "once") {
			t.Fatalf("got %s, %v, and it said %q", got, err, said)
		}
		lab = got
	})
	t.Run("there already", func(t *testing.T) {
		if got, said, err := find(t); err != nil || got != lab || !strings.HasPrefix(said, "Starting JupyterLab in ") || strings.Count(said, "\n") != 1 {
			t.Errorf("got %s, %v, and it said %q, want %s and that it starts", got, err, said, lab)
		}
	})
	t.Run("its Python was removed", func(t *testing.T) {
		script(t, lab, "#!/no/such/python\n")
		if got, said, err := find(t); err != nil || got != lab || !strings.Contains(said, "2/2 installing JupyterLab: done in ") {
			t.Errorf("got %s, %v, and it said %q, want it set up again", got, err, said)
		}
	})
	t.Run("one on the PATH that does not run", func(t *testing.T) {
		script(t, filepath.Join(path, "jupyter-lab"), "#!/bin/sh\necho the shim knows no version; exit 127\n")
		if got, said, err := find(t); err != nil || got != lab || !strings.Contains(said, "the shim knows no version") {
			t.Errorf("got %s, %v, and it said %q, want %s and why", got, err, said, lab)
		}
	})
	t.Run("one on the PATH, without its package", func(t *testing.T) {
		script(t, filepath.Join(path, "jupyter-lab"), "#!/usr/bin/env -S "+python+"\n")
		t.Setenv("FAKE_VERSION", "3.12")
		if got, said, err := find(t); err != nil || got != lab || !strings.Contains(said, "doesn't run") {
			t.Errorf("got %s, %v, and it said %q, want %s and why", got, err, said, lab)
		}
	})
	t.Run("one on the PATH, in Python", func(t *testing.T) {
		script(t, filepath.Join(path, "jupyter-lab"), "#!"+python+"\n")
		if got, said, err := find(t); err != nil || got != filepath.Join(path, "jupyter-lab") || !strings.HasPrefix(said, "Starting the installed JupyterLab, ") {
			t.Errorf("got %s, %v, and it said %q", got, err, said)
		}
	})
	t.Run("one on the PATH", func(t *testing.T) {
		script(t, filepath.Join(path, "jupyter-lab"), "#!/bin/sh\necho 4.2\n")
		if got, said, err := find(t); err != nil || got != filepath.Join(path, "jupyter-lab") || !strings.HasPrefix(said, "Starting the installed JupyterLab, ") {
			t.Errorf("got %s, %v, and it said %q", got, err, said)
		}
	})
}

// TestTwoSetUpsAtOnce runs two installations at the same time.
func TestTwoSetUpsAtOnce(t *testing.T) {
	path, cache, log := t.TempDir(), t.TempDir(), filepath.Join(t.TempDir(), "log")
	t.Setenv("PATH", path)
	t.Setenv("FAKE_LOG", log)
	script(t, filepath.Join(path, "python3"), fakePython)
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			if _, err := findLab(t.Context(), io.Discard, cache); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if b, err := os.ReadFile(log); err != nil || string(b) != "installed\n" {
		t.Errorf("it was installed as often as this has lines: %q, %v", b, err)
	}
}
