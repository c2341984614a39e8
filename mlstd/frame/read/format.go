// Package read reads frames from files and web addresses, and writes frames to files: separated
// values, JSON, Parquet, Excel and SQLite, plain or compressed. Read detects the format of a file
// from its content, and the notes of the frame list its decisions.
package read

import (
	"time"

	"github.com/gokernel/gokernel/mlstd/csv"
	"github.com/gokernel/gokernel/mlstd/frame"
	parser "github.com/gokernel/gokernel/mlstd/internal/csv"
	"github.com/gokernel/gokernel/mlstd/internal/infer"
	"github.com/gokernel/gokernel/mlstd/model"
)

// Format determines how [Read] and [Write] treat a file. The zero value means that Read detects
// everything from the content, and Write from the extension.
type Format struct {
	// Type is csv, json, jsonl, parquet, arrow, feather, xlsx or sqlite. By default, reading
	// detects it from the content, and writing from the extension.
	Type string
	// Dialect describes how separated values are written: separator, decimal sign, quoting, missing
	// values, header.
	csv.Dialect
	// Pattern is a regular expression for the lines of a text that isn't separated values, such as
	// a log. Each group becomes a column; name the group to name its column, as in (?P<status>\d+).
	// Lines that don't match are skipped, and a note reports their number.
	Pattern string

	// Kinds sets the kinds of columns by name; the kinds of other columns are detected. Values that
	// are not of the kind become missing, and a note lists them.
	Kinds map[string]frame.Kind
	// Columns are the names of the columns to read; nil means all.
	Columns []string
	// DateOrder is "dmy" or "mdy", for dates such as 03/04/2024. By default, the order is detected
	// from dates in the same column whose day is greater than 12.
	DateOrder string
	// Zone is the time zone of times without a time zone, and the zone in which all times are
	// shown, such as "Europe/Berlin"; "" means UTC. A local time that a clock change repeats is
	// read as the first of the two times. A local time that a clock change skips is moved forward
	// by the length of the gap. A note lists the affected rows.
	Zone string

	// Records is the path to the list of records in JSON, such as "data.items"; "" means the only
	// list in the file.
	Records string
	// Sheet is the name of a sheet of a workbook; "" means the first sheet that is not empty.
	Sheet string
	// Range is a range of cells, such as "B3:F90", or "B3" for all cells to the right of and below
	// B3; "" means the whole sheet.
	Range string
	// Table is the name of a table in a SQLite file; "" means the only table.
	Table string
	// File is the name of a file in a zip archive; "" means the only file.
	File string

	fixed bool // dates of another order than DateOrder are not dates
}

var kinds = map[frame.Kind]infer.Kind{
	frame.FloatKind: infer.Float, frame.IntKind: infer.Int, frame.BoolKind: infer.Bool, frame.TimeKind: infer.Time,
	frame.StringKind: infer.Text, frame.CategoryKind: infer.Text,
}

// texts returns the options of the format for texts.
func (f *Format) texts() (c infer.Context, asked map[string]infer.Kind, err error) {
	if err := parser.CheckDialect("Read", &f.Dialect); err != nil {
		return c, nil, err
	}
	if f.Decimal != "" {
		c.Decimal = f.Decimal[0]
	}
	switch f.DateOrder {
	case "":
	case "dmy":
		c.Ordered = true
	case "mdy":
		c.Ordered, c.Order = true, infer.MonthFirst
	default:
		return c, nil, model.Errorf("Read", `DateOrder must be "dmy" or "mdy", got %q`, f.DateOrder).WithHint("leave DateOrder empty if dates begin with the year")
	}
	c.Fixed = f.fixed
	c.Placed = f.Zone != ""
	if c.Zone, err = f.zone(); err != nil {
		return c, nil, err
	}
	if len(f.Kinds) > 0 {
		asked = make(map[string]infer.Kind, len(f.Kinds))
		for name, kind := range f.Kinds {
			k, ok := kinds[kind]
			if !ok {
				return c, nil, model.Errorf("Read", "the kind of column %q must be one of FloatKind, IntKind, BoolKind, StringKind, TimeKind and CategoryKind, got %d", name, kind)
			}
			asked[name] = k
		}
	}
	return c, asked, nil
}

func (f *Format) zone() (*time.Location, error) {
	if f.Zone == "" {
		return time.UTC, nil
	}
	zone, err := time.LoadLocation(f.Zone)
	if err != nil {
		return nil, model.Errorf("Read", "Zone must be the name of a time zone, got %q", f.Zone).WithHint(`use a name of the IANA database, such as "Europe/Berlin"`)
	}
	return zone, nil
}
