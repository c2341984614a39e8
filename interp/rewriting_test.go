package interp_test

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gokernel/gokernel/interp/engine/enginetest/progen"
)

// TestProgramsInCells runs generated programs in cells, and compares their output with the output
// of the compiled programs.
func TestProgramsInCells(t *testing.T) {
	compareCells(t, []uint64{1, 2, 5, 13})
}

// FuzzRewriting does the same for seeds from the fuzzer.
func FuzzRewriting(f *testing.F) {
	for seed := range uint64(4) {
		f.Add(seed << 40)
	}
	f.Fuzz(func(t *testing.T, seed uint64) { compareCells(t, []uint64{seed}) })
}

// compareCells runs the programs of some seeds, each in its own session and in two forms. The first
// form has one function per cell. In the second, the statements of the last function are the
// statements of a cell, so its variables are variables of the session.
func compareCells(t *testing.T, seeds []uint64) {
	t.Helper()
	for i, want := range compiledPrograms(t, seeds) {
		src, name := progen.Program(seeds[i])
		cells, body := asCells(t, src)
		for form, last := range map[string]string{
			"functions":  body + "\n" + fmt.Sprintf("run(%q, %s);", name, name),
			"statements": "lines, fuel = 0, 3000\nfmt.Println(\"== " + name + "\")\n" + inner(body) + "\n;",
		} {
			n := open(t)
			n.must(progen.Header)
			for _, c := range cells {
				n.must(c)
			}
			_, out, err := n.eval(context.Background(), last)
			got := out.stdout.String()
			if err != nil {
				text, _, _ := strings.Cut(err.Error(), "\n")
				if before, _, ok := strings.Cut(want, "\npanic: "); ok && form == "statements" {
					want = before + "\n" // the cell ends where the program recovers
				} else {
					t.Errorf("seed %d, %s: %s", seeds[i], form, text)
				}
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("seed %d, %s (-compiled +cells):\n%s", seeds[i], form, d)
			}
		}
	}
}

// compiledPrograms returns the output of the compiled programs of some seeds, in the order of the
// seeds.
func compiledPrograms(t *testing.T, seeds []uint64) []string {
	t.Helper()
	dir := t.TempDir()
	file, program := filepath.Join(dir, "main.go"), filepath.Join(dir, "program")
	if err := os.WriteFile(file, []byte(progen.File(seeds)), 0o666); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("go", "build", "-o", program, file).CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	out, err := exec.Command(program).CombinedOutput()
	if err != nil {
		t.Fatalf("the compiled programs: %v\n%s", err, out)
	}
	var list []string
	for _, text := range strings.Split("\n"+string(out), "\n== ")[1:] {
		list = append(list, "== "+strings.TrimSuffix(text, "\n")+"\n")
	}
	if len(list) != len(seeds) {
		t.Fatalf("%d programs have run, want %d", len(list), len(seeds))
	}
	return list
}

// asCells splits a program into cells: its types and methods are one cell, and each function except
// the last is one cell. It returns the last function separately.
func asCells(t *testing.T, src string) (cells []string, last string) {
	t.Helper()
	const clause = "package main\n"
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "", clause+src, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	var types strings.Builder
	var functions []string
	for _, d := range f.Decls {
		text := (clause + src)[fset.Position(d.Pos()).Offset:fset.Position(d.End()).Offset]
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil {
			functions = append(functions, text)
		} else {
			types.WriteString(text + "\n")
		}
	}
	end := len(functions) - 1
	return append([]string{types.String()}, functions[:end]...), functions[end]
}

// inner returns the text between the braces of a function without parameters.
func inner(function string) string {
	_, body, _ := strings.Cut(function, "{")
	return body[:strings.LastIndexByte(body, '}')]
}
