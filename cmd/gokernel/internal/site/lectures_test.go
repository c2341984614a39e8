package site

import (
	"go/scanner"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gokernel/gokernel/cmd/gokernel/internal/notebook"
)

// notebooksOfCourse returns the notebooks of the course, homework included.
func notebooksOfCourse(t *testing.T) map[string]*notebook.Notebook {
	t.Helper()
	all := map[string]*notebook.Notebook{}
	for _, dir := range []string{"notebooks", "notebooks/homework"} {
		files, err := notebook.Glob(repository + dir + "/*.ipynb")
		if err != nil || len(files) < 20 {
			t.Fatalf("%d notebooks, %v", len(files), err)
		}
		for _, f := range files {
			if all[filepath.Base(f)], err = notebook.Read(f); err != nil {
				t.Fatal(err)
			}
		}
	}
	return all
}

// Short words: two of them without a space between them are a mistake, except these.
var (
	smallFirst = strings.Fields("for the and with that from this not are was but all one has its than which what each every into only when can more how who they there these those some most other any because where while also their will our you your she his her had have of in to is as by on it at we be or if")
	smallLast  = append(slices.Clone(smallFirst[:42]), "everybody", "everything", "nobody", "somebody")
	oneWord    = strings.Fields("into someone somewhat somewhere within without onto behave another cannot therefore whatever whichever wherever whenever whoever however everyone anyone everywhere anywhere nowhere elsewhere")
)

var (
	withoutCode = regexp.MustCompile("(?s)```.*?```|\\$\\$.*?\\$\\$|\\$[^$]*\\$|`[^`]*`|\\]\\([^)]*\\)|<[^>]*>")
	letters     = regexp.MustCompile(`[A-Za-z]+`)
)

// glued returns the words of a text that consist of two short words.
func glued(text string) (list []string) {
	for _, word := range letters.FindAllString(withoutCode.ReplaceAllString(text, " "), -1) {
		low := strings.ToLower(word)
		for _, first := range smallFirst {
			if rest, ok := strings.CutPrefix(low, first); ok && slices.Contains(smallLast, rest) && !slices.Contains(oneWord, low) {
				list = append(list, word)
			}
		}
	}
	return list
}

func TestWordsAreApart(t *testing.T) {
	if got := glued("A rate forevery feature, ofthe words; somewhere, another, `forevery`"); !slices.Equal(got, []string{"forevery", "ofthe"}) {
		t.Errorf("found %q", got)
	}
	for name, nb := range notebooksOfCourse(t) {
		for _, c := range nb.Cells {
			if c.Type == notebook.Markdown {
				for _, w := range glued(c.Source) {
					t.Errorf("%s, cell %s: %q lacks a space", name, c.ID, w)
				}
			}
		}
	}
}

var (
	exerciseHead = regexp.MustCompile(`(?m)^#+ Exercises\s*$`)
	anyHead      = regexp.MustCompile(`(?m)^#+ `)
	exercise     = regexp.MustCompile(`(?m)^(?:\*\*)?\d+\.[ *]`)
	solutions    = regexp.MustCompile(`(?s)<details>.*?</details>`)
)

// TestExercisesHaveSolutions checks that each exercise has a solution.
func TestExercisesHaveSolutions(t *testing.T) {
	for name, text := range prose(t) {
		at := exerciseHead.FindStringIndex(text)
		if at == nil {
			t.Errorf("%s has no exercises", name)
			continue
		}
		text = text[at[1]:]
		if end := anyHead.FindStringIndex(text); end != nil {
			text = text[:end[0]]
		}
		// Numbers at the start of a line of a solution are not exercises.
		short := solutions.ReplaceAllString(text, "<details>")
		starts := exercise.FindAllStringIndex(short, -1)
		for i, s := range starts {
			end := len(short)
			if i+1 < len(starts) {
				end = starts[i+1][0]
			}
			if one := short[s[0]:end]; !strings.Contains(one, "<details>") {
				t.Errorf("%s: no solution for %s", name, one)
			}
		}
		if len(starts) < 4 {
			t.Errorf("%s has %d exercises", name, len(starts))
		}
	}
}

// TestCellsLeaveNamesAlone checks that no cell redefines the name of a package that other cells
// use. It also checks that none computes an interval from the scores of folds, which share their
// training examples (N08).
func TestCellsLeaveNamesAlone(t *testing.T) {
	packages := strings.Fields("errors strings sort slices math time rand stat mat floats fmt maps cmp ml")
	for name, nb := range notebooksOfCourse(t) {
		for _, c := range nb.Cells {
			if c.Type != notebook.Code {
				continue
			}
			for _, n := range declared(c.Source) {
				if slices.Contains(packages, n) {
					t.Errorf("%s, cell %s: %s hides the package", name, c.ID, n)
				}
			}
			if strings.Contains(c.Source, ".Interval(") {
				t.Errorf("%s, cell %s: an interval over folds is too narrow", name, c.ID)
			}
		}
	}
	if got := declared("x, errors := f()\nvar time = 1\nfor i, v := range list {}\nfunc sort(a int) {}\nb = errors"); !slices.Equal(got, []string{"x", "errors", "time", "i", "v", "sort"}) {
		t.Errorf("declared are %q", got)
	}
}

// declared returns the names that a cell declares with := and after var, const and func.
func declared(src string) (names []string) {
	var s scanner.Scanner
	s.Init(token.NewFileSet().AddFile("", -1, len(src)), []byte(src), nil, 0)
	var list []string // identifiers separated by commas
	last := token.ILLEGAL
	for {
		_, tok, lit := s.Scan()
		switch {
		case tok == token.EOF:
			return names
		case tok == token.DEFINE:
			names = append(names, list...)
		case tok == token.IDENT && (last == token.VAR || last == token.CONST || last == token.FUNC):
			names = append(names, lit)
		}
		switch {
		case tok == token.IDENT && last == token.COMMA && len(list) > 0:
			list = append(list, lit)
		case tok == token.IDENT:
			list = []string{lit}
		case tok != token.COMMA:
			list = nil
		}
		last = tok
	}
}
