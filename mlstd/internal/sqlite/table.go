//go:build !js

package sqlite

import (
	"database/sql/driver"
	"fmt"
	"math"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"modernc.org/sqlite/vtab"

	"github.com/gokernel/gokernel/mlstd/frame"
)

// frames holds the tables of the running queries, by number.
var (
	frames sync.Map
	next   atomic.Int64
)

// module makes virtual tables from frames; its argument is the number in frames.
type module struct{}

func (m module) Create(ctx vtab.Context, args []string) (vtab.Table, error) {
	return m.Connect(ctx, args)
}

func (module) Connect(ctx vtab.Context, args []string) (vtab.Table, error) {
	id, err := strconv.ParseInt(args[len(args)-1], 10, 64)
	if err != nil {
		return nil, err
	}
	t, ok := frames.Load(id)
	if !ok {
		return nil, fmt.Errorf("there is no frame %d", id)
	}
	return t.(*table), ctx.Declare(t.(*table).schema)
}

// declaration returns the statement that creates a table with the frame's columns.
func declaration(name string, f *frame.Frame) string {
	types := map[frame.Kind]string{
		frame.FloatKind: "real", frame.IntKind: "integer", frame.BoolKind: "boolean",
		frame.StringKind: "text", frame.CategoryKind: "text", frame.TimeKind: timeType,
	}
	var columns []string
	for _, c := range f.Columns() {
		columns = append(columns, quote(c.Name())+" "+types[c.Kind()])
	}
	return "create table " + quote(name) + "(" + strings.Join(columns, ", ") + ")"
}

// timeType is the declared type of times. SQLite treats it as text, and the driver does not convert
// it.
const timeType = "moment text"

// table is a frame as SQLite sees it.
type table struct {
	frame   *frame.Frame
	schema  string
	columns []func(i int) driver.Value
	index   bool
	empty   bool                    // the table has no rows, while SQLite only plans the query
	lookups map[int]map[any][]int32 // for a column, the rows of each value
}

// readers returns, for each column, a function that reads a value.
func readers(f *frame.Frame, zone *time.Location) []func(i int) driver.Value {
	list := make([]func(i int) driver.Value, f.Width())
	for j, c := range f.Columns() {
		var read func(i int) driver.Value
		switch c.Kind() {
		case frame.IntKind:
			read = func(i int) driver.Value { return c.At(i) }
		case frame.BoolKind:
			read = func(i int) driver.Value {
				if c.At(i).(bool) {
					return int64(1)
				}
				return int64(0)
			}
		case frame.TimeKind:
			read = func(i int) driver.Value { return moment(c.At(i).(time.Time).In(zone)) }
		default:
			read = func(i int) driver.Value { return c.At(i) }
		}
		list[j] = func(i int) driver.Value {
			if c.IsMissing(i) {
				return nil
			}
			return read(i)
		}
	}
	return list
}

// moment formats a time in the form that SQLite's date functions read.
func moment(t time.Time) string {
	if t.Nanosecond() != 0 {
		return t.Format("2006-01-02 15:04:05.000000000")
	}
	return t.Format(time.DateTime)
}

// BestIndex uses an equality constraint on a column, whose rows are then looked up.
func (t *table) BestIndex(info *vtab.IndexInfo) error {
	n := float64(t.frame.Len())
	info.EstimatedCost, info.EstimatedRows = n+1, int64(n)
	if !t.index {
		return nil
	}
	for k := range info.Constraints {
		c := &info.Constraints[k]
		if c.Usable && c.Op == vtab.OpEQ && c.Column >= 0 && c.Column < len(t.columns) {
			c.ArgIndex = 0
			info.IdxNum = int64(c.Column) + 1
			info.EstimatedCost, info.EstimatedRows = 10, 1+int64(math.Sqrt(n))
			return nil
		}
	}
	return nil
}

func (t *table) Open() (vtab.Cursor, error) { return &cursor{table: t}, nil }
func (t *table) Disconnect() error          { return nil }
func (t *table) Destroy() error             { return nil }

// rows returns the rows in which the column may be equal to v; SQLite compares them again.
func (t *table) rows(column int, v driver.Value) []int32 {
	lookup := t.lookups[column]
	if lookup == nil {
		lookup = map[any][]int32{}
		for i := range t.frame.Len() {
			if k := key(t.columns[column](i)); k != nil {
				lookup[k] = append(lookup[k], int32(i))
			}
		}
		t.lookups[column] = lookup
	}
	return lookup[key(v)]
}

// key returns the same key for all values that SQLite treats as equal: equal numbers, and texts
// that are these numbers.
func key(v driver.Value) any {
	switch v := v.(type) {
	case int64:
		return float64(v)
	case float64:
		if math.IsNaN(v) {
			return nil
		}
		return v
	case string:
		if f, err := strconv.ParseFloat(strings.TrimSpace(v), 64); err == nil && !math.IsNaN(f) {
			return f
		}
		return v
	case []byte:
		return string(v)
	}
	return nil
}

// cursor iterates over all or some rows of a table.
type cursor struct {
	table *table
	some  []int32
	all   bool
	at    int
}

func (c *cursor) Filter(index int, _ string, values []vtab.Value) error {
	c.at, c.all, c.some = 0, index == 0, nil
	if index > 0 && len(values) > 0 && !c.table.empty {
		c.some = c.table.rows(index-1, values[0])
	}
	return nil
}

func (c *cursor) row() int {
	if c.all {
		return c.at
	}
	return int(c.some[c.at])
}

func (c *cursor) Next() error { c.at++; return nil }

func (c *cursor) Eof() bool {
	if c.all && !c.table.empty {
		return c.at >= c.table.frame.Len()
	}
	return c.at >= len(c.some)
}

func (c *cursor) Column(j int) (vtab.Value, error) {
	if j < 0 || j >= len(c.table.columns) {
		return nil, fmt.Errorf("there is no column %d", j)
	}
	return c.table.columns[j](c.row()), nil
}

func (c *cursor) Rowid() (int64, error) { return int64(c.row()) + 1, nil }
func (c *cursor) Close() error          { return nil }
