package arrow

import (
	"encoding/binary"
	"errors"
)

// errMeta is the error for metadata that is not a valid FlatBuffer.
var errMeta = errors.New("the metadata is damaged")

// flat is a FlatBuffer that is being read. Reading beyond its end sets bad and returns zeros, so
// that callers check once.
type flat struct {
	b   []byte
	bad bool
}

// table is the position of a table in a FlatBuffer; 0 means that there is none.
type table struct {
	f  *flat
	at int
}

func (f *flat) get(at, n int) []byte {
	if at < 0 || at > len(f.b)-n {
		f.bad = true
		return make([]byte, n)
	}
	return f.b[at : at+n]
}

func (f *flat) u16(at int) int   { return int(binary.LittleEndian.Uint16(f.get(at, 2))) }
func (f *flat) u32(at int) int   { return int(binary.LittleEndian.Uint32(f.get(at, 4))) }
func (f *flat) i64(at int) int64 { return int64(binary.LittleEndian.Uint64(f.get(at, 8))) }

// root returns the table of a FlatBuffer.
func root(b []byte) table {
	f := &flat{b: b}
	return table{f, f.u32(0)}
}

// field returns the position of a field of a table, 0 if it has its default value.
func (t table) field(i int) int {
	if t.at == 0 {
		return 0
	}
	vtable := t.at - int(int32(t.f.u32(t.at)))
	if 4+2*i+2 > t.f.u16(vtable) {
		return 0
	}
	if o := t.f.u16(vtable + 4 + 2*i); o != 0 {
		return t.at + o
	}
	return 0
}

func (t table) byte(i int) int {
	if at := t.field(i); at != 0 {
		return int(t.f.get(at, 1)[0])
	}
	return 0
}

// short returns an int16 field, or otherwise its default.
func (t table) short(i, otherwise int) int {
	if at := t.field(i); at != 0 {
		return int(int16(t.f.u16(at)))
	}
	return otherwise
}

func (t table) int(i, otherwise int) int {
	if at := t.field(i); at != 0 {
		return int(int32(t.f.u32(at)))
	}
	return otherwise
}

func (t table) long(i int) int64 {
	if at := t.field(i); at != 0 {
		return t.f.i64(at)
	}
	return 0
}

// follow returns the position that a field refers to, or 0.
func (t table) follow(i int) int {
	if at := t.field(i); at != 0 {
		return at + t.f.u32(at)
	}
	return 0
}

func (t table) table(i int) table { return table{t.f, t.follow(i)} }

func (t table) string(i int) string {
	at := t.follow(i)
	if at == 0 {
		return ""
	}
	return string(t.f.get(at+4, min(t.f.u32(at), len(t.f.b)+1)))
}

// vector returns the position and the number of the elements of a vector, each with the given size.
func (t table) vector(i, size int) (at, n int) {
	if at = t.follow(i); at == 0 {
		return 0, 0
	}
	if n = t.f.u32(at); n > (len(t.f.b)-at)/size {
		t.f.bad = true
		return 0, 0
	}
	return at + 4, n
}

func (t table) tables(i int) []table {
	at, n := t.vector(i, 4)
	out := make([]table, n)
	for k := range out {
		out[k] = table{t.f, at + 4*k + t.f.u32(at+4*k)}
	}
	return out
}

// pairs returns metadata: a vector of tables of a key and a value.
func (t table) pairs(i int) map[string]string {
	out := map[string]string{}
	for _, p := range t.tables(i) {
		out[p.string(0)] = p.string(1)
	}
	return out
}

// builder writes a FlatBuffer. Offsets in a FlatBuffer point forward, so each table is written
// before what its fields refer to.
type builder struct{ b []byte }

// slot is a field of a table: a number of size bytes, or what write appends. The zero slot is a
// field with its default value.
type slot struct {
	size  int
	value uint64
	write func(w *builder) (at int)
}

func number(size int, v int64) slot         { return slot{size: size, value: uint64(v)} }
func refer(write func(w *builder) int) slot { return slot{size: 4, write: write} }
func text(s string) slot                    { return refer(func(w *builder) int { return w.text(s) }) }
func record(fields ...slot) slot            { return refer(func(w *builder) int { return w.table(fields...) }) }
func (w *builder) pad(to int)               { w.b = append(w.b, make([]byte, -len(w.b)&(to-1))...) }
func (w *builder) u16(v int)                { w.b = binary.LittleEndian.AppendUint16(w.b, uint16(v)) }
func (w *builder) u32(v int)                { w.b = binary.LittleEndian.AppendUint32(w.b, uint32(v)) }
func (w *builder) patch(at, to int)         { binary.LittleEndian.PutUint32(w.b[at:], uint32(to-at)) }
func (w *builder) put(at, size int, v uint64) {
	for i := range size {
		w.b[at+i] = byte(v >> (8 * i))
	}
}

// finish writes a FlatBuffer with the table as its root.
func finish(fields ...slot) []byte {
	w := &builder{b: make([]byte, 4)}
	w.patch(0, w.table(fields...))
	w.pad(8)
	return w.b
}

// table appends a table with its fields, and returns its position.
func (w *builder) table(fields ...slot) int {
	w.pad(2)
	vtable := len(w.b)
	size, offsets := 4, make([]int, len(fields))
	for i, f := range fields {
		if f.size > 0 {
			size = (size + f.size - 1) &^ (f.size - 1)
			offsets[i] = size
			size += f.size
		}
	}
	w.u16(4 + 2*len(fields))
	w.u16(size)
	for _, o := range offsets {
		w.u16(o)
	}
	w.pad(8)
	at := len(w.b)
	w.u32(at - vtable)
	w.b = append(w.b, make([]byte, size-4)...)
	for i, f := range fields {
		if f.size > 0 && f.write == nil {
			w.put(at+offsets[i], f.size, f.value)
		}
	}
	for i, f := range fields {
		if f.write != nil {
			w.patch(at+offsets[i], f.write(w))
		}
	}
	return at
}

func (w *builder) text(s string) int {
	w.pad(4)
	at := len(w.b)
	w.u32(len(s))
	w.b = append(append(w.b, s...), 0)
	return at
}

// list is a vector of n things that write appends.
func list(n int, write func(w *builder, i int) int) slot {
	return refer(func(w *builder) int {
		w.pad(4)
		at := len(w.b)
		w.u32(n)
		w.b = append(w.b, make([]byte, 4*n)...)
		for i := range n {
			w.patch(at+4+4*i, write(w, i))
		}
		return at
	})
}

// structs is a vector of structs of whole words of eight bytes.
func structs(words [][]int64) slot {
	return refer(func(w *builder) int {
		w.pad(4)
		if len(w.b)%8 == 0 {
			w.u32(0) // so that the structs, after the length, are aligned
		}
		at := len(w.b)
		w.u32(len(words))
		for _, s := range words {
			for _, x := range s {
				w.b = binary.LittleEndian.AppendUint64(w.b, uint64(x))
			}
		}
		return at
	})
}
