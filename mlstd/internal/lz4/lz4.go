// Package lz4 decompresses LZ4, in the block format and in the frame format.
package lz4

import (
	"encoding/binary"
	"errors"
)

var errDamaged = errors.New("lz4: the compressed data are damaged")

// Frame decompresses a frame to size bytes. It does not check checksums.
func Frame(b []byte, size int) ([]byte, error) {
	const (
		magic           = 0x184D2204
		blockChecksum   = 1 << 4
		contentSize     = 1 << 3
		contentChecksum = 1 << 2
		dictionary      = 1 << 0
		uncompressed    = 1 << 31
	)
	if len(b) < 7 || binary.LittleEndian.Uint32(b) != magic || b[4]>>6 != 1 || b[4]&dictionary != 0 {
		return nil, errDamaged
	}
	flags, at := b[4], 7
	if flags&contentSize != 0 {
		at += 8
	}
	out := make([]byte, 0, size)
	for {
		if len(b)-at < 4 {
			return nil, errDamaged
		}
		head := binary.LittleEndian.Uint32(b[at:])
		at += 4
		if head == 0 {
			break
		}
		n := int(head &^ uncompressed)
		if n > len(b)-at {
			return nil, errDamaged
		}
		block := b[at : at+n]
		if at += n; flags&blockChecksum != 0 {
			at += 4
		}
		if head&uncompressed != 0 {
			if out = append(out, block...); len(out) > size {
				return nil, errDamaged
			}
			continue
		}
		var err error
		if out, err = appendBlock(out, block, size); err != nil {
			return nil, err
		}
	}
	if len(out) != size {
		return nil, errDamaged
	}
	return out, nil
}

// Block decompresses a block to size bytes.
func Block(b []byte, size int) ([]byte, error) {
	out, err := appendBlock(make([]byte, 0, size), b, size)
	if err != nil || len(out) != size {
		return nil, errDamaged
	}
	return out, nil
}

// appendBlock appends the sequences of a block: literal bytes, and then a copy of earlier bytes.
// The result has at most size bytes.
func appendBlock(out, b []byte, size int) ([]byte, error) {
	at := 0
	// more adds the bytes that continue a length of 15.
	more := func(n int) (int, bool) {
		if n < 15 {
			return n, true
		}
		for at < len(b) && n <= size+15 {
			x := b[at]
			at++
			if n += int(x); x < 255 {
				return n, true
			}
		}
		return 0, false
	}
	for at < len(b) {
		token := b[at]
		at++
		literals, ok := more(int(token >> 4))
		if !ok || literals > len(b)-at || literals > size-len(out) {
			return nil, errDamaged
		}
		out = append(out, b[at:at+literals]...)
		if at += literals; at == len(b) {
			return out, nil // the last sequence has no copy
		}
		if len(b)-at < 2 {
			return nil, errDamaged
		}
		back := int(b[at]) | int(b[at+1])<<8
		at += 2
		n, ok := more(int(token & 15))
		if n += 4; !ok || back == 0 || back > len(out) || n > size-len(out) {
			return nil, errDamaged
		}
		from := len(out) - back
		for n > 0 { // a copy may overlap what it appends
			k := min(n, len(out)-from)
			out = append(out, out[from:from+k]...)
			from, n = from+k, n-k
		}
	}
	return out, nil
}
