package check

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"
)

// cells checks the cells in order and returns the errors of the last one.
func cells(t *testing.T, srcs ...string) []Error {
	t.Helper()
	fset := token.NewFileSet()
	visible := map[string]types.Object{}
	var r *Result
	for _, src := range srcs {
		f, err := parser.ParseFile(fset, "cell", "package main\n"+src, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		c := &Checker{Fset: fset, Visible: func(name string) types.Object { return visible[name] }}
		r = c.Check([]*ast.File{f})
		for _, name := range r.Package.Scope().Names() {
			visible[name] = r.Package.Scope().Lookup(name)
		}
	}
	return r.Errors
}

func TestUnkeyedLiteralsOfEarlierTypes(t *testing.T) {
	const earlier = "type point struct { x, y int }\ntype box[T any] struct { v T; p *point }"
	for _, src := range []string{
		"var p = point{1, 2}",
		"var p = &point{1, 2}",
		"var ps = []point{{1, 2}, {3, 4}}",
		"var ps = map[string]*point{`a`: {1, 2}}",
		"type line struct { from, to point }\nvar l = line{point{1, 2}, point{3, 4}}",
		"var b = box[point]{point{1, 2}, &point{3, 4}}",
		"var e = point{}",
	} {
		if errs := cells(t, earlier, src); len(errs) > 0 {
			t.Errorf("%s: %s", src, errs[0].Msg)
		}
	}
	for src, want := range map[string]string{
		"var p = point{1}":       "too few values",
		"var p = point{1, `2`}":  "cannot use `2`",
		"var p = point{1, 2, 3}": "too many values",
	} {
		errs := cells(t, earlier, src)
		found := false
		for _, e := range errs {
			found = found || strings.Contains(e.Msg, want)
		}
		if !found {
			t.Errorf("%s: got %v, want %s", src, errs, want)
		}
	}
}
