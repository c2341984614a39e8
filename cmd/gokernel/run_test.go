package main

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gokernel/gokernel/cmd/gokernel/internal/notebook"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestPlan(t *testing.T) {
	dir := t.TempDir()
	tests := []struct {
		name string
		args []string
		f    runFlags
		want []job
		err  string
	}{
		{"default", []string{"a/x.ipynb"}, runFlags{}, []job{{"a/x.ipynb", "a/x.executed.ipynb", "a/x.html"}}, ""},
		{"in place", []string{"x.ipynb"}, runFlags{inPlace: true}, []job{{"x.ipynb", "x.ipynb", ""}}, ""},
		{"both", []string{"x.ipynb"}, runFlags{inPlace: true, html: "y.html"}, []job{{"x.ipynb", "x.ipynb", "y.html"}}, ""},
		{"output", []string{"x.ipynb"}, runFlags{out: "y.ipynb"}, []job{{"x.ipynb", "y.ipynb", ""}}, ""},
		{"directory", []string{"x.ipynb", "y.ipynb"}, runFlags{html: dir}, []job{
			{"x.ipynb", "", filepath.Join(dir, "x.html")}, {"y.ipynb", "", filepath.Join(dir, "y.html")}}, ""},
		{"directory to be", []string{"x.ipynb"}, runFlags{out: "new/"}, []job{{"x.ipynb", "new/x.ipynb", ""}}, ""},
		{"two into one", []string{"x.ipynb", "y.ipynb"}, runFlags{html: "z.html"}, nil, "both be written to z.html"},
		{"twice", []string{"x.ipynb", "./x.ipynb"}, runFlags{}, nil, "./x.ipynb must be given once"},
		{"over itself", []string{"a/x.ipynb"}, runFlags{out: "./a/x.ipynb"}, nil, "use --inplace"},
		{"over another", []string{"x.ipynb", "y.ipynb"}, runFlags{out: "y.ipynb"}, nil, "the result of x.ipynb would overwrite y.ipynb"},
		{"results of the last run", []string{"x.executed.ipynb", "x.ipynb"}, runFlags{}, nil, "overwrite x.executed.ipynb, which is also an input"},
		{"html as a switch", []string{"y.ipynb"}, runFlags{html: "x.ipynb"}, nil, "ends in .html"},
		{"page as a notebook", []string{"x.ipynb"}, runFlags{out: "x.html"}, nil, "use --html"},
		{"nothing to read", nil, runFlags{out: "x.ipynb"}, nil, "give a notebook to read"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := plan(test.args, test.f)
			if (err == nil) != (test.err == "") || err != nil && !strings.Contains(err.Error(), test.err) {
				t.Fatalf("got %v, want %q", err, test.err)
			}
			if d := cmp.Diff(test.want, got, cmp.AllowUnexported(job{}), cmpopts.EquateEmpty()); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

// TestErrorsSayWhatToDo calls the program with users' mistakes.
func TestErrorsSayWhatToDo(t *testing.T) {
	tests := []struct{ args, want string }{
		{"frob", "gokernel help"},
		{"instal", "did you mean \"install\"?"},
		{"lecture.ipynb", "\"gokernel run\" executes it"},
		{"--frob", "gokernel --help"},
		{"run", "give one or more notebooks"},
		{"run --html lecture.ipynb", "ends in .html"},
		{"run --frob", "gokernel run --help"},
		{"run a.ipynb --timeout 30", "missing unit"},
		{"run a.ipynb --timeout -3s", "no limit"},
		{"run missing.ipynb --engine none", "give one of"},
		{"run a.ipynb -o b.ipynb --inplace", "none of the others can be"},
		{"kernel", "gokernel lab"},
		{"kernel --connection-file missing.json --engine none", "give one of"},
		{"lab a b", "after --"},
		{"lab --port=9999", "after --"},
		{"lab missing.ipynb", "no notebook or directory missing.ipynb"},
		{"install --user --prefix x", "none of the others can be"},
		{"install --engine none", "give one of"},
		{"install --name a/b", "letters"},
		{"evaluator", "kernel process starts the evaluator"},
	}
	t.Setenv("JUPYTER_DATA_DIR", t.TempDir())
	t.Setenv("XDG_DATA_HOME", t.TempDir())
	for _, test := range tests {
		t.Run(test.args, func(t *testing.T) {
			cmd := newRoot()
			cmd.SetArgs(strings.Fields(test.args))
			cmd.SetOut(new(strings.Builder))
			cmd.SetErr(new(strings.Builder))
			if err := cmd.Execute(); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want an error with %q", err, test.want)
			}
		})
	}
}

// TestLabRequirements checks that lab installs the versions of the end-to-end tests.
func TestLabRequirements(t *testing.T) {
	tested, err := os.ReadFile("../../testdata/requirements.txt")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(tested), "\n")
	for line := range strings.Lines(string(labRequirements)) {
		found := false
		for _, l := range lines {
			found = found || l == strings.TrimSpace(line)
		}
		if !found {
			t.Errorf("lab-requirements.txt has %q, testdata/requirements.txt has not", strings.TrimSpace(line))
		}
	}
}

// files creates a directory with notebooks: good.ipynb runs, bad.ipynb fails at the second of its
// three cells, and one is in another language.
func files(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "a course")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, cells := range map[string][]string{
		"good.ipynb": {"6 * 7", "", "// the end"},
		"bad.ipynb":  {"x := 1", `panic("on purpose")`, "x"},
		"loop.ipynb": {"x := 1", "for {}", "x"},
	} {
		nb := &notebook.Notebook{}
		for _, src := range cells {
			nb.Cells = append(nb.Cells, &notebook.Cell{Type: notebook.Code, Source: src})
		}
		b, err := nb.Encode()
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), b, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range map[string]string{
		"python.ipynb": `{"nbformat": 4, "cells": [], "metadata": {"kernelspec": {"language": "python"}}}`,
		"main.go":      "package main",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// call calls the program, and forwards its messages to said, which may end the context.
func call(ctx context.Context, said io.Writer, args ...string) error {
	cmd := newRoot()
	cmd.SetArgs(args)
	cmd.SetOut(said)
	cmd.SetErr(said)
	return cmd.ExecuteContext(ctx)
}

// TestRunRefusesBeforeItRuns calls run with impossible requests beside a notebook that it could
// run.
func TestRunRefusesBeforeItRuns(t *testing.T) {
	dir := files(t)
	t.Chdir(dir)
	if err := os.MkdirAll("folder/good.ipynb", 0o755); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		args []string
		want string
	}{
		{[]string{"goood.ipynb"}, "there is no file goood.ipynb; the notebooks there are bad.ipynb, good.ipynb, loop.ipynb, python.ipynb"},
		{[]string{"loop"}, "did you mean loop.ipynb?"},
		{[]string{dir + "/py.ipynb"}, "did you mean " + filepath.Join(dir, "python.ipynb") + "?"},
		{[]string{"nowhere/x.ipynb"}, "nor a directory nowhere"},
		{[]string{dir}, "is a directory: give the notebooks in it"},
		{[]string{"main.go"}, "main.go: notebook: not JSON: line 1"},
		{[]string{"python.ipynb"}, "is in python, and gokernel runs Go"},
		{[]string{"-o", "folder/"}, "the result folder/good.ipynb is a directory"},
		{[]string{"-o", "main.go/x.ipynb"}, "the directory main.go can't be written: not a directory"},
	}
	for _, test := range tests {
		t.Run(strings.Join(test.args, " "), func(t *testing.T) {
			var said strings.Builder
			args := test.args
			if args[0] != "-o" {
				args = append([]string{"-o", "new/"}, args...)
			}
			err := call(t.Context(), &said, append([]string{"run", "good.ipynb"}, args...)...)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want an error with %q", err, test.want)
			}
			if said.Len() > 0 {
				t.Errorf("something ran: %s", &said)
			}
		})
	}
}

func TestRunSaysHowItWent(t *testing.T) {
	tests := []struct {
		args []string
		code int
		want []string
	}{
		{[]string{"good.ipynb"}, 0, []string{"[1/2]", "ok     6 * 7", "[2/2]", "all 2 cells ran in", "wrote good.executed.ipynb", "wrote good.html"}},
		{[]string{"bad.ipynb"}, 1, []string{"[2/3]", "ERROR  panic(", "on purpose", "cell 2 failed: 1 of 3 cells did not run", "wrote bad.html"}},
		{[]string{"bad.ipynb", "--allow-errors"}, 0, []string{"[3/3]", "1 of 3 cells failed", "wrote bad.html"}},
		{[]string{"loop.ipynb", "--timeout", "300ms", "-o", "made for it/"}, 1, []string{"timeout: the cell took longer than 300ms", "wrote " + filepath.Join("made for it", "loop.ipynb")}},
	}
	for _, test := range tests {
		t.Run(strings.Join(test.args, " "), func(t *testing.T) {
			t.Chdir(files(t))
			var said strings.Builder
			err := call(t.Context(), &said, append([]string{"run"}, test.args...)...)
			var code exitCode
			if errors.As(err, &code); int(code) != test.code || code == 0 && err != nil {
				t.Errorf("got %v, want status %d", err, test.code)
			}
			rest := said.String()
			for _, want := range test.want {
				_, after, ok := strings.Cut(rest, want)
				if !ok {
					t.Fatalf("%q is missing, or not in its place, in\n%s", want, &said)
				}
				rest = after
			}
		})
	}
}

// TestHarmless checks that control characters of cells don't reach the terminal.
func TestHarmless(t *testing.T) {
	const text = "\x1b[31mred\x1b[0m\n\ttitle \x1b]0;x\a, clear \x1b[2J, C1 \u009b2J, back\b\r"
	for color, want := range map[bool]string{
		false: "red\n\ttitle �]0;x�, clear �[2J, C1 �2J, back��",
		true:  "\x1b[31mred\x1b[0m\n\ttitle �]0;x�, clear �[2J, C1 �2J, back��",
	} {
		p := &progress{color: color}
		if got := p.harmless(text); got != want {
			t.Errorf("with colors %t: %q, want %q", color, got, want)
		}
	}
}

// cancelAt ends a context when a text is written.
type cancelAt struct {
	strings.Builder
	text   string
	cancel context.CancelFunc
}

func (c *cancelAt) Write(b []byte) (int, error) {
	n, err := c.Builder.Write(b)
	if strings.Contains(c.String(), c.text) {
		c.cancel()
	}
	return n, err
}

// TestInterruptedRun interrupts a run after its first cell: the notebook itself stays unchanged,
// and other results are written.
func TestInterruptedRun(t *testing.T) {
	t.Chdir(files(t))
	before, err := os.ReadFile("loop.ipynb")
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"--inplace"}, {"--html", "pages/"}} {
		ctx, cancel := context.WithCancel(t.Context())
		said := &cancelAt{text: "[1/3]", cancel: cancel}
		err := call(ctx, said, append([]string{"run", "loop.ipynb", "bad.ipynb"}, args...)...)
		cancel()
		if err != exitCode(130) {
			t.Errorf("%v: got %v, want status 130", args, err)
		}
		if strings.Contains(said.String(), "bad.ipynb") {
			t.Errorf("%v: the next notebook ran:\n%s", args, said)
		}
		if !strings.Contains(said.String(), "interrupted: ") {
			t.Errorf("%v: the interrupt is not told:\n%s", args, said)
		}
		if after, err := os.ReadFile("loop.ipynb"); err != nil || string(after) != string(before) {
			t.Errorf("%v: the notebook was changed: %v", args, err)
		}
	}
	if b, err := os.ReadFile("pages/loop.html"); err != nil || !strings.Contains(string(b), "for") {
		t.Errorf("the page: %v", err)
	}
}
