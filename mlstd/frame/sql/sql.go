// Package sql runs SQL queries on frames and SQLite files, with SQLite.
package sql

import (
	"github.com/gokernel/gokernel/mlstd/frame"
	"github.com/gokernel/gokernel/mlstd/internal/sqlite"
)

// SQL runs a query on frames and returns its result as a frame. The map tables holds a frame for
// each table name, and the map parameters holds the value of each parameter. A query writes a
// parameter as :name, @name or $name. SQL also queries SQLite files, which it opens read-only: a
// table of shop.sqlite has a name such as shop.orders, or orders if no other table has that name.
// If the query has several statements, SQL runs all of them and returns the result of the last. The
// dialect is SQLite's. Times become strings in the time zone of their column, such as '2024-01-31
// 10:00:00', which SQLite's date functions accept. Common select statements run over whole columns,
// with the results of SQLite. A note of "explain query plan select ..." reports how the statement
// runs.
func SQL(query string, tables map[string]*frame.Frame, parameters map[string]any, files ...string) (*frame.Frame, error) {
	return sqlite.Query(query, tables, parameters, files...)
}

// ReadSQLite reads a table or view of a SQLite file; name may be "" if the file has only one table
// or view.
func ReadSQLite(path, name string) (*frame.Frame, error) { return sqlite.ReadTable(path, name) }
