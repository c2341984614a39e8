package debug

import (
	"encoding/binary"
	"strconv"
)

// pathOf returns the name that frontends compute for a cell from its text.
func pathOf(text string) string {
	return tmpFilePrefix + strconv.FormatUint(uint64(murmur2([]byte(text), hashSeed)), 10) + tmpFileSuffix
}

// murmur2 is 32-bit MurmurHash2
// (https://github.com/aappleby/smhasher/blob/master/src/MurmurHash2.cpp).
func murmur2(data []byte, seed uint32) uint32 {
	const m = 0x5bd1e995
	h := seed ^ uint32(len(data))
	for ; len(data) >= 4; data = data[4:] {
		k := binary.LittleEndian.Uint32(data) * m
		k ^= k >> 24
		h = h*m ^ k*m
	}
	if len(data) > 0 {
		for i, b := range data {
			h ^= uint32(b) << (8 * i)
		}
		h *= m
	}
	h ^= h >> 13
	h *= m
	return h ^ h>>15
}
