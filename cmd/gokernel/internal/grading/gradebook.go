package grading

import (
	"bytes"
	"encoding/binary"
	"encoding/csv"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"

	"github.com/gokernel/gokernel/internal/pattern"
)

// Format is a format of gradebooks.
type Format string

// These are the formats: the gradebook of Canvas, the grading worksheet of a Moodle assignment, the
// grade export of a Moodle course, and the Grade Center of Blackboard.
const (
	Canvas     Format = "Canvas"
	Worksheet  Format = "Moodle worksheet"
	Moodle     Format = "Moodle"
	Blackboard Format = "Blackboard"
)

// Roster is a gradebook that a learning management system has exported.
type Roster struct {
	Format Format
	head   []string
	rows   [][]string       // one per student
	most   []string         // Canvas: the line with the maximum points
	keys   map[string][]int // rows by what identifies a student
	tabs   bool             // tab-separated in UTF-16, as Blackboard writes it
}

// identities are the columns that identify a student, by the format.
var identities = map[Format][]string{
	Canvas:     {"Student", "ID", "SIS User ID", "SIS Login ID", "Root Account", "Section"},
	Worksheet:  nil, // all columns are kept
	Moodle:     {"First name", "Last name", "Surname", "ID number", "Institution", "Department", "Username", "Email address"},
	Blackboard: {"Last Name", "First Name", "Username", "Student ID"},
}

// ReadRoster reads a gradebook.
func ReadRoster(b []byte) (*Roster, error) {
	r := &Roster{keys: map[string][]int{}}
	if rest, ok := bytes.CutPrefix(b, []byte{0xff, 0xfe}); ok { // UTF-16
		units := make([]uint16, len(rest)/2)
		for i := range units {
			units[i] = binary.LittleEndian.Uint16(rest[2*i:])
		}
		b = []byte(string(utf16.Decode(units)))
		r.tabs = true
	}
	b = bytes.TrimPrefix(b, []byte("\ufeff"))
	in := csv.NewReader(bytes.NewReader(b))
	in.FieldsPerRecord, in.LazyQuotes = -1, true
	line, _, _ := bytes.Cut(b, []byte("\n"))
	switch {
	case bytes.ContainsRune(line, '\t'):
		in.Comma = '\t'
	case bytes.ContainsRune(line, ';') && !bytes.ContainsRune(line, ','):
		in.Comma = ';'
	}
	rows, err := in.ReadAll()
	if err != nil {
		return nil, err
	}
	if len(rows) == 0 {
		return nil, errors.New("the gradebook is empty")
	}
	r.head, r.rows = rows[0], rows[1:]
	has := func(names ...string) bool {
		return !slices.ContainsFunc(names, func(n string) bool { return !slices.Contains(r.head, n) })
	}
	switch {
	case has("Identifier", "Grade"):
		r.Format = Worksheet
	case has("Student", "ID", "Section"):
		r.Format = Canvas
	case has("Username", "Last Name", "First Name"):
		r.Format = Blackboard
	case has("First name") && (has("Email address") || has("ID number") || has("Username")):
		r.Format = Moodle
	default:
		return nil, fmt.Errorf("it must be a gradebook that Canvas, Moodle or Blackboard has exported, got the columns %s", strings.Join(r.head, ", "))
	}
	for len(r.rows) > 0 && r.Format == Canvas { // lines about the columns come first
		first := strings.TrimSpace(r.cell(0, "Student"))
		if first != "" && first != "Points Possible" {
			break
		}
		if first != "" {
			r.most = r.rows[0]
		}
		r.rows = r.rows[1:]
	}
	for i := range r.rows {
		r.index(i)
	}
	return r, nil
}

func (r *Roster) cell(i int, column string) string {
	if at := slices.Index(r.head, column); at >= 0 && at < len(r.rows[i]) {
		return r.rows[i][at]
	}
	return ""
}

// index stores what identifies a student.
func (r *Roster) index(i int) {
	seen := map[string]bool{}
	add := func(kind, text string) {
		if key := kind + ":" + fold(text); fold(text) != "" && !seen[key] {
			seen[key] = true
			r.keys[key] = append(r.keys[key], i)
		}
	}
	for _, column := range []string{"ID", "SIS User ID", "SIS Login ID", "ID number", "Username", "Email address", "Student ID", "Identifier"} {
		text := r.cell(i, column)
		add("id", text)
		if name, _, ok := strings.Cut(text, "@"); ok {
			add("id", name)
		}
	}
	add("canvas", r.cell(i, "ID"))
	add("moodle", strings.TrimPrefix(r.cell(i, "Identifier"), "Participant "))
	add("login", r.cell(i, "Username"))
	first := r.cell(i, "First name") + r.cell(i, "First Name")
	last := r.cell(i, "Last name") + r.cell(i, "Surname") + r.cell(i, "Last Name")
	add("name", r.cell(i, "Full name"))
	add("name", first+last)
	add("name", last+first)
	add("name", r.cell(i, "Student"))
	if last, first, ok := strings.Cut(r.cell(i, "Student"), ","); ok {
		add("name", first+last)
	}
}

// fold removes differences in how people write a name: case, spaces and commas.
func fold(s string) string {
	return strings.Map(func(r rune) rune {
		if r == ' ' || r == ',' {
			return -1
		}
		return r
	}, strings.ToLower(s))
}

// These match the file names of submissions from a bulk download.
var (
	moodleName     = pattern.New(`^(.*)_(\d+)_assignsubmission_file`)
	canvasName     = pattern.New(`^[^_]+_(?:LATE_)?(\d+)_\d+_`)
	blackboardName = pattern.New(`_([^_]+)_attempt_\d{4}-\d\d-\d\d`)
)

// find returns the line of a student, by the name of the submission.
func (r *Roster) find(student string) (int, error) {
	keys := []string{"id:" + fold(student), "name:" + fold(student)}
	for _, p := range []struct {
		kind  string
		match func() *regexp.Regexp
	}{{"moodle", moodleName}, {"canvas", canvasName}, {"login", blackboardName}} {
		if m := p.match().FindStringSubmatch(student); m != nil {
			keys = append(keys, p.kind+":"+fold(m[len(m)-1]))
			if p.kind == "moodle" {
				keys = append(keys, "name:"+fold(m[1]))
			}
		}
	}
	for _, key := range keys {
		switch rows := r.keys[key]; {
		case len(rows) == 1:
			return rows[0], nil
		case len(rows) > 1:
			return 0, fmt.Errorf("%s matches %d lines of the gradebook: name the submission by the student's login or number", student, len(rows))
		}
	}
	return 0, fmt.Errorf("%s is not in the gradebook", student)
}

// Filled is a gradebook with the points of a homework.
type Filled struct {
	Content  []byte
	Students int      // number of students with points
	Column   string   // the column with the points
	Notes    []string // what a person should check
}

// Fill writes the points of a table of grades into a gradebook, in the format that the system
// imports. The column is found by the title, or is new. The import doesn't change the grade of a
// line without points. With scale, points are converted to the maximum of the gradebook; otherwise
// a different maximum is an error.
func (r *Roster) Fill(grades *Marks, title string, scale bool) (*Filled, error) {
	f := &Filled{}
	of := 0.0
	type line struct {
		points float64
		ok     bool
	}
	lines := make([]line, len(r.rows))
	for _, student := range grades.students() {
		points, err1 := strconv.ParseFloat(grades.cell(student, "points"), 64)
		most, err2 := strconv.ParseFloat(grades.cell(student, "of"), 64)
		if err1 != nil || err2 != nil {
			f.Notes = append(f.Notes, fmt.Sprintf("%s was not graded: %s", student, grades.cell(student, "notes")))
			continue
		}
		if open, err := strconv.ParseFloat(grades.cell(student, "by hand"), 64); err == nil && open > 0 {
			f.Notes = append(f.Notes, fmt.Sprintf("%s still lacks a mark by hand for %s", student, plural(open, "point")))
		}
		of = max(of, most)
		i, err := r.find(student)
		if err != nil {
			f.Notes = append(f.Notes, err.Error())
			continue
		}
		if lines[i].ok {
			return nil, fmt.Errorf("two submissions belong to the same line of the gradebook; one of them is %s", student)
		}
		lines[i] = line{points, true}
		f.Students++
	}
	if f.Students == 0 {
		return nil, errors.New("no student of the table of grades is in the gradebook")
	}
	var at int
	if at, f.Column = r.column(title, of); at >= 0 {
		f.Column = r.head[at]
	}
	factor := 1.0
	if most, ok := r.maximum(at); ok && most != of {
		if !scale {
			return nil, fmt.Errorf("the gradebook has a maximum of %s points for %q, the homework has %s: change the maximum in the gradebook, or pass --scale", Number(most), f.Column, Number(of))
		}
		factor = most / of
	}
	keep := identities[r.Format]
	if r.Format == Worksheet {
		keep = r.head
	}
	var head []string
	var from []int
	for i, name := range r.head {
		if slices.Contains(keep, name) && i != at {
			head, from = append(head, name), append(from, i)
		}
	}
	head, from = append(head, f.Column), append(from, -1)
	if r.Format == Worksheet { // the order of its columns stays
		head, from = r.head, from[:0]
		for i := range r.head {
			from = append(from, i)
		}
		from[at] = -1
	}
	table := [][]string{head}
	pick := func(row []string, value string) {
		out := make([]string, len(from))
		for k, i := range from {
			switch {
			case i < 0:
				out[k] = value
			case i < len(row):
				out[k] = row[i]
			}
		}
		table = append(table, out)
	}
	if r.Format == Canvas {
		most := r.most
		if most == nil {
			most = make([]string, len(r.head))
			most[slices.Index(r.head, "Student")] = "    Points Possible"
		}
		pick(most, Number(of*factor))
	}
	for i, row := range r.rows {
		value := ""
		if lines[i].ok {
			value = Number(round(lines[i].points * factor))
		} else if r.Format == Worksheet {
			value = row[at]
		}
		pick(row, value)
	}
	f.Content = r.encode(table)
	return f, nil
}

var blackboardPoints = pattern.New(`\[Total Pts: (?:up to )?([\d.]+)`)

// column returns the column of a homework, or -1 and the name of a new column.
func (r *Roster) column(title string, of float64) (int, string) {
	if r.Format == Worksheet {
		return slices.Index(r.head, "Grade"), ""
	}
	for i, name := range r.head {
		base := name
		switch r.Format {
		case Canvas:
			if open := strings.LastIndex(name, " ("); open > 0 {
				base = name[:open]
			}
		case Moodle:
			base = strings.TrimPrefix(base, "Assignment: ")
			if open := strings.LastIndex(base, " ("); open > 0 {
				base = base[:open]
			}
		case Blackboard:
			base, _, _ = strings.Cut(name, " [Total Pts")
		}
		if fold(base) == fold(title) && !slices.Contains(identities[r.Format], name) {
			return i, name
		}
	}
	if r.Format == Blackboard {
		return -1, fmt.Sprintf("%s [Total Pts: %s Score]", title, Number(of))
	}
	return -1, title
}

// maximum returns the maximum points of a column, if the gradebook has it.
func (r *Roster) maximum(at int) (float64, bool) {
	text := ""
	switch {
	case at < 0:
	case r.Format == Canvas && at < len(r.most):
		text = r.most[at]
	case r.Format == Worksheet && len(r.rows) > 0:
		text = r.cell(0, "Maximum Grade")
	case r.Format == Blackboard:
		if m := blackboardPoints().FindStringSubmatch(r.head[at]); m != nil {
			text = m[1]
		}
	}
	most, err := strconv.ParseFloat(strings.TrimSpace(strings.Replace(text, ",", ".", 1)), 64)
	return most, err == nil && most > 0
}

// encode writes a table. Blackboard wants quotation marks around all values, and gets the encoding
// in which it exported.
func (r *Roster) encode(table [][]string) []byte {
	var b bytes.Buffer
	if r.Format != Blackboard {
		out := csv.NewWriter(&b)
		out.WriteAll(table) // cannot fail
		return b.Bytes()
	}
	separator := ","
	if r.tabs {
		separator = "\t"
	}
	for _, row := range table {
		for i, v := range row {
			if i > 0 {
				b.WriteString(separator)
			}
			b.WriteString(`"` + strings.ReplaceAll(v, `"`, `""`) + `"`)
		}
		b.WriteString("\r\n")
	}
	if !r.tabs {
		return b.Bytes()
	}
	wide := []byte{0xff, 0xfe}
	for _, u := range utf16.Encode([]rune(b.String())) {
		wide = binary.LittleEndian.AppendUint16(wide, u)
	}
	return wide
}
