package main

import (
	"fmt"
	"os"
	"os/exec"
	"path"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/gokernel/gokernel/"

// importsFile lists the allowed imports.
const importsFile = "testdata/imports.txt"

// badNames lists package names that don't describe the contents.
var badNames = []string{"util", "utils", "common", "base", "helpers", "misc"}

// arrow is an import that the list allows.
type arrow struct {
	from, to string
	used     bool
}

// covers reports whether a pattern of the list matches the import path.
func covers(pattern, imported string) bool {
	if part, ok := strings.CutSuffix(pattern, "/..."); ok {
		return imported == part || strings.HasPrefix(imported, part+"/")
	}
	if part, ok := strings.CutSuffix(pattern, "/*"); ok {
		return path.Dir(imported) == part
	}
	return pattern == "*" || pattern == imported
}

// readArrows parses the list, and returns the arrows and the listed packages.
func readArrows(text string) (arrows []*arrow, listed map[string]bool, err error) {
	listed = map[string]bool{}
	for n, line := range strings.Split(text, "\n") {
		line, _, _ = strings.Cut(line, "#")
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		from, to, ok := strings.Cut(line, ":")
		if !ok || listed[from] {
			return nil, nil, fmt.Errorf("%s:%d: want one line PACKAGE: IMPORTS for %q", importsFile, n+1, from)
		}
		listed[from] = true
		for _, t := range strings.Fields(to) {
			arrows = append(arrows, &arrow{from: from, to: t})
		}
	}
	return arrows, listed, nil
}

// checkArrows compares the imports of packages with the list.
func checkArrows(text string, imports map[string][]string) (wrong []string, err error) {
	arrows, listed, err := readArrows(text)
	if err != nil {
		return nil, err
	}
	for from, list := range imports {
		family := path.Dir(from) + "/*"
		if !listed[from] && !listed[family] {
			wrong = append(wrong, fmt.Sprintf("%s has no package %s: add a line with what it may import", importsFile, from))
			continue
		}
		for _, to := range list {
			ok := false
			for _, a := range arrows {
				if (a.from == from || a.from == family) && covers(a.to, to) {
					a.used, ok = true, true
				}
			}
			if !ok {
				wrong = append(wrong, fmt.Sprintf("%s imports %s, which %s does not allow: do without, or add it and say why", from, to, importsFile))
			}
		}
	}
	for _, a := range arrows {
		if !a.used {
			wrong = append(wrong, fmt.Sprintf("%s allows %s to import %s, which nothing does: take it out", importsFile, a.from, a.to))
		}
	}
	slices.Sort(wrong)
	return wrong, nil
}

// imported returns the packages of the module with their imports from other modules and from this
// one, on linux and any of its architectures.
func imported(t *testing.T) map[string][]string {
	t.Helper()
	packages := map[string][]string{}
	for _, arch := range []string{"amd64", "arm64"} {
		cmd := exec.Command("go", "list", "-f", `{{.ImportPath}}|{{join .Imports " "}}`, "./...")
		cmd.Dir = "../.."
		cmd.Env = append(os.Environ(), "GOOS=linux", "GOARCH="+arch)
		out, err := cmd.Output()
		if err != nil {
			if e, ok := err.(*exec.ExitError); ok {
				t.Fatalf("go list: %v\n%s", err, e.Stderr)
			}
			t.Fatal(err)
		}
		for line := range strings.Lines(string(out)) {
			name, list, _ := strings.Cut(strings.TrimSpace(line), "|")
			name = strings.TrimPrefix(name, module)
			all := packages[name]
			for _, p := range strings.Fields(list) {
				p, own := strings.CutPrefix(p, module)
				if first, _, _ := strings.Cut(p, "/"); (own || strings.Contains(first, ".")) && !slices.Contains(all, p) {
					all = append(all, p)
				}
			}
			packages[name] = all
		}
	}
	return packages
}

func TestImportsRunOneWay(t *testing.T) {
	packages := imported(t)
	if len(packages) < 60 {
		t.Fatalf("go list found %d packages", len(packages))
	}
	text, err := os.ReadFile(importsFile)
	if err != nil {
		t.Fatal(err)
	}
	wrong, err := checkArrows(string(text), packages)
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range wrong {
		t.Error(w)
	}
	for p := range packages {
		for _, elem := range strings.Split(p, "/") {
			if slices.Contains(badNames, elem) {
				t.Errorf("%s: %q says nothing about what is inside", p, elem)
			}
		}
	}
}

// TestArrowsAreChecked checks that the comparison can fail.
func TestArrowsAreChecked(t *testing.T) {
	packages := map[string][]string{"a": {"b/c", "x.org/y"}, "b/c": nil, "b/d": {"b/c"}}
	const list = "a: b/... x.org/y # the reason\nb/*: b/c\n"
	for text, want := range map[string]string{
		list:                                           "",
		strings.Replace(list, "b/...", "b/*", 1):       "",
		strings.Replace(list, "b/...", "b", 1):         "a imports b/c",
		strings.Replace(list, "x.org/y", "", 1):        "a imports x.org/y",
		strings.Replace(list, "b/...", "b/d", 1):       "a imports b/c",
		strings.Replace(list, "b/*: b/c", "b/c:", 1):   "no package b/d",
		list + "c: a":                                  "which nothing does",
		strings.Replace(list, "b/*: b/c", "b/d: a", 1): "b/d imports b/c",
	} {
		wrong, err := checkArrows(text, packages)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(wrong, "\n"); want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("%q:\n got %q\nwant %q", text, got, want)
		}
	}
}
