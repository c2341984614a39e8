// Package parquet reads and writes the columns of Parquet files: plain columns and columns of
// nested records. It omits columns of lists and reports them.
package parquet

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"strings"
	"sync"
	"time"

	"github.com/klauspost/compress/snappy"
	"github.com/klauspost/compress/zstd"

	"github.com/gokernel/gokernel/mlstd/internal/infer"
	"github.com/gokernel/gokernel/mlstd/internal/lz4"
	"github.com/gokernel/gokernel/mlstd/internal/par"
	"github.com/gokernel/gokernel/mlstd/model"
)

// Table is the result of reading a file.
type Table struct {
	Columns []*infer.Column
	Rows    int
	Notes   []string
}

// file is a file that is being read.
type file struct {
	io.ReaderAt
	size   int64
	rows   int
	groups []value
	meta   map[string]string
	large  bool // the file is read by row groups, so that it can have any number of rows
}

// Read reads the columns for which wanted returns true.
func Read(r io.ReaderAt, size int64, wanted func(name string) bool) (*Table, error) {
	f := &file{ReaderAt: r, size: size}
	all, err := f.open()
	if err != nil {
		return nil, err
	}
	distinct(all)
	t := &Table{Rows: f.rows}
	var list []*leaf
	for _, l := range all {
		switch {
		case !wanted(l.name):
		case l.repeated:
			t.Notes = append(t.Notes, "column \""+l.name+"\" has lists and was left out")
		default:
			list = append(list, l)
		}
	}
	t.Columns = make([]*infer.Column, len(list))
	notes := make([]string, len(list))
	var mu sync.Mutex
	par.Range(len(list), 1, func(lo, hi int) {
		for j := lo; j < hi; j++ {
			c, note, e := f.column(list[j])
			t.Columns[j], notes[j] = c, note
			if e != nil {
				mu.Lock()
				err = model.Errorf("Parquet", "column %q: %v", list[j].name, e)
				mu.Unlock()
			}
		}
	})
	if err != nil {
		return nil, err
	}
	for j, note := range notes {
		if note != "" {
			t.Notes = append(t.Notes, "column \""+list[j].name+"\" "+note)
		}
	}
	return t, nil
}

// bytes reads a part of the file, into b if b is large enough.
func (f *file) bytes(b []byte, at, n int64) ([]byte, error) {
	if at < 0 || n < 0 || at > f.size || n > f.size-at {
		return nil, errMeta
	}
	if n > int64(cap(b)) {
		b = make([]byte, n)
	}
	b = b[:n]
	if _, err := f.ReadAt(b, at); err != nil && err != io.EOF {
		return nil, err
	}
	return b, nil
}

// open reads the metadata at the end of the file.
func (f *file) open() ([]*leaf, error) {
	tail, err := f.bytes(nil, f.size-8, 8)
	if err != nil || string(tail[4:]) != "PAR1" {
		if err == nil && string(tail[4:]) == "PARE" {
			return nil, model.Errorf("Parquet", "the file is encrypted")
		}
		return nil, damaged("the file does not end as a Parquet file must")
	}
	n := int64(binary.LittleEndian.Uint32(tail))
	b, err := f.bytes(nil, f.size-8-n, n)
	if err != nil {
		return nil, damaged("%v", err)
	}
	meta, err := (&thrift{b: b}).structure(0)
	if err != nil {
		return nil, damaged("%v", err)
	}
	rows := meta.at(3).i
	if rows < 0 || rows > 1<<20+20000*f.size || rows > math.MaxInt32 && !f.large {
		return nil, damaged("the file declares %d rows", rows)
	}
	f.rows, f.groups = int(rows), meta.at(4).list
	f.meta = map[string]string{}
	for _, pair := range meta.at(5).list {
		f.meta[string(pair.at(1).b)] = string(pair.at(2).b)
	}
	all, err := leaves(meta.at(2).list)
	if err != nil {
		return nil, damaged("%v", err)
	}
	sum := int64(0)
	for _, g := range f.groups {
		sum += g.at(3).i
		if len(g.at(1).list) != len(all) || g.at(3).i < 0 {
			return nil, damaged("%v", errMeta)
		}
	}
	if sum != rows || rows > 0 && len(all) == 0 {
		return nil, damaged("the row groups have %d rows together, but the file declares %d", sum, rows)
	}
	return all, nil
}

// column reads a column of all row groups.
func (f *file) column(l *leaf) (*infer.Column, string, error) {
	kind, err := l.kind()
	if err != nil {
		return nil, "", err
	}
	r, err := f.chunk(l, kind)
	if err == errLarge {
		if r, err = f.chunk(l, infer.Text); err == nil {
			r.notes = append(r.notes, "has integers that are too large for int64: read as text")
		}
	}
	if err != nil {
		return nil, "", err
	}
	f.finish(r, kind)
	return r.column, strings.Join(r.notes, "; "), nil
}

// finish sets the dictionary, the unit and the zone of a column that has been read.
func (f *file) finish(r *chunk, kind infer.Kind) {
	c := r.column
	c.Words = r.words
	switch kind {
	case infer.Float, infer.Int:
		c.Unit = f.meta["unit:"+c.Name]
	case infer.Time:
		c.Zone = time.UTC
		if zone, err := time.LoadLocation(f.meta["zone:"+c.Name]); err == nil {
			c.Zone = zone
		}
	}
}

// errLarge is the error for a whole number that overflows int64.
var errLarge = errors.New("a number is too large")

// chunk reads all row groups of a column.
func (f *file) chunk(l *leaf, kind infer.Kind) (*chunk, error) {
	r := &chunk{file: f, leaf: l, total: f.rows, column: &infer.Column{Name: l.name, Kind: kind}}
	r.grow(f.rows)
	defer func() {
		if r.zstd != nil {
			r.zstd.Close()
		}
	}()
	for _, g := range f.groups {
		if err := r.group(g); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// buffers are a decompressor and memory that are used again for other chunks.
type buffers struct {
	zstd     *zstd.Decoder
	packed   []byte // the pages of a chunk
	unpacked []byte // a page
	levels   []uint32
	codes    []uint32
}

// chunk reads the pages of one column.
type chunk struct {
	*file
	*leaf
	column     *infer.Column
	row        int
	total      int // rows of the column
	notes      []string
	codec      int64
	dictionary *values
	words      []string
	index      map[string]int32
	buffers
}

// group reads the pages of a row group.
func (c *chunk) group(g value) error {
	meta := g.at(1).list[c.leaf.index].at(3)
	if int(meta.at(1).i) != c.physical {
		return errMeta
	}
	c.codec, c.dictionary = meta.at(4).i, nil
	from := meta.at(9).i
	if d := meta.at(11).i; meta.has(11) && d > 0 && d < from {
		from = d
	}
	b, err := c.bytes(c.packed, from, meta.at(7).i)
	if err != nil {
		return err
	}
	c.packed = b
	until := c.row + int(g.at(3).i)
	for c.row < until {
		t := &thrift{b: b}
		head, err := t.structure(0)
		if err != nil {
			return err
		}
		size := head.at(3).i
		if size < 0 || size > int64(len(t.b)) {
			return errPage
		}
		body := t.b[:size]
		b = t.b[size:]
		switch head.at(1).i {
		case 0:
			err = c.page(head, body, until)
		case 2:
			err = c.words2(head, body)
		case 3:
			err = c.page2(head, body, until)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// unpack decompresses a page to the given length, into to if to is large enough.
func (c *chunk) unpack(to, b []byte, size int64) ([]byte, error) {
	if size < 0 || size > 1<<30 || c.codec != 0 && c.codec != 6 && size > 1<<16+1100*int64(len(b)) {
		return nil, errPage
	}
	var out []byte
	var err error
	switch c.codec {
	case 0:
		out = b
	case 1:
		if n, e := snappy.DecodedLen(b); e != nil || int64(n) != size {
			return nil, errPage
		}
		out, err = snappy.Decode(to, b)
	case 2:
		var z *gzip.Reader
		if z, err = gzip.NewReader(bytes.NewReader(b)); err == nil {
			out, err = io.ReadAll(io.LimitReader(z, size+1))
		}
	case 6:
		if c.zstd == nil {
			if c.zstd, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(1<<30)); err != nil {
				return nil, err
			}
		}
		var head zstd.Header
		if head.Decode(b) != nil || head.HasFCS && head.FrameContentSize > uint64(size) {
			return nil, errPage
		}
		out, err = c.zstd.DecodeAll(b, to[:0])
	case 7:
		out, err = lz4.Block(b, int(size))
	default:
		names := map[int64]string{3: "LZO", 4: "brotli", 5: "LZ4 of Hadoop"}
		return nil, model.Errorf("Parquet", "the compression must be snappy, gzip or zstd, got %s", names[c.codec]).WithHint("write the file again with one of these")
	}
	if err != nil || int64(len(out)) != size {
		return nil, errPage
	}
	return out, nil
}

// unpackData decompresses a page of data, whose values are copied before the next page is read.
func (c *chunk) unpackData(b []byte, size int64) ([]byte, error) {
	out, err := c.unpack(c.unpacked, b, size)
	if err == nil && c.codec != 0 {
		c.unpacked = out
	}
	return out, err
}

// words2 reads a page of dictionary values.
func (c *chunk) words2(head value, body []byte) error {
	b, err := c.unpack(nil, body, head.at(2).i) // the words refer to the page
	if err != nil {
		return err
	}
	n := head.at(7).at(1).i
	if n < 0 || n > int64(len(b)) && c.physical != boolean {
		return errPage
	}
	c.dictionary = &values{}
	return c.plain(b, int(n), c.dictionary)
}

// page reads a data page of the first version: levels and values are compressed
// together.
func (c *chunk) page(head value, body []byte, until int) error {
	h := head.at(5)
	n := h.at(1).i
	if n < 0 || n > int64(until-c.row) {
		return errPage
	}
	b, err := c.unpackData(body, head.at(2).i)
	if err != nil {
		return err
	}
	c.levels = c.levels[:0]
	if c.deepest > 0 {
		if h.at(3).i != 3 || len(b) < 4 {
			return errPage
		}
		size := int64(binary.LittleEndian.Uint32(b))
		if size > int64(len(b)-4) {
			return errPage
		}
		if err = c.define(b[4:4+size], int(n)); err != nil {
			return err
		}
		b = b[4+size:]
	}
	return c.data(b, int(n), h.at(2).i)
}

// page2 reads a data page of the second version: levels come first, and are not
// compressed.
func (c *chunk) page2(head value, body []byte, until int) error {
	h := head.at(8)
	n, definition, repetition := h.at(1).i, h.at(5).i, h.at(6).i
	if n < 0 || n > int64(until-c.row) || definition < 0 || repetition < 0 || definition+repetition > int64(len(body)) {
		return errPage
	}
	var err error
	c.levels = c.levels[:0]
	if c.deepest > 0 {
		if err = c.define(body[repetition:repetition+definition], int(n)); err != nil {
			return err
		}
	}
	b := body[definition+repetition:]
	if !h.has(7) || h.at(7).i == 1 {
		if b, err = c.unpackData(b, head.at(2).i-definition-repetition); err != nil {
			return err
		}
	}
	return c.data(b, int(n), h.at(4).i)
}

// define reads the definition levels of a page. It leaves the list empty if all values are present.
func (c *chunk) define(b []byte, n int) (err error) {
	width := widthOf(c.deepest)
	if head, k := binary.Uvarint(b); k > 0 && head&1 == 0 && head>>1 >= uint64(n) && width <= 8 && len(b) > k && int(b[k]) == c.deepest {
		return nil
	}
	c.levels, _, err = hybrid(b, width, n, c.levels)
	return err
}

// data reads the values of a page and stores them in their rows.
func (c *chunk) data(b []byte, n int, encoding int64) error {
	there := n
	if c.deepest > 0 && len(c.levels) > 0 {
		there = 0
		for _, l := range c.levels {
			if l == uint32(c.deepest) {
				there++
			}
		}
	}
	v, err := c.decode(b, there, encoding)
	if err != nil {
		return err
	}
	if v.len() != there {
		return errPage
	}
	if c.bulk(v, n, there) {
		return nil
	}
	k := 0
	for i := range n {
		if there < n && c.levels[i] != uint32(c.deepest) {
			c.gap()
			continue
		}
		if err := c.put(v, k); err != nil {
			return err
		}
		k++
	}
	return nil
}
