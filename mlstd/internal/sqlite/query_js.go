// Package sqlite returns only errors in a browser, where SQLite is not available.
package sqlite

import (
	"github.com/gokernel/gokernel/mlstd/frame"
	"github.com/gokernel/gokernel/mlstd/model"
)

// Query returns an error.
func Query(string, map[string]*frame.Frame, map[string]any, ...string) (*frame.Frame, error) {
	return nil, missing("SQL")
}

// ReadTable returns an error.
func ReadTable(string, string) (*frame.Frame, error) {
	return nil, missing("Read")
}

func missing(op string) *model.Error {
	return model.Errorf(op, "SQLite is not available in a browser").WithHint("use the methods of frames, or run the notebook with gokernel on a computer")
}
