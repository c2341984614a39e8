// Package sql runs SQL queries on frames and SQLite files, with SQLite.
package sql

import (
	"github.com/gokernel/gokernel/mlstd/frame"
	"github.com/gokernel/gokernel/mlstd/internal/sqlite"
)

// SQL runs a query on frames and returns its result as a frame. tables are the frames by name, and
// the parameters of the query are written :name, @name or $name. It also queries SQLite files,
// which it opens read-only: the tables of shop.sqlite have names such as shop.orders, or orders
// where no other table has that name. The statements before the last are run first. The dialect is
// SQLite's. Times of frames become strings such as '2024-01-31 10:00:00' in their time zone, which
// SQLite's date functions accept.
func SQL(query string, tables map[string]*frame.Frame, parameters map[string]any, files ...string) (*frame.Frame, error) {
	return sqlite.Query(query, tables, parameters, files...)
}

// ReadSQLite reads a table or view of a SQLite file; name may be "" if the file has only one table
// or view.
func ReadSQLite(path, name string) (*frame.Frame, error) { return sqlite.ReadTable(path, name) }
