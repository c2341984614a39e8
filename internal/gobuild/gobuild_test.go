package gobuild

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestProgress(t *testing.T) {
	packages := []pkg{
		{ImportPath: "fmt"}, // already compiled
		{ImportPath: "main", Stale: true, StaleReason: compiled},
		{ImportPath: "small", GoFiles: []string{"a.go"}, Stale: true},
		{ImportPath: "large", GoFiles: []string{"b.go", "c.go"}, Stale: true},
	}
	sizes := map[string]int64{"a.go": 99, "b.go": 500, "c.go": 399}
	p := newProgress(packages, func(file string) int64 { return sizes[filepath.Base(file)] })
	after := func(d time.Duration) string { return p.text(p.begun.Add(d)) }
	for _, step := range []struct {
		line string
		at   time.Duration
		want string
	}{
		{"", 0, ""},
		{"", 3 * time.Second, "preparing gokernel (3 s)"},
		{"go: downloading gonum.org/v1/gonum v0.17.0", 2 * time.Second, "fetching modules: 1, gonum.org/v1/gonum v0.17.0 (2 s)"},
		{"small", 10 * time.Second, "compiling gokernel: 1 of 2 packages (10 s, about 1 min 30 s left)"},
		{"# small", 20 * time.Second, "compiling gokernel: 1 of 2 packages (20 s, about 3 min 0 s left)"},
		{"large", 65 * time.Second, "compiled 2 packages, linking (1 min 5 s)"},
	} {
		if step.line != "" {
			p.line(step.line)
		}
		if got := after(step.at); got != step.want {
			t.Errorf("after %q: got %q, want %q", step.line, got, step.want)
		}
	}
	if got := strings.Join(p.other, "\n"); got != "# small" {
		t.Errorf("the other output is %q", got)
	}
	p = newProgress(packages[:2], nil)
	if got := after(time.Second) + after(3*time.Second); got != "preparing gokernel (3 s)" {
		t.Errorf("with nothing to compile: %q", got)
	}
}

// TestBuild compiles a module of two packages, changes one, and then breaks it.
func TestBuild(t *testing.T) {
	root := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		file := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	program := filepath.Join(root, ".build", "program")
	make := func() (string, error) {
		var w strings.Builder
		err := Target{Root: root, Package: "./cmd/program", Output: program}.Build(&w)
		return w.String(), err
	}
	write("go.mod", "module example.org/m\n\ngo 1.26\n")
	// The name of the folder makes sure that neither package is in the build cache.
	write("p/p.go", "package p\n\nconst Where = "+`"`+filepath.ToSlash(root)+`"`+"\n")
	write("cmd/program/main.go", "package main\n\nimport \"example.org/m/p\"\n\nfunc main() { print(p.Where) }\n")
	said, err := make()
	if err != nil {
		t.Fatal(err, said)
	}
	if !strings.Contains(said, "compiled gokernel in ") {
		t.Errorf("the first build says %q", said)
	}
	if out, err := exec.Command(program).CombinedOutput(); err != nil || string(out) != filepath.ToSlash(root) {
		t.Errorf("the program prints %q, %v", out, err)
	}
	if said, err = make(); err != nil || said != "" {
		t.Errorf("with nothing to do: %q, %v", said, err)
	}
	write("p/p.go", "package p\n\nconst Where = 1 +\n")
	if said, err = make(); err == nil || !strings.Contains(said, "p.go:4:1: syntax error") && !strings.Contains(said, "p.go:3") {
		t.Errorf("a broken package: %q, %v", said, err)
	}
}
