package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gokernel/gokernel/cmd/gokernel/internal/notebook"
	"github.com/gokernel/gokernel/display"
	"github.com/google/go-cmp/cmp"
)

// exported are the notebooks that must print as programs what they show.
var exported = []string{
	"testdata/export/local.ipynb", "testdata/export/redeclared.ipynb", "testdata/export/vectors.ipynb",
	"../../notebooks/A01-air-and-sea.ipynb", "../../notebooks/A02-berkeley.ipynb", "../../notebooks/A03-two-pages.ipynb",
	"../../notebooks/N02-decision-trees.ipynb", "../../notebooks/N06-perceptron.ipynb", "../../notebooks/N11-linear-models.ipynb",
	"../../notebooks/homework/perceptron.ipynb", "../../notebooks/homework/probability.ipynb",
}

// TestExport exports ten notebooks as libraries of one program, so that all of them are
// linked once, and compares what they print with what the notebooks show.
func TestExport(t *testing.T) {
	source, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	module := t.TempDir()
	var imports, cases strings.Builder
	for i, name := range exported {
		pkg := fmt.Sprintf("n%d", i)
		dir := filepath.Join(module, pkg)
		runRoot(t, "export", name, "-o", dir, "--package", pkg, "--module", "example.com/all/"+pkg, "--replace", source)
		for _, file := range []string{"go.mod", "go.sum"} {
			if err := os.Rename(filepath.Join(dir, file), filepath.Join(module, file)); err != nil && !os.IsNotExist(err) {
				t.Fatal(err)
			}
		}
		fmt.Fprintf(&imports, "\t%q\n", "example.com/all/"+pkg)
		fmt.Fprintf(&cases, "\tcase %q:\n\t\t%s.Run()\n", pkg, pkg)
	}
	mod, err := os.ReadFile(filepath.Join(module, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(mod), "\n")
	writeText(t, filepath.Join(module, "go.mod"), "module example.com/all\n"+rest)
	writeText(t, filepath.Join(module, "main.go"), "package main\n\nimport (\n\t\"os\"\n\n"+imports.String()+")\n\nfunc main() {\n\tswitch os.Args[1] {\n"+cases.String()+"\t}\n}\n")
	program := filepath.Join(module, "all.exe")
	for _, args := range [][]string{{"vet", "./..."}, {"build", "-o", program, "."}} {
		build := exec.CommandContext(t.Context(), "go", args...)
		build.Dir, build.Env = module, append(os.Environ(), "GOFLAGS=-mod=mod -trimpath -buildvcs=false", "GOPROXY=off", "GOWORK=off")
		if text, err := build.CombinedOutput(); err != nil {
			t.Fatalf("go %s: %v\n%s", args[0], err, text)
		}
	}
	for i, name := range exported {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".ipynb"), func(t *testing.T) {
			run := exec.CommandContext(t.Context(), program, fmt.Sprintf("n%d", i))
			run.Dir = filepath.Join(module, fmt.Sprintf("n%d", i))
			var stderr bytes.Buffer
			run.Stderr = &stderr
			got, err := run.Output()
			if err != nil {
				t.Fatalf("%v\n%s", err, &stderr)
			}
			if d := cmp.Diff(shownBy(t, name), string(got)); d != "" {
				t.Errorf("what the program prints (-notebook +program):\n%s", d)
			}
		})
	}
}

// runRoot runs a command of the program.
func runRoot(t *testing.T, args ...string) string {
	t.Helper()
	var said bytes.Buffer
	cmd := newRoot()
	cmd.SetArgs(args)
	cmd.SetOut(&said)
	cmd.SetErr(&said)
	if err := cmd.Execute(); err != nil {
		t.Fatalf("%v: %v\n%s", args, err, &said)
	}
	return said.String()
}

func writeText(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// shownBy runs a notebook and gives the text of what it shows, but for the cells of
// homework that an export leaves out.
func shownBy(t *testing.T, name string) string {
	t.Helper()
	done := filepath.Join(t.TempDir(), "done.ipynb")
	runRoot(t, "run", name, "-o", done)
	nb, err := notebook.Read(done)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, c := range nb.Cells {
		if leftOut(c) {
			continue
		}
		for _, o := range c.Outputs {
			switch text, ok := o.Data[display.MIMEText].(string); {
			case o.Type == notebook.Stream && o.Name == "stdout":
				b.WriteString(o.Text)
			case ok && text != "":
				b.WriteString(strings.TrimSuffix(text, "\n") + "\n")
			}
		}
	}
	return b.String()
}

// TestExportErrors asks for what cannot be exported.
func TestExportErrors(t *testing.T) {
	dir := files(t)
	for _, test := range []struct {
		args []string
		want string
	}{
		{[]string{"export", filepath.Join(dir, "python.ipynb")}, "python"},
		{[]string{"export", filepath.Join(dir, "good.ipynb"), "-o", dir}, "has files already"},
		{[]string{"export", filepath.Join(dir, "good.ipynb"), "--stdout", "-o", dir}, "none of the others can be"},
		{[]string{"export", filepath.Join(dir, "missing.ipynb")}, "missing.ipynb"},
	} {
		cmd := newRoot()
		cmd.SetArgs(test.args)
		cmd.SetOut(new(strings.Builder))
		cmd.SetErr(new(strings.Builder))
		if err := cmd.Execute(); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%v: got %v, want an error with %q", test.args, err, test.want)
		}
	}
}
