//go:build !js

// Package spark connects to Apache Spark with the protocol of Spark Connect. Queries are sent as
// SQL; rows travel as Arrow batches in both directions.
package spark

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/gokernel/gokernel/mlstd/frame"
	"github.com/gokernel/gokernel/mlstd/internal/arrow"
	"github.com/gokernel/gokernel/mlstd/internal/columns"
	"github.com/gokernel/gokernel/mlstd/internal/dbms"
	"github.com/gokernel/gokernel/mlstd/model"
)

const op = "DB.Query"

var dialect = &dbms.Dialect{Name: "Spark", Mark: "`", Backslash: true}

// patience is how long a server has to confirm that it has canceled a query.
const patience = 10 * time.Second

// Fields of the messages of Spark Connect.
const (
	planRoot, planCommand                 = 1, 2
	relationSQL, relationLocal            = 10, 11
	commandView, commandSQL               = 3, 5
	answerBatch, answerSQL, answerServer  = 2, 5, 15
	literalNull, literalBool, literalLong = 1, 3, 7
	literalDouble, literalString          = 11, 13
	literalTimestamp                      = 17
	interruptOperation                    = 3 // a value of InterruptType
)

type conn struct {
	client  *client
	address *address
	server  string // the server's own name of the session, which a restart of the server changes
	closed  bool
}

// Login is the user and host of an address, for messages, and the address without its token.
type Login struct{ User, Host, Shown string }

// Read parses an address.
func Read(text string) (Login, error) {
	a, err := parse(text)
	if err != nil {
		return Login{}, err
	}
	return Login{a.user, a.host, a.shown}, nil
}

// Open connects to a server, and begins a session there.
func Open(ctx context.Context, text string) (dbms.Conn, error) {
	a, err := parse(text)
	if err != nil {
		return nil, err
	}
	if a.session == "" {
		a.session = uuid()
	}
	c := &conn{client: newClient(a), address: a}
	var m message
	m.text(1, a.session)
	m.bytes(2, c.user())
	m.bytes(10, nil) // asks for the version
	err = c.client.call(ctx, "AnalyzePlan", m, func(b []byte) error {
		c.server = string(field(b, answerServer))
		return nil
	})
	var s *status
	switch {
	case err == nil:
		return c, nil
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case errors.As(err, &s) && s.code == unauthenticated:
		return nil, model.Errorf("Connect", "the server at %s refuses the token: %s", a.host, s.message).WithHint("set the environment variable %s", TokenVariable)
	case errors.As(err, &s):
		return nil, model.Errorf("Connect", "%s", s.message)
	}
	return nil, model.Errorf("Connect", "no Spark Connect server answers at %s: %v", a.host, err).
		WithHint("start one with sbin/start-connect-server.sh of Spark, or correct the host and port of the address")
}

// uuid returns a random identifier of version 4.
func uuid() string {
	var b [16]byte
	rand.Read(b[:]) // never fails
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

func (c *conn) user() message {
	var m message
	m.text(1, c.address.user)
	m.text(2, c.address.user)
	return m
}

func (c *conn) Dialect() *dbms.Dialect { return dialect }
func (c *conn) Closed() bool           { return c.closed }
func (c *conn) InTransaction() bool    { return false }

func (c *conn) Close() error {
	if c.closed {
		return nil
	}
	c.closed = true
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	defer c.client.close()
	var m message
	m.text(1, c.address.session)
	m.bytes(2, c.user())
	err := c.client.call(ctx, "ReleaseSession", m, func([]byte) error { return nil })
	if errors.Is(err, errNoAnswer) { // a server that has ended has no session to release
		return nil
	}
	return err
}

// execute executes a plan. If ctx ends, it has the server cancel the plan.
func (c *conn) execute(ctx context.Context, plan message, each func(b []byte) error) error {
	operation := uuid()
	var m message
	m.text(1, c.address.session)
	m.bytes(2, c.user())
	m.bytes(3, plan)
	m.text(4, "gokernel")
	m.text(6, operation)
	if c.server != "" {
		m.text(8, c.server)
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	stream, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	interrupted := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(interrupted)
		defer cancel()
		c.interrupt(stream, operation)
	})
	err := c.client.call(stream, "ExecutePlan", m, each)
	if !stop() {
		cancel() // the plan has ended
		<-interrupted
		return context.Cause(ctx)
	}
	return err
}

// interrupt cancels an operation on the server. The server may not know the operation yet, so
// interrupt repeats the request until the server has canceled it or the operation has ended.
func (c *conn) interrupt(ctx context.Context, operation string) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	var m message
	m.text(1, c.address.session)
	m.bytes(2, c.user())
	m.number(4, interruptOperation)
	m.text(6, operation)
	for ctx.Err() == nil {
		done := false
		err := c.client.call(ctx, "Interrupt", m, func(b []byte) error {
			done = field(b, 2) != nil
			return nil
		})
		if done || err != nil {
			return
		}
		select {
		case <-ctx.Done():
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// Run runs a statement.
func (c *conn) Run(ctx context.Context, s *dbms.Statement, args []any) (*dbms.Result, error) {
	query, err := relation(s.Text, args)
	if err != nil {
		return nil, err
	}
	// As a command, the statement runs at once if it has effects. The answer is a relation with its
	// rows, which the second plan fetches.
	var rows message
	command := wrap(planCommand, wrap(commandSQL, wrap(6, query)))
	err = c.execute(ctx, command, func(b []byte) error {
		if r := field(field(b, answerSQL), 1); r != nil {
			rows = append(rows[:0], r...)
		}
		return nil
	})
	if err != nil {
		return nil, c.failed(ctx, s, err)
	}
	if rows == nil {
		return &dbms.Result{}, nil
	}
	var stream []byte
	err = c.execute(ctx, wrap(planRoot, rows), func(b []byte) (err error) {
		if batch := field(b, answerBatch); batch != nil {
			stream, err = join(stream, field(batch, 2))
		}
		return err
	})
	if err != nil {
		return nil, c.failed(ctx, s, err)
	}
	f, err := decode(stream)
	if err != nil {
		return nil, model.Errorf(op, "%v", err)
	}
	if f.Width() == 0 {
		return &dbms.Result{}, nil
	}
	return &dbms.Result{Frame: f}, nil
}

// relation returns the relation of a query with the values of its placeholders.
func relation(text string, args []any) (message, error) {
	var m message
	m.text(1, text)
	for _, v := range args {
		m.bytes(5, wrap(1, literal(v)))
	}
	return wrap(relationSQL, m), nil
}

// literal encodes a value that dbms.Plain returns.
func literal(v any) (m message) {
	switch v := v.(type) {
	case nil:
		m.bytes(literalNull, wrap(1, nil)) // of the type of NULL
	case bool:
		n := int64(0)
		if v {
			n = 1
		}
		m.number(literalBool, n)
	case int64:
		m.number(literalLong, v)
	case float64:
		m.double(literalDouble, v)
	case string:
		m.text(literalString, v)
	case time.Time:
		m.number(literalTimestamp, v.UnixMicro())
	}
	return m
}

// join appends an Arrow stream to a stream with the same schema.
func join(all, next []byte) ([]byte, error) {
	end := []byte{0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0}
	next = bytes.TrimSuffix(next, end)
	if all == nil {
		return append(all, next...), nil
	}
	if len(next) < 8 {
		return nil, errWire
	}
	n := 8 + int(next[4]) + int(next[5])<<8 + int(next[6])<<16 + int(next[7])<<24 // the schema
	if !bytes.HasPrefix(next, end[:4]) || n > len(next) {
		return nil, errWire
	}
	return append(all, next[n:]...), nil
}

// decode makes a frame from an Arrow stream.
func decode(stream []byte) (*frame.Frame, error) {
	if stream == nil {
		return frame.New()
	}
	t, err := arrow.Read(bytes.NewReader(stream), int64(len(stream)), func(string) bool { return true })
	if err != nil {
		return nil, err
	}
	list := make([]*frame.Column, len(t.Columns))
	for j, c := range t.Columns {
		list[j] = columns.Of(&c.Column)
	}
	f, err := frame.New(list...)
	if err != nil {
		return nil, err
	}
	return f.Noted(t.Notes...), nil
}

var position = regexp.MustCompile(`(?:; |\()?line (\d+),? pos (\d+)\)?`)

// state is the end of a message.
var state = regexp.MustCompile(`SQLSTATE: \w{5}`)

// failed describes an error of the server, with its position in the text.
func (c *conn) failed(ctx context.Context, s *dbms.Statement, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	var e *status
	switch {
	case errors.Is(err, errNoAnswer):
		c.closed = true
		return fmt.Errorf("%w: %w", dbms.ErrLost, err)
	case !errors.As(err, &e):
		return model.Errorf(op, "%v", err)
	case strings.HasPrefix(e.class, "INVALID_HANDLE.SESSION"):
		c.closed = true // the server was started again, or has removed the session
		return fmt.Errorf("%w: %s", dbms.ErrLost, e.message)
	}
	text := e.message
	text, _, _ = strings.Cut(text, "\n== SQL") // the excerpts below are ours
	text, _, _ = strings.Cut(text, "\nJVM stacktrace")
	text, _, _ = strings.Cut(text, ";\n'") // the analyzed plan
	at, place := -1, position.FindStringSubmatchIndex(text)
	if place != nil && s != nil {
		line, _ := strconv.Atoi(text[place[2]:place[3]]) // digits
		column, _ := strconv.Atoi(text[place[4]:place[5]])
		at = offset(s.Text, line, column)
		text = text[:place[0]] + text[place[1]:]
	}
	if end := state.FindStringIndex(text); end != nil { // a plan follows
		text = text[:end[1]]
	}
	text = strings.TrimRight(strings.TrimSpace(text), ";.")
	out := model.Errorf(op, "%s", text)
	if at < 0 {
		return out
	}
	name := ""
	switch {
	case strings.HasPrefix(e.class, "TABLE_OR_VIEW_NOT_FOUND"):
		name = "table"
	case strings.HasPrefix(e.class, "UNRESOLVED_COLUMN"):
		name = "column"
	}
	return &dbms.Located{Err: out, At: s.At(at), Name: name}
}

// offset converts a line, from 1, and a column, from 0, to a position in a text.
func offset(text string, line, column int) int {
	at := 0
	for range line - 1 {
		n := strings.IndexByte(text[at:], '\n')
		if n < 0 {
			return -1
		}
		at += n + 1
	}
	if at+column > len(text) {
		return -1
	}
	return at + column
}

// Tables lists the tables and views of the current database.
func (c *conn) Tables(ctx context.Context) ([]dbms.Table, error) {
	names, err := c.Run(ctx, &dbms.Statement{Text: "show tables"}, nil)
	if err != nil {
		return nil, err
	}
	var list []dbms.Table
	for _, name := range names.Frame.Col("tableName").Strings() {
		r, err := c.Run(ctx, &dbms.Statement{Text: "describe table " + dbms.QuotedName(name, "`")}, nil)
		if err != nil {
			return nil, err
		}
		t, kinds := dbms.Table{Name: name}, r.Frame.Col("data_type").Strings()
		for i, column := range r.Frame.Col("col_name").Strings() {
			if column == "" || strings.HasPrefix(column, "#") { // partitions follow
				break
			}
			t.Columns = append(t.Columns, dbms.Column{Name: column, Type: kinds[i]})
		}
		list = append(list, t)
	}
	return list, nil
}
