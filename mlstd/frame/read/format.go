// Package read makes frames of files and addresses, and files of frames: separated
// values, JSON, Parquet, Excel and SQLite, plain or compressed. Read detects the
// format of a file from its content, and each decision is in the notes of the
// frame.
package read

import (
	"time"

	"github.com/gokernel/gokernel/mlstd/frame"
	"github.com/gokernel/gokernel/mlstd/internal/infer"
	"github.com/gokernel/gokernel/mlstd/model"
)

// Format determines how a file is read or written where it is not to be found out.
// The zero value finds out everything.
type Format struct {
	// Type is csv, json, jsonl, parquet, xlsx or sqlite; "" goes by the content, and in
	// writing by the extension.
	Type string

	// Kinds sets the kinds of columns by name. Values that are not of the kind become
	// missing, which a note tells.
	Kinds map[string]frame.Kind
	// Columns are the names of those to read; nil means all.
	Columns []string
	// Missing are the texts that stand for a missing value; nil means "", "?", "NA",
	// "N/A", "n/a", "#N/A", "<NA>", "NaN", "nan", "null" and "NULL". In JSON only null is
	// missing unless Missing is set.
	Missing []string
	// Decimal is the decimal sign, "." or ",".
	Decimal string
	// DateOrder is "dmy" or "mdy", for dates that leave open which is the day.
	DateOrder string
	// Zone is the time zone of times that have none, and in which the others are
	// shown, such as "Europe/Berlin"; "" means UTC. Of a local time that occurs
	// twice when the clock is put back the first is taken. A time that the clock
	// skips is read as later by as much as the clock is put forward. A note lists
	// the rows.
	Zone string

	Separator string // between fields, such as ";" or "\t"; " " is any white space
	Comment   string // lines that begin with it are left out
	Skip      int    // lines above the names
	NoHeader  bool   // the first line is data; columns are called x1, x2 ...
	NoQuotes  bool   // quotation marks are letters like others
	Ragged    bool   // lines may have more fields than there are names
	// Pattern is a regular expression for lines that are not separated values, such as
	// those of a log. Its groups are the columns, called as in (?P<status>\d+); lines that
	// do not match are left out, which a note says.
	Pattern  string
	Encoding string // utf-8, utf-16, latin1 or windows-1252

	Records string // in JSON, the place of the list of records, such as "data.items"
	Sheet   string // of a workbook; "" means the first that is not empty
	Range   string // of a sheet, such as "B3:F90" or "B3" for all from there on
	Table   string // of a SQLite file; "" where there is one only
	File    string // in a zip archive; "" where there is one only
}

var kinds = map[frame.Kind]infer.Kind{
	frame.FloatKind: infer.Float, frame.IntKind: infer.Int, frame.BoolKind: infer.Bool, frame.TimeKind: infer.Time,
	frame.StringKind: infer.Text, frame.CategoryKind: infer.Text,
}

// texts returns what the format says of texts.
func (f *Format) texts() (c infer.Context, asked map[string]infer.Kind, err error) {
	switch f.Decimal {
	case "":
	case ".", ",":
		c.Decimal = f.Decimal[0]
	default:
		return c, nil, model.Errorf("Read", "Decimal is %q", f.Decimal).WithHint(`it is "." or ","`)
	}
	switch f.DateOrder {
	case "":
	case "dmy":
		c.Ordered = true
	case "mdy":
		c.Ordered, c.Order = true, infer.MonthFirst
	default:
		return c, nil, model.Errorf("Read", "DateOrder is %q", f.DateOrder).WithHint(`it is "dmy" or "mdy"; a year in front needs neither`)
	}
	c.Placed = f.Zone != ""
	if c.Zone, err = f.zone(); err != nil {
		return c, nil, err
	}
	if len(f.Kinds) > 0 {
		asked = make(map[string]infer.Kind, len(f.Kinds))
		for name, kind := range f.Kinds {
			k, ok := kinds[kind]
			if !ok {
				return c, nil, model.Errorf("Read", "there is no kind %d for column %q", kind, name)
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
		return nil, model.Errorf("Read", "there is no time zone %q", f.Zone).WithHint(`zones are called as in "Europe/Berlin"`)
	}
	return zone, nil
}
