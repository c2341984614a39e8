package data

import (
	"bytes"
	"encoding/binary"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// decode gives text as UTF-8 without a byte order mark, and a note when it was
// something else.
func decode(text []byte) (string, []string) {
	for mark, order := range map[string]binary.ByteOrder{"\xff\xfe": binary.LittleEndian, "\xfe\xff": binary.BigEndian} {
		if rest, ok := bytes.CutPrefix(text, []byte(mark)); ok {
			units := make([]uint16, len(rest)/2)
			for i := range units {
				units[i] = order.Uint16(rest[2*i:])
			}
			return string(utf16.Decode(units)), []string{"the text is UTF-16"}
		}
	}
	if utf8.Valid(text) {
		return strings.TrimPrefix(string(text), "\ufeff"), nil
	}
	var b strings.Builder
	for _, c := range text {
		r := rune(c)
		if c >= 0x80 && c < 0xa0 {
			r = windows1252[c-0x80]
		}
		b.WriteRune(r)
	}
	return b.String(), []string{"the text is not UTF-8: read as Windows-1252 (Latin-1)"}
}

// windows1252 are the characters from 0x80 to 0x9f, where Windows-1252 differs from
// Latin-1; five are not used and stay what Latin-1 has.
var windows1252 = [32]rune{
	'€', 0x81, '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', 0x8d, 'Ž', 0x8f,
	0x90, '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', 0x9d, 'ž', 'Ÿ',
}
