package csv

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gokernel/gokernel/mlstd/internal/infer"
	"github.com/gokernel/gokernel/mlstd/model"
)

// sniffed is the number of records that determine the separator.
const sniffed = 200

// sniff detects, from the beginning of the text, the separator, the names of the columns and the
// start of the data.
func (r *reader) sniff(head []byte) error {
	r.layout = layout{quote: '"', comment: []byte(r.o.Comment)}
	if r.o.NoQuotes {
		r.quote = 0
	}
	r.start, r.line, r.notes = 0, 1, nil
	r.skip(head)
	if err := r.chooseSeparator(head[r.start:]); err != nil {
		return err
	}
	records := r.records(head[r.start:], 1)
	if len(records) == 0 {
		if len(bytes.TrimSpace(head[r.start:])) > 0 {
			return model.Errorf(op, "the quotation mark in line %d is not closed", r.line).WithHint("set NoQuotes of the Dialect if quotation marks are ordinary characters")
		}
		return model.Errorf(op, "the text must not be empty")
	}
	if r.o.NoHeader {
		r.names = nil
		for j := range records[0] {
			r.names = append(r.names, "x"+strconv.Itoa(j+1))
		}
		return nil
	}
	from := r.start
	r.start += r.recordEnd(head[r.start:])
	r.line += bytes.Count(head[from:r.start], newline)
	r.name(records[0])
	return nil
}

// skip skips the lines that the user asked to skip, and the lines with # above the names.
func (r *reader) skip(head []byte) {
	next := func() bool {
		n := bytes.IndexByte(head[r.start:], '\n')
		if n < 0 {
			r.start = len(head)
			return false
		}
		r.start += n + 1
		r.line++
		return true
	}
	for range r.o.Skip {
		if !next() {
			return
		}
	}
	if r.o.Comment != "" {
		return
	}
	from, lines := r.start, 0
	for bytes.HasPrefix(head[r.start:], []byte("#")) && next() {
		lines++
	}
	if lines == 0 || r.start == len(head) {
		r.start, r.line = from, r.line-lines
		return
	}
	// A single line with # above the data contains the names if it has as many fields as the next
	// line.
	if lines == 1 {
		for _, s := range separators {
			l := layout{separator: s, quote: r.quote}
			if two := l.records(head[from:], 2); len(two) == 2 && len(two[0]) == len(two[1]) && len(two[0]) > 1 {
				r.start, r.line = from, r.line-lines
				return
			}
		}
	}
	r.notes = append(r.notes, fmt.Sprintf("%d lines above the header begin with # and were left out", lines))
}

var separators = []byte{',', ';', '\t', '|'}

// chooseSeparator returns the separator for which the most records have as many fields as the first
// record.
func (r *reader) chooseSeparator(b []byte) error {
	if r.blanks.on {
		r.separator = '\t'
		r.notes = append(r.notes, "the fields are separated by white space")
		if r.blanks.lacks {
			r.notes = append(r.notes, "the first column has no name and is called "+strconv.Quote(rowNames))
		}
		return nil
	}
	if s := r.o.Separator; s != "" {
		r.separator = s[0]
		return nil
	}
	best, bestWidth := 0.0, 1
	r.separator = ','
	for _, s := range separators {
		l := r.layout
		l.separator = s
		records := l.records(b, sniffed)
		if len(records) == 0 || len(records[0]) < 2 {
			continue
		}
		same := 0
		for _, rec := range records {
			if len(rec) == len(records[0]) {
				same++
			}
		}
		share := float64(same) / float64(len(records))
		if width := len(records[0]); share > best+0.05 || share > best-0.05 && width > bestWidth {
			best, bestWidth, r.separator = share, width, s
		}
	}
	if bestWidth == 1 && r.severalNumbers(b) {
		r.notes = append(r.notes, "each line is one field, though most have several numbers: set Separator of the Dialect, or Pattern")
	}
	words := map[byte]string{';': "semicolons", '\t': "tabs", '|': "bars"}
	if word, ok := words[r.separator]; ok {
		r.notes = append(r.notes, "the fields are separated by "+word)
	}
	return nil
}

// severalNumbers reports whether most lines hold several numbers with blanks between
// them.
func (r *reader) severalNumbers(b []byte) bool {
	records := r.layout.records(b, sniffed)
	several := 0
	for _, rec := range records {
		numbers := 0
		for _, s := range blankFields(strings.Join(rec, " "), false) {
			if _, ok := infer.ParseFloat([]byte(s), '.'); ok {
				numbers++
			}
		}
		if numbers > 1 {
			several++
		}
	}
	return 2*several > len(records)
}

// recordEnd returns where the first record ends.
func (r *reader) recordEnd(b []byte) int {
	for i := 0; i < len(b); {
		if next, skip := r.layout.line(b, i); skip {
			i = next
			continue
		}
		for {
			_, end, _, _ := r.field(b, i, &r.scratch)
			if end >= len(b) {
				return len(b)
			}
			if i = end + 1; b[end] == '\n' {
				return i
			}
		}
	}
	return len(b)
}

// name makes distinct names from the fields of the first record.
func (r *reader) name(record []string) {
	r.names = make([]string, len(record))
	used := map[string]bool{}
	var empty, twice []string
	numbers := 0
	for j, s := range record {
		s = strings.TrimSpace(s)
		if _, ok := infer.ParseFloat([]byte(s), '.'); ok {
			numbers++
		}
		name := s
		if s == "" {
			name = "column " + strconv.Itoa(j+1)
			empty = append(empty, strconv.Quote(name))
		}
		for k := 2; used[name]; k++ {
			name = s + " " + strconv.Itoa(k)
		}
		if name != s && s != "" {
			twice = append(twice, strconv.Quote(name))
			r.twice = s
		}
		used[name] = true
		r.names[j] = name
	}
	if len(empty) > 0 {
		r.notes = append(r.notes, "columns without a name are called "+strings.Join(empty, ", "))
	}
	if len(twice) > 0 {
		r.notes = append(r.notes, "repeated names became "+strings.Join(twice, ", "))
	}
	if numbers == len(record) {
		r.notes = append(r.notes, "the first line was read as the header though it has only numbers: set NoHeader of the Dialect if it is data")
	}
}

// wanted reports whether the column is read.
func (r *reader) wanted(name string) bool {
	return r.o.Columns == nil || slices.Contains(r.o.Columns, name)
}

// checkNames returns an error for a name in the options that no column has.
func (r *reader) checkNames() error {
	asked := slices.Clone(r.o.Columns)
	for name := range r.o.Kinds {
		asked = append(asked, name)
	}
	slices.Sort(asked)
	for _, name := range asked {
		if !slices.Contains(r.names, name) {
			return model.Errorf(op, "there is no column %q", name).WithHint("use some of %s", quoted(r.names))
		}
	}
	return nil
}

// quoted lists names in quotes, or only the first ones if there are many.
func quoted(names []string) string {
	const shown = 20
	q := make([]string, 0, shown+1)
	for i, name := range names {
		if i == shown {
			q = append(q, fmt.Sprintf("%d more", len(names)-shown))
			break
		}
		q = append(q, strconv.Quote(name))
	}
	return strings.Join(q, ", ")
}
