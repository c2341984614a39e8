package main

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// runtimeBoundary lists, by what they depend on, the only packages that depend on it.
var runtimeBoundary = []struct {
	name     string
	files    *regexp.Regexp // of names of files
	text     *regexp.Regexp // in them
	packages []string
}{
	// dbms/mysql uses the list of drivers of database/sql, which keeps its name for linknames.
	{"names of other packages by go:linkname", regexp.MustCompile(`\.go$`), regexp.MustCompile(`(?m)^//go:linkname `),
		[]string{"interp/engine/ssa/goroutine", "interp/engine/ssa/rtype", "mlstd/internal/dbms/mysql"}},
	{"assembly", regexp.MustCompile(`\.s$`), regexp.MustCompile(`TEXT`),
		[]string{"interp/engine/ssa/goroutine", "interp/engine/ssa/native", "interp/engine/ssa/rtype", "mlstd/internal/linalg"}},
	{"unexported fields of go/ssa", regexp.MustCompile(`\.go$`), regexp.MustCompile(`reflect\.TypeFor\[ssa\.|reflect\.TypeOf\(\(?\*?ssa\.`),
		[]string{"interp/engine/ssa/gossa"}},
}

// Few packages depend on internals of other packages. Everything else uses their functions. The
// checks of packages that depend on the runtime or on go/ssa run at start-up.
func TestRuntimeBoundary(t *testing.T) {
	const root = "../.."
	for _, b := range runtimeBoundary {
		seen := map[string]bool{}
		err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			name := d.Name()
			if d.IsDir() {
				if file != root && (name[0] == '.' || name == "testdata" || name == "build") {
					return fs.SkipDir
				}
				return nil
			}
			if !b.files.MatchString(name) || strings.HasSuffix(name, "_test.go") {
				return nil
			}
			text, err := os.ReadFile(file)
			if err != nil || !b.text.Match(text) {
				return err
			}
			rel, err := filepath.Rel(root, file)
			pkg := path.Dir(filepath.ToSlash(rel))
			if seen[pkg] = true; !slices.Contains(b.packages, pkg) {
				t.Errorf("%s: %s are for the packages %q only", rel, b.name, b.packages)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, pkg := range b.packages {
			if !seen[pkg] {
				t.Errorf("%s has no %s any more: take it off the list", pkg, b.name)
			}
		}
	}
}
