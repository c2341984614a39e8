//go:build !js

// Package mysql connects to MySQL and MariaDB. go-sql-driver/mysql speaks the protocol. This
// package gathers rows into columns, and writes frames with prepared statements that insert many
// rows each.
package mysql

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"strings"
	"sync"
	"time"

	driving "github.com/go-sql-driver/mysql"

	"github.com/gokernel/gokernel/mlstd/internal/dbms"
	"github.com/gokernel/gokernel/mlstd/model"
)

const op = "DB.Query"

var dialect = &dbms.Dialect{Name: "MySQL", Mark: "`", Backslash: true}

// patience is how long a server has to confirm that it has canceled a query.
const patience = 3 * time.Second

// Error numbers of the server.
const (
	accessDenied    = 1045
	unknownDatabase = 1049
	unknownColumn   = 1054
	noSuchTable     = 1146
	syntaxError     = 1064
)

// ErrPassword reports that the server rejected the password.
var ErrPassword = errors.New("password refused")

// conn is a connection.
type conn struct {
	driver.Conn
	config *driving.Config
	id     int64 // of the connection, for KILL
	open   bool  // whether a transaction is open
}

// Login holds the user and the host of a connection, for messages and prompts.
type Login struct {
	User, Host string
	Given      bool // whether there is a password, from the environment
}

// Read parses an address. If the address has no password, the environment variable MYSQL_PWD
// supplies it.
func Read(address string) (Login, error) {
	c, err := parse(address)
	if err != nil {
		return Login{}, err
	}
	return Login{User: c.User, Host: c.Addr, Given: c.Passwd != ""}, nil
}

// parse converts mysql://user@host:port/database?socket=PATH&tls=MODE.
func parse(address string) (*driving.Config, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, model.Errorf("Connect", "the address must be like mysql://user@host:3306/database")
	}
	c := driving.NewConfig()
	c.Logger = &driving.NopLogger{}
	c.ParseTime, c.Timeout = true, 30*time.Second
	c.User, c.DBName = u.User.Username(), strings.TrimPrefix(u.Path, "/")
	if c.Passwd, _ = u.User.Password(); c.Passwd == "" {
		c.Passwd = os.Getenv("MYSQL_PWD")
	}
	if c.User == "" {
		if c.User = os.Getenv("USER"); c.User == "" {
			c.User = "root"
		}
	}
	host, port := u.Hostname(), u.Port()
	if host == "" {
		host = "localhost"
	}
	if port == "" {
		port = "3306"
	}
	c.Net, c.Addr, c.TLSConfig = "tcp", net.JoinHostPort(host, port), "preferred"
	for key, values := range u.Query() {
		switch value := values[len(values)-1]; key {
		case "socket":
			c.Net, c.Addr, c.TLSConfig = "unix", value, "false"
		case "tls":
			c.TLSConfig = value
		case "charset", "collation":
			c.Collation = value
		default:
			return nil, model.Errorf("Connect", "the options of a MySQL address must be socket, tls or collation, got %q", key)
		}
	}
	// The session uses UTC, so that a TIMESTAMP is the moment it stands for. Without these modes,
	// MySQL stores values that do not fit as other values.
	c.Params = map[string]string{
		"time_zone": "'+00:00'",
		"sql_mode":  "concat(@@sql_mode, ',STRICT_TRANS_TABLES,STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO')",
	}
	return c, nil
}

// Open connects. If password is not "", Open uses it instead of the password in the environment.
func Open(ctx context.Context, address, password string) (dbms.Conn, error) {
	config, err := parse(address)
	if err != nil {
		return nil, err
	}
	if password != "" {
		config.Passwd = password
	}
	c := &conn{config: config}
	if c.Conn, err = dial(ctx, config); err != nil {
		return nil, refused(ctx, config, err)
	}
	r, err := c.Run(ctx, &dbms.Statement{Text: "select connection_id()"}, nil)
	if err != nil {
		c.Conn.Close()
		return nil, err
	}
	c.id = r.Frame.Columns()[0].At(0).(int64)
	return c, nil
}

func dial(ctx context.Context, config *driving.Config) (driver.Conn, error) {
	connector, err := driving.NewConnector(config)
	if err != nil {
		return nil, err
	}
	return connector.Connect(ctx)
}

// refused describes why a connection failed.
func refused(ctx context.Context, config *driving.Config, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	var e *driving.MySQLError
	if errors.As(err, &e) {
		switch e.Number {
		case accessDenied, 1698:
			return fmt.Errorf("%w: %s", ErrPassword, e.Message)
		case unknownDatabase:
			return model.Errorf("Connect", "%s", e.Message).WithHint("use an address such as mysql://%s@%s/NAME; show databases lists the names", config.User, config.Addr)
		}
		return model.Errorf("Connect", "%s", e.Message)
	}
	var n *net.OpError
	if errors.As(err, &n) {
		return model.Errorf("Connect", "no MySQL server answers at %s: %v", config.Addr, n.Err).WithHint("start the server, or correct the host and port of the address")
	}
	return model.Errorf("Connect", "%v", err)
}

func (c *conn) Dialect() *dbms.Dialect { return dialect }
func (c *conn) Closed() bool           { return !c.Conn.(driver.Validator).IsValid() }
func (c *conn) InTransaction() bool    { return c.open }

// watch returns the context for the driver, which closes the connection when that context ends. If
// ctx ends, the server is first told to cancel the query, by a second connection.
func (c *conn) watch(ctx context.Context) (hard context.Context, stop func()) {
	hard, cancel := context.WithCancel(context.WithoutCancel(ctx))
	done := make(chan struct{})
	var finished sync.WaitGroup
	finished.Go(func() {
		select {
		case <-done:
			return
		case <-ctx.Done():
		}
		if c.kill() != nil {
			cancel()
			return
		}
		late := time.NewTimer(patience)
		defer late.Stop()
		select {
		case <-done:
		case <-late.C:
			cancel()
		}
	})
	return hard, func() {
		close(done)
		finished.Wait()
		cancel()
	}
}

// kill cancels the query of the connection.
func (c *conn) kill() error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	other, err := dial(ctx, c.config)
	if err != nil {
		return err
	}
	defer other.Close()
	_, err = other.(driver.ExecerContext).ExecContext(ctx, fmt.Sprintf("kill query %d", c.id), nil)
	return err
}

// Run runs a statement. With parameters it is prepared by the server.
func (c *conn) Run(ctx context.Context, s *dbms.Statement, args []any) (*dbms.Result, error) {
	if err := c.Conn.(driver.SessionResetter).ResetSession(ctx); err != nil {
		return nil, fmt.Errorf("%w: the server has closed it", dbms.ErrLost)
	}
	hard, stop := c.watch(ctx)
	defer stop()
	result, err := c.run(hard, s, args)
	if err != nil {
		return nil, c.failed(ctx, op, s, err)
	}
	c.follow(s.Text)
	return result, nil
}

// follow notes whether a statement begins or ends a transaction.
func (c *conn) follow(text string) {
	words := strings.Fields(strings.ToLower(text))
	if len(words) == 0 {
		return
	}
	switch words[0] {
	case "begin":
		c.open = true
	case "start":
		c.open = len(words) > 1 && words[1] == "transaction"
	case "commit", "create", "drop", "alter", "truncate", "rename":
		c.open = false
	case "rollback":
		c.open = len(words) > 1 && words[1] == "to"
	}
}

func (c *conn) run(ctx context.Context, s *dbms.Statement, args []any) (*dbms.Result, error) {
	rows, err := c.query(ctx, s.Text, args)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	names := rows.Columns()
	if len(names) == 0 {
		if err := rows.Close(); err != nil {
			return nil, err
		}
		count, err := c.Conn.(driver.QueryerContext).QueryContext(ctx, "select row_count()", nil)
		if err != nil {
			return nil, err
		}
		defer count.Close()
		value := make([]driver.Value, 1)
		if err := count.Next(value); err != nil {
			return nil, err
		}
		n, _ := value[0].(int64)
		return &dbms.Result{Affected: max(n, 0)}, nil
	}
	columns, add := make([]*dbms.Builder, len(names)), make([]adder, len(names))
	for j, name := range names {
		columns[j], add[j] = begin(name, rows.(driver.RowsColumnTypeDatabaseTypeName).ColumnTypeDatabaseTypeName(j))
	}
	values := make([]driver.Value, len(names))
	for n := 0; ; n++ {
		err := rows.Next(values)
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		for j, v := range values {
			if v == nil {
				columns[j].Null()
			} else if err := add[j](columns[j], v); err != nil {
				return nil, model.Errorf(op, "row %d of column %q: %v", n, names[j], err).WithHint("cast the column to text in the query: cast(%s as char)", dbms.QuotedName(names[j], "`"))
			}
		}
	}
	f, err := dbms.Frame(columns)
	return &dbms.Result{Frame: f}, err
}

// query runs a statement, which the server prepares if it has parameters.
func (c *conn) query(ctx context.Context, text string, args []any) (driver.Rows, error) {
	if len(args) == 0 {
		return c.Conn.(driver.QueryerContext).QueryContext(ctx, text, nil)
	}
	stmt, err := c.Conn.(driver.ConnPrepareContext).PrepareContext(ctx, text)
	if err != nil {
		return nil, err
	}
	if n := stmt.NumInput(); n != len(args) {
		stmt.Close()
		return nil, model.Errorf(op, "the statement has %d placeholders, but there are %d values", n, len(args))
	}
	rows, err := stmt.(driver.StmtQueryContext).QueryContext(ctx, named(args))
	if err != nil {
		stmt.Close()
		return nil, err
	}
	return &prepared{rows.(typedRows), stmt}, nil
}

type typedRows interface {
	driver.Rows
	driver.RowsColumnTypeDatabaseTypeName
}

// prepared closes the statement with its rows.
type prepared struct {
	typedRows
	stmt driver.Stmt
}

func (p *prepared) Close() error {
	err := p.typedRows.Close()
	if p.stmt != nil {
		err = errors.Join(err, p.stmt.Close())
		p.stmt = nil
	}
	return err
}

func named(args []any) []driver.NamedValue {
	list := make([]driver.NamedValue, len(args))
	for i, v := range args {
		list[i] = driver.NamedValue{Ordinal: i + 1, Value: v}
	}
	return list
}

// failed describes an error of the server. For a syntax error, it finds the position in the text.
func (c *conn) failed(ctx context.Context, op string, s *dbms.Statement, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	var own *model.Error
	if errors.As(err, &own) {
		return own
	}
	var e *driving.MySQLError
	if !errors.As(err, &e) {
		if c.Closed() || errors.Is(err, driver.ErrBadConn) || errors.Is(err, driving.ErrInvalidConn) {
			return model.Errorf(op, "the server ended the connection").WithHint("run the cell again: it connects again")
		}
		return model.Errorf(op, "%v", err)
	}
	out, name, word := model.Errorf(op, "%s", e.Message), "", ""
	quoted := strings.Split(e.Message, "'")
	switch e.Number {
	case syntaxError: // ... near 'REST OF THE TEXT' at line 1
		_, rest, _ := strings.Cut(e.Message, "near '")
		if i := strings.LastIndex(rest, "' at line"); i >= 0 {
			word = rest[:i]
		}
		out.What = strings.Replace(e.Message, "; check the manual that corresponds to your "+server(e.Message)+" server version for the right syntax to use", "", 1)
	case noSuchTable, unknownColumn:
		if name = "table"; e.Number == unknownColumn {
			name = "column"
		}
		if len(quoted) > 1 {
			parts := strings.Split(quoted[1], ".")
			word = parts[len(parts)-1]
		}
	}
	if s != nil && word != "" {
		if at := strings.Index(s.Text, word); at >= 0 {
			return &dbms.Located{Err: out, At: s.At(at), Name: name}
		}
	}
	return out
}

func server(message string) string {
	if strings.Contains(message, "MariaDB") {
		return "MariaDB"
	}
	return "MySQL"
}

// Tables lists the tables of the current database and their columns.
func (c *conn) Tables(ctx context.Context) ([]dbms.Table, error) {
	r, err := c.Run(ctx, &dbms.Statement{Text: "select if(table_schema = database(), table_name, concat(table_schema, '.', table_name)), column_name, column_type from information_schema.columns where table_schema not in ('information_schema', 'mysql', 'performance_schema', 'sys') order by 1, ordinal_position"}, nil)
	if err != nil {
		return nil, err
	}
	return dbms.Tabled(r.Frame), nil
}
