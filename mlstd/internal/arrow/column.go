package arrow

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"math"
	"math/big"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/klauspost/compress/zstd"

	"github.com/gokernel/gokernel/mlstd/internal/infer"
	"github.com/gokernel/gokernel/mlstd/internal/lz4"
)

var errValues = errors.New("its values are damaged")

// column is a column that is being read.
type column struct {
	field *field
	out   *Column
	total int
	row   int // the next row
	index map[string]int32
	of    *dict   // the dictionary that codes is of
	codes []int32 // of each position in it, the number of its word; -1 if it is missing
	notes []string
}

func newColumn(name string, f *field) *column {
	c := &column{field: f, out: &Column{Column: infer.Column{Name: name, Unit: f.meta["unit"]}}}
	switch f.typ {
	case integer:
		c.out.Kind = infer.Int
	case floating, decimal, null:
		c.out.Kind = infer.Float
	case duration:
		c.out.Kind, c.out.Unit = infer.Float, "s"
	case boolean:
		c.out.Kind = infer.Bool
	case date, timestamp:
		c.out.Kind = infer.Time
		zone, err := location(f.zone)
		if err != nil {
			c.say("has the time zone " + strconv.Quote(f.zone) + ", which this system does not know: shown in UTC")
			zone = time.UTC
		}
		c.out.Zone = zone
	}
	c.out.Category = f.dictionary && c.out.Kind == infer.Text
	return c
}

// say adds a note, once.
func (c *column) say(note string) {
	if !slices.Contains(c.notes, note) {
		c.notes = append(c.notes, note)
	}
}

// make allocates the values.
func (c *column) make(n int) {
	c.total = n
	switch c.out.Kind {
	case infer.Float:
		c.out.Floats = make([]float64, n)
	case infer.Int, infer.Time:
		c.out.Ints = make([]int64, n)
	case infer.Bool:
		c.out.Bools = make([]bool, n)
	default:
		c.out.Codes = make([]int32, n)
		c.index = map[string]int32{}
	}
}

func (c *column) gap(row int) {
	c.out.Gap(row, c.total)
	switch {
	case c.out.Floats != nil:
		c.out.Floats[row] = math.NaN()
	case c.out.Codes != nil:
		c.out.Codes[row] = -1
	}
}

// finish returns the column when all rows are read.
func (c *column) finish() *Column { return c.out }

// reader reads the buffers of a message.
type reader struct {
	f     *file
	m     message
	codec int
}

// get reads a buffer and decompresses it.
func (r *reader) get(b buffer) ([]byte, error) {
	if b.at < 0 || b.n < 0 || b.at > r.m.size || b.n > r.m.size-b.at {
		return nil, errValues
	}
	v, err := r.f.bytes(r.m.body+b.at, b.n)
	if err != nil || r.codec < 0 || len(v) == 0 {
		return v, err
	}
	if len(v) < 8 {
		return nil, errValues
	}
	size, packed := int64(binary.LittleEndian.Uint64(v)), v[8:]
	switch {
	case size == -1:
		return packed, nil
	case size < 0 || size > 1<<16+100000*int64(len(packed)):
		return nil, errValues
	case r.codec == 0:
		return lz4.Frame(packed, int(size))
	}
	d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(uint64(size)+1<<23))
	if err != nil {
		return nil, err
	}
	defer d.Close()
	out, err := d.DecodeAll(packed, make([]byte, 0, size))
	if err != nil || int64(len(out)) != size {
		return nil, errValues
	}
	return out, nil
}

// present reads a buffer that marks the rows with values; nil means all.
func (r *reader) present(b buffer, n int) ([]byte, error) {
	v, err := r.get(b)
	if err == nil && len(v) > 0 && len(v) < (n+7)/8 {
		err = errValues
	}
	return v, err
}

// read reads the rows of a message.
func (c *column) read(r *reader, p *part, dicts map[int64]*dict) error {
	n, from := int(p.n), c.row
	if n < 0 || n > c.total-from {
		return errValues
	}
	c.row += n
	if c.field.typ == null && !c.field.dictionary {
		for i := range n {
			c.gap(from + i)
		}
		return nil
	}
	marks := p.parents
	if p.nulls != 0 {
		marks = append(marks[:len(marks):len(marks)], p.buffers[0])
	}
	gone := make([]bool, n)
	for _, b := range marks {
		v, err := r.present(b, n)
		if err != nil {
			return err
		}
		for i := range n {
			if len(v) > 0 && v[i>>3]>>(i&7)&1 == 0 {
				gone[i] = true
			}
		}
	}
	if err := c.values(r, p, from, gone, dicts); err != nil {
		return err
	}
	for i, missing := range gone {
		if missing {
			c.gap(from + i)
		}
	}
	return nil
}

// fixed reads a buffer of values of width bytes.
func (r *reader) fixed(b buffer, n, width int) ([]byte, error) {
	v, err := r.get(b)
	if err == nil && len(v)/max(width, 1) < n {
		err = errValues
	}
	return v, err
}

// integers returns a function that reads the integers of a buffer.
func (r *reader) integers(f *field, b buffer, n int) (func(i int) int64, error) {
	v, err := r.fixed(b, n, f.bits/8)
	if err != nil {
		return nil, err
	}
	le := binary.LittleEndian
	switch {
	case f.bits == 8 && f.unsigned:
		return func(i int) int64 { return int64(v[i]) }, nil
	case f.bits == 8:
		return func(i int) int64 { return int64(int8(v[i])) }, nil
	case f.bits == 16 && f.unsigned:
		return func(i int) int64 { return int64(le.Uint16(v[2*i:])) }, nil
	case f.bits == 16:
		return func(i int) int64 { return int64(int16(le.Uint16(v[2*i:]))) }, nil
	case f.bits == 32 && f.unsigned:
		return func(i int) int64 { return int64(le.Uint32(v[4*i:])) }, nil
	case f.bits == 32:
		return func(i int) int64 { return int64(int32(le.Uint32(v[4*i:]))) }, nil
	}
	return func(i int) int64 { return int64(le.Uint64(v[8*i:])) }, nil
}

// values reads the values of the rows from from on that are not gone.
func (c *column) values(r *reader, p *part, from int, gone []bool, dicts map[int64]*dict) error {
	f, n := c.field, len(gone)
	each := func(put func(i int) error) error {
		for i, missing := range gone {
			if !missing {
				if err := put(i); err != nil {
					return err
				}
			}
		}
		return nil
	}
	if f.dictionary {
		at, err := r.integers(f.index, p.buffers[1], n)
		if err != nil {
			return err
		}
		d := dicts[f.id]
		return each(func(i int) error { return c.look(d, from+i, at(i), gone, i) })
	}
	switch f.typ {
	case integer:
		at, err := r.integers(f, p.buffers[1], n)
		if err != nil {
			return err
		}
		return each(func(i int) error { c.integer(from+i, at(i)); return nil })
	case floating:
		v, err := r.fixed(p.buffers[1], n, f.bits/8)
		if err != nil {
			return err
		}
		return each(func(i int) error {
			switch f.bits {
			case 16:
				c.out.Floats[from+i] = half(binary.LittleEndian.Uint16(v[2*i:]))
			case 32:
				c.out.Floats[from+i] = float64(math.Float32frombits(binary.LittleEndian.Uint32(v[4*i:])))
			default:
				c.out.Floats[from+i] = math.Float64frombits(binary.LittleEndian.Uint64(v[8*i:]))
			}
			return nil
		})
	case boolean:
		v, err := r.present(p.buffers[1], n)
		if err != nil || len(v) == 0 && n > 0 {
			return cmpErr(err)
		}
		return each(func(i int) error { c.out.Bools[from+i] = v[i>>3]>>(i&7)&1 == 1; return nil })
	case decimal:
		width := f.bits / 8
		v, err := r.fixed(p.buffers[1], n, width)
		if err != nil {
			return err
		}
		scale := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(f.scale, -f.scale))), nil)
		return each(func(i int) error { c.out.Floats[from+i] = c.decimal(v[i*width:][:width], scale); return nil })
	case date, timestamp, timeOfDay, duration:
		at, err := r.integers(&field{typ: integer, bits: f.bits}, p.buffers[1], n)
		if err != nil {
			return err
		}
		return each(func(i int) error { return c.moment(from+i, at(i)) })
	}
	texts, err := r.texts(f, p.buffers, n)
	if err != nil {
		return err
	}
	return each(func(i int) error {
		b, ok := texts(i)
		if !ok {
			return errValues
		}
		if !utf8.Valid(b) {
			c.say("has bytes that are not text: shown in hexadecimal")
			b = hex.AppendEncode(nil, b)
		}
		c.out.Codes[from+i] = c.number(b)
		return nil
	})
}

func cmpErr(err error) error {
	if err == nil {
		return errValues
	}
	return err
}

// integer stores an integer. A column with an unsigned integer beyond int64 becomes text.
func (c *column) integer(row int, x int64) {
	large := c.field.unsigned && c.field.bits == 64 && x < 0
	if large && c.out.Kind == infer.Int {
		ints := c.out.Ints
		c.out.Kind, c.out.Ints = infer.Text, nil
		c.out.Codes, c.index = make([]int32, c.total), map[string]int32{}
		for i, v := range ints[:row] {
			if c.out.Codes[i] = -1; !c.out.IsGap(i) {
				c.out.Codes[i] = c.number(strconv.AppendInt(nil, v, 10))
			}
		}
		c.say("has integers that are too large for int64: read as text")
	}
	if c.out.Kind == infer.Int {
		c.out.Ints[row] = x
		return
	}
	c.out.Codes[row] = c.number(strconv.AppendUint(nil, uint64(x), 10))
}

// decimal converts a little-endian integer in two's complement, divided by the scale.
func (c *column) decimal(b []byte, scale *big.Int) float64 {
	b = slices.Clone(b)
	slices.Reverse(b)
	x := new(big.Int).SetBytes(b)
	if b[0] >= 0x80 {
		x.Sub(x, new(big.Int).Lsh(big.NewInt(1), uint(8*len(b))))
	}
	if x.BitLen() > 53 {
		c.say("has decimals of more than 15 digits: rounded to float64")
	}
	q := new(big.Rat).SetInt(x)
	if c.field.scale < 0 {
		q.Mul(q, new(big.Rat).SetInt(scale))
	} else {
		q.Quo(q, new(big.Rat).SetInt(scale))
	}
	v, _ := q.Float64()
	return v
}

// moment stores a time, a time of day or a duration.
func (c *column) moment(row int, x int64) error {
	unit := c.field.unit
	switch c.field.typ {
	case duration:
		c.out.Floats[row] = float64(x) / (1e9 / float64(unit))
		return nil
	case timeOfDay:
		if x < 0 || x >= 864e11/unit {
			return errValues
		}
		c.out.Codes[row] = c.number([]byte(time.Time{}.Add(time.Duration(x * unit)).Format("15:04:05.999999999")))
		return nil
	}
	if x > math.MaxInt64/unit || x < math.MinInt64/unit {
		return errors.New("a time is not in the years 1678 to 2262")
	}
	c.out.Ints[row] = x * unit
	return nil
}

// half converts a 16-bit floating-point number.
func half(h uint16) float64 {
	fraction, exponent := float64(h&0x3ff), int(h>>10&31)
	v := 0.0
	switch exponent {
	case 0:
		v = math.Ldexp(fraction, -24)
	case 31:
		if v = math.Inf(1); fraction != 0 {
			v = math.NaN()
		}
	default:
		v = math.Ldexp(1024+fraction, exponent-25)
	}
	if h>>15 == 1 {
		v = -v
	}
	return v
}

// number returns the number of a text in the words of the column.
func (c *column) number(b []byte) int32 {
	code, seen := c.index[string(b)]
	if !seen {
		code = int32(len(c.out.Words))
		c.out.Words = append(c.out.Words, string(b))
		c.index[c.out.Words[code]] = code
	}
	return code
}

// texts returns a function with the bytes of each row, and false if they are damaged.
func (r *reader) texts(f *field, b []buffer, n int) (func(i int) ([]byte, bool), error) {
	all := make([][]byte, len(b))
	for k := 1; k < len(b); k++ {
		var err error
		if all[k], err = r.get(b[k]); err != nil {
			return nil, err
		}
	}
	le := binary.LittleEndian
	switch f.typ {
	case fixedBytes:
		if n > 0 && len(all[1])/max(f.width, 1) < n && f.width > 0 {
			return nil, errValues
		}
		return func(i int) ([]byte, bool) { return all[1][i*f.width:][:f.width], true }, nil
	case bytesView, textView:
		if len(all[1])/16 < n {
			return nil, errValues
		}
		return func(i int) ([]byte, bool) {
			v := all[1][16*i:][:16]
			size := int(int32(le.Uint32(v)))
			if size >= 0 && size <= 12 {
				return v[4:][:size], true
			}
			k, at := int(int32(le.Uint32(v[8:]))), int(int32(le.Uint32(v[12:])))
			if size < 0 || k < 0 || k >= len(all)-2 || at < 0 || at > len(all[k+2]) || size > len(all[k+2])-at {
				return nil, false
			}
			return all[k+2][at:][:size], true
		}, nil
	}
	width := 4
	at := func(i int) int64 { return int64(int32(le.Uint32(all[1][4*i:]))) }
	if f.typ == largeBytes || f.typ == largeText {
		width = 8
		at = func(i int) int64 { return int64(le.Uint64(all[1][8*i:])) }
	}
	if n > 0 && len(all[1])/width < n+1 {
		return nil, errValues
	}
	data := all[2]
	return func(i int) ([]byte, bool) {
		lo, hi := at(i), at(i+1)
		if lo < 0 || hi < lo || hi > int64(len(data)) {
			return nil, false
		}
		return data[lo:hi], true
	}, nil
}

// dict is the values of a dictionary.
type dict struct{ parts []*Column }

// with returns the dictionary with more values.
func (d *dict) with(c *Column) *dict {
	return &dict{parts: append(slices.Clone(d.parts), c)}
}

// look stores the value of the dictionary at a position, or marks row i of the part as gone.
func (c *column) look(d *dict, row int, at int64, gone []bool, i int) error {
	if d == nil {
		return errors.New("its dictionary is missing")
	}
	if c.out.Kind == infer.Text {
		if c.of != d {
			c.levels(d)
		}
		if at < 0 || at >= int64(len(c.codes)) {
			return errValues
		}
		c.out.Codes[row] = c.codes[at]
		gone[i] = c.codes[at] < 0
		return nil
	}
	for _, v := range d.parts {
		n := int64(v.Len())
		if at >= n {
			at -= n
			continue
		}
		if at < 0 {
			break
		}
		k := int(at)
		if v.IsGap(k) {
			gone[i] = true
			return nil
		}
		switch c.out.Kind {
		case infer.Float:
			c.out.Floats[row] = v.Floats[k]
		case infer.Bool:
			c.out.Bools[row] = v.Bools[k]
		default:
			if v.Ints == nil {
				return errors.New("its dictionary has integers that are too large for int64")
			}
			c.out.Ints[row] = v.Ints[k]
		}
		return nil
	}
	return errValues
}

// levels numbers all words of a dictionary in their order, also those that no row has.
func (c *column) levels(d *dict) {
	c.of, c.codes = d, nil
	for _, part := range d.parts {
		for i, code := range part.Codes {
			k := int32(-1)
			if !part.IsGap(i) {
				k = c.number([]byte(part.Words[code]))
			}
			c.codes = append(c.codes, k)
		}
	}
}
