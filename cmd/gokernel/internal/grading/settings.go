package grading

import (
	"go/scanner"
	"go/token"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/gokernel/gokernel/cmd/gokernel/internal/notebook"
)

// GradeSettings are the grading settings in the metadata of a lecturer's notebook:
//
//	"gokernel": {"grade": {"allow": ["reflect"], "files": ["data.csv"], "feedback": "kind"}}
type GradeSettings struct {
	Allow []string // additional packages that submissions may import
	Files []string // files that submissions may read, from the source's folder or their own
	// Feedback is how much students learn about hidden checks: the name of a [Level], or "".
	Feedback string
}

// Settings reads the settings of a source.
func Settings(source *notebook.Notebook) (s GradeSettings) {
	own, _ := source.Metadata["gokernel"].(map[string]any)
	grade, _ := own["grade"].(map[string]any)
	list := func(key string) (texts []string) {
		values, _ := grade[key].([]any)
		for _, v := range values {
			if t, ok := v.(string); ok && t != "" {
				texts = append(texts, t)
			}
		}
		return texts
	}
	feedback, _ := grade["feedback"].(string)
	return GradeSettings{Allow: list("allow"), Files: list("files"), Feedback: feedback}
}

// NamesFile reports whether the code of a notebook names a file in a string or in a //go:embed
// directive.
func NamesFile(nb *notebook.Notebook, name string) bool {
	return slices.ContainsFunc(nb.Cells, func(c *notebook.Cell) bool {
		return c.Type == notebook.Code && strings.Contains(c.Source, path.Base(name)) && namesFile(c.Source, name)
	})
}

func namesFile(src, name string) bool {
	var s scanner.Scanner
	s.Init(token.NewFileSet().AddFile("", -1, len(src)), []byte(src), nil, scanner.ScanComments)
	for {
		_, tok, lit := s.Scan()
		switch tok {
		case token.EOF:
			return false
		case token.STRING:
			if text, err := strconv.Unquote(lit); err == nil && path.Clean(text) == name {
				return true
			}
		case token.COMMENT:
			patterns, ok := strings.CutPrefix(lit, "//go:embed ")
			for _, p := range strings.Fields(patterns) {
				if matched, err := path.Match(strings.Trim(p, "\"`"), name); ok && err == nil && matched {
					return true
				}
			}
		}
	}
}
