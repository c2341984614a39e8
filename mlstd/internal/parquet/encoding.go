package parquet

import (
	"encoding/binary"
	"errors"
	"math/bits"
	"slices"
)

var errPage = errors.New("a page is damaged")

// hybrid reads n numbers with the given width in bits, encoded as runs of equal numbers and
// bit-packed groups of eight. It returns the rest of b.
func hybrid(b []byte, width, n int, out []uint32) ([]uint32, []byte, error) {
	if width > 32 {
		return out, b, errPage
	}
	for len(out) < n {
		head, k := binary.Uvarint(b)
		if k <= 0 {
			return out, b, errPage
		}
		b = b[k:]
		if head&1 == 0 {
			run := int(min(head>>1, uint64(n-len(out))))
			size := (width + 7) / 8
			if len(b) < size || head>>1 == 0 {
				return out, b, errPage
			}
			v := uint32(0)
			for i := range size {
				v |= uint32(b[i]) << (8 * i)
			}
			b = b[size:]
			from := len(out)
			out = slices.Grow(out, run)[:from+run]
			for i := range out[from:] {
				out[from+i] = v
			}
			continue
		}
		groups := head >> 1
		if groups == 0 || groups > uint64(len(b)) && width > 0 || groups > 1<<28 {
			return out, b, errPage
		}
		size := int(groups) * width
		if size > len(b) {
			size = len(b) // the last group may be cut off
		}
		count := min(int(groups)*8, n-len(out))
		if size*8 < count*width {
			return out, b, errPage
		}
		out = unpack(b[:size], width, count, out)
		b = b[size:]
	}
	return out, b, nil
}

// unpack appends count bit-packed numbers with the given width.
func unpack(b []byte, width, count int, out []uint32) []uint32 {
	from := len(out)
	out = slices.Grow(out, count)[:from+count]
	to := out[from:]
	mask := uint64(1)<<width - 1
	// Numbers of at most 32 bits that begin in the first of eight loaded bytes end in the fifth.
	fast := 0
	if len(b) >= 8 && width > 0 {
		fast = min(count, ((len(b)-8)*8+7)/width)
	}
	at := 0
	for i := range to[:fast] {
		to[i] = uint32(binary.LittleEndian.Uint64(b[at>>3:]) >> (at & 7) & mask)
		at += width
	}
	for i := fast; i < count; i++ {
		to[i] = uint32(wide(b, at, width))
		at += width
	}
	return out
}

// pack appends numbers with the given width in bits as one bit-packed run, padded with zeros to a
// multiple of eight numbers.
func pack(out []byte, width int, v []uint32) []byte {
	groups := (len(v) + 7) / 8
	out = binary.AppendUvarint(out, uint64(groups)<<1|1)
	held, have := uint64(0), 0
	for i := range groups * 8 {
		if i < len(v) {
			held |= uint64(v[i]) << have
		}
		for have += width; have >= 8; have -= 8 {
			out = append(out, byte(held))
			held >>= 8
		}
	}
	return out
}

// deltas reads delta-encoded whole numbers and returns the rest of b.
func deltas(b []byte, limit int) (out []int64, rest []byte, err error) {
	u := func() uint64 {
		v, n := binary.Uvarint(b)
		if n <= 0 {
			err, n = errPage, len(b)
		}
		b = b[n:]
		return v
	}
	z := func() int64 { v := u(); return int64(v>>1) ^ -int64(v&1) }
	block, minis, total, last := u(), u(), u(), z()
	if err != nil || minis == 0 || minis > 1<<10 || block == 0 || block > 1<<20 || block%(minis*8) != 0 || total > uint64(limit) {
		return nil, nil, errPage
	}
	if total == 0 {
		return nil, b, nil
	}
	out = append(out, last)
	per := int(block / minis)
	for uint64(len(out)) < total {
		least := z()
		if err != nil || uint64(len(b)) < minis {
			return nil, nil, errPage
		}
		widths := b[:minis]
		b = b[minis:]
		for _, w := range widths {
			if uint64(len(out)) >= total {
				break
			}
			width := int(w)
			size := per * width / 8
			if width > 64 || size > len(b) {
				return nil, nil, errPage
			}
			at := 0
			for range min(per, int(total)-len(out)) {
				last += least + int64(wide(b, at, width))
				out = append(out, last)
				at += width
			}
			b = b[size:]
		}
	}
	return out, b, nil
}

// wide returns the number of up to 64 bits that begins at the given bit.
func wide(b []byte, at, width int) uint64 {
	v := uint64(0)
	for got := 0; got < width; {
		c := uint64(b[at>>3]) >> (at & 7)
		n := min(8-at&7, width-got)
		v |= c & (1<<n - 1) << got
		got += n
		at += n
	}
	return v
}

// widthOf returns the number of bits that numbers up to v need.
func widthOf(v int) int { return bits.Len(uint(v)) }
