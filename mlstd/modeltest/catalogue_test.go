package modeltest_test

import (
	"encoding/json"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// row is one item of the course, with its symbol in the library and its test.
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

// sources returns the text of every Go file of mlstd that is not a test.
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
	shown := lectures(t)
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
		if !item && r.test == "" && r.notebook == "" {
			t.Errorf("%s %s: neither a test nor a notebook has it", r.id, r.name)
		}
		for _, name := range list(r.notebook) {
			if !notebookForm.MatchString(name) || shown[name] == nil {
				t.Errorf("%s: there is no notebook %s", r.id, name)
			} else if shown[name][r.id] == "" {
				t.Errorf("%s %s: no cell of %s has the id in its metadata", r.id, r.name, name)
			}
		}
		for name, cells := range shown {
			if cell := cells[r.id]; cell != "" && !slices.Contains(list(r.notebook), name) {
				t.Errorf("%s: cell %s of %s shows it, and its row does not say so", r.id, cell, name)
			}
		}
	}
	for name, cells := range shown {
		for id, cell := range cells {
			if !seen[id] {
				t.Errorf("cell %s of %s shows %s, which is not in the catalogue", cell, name, id)
			}
		}
	}
	if items != 441 || len(seen) != 582 {
		t.Errorf("the catalogue has %d items among %d rows, want 441 among 582", items, len(seen))
	}
}

// lectures returns, for each lecture, the cells that show an item: ids of cells by
// the ids of items.
func lectures(t *testing.T) map[string]map[string]string {
	t.Helper()
	files := notebooks(t, "N*.ipynb")
	shown := make(map[string]map[string]string)
	for _, file := range files {
		var nb struct {
			Cells []struct {
				ID       string
				Metadata struct{ Catalogue []string }
			}
		}
		if err := json.Unmarshal([]byte(readFile(t, file)), &nb); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		name, _, _ := strings.Cut(filepath.Base(file), "-")
		if shown[name] != nil {
			t.Errorf("there are two lectures %s", name)
		}
		shown[name] = make(map[string]string)
		for _, c := range nb.Cells {
			for _, id := range c.Metadata.Catalogue {
				shown[name][id] = c.ID
			}
		}
	}
	return shown
}

// task holds the ids and the points of a homework cell.
type task struct {
	ID, Source string
	Catalogue  []string
	Graded     bool
	Points     float64
}

// tasks reads the cells of a homework notebook.
func tasks(t *testing.T, file string) (all []task) {
	t.Helper()
	var nb struct {
		Cells []struct {
			ID       string
			Source   []string
			Metadata struct {
				Catalogue []string
				NBGrader  struct {
					Grade  bool
					Points float64
				}
			}
		}
	}
	if err := json.Unmarshal([]byte(readFile(t, file)), &nb); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	for _, c := range nb.Cells {
		all = append(all, task{c.ID, strings.Join(c.Source, ""), c.Metadata.Catalogue, c.Metadata.NBGrader.Grade, c.Metadata.NBGrader.Points})
	}
	return all
}

// notebooks returns the notebooks that match a pattern, except executed copies.
func notebooks(t *testing.T, pattern string) []string {
	t.Helper()
	files, err := filepath.Glob("../../notebooks/" + pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("there is no %s in ../../notebooks: %v", pattern, err)
	}
	return slices.DeleteFunc(files, func(f string) bool { return strings.HasSuffix(f, ".executed.ipynb") })
}

// TestExercises checks every exercise of the course in the homework: a cell has its id, and the
// exercise earns points before the next task begins.
func TestExercises(t *testing.T) {
	files := notebooks(t, "homework/*.ipynb")
	asked := make(map[string]string)
	for _, file := range files {
		cells := tasks(t, file)
		for i, c := range cells {
			worth := 0.0
			for k := i; k < len(cells) && (k == i || !strings.HasPrefix(cells[k].Source, "## ")); k++ {
				if cells[k].Graded {
					worth += cells[k].Points
				}
			}
			for _, id := range c.Catalogue {
				if asked[id] = filepath.Base(file); worth == 0 {
					t.Errorf("%s, cell %s: the task of %s earns no point", filepath.Base(file), c.ID, id)
				}
			}
		}
	}
	exercises := 0
	for _, r := range catalogue(t) {
		if !strings.HasPrefix(r.id, "H") {
			continue
		}
		if exercises++; asked[r.id] == "" {
			t.Errorf("%s %s: no homework asks for it", r.id, r.name)
		}
		delete(asked, r.id)
	}
	if exercises != 42 {
		t.Errorf("the catalogue has %d exercises, want 42", exercises)
	}
	for id, file := range asked {
		if strings.HasPrefix(id, "H") {
			t.Errorf("%s asks for %s, which is not in the catalogue", file, id)
		}
	}
}

// hasID reports whether the name of a test contains the id of an item: TREE-05 is in
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
