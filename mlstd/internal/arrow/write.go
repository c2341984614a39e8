package arrow

import (
	"encoding/binary"
	"io"
	"math"
	"slices"
	"time"

	"github.com/gokernel/gokernel/mlstd/internal/infer"
)

// batchRows is the number of rows of a message.
const batchRows = 1 << 17

// Write writes columns with the given number of rows, without compression: in the file format, or
// as a stream. The metadata of a field contains the column's unit, under the key "unit".
func Write(out io.Writer, columns []*Column, rows int, stream bool) error {
	w := &writer{out: out}
	if !stream {
		w.write([]byte(Magic + "\x00\x00"))
	}
	w.message(schemaMessage, schemaOf(columns), nil)
	var dictionaries, batches [][]int64
	for j, c := range columns {
		if c.Category {
			b := &body{}
			b.words(c.Words)
			rows := b.batch(len(c.Words), [][]int64{{int64(len(c.Words)), 0}})
			dictionaries = append(dictionaries, w.message(dictionaryMessage, []slot{number(8, int64(j)), record(rows...)}, b.b))
		}
	}
	for from := 0; from < rows; from += batchRows {
		to := min(from+batchRows, rows)
		b := &body{}
		var nodes [][]int64
		for _, c := range columns {
			nodes = append(nodes, []int64{int64(to - from), b.column(c, from, to)})
		}
		batches = append(batches, w.message(rowsMessage, b.batch(to-from, nodes), b.b))
	}
	w.write([]byte{0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0})
	if !stream {
		footer := finish(number(2, 4), record(schemaOf(columns)...), structs(dictionaries), structs(batches))
		w.write(footer)
		w.write(binary.LittleEndian.AppendUint32(nil, uint32(len(footer))))
		w.write([]byte(Magic))
	}
	return w.err
}

type writer struct {
	out io.Writer
	at  int64
	err error
}

func (w *writer) write(b []byte) {
	if w.err == nil {
		_, w.err = w.out.Write(b)
	}
	w.at += int64(len(b))
}

// message writes a message and returns its position as the footer lists it.
func (w *writer) message(kind int, head []slot, body []byte) []int64 {
	b := finish(number(2, 4), number(1, int64(kind)), record(head...), number(8, int64(len(body))))
	block := []int64{w.at, int64(len(b) + 8), int64(len(body))}
	w.write(binary.LittleEndian.AppendUint32([]byte{0xff, 0xff, 0xff, 0xff}, uint32(len(b))))
	w.write(b)
	w.write(body)
	return block
}

// schemaOf returns the fields of a Schema.
func schemaOf(columns []*Column) []slot {
	return []slot{{}, list(len(columns), func(w *builder, j int) int {
		c := columns[j]
		kind, fields := typeOf(c)
		dictionary, meta := slot{}, slot{}
		if c.Category {
			dictionary = record(number(8, int64(j)), record(number(4, 32), number(1, 1)), number(1, 1))
		}
		if c.Unit != "" {
			meta = list(1, func(w *builder, _ int) int { return w.table(text("unit"), text(c.Unit)) })
		}
		none := list(0, nil)
		return w.table(text(c.Name), number(1, 1), number(1, int64(kind)), record(fields...), dictionary, none, meta)
	})}
}

// typeOf returns the type of a column and its fields.
func typeOf(c *Column) (typ, []slot) {
	switch c.Kind {
	case infer.Float:
		return floating, []slot{number(2, 2)}
	case infer.Int:
		return integer, []slot{number(4, 64), number(1, 1)}
	case infer.Bool:
		return boolean, nil
	case infer.Time:
		zone := slot{}
		if c.Zone != time.UTC {
			zone = text(c.Zone.String())
		}
		return timestamp, []slot{number(2, 3), zone}
	}
	return utf8Text, nil
}

// body is the body of a message: buffers, each of which begins at a multiple of eight bytes.
type body struct {
	b       []byte
	buffers [][]int64
}

func (b *body) batch(rows int, nodes [][]int64) []slot {
	return []slot{number(8, int64(rows)), structs(nodes), structs(b.buffers)}
}

// begin begins a buffer, which ends with the next call of end.
func (b *body) begin() int { return len(b.b) }

func (b *body) end(from int) {
	b.buffers = append(b.buffers, []int64{int64(from), int64(len(b.b) - from)})
	b.b = append(b.b, make([]byte, -len(b.b)&7)...)
}

// column appends the buffers of the rows of a column, and returns how many of them are missing.
func (b *body) column(c *Column, from, to int) int64 {
	missing := int64(0)
	for i := from; i < to; i++ {
		if c.IsGap(i) {
			missing++
		}
	}
	at := b.begin()
	if missing > 0 {
		b.bits(from, to, func(i int) bool { return !c.IsGap(i) })
	}
	b.end(at)
	le := binary.LittleEndian
	at = b.begin()
	switch {
	case c.Kind == infer.Float:
		for _, x := range c.Floats[from:to] {
			b.b = le.AppendUint64(b.b, math.Float64bits(x))
		}
	case c.Kind == infer.Int || c.Kind == infer.Time:
		for _, x := range c.Ints[from:to] {
			b.b = le.AppendUint64(b.b, uint64(x))
		}
	case c.Kind == infer.Bool:
		b.bits(from, to, func(i int) bool { return c.Bools[i] })
	case c.Category:
		for _, k := range c.Codes[from:to] {
			b.b = le.AppendUint32(b.b, uint32(max(k, 0)))
		}
	default:
		b.texts(c, from, to)
		return missing
	}
	b.end(at)
	return missing
}

// bits appends a bit per row.
func (b *body) bits(from, to int, set func(i int) bool) {
	at := len(b.b)
	b.b = append(b.b, make([]byte, (to-from+7)/8)...)
	for i := from; i < to; i++ {
		if k := i - from; set(i) {
			b.b[at+k>>3] |= 1 << (k & 7)
		}
	}
}

func (b *body) texts(c *Column, from, to int) {
	b.offsets(from, to, func(i int) string {
		if k := c.Codes[i]; k >= 0 {
			return c.Words[k]
		}
		return ""
	})
}

// words appends the buffers of texts none of which is missing.
func (b *body) words(words []string) {
	b.end(b.begin())
	b.offsets(0, len(words), func(i int) string { return words[i] })
}

// offsets appends a buffer with the positions of texts, and one with the texts.
func (b *body) offsets(from, to int, text func(i int) string) {
	at, sum := b.begin(), 0
	for i := from; i < to; i++ {
		b.b = binary.LittleEndian.AppendUint32(b.b, uint32(sum))
		sum += len(text(i))
	}
	b.b = binary.LittleEndian.AppendUint32(b.b, uint32(sum))
	b.end(at)
	b.b = slices.Grow(b.b, sum)
	at = b.begin()
	for i := from; i < to; i++ {
		b.b = append(b.b, text(i)...)
	}
	b.end(at)
}
