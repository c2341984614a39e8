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

	"github.com/gokernel/gokernel/mlstd/frame"
	"github.com/gokernel/gokernel/mlstd/internal/csv"
	"github.com/gokernel/gokernel/mlstd/internal/infer"
	"github.com/gokernel/gokernel/mlstd/model"
)

// deepest is how far objects may be nested.
const deepest = 200

// objects reads records into columns. The fields of an object within a record become
// columns with names joined by dots; a list within a record becomes its JSON text.
type objects struct {
	*json.Decoder
	root    node
	columns []*texts
	rows    int
	again   string // a name that occurs twice in a record
}

// node is a place in the records: a column, an object with kids, or both.
type node struct {
	name   string
	kids   map[string]*node
	column *texts
}

// texts are the values of a column: where they are and their numbers in a dictionary.
type texts struct {
	name  string
	rows  []int32
	codes []int32
	words []string
	index map[string]int32
	count [4]int // of the values, by what they are
	last  sort   // of the last value
}

// sort is what a value is in JSON.
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

// value reads the value at a place.
func (o *objects) value(n *node, depth int) error {
	t, err := o.Token()
	if err != nil {
		return err
	}
	return o.token(t, n, depth)
}

func (o *objects) token(t json.Token, n *node, depth int) error {
	if depth > deepest {
		return model.Errorf("JSON", "record %d is nested more than %d deep", o.rows+1, deepest)
	}
	switch t := t.(type) {
	case json.Delim:
		if t == '[' {
			text, err := o.list(nil, depth)
			if err != nil {
				return err
			}
			o.add(n, string(text), aList)
			return nil
		}
		return o.object(n, depth)
	case json.Number:
		o.add(n, t.String(), aNumber)
	case string:
		o.add(n, t, aString)
	case bool:
		o.add(n, strconv.FormatBool(t), aBool)
	default:
		o.column(n)
	}
	return nil
}

// object reads the fields of an object behind its brace.
func (o *objects) object(n *node, depth int) error {
	for o.More() {
		key, err := o.Token()
		if err != nil {
			return err
		}
		name := key.(string)
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
	_, err := o.Token()
	return err
}

// list writes a list behind its bracket as JSON.
func (o *objects) list(out []byte, depth int) ([]byte, error) {
	if depth > deepest {
		return nil, model.Errorf("JSON", "record %d is nested more than %d deep", o.rows+1, deepest)
	}
	out = append(out, '[')
	for first := true; o.More(); first = false {
		if !first {
			out = append(out, ',')
		}
		var v json.RawMessage
		if err := o.Decode(&v); err != nil {
			return nil, err
		}
		b := bytes.NewBuffer(out)
		if err := json.Compact(b, v); err != nil {
			return nil, err
		}
		out = b.Bytes()
	}
	_, err := o.Token()
	return append(out, ']'), err
}

// record reads one record, whose first token is t. A value that is no object is a
// column of its own.
func (o *objects) record(t json.Token) error {
	n := &o.root
	if d, ok := t.(json.Delim); !ok || d != '{' {
		if n = o.root.kids["value"]; n == nil {
			if o.root.kids == nil {
				o.root.kids = map[string]*node{}
			}
			n = &node{name: "value"}
			o.root.kids["value"] = n
		}
	}
	if err := o.token(t, n, 1); err != nil {
		return err
	}
	if o.rows++; o.rows == math.MaxInt32 {
		return model.Errorf("JSON", "there are more than %d records", o.rows)
	}
	return nil
}

// stream reads a list of records, behind its bracket if it has one, until it ends.
func (o *objects) stream() error {
	run := (&model.Control{}).Begin("reading", 0)
	defer run.End()
	for o.More() {
		t, err := o.Token()
		if err != nil {
			return err
		}
		if err := o.record(t); err != nil {
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
		return nil, model.Errorf("JSON", "%d records have %d different names, few of them in common", o.rows, len(o.columns)).
			WithHint("are the names values? Then make a list of records of them")
	}
	return o.frame(f, notes)
}

func decoder(r io.Reader) *objects {
	o := &objects{Decoder: json.NewDecoder(r)}
	o.UseNumber()
	return o
}

// failed says where the text is no JSON.
func (o *objects) failed(err error) error {
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &syntax):
		return model.Errorf("JSON", "record %d, at byte %d: %v", o.rows+1, syntax.Offset, err)
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return model.Errorf("JSON", "the text ends within record %d", o.rows+1).WithHint("is the file whole?")
	}
	return err
}

// read finds the records.
func (o *objects) read(f *Format) (notes []string, err error) {
	t, err := o.Token()
	if err == io.EOF {
		return nil, model.Errorf("JSON", "there are no records")
	} else if err != nil {
		return nil, err
	}
	if d, ok := t.(json.Delim); ok && d == '[' && f.Records == "" {
		if err := o.stream(); err != nil {
			return nil, err
		}
		if _, err = o.Token(); err != nil {
			return nil, err
		}
		if o.More() {
			return nil, model.Errorf("JSON", "something follows the list of records")
		}
		return nil, nil
	} else if !ok || d != '{' {
		if f.Records != "" {
			return nil, model.Errorf("JSON", "there is no %q: the text is no object", f.Records).WithHint("leave Records out")
		}
		if err := o.record(t); err != nil {
			return nil, err
		}
		return nil, o.stream()
	}
	// The first object may be the first record of many, or hold the records.
	first, err := o.fields()
	if err != nil {
		return nil, err
	}
	if o.More() {
		if f.Records != "" {
			return nil, model.Errorf("JSON", "there are objects one after the other, so that %q is not the place of the records", f.Records).WithHint("leave Records out")
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
		return nil, o.stream()
	}
	return o.within(first, f)
}

// field is a name and its value as it was written.
type field struct {
	name  string
	value json.RawMessage
}

// fields are an object in the order in which it was written.
type fields []field

// MarshalJSON writes the object again.
func (f fields) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, x := range f {
		if i > 0 {
			b.WriteByte(',')
		}
		name, err := json.Marshal(x.name)
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

// fields reads an object behind its brace.
func (o *objects) fields() (fields, error) {
	var all fields
	for o.More() {
		key, err := o.Token()
		if err != nil {
			return nil, err
		}
		var v json.RawMessage
		if err := o.Decode(&v); err != nil {
			return nil, err
		}
		all = append(all, field{key.(string), v})
	}
	_, err := o.Token()
	return all, err
}

// found is a list of records within an object.
type found struct {
	path  string
	value json.RawMessage
}

// lists returns the lists of objects in an object, and in objects in it. beside are the
// names of other fields.
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
			inner := decoder(bytes.NewReader(x.value))
			inner.Token()
			if kids, err := inner.fields(); err == nil {
				l, b := lists(kids, name, depth+1)
				list, beside = append(list, l...), append(beside, b...)
			}
		default:
			beside = append(beside, name)
		}
	}
	return list, beside
}

// within reads the records from their place in an object, or the object as columns or
// as a single record.
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
		return nil, model.Errorf("JSON", "there are %d lists of records", len(list)).WithHint("set Records to one of %q", names)
	case len(list) == 1:
		inner := decoder(bytes.NewReader(list[0].value))
		inner.Token()
		if err := inner.stream(); err != nil {
			return nil, inner.failed(err)
		}
		o.root, o.columns, o.rows, o.again = inner.root, inner.columns, inner.rows, inner.again
		notes = []string{fmt.Sprintf("the records are those of %q", list[0].path)}
		if len(beside) > 0 {
			notes = append(notes, "beside them the answer has "+strings.Join(beside[:min(len(beside), 10)], ", ")+", which are left out")
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

// lengthwise reads an object all of whose fields are lists of one length: columns.
func (o *objects) lengthwise(first fields) (bool, error) {
	all := make([][]json.RawMessage, len(first))
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

// frame finds out what the columns are.
func (o *objects) frame(f *Format, notes []string) (*frame.Frame, error) {
	if o.rows == 0 || len(o.columns) == 0 {
		return nil, model.Errorf("JSON", "there are no records")
	}
	context, asked, err := f.texts()
	if err != nil {
		return nil, err
	}
	if o.again != "" {
		notes = append(notes, fmt.Sprintf("some record has %q twice: its last value was taken", o.again))
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
		c, said := t.column(name, o.rows, kind, forced, &context, missing)
		columns = append(columns, column(c))
		notes = append(notes, said...)
	}
	if err := f.missingNames(used); err != nil {
		return nil, err
	}
	return build(columns, notes, f)
}

// missingNames looks for names in the format that no column has.
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
			return model.Errorf("Read", "there is no column %q", name).WithHint("there are %q", there[:min(len(there), 20)])
		}
	}
	return nil
}

// column makes one column: of numbers where all values are, of booleans, of times
// where all strings are, and of strings otherwise.
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
			say("has %q in row %d, and %d in all that are no %v: missing", v.Odd, v.OddRow+1, v.OddCount, kind)
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
		say("has %d numbers, %d strings and %d truth values: read as text", t.count[aNumber], t.count[aString], t.count[aBool])
	}
	out := x.Column(name, &v.Recipe, m)
	for _, note := range append(v.Notes, infer.ClashNotes(out.Clashes, out.Zone, 1)...) {
		say("%s", note)
	}
	return out, notes
}
