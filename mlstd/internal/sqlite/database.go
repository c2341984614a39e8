//go:build !js

package sqlite

import (
	"context"
	"database/sql/driver"
	"errors"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/gokernel/gokernel/mlstd/frame"
	"github.com/gokernel/gokernel/mlstd/internal/dbms"
	"github.com/gokernel/gokernel/mlstd/model"
)

var dialect = &dbms.Dialect{Name: "SQLite", Mark: `"`, Whole: true}

// database is a SQLite file that is open for reading and writing.
type database struct{ *connection }

// Open opens a database file, and creates the file if it does not exist; ":memory:" is a database
// in memory.
func Open(ctx context.Context, path string) (dbms.Conn, error) {
	d, err := modules()
	if err != nil {
		return nil, err
	}
	address := path
	if path != ":memory:" {
		address = "file:" + strings.NewReplacer("%", "%25", "?", "%3f", "#", "%23").Replace(filepath.ToSlash(path))
	}
	opened, err := d.Open(address)
	if err != nil {
		return nil, model.Errorf("Connect", "%s must be a SQLite file that can be opened: %s", path, plain(err))
	}
	c := database{&connection{Conn: opened, zone: time.UTC}}
	// The first read fails if the content is something else.
	for _, text := range []string{"pragma busy_timeout = 5000", "pragma foreign_keys = on", "select count(*) from sqlite_schema"} {
		if err := c.exec(ctx, text); err != nil {
			opened.Close()
			return nil, model.Errorf("Connect", "%s must be a SQLite file: %s", path, plain(err))
		}
	}
	return c, nil
}

func (c database) Dialect() *dbms.Dialect { return dialect }
func (c database) Closed() bool           { return false }
func (c database) InTransaction() bool    { return false } // the file is never lost
func (c database) Close() error           { return c.Conn.Close() }

// Run runs the statements of a text and returns the result of the last one.
func (c database) Run(ctx context.Context, s *dbms.Statement, args []any) (*dbms.Result, error) {
	var list []driver.NamedValue
	for i, v := range args {
		value, err := bind(v, c.zone)
		if err != nil {
			return nil, err
		}
		list = append(list, driver.NamedValue{Ordinal: i + 1, Value: value})
		if i < len(s.Names) {
			list[i].Name = s.Names[i]
		}
	}
	rows, err := c.Conn.(driver.QueryerContext).QueryContext(ctx, s.Text, list)
	if err != nil {
		return nil, c.unknown(c.failed(ctx, s.Text, err))
	}
	defer rows.Close()
	names := rows.Columns()
	if len(names) == 0 {
		if err := rows.Next(nil); err != nil && err != io.EOF {
			return nil, c.failed(ctx, s.Text, err)
		}
		n, err := c.changes(ctx)
		return &dbms.Result{Affected: n}, err
	}
	a := newAnswer(rows, names, c.zone)
	values := make([]driver.Value, len(names))
	for {
		err := rows.Next(values)
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, c.failed(ctx, s.Text, err)
		}
		a.add(values)
	}
	f, err := a.frame()
	return &dbms.Result{Frame: f}, err
}

// unknown marks an error about a name, so that the names of the file are listed.
func (c database) unknown(err error) error {
	var e *model.Error
	if !errors.As(err, &e) || e.Hint == "" {
		return err
	}
	e.Op, e.Hint = "DB.Query", ""
	if strings.HasPrefix(e.What, "no such table") {
		return &dbms.Located{Err: e, At: -1, Name: "table"}
	}
	return &dbms.Located{Err: e, At: -1, Name: "column"}
}

// changes returns the number of rows that the last statement has changed.
func (c database) changes(ctx context.Context) (int64, error) {
	rows, err := c.Conn.(driver.QueryerContext).QueryContext(ctx, "select changes()", nil)
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	value := make([]driver.Value, 1)
	if err := rows.Next(value); err != nil {
		return 0, err
	}
	n, _ := value[0].(int64)
	return n, nil
}

// Write writes a frame in a transaction, or within the one that is open.
func (c database) Write(ctx context.Context, table string, f *frame.Frame, mode dbms.Mode) (err error) {
	if f == nil || f.Width() == 0 {
		return model.Errorf("DB.Write", "the frame must have columns")
	}
	name := dbms.Quoted(table, `"`)
	if err := c.exec(ctx, "savepoint gokernel_write"); err != nil {
		return c.failed(ctx, "", err)
	}
	defer func() {
		if err != nil {
			undo := context.WithoutCancel(ctx)
			err = errors.Join(err, c.exec(undo, "rollback to gokernel_write"), c.exec(undo, "release gokernel_write"))
			return
		}
		err = c.exec(ctx, "release gokernel_write")
	}()
	there, err := c.columns(ctx, table)
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
		return c.insert(ctx, name, f)
	case there != nil:
		if err := c.exec(ctx, "drop table "+name); err != nil {
			return model.Errorf("DB.Replace", "%s", plain(err))
		}
	}
	if err := c.exec(ctx, strings.Replace(declaration("", f), `""`, name, 1)); err != nil {
		return model.Errorf("DB.Write", "%s", plain(err))
	}
	return c.insert(ctx, name, f)
}

// columns returns the names of a table's columns, or nil if there is no such table.
func (c database) columns(ctx context.Context, table string) ([]string, error) {
	schema, name, ok := strings.Cut(table, ".")
	if !ok {
		schema, name = "main", table
	}
	r, err := c.Run(ctx, &dbms.Statement{Text: "select name from pragma_table_info(?1, ?2)"}, []any{name, schema})
	if err != nil || r.Frame.Len() == 0 {
		return nil, err
	}
	return r.Frame.Col("name").Strings(), nil
}

func (c database) insert(ctx context.Context, name string, f *frame.Frame) error {
	var names []string
	for _, n := range f.Names() {
		names = append(names, dbms.QuotedName(n, `"`))
	}
	marks := strings.TrimSuffix(strings.Repeat("?,", len(names)), ",")
	stmt, err := c.Conn.(driver.ConnPrepareContext).PrepareContext(ctx, "insert into "+name+" ("+strings.Join(names, ", ")+") values ("+marks+")")
	if err != nil {
		return model.Errorf("DB.Write", "%s", plain(err))
	}
	defer stmt.Close()
	read := readers(f, time.UTC)
	row := make([]driver.NamedValue, len(read))
	for i := range f.Len() {
		if err := ctx.Err(); err != nil {
			return context.Cause(ctx)
		}
		for j := range read {
			row[j] = driver.NamedValue{Ordinal: j + 1, Value: read[j](i)}
		}
		// The loop looks at ctx itself: a context that can end costs a goroutine for each row.
		if _, err := stmt.(driver.StmtExecContext).ExecContext(context.Background(), row); err != nil {
			return model.Errorf("DB.Write", "row %d: %s", i, plain(err))
		}
	}
	return nil
}

// Tables lists the tables and views.
func (c database) Tables(ctx context.Context) ([]dbms.Table, error) {
	r, err := c.Run(ctx, &dbms.Statement{Text: `SELECT case t.schema when 'main' then t.name else t.schema || '.' || t.name end, x.name, x.type
from pragma_table_list t, pragma_table_info(t.name, t.schema) x
where t.type in ('table', 'view') and t.name not like 'sqlite\_%' escape '\' order by 1, x.cid`}, nil)
	if err != nil {
		return nil, err
	}
	return dbms.Tabled(r.Frame), nil
}
