// Package dbms has the code that all database connections share. It defines the interface of a
// connection, splits SQL into statements with parameters, and gathers rows into columns. Each
// subpackage connects to one kind of database.
package dbms

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"time"

	"github.com/gokernel/gokernel/mlstd/frame"
	"github.com/gokernel/gokernel/mlstd/model"
)

// Conn is a connection to a database. One goroutine uses it at a time. When a method's context
// ends, the method cancels its work on the server; afterwards, the connection is either usable or
// closed.
type Conn interface {
	// Dialect returns the SQL dialect of the database.
	Dialect() *Dialect
	// Run runs one statement. Args are the values of its placeholders.
	Run(ctx context.Context, s *Statement, args []any) (*Result, error)
	// Write writes a frame to a table. If Write fails, the table is unchanged.
	Write(ctx context.Context, table string, f *frame.Frame, mode Mode) error
	// Tables returns all tables with their columns. A table's name is schema.table if a query must
	// name the schema.
	Tables(ctx context.Context) ([]Table, error)
	// Closed reports whether the connection is closed, by either side.
	Closed() bool
	// InTransaction reports whether a transaction is open, as far as the client knows.
	InTransaction() bool
	Close() error
}

// Result is the result of a statement.
type Result struct {
	// Frame has the rows; it is nil if the statement returns none.
	Frame *frame.Frame
	// Affected is the number of rows that a statement without a result has changed.
	Affected int64
}

// Table is a table of a database.
type Table struct {
	Name    string
	Columns []Column
}

// Column is a column of a table, with the name of its type in the database.
type Column struct{ Name, Type string }

// Mode determines whether Write creates, extends or replaces the table.
type Mode int

const (
	Create  Mode = iota // the table must not exist
	Append              // the table must exist
	Replace             // an existing table is dropped
)

// ErrLost reports that the connection ended before the statement began.
var ErrLost = errors.New("the connection is lost")

// Place describes the position of an error in a text: the line, the column, and an excerpt with a
// caret.
func Place(text string, at int) string {
	if at < 0 || at > len(text) {
		return ""
	}
	line := 1 + strings.Count(text[:at], "\n")
	from := strings.LastIndexByte(text[:at], '\n') + 1
	to := len(text)
	if n := strings.IndexByte(text[at:], '\n'); n >= 0 {
		to = at + n
	}
	column := len([]rune(text[from:at]))
	return fmt.Sprintf(" (line %d, column %d)\n  %s\n  %s^", line, column+1, text[from:to], strings.Repeat(" ", column))
}

// Plain converts a parameter to an int64, float64, string, bool, time.Time or nil.
func Plain(v any) (any, error) {
	switch v := v.(type) {
	case nil:
		return nil, nil
	case time.Time:
		return v, nil
	}
	x := reflect.ValueOf(v)
	switch {
	case x.Kind() == reflect.Pointer && x.IsNil():
		return nil, nil
	case x.Kind() == reflect.Pointer:
		return Plain(x.Elem().Interface())
	case x.CanInt():
		return x.Int(), nil
	case x.CanUint():
		if x.Uint() > math.MaxInt64 {
			return nil, fmt.Errorf("must be at most %d, got %d", int64(math.MaxInt64), x.Uint())
		}
		return int64(x.Uint()), nil
	case x.CanFloat():
		if math.IsNaN(x.Float()) {
			return nil, nil
		}
		return x.Float(), nil
	case x.Kind() == reflect.String:
		return x.String(), nil
	case x.Kind() == reflect.Bool:
		return x.Bool(), nil
	}
	return nil, fmt.Errorf("must be a number, a string, a bool or a time, got a value of type %T", v)
}

// Quoted returns the name of a table in quotation marks, and doubles the quotation marks within the
// name. If the name has exactly one dot, the part before the dot is the schema.
func Quoted(name, mark string) string {
	if schema, table, ok := strings.Cut(name, "."); ok && schema != "" && table != "" && !strings.Contains(table, ".") {
		return QuotedName(schema, mark) + "." + QuotedName(table, mark)
	}
	return QuotedName(name, mark)
}

// QuotedName is Quoted for the name of a column, in which a dot has no meaning.
func QuotedName(name, mark string) string {
	return mark + strings.ReplaceAll(name, mark, mark+mark) + mark
}

// Exists returns the error for a table that Write has to create, but that already exists.
func Exists(table string) error {
	return model.Errorf("DB.Write", "the table %q must not exist", table).WithHint("use db.Append to add the rows, or db.Replace to drop the table first")
}

// CheckColumns returns an error for columns of the frame that the table lacks.
func CheckColumns(op, table string, f *frame.Frame, there []string) error {
	have := map[string]bool{}
	for _, name := range there {
		have[name] = true
	}
	for _, name := range f.Names() {
		if !have[name] {
			return model.Errorf(op, "the table %q must have the columns of the frame, but has no column %q", table, name).WithHint("use Rename or Select on the frame; the columns of the table are %s", strings.Join(there, ", "))
		}
	}
	return nil
}

// CheckFrame returns an error for a frame that no database table can store.
func CheckFrame(op string, f *frame.Frame) error {
	switch {
	case f == nil:
		return model.Errorf(op, "the frame must not be nil")
	case f.Width() == 0:
		return model.Errorf(op, "the frame must have columns")
	}
	for _, c := range f.Columns() {
		if c.Name() == "" || strings.ContainsRune(c.Name(), 0) {
			return model.Errorf(op, "the names of columns must not be empty or contain a zero byte, got %q", c.Name())
		}
		if c.Kind() != frame.TimeKind {
			continue
		}
		for i := range c.Len() {
			if t, ok := c.At(i).(time.Time); ok && t.Nanosecond()%1000 != 0 {
				return model.Errorf(op, "the times of column %q must be whole microseconds, since the database stores no smaller unit; got %s in row %d", c.Name(), t.Format(time.RFC3339Nano), i)
			}
		}
	}
	return nil
}

// DatesOnly reports whether all times of a column are midnight in UTC.
func DatesOnly(c *frame.Column) bool {
	if c.Kind() != frame.TimeKind || c.Zone() != time.UTC {
		return false
	}
	for i := range c.Len() {
		if t, ok := c.At(i).(time.Time); ok && (t.Unix()%86400 != 0 || t.Nanosecond() != 0) {
			return false
		}
	}
	return true
}

// Bytes converts a string of a frame to bytes: x'00ff' becomes the bytes 0 and 255, and any other
// string becomes the bytes that it consists of.
func Bytes(s string) []byte {
	if len(s) < 3 || s[:2] != "x'" || s[len(s)-1] != '\'' || len(s)%2 == 0 {
		return []byte(s)
	}
	b := make([]byte, 0, len(s)/2)
	for i := 2; i < len(s)-1; i += 2 {
		hi, lo := nibble(s[i]), nibble(s[i+1])
		if hi < 0 || lo < 0 {
			return []byte(s)
		}
		b = append(b, byte(hi<<4|lo))
	}
	return b
}

func nibble(c byte) int {
	switch {
	case '0' <= c && c <= '9':
		return int(c - '0')
	case 'a' <= c && c <= 'f':
		return int(c-'a') + 10
	case 'A' <= c && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}

// Located is a server error with its position in the SQL text.
type Located struct {
	Err  *model.Error
	At   int
	Name string // "table" or "column" if the server does not know such a name
}

func (e *Located) Error() string { return e.Err.Error() }

// Tabled converts a frame to a list of tables. Each row of the frame has the name of a table, the
// name of a column and the column's type.
func Tabled(f *frame.Frame) []Table {
	cols := f.Columns()
	table, name, kind := cols[0].Strings(), cols[1].Strings(), cols[2].Strings()
	var list []Table
	for i := range table {
		if i == 0 || table[i] != table[i-1] {
			list = append(list, Table{Name: table[i]})
		}
		t := &list[len(list)-1]
		t.Columns = append(t.Columns, Column{name[i], kind[i]})
	}
	return list
}
