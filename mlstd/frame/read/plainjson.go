package read

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/gokernel/gokernel/mlstd/internal/csv"
	"github.com/gokernel/gokernel/mlstd/internal/infer"
	"github.com/gokernel/gokernel/mlstd/model"
)

// plain reads the common form of JSON fast: a list of records, or records one after the other,
// whose fields are numbers, strings, booleans and null, each of one type, or records of such
// fields. It stops at anything else; the general reader then reads the text from the beginning.
// Both readers have the same results.
type plain struct {
	in      io.Reader
	buf     []byte
	pos     int
	eof     bool
	read    int64 // bytes that are no longer in buf
	root    plainNode
	columns []*plainValues
	rows    int
}

// plainBuffer is the number of bytes that are read at a time, unless a record is longer. Tests
// change it: with 0, the general reader reads everything.
var plainBuffer = 1 << 20

// errGeneral means that the general reader must read the text; errMore means that the text in the
// buffer ends within a record.
var (
	errGeneral = errors.New("not plain")
	errMore    = errors.New("more text is needed")
)

// plainNode is a record, or a record within it, with its fields in the order of their appearance.
type plainNode struct {
	name   string
	fields []*plainField
	index  map[string]int
}

// plainField is a field of records: a column or a record.
type plainField struct {
	quoted []byte // the name as it is in the text
	name   string // joined with those of the records around
	kid    *plainNode
	column *plainValues
}

// plainValues is the values of a column, all of one sort. Its slices have the length n, which lags
// behind the number of rows while a column has no value.
type plainValues struct {
	name   string
	sort   sort
	known  int
	n      int
	ints   []int64
	floats []float64 // instead of ints once a number is not an integer
	bools  []bool
	codes  []int32
	words  *csv.Dictionary
	gaps   []uint64
}

// plainRecords returns the records, or nil if the general reader must read them, as it must with
// any option for texts.
func plainRecords(source csv.Source, f *Format) (*objects, error) {
	if plainBuffer == 0 || f.Records != "" || len(f.Kinds) > 0 || !reflect.ValueOf(f.Dialect).IsZero() {
		return nil, nil
	}
	in, err := source()
	if err != nil {
		return nil, err
	}
	defer in.Close()
	p := &plain{in: in, buf: make([]byte, 0, plainBuffer)}
	switch err := p.all(); {
	case err == errGeneral:
		return nil, nil
	case err != nil:
		return nil, err
	}
	o := &objects{rows: p.rows}
	for _, c := range p.columns {
		if c.known == 0 {
			return nil, nil
		}
		o.columns = append(o.columns, &texts{name: c.name, plain: c})
	}
	return o, nil
}

// fill reads more text, after the part of the buffer that is still to be read.
func (p *plain) fill(from int) error {
	if p.eof {
		return errGeneral
	}
	p.read += int64(from)
	p.buf = append(p.buf[:0], p.buf[from:]...)
	p.pos -= from
	if 2*len(p.buf) > cap(p.buf) {
		p.buf = append(make([]byte, 0, 2*cap(p.buf)), p.buf...)
	}
	n, err := io.ReadFull(p.in, p.buf[len(p.buf):cap(p.buf)])
	p.buf = p.buf[:len(p.buf)+n]
	switch err {
	case nil:
	case io.EOF, io.ErrUnexpectedEOF:
		p.eof = true
	default:
		return err
	}
	return nil
}

// next returns the next character that is not white space, 0 at the end of the text.
func (p *plain) next() (byte, error) {
	for {
		for ; p.pos < len(p.buf); p.pos++ {
			if c := p.buf[p.pos]; c != ' ' && c != '\n' && c != '\t' && c != '\r' {
				return c, nil
			}
		}
		if p.eof {
			return 0, nil
		}
		if err := p.fill(p.pos); err != nil {
			return 0, err
		}
	}
}

// all reads all records.
func (p *plain) all() error {
	run := (&model.Control{}).Begin("reading", 0)
	defer run.End()
	if err := p.fill(0); err != nil {
		return err
	}
	if bytes.HasPrefix(p.buf, []byte("\xef\xbb\xbf")) {
		p.pos = 3
	}
	c, err := p.next()
	if err != nil {
		return err
	}
	list := c == '['
	if list {
		p.pos++
		c, err = p.next()
	}
	for err == nil && c == '{' {
		if err = p.record(); err != nil {
			return err
		}
		if p.rows++; p.rows&0xfff == 0 {
			if run.Err() != nil {
				return run.Err()
			}
			if int64(p.rows)*int64(len(p.columns)) > 1<<22+64*(p.read+int64(p.pos)) || p.rows > math.MaxInt32-1<<13 {
				return errGeneral
			}
		}
		if c, err = p.next(); list && err == nil {
			if c != ',' {
				break
			}
			p.pos++
			if c, err = p.next(); err == nil && c != '{' {
				return errGeneral
			}
		}
	}
	if err != nil {
		return err
	}
	if list {
		if c != ']' {
			return errGeneral
		}
		p.pos++
		if c, err = p.next(); err != nil {
			return err
		}
	}
	if c != 0 || p.rows == 0 || !list && p.rows == 1 || int64(p.rows)*int64(len(p.columns)) > 1<<22+64*(p.read+int64(p.pos)) {
		return errGeneral
	}
	return nil
}

// record reads a record, again if the text in the buffer ends within it.
func (p *plain) record() error {
	for {
		from := p.pos
		p.pos++
		err := p.object(&p.root, 1)
		if err != errMore {
			return err
		}
		for _, c := range p.columns {
			c.undo(p.rows)
		}
		p.pos = from
		if err := p.fill(from); err != nil {
			return err
		}
	}
}

// skip moves to the next character that is not white space in the buffer.
func (p *plain) skip() (byte, error) {
	for ; p.pos < len(p.buf); p.pos++ {
		if c := p.buf[p.pos]; c > ' ' || c != ' ' && c != '\n' && c != '\t' && c != '\r' {
			return c, nil
		}
	}
	return 0, errMore
}

// object reads the fields of a record after its brace.
func (p *plain) object(n *plainNode, depth int) error {
	if depth > 20 {
		return errGeneral
	}
	c, err := p.skip()
	if err != nil {
		return err
	}
	if c == '}' {
		p.pos++
		return nil
	}
	for i := 0; ; i++ {
		if c, err = p.skip(); err != nil {
			return err
		}
		if c != '"' {
			return errGeneral
		}
		f, at, err := p.field(n, i)
		if err != nil {
			return err
		}
		i = at
		if c, err = p.skip(); err != nil {
			return err
		}
		if c != ':' {
			return errGeneral
		}
		p.pos++
		if c, err = p.skip(); err != nil {
			return err
		}
		if c == '{' {
			if f.column != nil {
				return errGeneral
			}
			if f.kid == nil {
				f.kid = &plainNode{name: f.name}
			}
			p.pos++
			err = p.object(f.kid, depth+1)
		} else {
			if f.kid != nil {
				return errGeneral
			}
			err = p.value(f, c)
		}
		if err != nil {
			return err
		}
		if c, err = p.skip(); err != nil {
			return err
		}
		p.pos++
		if c == '}' {
			return nil
		}
		if c != ',' {
			return errGeneral
		}
	}
}

// field reads the name of a field, which is probably the one after the field before, and returns
// its position.
func (p *plain) field(n *plainNode, i int) (*plainField, int, error) {
	if i < len(n.fields) {
		if f := n.fields[i]; bytes.HasPrefix(p.buf[p.pos:], f.quoted) {
			p.pos += len(f.quoted)
			return f, i, nil
		}
	}
	from := p.pos
	name, err := p.text()
	if err != nil {
		return nil, 0, err
	}
	quoted := p.buf[from:p.pos]
	if len(name) != len(quoted)-2 {
		return nil, 0, errGeneral // escapes; the same name may be written in several ways
	}
	if at, ok := n.index[string(name)]; ok {
		return n.fields[at], at, nil
	}
	if n.index == nil {
		n.index = map[string]int{}
	}
	f := &plainField{quoted: bytes.Clone(quoted), name: string(name)}
	if n.name != "" {
		f.name = n.name + "." + f.name
	}
	n.index[string(name)] = len(n.fields)
	n.fields = append(n.fields, f)
	return f, len(n.fields) - 1, nil
}

// text reads a string, and returns it without quotes and escapes.
func (p *plain) text() ([]byte, error) {
	b := p.buf[p.pos:]
	ascii := byte(0)
	for i := 1; i < len(b); i++ {
		switch c := b[i]; {
		case c == '"':
			p.pos += i + 1
			if ascii >= utf8.RuneSelf && !utf8.Valid(b[1:i]) {
				return nil, errGeneral
			}
			return b[1:i], nil
		case c == '\\':
			return p.escaped(b, i)
		case c < ' ':
			return nil, errGeneral
		default:
			ascii |= c
		}
	}
	return nil, errMore
}

// escaped reads a string with an escape at position i.
func (p *plain) escaped(b []byte, i int) ([]byte, error) {
	for ; i < len(b); i++ {
		switch b[i] {
		case '\\':
			i++
		case '"':
			text, err := jsontext.AppendUnquote(nil, b[:i+1])
			if err != nil {
				return nil, errGeneral
			}
			p.pos += i + 1
			return text, nil
		}
	}
	return nil, errMore
}

var (
	isTrue  = []byte("true")
	isFalse = []byte("false")
	isNull  = []byte("null")
)

// word reads a word.
func (p *plain) word(w []byte) error {
	b := p.buf[p.pos:]
	switch {
	case len(b) < len(w):
		return errMore
	case !bytes.HasPrefix(b, w):
		return errGeneral
	}
	p.pos += len(w)
	return nil
}

// value reads a value that begins with c.
func (p *plain) value(f *plainField, c byte) error {
	col := f.column
	if col == nil {
		col = &plainValues{name: f.name}
		f.column = col
		p.columns = append(p.columns, col)
	}
	if col.n > p.rows {
		return errGeneral // a name that occurs twice
	}
	switch c {
	case '"':
		b, err := p.text()
		if err != nil {
			return err
		}
		if !col.is(aString, p.rows) {
			return errGeneral
		}
		col.codes = append(col.codes, col.words.Number(b))
	case 't', 'f':
		w := isTrue
		if c == 'f' {
			w = isFalse
		}
		if err := p.word(w); err != nil {
			return err
		}
		if !col.is(aBool, p.rows) {
			return errGeneral
		}
		col.bools = append(col.bools, c == 't')
	case 'n':
		if err := p.word(isNull); err != nil {
			return err
		}
		if col.known > 0 {
			col.pad(p.rows + 1)
		}
		return nil
	default:
		return p.number(col)
	}
	col.n++
	return nil
}

// number reads a number.
func (p *plain) number(col *plainValues) error {
	b := p.buf[p.pos:]
	i, v, whole := 0, int64(0), true
	if b[0] == '-' {
		i++
	}
	digits := func() bool {
		from := i
		for i < len(b) && b[i]-'0' <= 9 {
			v = 10*v + int64(b[i]-'0')
			i++
		}
		return i > from
	}
	from := i
	if !digits() && i < len(b) || i-from > 1 && b[from] == '0' {
		return errGeneral
	}
	long := i-from > 18
	if i < len(b) && b[i] == '.' {
		i++
		if whole = false; !digits() && i < len(b) {
			return errGeneral
		}
	}
	if i < len(b) && b[i]|0x20 == 'e' {
		i++
		if whole = false; i < len(b) && (b[i] == '-' || b[i] == '+') {
			i++
		}
		if !digits() && i < len(b) {
			return errGeneral
		}
	}
	if i == len(b) {
		return errMore
	}
	if !col.is(aNumber, p.rows) {
		return errGeneral
	}
	text := b[:i]
	p.pos += i
	if whole {
		if b[0] == '-' {
			v = -v
		}
		if long {
			var ok bool
			if v, ok = infer.ParseInt(text); !ok {
				return errGeneral
			}
		}
		if col.floats == nil {
			col.ints = append(col.ints, v)
		} else {
			col.floats = append(col.floats, float64(v))
		}
		col.n++
		return nil
	}
	x, ok := infer.ParseFloat(text, '.')
	if !ok {
		return errGeneral
	}
	if col.floats == nil {
		col.floats = make([]float64, len(col.ints), max(2*len(col.ints), 64))
		for k, n := range col.ints {
			col.floats[k] = float64(n)
		}
		col.ints = nil
	}
	col.floats = append(col.floats, x)
	col.n++
	return nil
}

// is prepares the column for a value of a sort in a row; it returns false if the column has values
// of another sort.
func (c *plainValues) is(what sort, row int) bool {
	if c.known == 0 {
		if c.sort = what; what == aString && c.words == nil {
			c.words = csv.NewDictionary()
		}
	}
	if c.sort != what {
		return false
	}
	if c.n < row {
		c.pad(row)
	}
	c.known++
	return true
}

// pad adds missing values up to n rows.
func (c *plainValues) pad(n int) {
	for c.n < n {
		for len(c.gaps) <= c.n>>6 {
			c.gaps = append(c.gaps, 0)
		}
		c.gaps[c.n>>6] |= 1 << (c.n & 63)
		switch {
		case c.sort == aString:
			c.codes = append(c.codes, -1)
		case c.sort == aBool:
			c.bools = append(c.bools, false)
		case c.floats != nil:
			c.floats = append(c.floats, math.NaN())
		default:
			c.ints = append(c.ints, 0)
		}
		c.n++
	}
}

// undo removes the value of a row.
func (c *plainValues) undo(row int) {
	if c.n <= row {
		return
	}
	c.n = row
	switch {
	case c.gaps != nil && row>>6 < len(c.gaps) && c.gaps[row>>6]>>(row&63)&1 == 1:
		c.gaps[row>>6] &^= 1 << (row & 63)
	default:
		c.known--
	}
	c.codes, c.bools = c.codes[:min(row, len(c.codes))], c.bools[:min(row, len(c.bools))]
	c.ints, c.floats = c.ints[:min(row, len(c.ints))], c.floats[:min(row, len(c.floats))]
}

// column returns the column and notes, as [texts.column] does.
func (c *plainValues) column(name string, rows int, context *infer.Context) (*infer.Column, []string) {
	c.pad(rows)
	out := &infer.Column{Name: name, Gaps: c.gaps}
	if c.gaps != nil {
		for len(c.gaps) < (rows+63)/64 {
			c.gaps = append(c.gaps, 0)
		}
		out.Gaps = c.gaps
	}
	switch {
	case c.sort == aBool:
		out.Kind, out.Bools = infer.Bool, c.bools
		return out, nil
	case c.sort == aNumber && c.floats != nil:
		out.Kind, out.Floats = infer.Float, c.floats
		for i := range c.floats {
			if out.IsGap(i) {
				c.floats[i] = math.NaN()
			}
		}
		return out, nil
	case c.sort == aNumber:
		out.Kind, out.Ints = infer.Int, c.ints
		return out, nil
	}
	missing := infer.NewMissing([]string{})
	x := &infer.Texts{Codes: c.codes, Words: c.words.Words()}
	tally, _ := x.Tally(missing)
	v := tally.Verdict(context)
	if v.Kind != infer.Time {
		v = infer.Verdict{}
	}
	out = x.Column(name, &v.Recipe, missing)
	var notes []string
	for _, note := range append(v.Notes, infer.ClashNotes(out.Clashes, out.Zone, 1)...) {
		notes = append(notes, fmt.Sprintf("column %q %s", name, note))
	}
	return out, notes
}
