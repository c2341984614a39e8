package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gokernel/gokernel/cmd/gokernel/internal/doctor"
	"github.com/gokernel/gokernel/install"
	"github.com/gokernel/gokernel/kernel/msg"
)

// examine runs "gokernel doctor --json", and returns the findings by check, and the error of the
// command.
func examine(t *testing.T) (map[string][]doctor.Finding, error) {
	t.Helper()
	var out bytes.Buffer
	root := newRoot()
	root.SetArgs([]string{"doctor", "--json"})
	root.SetOut(&out)
	err := root.ExecuteContext(t.Context())
	var list []doctor.Finding
	if err := json.Unmarshal(out.Bytes(), &list); err != nil {
		t.Fatalf("%v in %s", err, out.Bytes())
	}
	found := map[string][]doctor.Finding{}
	for _, f := range list {
		found[f.Check] = append(found[f.Check], f)
	}
	return found, err
}

func TestDoctor(t *testing.T) {
	home := t.TempDir()
	for _, name := range []string{"XDG_DATA_HOME", "XDG_CACHE_HOME", "JUPYTER_DATA_DIR", "JUPYTER_PATH", "GOMODCACHE", "GOPATH", "VIRTUAL_ENV", "CONDA_PREFIX"} {
		t.Setenv(name, "")
	}
	t.Setenv("HOME", home)
	t.Setenv("PATH", t.TempDir()) // no Python, no JupyterLab

	found, err := examine(t)
	if err != nil {
		t.Fatalf("%v: %v", err, found)
	}
	for check, want := range map[string]doctor.Verdict{
		"program": doctor.Note, "engine": doctor.OK, "kernel": doctor.OK, "installed": doctor.Note,
		"lab": doctor.Note, "history": doctor.OK, "files": doctor.OK, "modules": doctor.OK,
	} {
		if len(found[check]) != 1 || found[check][0].Verdict != want {
			t.Errorf("%s: got %v, want %s", check, found[check], want)
		}
	}
	if text := found["kernel"][0].Text; !strings.Contains(text, "the first cell ran") {
		t.Errorf("kernel: %s", text)
	}

	// A kernelspec of this program, one whose program does not exist, and one that hides the first.
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	place := func(program, name, prefix string) string {
		dir, err := install.Install(install.NewSpec(program, "", name, msg.Version), install.Place{Prefix: prefix})
		if err != nil {
			t.Fatal(err)
		}
		return dir
	}
	prefix := filepath.Join(home, ".local")
	place(exe, "", prefix)
	gone := place(filepath.Join(home, "gone"), "old", prefix)
	found, err = examine(t)
	var code exitCode
	if !errors.As(err, &code) || code != 1 {
		t.Errorf("with a program that is gone the command ends with %v, want status 1", err)
	}
	verdicts := map[doctor.Verdict]string{}
	for _, f := range found["installed"] {
		verdicts[f.Verdict] = f.Text
	}
	if len(verdicts) != 2 || verdicts[doctor.OK] == "" || !strings.Contains(verdicts[doctor.Fault], gone) ||
		!strings.Contains(verdicts[doctor.Fault], "can't be started: no such file or directory") {
		t.Errorf("installed: %v", found["installed"])
	}
	if err := os.RemoveAll(gone); err != nil {
		t.Fatal(err)
	}
	other := t.TempDir()
	first := place(exe, "", other)
	t.Setenv("JUPYTER_PATH", filepath.Join(other, "share", "jupyter"))
	found, err = examine(t)
	if err != nil {
		t.Error(err)
	}
	if list := found["installed"]; len(list) != 2 || list[0].Verdict != doctor.OK || list[1].Verdict != doctor.Note || !strings.Contains(list[1].Text, first+" instead") {
		t.Errorf("installed: %v", list)
	}
}
