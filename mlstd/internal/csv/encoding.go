package csv

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"io"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/gokernel/gokernel/mlstd/model"
)

// encoding is a character encoding.
type encoding int

const (
	utf8Text encoding = iota
	windows1252Text
	utf16Little
	utf16Big
)

// String returns the name of the encoding.
func (e encoding) String() string {
	return [...]string{"UTF-8", "Windows-1252 (Latin-1)", "UTF-16", "UTF-16"}[e]
}

var encodings = map[string]encoding{
	"utf8": utf8Text, "utf16": utf16Little, "utf16le": utf16Little, "utf16be": utf16Big,
	"latin1": windows1252Text, "iso88591": windows1252Text, "windows1252": windows1252Text, "cp1252": windows1252Text,
}

// encodingNamed returns the encoding with the given name, ignoring case and hyphens.
func encodingNamed(name string) (encoding, error) {
	key := strings.NewReplacer("-", "", "_", "", " ", "").Replace(strings.ToLower(name))
	e, ok := encodings[key]
	if !ok {
		return 0, model.Errorf(op, "Encoding must be utf-8, utf-16, utf-16le, utf-16be, latin1 or windows-1252, got %q", name)
	}
	return e, nil
}

// guessEncoding detects the encoding from the byte order mark or from the positions of zero bytes.
func guessEncoding(head []byte) encoding {
	switch {
	case bytes.HasPrefix(head, []byte("\xff\xfe")):
		return utf16Little
	case bytes.HasPrefix(head, []byte("\xfe\xff")):
		return utf16Big
	}
	var zeros [2]int
	for i, c := range head {
		if c == 0 {
			zeros[i&1]++
		}
	}
	switch half := len(head) / 2; {
	case zeros[1] > half*3/4 && 8*zeros[0] < half:
		return utf16Little
	case zeros[0] > half*3/4 && 8*zeros[1] < half:
		return utf16Big
	case !validStart(head):
		return windows1252Text
	}
	return utf8Text
}

// validStart reports whether b is UTF-8, possibly cut off within a character.
func validStart(b []byte) bool {
	for range utf8.UTFMax - 1 {
		if utf8.Valid(b) {
			return true
		}
		if len(b) == 0 || b[len(b)-1] < utf8.RuneSelf {
			return false
		}
		b = b[:len(b)-1]
	}
	return utf8.Valid(b)
}

// decode returns the text as UTF-8 without a byte order mark, with lines that end in a newline.
func decode(in *bufio.Reader, e encoding) (io.Reader, error) {
	head, err := in.Peek(1 << 12)
	if err != nil && err != io.EOF && err != bufio.ErrBufferFull {
		return nil, err
	}
	var r io.Reader = in
	switch e {
	case utf8Text:
		if bytes.HasPrefix(head, []byte("\xef\xbb\xbf")) {
			in.Discard(3)
		}
	case windows1252Text:
		r = &converter{in: in, step: latin}
	case utf16Little:
		r = &converter{in: in, step: (&wide{order: binary.LittleEndian}).step}
	case utf16Big:
		r = &converter{in: in, step: (&wide{order: binary.BigEndian}).step}
	}
	if bytes.IndexByte(head, '\n') < 0 && bytes.IndexByte(head, '\r') >= 0 {
		r = &converter{in: bufio.NewReader(r), step: oldLines}
	}
	return r, nil
}

// converter reads in and returns it as converted by step. step appends the converted b to out and
// returns how many bytes of b it has used; at the end of the input it must use all.
type converter struct {
	in   *bufio.Reader
	step func(out, b []byte, end bool) ([]byte, int)
	out  []byte
	at   int
	err  error
}

func (c *converter) Read(p []byte) (int, error) {
	for c.at == len(c.out) {
		if c.err != nil {
			return 0, c.err
		}
		b, err := c.in.Peek(1 << 12)
		if err != nil && len(b) == 0 {
			c.err = err
			continue
		}
		var n int
		c.out, n = c.step(c.out[:0], b, err != nil)
		c.at = 0
		c.in.Discard(n)
	}
	n := copy(p, c.out[c.at:])
	c.at += n
	return n, nil
}

func latin(out, b []byte, _ bool) ([]byte, int) {
	for _, c := range b {
		switch {
		case c < utf8.RuneSelf:
			out = append(out, c)
		case c < 0xa0:
			out = utf8.AppendRune(out, windows1252[c-0x80])
		default:
			out = utf8.AppendRune(out, rune(c))
		}
	}
	return out, len(b)
}

// windows1252 are the characters from 0x80 to 0x9f, where Windows-1252 differs from Latin-1. Five
// are unused and stay as in Latin-1.
var windows1252 = [32]rune{
	'€', 0x81, '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', 0x8d, 'Ž', 0x8f,
	0x90, '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', 0x9d, 'ž', 'Ÿ',
}

// wide reads UTF-16.
type wide struct {
	order  binary.ByteOrder
	inside bool // after the byte order mark
}

func (w *wide) step(out, b []byte, end bool) ([]byte, int) {
	i := 0
	for ; i+1 < len(b); i += 2 {
		u := rune(w.order.Uint16(b[i:]))
		if !w.inside {
			w.inside = true
			if u == 0xfeff {
				continue
			}
		}
		if utf16.IsSurrogate(u) {
			if i+3 >= len(b) && !end {
				break
			}
			low := rune(0)
			if i+3 < len(b) {
				low = rune(w.order.Uint16(b[i+2:]))
			}
			if r := utf16.DecodeRune(u, low); r != utf8.RuneError {
				u = r
				i += 2
			}
		}
		out = utf8.AppendRune(out, u)
	}
	if end && i < len(b) {
		out, i = utf8.AppendRune(out, utf8.RuneError), len(b)
	}
	return out, i
}

// oldLines converts carriage returns to newlines, for files whose lines end in carriage returns
// only.
func oldLines(out, b []byte, _ bool) ([]byte, int) {
	from := len(out)
	out = append(out, b...)
	for i := range out[from:] {
		if out[from+i] == '\r' {
			out[from+i] = '\n'
		}
	}
	return slices.Clip(out), len(b)
}
