package grading

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/gokernel/gokernel/cmd/gokernel/internal/notebook"
	"github.com/gokernel/gokernel/cmd/gokernel/internal/page"
)

// Graded is a submission with its student's name.
type Graded struct {
	Student string
	File    string
	*Result
	Err error // it could not be graded
}

// Number writes points.
func Number(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }

// WriteCSV writes a line for each submission: the points in all and for each graded cell.
func WriteCSV(w io.Writer, all []Graded) error {
	var ids []string
	seen := map[string]bool{}
	for _, g := range all {
		if g.Result == nil {
			continue
		}
		for _, s := range g.Scores {
			if s.Of > 0 && !seen[s.ID] {
				seen[s.ID] = true
				ids = append(ids, s.ID)
			}
		}
	}
	out := csv.NewWriter(w)
	out.Write(append([]string{"student", "points", "of", "by hand", "seconds", "notes"}, ids...))
	for _, g := range all {
		if g.Result == nil {
			out.Write(append([]string{g.Student, "0", "", "", "", fmt.Sprint(g.Err)}, make([]string, len(ids))...))
			continue
		}
		earned, of, byHand := g.Points()
		row := []string{g.Student, Number(earned), Number(of), Number(byHand), fmt.Sprintf("%.1f", g.Took.Seconds()), strings.Join(g.Notes, "; ")}
		points := map[string]string{}
		for _, s := range g.Scores {
			points[s.ID] = Number(s.Points)
			if s.Manual {
				points[s.ID] = ""
			}
		}
		for _, id := range ids {
			row = append(row, points[id])
		}
		out.Write(row)
	}
	out.Flush()
	return out.Error()
}

// Feedback gives the page for one student: the points at the top, then the notebook as it
// was run.
func Feedback(g Graded) ([]byte, error) {
	nb, err := clone(g.Notebook)
	if err != nil {
		return nil, err
	}
	earned, of, byHand := g.Points()
	var b bytes.Buffer
	fmt.Fprintf(&b, "# %s of %s points\n\n", Number(earned), Number(of))
	if byHand > 0 {
		fmt.Fprintf(&b, "%s more may be given by hand.\n\n", plural(byHand, "point"))
	}
	b.WriteString("| task | points | |\n|---|---|---|\n")
	for _, s := range g.Scores {
		if s.Of == 0 {
			continue
		}
		note := s.Note
		if s.Manual {
			note = "graded by hand"
		}
		fmt.Fprintf(&b, "| %s | %s / %s | %s |\n", cellText(s.ID), Number(s.Points), Number(s.Of), cellText(note))
	}
	for _, n := range g.Notes {
		fmt.Fprintf(&b, "\n%s\n", cellText(n))
	}
	head := &notebook.Cell{ID: "points", Type: notebook.Markdown, Source: b.String()}
	nb.Cells = append([]*notebook.Cell{head}, nb.Cells...)
	return page.Render(nb, g.Student, page.Options{}) // what students show is not trusted
}

// cellText makes a text fit for a cell of a table in Markdown.
func cellText(s string) string {
	return strings.NewReplacer("|", "\\|", "\n", " ", "<", "&lt;", "$", "\\$", "*", "\\*", "_", "\\_", "[", "\\[", "`", "\\`").Replace(s)
}

func plural(n float64, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return Number(n) + " " + what + "s"
}
