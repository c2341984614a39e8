// Package csv reads tables of separated values in parallel, finds out what their
// columns are, and says what it decided.
//
// A file is read in blocks that end with a record. The first block determines the
// separator, the names, and a recipe for each column; workers read the blocks by it. A
// column that turns out not to fit its recipe is read again, as text, so that all its
// values decide its kind. The result does not depend on the number of workers or on the
// length of the blocks.
package csv

import (
	"io"

	"github.com/gokernel/gokernel/mlstd/csv"
	"github.com/gokernel/gokernel/mlstd/internal/infer"
)

// Options determine how a file is read; the zero value detects everything.
type Options struct {
	csv.Dialect
	Strict  bool                  // fewer fields than names, and a name that occurs twice, are errors
	Numbers bool                  // booleans and times are read as text
	Kinds   map[string]infer.Kind // of columns by name; infer.Text for names and categories too
	Columns []string              // those to read, nil for all
	Context infer.Context         // the user's options for numbers and times
	// Size is the length of the source in bytes, for the progress bar; 0 if unknown.
	Size int64

	block int // bytes read at a time; 0 means blockSize
}

// Source opens the text. A file is opened again where it has to be read twice.
type Source func() (io.ReadCloser, error)

// Table is what was read.
type Table struct {
	Columns []*infer.Column
	Rows    int
	Notes   []string
	Words   []string // notes of the texts that stood for missing values
	// Odd has for each column, by name, the texts that are not of the kind that nearly
	// all others are of, which is why it was read as text or they as missing.
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
