package csv

import (
	"fmt"

	"github.com/gokernel/gokernel/mlstd/internal/infer"
	"github.com/gokernel/gokernel/mlstd/model"
)

// finish assembles the columns and the notes.
func (r *reader) finish(parts []*part, _ []*plan) (*Table, error) {
	t := &Table{Odd: map[string]infer.Verdict{}}
	short := uneven{}
	for _, p := range parts {
		t.Rows += p.rows
		if short.short == 0 {
			short.shortLine, short.shortFields = p.shortLine, p.uneven.shortFields
		}
		short.short += p.short
	}
	if t.Rows == 0 {
		return nil, r.noRows()
	}
	if r.encoding != utf8Text {
		t.Notes = append(t.Notes, "the text is not UTF-8: read as "+r.encoding.String())
	}
	t.Notes = append(t.Notes, r.notes...)
	if short.short > 0 {
		t.Notes = append(t.Notes, fmt.Sprintf("%s fewer fields than there are columns, the first in line %d (%d of %d): the rest of each such line is missing",
			have(short.short, "line"), short.shortLine, short.shortFields, len(r.names)))
	}
	t.Notes = append(t.Notes, r.commas()...)
	t.Words = r.missingWords()
	for j, c := range r.finished {
		if c == nil {
			continue
		}
		t.Columns = append(t.Columns, c)
		v := &r.verdicts[j]
		for _, note := range append(v.Notes, infer.ClashNotes(c.Clashes, c.Zone, 1)...) {
			t.Notes = append(t.Notes, fmt.Sprintf("column %q %s", c.Name, note))
		}
		if v.OddCount > 0 {
			t.Odd[c.Name] = *v
			t.Notes = append(t.Notes, oddNote(c, v))
		}
	}
	return t, nil
}

func (r *reader) noRows() error {
	e := model.Errorf(op, "there must be a line after the header, got none")
	if !r.o.NoHeader {
		e.Hint = "set NoHeader of the Dialect if the first line is data"
	}
	return e
}

func have(n int, thing string) string {
	if n == 1 {
		return "1 " + thing + " has"
	}
	return fmt.Sprintf("%d %ss have", n, thing)
}

// oddNote returns a note about texts that are of another kind than the rest, and how they were
// read.
func oddNote(c *infer.Column, v *infer.Verdict) string {
	more := ""
	if v.OddCount > 1 {
		more = fmt.Sprintf(" and %d more such", v.OddCount-1)
	}
	if c.Kind != infer.Text {
		return fmt.Sprintf("column %q has %q in row %d%s, not one of its %v: read as missing", c.Name, v.Odd, v.OddRow+1, more, v.Kind)
	}
	return fmt.Sprintf("column %q has %q in row %d%s among %d %v: read as text; set Kinds to read %v and make that value missing", c.Name, v.Odd, v.OddRow+1, more, v.Others, v.OddKind, v.OddKind)
}

// commas returns a note that lists the columns with a decimal comma.
func (r *reader) commas() []string {
	var names []string
	for j, c := range r.finished {
		if c != nil && c.Kind == infer.Float && r.verdicts[j].Decimal == ',' {
			names = append(names, c.Name)
		}
	}
	if names == nil {
		return nil
	}
	return []string{"numbers have a decimal comma in " + quoted(names)}
}

// missingWords returns notes about which texts stood for missing values, and in which columns.
func (r *reader) missingWords() []string {
	var names []string
	var misses []map[string]int
	for j, c := range r.finished {
		if c != nil {
			names, misses = append(names, c.Name), append(misses, r.misses[j])
		}
	}
	return infer.MissingNotes(names, misses)
}
