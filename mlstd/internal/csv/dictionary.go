package csv

import (
	"encoding/binary"
	"hash/maphash"
	"math/bits"
	"unsafe"
)

// arena keeps the bytes of many strings in few blocks. The blocks start small and grow, because a
// table can have a million columns, each with an arena.
type arena struct{ block []byte }

const (
	firstBlock = 1 << 6
	arenaBlock = 1 << 18
)

func (a *arena) keep(b []byte) string {
	if len(b) == 0 {
		return ""
	}
	if cap(a.block)-len(a.block) < len(b) {
		a.block = make([]byte, 0, max(min(max(4*cap(a.block), firstBlock), arenaBlock), len(b)))
	}
	from := len(a.block)
	a.block = append(a.block, b...)
	return unsafe.String(&a.block[from], len(b))
}

// Dictionary assigns an index to each distinct string that one worker finds in one column. It is a
// hash table with linear probing. Entries contain strings of up to 16 bytes directly, so that a
// lookup usually touches one cache line.
type Dictionary struct {
	arena arena
	words []string
	table []entry
}

// entry is a word. A short word is identified by its length and its first and last eight bytes, a
// longer word by its hash and then a comparison.
type entry struct {
	a, b   uint64
	length uint32
	number int32 // from 1; 0 if the entry is free
}

const short = 16

var (
	seed   = maphash.MakeSeed()
	mixing = [2]uint64{maphash.Bytes(seed, []byte{1}) | 1, maphash.Bytes(seed, []byte{2}) | 1}
)

// NewDictionary returns an empty dictionary.
func NewDictionary() *Dictionary { return &Dictionary{table: make([]entry, 16)} }

func asBytes(s string) []byte { return unsafe.Slice(unsafe.StringData(s), len(s)) }

// key returns the entry for a text, without a number.
func key(b []byte) entry {
	n := len(b)
	e := entry{length: uint32(n)}
	switch {
	case n > short:
		e.a = maphash.Bytes(seed, b)
	case n >= 8:
		e.a, e.b = binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[n-8:])
	case n >= 4:
		e.a, e.b = uint64(binary.LittleEndian.Uint32(b)), uint64(binary.LittleEndian.Uint32(b[n-4:]))
	case n > 0:
		e.a = uint64(b[0]) | uint64(b[n/2])<<8 | uint64(b[n-1])<<16
	}
	return e
}

// place returns the first slot to probe for an entry.
func (e *entry) place() uint64 {
	hi, lo := bits.Mul64(e.a^mixing[0], e.b^mixing[1]^uint64(e.length))
	return (hi ^ lo) * mixing[0] >> 7
}

// Number returns the index of a string, and adds the string if it is new. Indices start at 0.
func (d *Dictionary) Number(b []byte) int32 {
	e := key(b)
	mask := uint64(len(d.table) - 1)
	for i := e.place() & mask; ; i = (i + 1) & mask {
		t := &d.table[i]
		if t.number == 0 {
			e.number = int32(len(d.words)) + 1
			d.words = append(d.words, d.arena.keep(b))
			*t = e
			if 4*len(d.words) > 3*len(d.table) {
				d.grow()
			}
			return e.number - 1
		}
		if t.a == e.a && t.b == e.b && t.length == e.length && (e.length <= short || d.words[t.number-1] == string(b)) {
			return t.number - 1
		}
	}
}

// Words returns the strings in the order of their indices.
func (d *Dictionary) Words() []string { return d.words }

// grow doubles the capacity.
func (d *Dictionary) grow() {
	old := d.table
	d.table = make([]entry, 2*len(old))
	mask := uint64(len(d.table) - 1)
	for k := range old {
		if old[k].number == 0 {
			continue
		}
		i := old[k].place() & mask
		for d.table[i].number != 0 {
			i = (i + 1) & mask
		}
		d.table[i] = old[k]
	}
}
