//go:build !js

// Package postgres connects to PostgreSQL. pgconn speaks the protocol; this package decodes rows
// into columns and writes frames with COPY.
package postgres

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgconn/ctxwatch"

	"github.com/gokernel/gokernel/mlstd/internal/dbms"
	"github.com/gokernel/gokernel/mlstd/model"
)

const op = "DB.Query"

var dialect = &dbms.Dialect{Name: "PostgreSQL", Mark: `"`, Numbered: true, Dollar: true}

// patience is how long a server has to confirm that it has canceled a query. After that, the
// connection is closed.
const patience = 3 * time.Second

// settings of the session say how values are written that are sent as text.
const settings = "set datestyle = 'ISO, MDY';" +
	"set intervalstyle = 'postgres';" +
	"set bytea_output = 'hex'"

// conn is a connection.
type conn struct {
	pg   *pgconn.PgConn
	zone *time.Location
}

// Login holds the user and the host of a connection, for messages and prompts.
type Login struct {
	User, Host string
	Given      bool // whether there is a password, from the environment or a file
}

// ErrPassword reports that the server rejected the password.
var ErrPassword = errors.New("password refused")

// Read parses an address. The environment variables of PostgreSQL, such as PGPASSWORD, and the file
// ~/.pgpass supply the parts that the address lacks.
func Read(address string) (Login, error) {
	c, err := pgconn.ParseConfig(address)
	if err != nil {
		return Login{}, model.Errorf("Connect", "%v", err)
	}
	return Login{User: c.User, Host: c.Host, Given: c.Password != ""}, nil
}

// Open connects. If password is not "", Open uses it instead of the password in the environment.
func Open(ctx context.Context, address, password string) (dbms.Conn, error) {
	config, err := pgconn.ParseConfig(address)
	if err != nil {
		return nil, model.Errorf("Connect", "%v", err)
	}
	if password != "" {
		config.Password = password
	}
	config.BuildContextWatcherHandler = func(c *pgconn.PgConn) ctxwatch.Handler {
		return &pgconn.CancelRequestContextWatcherHandler{Conn: c, DeadlineDelay: patience}
	}
	if config.ConnectTimeout == 0 {
		config.ConnectTimeout = 30 * time.Second
	}
	if config.RuntimeParams["application_name"] == "" {
		config.RuntimeParams["application_name"] = "gokernel"
	}
	pg, err := pgconn.ConnectConfig(ctx, config)
	if err != nil {
		return nil, refused(ctx, config, err)
	}
	c := &conn{pg: pg, zone: time.UTC}
	if err := pg.Exec(ctx, settings).Close(); err != nil {
		pg.Close(context.Background())
		return nil, model.Errorf("Connect", "%v", err)
	}
	return c, nil
}

// refused describes why a connection failed.
func refused(ctx context.Context, config *pgconn.Config, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	var e *pgconn.PgError
	if errors.As(err, &e) {
		switch e.Code {
		case "28P01":
			return fmt.Errorf("%w: %s", ErrPassword, e.Message)
		case "28000":
			return model.Errorf("Connect", "%s", e.Message).WithHint("use an address such as postgres://USER@%s/DATABASE", config.Host)
		case "3D000":
			return model.Errorf("Connect", "%s", e.Message).WithHint("use an address such as postgres://%s/NAME; psql -l lists the databases", config.Host)
		}
		return model.Errorf("Connect", "%s", e.Message)
	}
	var n *net.OpError
	if errors.As(err, &n) {
		return model.Errorf("Connect", "no PostgreSQL server answers at %s:%d: %v", config.Host, config.Port, n.Err).WithHint("start the server, or correct the host and port of the address")
	}
	return model.Errorf("Connect", "%v", err)
}

func (c *conn) Dialect() *dbms.Dialect { return dialect }
func (c *conn) Closed() bool           { return c.pg.IsClosed() }
func (c *conn) InTransaction() bool    { return c.pg.TxStatus() != 'I' }

func (c *conn) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	return c.pg.Close(ctx)
}

// Run runs a statement.
func (c *conn) Run(ctx context.Context, s *dbms.Statement, args []any) (*dbms.Result, error) {
	described, values, err := c.prepare(ctx, s, args)
	if err != nil {
		return nil, err
	}
	c.zone = time.UTC
	if z, err := time.LoadLocation(c.pg.ParameterStatus("TimeZone")); err == nil && z.String() != "Etc/UTC" {
		c.zone = z
	}
	columns := make([]*dbms.Builder, len(described.Fields))
	decoders, formats := make([]decoder, len(columns)), make([]int16, len(columns))
	for j, f := range described.Fields {
		columns[j], decoders[j], formats[j] = c.column(f)
	}
	rows := c.pg.ExecPrepared(ctx, "", values, nil, formats)
	n := 0
	var failed error
	for rows.NextRow() {
		for j, v := range rows.Values() {
			switch {
			case v == nil:
				columns[j].Null()
				continue
			case failed == nil:
				failed = decoders[j](columns[j], v)
			}
			if failed != nil {
				name := described.Fields[j].Name
				failed = model.Errorf(op, "row %d of column %q: %v", n, name, failed).WithHint("cast the column to text in the query: %s::text", dbms.Quoted(name, `"`))
				break
			}
		}
		if failed != nil {
			break
		}
		n++
	}
	tag, err := rows.Close()
	switch {
	case failed != nil:
		return nil, failed
	case err != nil:
		return nil, c.failed(ctx, op, s, err)
	case len(columns) == 0:
		return &dbms.Result{Affected: tag.RowsAffected()}, nil
	}
	f, err := dbms.Frame(columns)
	return &dbms.Result{Frame: f}, err
}

// prepare has the server parse a statement, and encodes the arguments for the types that it
// expects.
func (c *conn) prepare(ctx context.Context, s *dbms.Statement, args []any) (*pgconn.StatementDescription, [][]byte, error) {
	types := make([]uint32, len(args))
	for i, v := range args {
		switch v.(type) {
		case float64:
			types[i] = oidFloat8
		case bool:
			types[i] = oidBool
		}
	}
	described, err := c.pg.Prepare(ctx, "", s.Text, types)
	var e *pgconn.PgError
	again := errors.As(err, &e) && e.Code == "42P18" // a type that cannot be inferred
	if err != nil && !again {
		if c.pg.IsClosed() && ctx.Err() == nil {
			return nil, nil, fmt.Errorf("%w: %w", dbms.ErrLost, err)
		}
		return nil, nil, c.failed(ctx, op, s, err)
	}
	for i, v := range args {
		if again || i < len(described.ParamOIDs) && isText(described.ParamOIDs[i]) {
			switch v.(type) {
			case int64:
				types[i], again = oidInt8, true
			case time.Time:
				types[i], again = oidTimestamptz, true
			case string, nil:
				if described == nil {
					types[i] = oidText
				}
			}
		}
	}
	if again {
		if described, err = c.pg.Prepare(ctx, "", s.Text, types); err != nil {
			return nil, nil, c.failed(ctx, op, s, err)
		}
	}
	if len(described.ParamOIDs) != len(args) {
		return nil, nil, model.Errorf(op, "the statement has %d placeholders, but there are %d values", len(described.ParamOIDs), len(args))
	}
	values := make([][]byte, len(args))
	for i, v := range args {
		values[i] = encode(v, described.ParamOIDs[i])
	}
	return described, values, nil
}

// failed describes an error of the server, with its position in the text.
func (c *conn) failed(ctx context.Context, op string, s *dbms.Statement, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	var e *pgconn.PgError
	switch {
	case !errors.As(err, &e) && c.pg.IsClosed():
		return model.Errorf(op, "the connection ended: %v", err).WithHint("run the cell again: it connects again")
	case e == nil:
		return model.Errorf(op, "%v", err)
	case c.pg.IsClosed() || e.Severity == "FATAL":
		return model.Errorf(op, "the server ended the connection: %s", e.Message).WithHint("run the cell again: it connects again")
	}
	out := model.Errorf(op, "%s", e.Message)
	if e.Detail != "" {
		out.What += " (" + e.Detail + ")"
	}
	if s != nil && e.Position > 0 {
		at := 0
		for range int(e.Position) - 1 { // counts characters
			if at >= len(s.Text) {
				break
			}
			at++
			for at < len(s.Text) && s.Text[at]&0xc0 == 0x80 {
				at++
			}
		}
		return &dbms.Located{Err: out, At: s.At(at), Name: nameIn(e)}
	}
	if out.Hint = strings.TrimSuffix(e.Hint, "."); e.Code == "25P02" {
		out.Hint = "run db.Exec(\"rollback\") to end the transaction"
	}
	return out
}

// nameIn returns the kind of name that the server does not know: "table", "column" or "".
func nameIn(e *pgconn.PgError) string {
	switch e.Code {
	case "42P01":
		return "table"
	case "42703":
		return "column"
	}
	return ""
}

// tables lists the columns of all tables that the user can read.
const tables = `SELECT case when pg_table_is_visible(c.oid) then c.relname else n.nspname || '.' || c.relname end, a.attname, format_type(a.atttypid, a.atttypmod)
from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid
where c.relkind in ('r', 'v', 'm', 'f', 'p') and a.attnum > 0 and not a.attisdropped
  and n.nspname <> 'information_schema' and (n.nspname not like 'pg\_%' or n.nspname like 'pg\_temp\_%' and pg_table_is_visible(c.oid))
  and has_table_privilege(c.oid, 'select')
order by 1, a.attnum`

// Tables lists tables and their columns.
func (c *conn) Tables(ctx context.Context) ([]dbms.Table, error) {
	s := dbms.Split(tables, dialect, false)[0]
	r, err := c.Run(ctx, s, nil)
	if err != nil {
		return nil, err
	}
	return dbms.Tabled(r.Frame), nil
}
