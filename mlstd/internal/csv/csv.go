// Package csv reads tables of delimiter-separated values in parallel, detects the kinds of their
// columns, and reports what it decided.
//
// A file is read in blocks that end with a record. The first block determines the separator, the
// names, and a recipe for each column. Workers then read the blocks by these recipes. A column that
// turns out not to fit its recipe is read again, as text, so that all of its values determine its
// kind. The result does not depend on the number of workers or on the length of the blocks.
package csv

import (
	"io"

	"github.com/gokernel/gokernel/mlstd/csv"
	"github.com/gokernel/gokernel/mlstd/internal/infer"
)

// Options determine how a file is read; the zero value detects everything.
type Options struct {
	csv.Dialect
	Strict  bool                  // short records and duplicate names are errors
	Numbers bool                  // booleans and times are read as text
	Kinds   map[string]infer.Kind // kinds by column name; Text for categories, too
	Columns []string              // columns to read; nil for all
	Context infer.Context         // the user's options for numbers and times
	// Size is the length of the source in bytes, for the progress bar; 0 if unknown.
	Size int64

	block int // bytes read at a time; 0 means blockSize
}

// Source opens the text. If a file has to be read twice, it is opened again.
type Source func() (io.ReadCloser, error)

// Table is the result of reading a file.
type Table struct {
	Columns []*infer.Column
	Rows    int
	Notes   []string
	Words   []string // notes about the texts that stood for missing values
	// Odd holds, for each column name, the strings that do not fit the kind of nearly all other
	// strings in the column. Therefore the column was read as text, or these strings were read as
	// missing values.
	Odd map[string]infer.Verdict
}

const op = "CSV"

// Read reads a table.
func Read(source Source, o *Options) (*Table, error) {
	if err := CheckDialect(op, &o.Dialect); err != nil {
		return nil, err
	}
	r := &reader{o: o, source: source, missing: infer.NewMissing(o.Missing)}
	return r.read()
}
