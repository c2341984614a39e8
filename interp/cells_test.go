package interp_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"go/token"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/display/homework"
	"github.com/gokernel/gokernel/interp/split"
	"github.com/gokernel/gokernel/kernel/evaluator"
	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

// TestCells runs the sessions of testdata/cells on each engine. A file contains cells. After each
// cell come what it prints ("stdout", "stderr"), what it shows ("shown"), its value ("out") and its
// error ("error"). A section "mistake" describes the mistake in the next cell, and "meant" is the
// code that the author of the cell before meant. The flag -update rewrites the outputs of the
// default engine.
func TestCells(t *testing.T) {
	for _, e := range engineCases {
		t.Run(e.name, func(t *testing.T) {
			for _, file := range cellFiles(t) {
				t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
					runFile(t, e, file)
				})
			}
		})
	}
}

func cellFiles(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("../testdata/cells/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cells: %v", err)
	}
	return files
}

func runFile(t *testing.T, e engineCase, file string) {
	ar, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if reason := exception(ar, e.name); reason != "" {
		t.Logf("not on %s: %s", e.name, reason)
		return
	}
	file, err = filepath.Abs(file)
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	s := e.open(t)
	got := &txtar.Archive{Comment: ar.Comment}
	add := func(name, text string) {
		if text != "" {
			if !strings.HasSuffix(text, "\n") {
				text += "\n"
			}
			got.Files = append(got.Files, txtar.File{Name: name, Data: []byte(text)})
		}
	}
	n := 0
	for i, f := range ar.Files {
		switch f.Name {
		case "cell":
		case "stdin", "mistake", "meant":
			got.Files = append(got.Files, f)
			continue
		default:
			continue
		}
		n++
		out := &recorder{}
		if i > 0 && ar.Files[i-1].Name == "stdin" {
			out.stdin = strings.SplitAfter(string(ar.Files[i-1].Data), "\n")
		}
		res, err := s.Eval(context.Background(), evaluator.Cell{Code: strings.TrimSuffix(string(f.Data), "\n"), Number: n, AllowStdin: true}, out)
		got.Files = append(got.Files, f)
		out.mu.Lock()
		add("stdout", timing.ReplaceAllString(out.stdout.String(), "$1$2 TIME"))
		add("stderr", plain(out.stderr.String()))
		add("shown", strings.Join(out.shown, "\n"))
		out.mu.Unlock()
		if res.Value != nil {
			text, _ := res.Value.Data[display.MIMEText].(string)
			add("out", text)
			if r, ok := res.Value.Data[homework.MIME].(homework.Report); ok {
				add("points", points(r))
			}
		}
		var failed *evaluator.Error
		switch {
		case errors.As(err, &failed):
			add("error", plain(strings.Join(failed.Traceback, "\n")))
		case err != nil:
			t.Errorf("cell %d: %v is not an *evaluator.Error", n, err)
		}
	}
	want, have := string(txtar.Format(ar)), string(txtar.Format(got))
	if want == have {
		return
	}
	if *update && e.byDefault {
		if err := os.WriteFile(file, []byte(have), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	t.Errorf("%s differs (-want +got):\n%s", filepath.Base(file), cmp.Diff(strings.Split(want, "\n"), strings.Split(have, "\n")))
}

// points formats the results of checks.
func points(r homework.Report) string {
	var b strings.Builder
	for _, c := range r.Checks {
		fmt.Fprintf(&b, "%v/%v %s: %s", c.Points, c.Of, c.Name, c.Text)
		if c.Hint != "" {
			fmt.Fprintf(&b, " (%s)", c.Hint)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

var update = flag.Bool("update-cells", false, "write the expected outputs of cells anew")

var ansi = regexp.MustCompile("\x1b\\[[0-9;]*m")

// plain removes colors and times, which differ between runs, from a string.
func plain(s string) string {
	return clock.ReplaceAllString(ansi.ReplaceAllString(s, ""), "")
}

// clock matches the time as package log writes it.
var clock = regexp.MustCompile(`\d{4}/\d\d/\d\d \d\d:\d\d:\d\d `)

// timing matches the output of %time and %timeit.
var timing = regexp.MustCompile(`(?m)(time:) .*|^.* each \(mean ± sd of (\d+ rounds of \d+);.*$`)

// exception returns why an engine skips a file: the reason in a line "not NAME: reason" of the
// file's comment.
func exception(ar *txtar.Archive, engine string) string {
	for line := range strings.Lines(string(ar.Comment)) {
		if r, ok := strings.CutPrefix(line, "not "+engine+": "); ok {
			return strings.TrimSpace(r)
		}
	}
	return ""
}

// recorder records what a cell shows.
type recorder struct {
	mu             sync.Mutex
	stdout, stderr strings.Builder
	shown          []string
	stdin          []string
}

func (r *recorder) Stdout(s string) { r.mu.Lock(); defer r.mu.Unlock(); r.stdout.WriteString(s) }
func (r *recorder) Stderr(s string) { r.mu.Lock(); defer r.mu.Unlock(); r.stderr.WriteString(s) }

func (r *recorder) Display(b display.Bundle) error { return r.add("", b) }
func (r *recorder) Update(b display.Bundle) error  { return r.add("update ", b) }
func (r *recorder) Page(b display.Bundle) error    { return r.add("page ", b) }
func (r *recorder) Clear(wait bool) error {
	return r.add(fmt.Sprintf("clear %v", wait), display.Bundle{})
}
func (r *recorder) SetNextInput(text string, replace bool) error {
	return r.add(fmt.Sprintf("next input (replace %v): %s", replace, text), display.Bundle{})
}

func (r *recorder) add(what string, b display.Bundle) error {
	if id, _ := b.Transient["display_id"].(string); strings.HasPrefix(id, "progress-") {
		return nil // progress of a fit that takes long on a busy machine
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	text, _ := b.Data[display.MIMEText].(string)
	r.shown = append(r.shown, what+text)
	return nil
}

// Input returns the lines of the file's "stdin" section, one per call.
func (r *recorder) Input(_ context.Context, prompt string, password bool) (string, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.stdin) == 0 || r.stdin[0] == "" {
		return "", io.EOF
	}
	line := strings.TrimSuffix(r.stdin[0], "\n")
	r.stdin = r.stdin[1:]
	if prompt != "" || password {
		r.shown = append(r.shown, fmt.Sprintf("input %q password=%v", prompt, password))
	}
	return line, nil
}

// TestCellsAreGo also runs the sessions marked as plain Go as Go programs, and compares the output
// of both. One build compiles all programs, each as a package.
func TestCellsAreGo(t *testing.T) {
	dir := t.TempDir()
	var calls strings.Builder
	imports := ""
	want := map[string]string{}
	var names []string
	for _, file := range cellFiles(t) {
		ar, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(string(ar.Comment), "plain Go") {
			continue
		}
		name := strings.ReplaceAll(strings.TrimSuffix(filepath.Base(file), ".txtar"), "-", "_")
		names = append(names, name)
		text, printed := program(t, name, ar)
		want[name] = printed
		if err := os.MkdirAll(filepath.Join(dir, name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name, "cells.go"), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		imports += fmt.Sprintf("\t%q\n", "cells/"+name)
		fmt.Fprintf(&calls, "\tfmt.Println(%q)\n\t%s.Main()\n", separator+name, name)
	}
	main := "package main\n\nimport (\n\t\"fmt\"\n" + imports + ")\n\nfunc main() {\n" + calls.String() + "}\n"
	for name, text := range map[string]string{"main.go": main, "go.mod": "module cells\n\ngo 1.26\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("go", "run", ".")
	cmd.Dir = dir
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go run: %v\n%s", err, stderr.String())
	}
	got := map[string]string{}
	for _, part := range strings.Split(string(out), separator)[1:] {
		name, text, _ := strings.Cut(part, "\n")
		got[name] = strings.ReplaceAll(text, name+".", "main.")
	}
	for _, name := range names {
		if got[name] != want[name] {
			t.Errorf("%s: a session and go run differ (-go +session):\n%s", name, cmp.Diff(strings.Split(got[name], "\n"), strings.Split(want[name], "\n")))
		}
	}
}

const separator = "=== program "

// program converts a session to a Go package: its declarations and a function Main with the
// statements of all cells. Each cell is a block inside the block of the cell before, so that it can
// declare names again. program also returns what the session prints.
func program(t *testing.T, name string, ar *txtar.Archive) (text, printed string) {
	t.Helper()
	var imports, decls, body strings.Builder
	seen := map[string]bool{}
	blocks := 0
	for _, f := range ar.Files {
		if f.Name == "stdout" {
			printed += string(f.Data)
		}
		if f.Name != "cell" {
			continue
		}
		src := string(f.Data)
		fset := token.NewFileSet()
		c, errs := split.Parse(src, token.Pos(split.Reserve(fset, "cell", src).Base()))
		if len(errs) > 0 {
			t.Fatalf("%s: %v", name, errs[0])
		}
		at := func(n ast.Node) string { return src[n.Pos()-c.Base : n.End()-c.Base] }
		for _, i := range c.Imports {
			if s := at(i); !seen[s] {
				seen[s] = true
				imports.WriteString("import " + s + "\n")
			}
		}
		body.WriteString("{\n")
		blocks++
		for _, d := range c.Decls {
			if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.VAR && len(c.Stmts) > 0 {
				body.WriteString(at(d) + "\n" + use(namesOf(g)))
				continue
			}
			decls.WriteString(at(d) + "\n")
		}
		// A return or defer ends with its cell.
		own := false
		for _, s := range c.Stmts {
			own = own || leaves(s)
		}
		if own {
			body.WriteString("func() {\n")
		}
		for _, s := range c.Stmts {
			body.WriteString(at(s) + "\n")
			switch s := s.(type) {
			case *ast.AssignStmt:
				if s.Tok == token.DEFINE {
					body.WriteString(use(s.Lhs))
				}
			case *ast.DeclStmt:
				body.WriteString(use(namesOf(s.Decl.(*ast.GenDecl))))
			}
		}
		if own {
			body.WriteString("}()\n")
		}
	}
	body.WriteString(strings.Repeat("}\n", blocks))
	return "package " + name + "\n\n" + imports.String() + decls.String() + "func Main() {\n" + body.String() + "}\n", printed
}

func namesOf(g *ast.GenDecl) []ast.Expr {
	var names []ast.Expr
	for _, s := range g.Specs {
		if s, ok := s.(*ast.ValueSpec); ok {
			for _, id := range s.Names {
				names = append(names, id)
			}
		}
	}
	return names
}

// use writes statements that keep Go from rejecting unused variables.
func use(names []ast.Expr) string {
	var b strings.Builder
	for _, n := range names {
		if id, ok := n.(*ast.Ident); ok && id.Name != "_" {
			b.WriteString("_ = " + id.Name + "\n")
		}
	}
	return b.String()
}

// leaves reports whether a statement of a cell returns from the cell or defers a call to the cell's
// end.
func leaves(s ast.Stmt) bool {
	found := false
	ast.Inspect(s, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt, *ast.DeferStmt:
			found = true
		}
		return true
	})
	return found
}
