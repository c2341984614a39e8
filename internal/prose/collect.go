package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// An area is a path whose prose is checked: a file, or a folder with everything below it.
type area struct {
	path  string
	kinds []string
}

// allKinds lists the kinds of prose: the text of Markdown files and notebooks, the comments of Go
// files, and strings, which are the messages and help texts in Go files that are not tests.
var allKinds = []string{"text", "comments", "strings"}

// parseAreas reads the list of areas: a path and its kinds on each line; # starts a comment.
func parseAreas(list string) ([]area, error) {
	var areas []area
	for i, line := range strings.Split(list, "\n") {
		line, _, _ = strings.Cut(line, "#")
		f := strings.Fields(line)
		if len(f) == 0 {
			continue
		}
		if len(f) == 1 {
			return nil, fmt.Errorf("areas.txt:%d: a path needs kinds of prose: %s", i+1, strings.Join(allKinds, ", "))
		}
		for _, k := range f[1:] {
			if !slices.Contains(allKinds, k) {
				return nil, fmt.Errorf("areas.txt:%d: a kind must be one of %s, got %s", i+1, strings.Join(allKinds, ", "), k)
			}
		}
		areas = append(areas, area{f[0], f[1:]})
	}
	return areas, nil
}

func kindsOf(file string, areas []area) []string {
	var kinds []string
	for _, a := range areas {
		if a.path == "." || file == a.path || strings.HasPrefix(file, a.path+"/") {
			kinds = append(kinds, a.kinds...)
		}
	}
	return kinds
}

// A text is Markdown for Vale, with the place that each line comes from.
type text struct {
	lines []string
	from  []place
}

type place struct {
	file string
	line int
}

func (t *text) add(file string, line int, s string) {
	t.lines = append(t.lines, s)
	t.from = append(t.from, place{file, line})
}

// collect returns the prose of the files in the areas. The keys of the map are the names of the
// Markdown files for Vale. collect also returns the findings that don't need Vale: lines of prose
// that are too long.
func collect(root string, files []string, areas []area) (map[string]*text, []finding, error) {
	for _, a := range areas {
		if !slices.ContainsFunc(files, func(f string) bool { return len(kindsOf(f, []area{a})) > 0 }) {
			return nil, nil, fmt.Errorf("there is no file at %s", a.path)
		}
	}
	texts := map[string]*text{}
	at := func(name string) *text {
		if texts[name] == nil {
			texts[name] = &text{}
		}
		return texts[name]
	}
	var found []finding
	for _, file := range files {
		kinds := kindsOf(file, areas)
		ext := path.Ext(file)
		if len(kinds) == 0 || ext != ".md" && ext != ".ipynb" && ext != ".go" && markerOf(file) == "" {
			continue
		}
		data, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(file)))
		if os.IsNotExist(err) { // the file was deleted, but is still in the index
			continue
		}
		if err != nil {
			return nil, nil, err
		}
		switch {
		case ext == ".md" && slices.Contains(kinds, "text"):
			found = append(found, addPage(at(file), file, string(data))...)
		case ext == ".ipynb" && slices.Contains(kinds, "text"):
			if err := addNotebook(at(file+".md"), file, data); err != nil {
				return nil, nil, err
			}
		case markerOf(file) != "" && slices.Contains(kinds, "comments"):
			found = append(found, addLines(at(path.Join(path.Dir(file), "lines.md")), file, string(data), markerOf(file))...)
		case ext == ".go":
			g, err := parseGo(file, data)
			if err != nil {
				return nil, nil, err
			}
			if slices.Contains(kinds, "comments") {
				found = append(found, g.addComments(at(path.Join(path.Dir(file), "comments.md")))...)
			}
			if slices.Contains(kinds, "strings") && !strings.HasSuffix(file, "_test.go") {
				g.addStrings(at(path.Join(path.Dir(file), "strings.md")))
			}
		}
	}
	return texts, found, nil
}

const columns = 100

func tooLong(file string, line int, s string) []finding {
	if n := utf8.RuneCountInString(strings.ReplaceAll(s, "\t", "    ")); n > columns {
		return []finding{{file, line, fmt.Sprintf("prose must have at most %d columns, got %d", columns, n), "Columns"}}
	}
	return nil
}

// unbroken matches lines of Markdown that cannot be wrapped: tables, headings, HTML, link
// definitions and lines with one long link.
var unbroken = regexp.MustCompile(`^\s*(\||#|<|\[[^\]]+\]: |[-*]? ?!?\[[^\]]*\]\([^)]*\)[.,;:]?$)|\]\([^)]{50,}\)`)

// citation matches an entry of a list of references.
var citation = regexp.MustCompile(`^- \[[A-Za-z]+[0-9]{4}[a-z]?\] `)

// addPage adds a page unchanged, except that it omits citations. Vale parses the Markdown.
func addPage(t *text, file, data string) []finding {
	var found []finding
	fence := ""
	for i, line := range strings.Split(data, "\n") {
		if citation.MatchString(line) {
			continue
		}
		t.add(file, i+1, line)
		trimmed := strings.TrimSpace(line)
		switch {
		case fence != "":
			if strings.HasPrefix(trimmed, fence) {
				fence = ""
			}
		case strings.HasPrefix(trimmed, "```"), strings.HasPrefix(trimmed, "~~~"):
			fence = trimmed[:3]
		case strings.HasPrefix(line, "    ") || strings.HasPrefix(line, "\t") || unbroken.MatchString(line):
		default:
			found = append(found, tooLong(file, i+1, line)...)
		}
	}
	return found
}

// formula matches a formula, or an index in a formula that is written in HTML.
var formula = regexp.MustCompile(`\$[^$]+\$|<sub>.*?</sub>`)

// addNotebook adds the Markdown cells of a notebook, in which a formula counts as one word. The
// line of a finding is its line in the file if each line of a cell is on a separate line of the
// file, as Jupyter writes notebooks.
func addNotebook(t *text, file string, data []byte) error {
	var nb struct {
		Cells []struct {
			Type   string          `json:"cell_type"`
			Source json.RawMessage `json:"source"`
		} `json:"cells"`
	}
	if err := json.Unmarshal(data, &nb); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	lines := map[string]int{}
	for i, l := range strings.Split(string(data), "\n") {
		l = strings.TrimSuffix(strings.TrimSpace(l), ",")
		var s string
		if json.Unmarshal([]byte(l), &s) == nil && lines[s] == 0 {
			lines[s] = i + 1
		}
	}
	for _, c := range nb.Cells {
		if c.Type != "markdown" {
			continue
		}
		var source []string
		if json.Unmarshal(c.Source, &source) != nil {
			var s string
			if err := json.Unmarshal(c.Source, &s); err != nil {
				return fmt.Errorf("%s: %w", file, err)
			}
			source = strings.SplitAfter(s, "\n")
		}
		last := 1
		for _, s := range source {
			if n := lines[s]; n > 0 {
				last = n
			}
			for l := range strings.SplitSeq(strings.TrimSuffix(s, "\n"), "\n") {
				t.add(file, last, formula.ReplaceAllLiteralString(l, "formula"))
			}
		}
		t.add(file, last, "")
	}
	return nil
}
