package parquet

import (
	"encoding/binary"
	"io"
	"math"
	"sync"
	"time"

	"github.com/gokernel/gokernel/mlstd/internal/infer"
	"github.com/gokernel/gokernel/mlstd/model"
)

// File is a file whose row groups are read one by one. Its methods can be called from several
// goroutines.
type File struct {
	file
	leaves []*leaf
	Notes  []string // columns that were left out
}

// Open reads the metadata of a file. The file can have any number of rows.
func Open(r io.ReaderAt, size int64) (*File, error) {
	f := &File{file: file{ReaderAt: r, size: size, large: true}}
	all, err := f.open()
	if err != nil {
		return nil, err
	}
	distinct(all)
	for _, l := range all {
		if l.repeated {
			f.Notes = append(f.Notes, "column \""+l.name+"\" has lists and was left out")
			continue
		}
		if _, err := l.kind(); err != nil {
			return nil, model.Errorf("Parquet", "column %q: %v", l.name, err)
		}
		f.leaves = append(f.leaves, l)
	}
	return f, nil
}

// Names returns the names of the columns.
func (f *File) Names() []string {
	names := make([]string, len(f.leaves))
	for j, l := range f.leaves {
		names[j] = l.name
	}
	return names
}

// Rows returns the number of rows of the file.
func (f *File) Rows() int { return f.rows }

// Groups returns the number of row groups.
func (f *File) Groups() int { return len(f.groups) }

// GroupRows returns the number of rows of a group.
func (f *File) GroupRows(g int) int { return int(f.groups[g].at(3).i) }

// Bytes returns the number of compressed bytes of the columns of a group.
func (f *File) Bytes(g int, names []string) int64 {
	sum := int64(0)
	for _, name := range names {
		if l := f.leaf(name); l != nil {
			sum += f.groups[g].at(1).list[l.index].at(3).at(7).i
		}
	}
	return sum
}

func (f *File) leaf(name string) *leaf {
	for _, l := range f.leaves {
		if l.name == name {
			return l
		}
	}
	return nil
}

// Empty returns the columns without rows, which have the kinds of the file.
func (f *File) Empty() []*infer.Column {
	out := make([]*infer.Column, len(f.leaves))
	for j, l := range f.leaves {
		kind, _ := l.kind() // Open has checked it
		c := f.new(l, kind, 0)
		f.finish(c, kind)
		out[j] = c.column
	}
	return out
}

func (f *File) new(l *leaf, kind infer.Kind, rows int) *chunk {
	c := &chunk{file: &f.file, leaf: l, total: rows, column: &infer.Column{Name: l.name, Kind: kind}}
	c.grow(rows)
	return c
}

// unused has buffers that no chunk uses now.
var unused sync.Pool

// Group reads columns of a row group.
func (f *File) Group(g int, names []string) ([]*infer.Column, error) {
	out := make([]*infer.Column, len(names))
	rows := f.GroupRows(g)
	if rows > math.MaxInt32 {
		return nil, model.Errorf("Parquet", "a row group must have at most %d rows, got %d", math.MaxInt32, rows)
	}
	for j, name := range names {
		l := f.leaf(name)
		if l == nil {
			return nil, model.Errorf("Parquet", "there is no column %q", name)
		}
		kind, err := l.kind()
		if err != nil {
			return nil, err
		}
		c := f.new(l, kind, rows)
		if b, ok := unused.Get().(*buffers); ok {
			c.buffers = *b
		}
		if err = c.group(f.groups[g]); err != nil {
			if err == errLarge {
				err = model.Errorf("Parquet", "an unsigned integer does not fit in an int64")
			}
			return nil, model.Errorf("Parquet", "column %q: %v", name, err)
		}
		used := c.buffers
		unused.Put(&used)
		f.finish(c, kind)
		out[j] = c.column
	}
	return out, nil
}

// Bounds returns the minimum and maximum of a column in a row group: int64, float64 or string, and
// nanoseconds since 1970 as an int64 for times. ok is false if the file does not have them. The
// bounds of strings can lie outside of the values.
func (f *File) Bounds(g int, name string) (lo, hi any, ok bool) {
	l := f.leaf(name)
	if l == nil {
		return nil, nil, false
	}
	s := f.groups[g].at(1).list[l.index].at(3).at(12)
	low, high := s.at(6), s.at(5)
	if !s.has(5) || !s.has(6) {
		if l.physical == byteArrays || l.meaning == unsigned || !s.has(1) || !s.has(2) {
			return nil, nil, false
		}
		low, high = s.at(2), s.at(1)
	}
	lo, ok = l.bound(low.b)
	if !ok {
		return nil, nil, false
	}
	hi, ok = l.bound(high.b)
	return lo, hi, ok
}

// bound decodes a value of the statistics.
func (l *leaf) bound(b []byte) (any, bool) {
	kind, err := l.kind()
	if err != nil || l.meaning == unsigned {
		return nil, false
	}
	var x int64
	switch {
	case l.physical == int32s && len(b) == 4:
		x = int64(int32(binary.LittleEndian.Uint32(b)))
	case l.physical == int64s && len(b) == 8:
		x = int64(binary.LittleEndian.Uint64(b))
	case l.physical == doubles && len(b) == 8:
		v := math.Float64frombits(binary.LittleEndian.Uint64(b))
		return v, v == v
	case l.physical == floats && len(b) == 4:
		v := float64(math.Float32frombits(binary.LittleEndian.Uint32(b)))
		return v, v == v
	case l.physical == byteArrays && l.meaning == text && kind == infer.Text:
		return string(b), true
	default:
		return nil, false
	}
	switch kind {
	case infer.Int:
		return x, true
	case infer.Time:
		unit := l.unit
		if l.meaning == date {
			unit = 24 * int64(time.Hour)
		}
		if unit == 0 || x > math.MaxInt64/unit || x < math.MinInt64/unit {
			return nil, false
		}
		return x * unit, true
	}
	return nil, false
}
