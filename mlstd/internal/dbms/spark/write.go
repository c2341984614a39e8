//go:build !js

package spark

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/gokernel/gokernel/mlstd/frame"
	"github.com/gokernel/gokernel/mlstd/internal/arrow"
	"github.com/gokernel/gokernel/mlstd/internal/columns"
	"github.com/gokernel/gokernel/mlstd/internal/dbms"
	"github.com/gokernel/gokernel/mlstd/internal/infer"
)

// partBytes is the maximum size of a part of a frame. A server accepts messages of up to 128 MB.
const partBytes = 48 << 20

// firstRows is the number of rows of the first part.
const firstRows = 1 << 16

// Write uploads a frame as temporary views, and then has the server make or extend the table from
// them in one statement.
func (c *conn) Write(ctx context.Context, table string, f *frame.Frame, mode dbms.Mode) error {
	if err := dbms.CheckFrame("DB.Write", f); err != nil {
		return err
	}
	name := dbms.Quoted(table, "`")
	switch mode {
	case dbms.Append:
		t, err := c.Run(ctx, &dbms.Statement{Text: "select * from " + name + " limit 0"}, nil)
		if err != nil {
			return err
		}
		var there []string
		if t.Frame != nil {
			there = t.Frame.Names()
		}
		if err := dbms.CheckColumns("DB.Append", table, f, there); err != nil {
			return err
		}
	case dbms.Create:
		if c.exists(ctx, name) {
			return dbms.Exists(table)
		}
	}
	parts, err := c.upload(ctx, f)
	defer c.forget(context.WithoutCancel(ctx), parts)
	if err != nil {
		return err
	}
	rows := selection(f, parts)
	switch mode {
	case dbms.Append:
		return c.run(ctx, "insert into "+name+" ("+strings.Join(quoted(f), ", ")+") "+rows)
	case dbms.Create:
		return c.run(ctx, "create table "+name+" as "+rows)
	}
	stage := "`gokernel_" + strings.ReplaceAll(uuid(), "-", "_") + "`"
	if schema, _, ok := strings.Cut(table, "."); ok && strings.HasPrefix(name, dbms.QuotedName(schema, "`")+".") {
		stage = dbms.QuotedName(schema, "`") + "." + stage
	}
	if err := c.run(ctx, "create table "+stage+" as "+rows); err != nil {
		return err
	}
	err = c.run(ctx, "drop table if exists "+name)
	if err == nil {
		return c.run(context.WithoutCancel(ctx), "alter table "+stage+" rename to "+name)
	}
	c.run(context.WithoutCancel(ctx), "drop table "+stage) // err is what counts
	return err
}

// run runs a statement without a result.
func (c *conn) run(ctx context.Context, text string) error {
	_, err := c.Run(ctx, &dbms.Statement{Text: text}, nil)
	return err
}

// exists reports whether a table or view exists.
func (c *conn) exists(ctx context.Context, name string) bool {
	return c.run(ctx, "describe table "+name) == nil
}

// upload sends the rows as temporary views and returns their names.
func (c *conn) upload(ctx context.Context, f *frame.Frame) (views []string, err error) {
	base := "gokernel_" + strings.ReplaceAll(uuid(), "-", "_")
	n := firstRows
	for from := 0; from < f.Len() || len(views) == 0; {
		to := min(from+n, f.Len())
		data, err := encode(f, from, to)
		if err != nil {
			return views, err
		}
		if len(data) > 2*partBytes && to-from > 1 {
			n = max(1, (to-from)/2)
			continue
		}
		name := fmt.Sprintf("%s_%d", base, len(views))
		var view message
		view.bytes(1, wrap(relationLocal, wrap(1, data)))
		view.text(2, name)
		view.number(4, 1)
		err = c.execute(ctx, wrap(planCommand, wrap(commandView, view)), func([]byte) error { return nil })
		if err != nil {
			return views, c.failed(ctx, nil, err)
		}
		if views = append(views, name); to > from {
			n = max(1, int(partBytes/int64(len(data))*int64(to-from)))
		}
		from = to
	}
	return views, nil
}

// forget drops views.
func (c *conn) forget(ctx context.Context, views []string) {
	for _, name := range views {
		if c.closed || c.run(ctx, "drop view if exists "+name) != nil {
			return // the end of the session drops them
		}
	}
}

func quoted(f *frame.Frame) (list []string) {
	for _, name := range f.Names() {
		list = append(list, dbms.QuotedName(name, "`"))
	}
	return list
}

// selection returns the query for the rows of all views.
func selection(f *frame.Frame, views []string) string {
	var list []string
	for j, c := range f.Columns() {
		q := fmt.Sprintf("c%d", j)
		switch {
		case c.Kind() != frame.TimeKind:
		case dbms.DatesOnly(c):
			q = "date_from_unix_date(cast(" + q + " div 86400000000 as int))"
		case c.Zone() == time.UTC:
			q = "timestamp_ntz'1970-01-01' + make_dt_interval(0, 0, 0, cast(cast(" + q + " as decimal(20)) / 1000000 as decimal(18, 6)))"
		default:
			q = "timestamp_micros(" + q + ")"
		}
		list = append(list, q+" as "+dbms.QuotedName(c.Name(), "`"))
	}
	rows := make([]string, len(views))
	for i, view := range views {
		rows[i] = "select " + strings.Join(list, ", ") + " from " + view
	}
	return strings.Join(rows, " union all ")
}

// encode writes rows as an Arrow stream. It writes times as integers of microseconds, since Spark
// accepts no nanoseconds, and categories as strings.
func encode(f *frame.Frame, from, to int) ([]byte, error) {
	f = f.Slice(from, to)
	list := make([]*arrow.Column, f.Width())
	for j, c := range f.Columns() {
		x := columns.Plain(c)
		x.Name, x.Unit = fmt.Sprintf("c%d", j), ""
		if x.Kind == infer.Time {
			micros := make([]int64, len(x.Ints)) // the frame shares its values with x
			for i, ns := range x.Ints {
				micros[i] = ns / 1000 // whole, as CheckFrame has found
			}
			x.Kind, x.Ints = infer.Int, micros
		}
		list[j] = &arrow.Column{Column: *x}
	}
	var b bytes.Buffer
	err := arrow.Write(&b, list, f.Len(), true)
	return b.Bytes(), err
}
