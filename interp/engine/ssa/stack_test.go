//go:build (linux || darwin) && (amd64 || arm64)

package ssa_test

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"testing"
)

// callPackages lists the packages whose functions receive an rtype.Call.
var callPackages = []string{"rtype", "machine", "standin"}

// A Call from the assembler is on the stack of a goroutine. The test uses the compiler's escape
// analysis to find functions that let a Call escape to the heap.
func TestCallsStayOnTheStack(t *testing.T) {
	places := map[string]string{} // of parameters that are Calls: the function, by file:line:column
	fset := token.NewFileSet()
	args := []string{"build", "-gcflags=-m"}
	for _, pkg := range callPackages {
		args = append(args, "./"+pkg)
		files, err := filepath.Glob(pkg + "/*.go")
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			parsed, err := parser.ParseFile(fset, file, nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			noteCalls(fset, parsed, places)
		}
	}
	if len(places) < 20 {
		t.Fatalf("only %d parameters that are calls: the test does not find them any more", len(places))
	}
	out, err := exec.Command("go", args...).CombinedOutput()
	if err != nil {
		t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	asked := 0
	for line := range bytes.Lines(out) {
		place, said, _ := strings.Cut(string(bytes.TrimSpace(line)), ": ")
		dir, file := path.Split(place) // with -trimpath, the import path
		function, ok := places[path.Base(dir)+"/"+file]
		if !ok {
			continue
		}
		asked++
		// A value that a Call points to may escape. The compiler reports it at a level above 0.
		leaks, to, _ := strings.Cut(said, " to result ")
		if strings.HasPrefix(leaks, "leaking param: ") && (to == "" || strings.HasSuffix(to, "level=0")) || strings.HasPrefix(said, "moved to heap: ") {
			t.Errorf("%s: %s keeps a call, which lies on a stack that moves: %s", place, function, said)
		}
	}
	if asked < len(places)/2 {
		t.Errorf("the compiler told of %d of %d parameters that are calls", asked, len(places))
	}
}

// noteCalls records the parameters of a file that are calls, including receivers.
func noteCalls(fset *token.FileSet, file *ast.File, places map[string]string) {
	ast.Inspect(file, func(n ast.Node) bool {
		name, fields := "a function literal", []*ast.Field(nil)
		switch n := n.(type) {
		case *ast.FuncDecl:
			name, fields = n.Name.Name, n.Type.Params.List
			if n.Recv != nil {
				fields = append(n.Recv.List, fields...)
			}
		case *ast.FuncLit:
			fields = n.Type.Params.List
		}
		for _, f := range fields {
			if t := types.ExprString(f.Type); t != "*rtype.Call" && (t != "*Call" || file.Name.Name != "rtype") {
				continue
			}
			for _, p := range f.Names {
				at := fset.Position(p.Pos())
				places[fmt.Sprintf("%s:%d:%d", at.Filename, at.Line, at.Column)] = name
			}
		}
		return true
	})
}
