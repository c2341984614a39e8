package modeltest_test

import (
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// row is one item of the course: where the library has it and what tests it.
type row struct {
	id, name, symbols, test, notebook string
}

// catalogue reads the table of the course's items.
func catalogue(t *testing.T) []row {
	t.Helper()
	var rows []row
	for i, line := range strings.Split(strings.TrimRight(readFile(t, "../../testdata/catalogue.tsv"), "\n"), "\n") {
		f := strings.Split(line, "\t")
		if len(f) != 5 {
			t.Fatalf("catalogue.tsv line %d has %d fields, want 5 separated by tabs", i+1, len(f))
		}
		if i > 0 {
			rows = append(rows, row{f[0], f[1], f[2], f[3], f[4]})
		}
	}
	return rows
}

// sources gives the text of every Go file of mlstd that is not a test.
func sources(t *testing.T) map[string]string {
	t.Helper()
	texts := make(map[string]string)
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go") {
			texts[path] = readFile(t, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return texts
}

var (
	idForm       = regexp.MustCompile(`^([A-Z]+-\d\d|X\d{3}|H\d\d)$`)
	notebookForm = regexp.MustCompile(`^N\d\d$`)
	testIDs      = regexp.MustCompile(`\.Test([A-Z]+)(\d\d(?:_\d\d)*)`)
)

func TestCatalogue(t *testing.T) {
	packages := make(map[string]*family)
	for _, f := range families(t) {
		packages[f.name] = f
	}
	seen, items := make(map[string]bool), 0
	for _, r := range catalogue(t) {
		if !idForm.MatchString(r.id) || seen[r.id] || r.name == "" {
			t.Errorf("%q: an id must have the form TREE-01, X001 or H01, occur once and have a name", r.id)
		}
		seen[r.id] = true
		item := strings.Contains(r.id, "-") // the others are examples and exercises
		if item {
			items++
		}
		if item && (r.symbols == "" || r.test == "") {
			t.Errorf("%s %s: this item has no symbol or no test", r.id, r.name)
		}
		for _, symbol := range list(r.symbols) {
			pkg, name, _ := strings.Cut(symbol, ".")
			if f := packages[pkg]; f == nil || !f.symbols[name] {
				t.Errorf("%s: there is no symbol %s", r.id, symbol)
			}
		}
		for _, test := range list(r.test) {
			pkg, name, _ := strings.Cut(test, ".")
			if f := packages[pkg]; f == nil || !f.tests[name] {
				t.Errorf("%s: there is no test %s", r.id, test)
			}
		}
		if item && !slices.ContainsFunc(list(r.test), func(test string) bool { return hasID(test, r.id) }) {
			t.Errorf("%s: none of its tests %q has the id in its name", r.id, r.test)
		}
		for _, name := range list(r.notebook) {
			files, err := filepath.Glob("../../notebooks/" + name + "-*.ipynb")
			if err != nil || !notebookForm.MatchString(name) || len(files) != 1 {
				t.Errorf("%s: there is no notebook %s", r.id, name)
			}
		}
	}
	if items != 441 || len(seen) != 582 {
		t.Errorf("the catalogue has %d items among %d rows, want 441 among 582", items, len(seen))
	}
}

// hasID reports whether the name of a test has the id of an item: TREE-05 is in
// tree.TestTREE05_Gini, EVAL-04 in eval.TestEVAL03_04_05_Ratios.
func hasID(test, id string) bool {
	topic, number, _ := strings.Cut(id, "-")
	m := testIDs.FindStringSubmatch(test)
	return m != nil && m[1] == topic && slices.Contains(strings.Split(m[2], "_"), number)
}

func list(s string) []string {
	if s == "" {
		return nil
	}
	parts := strings.Split(s, ",")
	for i := range parts {
		parts[i] = strings.TrimSpace(parts[i])
	}
	return parts
}
