// Package arrow reads and writes tables in the file format and the stream format of Arrow IPC.
// Feather files of version 2 are in the file format. Package arrow reads columns of scalars and of
// records of scalars. It omits columns of lists, and reports their names.
package arrow

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/gokernel/gokernel/mlstd/internal/infer"
	"github.com/gokernel/gokernel/mlstd/internal/par"
	"github.com/gokernel/gokernel/mlstd/model"
)

// Column is a column of a table. If Category is set, its strings are category levels, in the order
// of Words.
type Column struct {
	infer.Column
	Category bool
}

// Table is the result of reading a file.
type Table struct {
	Columns []*Column
	Rows    int
	Notes   []string
}

// Magic is the string with which a file begins and ends.
const Magic = "ARROW1"

// message is a message of a file: a schema, a dictionary or some rows.
type message struct {
	kind    int
	head    table
	version int
	body    int64 // position in the file
	size    int64
}

// Kinds of messages.
const (
	schemaMessage = iota + 1
	dictionaryMessage
	rowsMessage
)

// file is a file that is being read.
type file struct {
	io.ReaderAt
	size    int64
	columns []*column
	fields  []*field
	dicts   map[int64]*dict
	values  map[int64]*field // of each dictionary, the type of its values
	rows    int
}

func damaged(format string, args ...any) error {
	return model.Errorf("Arrow", "%s", fmt.Sprintf(format, args...)).WithHint("check that the file is complete")
}

// Read reads the columns for which wanted returns true.
func Read(r io.ReaderAt, size int64, wanted func(name string) bool) (*Table, error) {
	f := &file{ReaderAt: r, size: size, dicts: map[int64]*dict{}, values: map[int64]*field{}}
	all, random, err := f.messages()
	if err != nil {
		return nil, err
	}
	if len(all) == 0 || all[0].kind != schemaMessage {
		return nil, damaged("the file does not begin with a schema")
	}
	t := &Table{}
	if err := f.schema(all[0].head, t, wanted); err != nil {
		return nil, err
	}
	total := int64(0)
	for _, m := range all[1:] {
		if m.kind == rowsMessage {
			n := m.head.long(0)
			if total += n; n < 0 || total > math.MaxInt32 || total > 1<<20+20000*size {
				return nil, damaged("the file declares %d rows", total)
			}
		}
	}
	f.rows = int(total)
	for _, c := range f.columns {
		c.make(f.rows)
	}
	run := (&model.Control{}).Begin("reading", len(all))
	defer run.End()
	// In the file format dictionaries may come after the rows that use them.
	for pass := range 2 {
		for _, m := range all[1:] {
			first := m.kind == dictionaryMessage && random
			if first != (pass == 0) {
				continue
			}
			if run.Err() != nil {
				return nil, run.Err()
			}
			if err := f.read(m); err != nil {
				return nil, err
			}
		}
	}
	t.Rows = f.rows
	for _, c := range f.columns {
		t.Columns = append(t.Columns, c.finish())
		for _, note := range c.notes {
			t.Notes = append(t.Notes, "column "+strconv.Quote(c.out.Name)+" "+note)
		}
	}
	return t, nil
}

// bytes reads a part of the file.
func (f *file) bytes(at, n int64) ([]byte, error) {
	if at < 0 || n < 0 || at > f.size || n > f.size-at {
		return nil, damaged("a part of the file is missing")
	}
	b := make([]byte, n)
	if _, err := f.ReadAt(b, at); err != nil && err != io.EOF {
		return nil, err
	}
	return b, nil
}

// messages finds the messages; random reports whether the file is in the file format.
func (f *file) messages() (all []message, random bool, err error) {
	at := int64(0)
	if b, err := f.bytes(0, min(8, f.size)); err == nil && bytes.HasPrefix(b, []byte(Magic)) {
		at, random = 8, true
		tail, err := f.bytes(f.size-int64(len(Magic)), int64(len(Magic)))
		if err != nil || string(tail) != Magic {
			return nil, true, damaged("the file does not end as an Arrow file must")
		}
	}
	for at < f.size {
		b, err := f.bytes(at, min(8, f.size-at))
		if err != nil {
			return nil, random, err
		}
		if len(b) < 4 {
			return nil, random, damaged("a part of the file is missing")
		}
		n := int64(int32(binary.LittleEndian.Uint32(b)))
		if at += 4; n == -1 { // older files have no such mark
			if len(b) < 8 {
				return nil, random, damaged("a part of the file is missing")
			}
			n = int64(int32(binary.LittleEndian.Uint32(b[4:])))
			at += 4
		}
		if n == 0 {
			break
		}
		if b, err = f.bytes(at, n); err != nil {
			return nil, random, err
		}
		m := root(b)
		x := message{kind: m.byte(1), head: m.table(2), version: m.short(0, 0), body: at + n, size: m.long(3)}
		if m.f.bad || x.head.at == 0 || x.size < 0 || x.size > f.size-x.body {
			return nil, random, damaged("%v", errMeta)
		}
		all = append(all, x)
		at = x.body + x.size
	}
	return all, random, nil
}

// schema reads the fields and makes their columns.
func (f *file) schema(s table, t *Table, wanted func(string) bool) error {
	if s.short(0, 0) != 0 {
		return model.Errorf("Arrow", "the file must be little-endian").WithHint("write it again on another machine")
	}
	for _, x := range s.tables(1) {
		f.fields = append(f.fields, fieldOf(x, 0))
	}
	taken := map[string]bool{}
	var add func(x *field, prefix string) error
	add = func(x *field, prefix string) error {
		name := prefix + x.name
		if !x.valid() {
			return damaged("column %q has a type that does not exist", name)
		}
		if x.dictionary {
			if !x.index.valid() {
				return damaged("column %q has a type that does not exist", name)
			}
			f.values[x.id] = x
		}
		switch {
		case x.flat():
			free := name
			for k := 2; taken[free] || free == ""; k++ {
				free = name + " " + strconv.Itoa(k)
			}
			taken[free] = true
			if wanted(free) {
				x.column = newColumn(free, x)
				f.columns = append(f.columns, x.column)
			}
		case x.typ == structOf && !x.dictionary:
			for _, kid := range x.kids {
				if err := add(kid, name+"."); err != nil {
					return err
				}
			}
		case wanted(name):
			what := "lists"
			switch x.typ {
			case unionOf, interval, runEnd, structOf:
				what = "values that a column cannot hold"
			}
			t.Notes = append(t.Notes, "column "+strconv.Quote(name)+" has "+what+" and was left out")
		}
		return nil
	}
	for _, x := range f.fields {
		if err := add(x, ""); err != nil {
			return err
		}
	}
	if s.f.bad {
		return damaged("%v", errMeta)
	}
	return nil
}

// read reads the rows or the dictionary of a message.
func (f *file) read(m message) error {
	switch m.kind {
	case rowsMessage:
		return f.batch(m, m.head, f.fields)
	case dictionaryMessage:
		id := m.head.long(0)
		of := f.values[id]
		if of == nil {
			return damaged("there is no column for dictionary %d", id)
		}
		rows := m.head.table(1)
		n := rows.long(0)
		if n < 0 || n > 1<<20+20000*m.size {
			return damaged("a dictionary declares %d values", n)
		}
		value := *of
		value.dictionary = false
		if !value.flat() {
			return nil
		}
		value.column = newColumn(of.name, &value)
		value.column.make(int(n))
		if err := f.batch(m, rows, []*field{&value}); err != nil {
			return err
		}
		d := f.dicts[id]
		if d == nil || m.head.byte(2) == 0 {
			d = &dict{}
		}
		f.dicts[id] = d.with(value.column.finish())
		return nil
	}
	return nil
}

// buffer is the position of values in a message.
type buffer struct{ at, n int64 }

// part is the rows of a column in a message.
type part struct {
	column  *column
	n       int64
	nulls   int64
	buffers []buffer // the first one marks the values that are there
	parents []buffer // as the first one, of the records around
}

// batch reads a RecordBatch.
func (f *file) batch(m message, b table, fields []*field) error {
	w := walker{version: m.version}
	at, n := b.vector(1, 16)
	for i := range n {
		w.nodes = append(w.nodes, [2]int64{b.f.i64(at + 16*i), b.f.i64(at + 16*i + 8)})
	}
	at, n = b.vector(2, 16)
	for i := range n {
		w.buffers = append(w.buffers, buffer{b.f.i64(at + 16*i), b.f.i64(at + 16*i + 8)})
	}
	at, n = b.vector(4, 8)
	for i := range n {
		w.variadic = append(w.variadic, b.f.i64(at+8*i))
	}
	codec := -1
	if c := b.table(3); c.at != 0 {
		if codec = c.byte(0); codec > 1 || c.byte(1) != 0 {
			return damaged("the compression is unknown")
		}
	}
	for _, x := range fields {
		w.walk(x, nil, true)
	}
	rows := b.long(0)
	if b.f.bad || w.bad {
		return damaged("%v", errMeta)
	}
	if len(w.parts) == 0 {
		return nil
	}
	errs := make([]error, len(w.parts))
	par.Range(len(w.parts), 1, func(lo, hi int) {
		for k := lo; k < hi; k++ {
			p := &w.parts[k]
			r := reader{f: f, m: m, codec: codec}
			if p.n != rows {
				errs[k] = damaged("%v", errMeta)
			} else {
				errs[k] = p.column.read(&r, p, f.dicts)
			}
		}
	})
	for k, err := range errs {
		if err != nil {
			return model.Errorf("Arrow", "column %q: %v", w.parts[k].column.out.Name, err).WithHint("check that the file is complete")
		}
	}
	return nil
}

// walker assigns the buffers of a message to its fields.
type walker struct {
	version  int
	nodes    [][2]int64
	buffers  []buffer
	variadic []int64
	parts    []part
	bad      bool
}

func (w *walker) take(n int) []buffer {
	if n < 0 || n > len(w.buffers) {
		w.bad = true
		return make([]buffer, min(max(n, 0), 3))
	}
	b := w.buffers[:n:n]
	w.buffers = w.buffers[n:]
	return b
}

// walk takes the nodes and buffers of a field. Columns within lists are not read.
func (w *walker) walk(x *field, parents []buffer, single bool) {
	if len(w.nodes) == 0 {
		w.bad = true
		return
	}
	node := w.nodes[0]
	w.nodes = w.nodes[1:]
	var own []buffer
	typ := x.typ
	if x.dictionary {
		typ = integer
	}
	switch typ {
	case null, runEnd:
	case binaryBytes, utf8Text, largeBytes, largeText, listView, largeListView:
		own = w.take(3)
	case bytesView, textView:
		n := int64(0)
		if len(w.variadic) > 0 {
			n, w.variadic = w.variadic[0], w.variadic[1:]
		}
		own = w.take(int(min(max(n, 0), math.MaxInt32)) + 2)
	case structOf, fixedList:
		own = w.take(1)
	case unionOf:
		n := 1 + x.scale
		if w.version < 4 {
			n++
		}
		own = w.take(n)
	default:
		own = w.take(2)
	}
	if x.column != nil && single {
		w.parts = append(w.parts, part{x.column, node[0], node[1], own, parents})
	}
	if x.dictionary {
		return
	}
	if typ == structOf && single {
		if node[1] != 0 {
			parents = append(parents[:len(parents):len(parents)], own[0])
		}
	} else {
		single = false
	}
	for _, kid := range x.kids {
		w.walk(kid, parents, single)
	}
}
