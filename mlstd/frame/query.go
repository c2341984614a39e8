package frame

import (
	"database/sql"
	"database/sql/driver"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/gokernel/gokernel/mlstd/model"
)

// scanned is the part of *sql.Rows that is used: rows that can be read once.
type scanned interface {
	Columns() ([]string, error)
	Next() bool
	Scan(dest ...any) error
	Err() error
	Close() error
}

// valued is the part of the Rows of pgx that is used, besides FieldDescriptions.
type valued interface {
	Next() bool
	Values() ([]any, error)
	Err() error
	Close()
}

// numericTypes lists parts of the names of numeric database types, whose values some drivers return
// as text.
var numericTypes = []string{"INT", "DECIMAL", "NUMERIC", "FLOAT", "DOUBLE", "REAL", "MONEY"}

// fromQuery reads the rows of a query and closes them; it returns false if the value is not a
// query.
func fromQuery(rows any) (f *Frame, ok bool, err error) {
	if v := reflect.ValueOf(rows); v.Kind() == reflect.Pointer && v.IsNil() {
		return nil, false, nil
	}
	switch q := rows.(type) {
	case scanned:
		f, err = fromScanned(q)
		return f, true, err
	case valued:
		names, found := fieldNames(rows)
		if !found {
			return nil, false, nil
		}
		f, err = fromValued(q, names)
		return f, true, err
	}
	return nil, false, nil
}

func fromScanned(q scanned) (f *Frame, err error) {
	defer func() { err = errors.Join(err, q.Close()) }()
	names, err := q.Columns()
	if err != nil {
		return nil, err
	}
	numeric, boolean := make([]bool, len(names)), make([]bool, len(names))
	if typed, ok := q.(interface {
		ColumnTypes() ([]*sql.ColumnType, error)
	}); ok {
		types, err := typed.ColumnTypes()
		if err != nil {
			return nil, err
		}
		for j, t := range types {
			boolean[j] = strings.HasPrefix(strings.ToUpper(t.DatabaseTypeName()), "BOOL")
			for _, word := range numericTypes {
				numeric[j] = numeric[j] || strings.Contains(strings.ToUpper(t.DatabaseTypeName()), word)
			}
		}
	}
	row, into := make([]any, len(names)), make([]any, len(names))
	for j := range row {
		into[j] = &row[j]
	}
	g := &queried{names: names, values: make([][]any, len(names))}
	return g.read(q.Next, q.Err, func() ([]any, error) {
		if err := q.Scan(into...); err != nil {
			return nil, err
		}
		for j, v := range row {
			if b, ok := v.([]byte); ok {
				row[j] = textOf(b)
			}
			switch v := row[j].(type) {
			case string:
				if numeric[j] {
					row[j] = numberOf(v)
				}
			case int64: // as SQLite holds bools
				if boolean[j] && (v == 0 || v == 1) {
					row[j] = v == 1
				}
			}
		}
		return row, nil
	})
}

func fromValued(q valued, names []string) (*Frame, error) {
	defer q.Close()
	g := &queried{names: names, values: make([][]any, len(names))}
	return g.read(q.Next, q.Err, func() ([]any, error) {
		row, err := q.Values()
		if err != nil {
			return nil, err
		}
		for j, v := range row {
			if row[j], err = plainValue(v); err != nil {
				return nil, fmt.Errorf("column %q: %w", names[j], err)
			}
		}
		return row, nil
	})
}

// fieldNames returns the names of the columns that FieldDescriptions of pgx has.
func fieldNames(rows any) ([]string, bool) {
	m := reflect.ValueOf(rows).MethodByName("FieldDescriptions")
	if !m.IsValid() || m.Type().NumIn() != 0 || m.Type().NumOut() != 1 || m.Type().Out(0).Kind() != reflect.Slice || m.Type().Out(0).Elem().Kind() != reflect.Struct {
		return nil, false
	}
	if f, ok := m.Type().Out(0).Elem().FieldByName("Name"); !ok || f.Type.Kind() != reflect.String {
		return nil, false
	}
	list := m.Call(nil)[0]
	names := make([]string, list.Len())
	for j := range names {
		names[j] = list.Index(j).FieldByName("Name").String()
	}
	return names, true
}

// plainValue returns a value as columns hold it: numbers, bools, strings and times; a
// decimal number of arbitrary precision as float64, a UUID as it is written, and lists and
// records as JSON.
func plainValue(v any) (any, error) {
	switch v := v.(type) {
	case nil, time.Time, string, bool:
		return v, nil
	case []byte:
		return textOf(v), nil
	case [16]byte:
		s := hex.EncodeToString(v[:])
		return strings.Join([]string{s[:8], s[8:12], s[12:16], s[16:20], s[20:]}, "-"), nil
	case driver.Valuer:
		out, err := v.Value()
		if s, ok := out.(string); ok && strings.Contains(strings.ToUpper(reflect.TypeOf(v).Name()), "NUMERIC") {
			return numberOf(s), err
		}
		if b, ok := out.([]byte); ok {
			return textOf(b), err
		}
		return out, err
	}
	if _, ok := kindOf(reflect.TypeOf(v)); ok {
		return v, nil
	}
	text, err := json.Marshal(v)
	return string(text), err
}

// textOf returns bytes, which many drivers use for text, as a string; bytes that are not text
// become x'00ff'.
func textOf(b []byte) string {
	if !utf8.Valid(b) {
		return "x'" + hex.EncodeToString(b) + "'"
	}
	return string(b)
}

// numberOf returns the number in a text of a numeric column, or the text if it is not a number.
func numberOf(s string) any {
	if n, err := strconv.ParseInt(s, 10, 64); err == nil {
		return n
	}
	if x, err := strconv.ParseFloat(s, 64); err == nil {
		return x
	}
	return s
}

// queried gathers the rows of a query.
type queried struct {
	names  []string
	values [][]any
	n      int
}

// read reads all rows.
func (g *queried) read(next func() bool, failed func() error, row func() ([]any, error)) (*Frame, error) {
	run := (&model.Control{}).Begin("reading rows", 0)
	defer run.End()
	for ; next(); g.n++ {
		if g.n%1024 == 0 && run.Err() != nil {
			return nil, run.Err()
		}
		values, err := row()
		if err != nil {
			return nil, fmt.Errorf("row %d: %w", g.n, err)
		}
		for j, v := range values {
			g.values[j] = append(g.values[j], v)
		}
	}
	if err := failed(); err != nil {
		return nil, fmt.Errorf("after row %d: %w", g.n, err)
	}
	return g.frame()
}

func (g *queried) frame() (*Frame, error) {
	cols, notes, used := make([]*Column, len(g.names)), []string(nil), map[string]bool{}
	for j, name := range g.names {
		title := name
		if title == "" {
			title = "column " + strconv.Itoa(j+1)
		}
		for k := 2; used[title]; k++ {
			title = name + " " + strconv.Itoa(k)
		}
		if title != name {
			notes = append(notes, fmt.Sprintf("column %d, %q, is renamed to %q", j+1, name, title))
		}
		used[title] = true
		c, mixed := columnOfAny(title, g.values[j], g.n)
		if mixed {
			notes = append(notes, fmt.Sprintf("column %q has values of several kinds, kept as text", title))
		}
		cols[j], g.values[j] = c, nil
	}
	f, err := New(cols...)
	if err != nil {
		return nil, err
	}
	return f.say(notes...), nil
}

// columnOfAny makes a column from values; mixed reports that their kinds do not go together.
func columnOfAny(name string, values []any, n int) (c *Column, mixed bool) {
	b, err := newBuilder(name, anyType, n)
	for i := 0; i < len(values) && err == nil; i++ {
		if t, ok := values[i].(time.Time); ok && (t.Before(firstTime) || t.After(lastTime)) {
			err = errors.New("the time must be in the years 1678 to 2262")
			break
		}
		err = b.add(reflect.ValueOf(values[i]))
	}
	if err == nil {
		return b.column(), false
	}
	texts := make([]string, n)
	var gone bitmap
	for i, v := range values {
		switch v := v.(type) {
		case nil:
			gone = gone.with(i, n)
		case time.Time:
			texts[i] = v.Format(time.RFC3339Nano)
		case float64:
			if math.IsNaN(v) {
				gone = gone.with(i, n)
				continue
			}
			texts[i] = strconv.FormatFloat(v, 'g', -1, 64)
		default:
			texts[i] = fmt.Sprint(v)
		}
	}
	return withGone(StringColumn(name, texts), gone), true
}
