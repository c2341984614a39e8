package table

import (
	"errors"
	"fmt"
	"reflect"
)

// query is what *sql.Rows offers: rows that are read once.
type query interface {
	Columns() ([]string, error)
	Next() bool
	Scan(dest ...any) error
	Err() error
	Close() error
}

// maxQuery bounds the rows that are read of a query.
const maxQuery = 1_000_000

// queryColumns reads the rows and closes them.
func queryColumns(q query) (cols []column, err error) {
	defer func() {
		if closed := q.Close(); closed != nil {
			err = errors.Join(err, fmt.Errorf("table: %w", closed))
		}
	}()
	names, err := q.Columns()
	if err != nil {
		return nil, fmt.Errorf("table: %w", err)
	}
	values := make([][]any, len(names))
	n := 0
	for ; n < maxQuery && q.Next(); n++ {
		row := make([]any, len(names))
		into := make([]any, len(names))
		for j := range row {
			into[j] = &row[j]
		}
		if err := q.Scan(into...); err != nil {
			return nil, fmt.Errorf("table: row %d: %w", n, err)
		}
		for j, v := range row {
			if b, ok := v.([]byte); ok { // as many drivers give text
				v = string(b)
			}
			values[j] = append(values[j], v)
		}
	}
	if err := q.Err(); err != nil {
		return nil, fmt.Errorf("table: after row %d: %w", n, err)
	}
	if n == maxQuery && q.Next() {
		return nil, fmt.Errorf("table: the query has more than %d rows; ask for fewer with LIMIT", maxQuery)
	}
	for j, name := range names {
		cols = append(cols, column{name: name, n: n, at: func(i int) cell {
			if values[j][i] == nil {
				return cell{missing: true}
			}
			return cellOf(reflect.ValueOf(values[j][i]))
		}})
	}
	return cols, nil
}
