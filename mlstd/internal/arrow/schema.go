package arrow

import (
	"strings"
	"time"
)

// typ is the number of a type in the format's union Type.
type typ int

const (
	null typ = iota + 1
	integer
	floating
	binaryBytes
	utf8Text
	boolean
	decimal
	date
	timeOfDay
	timestamp
	interval
	listOf
	structOf
	unionOf
	fixedBytes
	fixedList
	mapOf
	duration
	largeBytes
	largeText
	largeList
	runEnd
	bytesView
	textView
	listView
	largeListView
)

// field is a column of a file, or a part of one.
type field struct {
	name     string
	typ      typ
	bits     int // of integers, floats, decimals and times of day
	unsigned bool
	scale    int   // of decimals; of unions, 1 if they have offsets
	unit     int64 // of times, in nanoseconds
	zone     string
	width    int // of fixedBytes, in bytes
	kids     []*field
	meta     map[string]string

	dictionary bool
	id         int64   // of the dictionary
	index      *field  // the type of positions in it
	column     *column // that is made of it; nil if it is not read
}

// units are the nanoseconds of a TimeUnit.
var units = []int64{1e9, 1e6, 1e3, 1}

func unitOf(t table, i, otherwise int) int64 {
	u := t.short(i, otherwise)
	if u < 0 || u >= len(units) {
		t.f.bad = true
		return 1
	}
	return units[u]
}

// fieldOf reads a Field of a schema.
func fieldOf(t table, depth int) *field {
	f := &field{name: t.string(0), typ: typ(t.byte(2)), meta: t.pairs(6)}
	f.read(t.table(3))
	if d := t.table(4); d.at != 0 {
		f.dictionary, f.id = true, d.long(0)
		f.index = &field{typ: integer, bits: 32}
		if i := d.table(1); i.at != 0 {
			f.index.read(i)
		}
	}
	if depth > 64 {
		t.f.bad = true
		return f
	}
	for _, kid := range t.tables(5) {
		f.kids = append(f.kids, fieldOf(kid, depth+1))
	}
	return f
}

// read reads the parameters of the type.
func (f *field) read(t table) {
	switch f.typ {
	case integer:
		f.bits, f.unsigned = t.int(0, 0), t.byte(1) == 0
	case floating:
		switch precision := t.short(0, 0); precision {
		case 0, 1, 2:
			f.bits = 16 << precision
		default:
			f.bits, t.f.bad = 64, true
		}
	case decimal:
		f.scale, f.bits = t.int(1, 0), t.int(2, 128)
	case date:
		if f.unit, f.bits = 864e11, 32; t.short(0, 1) == 1 {
			f.unit, f.bits = 1e6, 64
		}
	case timeOfDay:
		f.unit, f.bits = unitOf(t, 0, 1), t.int(1, 32)
	case timestamp:
		f.unit, f.zone, f.bits = unitOf(t, 0, 0), t.string(1), 64
	case duration:
		f.unit, f.bits = unitOf(t, 0, 1), 64
	case fixedBytes:
		f.width = t.int(0, 0)
	case unionOf:
		f.scale = t.short(0, 0) & 1
	}
}

// valid reports whether the parameters are those of the format.
func (f *field) valid() bool {
	switch f.typ {
	case integer, timeOfDay:
		return f.bits == 8 || f.bits == 16 || f.bits == 32 || f.bits == 64
	case decimal:
		return (f.bits == 32 || f.bits == 64 || f.bits == 128 || f.bits == 256) && f.scale >= -400 && f.scale <= 400
	case fixedBytes:
		return f.width >= 0
	}
	return f.typ >= null && f.typ <= largeListView
}

// flat reports whether the field is a column of single values.
func (f *field) flat() bool {
	switch f.typ {
	case null, integer, floating, binaryBytes, utf8Text, boolean, decimal, date, timeOfDay, timestamp, fixedBytes, duration, largeBytes, largeText, bytesView, textView:
		return true
	}
	return false
}

// location returns the time zone of a timestamp: a name, or an offset such as +02:00.
func location(zone string) (*time.Location, error) {
	if zone == "" {
		return time.UTC, nil
	}
	if strings.HasPrefix(zone, "+") || strings.HasPrefix(zone, "-") {
		t, err := time.Parse("-07:00", zone)
		if err != nil {
			return time.UTC, err
		}
		_, seconds := t.Zone()
		return time.FixedZone("", seconds), nil
	}
	return time.LoadLocation(zone)
}
