package model

import (
	"strconv"

	"gonum.org/v1/gonum/mat"
)

// Kind is the measurement scale of a column.
type Kind int

const (
	Numeric Kind = iota // a real number
	Nominal             // one of Levels, in no order
	Ordinal             // one of Levels, in ascending order
)

// String returns the name of the kind.
func (k Kind) String() string {
	switch k {
	case Numeric:
		return "numeric"
	case Nominal:
		return "nominal"
	case Ordinal:
		return "ordinal"
	}
	return "unknown"
}

// Column describes a feature or a target. A value of a nominal or ordinal column is the index of
// its level in Levels; NaN is a missing value.
type Column struct {
	Name   string
	Kind   Kind
	Levels []string
	Unit   string // of a numeric column, such as "cm"; may be empty
}

// Table is a matrix with descriptions of its columns. Algorithms take any matrix; algorithms that
// can use names and kinds (trees, tables of coefficients) check whether the matrix is a Table. A
// model that was fitted to a Table finds the columns and levels of another Table by name.
type Table struct {
	*mat.Dense
	Columns []Column
	// Target describes the labels of the rows, if known; its Levels name the classes 0, 1, 2 ...
	Target Column
}

// ColumnNames returns the names of the columns, for tables and the axes of plots.
func (t *Table) ColumnNames() []string {
	names := make([]string, len(t.Columns))
	for j, c := range t.Columns {
		names[j] = c.Name
	}
	return names
}

// ColumnsOf returns the descriptions of the columns of x. For a Table, these are its Columns; for a
// Table without Columns and any other matrix, they are numeric columns named x1, x2 ...
func ColumnsOf(x mat.Matrix) []Column {
	if Described(x) {
		return x.(*Table).Columns
	}
	_, c := x.Dims()
	cols := make([]Column, c)
	for j := range cols {
		cols[j].Name = "x" + strconv.Itoa(j+1)
	}
	return cols
}

// Described reports whether x is a Table with a description of its columns.
func Described(x mat.Matrix) bool {
	t, ok := x.(*Table)
	return ok && t != nil && len(t.Columns) > 0
}

// Like returns d with the names, levels and target of x, for a transformer that does not change the
// meaning of the columns. If x has no description, the result has none either.
func Like(x mat.Matrix, d *mat.Dense) *Table {
	if !Described(x) {
		return Named(x, d, nil)
	}
	return Named(x, d, x.(*Table).Columns)
}

// LikeNumbers is [Like] for a transformer that changes the numbers, such as a scaler. It keeps the
// names, but not the kinds, levels and units.
func LikeNumbers(x mat.Matrix, d *mat.Dense) *Table {
	t := Like(x, d)
	columns := t.Columns
	t.Columns = nil
	for _, c := range columns {
		t.Columns = append(t.Columns, Column{Name: c.Name})
	}
	return t
}

// Named returns d with the given columns, and with the target of x if x is a Table.
func Named(x mat.Matrix, d *mat.Dense, columns []Column) *Table {
	out := &Table{Dense: d, Columns: columns}
	if t, ok := x.(*Table); ok && t != nil {
		out.Target = t.Target
	}
	return out
}

// Numbered returns the descriptions of n numeric columns called "name 1", "name 2" ...
func Numbered(name string, n int) []Column {
	columns := make([]Column, n)
	for j := range columns {
		columns[j].Name = name + " " + strconv.Itoa(j+1)
	}
	return columns
}
