// Command usage counts the files that use each name of a package, so that completion can offer
// common names first. It counts names in the notebooks and the documentation of the course: of the
// course library and other packages, of the names that cells see without a package, and of methods
// and fields. It counts names of the standard library also in its source.
//
// Usage: go run ./internal/usage, in interp/complete; writes usage.txt.
package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"io/fs"
	"log"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gokernel/gokernel/interp/symbols"
)

// Bounds on usage.txt. Names that are used less often, or more names of one package, would not
// change the names that a list begins with.
const (
	least   = 2
	longest = 150
	most    = 400 // of the course library, the prelude, and members
)

const course = "github.com/gokernel/gokernel/mlstd"

// The groups of names that are not names of one package.
const (
	prelude = "prelude" // names that cells see without a package
	members = "."       // methods and fields
)

// weight is the number of files of the standard library that count as much as one notebook.
const weight = 5

func main() {
	log.SetFlags(0)
	log.SetPrefix("usage: ")
	counts := map[string]map[string]int{}
	add := func(path, name string, n int) {
		if counts[path] == nil {
			counts[path] = map[string]int{}
		}
		counts[path][name] += n
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
			for name := range namesIn(code(file, text)) {
				add(name[0], name[1], weight)
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
		limit := longest
		if path == course || path == prelude || path == members {
			limit = most
		}
		if len(names) > 0 {
			fmt.Fprintln(&b, path, strings.Join(names[:min(len(names), limit)], " "))
		}
	}
	if err := os.WriteFile("usage.txt", b.Bytes(), 0o644); err != nil {
		log.Fatal(err)
	}
}

// code returns the Go code of a notebook or of a page.
func code(file string, text []byte) string {
	var b strings.Builder
	if strings.HasSuffix(file, ".md") {
		for i, part := range strings.Split(string(text), "```") {
			if rest, ok := strings.CutPrefix(part, "go\n"); ok && i%2 == 1 {
				b.WriteString(rest)
			}
		}
		return b.String()
	}
	var nb struct {
		Cells []struct {
			Type   string   `json:"cell_type"`
			Source []string `json:"source"`
		} `json:"cells"`
	}
	if err := json.Unmarshal(text, &nb); err != nil {
		log.Fatalf("%s: %v", file, err)
	}
	for _, c := range nb.Cells {
		if c.Type == "code" {
			b.WriteString(strings.Join(c.Source, "") + "\n")
		}
	}
	return b.String()
}

// namesIn returns the names that code uses, each with its package or group.
func namesIn(code string) map[[2]string]bool {
	names := map[[2]string]bool{}
	file := token.NewFileSet().AddFile("", -1, len(code))
	var s scanner.Scanner
	s.Init(file, []byte(code), func(token.Position, string) {}, 0)
	var before [2]token.Token // the tokens before, the last one second
	operand, last := "", ""
	for {
		_, tok, lit := s.Scan()
		if tok == token.EOF {
			return names
		}
		if tok == token.IDENT {
			switch {
			case before[1] != token.PERIOD:
				if token.IsExported(lit) {
					names[[2]string{prelude, lit}] = true
				}
			case before[0] == token.IDENT && packageNamed(operand, lit) != "":
				names[[2]string{packageNamed(operand, lit), lit}] = true
			default:
				names[[2]string{members, lit}] = true
			}
		}
		if tok == token.PERIOD {
			operand = last
		}
		before[0], before[1], last = before[1], tok, lit
	}
}

// packageNamed returns the path of a package that has the given name and the given member, or "".
func packageNamed(name, member string) string {
	if p, ok := symbols.Resolve(name, member); ok && p.Has(member) {
		return p.Path
	}
	return ""
}

// standard counts names in the source of the standard library, except internal packages and tests.
func standard(add func(path, name string, n int)) error {
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
					add(paths[x.Name], s.Sel.Name, 1)
				}
			}
			return true
		})
		return nil
	})
}
