package native

// Helpers of CallHelper. They take and return words, don't allocate, and can't be preempted: the
// arguments may be pointers that the collector does not know.
const (
	HelperEqual   = iota // 1 or 0: whether two strings, given as two pointers and a length, are equal
	HelperCompare        // -1, 0 or 1: the order of two strings, each given as a pointer and a length
	HelperRune           // the rune of a string at an index, and its width << 32
	HelperCopy           // copies bytes: the pointer to copy to, the pointer to copy from, and a length
	helpers
)

// helperNumber is the number of the first helper. Each further helper has the next lower number.
const helperNumber = storeNumber - 1

// storeNumber is the number of the function that stores a pointer with the write barrier.
const storeNumber = 1<<30 - 1

// Bounds of the bytes in an encoded rune, and bounds of the runes that take 1, 2 or 3 bytes.
const (
	firstContinued = 0x80
	firstOf2       = 0xc0
	firstOf3       = 0xe0
	firstOf4       = 0xf0
	firstInvalid   = 0xf8
	bad            = 0xfffd | 1<<32 // U+FFFD, of one byte
)

// decode returns, for a string of at least one byte, the first rune and its width << 32, combined
// in one word. Rune and width are those of a range loop.
//
//go:nosplit
func decode(s string) uint64 {
	var least, most, r uint64
	n := 0
	switch b := uint64(s[0]); {
	case b < firstContinued:
		return b | 1<<32
	case b < firstOf2:
		return bad
	case b < firstOf3:
		n, least, most, r = 2, 0x80, 0x7ff, b&0x1f
	case b < firstOf4:
		n, least, most, r = 3, 0x800, 0xffff, b&0xf
	case b < firstInvalid:
		n, least, most, r = 4, 0x10000, 0x10ffff, b&7
	default:
		return bad
	}
	if len(s) < n {
		return bad
	}
	for i := 1; i < n; i++ {
		if s[i]&firstOf2 != firstContinued {
			return bad
		}
		r = r<<6 | uint64(s[i]&0x3f)
	}
	if r < least || r > most || r >= 0xd800 && r <= 0xdfff {
		return bad
	}
	return r | uint64(n)<<32
}
