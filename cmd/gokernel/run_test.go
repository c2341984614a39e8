package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

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

// TestErrorsSayWhatToDo calls the program as a user who errs.
func TestErrorsSayWhatToDo(t *testing.T) {
	tests := []struct{ args, want string }{
		{"frob", "gokernel help"},
		{"run", "which notebook"},
		{"run missing.ipynb --engine none", "choose one of"},
		{"run a.ipynb -o b.ipynb --inplace", "none of the others can be"},
		{"kernel", "gokernel lab"},
		{"kernel --connection-file missing.json --engine none", "choose one of"},
		{"lab a b", "behind --"},
		{"lab missing.ipynb", "missing.ipynb"},
		{"install --user --prefix x", "none of the others can be"},
		{"install --engine none", "choose one of"},
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

// TestLabRequirements keeps the versions that lab installs those that the
// end-to-end tests ran with.
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
