package infer

import (
	"time"

	"github.com/gokernel/gokernel/mlstd/internal/wallclock"
)

// Recipe determines how the texts of a column are read.
type Recipe struct {
	Kind    Kind
	Decimal byte           // of numbers, '.' or ','
	Dressed bool           // numbers have thousands set apart or a unit
	Unit    string         // of numbers, such as "%" or "€"
	Order   Order          // of times
	Zone    *time.Location // of times without an offset
	// Offset is the one offset from UTC that all times have, in seconds, if Zoned;
	// Mixed says that there are several.
	Offset       int
	Zoned, Mixed bool
	Either       bool // times may have any offset or none
}

// Int reads a whole number.
func (r *Recipe) Int(text []byte) (int64, bool) {
	if !r.Dressed {
		return ParseInt(text)
	}
	var buf [64]byte
	n, ok := scan(text, r.Decimal, buf[:])
	if !ok || n.decimal || n.unit != "" && n.unit != r.Unit {
		return 0, false
	}
	return ParseInt(n.plain)
}

// Float reads a number.
func (r *Recipe) Float(text []byte) (float64, bool) {
	if !r.Dressed {
		return ParseFloat(text, r.Decimal)
	}
	var buf [64]byte
	n, ok := scan(text, r.Decimal, buf[:])
	if !ok || n.unit != "" && n.unit != r.Unit {
		return ParseFloat(text, r.Decimal)
	}
	return ParseFloat(n.plain, '.')
}

// Bool reads a boolean.
func (r *Recipe) Bool(text []byte) (value, ok bool) {
	switch string(text) {
	case "true", "True", "TRUE":
		return true, true
	case "false", "False", "FALSE":
		return false, true
	}
	return false, false
}

// Time reads a time as nanoseconds since 1970 in UTC, and tells how many moments it may
// be. Its offset must be what the recipe says.
func (r *Recipe) Time(text []byte) (nanos int64, sense wallclock.Sense, ok bool) {
	var m moment
	if !m.read(text, r.Order) {
		return 0, 0, false
	}
	if !r.Either && (m.zoned != r.Zoned || m.offset != r.Offset && !r.Mixed) {
		return 0, 0, false
	}
	return m.unix(r.Zone)
}

// Location is the time zone in which times are shown.
func (r *Recipe) Location() *time.Location {
	switch {
	case r.Zoned && !r.Mixed && r.Offset != 0 && r.Zone == time.UTC:
		return time.FixedZone("", r.Offset)
	case r.Zone != nil:
		return r.Zone
	}
	return time.UTC
}
