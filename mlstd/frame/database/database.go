// Package database connects to PostgreSQL, MySQL, MariaDB and SQLite, and moves data between their
// tables and frames.
package database

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/gokernel/gokernel/mlstd/frame"
	"github.com/gokernel/gokernel/mlstd/frame/lazy"
	"github.com/gokernel/gokernel/mlstd/internal/dbms"
	"github.com/gokernel/gokernel/mlstd/model"
)

// DB is a connection to a database. If the connection is lost, the next call connects again.
// Several goroutines can use a DB; their calls run one after the other.
//
// An interrupt cancels the running query on the server, and the DB can be used afterwards.
type DB struct {
	address string // without a password
	// session is behind a function, so that no output shows the password in it.
	session func() *session
}

// session is the state of a DB.
type session struct {
	turn     chan struct{} // holds one value while nobody uses the connection
	dial     func(ctx context.Context, password string) (dbms.Conn, error)
	password string // that the user has typed
	conn     dbms.Conn
	closed   bool
	lost     bool // whether a connection was replaced since the last query
	tables   []dbms.Table
	known    bool // whether tables is up to date
}

// Connect connects to PostgreSQL (postgres://user@host:5432/database), to MySQL or MariaDB
// (mysql://user@host:3306/database), or to a SQLite file (shop.sqlite), which it creates if the
// file does not exist. The address :memory: opens a SQLite database in memory. Do not write a
// password in a notebook: Connect takes it from PGPASSWORD, ~/.pgpass or MYSQL_PWD. If none of them
// has a password and the server requires one, Connect asks the user. An address with a password
// must come from an environment variable, as in ml.Connect(os.Getenv("DATABASE_URL")).
//
// A PostgreSQL address accepts the options of libpq, such as ?sslmode=verify-full. A MySQL address
// accepts the options tls (true, skip-verify, preferred or false) and collation. For a Unix socket,
// add ?host=/DIRECTORY for PostgreSQL or ?socket=/PATH for MySQL.
//
// Times with a time zone are shown in the session's time zone. For MySQL, Connect sets this time
// zone to UTC. Times without a time zone are read as times in UTC.
func Connect(address string) (*DB, error) {
	run := (&model.Control{}).Begin("Connect", 0)
	defer run.End()
	t, err := resolve(address)
	if err != nil {
		return nil, err
	}
	s := &session{turn: make(chan struct{}, 1), dial: t.dial}
	s.turn <- struct{}{}
	db := &DB{address: t.shown, session: func() *session { return s }}
	s.conn, err = t.dial(run.Context(), "")
	if errors.Is(err, errPassword) {
		err = s.ask(run.Context(), t, err)
	}
	if err != nil {
		return nil, err
	}
	return db, nil
}

// ask asks the user for the password, and connects with it.
func (s *session) ask(ctx context.Context, t *target, refused error) error {
	who := fmt.Sprintf("%s at %s", t.user, t.host)
	if t.given {
		return model.Errorf("Connect", "%v", refused).WithHint("correct the password of %s in the environment variable %s", who, t.variable)
	}
	typed, asked, err := model.AskPassword("Password of " + who + ": ")
	if !asked {
		return model.Errorf("Connect", "%v; no password is set, and nobody can be asked for it", refused).WithHint("set the environment variable %s before you start the program", t.variable)
	}
	if err != nil {
		return err
	}
	if s.conn, err = t.dial(ctx, typed); errors.Is(err, errPassword) {
		return model.Errorf("Connect", "%v", err).WithHint("run the cell again, and type the password of %s", who)
	}
	s.password = typed
	return err
}

// hidden returns an address without its password.
func hidden(u *url.URL) string {
	v := *u
	if v.User != nil {
		v.User = url.User(v.User.Username())
	}
	if q := v.Query(); q.Has("password") || q.Has("sslpassword") {
		q.Del("password")
		q.Del("sslpassword")
		v.RawQuery = q.Encode()
	}
	return v.String()
}

// checkPassword returns an error for an address with a password that does not come from the
// environment, because it would be saved with the notebook.
func checkPassword(address string, u *url.URL, variable string) error {
	password, _ := u.User.Password()
	if password == "" {
		password = u.Query().Get("password")
	}
	if password == "" {
		return nil
	}
	for _, pair := range os.Environ() {
		if _, value, _ := strings.Cut(pair, "="); value == password || strings.Contains(value, address) {
			return nil
		}
	}
	return model.Errorf("Connect", "the address must not have a password, which would be saved with the notebook").
		WithHint("use %s: the password is taken from the environment variable %s, or asked for", hidden(u), variable)
}

// String returns the address without a password.
func (db *DB) String() string { return db.address }

// GoString returns the address without a password.
func (db *DB) GoString() string { return fmt.Sprintf("ml.Connect(%q)", db.address) }

// Close closes the connection.
func (db *DB) Close() error {
	return db.use("DB.Close", func(_ context.Context, s *session) error {
		s.closed = true
		return s.conn.Close()
	})
}

// use calls f when no other goroutine uses the connection. It connects again if the connection is
// closed.
func (db *DB) use(op string, f func(ctx context.Context, s *session) error) error {
	run := (&model.Control{}).Begin(op, 0)
	defer run.End()
	s, ctx := db.session(), run.Context()
	select {
	case <-s.turn:
		defer func() { s.turn <- struct{}{} }()
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if s.closed {
		return model.Errorf(op, "the connection to %s is closed", db.address).WithHint("use ml.Connect to open it again")
	}
	if s.conn.Closed() {
		if err := s.again(ctx); err != nil {
			return err
		}
	}
	open := s.conn.InTransaction()
	err := f(ctx, s)
	if errors.Is(err, dbms.ErrLost) && !open { // nothing has run
		if err = s.again(ctx); err == nil {
			err = f(ctx, s)
		}
	}
	if errors.Is(err, dbms.ErrLost) {
		s.conn.Close()
		return model.Errorf(op, "%v; its transaction is rolled back", err).WithHint("run the transaction again from its beginning")
	}
	return err
}

// again replaces the connection.
func (s *session) again(ctx context.Context) error {
	s.conn.Close()
	conn, err := s.dial(ctx, s.password)
	if err != nil {
		return err
	}
	s.conn, s.lost = conn, true
	return nil
}

// Query runs a query and returns its rows as a frame. Write parameters as :name and pass a map of
// their values, or use the placeholders of the database ($1 in PostgreSQL, ? elsewhere) and pass
// the values:
//
//	f := db.Query("select * from orders where total > :least", map[string]any{"least": 100})
//	f := db.Query("select * from orders where total > $1", 100)
//
// The values are sent separately from the text of the query. The text can have several statements;
// the frame then holds the result of the last statement. If the last statement returns no rows, as
// an insert does, the frame holds the number of changed rows.
//
// NULL is a missing value. Decimals become float64, or int64 if they have no decimal places; if
// digits are lost, a note reports it. Bytes become strings such as x'00ff'. Arrays, JSON and values
// of all remaining types also become strings.
func (db *DB) Query(query string, args ...any) (*frame.Frame, error) {
	var f *frame.Frame
	err := db.run("DB.Query", query, args, func(r *dbms.Result, lost bool) {
		if f = r.Frame; f == nil {
			f, _ = frame.New(frame.IntColumn("rows_affected", []int64{r.Affected})) // one column is always right
		}
		if lost {
			f = f.Noted("connected again, since the connection was closed: settings and temporary tables of the session are lost")
		}
	})
	return f, err
}

// Exec runs statements and returns the total number of rows that they changed. It takes the same
// arguments as [DB.Query].
func (db *DB) Exec(statements string, args ...any) (int64, error) {
	n := int64(0)
	err := db.run("DB.Exec", statements, args, func(r *dbms.Result, _ bool) { n += r.Affected })
	return n, err
}

// run runs the statements of a text and calls each with their results; lost is set for the last
// result of the first text after the connection was replaced.
func (db *DB) run(op, text string, args []any, each func(r *dbms.Result, lost bool)) error {
	named, isNamed := map[string]any(nil), len(args) == 0
	if len(args) == 1 {
		named, isNamed = args[0].(map[string]any)
	}
	return db.use(op, func(ctx context.Context, s *session) error {
		d := s.conn.Dialect()
		list := dbms.Split(text, d, isNamed)
		switch {
		case len(list) == 0:
			return model.Errorf(op, "the query must not be empty")
		case len(list) > 1 && !isNamed && len(args) > 0:
			return model.Errorf(op, "values by position must belong to one statement, got %d statements", len(list)).WithHint("use named parameters, such as :name, and pass a map of their values")
		}
		for i, statement := range list {
			values, err := bind(op, statement, named, isNamed, args)
			if err != nil {
				return err
			}
			s.known = s.known && reads(statement.Text)
			r, err := s.conn.Run(ctx, statement, values)
			if err != nil {
				if i > 0 && errors.Is(err, dbms.ErrLost) {
					s.conn.Close()
					return model.Errorf(op, "the connection ended after %d statements", i).WithHint("check what they have changed, and run the rest again")
				}
				return s.located(ctx, err, text)
			}
			each(r, s.lost && i == len(list)-1)
		}
		if op == "DB.Query" {
			s.lost = false
		}
		return nil
	})
}

// bind returns the values of a statement's placeholders.
func bind(op string, s *dbms.Statement, named map[string]any, isNamed bool, args []any) ([]any, error) {
	var list []any
	if !isNamed {
		for i, v := range args {
			value, err := dbms.Plain(v)
			if err != nil {
				return nil, model.Errorf(op, "value %d %v", i+1, err)
			}
			list = append(list, value)
		}
		return list, nil
	}
	for _, name := range s.Names {
		v, ok := named[name]
		if !ok {
			return nil, model.Errorf(op, "the parameter :%s must have a value", name).WithHint("%s", known(named))
		}
		value, err := dbms.Plain(v)
		if err != nil {
			return nil, model.Errorf(op, "the parameter :%s %v", name, err)
		}
		list = append(list, value)
	}
	return list, nil
}

func known(named map[string]any) string {
	if len(named) == 0 {
		return "pass its value as a parameter; the query got none"
	}
	var names []string
	for name := range named {
		names = append(names, ":"+name)
	}
	slices.Sort(names)
	return "use one of the parameters " + strings.Join(names, ", ") + ", or pass its value"
}

// reads reports whether a statement certainly changes no tables.
func reads(text string) bool {
	words := strings.Fields(strings.ToLower(text))
	return len(words) > 0 && (words[0] == "insert" || slices.Contains([]string{"select", "with", "values", "show", "explain", "update", "delete"}, words[0]) && !slices.Contains(words, "into"))
}

// Table returns a table or view as a lazy frame. Its verbs, such as Where, Join and By, build a
// query that the database runs; Collect brings the result. The name can be schema.table.
func (db *DB) Table(name string) (*lazy.Frame, error) {
	mark := ""
	if err := db.use("DB.Table", func(_ context.Context, s *session) error { mark = s.conn.Dialect().Mark; return nil }); err != nil {
		return nil, err
	}
	return db.lazy(dbms.Quoted(name, mark))
}

// From returns the rows of a query as a lazy frame, as [DB.Table] does for a table. With Spark, it
// reads files on the server: db.From("select * from parquet.`/data/rides`").
func (db *DB) From(query string) (*lazy.Frame, error) {
	return db.lazy("(" + strings.TrimRight(strings.TrimSpace(query), ";") + "\n)")
}

// lazy returns the lazy frame of a source, whose columns it asks the database for.
func (db *DB) lazy(source string) (*lazy.Frame, error) {
	e := engine{db}
	d, err := e.Dialect()
	if err != nil {
		return nil, err
	}
	rows := "0"
	if d == lazy.SQLite { // whose columns have no types, only their values
		rows = "1000"
	}
	sample, err := e.Collect("select * from " + source + " as t limit " + rows)
	if err != nil {
		return nil, err
	}
	return lazy.New(e, source, sample), nil
}

// engine runs the queries of lazy frames.
type engine struct{ db *DB }

func (e engine) String() string { return e.db.String() }

func (e engine) Dialect() (d *lazy.Dialect, err error) {
	err = e.db.use("LazyFrame.SQL", func(_ context.Context, s *session) error {
		d = lazy.DialectOf(s.conn.Dialect().Name)
		return nil
	})
	return d, err
}

func (e engine) Collect(query string) (f *frame.Frame, err error) {
	err = e.db.use("LazyFrame.Collect", func(ctx context.Context, s *session) error {
		r, err := s.conn.Run(ctx, &dbms.Statement{Text: query}, nil)
		if err != nil {
			return s.located(ctx, err, query)
		}
		if f = r.Frame; f == nil {
			f, err = frame.New()
		}
		return err
	})
	return f, err
}

// Write writes a frame to a new table. The name can be schema.table. The rows are sent to
// PostgreSQL with COPY, and to other databases in batches. If Write fails, it creates no table.
//
// Columns become bigint, double precision, text or boolean, depending on their kind. A column of
// times becomes date if all its times are midnight in UTC, and timestamp without time zone if its
// zone is UTC. Other times become timestamp with time zone if the database has this type;
// otherwise, Write converts them to UTC. NaN and other missing values become NULL.
func (db *DB) Write(table string, f *frame.Frame) error { return db.write(table, f, dbms.Create) }

// Append adds the rows of a frame to a table. It matches columns by name; table columns that the
// frame lacks get their default values. If Append fails, the table is unchanged.
func (db *DB) Append(table string, f *frame.Frame) error { return db.write(table, f, dbms.Append) }

// Replace writes a frame to a table as [DB.Write] does, but first drops an existing table of that
// name. If Replace fails, the existing table is unchanged.
func (db *DB) Replace(table string, f *frame.Frame) error { return db.write(table, f, dbms.Replace) }

func (db *DB) write(table string, f *frame.Frame, mode dbms.Mode) error {
	if table == "" || strings.ContainsRune(table, 0) {
		return model.Errorf("DB.Write", "the name of the table must not be empty or contain a zero byte, got %q", table)
	}
	return db.use("DB.Write", func(ctx context.Context, s *session) error {
		s.known = false
		return s.conn.Write(ctx, table, f, mode)
	})
}

// Tables returns a frame that lists the columns of all tables and views, with their database types.
func (db *DB) Tables() (*frame.Frame, error) {
	var table, column, kind []string
	err := db.use("DB.Tables", func(ctx context.Context, s *session) error {
		list, err := s.conn.Tables(ctx)
		for _, t := range list {
			for _, c := range t.Columns {
				table, column, kind = append(table, t.Name), append(column, c.Name), append(kind, c.Type)
			}
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return frame.New(frame.StringColumn("table", table), frame.StringColumn("column", column), frame.StringColumn("type", kind))
}

// completionWait is the maximum time for which a completion waits for the database.
const completionWait = 2 * time.Second

// Names returns the columns of each table, with all names quoted where a query must quote them.
// Code completion in cells uses these names. Names returns nil while a query runs.
func (db *DB) Names() map[string][]string {
	s := db.session()
	select {
	case <-s.turn:
		defer func() { s.turn <- struct{}{} }()
	default:
		return nil
	}
	if s.closed || s.conn.Closed() {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), completionWait)
	defer cancel()
	names, d := map[string][]string{}, s.conn.Dialect()
	for _, t := range s.catalog(ctx) {
		table := d.Written(t.Name)
		for _, c := range t.Columns {
			names[table] = append(names[table], d.WrittenName(c.Name))
		}
	}
	return names
}

// catalog returns the tables, which it reads again after statements that can change them.
func (s *session) catalog(ctx context.Context) []dbms.Table {
	if !s.known {
		if list, err := s.conn.Tables(ctx); err == nil {
			s.tables, s.known = list, true
		}
	}
	return s.tables
}

// located adds the position in the text to an error, and the names that could be meant.
func (s *session) located(ctx context.Context, err error, text string) error {
	var e *dbms.Located
	if !errors.As(err, &e) {
		return err
	}
	out := *e.Err
	out.What += dbms.Place(text, e.At)
	var names []string
	lower := strings.ToLower(text)
	if e.Name != "" && !s.conn.InTransaction() { // in a transaction, PostgreSQL now refuses queries
		for _, t := range s.catalog(ctx) {
			if e.Name == "table" {
				names = append(names, t.Name)
			} else if strings.Contains(lower, strings.ToLower(t.Name)) {
				for _, c := range t.Columns {
					names = append(names, c.Name)
				}
			}
		}
	}
	if len(names) > 20 {
		out.Hint = fmt.Sprintf("use db.Tables() to list the %ss", e.Name)
	} else if len(names) > 0 {
		out.Hint = fmt.Sprintf("use one of the %ss %s", e.Name, strings.Join(names, ", "))
	}
	return &out
}
