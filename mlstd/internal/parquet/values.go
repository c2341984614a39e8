package parquet

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/gokernel/gokernel/mlstd/internal/infer"
)

// values are the values of a page: whole numbers and booleans, floating-point numbers, or bytes.
// Values of a dictionary are given by their positions.
type values struct {
	ints   []int64
	floats []float64
	bytes  [][]byte
	codes  []uint32 // into of
	of     *values
	known  []int32 // for a dictionary of texts: their numbers in the column
}

func (v *values) len() int {
	if v.of != nil {
		return len(v.codes)
	}
	return len(v.ints) + len(v.floats) + len(v.bytes)
}

// decode reads n values of a page.
func (c *chunk) decode(b []byte, n int, encoding int64) (*values, error) {
	v := &values{}
	var err error
	switch encoding {
	case 0:
		err = c.plain(b, n, v)
	case 2, 8:
		if c.dictionary == nil || len(b) == 0 && n > 0 {
			return nil, errPage
		}
		v.of = c.dictionary
		if n > 0 {
			if c.codes, _, err = hybrid(b[1:], int(b[0]), n, c.codes[:0]); err != nil {
				return nil, err
			}
			v.codes = c.codes
			if size := uint32(c.dictionary.len()); slices.Max(v.codes) >= size {
				return nil, errPage
			}
		}
	case 3:
		if c.physical != boolean || len(b) < 4 {
			return nil, errPage
		}
		bits, _, err := hybrid(b[4:], 1, n, nil)
		if err != nil {
			return nil, err
		}
		for _, x := range bits {
			v.ints = append(v.ints, int64(x))
		}
	case 5:
		if c.physical != int32s && c.physical != int64s {
			return nil, errPage
		}
		if v.ints, _, err = deltas(b, n); c.physical == int32s {
			for i := range v.ints {
				v.ints[i] = int64(int32(v.ints[i]))
			}
		}
	case 6:
		v.bytes, err = c.lengths(b, n)
	case 7:
		v.bytes, err = c.prefixes(b, n)
	case 9:
		b, err = c.streams(b, n)
		if err == nil {
			err = c.plain(b, n, v)
		}
	default:
		err = fmt.Errorf("the encoding %d is not known", encoding)
	}
	return v, err
}

// size returns the number of bytes of a value of a physical type.
func (c *chunk) size() int {
	return map[int]int{int32s: 4, int64s: 8, int96s: 12, floats: 4, doubles: 8, fixedArrays: c.length}[c.physical]
}

// plain reads n values in the plain encoding.
func (c *chunk) plain(b []byte, n int, v *values) error {
	if size := c.size(); size > 0 && n > len(b)/size || c.physical == boolean && n > 8*len(b) {
		return errPage
	}
	le := binary.LittleEndian
	switch c.physical {
	case boolean:
		for i := range n {
			v.ints = append(v.ints, int64(b[i>>3]>>(i&7)&1))
		}
	case int32s:
		v.ints = make([]int64, n)
		for i := range n {
			v.ints[i] = int64(int32(le.Uint32(b[4*i:])))
		}
	case int64s:
		v.ints = make([]int64, n)
		for i := range n {
			v.ints[i] = int64(le.Uint64(b[8*i:]))
		}
	case floats:
		v.floats = make([]float64, n)
		for i := range n {
			v.floats[i] = float64(math.Float32frombits(le.Uint32(b[4*i:])))
		}
	case doubles:
		v.floats = make([]float64, n)
		for i := range n {
			v.floats[i] = math.Float64frombits(le.Uint64(b[8*i:]))
		}
	case int96s:
		for i := range n {
			v.bytes = append(v.bytes, b[12*i:12*i+12])
		}
	case fixedArrays:
		if c.length == 0 && n > 0 {
			return errPage
		}
		for i := range n {
			v.bytes = append(v.bytes, b[c.length*i:c.length*(i+1)])
		}
	case byteArrays:
		for range n {
			if len(b) < 4 {
				return errPage
			}
			size := int64(le.Uint32(b))
			if size > int64(len(b)-4) {
				return errPage
			}
			v.bytes = append(v.bytes, b[4:4+size])
			b = b[4+size:]
		}
	}
	return nil
}

// lengths reads byte arrays that are preceded by all their lengths.
func (c *chunk) lengths(b []byte, n int) ([][]byte, error) {
	if c.physical != byteArrays {
		return nil, errPage
	}
	list, b, err := deltas(b, n)
	if err != nil {
		return nil, err
	}
	out := make([][]byte, len(list))
	for i, size := range list {
		if size < 0 || size > int64(len(b)) {
			return nil, errPage
		}
		out[i], b = b[:size], b[size:]
	}
	return out, nil
}

// prefixes reads byte arrays that share a prefix with the previous one.
func (c *chunk) prefixes(b []byte, n int) ([][]byte, error) {
	if c.physical != byteArrays && c.physical != fixedArrays {
		return nil, errPage
	}
	shared, b, err := deltas(b, n)
	if err != nil {
		return nil, err
	}
	sizes, b, err := deltas(b, n)
	if err != nil || len(sizes) != len(shared) {
		return nil, errPage
	}
	out := make([][]byte, len(sizes))
	var last []byte
	total := int64(0)
	for i, size := range sizes {
		if size < 0 || size > int64(len(b)) || shared[i] < 0 || shared[i] > int64(len(last)) {
			return nil, errPage
		}
		if total += shared[i] + size; total > 1<<30 {
			return nil, errPage
		}
		last = append(last[:shared[i]:shared[i]], b[:size]...)
		out[i], b = last, b[size:]
	}
	return out, nil
}

// streams reassembles values whose bytes are stored separately: all first bytes, then all second
// bytes, and so on.
func (c *chunk) streams(b []byte, n int) ([]byte, error) {
	size := c.size()
	if size == 0 || n > len(b)/size {
		return nil, errPage
	}
	out := make([]byte, n*size)
	for k := range size {
		for i := range n {
			out[i*size+k] = b[k*n+i]
		}
	}
	return out, nil
}

// grow allocates space for the rows.
func (c *chunk) grow(rows int) {
	switch c.column.Kind {
	case infer.Float:
		c.column.Floats = make([]float64, rows)
	case infer.Bool:
		c.column.Bools = make([]bool, rows)
	case infer.Text:
		c.column.Codes = make([]int32, rows)
		c.index = map[string]int32{}
	default:
		c.column.Ints = make([]int64, rows)
	}
}

// gap marks the next row as missing.
func (c *chunk) gap() {
	c.column.Gap(c.row, c.total)
	switch c.column.Kind {
	case infer.Float:
		c.column.Floats[c.row] = math.NaN()
	case infer.Text:
		c.column.Codes[c.row] = -1
	}
	c.row++
}

// bulk stores the values of a page whose columns need no conversion row by row. It returns false if
// they do.
func (c *chunk) bulk(v *values, n, there int) bool {
	out, from := c.column, v
	if v.of != nil {
		from = v.of
	}
	switch out.Kind {
	case infer.Float:
		if c.meaning != itself || from.floats == nil && there > 0 {
			return false
		}
		spread(c, v.codes, v.of != nil, from.floats, out.Floats[c.row:c.row+n], there)
	case infer.Int:
		if c.meaning == unsigned || from.ints == nil && there > 0 {
			return false
		}
		spread(c, v.codes, v.of != nil, from.ints, out.Ints[c.row:c.row+n], there)
	case infer.Text:
		if v.of == nil {
			return false
		}
		if from.known == nil {
			from.known = make([]int32, from.len())
			for k := range from.known {
				from.known[k] = c.number(from, k)
			}
		}
		spread(c, v.codes, true, from.known, out.Codes[c.row:c.row+n], there)
	default:
		return false
	}
	if there < n {
		for _, l := range c.levels {
			if l == uint32(c.deepest) {
				c.row++
			} else {
				c.gap()
			}
		}
		return true
	}
	c.row += n
	return true
}

// spread copies the values of a page to their rows: all rows, or those whose level says that there
// is a value.
func spread[T any](c *chunk, codes []uint32, coded bool, from, to []T, there int) {
	switch {
	case there == len(to) && coded:
		for i, k := range codes {
			to[i] = from[k]
		}
	case there == len(to):
		copy(to, from)
	default:
		k := 0
		for i, l := range c.levels {
			if l != uint32(c.deepest) {
				continue
			}
			at := k
			if coded {
				at = int(codes[k])
			}
			to[i] = from[at]
			k++
		}
	}
}

// put sets the next row to value k.
func (c *chunk) put(v *values, k int) error {
	from := v
	if v.of != nil {
		from, k = v.of, int(v.codes[k])
	}
	out, row := c.column, c.row
	c.row++
	switch out.Kind {
	case infer.Float:
		f, err := c.float(from, k)
		out.Floats[row] = f
		return err
	case infer.Int:
		x := from.ints[k]
		if c.meaning == unsigned && c.physical == int32s {
			x = int64(uint32(x))
		} else if c.meaning == unsigned && x < 0 {
			return errLarge
		}
		out.Ints[row] = x
	case infer.Bool:
		out.Bools[row] = from.ints[k] != 0
	case infer.Time:
		x, err := c.moment(from, k)
		out.Ints[row] = x
		return err
	case infer.Text:
		out.Codes[row] = c.number(from, k)
	}
	return nil
}

// number returns the number of a text in the dictionary of the column.
func (c *chunk) number(v *values, k int) int32 {
	var b []byte
	switch {
	case c.meaning == timeOfDay:
		d := time.Duration(v.ints[k]) * time.Duration(c.unit)
		b = []byte(time.Time{}.Add(d).Format("15:04:05.999999999"))
	case c.meaning == unsigned:
		b = strconv.AppendUint(nil, uint64(v.ints[k]), 10)
	case c.meaning == uuid && len(v.bytes[k]) == 16:
		x := v.bytes[k]
		b = fmt.Appendf(nil, "%x-%x-%x-%x-%x", x[:4], x[4:6], x[6:8], x[8:10], x[10:])
	case !utf8.Valid(v.bytes[k]):
		b = hex.AppendEncode(nil, v.bytes[k])
		if len(c.notes) == 0 {
			c.notes = append(c.notes, "has bytes that are not text: shown in hexadecimal")
		}
	default:
		b = v.bytes[k]
	}
	code, seen := c.index[string(b)]
	if !seen {
		code = int32(len(c.words))
		c.words = append(c.words, string(b))
		c.index[c.words[code]] = code
	}
	return code
}

// float returns a floating-point number or a decimal as float64.
func (c *chunk) float(v *values, k int) (float64, error) {
	if c.meaning == float16 {
		return half(binary.LittleEndian.Uint16(v.bytes[k])), nil
	}
	if c.meaning != decimal {
		return v.floats[k], nil
	}
	x := new(big.Int)
	switch {
	case v.ints != nil:
		x.SetInt64(v.ints[k])
	case v.bytes != nil:
		b := v.bytes[k]
		if len(b) > 64 {
			return 0, errPage
		}
		x.SetBytes(b)
		if len(b) > 0 && b[0] >= 0x80 {
			x.Sub(x, new(big.Int).Lsh(big.NewInt(1), uint(8*len(b))))
		}
	default:
		return 0, errPage
	}
	if x.BitLen() > 53 && len(c.notes) == 0 {
		c.notes = append(c.notes, "has decimals of more than 15 digits: rounded to float64")
	}
	f, _ := new(big.Rat).SetFrac(x, new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(c.scale)), nil)).Float64()
	return f, nil
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

// moment returns a time in nanoseconds since 1970.
func (c *chunk) moment(v *values, k int) (int64, error) {
	unit, x := c.unit, int64(0)
	switch {
	case c.physical == int96s:
		const epoch = 2440588 // 1970 in Julian days
		b := v.bytes[k]
		day := int64(binary.LittleEndian.Uint32(b[8:])) - epoch
		x = int64(binary.LittleEndian.Uint64(b))
		if day < -106000 || day > 106000 || x < 0 || x > 864e11 {
			return 0, fmt.Errorf("the times must be in the years 1678 to 2262")
		}
		return day*864e11 + x, nil
	case c.meaning == date:
		unit = 864e11
	}
	x = v.ints[k]
	if x > math.MaxInt64/unit || x < math.MinInt64/unit {
		return 0, fmt.Errorf("the times must be in the years 1678 to 2262")
	}
	return x * unit, nil
}
