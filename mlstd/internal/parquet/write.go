package parquet

import (
	"encoding/binary"
	"io"
	"math"
	"time"

	"github.com/klauspost/compress/snappy"

	"github.com/gokernel/gokernel/mlstd/internal/infer"
)

// groupRows is the number of rows in a row group.
const groupRows = 1 << 18

// out is a file that is being written.
type out struct {
	io.Writer
	at     int64
	chunks [][]written // columns of each group
	rows   []int
}

// written is a column of a group.
type written struct {
	dictionary, data, size, unpacked int64 // positions, and lengths including the headers
	coded                            bool
}

func (o *out) write(b []byte) error {
	n, err := o.Write(b)
	o.at += int64(n)
	return err
}

// Write writes columns with the given number of rows, compressed with Snappy. The metadata contains
// time zones and units, under the keys "zone:name" and "unit:name" for the column called name.
func Write(w io.Writer, columns []*infer.Column, rows int) error {
	o := &out{Writer: w}
	if err := o.write([]byte("PAR1")); err != nil {
		return err
	}
	for from := 0; from < rows; from += groupRows {
		to := min(from+groupRows, rows)
		var group []written
		for _, c := range columns {
			x, err := o.column(c, from, to)
			if err != nil {
				return err
			}
			group = append(group, x)
		}
		o.chunks, o.rows = append(o.chunks, group), append(o.rows, to-from)
	}
	meta := o.meta(columns, rows)
	meta = binary.LittleEndian.AppendUint32(meta, uint32(len(meta)))
	return o.write(append(meta, "PAR1"...))
}

func physicalOf(k infer.Kind) int64 {
	return map[infer.Kind]int64{infer.Float: doubles, infer.Int: int64s, infer.Time: int64s, infer.Bool: boolean, infer.Text: byteArrays}[k]
}

// meta writes the metadata of the file.
func (o *out) meta(columns []*infer.Column, rows int) []byte {
	w := &writer{}
	w.begin()
	w.int(1, 2)
	w.list(2, 12, len(columns)+1)
	w.begin()
	w.text(4, "schema")
	w.int(5, int64(len(columns)))
	w.end()
	var pairs [][2]string
	for _, c := range columns {
		w.begin()
		w.int(1, physicalOf(c.Kind))
		w.int(3, int64(level(c)))
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
	w.end()
	return w.b
}

// group writes the metadata of a row group.
func (o *out) group(w *writer, columns []*infer.Column, group []written, rows int) {
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
		w.end()
		w.end()
	}
	w.long(2, total)
	w.long(3, int64(rows))
	w.end()
}

// level returns the maximum definition level: 1 if values can be missing, otherwise 0.
func level(c *infer.Column) int {
	if c.Gaps != nil {
		return 1
	}
	return 0
}

// column writes a column of a group: a page of its dictionary, if it has one, and a
// page of its values.
func (o *out) column(c *infer.Column, from, to int) (x written, err error) {
	begin := o.at
	x.dictionary, x.data = begin, begin
	b := levels(nil, c, from, to)
	encoding := int64(0)
	if c.Kind == infer.Text {
		words, codes := dictionaryOf(c, from, to)
		if x.coded = 2*len(words) <= len(codes); x.coded {
			encoding = 8
			var page []byte
			for _, s := range words {
				page = appendText(page, s)
			}
			if x.unpacked, err = o.page(2, page, len(words), 0); err != nil {
				return x, err
			}
			x.data = o.at
			width := widthOf(max(len(words)-1, 1))
			b = pack(append(b, byte(width)), width, codes)
		} else {
			for _, k := range codes {
				b = appendText(b, words[k])
			}
		}
	} else {
		b = plain(b, c, from, to)
	}
	n, err := o.page(0, b, to-from, encoding)
	x.unpacked += n
	x.size = o.at - begin
	return x, err
}

func appendText(b []byte, s string) []byte {
	b = binary.LittleEndian.AppendUint32(b, uint32(len(s)))
	return append(b, s...)
}

// page writes a page of data (kind 0) or of a dictionary (kind 2) of n values, and
// returns its length before compression.
func (o *out) page(kind int64, b []byte, n int, encoding int64) (int64, error) {
	packed := snappy.Encode(nil, b)
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
	if err := o.write(w.b); err != nil {
		return 0, err
	}
	return int64(len(w.b) + len(b)), o.write(packed)
}

// levels writes which values are present, if some are missing.
func levels(b []byte, c *infer.Column, from, to int) []byte {
	if c.Gaps == nil {
		return b
	}
	there := make([]uint32, to-from)
	for i := range there {
		if !c.IsGap(from + i) {
			there[i] = 1
		}
	}
	packed := pack(nil, 1, there)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(packed)))
	return append(b, packed...)
}

// plain writes the values that are present in the plain encoding.
func plain(b []byte, c *infer.Column, from, to int) []byte {
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
