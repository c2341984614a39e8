package interp

import (
	"context"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gokernel/gokernel/interp/rewrite"
	"github.com/gokernel/gokernel/kernel/evaluator"
	"github.com/google/go-cmp/cmp"
)

// TestPlainGoIsNotRewritten passes each of Go's own test programs to the front of the session as a
// cell. Code that go/types accepts unchanged must reach the engine unchanged.
func TestPlainGoIsNotRewritten(t *testing.T) {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	root := filepath.Join(strings.TrimSpace(string(out)), "test")
	var files []string
	for _, pattern := range []string{"*.go", "fixedbugs/*.go", "typeparam/*.go", "ken/*.go", "interface/*.go", "chan/*.go"} {
		list, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, list...)
	}
	checked, failed := 0, 0
	for i, file := range files {
		if testing.Short() && i%8 != 0 {
			continue
		}
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(string(src), "// run\n") {
			continue
		}
		s, e := newPrinting()
		if _, err := s.Eval(context.Background(), evaluator.Cell{Code: string(src), Number: 1, Silent: true}, &record{}); err != nil {
			failed++ // it imports packages that cells don't have
			continue
		}
		checked++
		want := declarationsOf(t, file, src)
		got := declarationsOf(t, file, e.printed.Bytes())
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-written +rewritten):\n%s", file, diff)
		}
	}
	t.Logf("%d programs, %d with imports that cells lack", checked, failed)
	if checked < 100 || failed > checked/20 {
		t.Errorf("%d programs were looked at, %d failed", checked, failed)
	}
}

// declarationsOf prints the declarations of a program except its imports and what the session adds
// to each cell.
func declarationsOf(t *testing.T, file string, src []byte) []string {
	t.Helper()
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, file, src, parser.SkipObjectResolution)
	if err != nil {
		t.Fatalf("%s: %v\n%s", file, err, src)
	}
	var list []string
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.GenDecl:
			if d.Tok == token.IMPORT {
				continue
			}
			if v, ok := first(d.Specs).(*ast.ValueSpec); ok && rewrite.Reserved(v.Names[0].Name) {
				continue
			}
			for _, s := range d.Specs {
				if ts, ok := s.(*ast.TypeSpec); ok {
					if p, ok := ts.Type.(*ast.ParenExpr); ok {
						ts.Type = p.X // for go/types; it means the same
					}
				}
			}
		case *ast.FuncDecl:
			if rewrite.Reserved(d.Name.Name) {
				continue
			}
		}
		var b strings.Builder
		if err := printer.Fprint(&b, token.NewFileSet(), d); err != nil {
			t.Fatal(err)
		}
		list = append(list, b.String())
	}
	return list
}

func first(specs []ast.Spec) ast.Spec {
	if len(specs) == 0 {
		return nil
	}
	return specs[0]
}
