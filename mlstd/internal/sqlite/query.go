//go:build !js

// Package sqlite runs SQL queries on frames and SQLite files. SQLite reads the columns of frames in
// place, through virtual tables, and the result is a frame.
package sqlite

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"modernc.org/sqlite"

	"github.com/gokernel/gokernel/mlstd/frame"
	"github.com/gokernel/gokernel/mlstd/internal/sqlite/vector"
	"github.com/gokernel/gokernel/mlstd/model"
)

const op = "SQL"

// Query runs a query on SQLite files and on frames. The keys of tables are the names of the frames
// in the query.
func Query(query string, tables map[string]*frame.Frame, parameters map[string]any, files ...string) (*frame.Frame, error) {
	run := (&model.Control{}).Begin(op, 0)
	defer run.End()
	c, err := connect(tables, query)
	if err != nil {
		return nil, err
	}
	defer c.close()
	for _, file := range files {
		if err := c.attach(run.Context(), file); err != nil {
			return nil, err
		}
	}
	ctx := run.Context()
	if len(files) > 0 {
		return c.ask(ctx, query, parameters)
	}
	f, err := c.columns(ctx, query, parameters)
	var left *vector.Left
	if !errors.As(err, &left) {
		return f, err
	}
	f, err = c.ask(ctx, query, parameters)
	at := planned.FindStringIndex(query) // the note of a plan reports how its query runs
	if err != nil || at == nil {
		return f, err
	}
	_, err = c.columns(ctx, query[at[1]:], parameters)
	switch {
	case err == nil:
		return f.Noted("the query runs over whole columns"), nil
	case errors.As(err, &left):
		return f.Noted("the query runs row by row: " + left.Why), nil
	}
	return nil, err
}

// modules is the driver that provides frames as virtual tables.
var modules = sync.OnceValues(func() (*sqlite.Driver, error) {
	d := &sqlite.Driver{}
	return d, d.RegisterModule("frame", module{})
})

// connection is a database in memory for one query.
type connection struct {
	driver.Conn
	open    []int64  // the frames that its tables stand for
	schemas []string // statements that create such tables, to locate errors
	others  []string // frames that the query does not name
	zone    *time.Location
	notes   []string
	used    []*frame.Frame
	tables  map[string]*frame.Frame // the frames that the query names
}

func connect(tables map[string]*frame.Frame, query string) (*connection, error) {
	d, err := modules()
	if err != nil {
		return nil, err
	}
	conn, err := d.Open(":memory:")
	if err != nil {
		return nil, err
	}
	c := &connection{Conn: conn, tables: map[string]*frame.Frame{}}
	used := map[string]bool{}
	for _, t := range tokens(query) {
		if !t.parameter {
			used[strings.ToLower(t.text)] = true
		}
	}
	names := make([]string, 0, len(tables))
	for name, f := range tables {
		if used[strings.ToLower(name)] {
			names = append(names, name)
			c.chooseZone(f)
		} else {
			c.others = append(c.others, quote(name))
		}
	}
	slices.Sort(names)
	slices.Sort(c.others)
	if c.zone == nil {
		c.zone = time.UTC
	}
	collates := strings.Contains(strings.ToLower(query), "collate")
	for _, name := range names {
		if err := c.add(name, tables[name], !collates); err != nil {
			c.close()
			return nil, err
		}
		c.used = append(c.used, tables[name])
		c.tables[name] = tables[name]
	}
	return c, nil
}

func (c *connection) close() {
	c.Conn.Close()
	for _, id := range c.open {
		frames.Delete(id)
	}
}

// chooseZone chooses the time zone of the frames if all their times have the same zone, and UTC
// otherwise.
func (c *connection) chooseZone(f *frame.Frame) {
	if f == nil {
		return
	}
	for _, column := range f.Columns() {
		switch {
		case column.Kind() != frame.TimeKind:
		case c.zone == nil:
			c.zone = column.Zone()
		case c.zone.String() != column.Zone().String():
			c.zone = time.UTC
			c.notes = []string{"times of several zones are converted to UTC"}
		}
	}
}

// exec runs a statement that returns no rows.
func (c *connection) exec(ctx context.Context, text string) error {
	_, err := c.Conn.(driver.ExecerContext).ExecContext(ctx, text, nil)
	return err
}

// add makes a table for a frame. If index is set, equal values can be looked up, which is wrong
// with a collation other than the default.
func (c *connection) add(name string, f *frame.Frame, index bool) error {
	if f == nil {
		return model.Errorf(op, "the frame %s must not be nil", name)
	}
	schema := declaration(name, f)
	c.schemas = append(c.schemas, schema)
	id := next.Add(1)
	frames.Store(id, &table{frame: f, schema: schema, columns: readers(f, c.zone), index: index, lookups: map[int]map[any][]int32{}})
	c.open = append(c.open, id)
	if err := c.exec(context.Background(), fmt.Sprintf("create virtual table temp.%s using frame(%d)", quote(name), id)); err != nil {
		return model.Errorf(op, "the frame %s cannot be a table: %v", name, err)
	}
	return nil
}

func quote(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

// attach opens a SQLite file read-only.
func (c *connection) attach(ctx context.Context, path string) error {
	name := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	address := strings.NewReplacer("%", "%25", "?", "%3f", "#", "%23").Replace(filepath.ToSlash(path))
	err := c.exec(ctx, fmt.Sprintf("attach 'file:%s?mode=ro' as %s", strings.ReplaceAll(address, "'", "''"), quote(name)))
	if err != nil {
		return model.Errorf(op, "%s must be a readable SQLite file: %s", path, plain(err))
	}
	return nil
}

// ask runs the query and returns its result as a frame.
func (c *connection) ask(ctx context.Context, query string, parameters map[string]any) (*frame.Frame, error) {
	text := strings.TrimRight(strings.TrimSpace(query), "; \t\r\n")
	if text == "" {
		return nil, model.Errorf(op, "the query must not be empty")
	}
	args, err := c.args(query, parameters)
	if err != nil {
		return nil, err
	}
	rows, err := c.Conn.(driver.QueryerContext).QueryContext(ctx, query, args)
	if err != nil {
		return nil, c.failed(ctx, query, err)
	}
	defer rows.Close()
	names := rows.Columns()
	if len(names) == 0 {
		return nil, model.Errorf(op, "the last statement must return rows").WithHint("end with a select statement")
	}
	answer := newAnswer(rows, names, c.zone)
	values := make([]driver.Value, len(names))
	for {
		err := rows.Next(values)
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, c.failed(ctx, query, err)
		}
		answer.add(values)
	}
	f, err := answer.frame()
	if err != nil {
		return nil, err
	}
	return f.After(c.used...).Noted(c.notes...), nil
}

// args returns the values of the query's parameters.
func (c *connection) args(query string, parameters map[string]any) ([]driver.NamedValue, error) {
	var args []driver.NamedValue
	for _, name := range parametersOf(query) {
		v, ok := parameters[name]
		if !ok {
			return nil, model.Errorf(op, "the parameter :%s must have a value", name).WithHint("%s", known(parameters))
		}
		value, err := bind(v, c.zone)
		if err != nil {
			return nil, model.Errorf(op, "the parameter :%s %v", name, err).WithHint("use a number, a string, a bool or a time")
		}
		args = append(args, driver.NamedValue{Name: name, Ordinal: len(args) + 1, Value: value})
	}
	return args, nil
}

func known(parameters map[string]any) string {
	if len(parameters) == 0 {
		return "pass its value as a parameter; the query got none"
	}
	names := make([]string, 0, len(parameters))
	for name := range parameters {
		names = append(names, ":"+name)
	}
	slices.Sort(names)
	return "use one of the parameters " + strings.Join(names, ", ") + ", or pass its value"
}

// bind converts a parameter to a SQLite value.
func bind(v any, zone *time.Location) (driver.Value, error) {
	switch v := v.(type) {
	case nil:
		return nil, nil
	case time.Time:
		return moment(v.In(zone)), nil
	}
	x := reflect.ValueOf(v)
	switch x.Kind() {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return x.Int(), nil
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		if x.Uint() > math.MaxInt64 {
			return nil, fmt.Errorf("is %d, too large for SQLite", x.Uint())
		}
		return int64(x.Uint()), nil
	case reflect.Float32, reflect.Float64:
		if math.IsNaN(x.Float()) {
			return nil, nil
		}
		return x.Float(), nil
	case reflect.String:
		return x.String(), nil
	case reflect.Bool:
		if x.Bool() {
			return int64(1), nil
		}
		return int64(0), nil
	}
	return nil, fmt.Errorf("is of the type %T", v)
}

// plain returns the message of an error without the code that SQLite adds.
func plain(err error) string {
	s := strings.TrimPrefix(err.Error(), "SQL logic error: ")
	if i := strings.LastIndex(s, " ("); i > 0 && strings.HasSuffix(s, ")") {
		if _, e := strconv.Atoi(s[i+2 : len(s)-1]); e == nil {
			s = s[:i]
		}
	}
	return s
}

// failed returns an error that shows the position in the query.
func (c *connection) failed(ctx context.Context, query string, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return err
	}
	out := model.Errorf(op, "%s", plain(err))
	if at, ok := c.place(query, plain(err)); ok {
		line := 1 + strings.Count(query[:at], "\n")
		from := strings.LastIndexByte(query[:at], '\n') + 1
		to := len(query)
		if n := strings.IndexByte(query[at:], '\n'); n >= 0 {
			to = at + n
		}
		column := len([]rune(query[from:at]))
		out.What += fmt.Sprintf(" (line %d, column %d)\n  %s\n  %s^", line, column+1, query[from:to], strings.Repeat(" ", column))
	}
	if strings.HasPrefix(plain(err), "no such table") || strings.HasPrefix(plain(err), "no such column") {
		out.Hint = c.there()
	}
	return out
}

// there returns a list of the tables and their columns.
func (c *connection) there() string {
	var list []string
	for _, s := range c.schemas {
		list = append(list, strings.TrimPrefix(s, "create table "))
	}
	if list = append(list, c.others...); len(list) == 0 {
		return "pass a frame or the name of a SQLite file; the query got none"
	}
	return "use one of the tables " + strings.Join(list, "; ")
}
