package site

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gokernel/gokernel/cmd/gokernel/internal/notebook"
)

const secret = "return 4711 // nobody may see this"

// withHomework puts a source notebook beside the lectures, links to another one in a folder, and
// names that folder as the homework folder.
func withHomework(t *testing.T) string {
	t.Helper()
	dir := small(t)
	graded := func(id, source string, flags ...string) *notebook.Cell {
		c := code(id, source, map[string]any{"text/plain": secret})
		m := map[string]any{"grade_id": id, "points": 2.0}
		for _, f := range flags {
			m[f] = true
		}
		c.Metadata["nbgrader"] = m
		return c
	}
	nb := &notebook.Notebook{Metadata: map[string]any{"widgets": map[string]any{"state": secret}}, Cells: []*notebook.Cell{
		text("title", "# By hand\n\nWrite it *yourself*.\n\n## 1. A task"),
		graded("f", "func f() int {\n\t// BEGIN SOLUTION\n\t"+secret+"\n\t// END SOLUTION\n}", "solution"),
		graded("f-check", "Checks(\n\t// BEGIN HIDDEN TESTS\n\tCheck(f).Is(4711).Hint(\""+secret+"\"),\n\t// END HIDDEN TESTS\n)", "grade", "locked"),
	}}
	b, err := nb.Encode()
	if err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(dir, "hw.ipynb"), string(b))
	put(t, filepath.Join(dir, "homework", "trees.ipynb"), string(b))
	put(t, filepath.Join(dir, "projects", "trees.ipynb"), string(b))
	change(t, filepath.Join(dir, "N01-first.ipynb"), "[numbers]", "[homework](homework/trees.ipynb), [numbers]")
	change(t, filepath.Join(dir, "course.json"), `"title": "A course"`, `"title": "A course", "homework": "homework", "projects": "projects"`)
	return dir
}

// TestSolutionsStayAtHome checks that the site contains only the student version of a notebook with
// solutions: on pages, slides, in downloads, linked files and the search.
func TestSolutionsStayAtHome(t *testing.T) {
	ran := map[string]bool{}
	dir, out, contents := withHomework(t), filepath.Join(t.TempDir(), "site"), filepath.Join(t.TempDir(), "contents")
	put(t, filepath.Join(dir, "exam", "bank.ipynb"), `{"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}`)
	put(t, filepath.Join(dir, "rules", "late.json"), `{"extensions": {}}`)
	put(t, filepath.Join(dir, "rules", "late-days.csv"), "student\n")
	change(t, filepath.Join(dir, "course.json"), `"title": "A course"`, `"title": "A course", "late": "rules/late.json"`)
	var said []string
	opt := Options{Dir: dir, Out: out, Contents: contents, Say: func(f string, args ...any) { said = append(said, f) }, Run: func(_ context.Context, name string, _ *notebook.Notebook) (Outcome, error) {
		ran[name] = true
		return Outcome{}, nil
	}}
	if err := Build(t.Context(), opt); err != nil {
		t.Fatal(err)
	}
	files, _, err := build(t, dir)
	if err != nil {
		t.Fatal(err)
	}
	given := read(t, contents)
	want := []string{manifest, "N01-first.ipynb", "N02-second.ipynb", "course.json", "data/README.md", "data/a.csv", "extra.ipynb", "glossary.md", "homework/trees.ipynb", "hw.ipynb", "notation.md", "projects/trees.ipynb", "references.md", "slips.tsv"}
	if got := slices.Sorted(maps.Keys(given)); !slices.Equal(got, want) {
		t.Errorf("the contents are %q, want %q", got, want)
	}
	for name, content := range given {
		files["contents/"+name] = content
	}
	for name, content := range files {
		if strings.Contains(content, "4711") || strings.Contains(content, "BEGIN HIDDEN") {
			t.Errorf("%s shows the solution", name)
		}
	}
	for _, name := range []string{"lectures/hw.html", "downloads/hw.ipynb", "files/homework/trees.ipynb", "downloads/homework/trees.ipynb", "contents/hw.ipynb", "contents/homework/trees.ipynb"} {
		if !strings.Contains(files[name], "YOUR CODE HERE") {
			t.Errorf("%s lacks what students get", name)
		}
	}
	if _, ok := files["downloads/hw.executed.ipynb"]; ok || ran["hw.ipynb"] || !ran["N01-first.ipynb"] {
		t.Errorf("what students get was run: %v", ran)
	}
	if len(said) == 0 || !strings.Contains(said[0], "holds solutions or hidden checks") {
		t.Errorf("said %q", said)
	}
	if page := files["homework.html"]; !strings.Contains(page, `<a href="downloads/homework/trees.ipynb" download>By hand</a>`) || !strings.Contains(page, "Write it yourself.") || !strings.Contains(page, "1. A task") || !strings.Contains(page, "2 points") {
		t.Errorf("the page of the homework is\n%s", page)
	}
	var all []entry
	data := strings.TrimSuffix(strings.TrimPrefix(files["assets/searchable.js"], "const searchable = "), ";\n")
	if err := json.Unmarshal([]byte(data), &all); err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, e := range all {
		if e.Kind == "homework" && e.In == "Homework" && e.URL == "homework.html#trees" && strings.Contains(e.Text, "Write it yourself") {
			found++
		}
	}
	if found != 1 {
		t.Errorf("the search finds the homework %d times", found)
	}
}

// TestSolutionsAreRefused checks a notebook whose solutions can't be removed.
func TestSolutionsAreRefused(t *testing.T) {
	dir := withHomework(t)
	put(t, filepath.Join(dir, "hw.ipynb"), `{"cells": [{"cell_type": "code", "id": "c", "metadata": {}, "source": "// BEGIN SOLUTION\n1\n// END SOLUTION", "outputs": [], "execution_count": null}], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}`)
	if _, _, err := build(t, dir); err == nil || !strings.Contains(err.Error(), "hw.ipynb: it can't be published: cell c: a solution or hidden checks must be in a cell that is marked") {
		t.Errorf("a solution in a cell without a role: %v", err)
	}
	dir = withHomework(t)
	put(t, filepath.Join(dir, "data", "a.csv"), "# BEGIN SOLUTION\n1\n")
	if _, _, err := build(t, dir); err == nil || !strings.Contains(err.Error(), "data/a.csv can't be published: it has solutions or hidden checks") {
		t.Errorf("a linked file with a solution: %v", err)
	}
	dir = withHomework(t)
	put(t, filepath.Join(dir, "hw.go"), "// %%\n// BEGIN HIDDEN TESTS\n")
	live := t.TempDir()
	put(t, filepath.Join(live, program), "x")
	err := Build(t.Context(), Options{Dir: dir, Out: filepath.Join(t.TempDir(), "site"), Live: live})
	if err == nil || !strings.Contains(err.Error(), "hw.go: it would be published, and has solutions or hidden checks") {
		t.Errorf("a file beside the notebooks of a live site: %v", err)
	}
}

// TestNothingRunsForNothing checks that errors of the course are found before a notebook runs, and
// that an error in one notebook does not stop the others.
func TestNothingRunsForNothing(t *testing.T) {
	for name, c := range map[string]struct{ file, from, to, want string }{
		"link":      {"N02-second.ipynb", "N01-first.ipynb#2-more", "N01-first.ipynb#3-more", "N02-second.ipynb, cell end: the link to N01-first.ipynb#3-more: no heading or cell there has the name 3-more\n    write #2-more"},
		"glossary":  {"course.json", `"glossary.md"`, `"glosary.md"`, "names a file that can't be read"},
		"slips":     {"slips.tsv", "symbols", "names", "has no column symbols"},
		"data":      {"course.json", `"data/README.md"`, `"data/READ.md"`, "names a file that can't be read"},
		"catalogue": {"course.json", `"title": "A course"`, `"title": "A course", "catalogue": "no.tsv"`, "names a file that can't be read"},
		"homework":  {"course.json", `"title": "A course"`, `"title": "A course", "homework": "no"`, "names a directory of homework without notebooks"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := small(t)
			change(t, filepath.Join(dir, c.file), c.from, c.to)
			ran := 0
			err := Build(t.Context(), Options{Dir: dir, Out: filepath.Join(t.TempDir(), "site"), Run: func(context.Context, string, *notebook.Notebook) (Outcome, error) { ran++; return Outcome{}, nil }})
			if err == nil || !strings.Contains(err.Error(), c.want) || ran > 0 {
				t.Errorf("%d notebooks ran before %v; want %s", ran, err, c.want)
			}
		})
	}
	ran := 0
	err := Build(t.Context(), Options{Dir: small(t), Out: filepath.Join(t.TempDir(), "site"), Run: func(_ context.Context, name string, nb *notebook.Notebook) (Outcome, error) {
		ran++
		if name == "N01-first.ipynb" {
			return Outcome{}, errors.New("no evaluator")
		}
		nb.Cells[0].Outputs = []*notebook.Output{{Type: notebook.Error, ErrorName: "bad", ErrorValue: name}}
		return Outcome{}, nil
	}})
	if ran != 3 || err == nil || !strings.Contains(err.Error(), "N01-first.ipynb: no evaluator") || !strings.Contains(err.Error(), "N02-second.ipynb, cell title: the cell fails: bad: N02-second.ipynb") || !strings.Contains(err.Error(), "extra.ipynb, cell t: ") {
		t.Errorf("%d notebooks ran, and the errors are %v", ran, err)
	}
}
