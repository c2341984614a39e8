package site

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/gokernel/gokernel/cmd/gokernel/internal/notebook"
)

func TestCheckText(t *testing.T) {
	dir := small(t)
	change(t, filepath.Join(dir, "course.json"), `"data": "data/README.md"`, `"catalogue": "items.tsv"`)
	put(t, filepath.Join(dir, "items.tsv"), "id\tname\nCLU-01\tk-means\n")
	fit := code("fit", "1", nil)
	fit.Metadata["catalogue"] = []any{"CLU-01", "CLU-99"}
	nb := &notebook.Notebook{Metadata: map[string]any{}, Cells: []*notebook.Cell{
		text("a", "# Title\n\n## 1. Means\n\nFigures 1 and 2, section 1, section 7, `section 8`, figure 9 of [N01](N01-first.ipynb#cell-means)."),
		fit,
		text("b", "**Figure 1.** [here](#1-means), [there](#2-means), [cell](#cell-a), [far](https://x.org/y.md), [gone](gone.ipynb), [data](data/a.csv)."),
		text("c", "[in](N02-second.ipynb#2-trees), [out](N02-second.ipynb#3-trees). `[code](no.md)` The colour."),
	}}
	found, err := CheckText(filepath.Join(dir, "new.ipynb"), nb)
	if err != nil {
		t.Fatal(err)
	}
	want := []Finding{
		{"a", "names figure 2, which is not there"},
		{"a", "names section 7, which is not there"},
		{"fit", "names CLU-99, which items.tsv does not have"},
		{"b", "links to #2-means, and no heading or cell has this name"},
		{"b", "links to gone.ipynb, which is not there"},
		{"c", "links to N02-second.ipynb#3-trees, and that notebook has no such heading or cell"},
		{"c", `has "colour": did you mean "color"?`},
	}
	if !slices.Equal(found, want) {
		t.Errorf("got %q\nwant %q", found, want)
	}
	nb.Metadata["lang"] = "de"
	if found, err := CheckText(filepath.Join(dir, "new.ipynb"), nb); err != nil || len(found) != 6 {
		t.Errorf("in German %d findings, %v", len(found), err)
	}
}

// TestCourseText checks the text of the course.
func TestCourseText(t *testing.T) {
	files, err := notebook.Glob(repository + "notebooks/*.ipynb")
	if err != nil || len(files) < 10 {
		t.Fatalf("%d notebooks, %v", len(files), err)
	}
	for _, f := range files {
		nb, err := notebook.Read(f)
		if err != nil {
			t.Fatal(err)
		}
		found, err := CheckText(f, nb)
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range found {
			t.Errorf("%s: cell %s %s", filepath.Base(f), w.Cell, w.What)
		}
	}
}
