package grading

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gokernel/gokernel/cmd/gokernel/internal/notebook"
)

// Secrets returns the IDs of the cells with content that students must not see: a solution or
// hidden checks. A released notebook has none.
func Secrets(nb *notebook.Notebook) (cells []string) {
	for _, c := range nb.Cells {
		m := markOf(c)
		unmarked := (m.role == answer || m.role == manual) && !strings.Contains(c.Source, beginSolution) && !isStub(c.Source)
		if unmarked || HasMarks(c.Source) {
			cells = append(cells, c.ID)
		}
	}
	return cells
}

// IsSource reports whether a notebook has marked solutions or hidden checks, so that it is a
// lecturer's notebook and not a student's.
func IsSource(nb *notebook.Notebook) bool {
	return slices.ContainsFunc(nb.Cells, func(c *notebook.Cell) bool { return HasMarks(c.Source) })
}

// HasMarks reports whether a text has a comment line that begins or ends a solution or hidden
// checks.
func HasMarks(text string) bool {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		for _, sign := range []string{"//", "#", "<!--", "/*"} {
			rest, ok := strings.CutPrefix(line, sign)
			for _, mark := range []string{beginSolution, endSolution, beginHidden, endHidden} {
				if ok && strings.HasPrefix(strings.TrimLeft(rest, "# "), mark) {
					return true
				}
			}
		}
	}
	return false
}

// isStub reports whether an answer is empty, or contains the text by which Release replaces a
// solution.
func isStub(src string) bool {
	return strings.TrimSpace(src) == "" || strings.Contains(src, strings.TrimSpace(codeStub)) || strings.Contains(src, textStub)
}

// Student returns what students may see of a notebook, whether it is a source or was released
// before: it removes solutions, hidden checks, outputs, and the pictures and widget states that
// belong to them. It leaves out checks that are hidden as a whole and worth no points. It returns
// an error if a solution or hidden checks are not marked in the format of nbgrader.
func Student(nb *notebook.Notebook) (*notebook.Notebook, error) {
	out, _, err := Variant(nb, "")
	if err != nil {
		return nil, err
	}
	delete(out.Metadata, "widgets")
	secret := map[*notebook.Cell]bool{} // worth no points, and without visible code
	for _, c := range out.Cells {
		c.Outputs, c.Count = nil, 0
		m := markOf(c)
		switch m.role {
		case answer, manual:
			with := stub
			if c.Type != notebook.Code {
				with = func(string) string { return textStub + "\n" }
			}
			src, found, err := cut(c.Source, beginSolution, endSolution, with)
			if err != nil {
				return nil, fmt.Errorf("cell %s: %w", c.ID, err)
			}
			switch {
			case found:
				c.Source = src
			case isStub(c.Source) && c.Source != "":
				continue // released before
			case c.Type == notebook.Code:
				c.Source = codeStub
			default:
				c.Source = textStub
			}
			for name := range c.Attachments {
				if !strings.Contains(c.Source, "attachment:"+name) {
					delete(c.Attachments, name)
				}
			}
		case tests:
			if c.Source, _, err = cut(c.Source, beginHidden, endHidden, nil); err != nil {
				return nil, fmt.Errorf("cell %s: %w", c.ID, err)
			}
			if strings.TrimSpace(c.Source) == "" {
				if m.points == 0 {
					secret[c] = true
				}
				c.Source = "// Hidden checks."
			}
			lock(c)
		case locked, task:
			lock(c)
		}
		c.Source = strings.TrimRight(c.Source, "\n")
		if HasMarks(c.Source) {
			return nil, fmt.Errorf("cell %s: a solution or hidden checks must be in a cell that is marked as an answer or as tests, otherwise students would see them", c.ID)
		}
	}
	out.Cells = slices.DeleteFunc(out.Cells, func(c *notebook.Cell) bool { return secret[c] })
	return out, nil
}

// Worth returns how many points a homework has.
func Worth(nb *notebook.Notebook) (points float64) {
	for _, c := range nb.Cells {
		if m := markOf(c); m.role == tests || m.role == manual || m.role == task {
			points += m.points
		}
	}
	return round(points)
}
