package read

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/gokernel/gokernel/mlstd/frame"
	"github.com/gokernel/gokernel/mlstd/internal/csv"
	"github.com/gokernel/gokernel/mlstd/internal/infer"
	"github.com/gokernel/gokernel/mlstd/model"
)

// deepest is the maximum nesting depth of objects.
const deepest = 200

// objects reads records into columns. The fields of an object within a record become
// columns with names joined by dots; a list within a record becomes its JSON text.
type objects struct {
	*jsontext.Decoder
	root    node
	columns []*texts
	rows    int
	again   string // a name that occurs twice in a record
}

// node is a position in the records: a column, an object with kids, or both.
type node struct {
	name   string
	kids   map[string]*node
	column *texts
}

// texts holds the values of a column: their positions and their numbers in a dictionary.
type texts struct {
	name  string
	rows  []int32
	codes []int32
	words []string
	index map[string]int32
	count [4]int       // number of values, by sort
	last  sort         // sort of the last value
	plain *plainValues // the values, if the column was read by plainRecords
}

// sort is the JSON type of a value.
type sort int

const (
	aNumber sort = iota
	aString
	aBool
	aList
)

func (o *objects) column(n *node) *texts {
	if n.column == nil {
		n.column = &texts{name: n.name, index: map[string]int32{}}
		o.columns = append(o.columns, n.column)
	}
	return n.column
}

func (o *objects) add(n *node, text string, what sort) {
	c := o.column(n)
	k, seen := c.index[text]
	if !seen {
		k = int32(len(c.words))
		c.index[text] = k
		c.words = append(c.words, text)
	}
	if last := len(c.rows) - 1; last >= 0 && c.rows[last] == int32(o.rows) {
		o.again, c.codes[last] = n.name, k
		c.count[c.last]--
	} else {
		c.rows, c.codes = append(c.rows, int32(o.rows)), append(c.codes, k)
	}
	c.count[what]++
	c.last = what
}

// value reads the value of a node.
func (o *objects) value(n *node, depth int) error {
	if depth > deepest {
		return model.Errorf("JSON", "record %d is nested more than %d deep", o.rows+1, deepest)
	}
	if o.PeekKind() == '[' {
		list, err := o.ReadValue()
		if err != nil {
			return err
		}
		if list = list.Clone(); list.Compact() != nil {
			return model.Errorf("JSON", "record %d must be valid JSON, got %q", o.rows+1, list)
		}
		o.add(n, string(list), aList)
		return nil
	}
	t, err := o.ReadToken()
	if err != nil {
		return err
	}
	switch t.Kind() {
	case '{':
		return o.object(n, depth)
	case '0':
		o.add(n, t.String(), aNumber)
	case '"':
		o.add(n, t.String(), aString)
	case 't', 'f':
		o.add(n, t.String(), aBool)
	default:
		o.column(n)
	}
	return nil
}

// more reports whether another value follows in the list or object that is being read.
func (o *objects) more() bool {
	k := o.PeekKind()
	return k != 0 && k != ']' && k != '}'
}

// end reads the bracket or brace that closes a list or an object.
func (o *objects) end() error {
	_, err := o.ReadToken()
	return err
}

// object reads the fields of an object after its brace.
func (o *objects) object(n *node, depth int) error {
	for o.more() {
		key, err := o.ReadToken()
		if err != nil {
			return err
		}
		name := key.String()
		kid := n.kids[name]
		if kid == nil {
			if n.kids == nil {
				n.kids = map[string]*node{}
			}
			kid = &node{name: name}
			if n.name != "" {
				kid.name = n.name + "." + name
			}
			n.kids[name] = kid
		}
		if err := o.value(kid, depth+1); err != nil {
			return err
		}
	}
	return o.end()
}

// record reads one record. A value that is not an object is a column of its own.
func (o *objects) record() error {
	n := &o.root
	if o.PeekKind() != '{' {
		if n = o.root.kids["value"]; n == nil {
			if o.root.kids == nil {
				o.root.kids = map[string]*node{}
			}
			n = &node{name: "value"}
			o.root.kids["value"] = n
		}
	}
	if err := o.value(n, 1); err != nil {
		return err
	}
	if o.rows++; o.rows == math.MaxInt32 {
		return model.Errorf("JSON", "there must be at most %d records", o.rows)
	}
	return nil
}

// stream reads records until their list or the text ends.
func (o *objects) stream() error {
	run := (&model.Control{}).Begin("reading", 0)
	defer run.End()
	for o.more() {
		if err := o.record(); err != nil {
			return err
		}
		if o.rows&0xfff == 0 && run.Err() != nil {
			return run.Err()
		}
	}
	return nil
}

// records reads JSON: a list of records, records one after the other, or an object with
// a list of records in it.
func records(source csv.Source, f *Format) (*frame.Frame, error) {
	if plain, err := plainRecords(source, f); err != nil {
		return nil, err
	} else if plain != nil {
		return plain.frame(f, nil)
	}
	in, err := source()
	if err != nil {
		return nil, err
	}
	defer in.Close()
	b := bufio.NewReaderSize(in, 1<<16)
	if mark, err := b.Peek(3); err == nil && string(mark) == "\xef\xbb\xbf" {
		b.Discard(3)
	}
	o := decoder(b)
	notes, err := o.read(f)
	if err != nil {
		return nil, o.failed(err)
	}
	if bytes := o.InputOffset(); int64(o.rows)*int64(len(o.columns)) > 1<<22+64*bytes {
		return nil, model.Errorf("JSON", "the %d records must share most of their names, got %d different names", o.rows, len(o.columns)).
			WithHint("if the names are values, convert the object to a list of records")
	}
	return o.frame(f, notes)
}

func decoder(r io.Reader) *objects {
	return &objects{Decoder: jsontext.NewDecoder(r, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))}
}

// failed returns an error with the position at which the text is not valid JSON.
func (o *objects) failed(err error) error {
	var syntax *jsontext.SyntacticError
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return model.Errorf("JSON", "the text ends within record %d", o.rows+1).WithHint("check that the file is complete")
	case errors.As(err, &syntax):
		return model.Errorf("JSON", "record %d, at byte %d: %v", o.rows+1, syntax.ByteOffset, syntax.Err)
	}
	return err
}

// read finds the records.
func (o *objects) read(f *Format) (notes []string, err error) {
	switch k := o.PeekKind(); {
	case k == '[' && f.Records == "":
		if _, err := o.ReadToken(); err != nil {
			return nil, err
		}
		if err := o.stream(); err != nil {
			return nil, err
		}
		if err := o.end(); err != nil {
			return nil, err
		}
		if o.more() {
			return nil, model.Errorf("JSON", "trailing data after the list of records")
		}
		return nil, nil
	case k != '{':
		if k == 0 {
			if _, err := o.ReadToken(); err != io.EOF {
				return nil, err
			}
			return nil, model.Errorf("JSON", "there must be at least one record")
		}
		if f.Records != "" {
			return nil, model.Errorf("JSON", "Records must be empty, because the text is not an object, got %q", f.Records).WithHint("leave Records out")
		}
		return nil, o.whole()
	}
	// The first object may be the first record of many, or hold the records.
	first, err := o.fields()
	if err != nil {
		return nil, err
	}
	if o.more() {
		if f.Records != "" {
			return nil, model.Errorf("JSON", "Records must be empty for a sequence of objects, got %q", f.Records).WithHint("leave Records out")
		}
		text, err := json.Marshal(first)
		if err != nil {
			return nil, err
		}
		head := decoder(bytes.NewReader(text))
		if err := head.stream(); err != nil {
			return nil, err
		}
		o.root, o.columns, o.rows = head.root, head.columns, head.rows
		return nil, o.whole()
	}
	if _, err := o.ReadToken(); err != io.EOF {
		return nil, err
	}
	return o.within(first, f)
}

// whole reads records up to the end of the text.
func (o *objects) whole() error {
	if err := o.stream(); err != nil {
		return err
	}
	if _, err := o.ReadToken(); err != io.EOF {
		return err
	}
	return nil
}

// field is a name and the text of its value.
type field struct {
	name  string
	value jsontext.Value
}

// fields is an object with its fields in their original order.
type fields []field

// MarshalJSON writes the object again.
func (f fields) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, x := range f {
		if i > 0 {
			b.WriteByte(',')
		}
		name, err := jsontext.AppendQuote(nil, x.name)
		if err != nil {
			return nil, err
		}
		b.Write(name)
		b.WriteByte(':')
		b.Write(x.value)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// fields reads an object.
func (o *objects) fields() (fields, error) {
	if _, err := o.ReadToken(); err != nil {
		return nil, err
	}
	var all fields
	for o.more() {
		key, err := o.ReadToken()
		if err != nil {
			return nil, err
		}
		name := key.String()
		v, err := o.ReadValue()
		if err != nil {
			return nil, err
		}
		all = append(all, field{name, v.Clone()})
	}
	return all, o.end()
}

// found is a list of records within an object.
type found struct {
	path  string
	value jsontext.Value
}

// lists returns the lists of objects in an object, and in objects in it. beside lists the names of
// other fields.
func lists(all fields, path string, depth int) (list []found, beside []string) {
	for _, x := range all {
		name := x.name
		if path != "" {
			name = path + "." + name
		}
		text := bytes.TrimLeft(x.value, " \t\r\n")
		switch {
		case text[0] == '[' && (bytes.HasPrefix(bytes.TrimLeft(text[1:], " \t\r\n"), []byte("{"))):
			list = append(list, found{name, x.value})
		case text[0] == '{' && depth < deepest:
			if kids, err := decoder(bytes.NewReader(x.value)).fields(); err == nil {
				l, b := lists(kids, name, depth+1)
				list, beside = append(list, l...), append(beside, b...)
			}
		default:
			beside = append(beside, name)
		}
	}
	return list, beside
}

// within reads the records from their position in an object, or reads the object as columns or as a
// single record.
func (o *objects) within(first fields, f *Format) (notes []string, err error) {
	list, beside := lists(first, "", 0)
	if f.Records != "" {
		k := slices.IndexFunc(list, func(l found) bool { return l.path == f.Records })
		if k < 0 {
			e := model.Errorf("JSON", "there is no list of records %q", f.Records)
			for _, l := range list {
				e.Hint += ", " + strconv.Quote(l.path)
			}
			e.Hint = strings.TrimPrefix(e.Hint, ", ")
			if e.Hint != "" {
				e.Hint = "there is " + e.Hint
			}
			return nil, e
		}
		list = list[k : k+1]
	}
	switch {
	case len(list) > 1:
		names := make([]string, len(list))
		for i, l := range list {
			names[i] = l.path
		}
		return nil, model.Errorf("JSON", "Records must name one of the %d lists of records", len(list)).WithHint("set Records to one of %q", names)
	case len(list) == 1:
		inner := decoder(bytes.NewReader(list[0].value))
		if _, err := inner.ReadToken(); err != nil {
			return nil, inner.failed(err)
		}
		if err := inner.stream(); err != nil {
			return nil, inner.failed(err)
		}
		o.root, o.columns, o.rows, o.again = inner.root, inner.columns, inner.rows, inner.again
		notes = []string{fmt.Sprintf("the records are from %q", list[0].path)}
		if len(beside) > 0 {
			notes = append(notes, "the text also has "+strings.Join(beside[:min(len(beside), 10)], ", ")+", left out")
		}
		return notes, nil
	}
	if ok, err := o.lengthwise(first); ok || err != nil {
		return nil, err
	}
	text, err := json.Marshal(first)
	if err != nil {
		return nil, err
	}
	inner := decoder(bytes.NewReader(text))
	if err := inner.stream(); err != nil {
		return nil, inner.failed(err)
	}
	o.root, o.columns, o.rows, o.again = inner.root, inner.columns, inner.rows, inner.again
	return []string{"the text is one object: read as a single record"}, nil
}

// lengthwise reads an object whose fields are all lists of equal length, as columns.
func (o *objects) lengthwise(first fields) (bool, error) {
	all := make([][]jsontext.Value, len(first))
	for j, x := range first {
		if json.Unmarshal(x.value, &all[j]) != nil || len(all[j]) != len(all[0]) || len(all[j]) == 0 {
			return false, nil
		}
	}
	if len(first) == 0 {
		return false, nil
	}
	for i := range all[0] {
		record := make(fields, len(first))
		for j, x := range first {
			record[j] = field{x.name, all[j][i]}
		}
		text, err := json.Marshal(record)
		if err != nil {
			return true, err
		}
		inner := decoder(bytes.NewReader(text))
		inner.root, inner.columns, inner.rows = o.root, o.columns, o.rows
		if err := inner.stream(); err != nil {
			return true, err
		}
		o.root, o.columns, o.rows = inner.root, inner.columns, inner.rows
	}
	return true, nil
}

// frame determines the columns and makes the frame.
func (o *objects) frame(f *Format, notes []string) (*frame.Frame, error) {
	if o.rows == 0 || len(o.columns) == 0 {
		return nil, model.Errorf("JSON", "there must be at least one record")
	}
	context, asked, err := f.texts()
	if err != nil {
		return nil, err
	}
	if o.again != "" {
		notes = append(notes, fmt.Sprintf("a record has %q twice: the last value was used", o.again))
	}
	absent := f.Missing
	if absent == nil {
		absent = []string{}
	}
	missing := infer.NewMissing(absent)
	used := map[string]bool{}
	var columns []*frame.Column
	for _, t := range o.columns {
		name := t.name
		for k := 2; used[name] || name == ""; k++ {
			name = t.name + " " + strconv.Itoa(k)
		}
		used[name] = true
		if f.Columns != nil && !slices.Contains(f.Columns, name) {
			continue
		}
		kind, forced := asked[name]
		var c *infer.Column
		var said []string
		if t.plain != nil {
			c, said = t.plain.column(name, o.rows, &context)
		} else {
			c, said = t.column(name, o.rows, kind, forced, &context, missing)
		}
		columns = append(columns, column(c))
		notes = append(notes, said...)
	}
	if err := f.missingNames(used); err != nil {
		return nil, err
	}
	return build(columns, notes, f)
}

// missingNames returns an error for names in the format that no column has.
func (f *Format) missingNames(used map[string]bool) error {
	asked := slices.Clone(f.Columns)
	for name := range f.Kinds {
		asked = append(asked, name)
	}
	slices.Sort(asked)
	for _, name := range asked {
		if !used[name] {
			there := make([]string, 0, len(used))
			for name := range used {
				there = append(there, name)
			}
			slices.Sort(there)
			return model.Errorf("Read", "there is no column %q", name).WithHint("use one of %q", there[:min(len(there), 20)])
		}
	}
	return nil
}

// column makes one column. Its values are numbers or booleans if all are, times if all are strings
// that are times, and strings otherwise.
func (t *texts) column(name string, rows int, kind infer.Kind, forced bool, c *infer.Context, m *infer.Missing) (*infer.Column, []string) {
	x := &infer.Texts{Codes: make([]int32, rows), Words: t.words}
	for i := range x.Codes {
		x.Codes[i] = -1
	}
	for i, row := range t.rows {
		x.Codes[row] = t.codes[i]
	}
	var notes []string
	say := func(format string, args ...any) {
		notes = append(notes, fmt.Sprintf("column %q ", name)+fmt.Sprintf(format, args...))
	}
	tally, _ := x.Tally(m)
	var v infer.Verdict
	known := len(t.rows)
	switch {
	case forced:
		if v = tally.Forced(kind, c); v.OddCount > 0 {
			say("has %q in row %d, and values in %d rows that are not of kind %v: read as missing", v.Odd, v.OddRow+1, v.OddCount, kind)
		}
	case t.count[aNumber] == known && known > 0, t.count[aBool] == known && known > 0:
		v = tally.Verdict(&infer.Context{Decimal: '.'})
	case t.count[aString] == known:
		if v = tally.Verdict(c); v.Kind != infer.Time {
			v = infer.Verdict{}
		}
	case t.count[aList] > 0:
		say("has lists, kept as JSON text")
	default:
		say("has %d numbers, %d strings and %d booleans: read as text", t.count[aNumber], t.count[aString], t.count[aBool])
	}
	out := x.Column(name, &v.Recipe, m)
	for _, note := range append(v.Notes, infer.ClashNotes(out.Clashes, out.Zone, 1)...) {
		say("%s", note)
	}
	return out, notes
}
