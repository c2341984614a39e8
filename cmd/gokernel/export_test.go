package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gokernel/gokernel/cmd/gokernel/internal/notebook"
	"github.com/gokernel/gokernel/display"
	"github.com/google/go-cmp/cmp"
)

// exported lists the notebooks whose programs must print what the notebooks show.
var exported = []string{
	"testdata/export/local.ipynb", "testdata/export/redeclared.ipynb", "testdata/export/vectors.ipynb",
	"../../notebooks/A01-air-and-sea.ipynb", "../../notebooks/A02-berkeley.ipynb", "../../notebooks/A03-two-pages.ipynb",
	"../../notebooks/N02-decision-trees.ipynb", "../../notebooks/N06-perceptron.ipynb", "../../notebooks/N11-linear-models.ipynb",
	"../../notebooks/homework/perceptron.ipynb", "../../notebooks/homework/probability.ipynb",
}

// TestExport exports notebooks as libraries of one program, so that they are linked only once, and
// compares their output with the output of the notebooks. It exports ten whole notebooks, and the
// examples of docs/reference/cell-language.md.
func TestExport(t *testing.T) {
	source, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	notebooks := append(slices.Clone(exported), examples(t)...)
	module := t.TempDir()
	var imports, cases strings.Builder
	for i, name := range notebooks {
		pkg := fmt.Sprintf("n%d", i)
		dir := filepath.Join(module, pkg)
		runRoot(t, "export", name, "-o", dir, "--package", pkg, "--module", "example.com/all/"+pkg, "--replace", source)
		// One go.mod works for all.
		for _, file := range []string{"go.mod", "go.sum"} {
			text, err := os.ReadFile(filepath.Join(dir, file))
			if err == nil && strings.Contains(string(text), "gonum.org/") {
				writeText(t, filepath.Join(module, file), string(text))
			}
			if err := os.Remove(filepath.Join(dir, file)); err != nil && !os.IsNotExist(err) {
				t.Fatal(err)
			}
		}
		text, err := os.ReadFile(filepath.Join(dir, "main.go"))
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), "\nfunc Run() {") {
			fmt.Fprintf(&imports, "\t%q\n", "example.com/all/"+pkg)
			fmt.Fprintf(&cases, "\tcase %q:\n\t\t%s.Run()\n", pkg, pkg)
		}
	}
	writeText(t, filepath.Join(module, "main.go"), "package main\n\nimport (\n\t\"os\"\n\n"+imports.String()+")\n\nfunc main() {\n\tswitch os.Args[1] {\n"+cases.String()+"\t}\n}\n")
	program := buildModule(t, module)
	for i, name := range notebooks {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".ipynb"), func(t *testing.T) {
			pkg := fmt.Sprintf("n%d", i)
			run := exec.CommandContext(t.Context(), program, pkg)
			run.Dir = filepath.Join(module, pkg)
			var stderr bytes.Buffer
			run.Stderr = &stderr
			got, err := run.Output()
			if err != nil {
				t.Fatalf("%v\n%s", err, &stderr)
			}
			// The types of a library are qualified by its name.
			if d := cmp.Diff(shownIn(ranNotebook(t, name)), strings.ReplaceAll(string(got), pkg+".", "")); d != "" {
				t.Errorf("what the program prints (-notebook +program):\n%s", d)
			}
		})
	}
}

// buildModule builds the program of a module.
func buildModule(t *testing.T, module string) string {
	t.Helper()
	mod, err := os.ReadFile(filepath.Join(module, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(mod), "\n")
	writeText(t, filepath.Join(module, "go.mod"), "module example.com/all\n"+rest)
	program := filepath.Join(module, "all.exe")
	for _, args := range [][]string{{"vet", "./..."}, {"build", "-o", program, "."}} {
		build := exec.CommandContext(t.Context(), "go", args...)
		build.Dir, build.Env = module, append(os.Environ(), "GOFLAGS=-mod=readonly -trimpath -buildvcs=false", "GOPROXY=off", "GOWORK=off")
		if text, err := build.CombinedOutput(); err != nil {
			t.Fatalf("go %s: %v\n%s", args[0], err, text)
		}
	}
	return program
}

// notPrograms lists the sections of docs/reference/cell-language.md whose cells need the notebook:
// magics, questions to the user, cells that fail.
var notPrograms = []string{"Magics, the shell and documentation", "Tests", "Where the time goes", "Input", "Errors and interrupts"}

// examples creates notebooks from the sections of docs/reference/cell-language.md, without the
// cells that fail and the cells that depend on them.
func examples(t *testing.T) (names []string) {
	t.Helper()
	page, err := os.ReadFile("../../docs/reference/cell-language.md")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, section := range strings.Split(string(page), "\n## ")[1:] {
		title, text, _ := strings.Cut(section, "\n")
		if slices.Contains(notPrograms, title) {
			continue
		}
		var cells []string
		for i, block := range strings.Split(text, "```") {
			if code, isGo := strings.CutPrefix(block, "go\n"); isGo && i%2 == 1 {
				cells = append(cells, strings.TrimSuffix(code, "\n"))
			}
		}
		name := filepath.Join(dir, title+".ipynb")
		for failing := true; failing; {
			writeText(t, name, notebookOf(t, cells))
			cells, failing = nil, false
			for _, c := range ranNotebook(t, name, "--allow-errors").Cells {
				if slices.ContainsFunc(c.Outputs, func(o *notebook.Output) bool { return o.Type == notebook.Error }) {
					failing = true
					continue
				}
				cells = append(cells, c.Source)
			}
		}
		if len(cells) > 0 {
			names = append(names, name)
		}
	}
	if len(names) < 10 {
		t.Fatalf("docs/reference/cell-language.md has only %d sections of programs: is it being read right?", len(names))
	}
	return names
}

// notebookOf returns a notebook of cells of code.
func notebookOf(t *testing.T, cells []string) string {
	t.Helper()
	nb := &notebook.Notebook{Metadata: map[string]any{"language_info": map[string]any{"name": "go"}}}
	for _, text := range cells {
		nb.Cells = append(nb.Cells, &notebook.Cell{Type: notebook.Code, Source: text})
	}
	text, err := nb.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
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

// ranNotebook runs a notebook.
func ranNotebook(t *testing.T, name string, flags ...string) *notebook.Notebook {
	t.Helper()
	done := filepath.Join(t.TempDir(), "done.ipynb")
	runRoot(t, append([]string{"run", name, "-o", done}, flags...)...)
	nb, err := notebook.Read(done)
	if err != nil {
		t.Fatal(err)
	}
	return nb
}

// shownIn returns the text of the outputs of a notebook that has run, without the homework cells
// that an export omits.
func shownIn(nb *notebook.Notebook) string {
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

// TestExportErrors exports notebooks that can't be exported.
func TestExportErrors(t *testing.T) {
	dir := files(t)
	for _, test := range []struct {
		args []string
		want string
	}{
		{[]string{"export", filepath.Join(dir, "python.ipynb")}, "python"},
		{[]string{"export", filepath.Join(dir, "good.ipynb"), "-o", dir}, "isn't empty"},
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
