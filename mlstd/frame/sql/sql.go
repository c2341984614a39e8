// Package sql asks frames and SQLite files in SQL, and SQLite answers.
package sql

import (
	"github.com/gokernel/gokernel/mlstd/frame"
	"github.com/gokernel/gokernel/mlstd/internal/sqlite"
)

// SQL asks a query of frames, by the names of their tables, with the values of its
// parameters (:name, @name or $name), and of SQLite files, which it opens to read only:
// the tables of shop.sqlite are called shop.orders, or orders where no other table is.
// The statements before the last are run first. The dialect is SQLite's; times of frames
// are texts as in '2024-01-31 10:00:00' in their time zone, which its date functions
// take.
func SQL(query string, tables map[string]*frame.Frame, parameters map[string]any, files ...string) (*frame.Frame, error) {
	return sqlite.Query(query, tables, parameters, files...)
}

// ReadSQLite reads a table or view of a SQLite file; name may be "" where there is one only.
func ReadSQLite(path, name string) (*frame.Frame, error) { return sqlite.ReadTable(path, name) }
