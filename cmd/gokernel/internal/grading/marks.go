package grading

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gokernel/gokernel/cmd/gokernel/internal/notebook"
)

// Marks contains what people may have written into a table of grades.
type Marks struct {
	head  []string
	rows  map[string][]string // by student
	order []string
}

// ReadMarks reads a table that WriteCSV wrote and people have filled in. It also reads tables that
// a spreadsheet has saved with semicolons.
func ReadMarks(r io.Reader) (*Marks, error) {
	b := bufio.NewReader(r)
	if start, _ := b.Peek(3); string(start) == "\ufeff" {
		b.Discard(3)
	}
	in := csv.NewReader(b)
	in.FieldsPerRecord = -1
	if line, _ := b.Peek(len("student;")); string(line) == "student;" {
		in.Comma = ';'
	}
	all, err := in.ReadAll()
	if err != nil {
		return nil, err
	}
	if len(all) == 0 || len(all[0]) < len(columns) || !slices.Equal(all[0][:len(columns)], columns) {
		return nil, errors.New("the file must be a table of grades")
	}
	m := &Marks{head: all[0], rows: map[string][]string{}}
	for _, row := range all[1:] {
		row[0] = untext(row[0])
		if m.rows[row[0]] != nil {
			return nil, fmt.Errorf("the table must have one line for %s, got two", row[0])
		}
		m.rows[row[0]] = row
		m.order = append(m.order, row[0])
	}
	return m, nil
}

// cell returns the content of a column of a student's line.
func (m *Marks) cell(student, column string) string {
	if m == nil {
		return ""
	}
	i := slices.Index(m.head, column)
	if row := m.rows[student]; i >= 0 && i < len(row) {
		return row[i]
	}
	return ""
}

// Students returns the students of the table, in its order.
func (m *Marks) Students() []string { return m.students() }

func (m *Marks) students() []string {
	if m == nil {
		return nil
	}
	return m.order
}

// others returns the columns that are not in known.
func (m *Marks) others(known []string) (list []string) {
	if m == nil {
		return nil
	}
	for _, h := range m.head {
		if h != "" && !slices.Contains(known, h) {
			list = append(list, h)
		}
	}
	return list
}

// mark returns the points that a grader has given for a cell, or false if there are none.
func (m *Marks) mark(student, id string, of float64) (points float64, ok bool, err error) {
	text := strings.TrimSpace(m.cell(student, id))
	if text == "" {
		return 0, false, nil
	}
	points, err = strconv.ParseFloat(strings.Replace(text, ",", ".", 1), 64)
	if err != nil || !(points >= 0 && points <= of) {
		return 0, false, fmt.Errorf("%s, %s: a mark must be a number between 0 and %s, got %q", student, id, Number(of), text)
	}
	return points, true, nil
}

// Check returns an error if the marks do not fit the cells of a source that are graded by hand.
func (m *Marks) Check(source *notebook.Notebook) error {
	for _, student := range m.students() {
		for _, c := range source.Cells {
			if k := markOf(c); k.role == manual || k.role == task {
				if _, _, err := m.mark(student, k.id, k.points); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// Give adds the marks of a student to a graded submission, and returns how many there are.
func (m *Marks) Give(g *Graded) (n int) {
	if g.Result == nil {
		return 0
	}
	for i := range g.Scores {
		s := &g.Scores[i]
		if !s.Manual {
			continue
		}
		if points, ok, err := m.mark(g.Student, s.ID, s.Of); ok && err == nil {
			s.Points, s.Marked = points, true
			n++
		}
	}
	return n
}

// Late reports whether the table counts penalties for late submissions.
func (m *Marks) Late() bool { return m != nil && slices.Contains(m.head, delays[0]) }

// Has reports whether the table has a line for a student.
func (m *Marks) Has(student string) bool { return m != nil && m.rows[student] != nil }

// Restore returns the line of a student as a graded submission of the source, without a notebook.
// The marks by hand are not included; [Marks.Give] adds them.
func (m *Marks) Restore(student string, source *notebook.Notebook) Graded {
	g := Graded{Student: student}
	if m.cell(student, "of") == "" {
		g.Err = errors.New(untext(m.cell(student, "notes")))
		return g
	}
	g.Result = &Result{}
	if notes := untext(m.cell(student, "notes")); notes != "" {
		g.Notes = strings.Split(notes, "; ")
	}
	if seconds, err := strconv.ParseFloat(m.cell(student, "seconds"), 64); err == nil {
		g.Took = time.Duration(seconds * float64(time.Second))
	}
	for _, c := range source.Cells {
		k := markOf(c)
		if k.role != tests && k.role != manual && k.role != task {
			continue
		}
		s := Score{ID: k.id, Of: k.points, Manual: k.role != tests}
		if points, ok, err := m.mark(student, k.id, k.points); ok && err == nil && !s.Manual {
			s.Points = points
		}
		g.Scores = append(g.Scores, s)
	}
	if at, err := time.Parse(time.RFC3339, m.cell(student, delays[0])); err == nil {
		g.Late = &Late{At: at}
	}
	return g
}

// Keep sets the points of all checks to the points in the table, except for the cells in regraded.
func (m *Marks) Keep(g *Graded, regraded []string) {
	if g.Result == nil || !m.Has(g.Student) {
		return
	}
	for i := range g.Scores {
		s := &g.Scores[i]
		if s.Manual || slices.Contains(regraded, s.ID) {
			continue
		}
		if points, ok, err := m.mark(g.Student, s.ID, s.Of); ok && err == nil {
			s.Points = points
		}
	}
}

// GradedCells returns the IDs of the cells of a source that have points.
func GradedCells(source *notebook.Notebook) (ids []string) {
	for _, c := range source.Cells {
		if k := markOf(c); k.points > 0 && (k.role == tests || k.role == manual || k.role == task) {
			ids = append(ids, k.id)
		}
	}
	return ids
}

// Set writes a mark into the line of a student; "" removes it.
func (m *Marks) Set(student, id, mark string) error {
	row, at := m.rows[student], slices.Index(m.head, id)
	if row == nil || at < 0 {
		return fmt.Errorf("the table has no line for %s, or no column %s: grade the class first", student, id)
	}
	for len(row) <= at {
		row = append(row, "")
	}
	row[at] = mark
	m.rows[student] = row
	return nil
}

// Mark returns the points in the table for a cell that is graded by hand, and false if there are
// none.
func (m *Marks) Mark(student, id string, of float64) (float64, bool) {
	points, ok, err := m.mark(student, id, of)
	return points, ok && err == nil
}
