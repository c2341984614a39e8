package shapes

import (
	"errors"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"
)

// around returns the lines of a program near an error.
func around(src string, err error) string {
	var e types.Error
	lines := strings.Split(src, "\n")
	if !errors.As(err, &e) {
		return src
	}
	at := e.Fset.Position(e.Pos).Line
	return strings.Join(lines[max(at-8, 0):min(at+2, len(lines))], "\n")
}

// Generated programs and each of their parts are valid Go, and a seed always produces the same
// program.
func TestProgramsAreValid(t *testing.T) {
	packages := importer.ForCompiler(token.NewFileSet(), "source", nil)
	check := func(name, src string) {
		t.Helper()
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, "main.go", src, parser.SkipObjectResolution)
		if err == nil {
			_, err = (&types.Config{Importer: packages}).Check("main", fset, []*ast.File{f}, nil)
		}
		if err != nil {
			t.Fatalf("%s: %v\n%s", name, err, around(src, err))
		}
	}
	seeds := []uint64{}
	for seed := range uint64(150) {
		seeds = append(seeds, seed)
	}
	text := File(seeds)
	check("all seeds", text)
	if text != File(seeds) {
		t.Error("a seed gives different programs")
	}
	for _, part := range Parts() {
		if !strings.Contains(text, `part("`+part+`"`) {
			t.Errorf("no program has the part %s", part)
		}
		for seed := range uint64(20) {
			source, name := PartProgram(seed, part)
			check(part, "package main\n"+header+source+"\nfunc main() { program(\"\", "+name+") }\n")
		}
	}
}
