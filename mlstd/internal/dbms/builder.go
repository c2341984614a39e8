package dbms

import (
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
	"unsafe"

	"github.com/gokernel/gokernel/mlstd/frame"
)

// Kind is the kind of the values that a builder takes.
type Kind int

const (
	Ints Kind = iota
	Floats
	Decimals // exact decimals, integers or floats in the frame
	Bools
	Texts
	Times
)

// Builder gathers the values of a column. Each method appends one value.
type Builder struct {
	name string
	kind Kind
	zone *time.Location
	n    int
	gone []uint64

	ints    []int64
	floats  []float64
	bools   []bool
	codes   []int32
	words   map[string]int32
	list    []string
	texts   []string // where most strings are distinct
	room    []byte   // for the next strings of texts
	whole   bool     // all decimals so far are integers of 64 bits
	rounded int      // decimals with more digits than a float64 holds
}

// NewBuilder returns a builder for a new column. Times are nanoseconds since 1970 in UTC, shown in
// zone.
func NewBuilder(name string, kind Kind, zone *time.Location) *Builder {
	return &Builder{name: name, kind: kind, zone: zone, whole: true, words: map[string]int32{}}
}

// Kind returns the kind of the values.
func (b *Builder) Kind() Kind { return b.kind }

// Null appends a missing value.
func (b *Builder) Null() {
	for len(b.gone) <= b.n>>6 {
		b.gone = append(b.gone, 0)
	}
	b.gone[b.n>>6] |= 1 << (b.n & 63)
	switch b.kind {
	case Ints, Times:
		b.ints = append(b.ints, 0)
	case Floats:
		b.floats = append(b.floats, math.NaN())
	case Decimals:
		b.ints, b.floats = append(b.ints, 0), append(b.floats, math.NaN())
	case Bools:
		b.bools = append(b.bools, false)
	case Texts:
		if b.texts != nil {
			b.texts = append(b.texts, "")
		} else {
			b.codes = append(b.codes, -1)
		}
	}
	b.n++
}

// Int appends an integer.
func (b *Builder) Int(v int64) { b.ints, b.n = append(b.ints, v), b.n+1 }

// Float appends a floating-point number.
func (b *Builder) Float(v float64) { b.floats, b.n = append(b.floats, v), b.n+1 }

// Bool appends a bool.
func (b *Builder) Bool(v bool) { b.bools, b.n = append(b.bools, v), b.n+1 }

// ErrTime is the error for a time that a frame cannot represent.
var ErrTime = errors.New("the time must be in the years 1678 to 2262")

// Micros appends a time in microseconds since 1970.
func (b *Builder) Micros(v int64) error {
	if v > math.MaxInt64/1000 || v < math.MinInt64/1000 {
		return ErrTime
	}
	b.Int(v * 1000)
	return nil
}

// Time appends a time.
func (b *Builder) Time(t time.Time) error {
	if t.Before(time.Unix(0, math.MinInt64)) || t.After(time.Unix(0, math.MaxInt64)) {
		return ErrTime
	}
	b.Int(t.UnixNano())
	return nil
}

// trial is the number of strings after which a dictionary that is too large is given up.
const trial = 4096

// Text appends a string, which it copies.
func (b *Builder) Text(s []byte) {
	if b.texts != nil {
		b.texts = append(b.texts, b.keep(s))
		b.n++
		return
	}
	k, ok := b.words[string(s)]
	if !ok {
		word := string(s)
		k = int32(len(b.list))
		b.words[word], b.list = k, append(b.list, word)
	}
	b.codes = append(b.codes, k)
	b.n++
	if b.n >= trial && 2*len(b.list) > b.n {
		b.spell()
	}
}

// spell replaces the dictionary by the strings.
func (b *Builder) spell() {
	b.texts = make([]string, b.n, 4*b.n)
	for i, k := range b.codes {
		if k >= 0 {
			b.texts[i] = b.list[k]
		}
	}
	b.codes, b.words, b.list = nil, nil, nil
}

// keep copies a string to memory that it shares with other strings.
func (b *Builder) keep(s []byte) string {
	if len(s) == 0 {
		return ""
	}
	if len(s) > 1<<10 {
		return string(s)
	}
	if cap(b.room)-len(b.room) < len(s) {
		b.room = make([]byte, 0, 1<<16)
	}
	from := len(b.room)
	b.room = append(b.room, s...)
	return unsafe.String(&b.room[from], len(s))
}

// Hex appends bytes, as x'00ff'.
func (b *Builder) Hex(s []byte) {
	text := make([]byte, 0, 2*len(s)+3)
	text = hex.AppendEncode(append(text, "x'"...), s)
	b.Text(append(text, '\''))
}

// powers are the powers of ten that a float64 holds exactly.
var powers = [...]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22}

// Decimal appends a decimal number: -12.50, NaN or Infinity.
func (b *Builder) Decimal(s []byte) error {
	digits, point, negative := uint64(0), -1, false
	for i, c := range s {
		switch {
		case '0' <= c && c <= '9' && digits < math.MaxUint64/20:
			digits = 10*digits + uint64(c-'0')
		case c == '-' && i == 0:
			negative = true
		case c == '.' && point < 0:
			point = i
		default:
			return b.longDecimal(string(s))
		}
	}
	places := 0
	if point >= 0 {
		places = len(s) - 1 - point
		b.whole = false
	}
	if digits >= 1e15 || places >= len(powers) { // numbers of 15 digits are never rounded
		return b.longDecimal(string(s))
	}
	v := float64(digits) / powers[places]
	whole := int64(digits)
	if negative {
		v, whole = -v, -whole
	}
	b.ints, b.floats = append(b.ints, whole), append(b.floats, v)
	b.n++
	return nil
}

// longDecimal appends a decimal number that Decimal cannot convert exactly.
func (b *Builder) longDecimal(s string) error {
	v, err := strconv.ParseFloat(s, 64)
	if err != nil && !errors.Is(err, strconv.ErrRange) {
		return fmt.Errorf("%q must be a number", s)
	}
	whole, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		whole = 0
		if !math.IsNaN(v) { // a missing value, which an integer column has too
			b.whole = false
		}
		if exact := trimmed(s); !math.IsInf(v, 0) && !math.IsNaN(v) && trimmed(strconv.FormatFloat(v, 'f', -1, 64)) != exact {
			b.rounded++
		} else if math.IsInf(v, 0) && !strings.Contains(s, "Inf") {
			b.rounded++
		}
	}
	if math.IsNaN(v) {
		b.Null()
		return nil
	}
	b.ints, b.floats = append(b.ints, whole), append(b.floats, v)
	b.n++
	return nil
}

// trimmed removes the zeros after the last other digit of a fraction.
func trimmed(s string) string {
	if !strings.Contains(s, ".") {
		return s
	}
	return strings.TrimSuffix(strings.TrimRight(s, "0"), ".")
}

// column returns the column, and a note if numbers were rounded.
func (b *Builder) column(name string) (c *frame.Column, note string) {
	gone := append(b.gone, make([]uint64, (b.n+63)/64-len(b.gone))...)
	switch b.kind {
	case Ints:
		c = frame.IntColumn(name, b.ints)
	case Floats:
		c = frame.FloatColumn(name, b.floats)
	case Bools:
		c = frame.BoolColumn(name, b.bools)
	case Times:
		c = frame.NanoColumn(name, b.ints, b.zone)
	case Decimals:
		if b.whole {
			c = frame.IntColumn(name, b.ints)
			break
		}
		c = frame.FloatColumn(name, b.floats)
		rounded := b.rounded
		for _, v := range b.ints { // integers among fractions
			if (v > 1<<53 || v < -1<<53) && int64(float64(v)) != v {
				rounded++
			}
		}
		if rounded > 0 {
			note = fmt.Sprintf("column %q has %d numbers with more digits than a float64 holds: rounded; cast it to text in the query to keep all digits", name, rounded)
		}
	case Texts:
		switch {
		case b.texts != nil:
			c = frame.StringColumn(name, b.texts)
		case b.codes == nil:
			return frame.StringColumn(name, nil), ""
		default:
			return frame.StringCodes(name, b.codes, b.list), ""
		}
	}
	return c.MarkMissing(gone), note
}

// Frame makes a frame from the columns. If several columns have the same name, all but the first
// are renamed.
func Frame(columns []*Builder, notes ...string) (*frame.Frame, error) {
	list, used := make([]*frame.Column, len(columns)), map[string]bool{}
	for j, b := range columns {
		title := b.name
		if title == "" {
			title = "column " + strconv.Itoa(j+1)
		}
		for k := 2; used[title]; k++ {
			title = b.name + " " + strconv.Itoa(k)
		}
		if title != b.name {
			notes = append(notes, fmt.Sprintf("column %d, %q, is renamed to %q", j+1, b.name, title))
		}
		used[title] = true
		c, note := b.column(title)
		if note != "" {
			notes = append(notes, note)
		}
		list[j] = c
		columns[j] = nil
	}
	f, err := frame.New(list...)
	if err != nil {
		return nil, err
	}
	return f.Noted(notes...), nil
}
