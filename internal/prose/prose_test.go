package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Each line of testdata/vale/specimens.txt is a sentence and the rule that it must break, or none.
func TestRulesFindTheirSpecimens(t *testing.T) {
	data, err := os.ReadFile("../../testdata/vale/specimens.txt")
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]*text{}
	want := map[string]bool{}
	names := map[string]string{"Comments": "interp/comments.md", "Learning": "mlstd/tree/comments.md", "Lectures": "notebooks/N01.ipynb.md", "Pages": "docs/how-to/page.md"}
	for i, line := range strings.Split(string(data), "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		rules, sentence, ok := strings.Cut(line, ": ")
		if !ok {
			t.Fatalf("line %d has no rule", i+1)
		}
		style, _, _ := strings.Cut(rules, ".")
		name := names[style]
		if name == "" {
			name = "docs/page.md"
		}
		if texts[name] == nil {
			texts[name] = &text{}
		}
		texts[name].add("specimens.txt", i+1, sentence)
		texts[name].add("specimens.txt", i+1, "")
		if rules != "none" {
			want[fmt.Sprintf("%d %s", i+1, rules)] = true
		}
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	found, err := runVale(root, texts)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]bool{}
	for _, f := range found {
		got[fmt.Sprintf("%d %s", f.line, f.rule)] = true
	}
	for w := range want {
		if !got[w] {
			t.Errorf("line %s: not found", w)
		}
	}
	for g := range got {
		if !want[g] {
			t.Errorf("line %s: found, and nothing is wrong there", g)
		}
	}
	files, err := filepath.Glob("../../testdata/vale/styles/*/*.yml")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, f := range files {
		rule := filepath.Base(filepath.Dir(f)) + "." + strings.TrimSuffix(filepath.Base(f), ".yml")
		if !regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(rule) + `: `).Match(data) {
			t.Errorf("%s has no specimen", rule)
		}
	}
}

func TestGoSource(t *testing.T) {
	src := "// Package p is one.\npackage p\n\n//go:generate true\n\n// F returns [p.T].\n//\n//\tcode is left out of columns " + strings.Repeat("x", 100) +
		"\nfunc F() {\n\tvar x int // the first\n\tvar y int // the second\n\tfail(\"a file must have a \" + name + \" and more than that\")\n\tquery(`SELECT a FROM b WHERE c`)\n\twide(\"K\") // " +
		strings.Repeat("w ", 60) + "\n}\n\n// " + strings.Repeat("w ", 60) + "\nvar z = \"short\"\n"
	s, err := parseGo("p.go", []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	comments, messages := &text{}, &text{}
	found := s.addComments(comments)
	s.addStrings(messages)
	for _, line := range []string{"Package p is one.", "F returns p.T.", "- the first", "- the second"} {
		if !slices.Contains(comments.lines, line) {
			t.Errorf("no line %q in %q", line, comments.lines)
		}
	}
	if i := slices.Index(comments.lines, "- the second"); comments.from[i].line != 11 {
		t.Errorf("the second is from line %d", comments.from[i].line)
	}
	if slices.ContainsFunc(comments.lines, func(l string) bool { return strings.Contains(l, "generate") }) {
		t.Error("a directive is prose")
	}
	if want := "- a file must have a x and more than that"; len(messages.lines) != 2 || messages.lines[0] != want {
		t.Errorf("messages are %q, not %q", messages.lines, want)
	}
	if len(found) != 1 || found[0].line != 17 {
		t.Errorf("long lines: %v", found)
	}
}

func TestLines(t *testing.T) {
	var got text
	found := addLines(&got, "run.sh", "#!/bin/sh\n# One line,\n# and another.\necho # not this\n\t# Two.\n#\tcode\n", "#")
	want := text{[]string{"One line,", "and another.", "", "Two.", "\tcode", ""},
		[]place{{"run.sh", 2}, {"run.sh", 3}, {"run.sh", 3}, {"run.sh", 5}, {"run.sh", 6}, {"run.sh", 6}}}
	if len(found) != 0 || !slices.Equal(got.lines, want.lines) || !slices.Equal(got.from, want.from) {
		t.Errorf("got %v, want %v; found %v", got, want, found)
	}
}

func TestPageColumns(t *testing.T) {
	long := strings.Repeat("w ", 60)
	page := "# " + long + "\n\n" + long + "\n\n```\n" + long + "\n```\n\n| " + long + "|\n\n    " + long + "\n\n[w](https://" + strings.Repeat("w", 100) + ")\n\n- [Key2004] " + long + "\n"
	found := addPage(&text{}, "p.md", page)
	if len(found) != 1 || found[0].line != 3 {
		t.Errorf("found %v", found)
	}
}

func TestNotebookLines(t *testing.T) {
	nb := "{\n \"cells\": [\n  {\n   \"cell_type\": \"markdown\",\n   \"source\": [\n    \"One.\\n\",\n    \"Two.\"\n   ]\n  },\n" +
		"  {\n   \"cell_type\": \"code\",\n   \"source\": [\"x\"]\n  }\n ]\n}\n"
	var got text
	if err := addNotebook(&got, "n.ipynb", []byte(nb)); err != nil {
		t.Fatal(err)
	}
	want := text{[]string{"One.", "Two.", ""}, []place{{"n.ipynb", 6}, {"n.ipynb", 7}, {"n.ipynb", 7}}}
	if !slices.Equal(got.lines, want.lines) || !slices.Equal(got.from, want.from) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestAreas(t *testing.T) {
	areas, err := parseAreas("# a\ndocs text\nmlstd/tree comments strings # b\n")
	if err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string][]string{"docs/a.md": {"text"}, "docsa.md": nil, "mlstd/tree/x.go": {"comments", "strings"}, "mlstd/treeb.go": nil} {
		if got := kindsOf(file, areas); !slices.Equal(got, want) {
			t.Errorf("%s: %v, not %v", file, got, want)
		}
	}
	for _, bad := range []string{"docs", "docs prose"} {
		if _, err := parseAreas(bad); err == nil {
			t.Errorf("no error for %q", bad)
		}
	}
	if _, _, err := collect(t.TempDir(), []string{"docs/a.md"}, []area{{"gone", allKinds}}); err == nil {
		t.Error("no error for a path without files")
	}
}

func TestSubjects(t *testing.T) {
	for subject, want := range map[string]int{
		"mlstd/tree: add k-medoids":                          0,
		"interp, kernel: feed values to the pipe":            0,
		"CHANGELOG: mention fuzzing":                         0,
		`Revert "mlstd: break it"`:                           0,
		"mlstd/tree: added k-medoids":                        1,
		"mlstd/tree: adds k-medoids":                         1,
		"mlstd/tree: what may panic":                         1,
		"add k-medoids":                                      1,
		"mlstd: add a tree; fix the other":                   1,
		"mlstd: add trees.":                                  1,
		"mlstd: add " + strings.Repeat("x", 72):              1,
		"docs: bring the list of " + strings.Repeat("x", 60): 1,
	} {
		if got := subjectErrors(subject); len(got) != want {
			t.Errorf("%s: %q, not %d", subject, got, want)
		}
	}
}
