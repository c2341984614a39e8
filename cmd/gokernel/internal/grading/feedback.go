package grading

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gokernel/gokernel/cmd/gokernel/internal/notebook"
	"github.com/gokernel/gokernel/cmd/gokernel/internal/page"
)

// Graded is a submission with its student's name.
type Graded struct {
	Student string
	File    string
	*Result
	// Visible is the result of the submission with the checks that the student has, for the
	// student's page.
	Visible *Result
	Err     error  // why it could not be graded
	Other   string // the student whose variant of the homework it has, if it is not its own
}

// Number formats points.
func Number(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }

// formula contains the first characters of a table cell that spreadsheets evaluate instead of
// showing it.
const formula = "=+-@\t\r\n"

// Text returns a text for a table: a text that a spreadsheet would evaluate gets an apostrophe in
// front.
func Text(s string) string {
	if rest := strings.TrimLeft(s, "'"); rest != "" && strings.ContainsRune(formula, rune(rest[0])) {
		return "'" + s
	}
	return s
}

// untext undoes Text.
func untext(s string) string {
	if rest, ok := strings.CutPrefix(s, "'"); ok && Text(rest) == s {
		return rest
	}
	return s
}

// columns are the first columns of a table of grades; the columns of graded cells follow.
var columns = []string{"student", "points", "of", "by hand", "seconds", "notes"}

// delays are further columns of a table if a policy for late submissions is given.
var delays = []string{"handed in", "days late", "late days", "penalty"}

// WriteCSV writes a line for each submission: the total points and the points of each graded cell.
// It keeps what people have written into the table before: marks, additional columns, and the lines
// of students who now have no submission. Kept may be nil.
func WriteCSV(w io.Writer, all []Graded, kept *Marks) error {
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
	ids = append(ids, kept.others(slices.Concat(columns, delays, ids))...)
	if slices.ContainsFunc(all, func(g Graded) bool { return g.Result != nil && g.Late != nil }) {
		ids = slices.Concat(delays, ids)
	}
	out := csv.NewWriter(w)
	out.Write(slices.Concat(columns, ids))
	written := map[string]bool{}
	for _, g := range all {
		written[g.Student] = true
		cells := map[string]string{}
		for _, id := range ids {
			if !seen[id] || g.Result == nil {
				cells[id] = kept.cell(g.Student, id)
			}
		}
		if g.Result == nil {
			out.Write(append([]string{Text(g.Student), "0", "", "", "", Text(fmt.Sprint(g.Err))}, pick(cells, ids)...))
			continue
		}
		earned, of, byHand := g.Points()
		if l := g.Late; l != nil {
			cells["handed in"], cells["days late"], cells["late days"] = l.At.Format(time.RFC3339), strconv.Itoa(l.Days), strconv.Itoa(l.Used)
			cells["penalty"] = Number(l.lost(g.earned()))
		}
		for _, s := range g.Scores {
			if cells[s.ID] = Number(s.Points); s.Manual && !s.Marked {
				cells[s.ID] = ""
			}
		}
		notes := g.Notes
		if g.Other != "" {
			notes = append([]string{fmt.Sprintf("has the variant of %s", g.Other)}, notes...)
		}
		out.Write(append([]string{Text(g.Student), Number(earned), Number(of), Number(byHand), fmt.Sprintf("%.1f", g.Took.Seconds()), Text(strings.Join(notes, "; "))}, pick(cells, ids)...))
	}
	for _, student := range kept.students() {
		if !written[student] {
			cells := map[string]string{}
			for _, id := range slices.Concat(columns, ids) {
				cells[id] = kept.cell(student, id)
			}
			cells[columns[0]] = Text(student)
			out.Write(pick(cells, slices.Concat(columns, ids)))
		}
	}
	out.Flush()
	return out.Error()
}

func pick(cells map[string]string, ids []string) (row []string) {
	for _, id := range ids {
		row = append(row, cells[id])
	}
	return row
}

// Level is how much students learn about hidden checks that fail.
type Level string

// These are the levels. With OnlyPoints, students learn only their points. With WithKinds, they
// also learn what the checks test and how the checks fail. With WithHints, they also get the hints
// of the checks.
const (
	OnlyPoints Level = "points"
	WithKinds  Level = "kind"
	WithHints  Level = "hint"
)

// LevelOf returns the level with the given name, and [WithHints] for "".
func LevelOf(name string) (Level, error) {
	switch l := Level(name); l {
	case OnlyPoints, WithKinds, WithHints:
		return l, nil
	case "":
		return WithHints, nil
	}
	return "", fmt.Errorf("the feedback must be %s, %s or %s, got %q", OnlyPoints, WithKinds, WithHints, name)
}

// Feedback returns the page for one student: the points, then the notebook as it runs with the
// checks that the student has. About hidden checks and references, it contains only what the level
// allows.
func Feedback(g Graded, level Level) ([]byte, error) {
	nb, err := clone(g.Visible.Notebook)
	if err != nil {
		return nil, err
	}
	visible := map[string]Score{}
	for _, s := range g.Visible.Scores {
		visible[s.ID] = s
	}
	earned, of, byHand := g.Points()
	var b bytes.Buffer
	fmt.Fprintf(&b, "# %s of %s points\n\n", Number(earned), Number(of))
	if byHand > 0 {
		fmt.Fprintf(&b, "Up to %s more can be given by hand.\n\n", plural(byHand, "point"))
	}
	if late := g.Late.text(g.earned()); late != "" {
		fmt.Fprintf(&b, "%s\n\n", late)
	}
	b.WriteString("| task | points | |\n|---|---|---|\n")
	for _, s := range g.Scores {
		if s.Of == 0 {
			continue
		}
		points, note := Number(s.Points), told(s, visible[s.ID], level)
		if s.Manual {
			note = "graded by hand"
			if !s.Marked {
				points, note = "?", "not graded yet"
			} else if s.Note != "" {
				note += ": " + s.Note
			}
		}
		fmt.Fprintf(&b, "| %s | %s / %s | %s |\n", cellText(s.ID), points, Number(s.Of), cellText(note))
	}
	hidden := false
	for _, n := range g.Notes {
		// The last output of a process may come from hidden checks.
		if hidden = hidden || !slices.Contains(g.Visible.Notes, n); slices.Contains(g.Visible.Notes, n) {
			fmt.Fprintf(&b, "\n%s\n", cellText(n))
		}
	}
	if hidden {
		b.WriteString("\nWith the hidden checks, a cell or a call ended the process, was stopped, or printed too much.\n")
	}
	b.WriteString("\nThe points include hidden checks. Below is the notebook as it runs without the hidden checks.\n")
	head := &notebook.Cell{ID: "points", Type: notebook.Markdown, Source: b.String()}
	nb.Cells = append([]*notebook.Cell{head}, nb.Cells...)
	return page.Render(nb, g.Student, page.Options{}) // the content of students is not trusted
}

// told returns what a student may know about a cell's checks: the messages of visible checks, and
// about hidden checks only what the level allows.
func told(s, visible Score, level Level) string {
	if len(s.lines) == 0 {
		if s.Note == visible.Note {
			return s.Note
		}
		if level == OnlyPoints {
			return hiddenFailed
		}
		name, _, _ := strings.Cut(s.Note, ": ")
		return name + " in the hidden checks of this cell"
	}
	var all []string
	for _, l := range s.lines {
		known := slices.ContainsFunc(visible.lines, func(v line) bool { return v.text == l.text })
		switch text := l.text; {
		case text == "":
		case known:
			all = append(all, text)
		case level == OnlyPoints:
			if !slices.Contains(all, hiddenFailed) {
				all = append(all, hiddenFailed)
			}
		default:
			if !l.hidden {
				text = l.private()
			}
			if l.hint != "" && level == WithHints {
				text += " (" + l.hint + ")"
			}
			all = append(all, text)
		}
	}
	return strings.Join(all, "; ")
}

const hiddenFailed = "hidden checks failed"

// private returns the text of a failed check without test data.
func (l line) private() string {
	text := "a hidden check failed"
	if l.kind != "" {
		text += " (" + l.kind + ")"
	}
	if l.how != "" {
		text += ": " + l.how
	}
	return text
}

// cellText converts a text for a cell of a Markdown table.
func cellText(s string) string {
	return strings.NewReplacer("|", "\\|", "\n", " ", "<", "&lt;", "$", "\\$", "*", "\\*", "_", "\\_", "[", "\\[", "`", "\\`").Replace(s)
}

func plural(n float64, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return Number(n) + " " + what + "s"
}
