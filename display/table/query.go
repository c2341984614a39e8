package table

import (
	"errors"
	"fmt"
	"reflect"
)

// query has the methods of *sql.Rows. Its rows can be read once.
type query interface {
	Columns() ([]string, error)
	Next() bool
	Scan(dest ...any) error
	Err() error
	Close() error
}

const (
	// shownQuery is the number of rows that a table reads from a query.
	shownQuery = 1000
	// maxQuery is the maximum number of rows that Describe reads.
	maxQuery = 1_000_000
)

// firstOf is the note below a table whose query has more rows.
const firstOf = "the first %d rows of the query; ml.FromRows(rows) reads all of them"

// queryTable makes a table of the first rows of a query and closes the query.
func queryTable(q query) *Table {
	cols, more, err := queryColumns(q, shownQuery)
	t := newTable(cols, err)
	if more {
		t.foot = fmt.Sprintf(firstOf, shownQuery)
	}
	return t
}

// queryColumns reads at most the given number of rows and closes the query; more reports whether
// there are further rows.
func queryColumns(q query, most int) (cols []column, more bool, err error) {
	defer func() {
		if closed := q.Close(); closed != nil {
			err = errors.Join(err, fmt.Errorf("table: %w", closed))
		}
	}()
	names, err := q.Columns()
	if err != nil {
		return nil, false, fmt.Errorf("table: %w", err)
	}
	values := make([][]any, len(names))
	n := 0
	for more = q.Next(); more && n < most; more = q.Next() {
		n++
		row := make([]any, len(names))
		into := make([]any, len(names))
		for j := range row {
			into[j] = &row[j]
		}
		if err := q.Scan(into...); err != nil {
			return nil, false, fmt.Errorf("table: row %d: %w", n-1, err)
		}
		for j, v := range row {
			if b, ok := v.([]byte); ok { // many drivers return text as []byte
				v = string(b)
			}
			values[j] = append(values[j], v)
		}
	}
	if err := q.Err(); err != nil {
		return nil, false, fmt.Errorf("table: after row %d: %w", n, err)
	}
	for j, name := range names {
		cols = append(cols, column{name: name, n: n, at: func(i int) cell {
			if values[j][i] == nil {
				return cell{missing: true}
			}
			return cellOf(reflect.ValueOf(values[j][i]))
		}})
	}
	return cols, more, nil
}
