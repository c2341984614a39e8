package infer

import (
	"time"

	"github.com/gokernel/gokernel/mlstd/internal/wallclock"
)

// Recipe determines how the texts of a column are read.
type Recipe struct {
	Kind    Kind
	Decimal byte           // decimal sign of numbers, '.' or ','
	Dressed bool           // numbers have thousands separators or a unit
	Unit    string         // unit of numbers, such as "%" or "€"
	Order   Order          // of times
	Zone    *time.Location // of times without an offset
	// If Zoned, Offset is the common offset of all times from UTC, in seconds. Mixed means that
	// there are several offsets.
	Offset       int
	Zoned, Mixed bool
	Either       bool // times can have any offset or none
}

// Int parses a whole number.
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

// Float parses a number.
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

// Bool parses a boolean.
func (r *Recipe) Bool(text []byte) (value, ok bool) {
	switch string(text) {
	case "true", "True", "TRUE":
		return true, true
	case "false", "False", "FALSE":
		return false, true
	}
	return false, false
}

// Time parses a time as nanoseconds since 1970 in UTC, and returns the number of moments that the
// text can stand for. The offset of the time must match the offset in the recipe.
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

// Location returns the time zone in which times are shown.
func (r *Recipe) Location() *time.Location {
	switch {
	case r.Zoned && !r.Mixed && r.Offset != 0 && r.Zone == time.UTC:
		return time.FixedZone("", r.Offset)
	case r.Zone != nil:
		return r.Zone
	}
	return time.UTC
}
