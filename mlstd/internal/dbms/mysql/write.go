//go:build !js

package mysql

import (
	"context"
	"database/sql/driver"
	"math"
	"strings"
	"time"

	"github.com/gokernel/gokernel/mlstd/frame"
	"github.com/gokernel/gokernel/mlstd/internal/dbms"
	"github.com/gokernel/gokernel/mlstd/model"
)

const (
	// maxPlaceholders is the maximum number of placeholders of a statement.
	maxPlaceholders = 65535
	// maxRows is the maximum number of rows of a statement. More rows are not faster.
	maxRows = 1000
	// maxBytes is about the maximum size of the strings of a statement. The smallest limit that
	// servers have by default is 1 MB.
	maxBytes = 1 << 19
)

// Write writes a frame by prepared statements, in a transaction unless one is open. The statements
// that create and drop tables end a transaction, so a new table is filled under another name if it
// replaces one.
func (c *conn) Write(ctx context.Context, table string, f *frame.Frame, mode dbms.Mode) (err error) {
	if err := dbms.CheckFrame("DB.Write", f); err != nil {
		return err
	}
	if err := finite(f); err != nil {
		return err
	}
	if err := c.Conn.(driver.SessionResetter).ResetSession(ctx); err != nil {
		return dbms.ErrLost
	}
	hard, stop := c.watch(ctx)
	defer stop()
	defer func() {
		if err != nil {
			err = c.failed(ctx, "DB.Write", nil, err)
		}
	}()
	there, binary, err := c.columns(hard, table)
	switch {
	case err != nil:
		return err
	case mode == dbms.Create && there != nil:
		return dbms.Exists(table)
	case mode == dbms.Append && there == nil:
		return model.Errorf("DB.Append", "the table %q must exist", table).WithHint("use db.Write to create it")
	case mode == dbms.Append:
		if err := dbms.CheckColumns("DB.Append", table, f, there); err != nil {
			return err
		}
		return c.insert(ctx, hard, table, f, binary)
	}
	to := table
	if there != nil {
		to = table + "_gokernel_new"
	}
	var columns []string
	for _, col := range f.Columns() {
		columns = append(columns, dbms.QuotedName(col.Name(), "`")+" "+typeOf(col)+" null")
	}
	if err := c.exec(hard, "create table "+dbms.Quoted(to, "`")+" ("+strings.Join(columns, ", ")+") character set utf8mb4"); err != nil {
		return err
	}
	c.open = false
	if err = c.insert(ctx, hard, to, f, nil); err == nil && to != table {
		err = c.exec(hard, "drop table "+dbms.Quoted(table, "`"))
		if err == nil {
			err = c.exec(hard, "rename table "+dbms.Quoted(to, "`")+" to "+dbms.Quoted(table, "`"))
		}
	}
	if err != nil {
		c.cleanUp("drop table if exists " + dbms.Quoted(to, "`"))
	}
	return err
}

// cleanUp runs a statement after a failure, on another connection if this one is closed.
func (c *conn) cleanUp(text string) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if !c.Closed() && c.exec(ctx, text) == nil {
		return
	}
	if other, err := dial(ctx, c.config); err == nil {
		defer other.Close()
		(&conn{Conn: other}).exec(ctx, text)
	}
}

func (c *conn) exec(ctx context.Context, text string) error {
	_, err := c.Conn.(driver.ExecerContext).ExecContext(ctx, text, nil)
	return err
}

// columns returns the names of a table's columns, and which of them hold bytes.
func (c *conn) columns(ctx context.Context, table string) (names []string, binary map[string]bool, err error) {
	schema, name, ok := strings.Cut(table, ".")
	if !ok {
		schema, name = "", table
	}
	rows, err := c.query(ctx, "select column_name, data_type from information_schema.columns where table_schema = if(? = '', database(), ?) and table_name = ? order by ordinal_position", []any{schema, schema, name})
	if err != nil {
		return nil, nil, err
	}
	defer rows.Close()
	binary = map[string]bool{}
	row := make([]driver.Value, 2)
	for rows.Next(row) == nil {
		name, kind := string(row[0].([]byte)), strings.ToLower(string(row[1].([]byte)))
		names = append(names, name)
		binary[name] = strings.HasSuffix(kind, "blob") || strings.HasSuffix(kind, "binary")
	}
	return names, binary, nil
}

// finite returns an error for an infinite number, which MySQL cannot store.
func finite(f *frame.Frame) error {
	for _, c := range f.Columns() {
		if c.Kind() != frame.FloatKind {
			continue
		}
		for i, v := range c.Floats() {
			if math.IsInf(v, 0) {
				return model.Errorf("DB.Write", "the numbers of column %q must be finite, since MySQL has no infinite numbers; row %d has %v", c.Name(), i, v)
			}
		}
	}
	return nil
}

// typeOf returns the type for a column.
func typeOf(c *frame.Column) string {
	switch c.Kind() {
	case frame.IntKind:
		return "bigint"
	case frame.FloatKind:
		return "double"
	case frame.BoolKind:
		return "boolean"
	case frame.TimeKind:
		if dbms.DatesOnly(c) {
			return "date"
		}
		return "datetime(6)"
	}
	return "longtext"
}

// insert adds the rows, all or none.
func (c *conn) insert(ctx, hard context.Context, table string, f *frame.Frame, binary map[string]bool) (err error) {
	if !c.open {
		if err := c.exec(hard, "start transaction"); err != nil {
			return err
		}
		defer func() {
			if err != nil {
				if !c.Closed() {
					c.exec(context.WithoutCancel(hard), "rollback")
				}
				return
			}
			err = c.exec(hard, "commit")
		}()
	} else {
		if err := c.exec(hard, "savepoint gokernel_write"); err != nil {
			return err
		}
		defer func() {
			if err != nil && !c.Closed() {
				c.exec(context.WithoutCancel(hard), "rollback to savepoint gokernel_write")
			}
		}()
	}
	var names []string
	for _, n := range f.Names() {
		names = append(names, dbms.QuotedName(n, "`"))
	}
	one := "(" + strings.TrimSuffix(strings.Repeat("?,", len(names)), ",") + ")"
	head := "insert into " + dbms.Quoted(table, "`") + " (" + strings.Join(names, ", ") + ") values "
	b := &batch{conn: c, ctx: hard, head: head, one: one, most: min(maxRows, maxPlaceholders/len(names))}
	defer b.close()
	read := readers(f, binary)
	for i := range f.Len() {
		if err := ctx.Err(); err != nil {
			return err
		}
		for _, value := range read {
			b.add(value(i))
		}
		if b.rows++; b.rows == b.most || b.bytes >= maxBytes {
			if err := b.send(); err != nil {
				return err
			}
		}
	}
	return b.send()
}

// batch is rows that are inserted together.
type batch struct {
	conn      *conn
	ctx       context.Context
	head, one string
	most      int
	rows      int
	bytes     int
	values    []driver.NamedValue
	full      driver.Stmt // for the maximum number of rows
}

func (b *batch) add(v driver.Value) {
	switch v := v.(type) {
	case string:
		b.bytes += len(v)
	case []byte:
		b.bytes += len(v)
	}
	b.values = append(b.values, driver.NamedValue{Ordinal: len(b.values) + 1, Value: v})
}

func (b *batch) send() error {
	if b.rows == 0 {
		return nil
	}
	stmt := b.full
	if stmt == nil || b.rows != b.most {
		var err error
		text := b.head + strings.TrimSuffix(strings.Repeat(b.one+",", b.rows), ",")
		if stmt, err = b.conn.Conn.(driver.ConnPrepareContext).PrepareContext(b.ctx, text); err != nil {
			return err
		}
		if b.rows == b.most {
			b.full = stmt
		} else {
			defer stmt.Close()
		}
	}
	_, err := stmt.(driver.StmtExecContext).ExecContext(b.ctx, b.values)
	b.rows, b.bytes, b.values = 0, 0, b.values[:0]
	return err
}

func (b *batch) close() {
	if b.full != nil {
		b.full.Close()
	}
}

// readers returns, for each column, the function that reads a value.
func readers(f *frame.Frame, binary map[string]bool) []func(i int) driver.Value {
	var list []func(i int) driver.Value
	for _, c := range f.Columns() {
		switch {
		case c.Kind() == frame.TimeKind:
			list = append(list, func(i int) driver.Value {
				if t, ok := c.At(i).(time.Time); ok {
					return t
				}
				return nil
			})
		case binary[c.Name()] && (c.Kind() == frame.StringKind || c.Kind() == frame.CategoryKind):
			list = append(list, func(i int) driver.Value {
				if s, ok := c.At(i).(string); ok {
					return dbms.Bytes(s)
				}
				return nil
			})
		default:
			list = append(list, func(i int) driver.Value { return c.At(i) })
		}
	}
	return list
}
