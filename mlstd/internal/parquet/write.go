package parquet

import (
	"encoding/binary"
	"io"
	"math"
	"slices"
	"time"

	"github.com/klauspost/compress/s2"

	"github.com/gokernel/gokernel/mlstd/internal/infer"
	"github.com/gokernel/gokernel/mlstd/internal/par"
)

// groupRows is the number of rows in a row group.
const groupRows = 1 << 18

// Writer writes a file in row groups, compressed with Snappy.
type Writer struct {
	io.Writer
	at      int64
	columns []*infer.Column // without values: names, kinds, units and zones
	open    []bool          // of each column, whether values can be missing
	chunks  [][]written     // columns of each group
	rows    []int
}

// written is a column of a group.
type written struct {
	dictionary, data, size, unpacked int64 // positions, and lengths including the headers
	coded                            bool
	gaps                             int
	low, high                        []byte // bounds of the values; nil if there are none
}

func (o *Writer) write(b []byte) error {
	n, err := o.Writer.Write(b)
	o.at += int64(n)
	return err
}

// Write writes columns with the given number of rows, compressed with Snappy. The metadata contains
// time zones and units, under the keys "zone:name" and "unit:name" for the column called name.
func Write(w io.Writer, columns []*infer.Column, rows int) error {
	o, err := NewWriter(w, columns, func(c *infer.Column) bool { return c.Gaps != nil })
	if err != nil {
		return err
	}
	if err := o.Add(columns, rows); err != nil {
		return err
	}
	return o.Close()
}

// NewWriter begins a file with the names, kinds, units and zones of columns, whose values it
// ignores. The function missing reports whether values of a column can be missing.
func NewWriter(w io.Writer, columns []*infer.Column, missing func(*infer.Column) bool) (*Writer, error) {
	o := &Writer{Writer: w}
	for _, c := range columns {
		o.columns = append(o.columns, &infer.Column{Name: c.Name, Kind: c.Kind, Unit: c.Unit, Zone: c.Zone})
		o.open = append(o.open, missing(c))
	}
	return o, o.write([]byte("PAR1"))
}

// Add writes rows, in row groups of at most 262,144 rows.
func (o *Writer) Add(columns []*infer.Column, rows int) error {
	for from := 0; from < rows; from += groupRows {
		to := min(from+groupRows, rows)
		group := make([]written, len(columns))
		texts := make([]encoder, len(columns))
		par.Range(len(columns), 1, func(j, _ int) { group[j] = texts[j].column(columns[j], o.open[j], from, to) })
		for j := range columns {
			group[j].dictionary += o.at
			group[j].data += o.at
			if err := o.write(texts[j].b); err != nil {
				return err
			}
		}
		o.chunks, o.rows = append(o.chunks, group), append(o.rows, to-from)
	}
	return nil
}

// encoder collects the pages of a column of a group.
type encoder struct{ b []byte }

// Close writes the metadata. It does not close the underlying writer.
func (o *Writer) Close() error {
	rows := 0
	for _, n := range o.rows {
		rows += n
	}
	meta := o.meta(rows)
	meta = binary.LittleEndian.AppendUint32(meta, uint32(len(meta)))
	return o.write(append(meta, "PAR1"...))
}

func physicalOf(k infer.Kind) int64 {
	return map[infer.Kind]int64{infer.Float: doubles, infer.Int: int64s, infer.Time: int64s, infer.Bool: boolean, infer.Text: byteArrays}[k]
}

// meta writes the metadata of the file.
func (o *Writer) meta(rows int) []byte {
	columns := o.columns
	w := &writer{}
	w.begin()
	w.int(1, 2)
	w.list(2, 12, len(columns)+1)
	w.begin()
	w.text(4, "schema")
	w.int(5, int64(len(columns)))
	w.end()
	var pairs [][2]string
	for j, c := range columns {
		w.begin()
		w.int(1, physicalOf(c.Kind))
		w.int(3, int64(level(o.open[j])))
		w.text(4, c.Name)
		switch c.Kind {
		case infer.Text:
			w.int(6, 0)
			w.structure(10)
			w.structure(1)
			w.end()
			w.end()
		case infer.Time:
			w.structure(10)
			w.structure(8)
			w.bool(1, c.Zone != time.UTC)
			w.structure(2)
			w.structure(3)
			w.end()
			w.end()
			w.end()
			w.end()
			if c.Zone != time.UTC {
				pairs = append(pairs, [2]string{"zone:" + c.Name, c.Zone.String()})
			}
		}
		w.end()
		if c.Unit != "" {
			pairs = append(pairs, [2]string{"unit:" + c.Name, c.Unit})
		}
	}
	w.long(3, int64(rows))
	w.list(4, 12, len(o.chunks))
	for g, group := range o.chunks {
		o.group(w, columns, group, o.rows[g])
	}
	if len(pairs) > 0 {
		w.list(5, 12, len(pairs))
		for _, p := range pairs {
			w.begin()
			w.text(1, p[0])
			w.text(2, p[1])
			w.end()
		}
	}
	w.text(6, "gokernel")
	w.list(7, 12, len(columns)) // the bounds are in the order of the types
	for range columns {
		w.begin()
		w.structure(1)
		w.end()
		w.end()
	}
	w.end()
	return w.b
}

// group writes the metadata of a row group.
func (o *Writer) group(w *writer, columns []*infer.Column, group []written, rows int) {
	total := int64(0)
	w.begin()
	w.list(1, 12, len(group))
	for j, x := range group {
		total += x.unpacked
		w.begin()
		w.long(2, x.dictionary)
		w.structure(3)
		w.int(1, physicalOf(columns[j].Kind))
		encodings := []int64{0, 3}
		if x.coded {
			encodings = append(encodings, 8)
		}
		w.list(2, 5, len(encodings))
		for _, e := range encodings {
			w.zigzag(e)
		}
		w.list(3, 8, 1)
		w.bytes(columns[j].Name)
		w.int(4, 1)
		w.long(5, int64(rows))
		w.long(6, x.unpacked)
		w.long(7, x.size)
		w.long(9, x.data)
		if x.coded {
			w.long(11, x.dictionary)
		}
		w.structure(12)
		w.long(3, int64(x.gaps))
		if x.low != nil {
			w.field(5, 8)
			w.bytes(string(x.high))
			w.field(6, 8)
			w.bytes(string(x.low))
		}
		w.end()
		w.end()
		w.end()
	}
	w.long(2, total)
	w.long(3, int64(rows))
	w.end()
}

// level returns the maximum definition level: 1 if values can be missing, otherwise 0.
func level(open bool) int {
	if open {
		return 1
	}
	return 0
}

// column writes a column of a group: a page of its dictionary, if it has one, and a
// page of its values.
func (o *encoder) column(c *infer.Column, open bool, from, to int) (x written) {
	b, gaps := levels(nil, c, open, from, to)
	x.gaps = gaps
	encoding := int64(0)
	if c.Kind == infer.Text {
		words, codes := dictionaryOf(c, from, to)
		x.textBounds(words)
		if x.coded = 2*len(words) <= len(codes); x.coded {
			encoding = 8
			var page []byte
			for _, s := range words {
				page = appendText(page, s)
			}
			x.unpacked = o.page(2, page, len(words), 0)
			x.data = int64(len(o.b))
			width := widthOf(max(len(words)-1, 1))
			b = pack(append(b, byte(width)), width, codes)
		} else {
			for _, k := range codes {
				b = appendText(b, words[k])
			}
		}
	} else {
		b = plain(b, c, from, to)
		x.bounds(c, from, to)
	}
	x.unpacked += o.page(0, b, to-from, encoding)
	x.size = int64(len(o.b))
	return x
}

func appendText(b []byte, s string) []byte {
	b = binary.LittleEndian.AppendUint32(b, uint32(len(s)))
	return append(b, s...)
}

// page writes a page of data (kind 0) or of a dictionary (kind 2) of n values, and
// returns its length before compression.
func (o *encoder) page(kind int64, b []byte, n int, encoding int64) int64 {
	packed := s2.EncodeSnappy(nil, b)
	w := &writer{}
	w.begin()
	w.int(1, kind)
	w.int(2, int64(len(b)))
	w.int(3, int64(len(packed)))
	if kind == 2 {
		w.structure(7)
		w.int(1, int64(n))
		w.int(2, 0)
	} else {
		w.structure(5)
		w.int(1, int64(n))
		w.int(2, encoding)
		w.int(3, 3)
		w.int(4, 3)
	}
	w.end()
	w.end()
	o.b = append(append(o.b, w.b...), packed...)
	return int64(len(w.b) + len(b))
}

// levels writes which values are present, if some can be missing, and counts the missing ones.
func levels(b []byte, c *infer.Column, open bool, from, to int) (out []byte, gaps int) {
	if !open {
		return b, 0
	}
	there := make([]uint32, to-from)
	for i := range there {
		if c.IsGap(from + i) {
			gaps++
		} else {
			there[i] = 1
		}
	}
	var packed []byte
	if gaps == 0 {
		packed = append(binary.AppendUvarint(nil, uint64(len(there))<<1), 1)
	} else {
		packed = pack(nil, 1, there)
	}
	b = binary.LittleEndian.AppendUint32(b, uint32(len(packed)))
	return append(b, packed...), gaps
}

// longestBound is the maximum length of a string in the statistics.
const longestBound = 64

// textBounds finds the minimum and maximum of strings.
func (x *written) textBounds(words []string) {
	if len(words) == 0 {
		return
	}
	low, high := slices.Min(words), slices.Max(words)
	if len(low) <= longestBound && len(high) <= longestBound {
		x.low, x.high = []byte(low), []byte(high)
	}
}

// bounds finds the minimum and maximum of numbers and times.
func (x *written) bounds(c *infer.Column, from, to int) {
	encode := func(v uint64) []byte { return binary.LittleEndian.AppendUint64(nil, v) }
	switch c.Kind {
	case infer.Float:
		low, high := math.Inf(1), math.Inf(-1)
		for i, v := range c.Floats[from:to] {
			if c.IsGap(from + i) {
				continue
			}
			low, high = min(low, v), max(high, v) // NaN if a value is NaN
		}
		if low <= high {
			if low == 0 {
				low = math.Copysign(0, -1)
			}
			x.low, x.high = encode(math.Float64bits(low)), encode(math.Float64bits(high+0))
		}
	case infer.Int, infer.Time:
		low, high := int64(math.MaxInt64), int64(math.MinInt64)
		for i, v := range c.Ints[from:to] {
			if !c.IsGap(from + i) {
				low, high = min(low, v), max(high, v)
			}
		}
		if low <= high {
			x.low, x.high = encode(uint64(low)), encode(uint64(high))
		}
	}
}

// plain writes the values that are present in the plain encoding.
func plain(b []byte, c *infer.Column, from, to int) []byte {
	if c.Kind != infer.Bool {
		b = slices.Grow(b, 8*(to-from))
	}
	var held byte
	bit := 0
	for i := from; i < to; i++ {
		if c.IsGap(i) {
			continue
		}
		switch c.Kind {
		case infer.Float:
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(c.Floats[i]))
		case infer.Bool:
			if c.Bools[i] {
				held |= 1 << bit
			}
			if bit++; bit == 8 {
				b = append(b, held)
				held, bit = 0, 0
			}
		default:
			b = binary.LittleEndian.AppendUint64(b, uint64(c.Ints[i]))
		}
	}
	if bit > 0 {
		b = append(b, held)
	}
	return b
}

// dictionaryOf returns the words of the rows and their positions, without missing values.
func dictionaryOf(c *infer.Column, from, to int) (words []string, codes []uint32) {
	position := make(map[int32]uint32)
	for _, k := range c.Codes[from:to] {
		if k < 0 {
			continue
		}
		at, seen := position[k]
		if !seen {
			at = uint32(len(words))
			position[k] = at
			words = append(words, c.Words[k])
		}
		codes = append(codes, at)
	}
	return words, codes
}
