// Command usage counts the files that use each name of a package, so that completion can offer
// common names first. It counts names of the course library in the notebooks and the documentation,
// and names of the standard library in its source.
//
// Usage: go run ./internal/usage, in interp/complete; writes usage.txt.
package main

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"log"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Bounds on usage.txt. Names that are used less often, or more names of one package, would not
// change the start of a list.
const (
	least   = 2
	longest = 150
)

const course = "github.com/gokernel/gokernel/mlstd"

func main() {
	log.SetFlags(0)
	log.SetPrefix("usage: ")
	counts := map[string]map[string]int{}
	add := func(path, name string) {
		if counts[path] == nil {
			counts[path] = map[string]int{}
		}
		counts[path][name]++
	}
	for _, pattern := range []string{"../../notebooks/*.ipynb", "../../notebooks/homework/*.ipynb", "../../docs/*/*.md", "../../README.md"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			log.Fatalf("no files %s: %v", pattern, err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				log.Fatal(err)
			}
			seen := map[string]bool{}
			for _, m := range regexp.MustCompile(`\bml\.([A-Z]\w*)`).FindAllSubmatch(text, -1) {
				if name := string(m[1]); !seen[name] {
					seen[name] = true
					add(course, name)
				}
			}
		}
	}
	if err := standard(add); err != nil {
		log.Fatal(err)
	}
	var b bytes.Buffer
	for _, path := range slices.Sorted(maps.Keys(counts)) {
		names := slices.SortedFunc(maps.Keys(counts[path]), func(a, b string) int {
			return cmp.Or(cmp.Compare(counts[path][b], counts[path][a]), cmp.Compare(a, b))
		})
		names = slices.DeleteFunc(names, func(n string) bool { return counts[path][n] < least })
		if len(names) > 0 {
			fmt.Fprintln(&b, path, strings.Join(names[:min(len(names), longest)], " "))
		}
	}
	if err := os.WriteFile("usage.txt", b.Bytes(), 0o644); err != nil {
		log.Fatal(err)
	}
}

// standard counts names in the source of the standard library, except internal packages and tests.
func standard(add func(path, name string)) error {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return fmt.Errorf("go env GOROOT: %w", err)
	}
	root := filepath.Join(strings.TrimSpace(string(out)), "src")
	return filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "testdata" || d.Name() == "vendor" || d.Name() == "cmd") {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(file, ".go") {
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil // some files of the standard library contain errors on purpose
		}
		paths := map[string]string{}
		for _, i := range f.Imports {
			path := strings.Trim(i.Path.Value, `"`)
			if i.Name == nil && !strings.Contains(path, "internal/") && !strings.HasPrefix(path, "vendor/") {
				paths[strings.TrimSuffix(path[strings.LastIndexByte(path, '/')+1:], "/v2")] = path
			}
		}
		seen := map[[2]string]bool{}
		ast.Inspect(f, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok && s.Sel.IsExported() {
				if x, ok := s.X.(*ast.Ident); ok && paths[x.Name] != "" && !seen[[2]string{x.Name, s.Sel.Name}] {
					seen[[2]string{x.Name, s.Sel.Name}] = true
					add(paths[x.Name], s.Sel.Name)
				}
			}
			return true
		})
		return nil
	})
}
