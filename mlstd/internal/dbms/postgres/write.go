//go:build !js

package postgres

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/gokernel/gokernel/mlstd/frame"
	"github.com/gokernel/gokernel/mlstd/internal/dbms"
)

// Write writes a frame by COPY, in a transaction unless one is open.
func (c *conn) Write(ctx context.Context, table string, f *frame.Frame, mode dbms.Mode) (err error) {
	if err := dbms.CheckFrame("DB.Write", f); err != nil {
		return err
	}
	name := dbms.Quoted(table, `"`)
	begin, end, undo := "begin", "commit", "rollback"
	open := c.InTransaction()
	if open {
		begin, end, undo = "savepoint gokernel_write", "release savepoint gokernel_write", "rollback to savepoint gokernel_write"
	}
	if err := c.exec(ctx, begin); err != nil {
		if c.Closed() && !open && ctx.Err() == nil {
			return fmt.Errorf("%w: %w", dbms.ErrLost, err)
		}
		return err
	}
	defer func() {
		if err != nil && !c.Closed() {
			back, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
			defer cancel()
			if e := c.exec(back, undo); e != nil {
				c.Close()
			}
		}
	}()
	if err := c.create(ctx, table, name, f, mode); err != nil {
		return err
	}
	described, err := c.pg.Prepare(ctx, "", "select * from "+name+" where false", nil)
	if err != nil {
		return c.failed(ctx, "DB.Write", nil, err)
	}
	types, there := map[string]uint32{}, []string(nil)
	for _, field := range described.Fields {
		types[field.Name] = field.DataTypeOID
		there = append(there, field.Name)
	}
	if err := dbms.CheckColumns("DB.Append", table, f, there); err != nil {
		return err
	}
	lines := newLines(ctx, f, types)
	var names []string
	for _, n := range f.Names() {
		names = append(names, dbms.QuotedName(n, `"`))
	}
	if _, err := c.pg.CopyFrom(ctx, lines, fmt.Sprintf("copy %s (%s) from stdin", name, strings.Join(names, ", "))); err != nil {
		return c.failed(ctx, "DB.Write", nil, err)
	}
	return c.exec(ctx, end)
}

// exec runs statements without results.
func (c *conn) exec(ctx context.Context, text string) error {
	if err := c.pg.Exec(ctx, text).Close(); err != nil {
		return c.failed(ctx, "DB.Write", nil, err)
	}
	return nil
}

// create makes the table if the mode asks for it.
func (c *conn) create(ctx context.Context, table, name string, f *frame.Frame, mode dbms.Mode) error {
	if mode == dbms.Append {
		return nil
	}
	found := c.pg.ExecParams(ctx, "select to_regclass($1) is not null", [][]byte{[]byte(name)}, nil, nil, nil).Read()
	if found.Err != nil {
		return c.failed(ctx, "DB.Write", nil, found.Err)
	}
	if there := string(found.Rows[0][0]) == "t"; there && mode == dbms.Create {
		return dbms.Exists(table)
	} else if there {
		if err := c.exec(ctx, "drop table "+name); err != nil {
			return err
		}
	}
	var columns []string
	for _, col := range f.Columns() {
		columns = append(columns, dbms.QuotedName(col.Name(), `"`)+" "+typeOf(col))
	}
	return c.exec(ctx, "create table "+name+" ("+strings.Join(columns, ", ")+")")
}

// typeOf returns the type for a column.
func typeOf(c *frame.Column) string {
	switch c.Kind() {
	case frame.IntKind:
		return "bigint"
	case frame.FloatKind:
		return "double precision"
	case frame.BoolKind:
		return "boolean"
	case frame.TimeKind:
		switch {
		case dbms.DatesOnly(c):
			return "date"
		case c.Zone() == time.UTC:
			return "timestamp"
		}
		return "timestamptz"
	}
	return "text"
}

// lines is the text of a frame as COPY reads it.
type lines struct {
	ctx   context.Context
	put   []func(to []byte, i int) []byte
	cols  []*frame.Column
	i, n  int
	ready []byte
	buf   []byte
}

func newLines(ctx context.Context, f *frame.Frame, types map[string]uint32) *lines {
	l := &lines{ctx: ctx, cols: f.Columns(), n: f.Len()}
	for _, c := range l.cols {
		l.put = append(l.put, putter(c, types[c.Name()]))
	}
	return l
}

// putter returns the function that writes a value that is not missing.
func putter(c *frame.Column, oid uint32) func(to []byte, i int) []byte {
	switch c.Kind() {
	case frame.IntKind:
		if c.Missing() == 0 {
			v := c.Ints()
			return func(to []byte, i int) []byte { return strconv.AppendInt(to, v[i], 10) }
		}
		return func(to []byte, i int) []byte { return strconv.AppendInt(to, c.At(i).(int64), 10) }
	case frame.FloatKind:
		v := c.Floats()
		return func(to []byte, i int) []byte { return appendFloat(to, v[i]) }
	case frame.BoolKind:
		return func(to []byte, i int) []byte { return strconv.AppendBool(to, c.At(i).(bool)) }
	case frame.TimeKind:
		return func(to []byte, i int) []byte { return appendTime(to, c.At(i).(time.Time), oid) }
	}
	v := c.Strings()
	if oid == oidBytea {
		return func(to []byte, i int) []byte { return fmt.Appendf(to, `\\x%x`, dbms.Bytes(v[i])) }
	}
	return func(to []byte, i int) []byte { return appendEscaped(to, v[i]) }
}

// appendEscaped writes a string with the escapes of COPY.
func appendEscaped(to []byte, s string) []byte {
	from := 0
	for i := range len(s) {
		var e byte
		switch s[i] {
		case '\\':
			e = '\\'
		case '\n':
			e = 'n'
		case '\r':
			e = 'r'
		case '\t':
			e = 't'
		default:
			continue
		}
		to = append(append(to, s[from:i]...), '\\', e)
		from = i + 1
	}
	return append(to, s[from:]...)
}

// Read implements io.Reader.
func (l *lines) Read(p []byte) (int, error) {
	if len(l.ready) == 0 {
		if err := l.ctx.Err(); err != nil {
			return 0, err
		}
		l.fill()
		if len(l.ready) == 0 {
			return 0, io.EOF
		}
	}
	n := copy(p, l.ready)
	l.ready = l.ready[n:]
	return n, nil
}

// fill makes the next lines.
func (l *lines) fill() {
	b := l.buf[:0]
	for ; l.i < l.n && len(b) < 1<<16; l.i++ {
		for j, c := range l.cols {
			if j > 0 {
				b = append(b, '\t')
			}
			if c.IsMissing(l.i) {
				b = append(b, `\N`...)
			} else {
				b = l.put[j](b, l.i)
			}
		}
		b = append(b, '\n')
	}
	l.buf, l.ready = b, b
}
