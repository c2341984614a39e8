package infer

import (
	"bytes"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
	"unsafe"
)

// asString returns b as a string without a copy; the caller must not keep it.
func asString(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// ParseInt parses a whole number: digits with or without a sign.
func ParseInt(b []byte) (int64, bool) {
	neg := false
	if len(b) > 0 && (b[0] == '-' || b[0] == '+') {
		neg = b[0] == '-'
		b = b[1:]
	}
	if len(b) == 0 || len(b) > 19 {
		return 0, false
	}
	var v uint64
	for _, c := range b {
		d := c - '0'
		if d > 9 {
			return 0, false
		}
		v = v*10 + uint64(d)
	}
	if neg {
		return -int64(v), v <= 1<<63
	}
	return int64(v), v < 1<<63
}

// powers are the powers of ten that float64 holds exactly.
var powers = [...]float64{1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22}

// ParseFloat parses a decimal number with the given decimal sign, and rounds it correctly. If the
// digits without the decimal sign form an integer below 2^53, and there are at most 22 decimal
// places, the number is a quotient of two exact float64 values, so one division rounds it
// correctly. Package strconv parses other numbers.
func ParseFloat(b []byte, decimal byte) (float64, bool) {
	i, n := 0, len(b)
	neg := false
	if n > 0 && (b[0] == '-' || b[0] == '+') {
		neg = b[0] == '-'
		i = 1
	}
	var v uint64
	digits, fraction, point := 0, 0, -1
	for ; i < n; i++ {
		c := b[i]
		if d := c - '0'; d <= 9 {
			v = v*10 + uint64(d)
			digits++
			continue
		}
		if c != decimal || point >= 0 {
			break
		}
		point = i
	}
	if digits == 0 {
		return infinite(b)
	}
	if point >= 0 {
		fraction = i - point - 1
	}
	if i == n && digits <= 19 && v < 1<<53 && fraction < len(powers) {
		f := float64(v) / powers[fraction]
		if neg {
			f = -f
		}
		return f, true
	}
	if i < n && b[i]|0x20 != 'e' {
		return 0, false
	}
	if !plainNumber(b[i:]) {
		return 0, false
	}
	text := asString(b)
	if decimal != '.' && point >= 0 {
		text = text[:point] + "." + text[point+1:]
	}
	f, err := strconv.ParseFloat(text, 64)
	return f, err == nil
}

// plainNumber reports whether the rest of a number is empty or a decimal exponent; strconv would
// also accept underscores and hexadecimal digits.
func plainNumber(rest []byte) bool {
	if len(rest) == 0 {
		return true
	}
	rest = rest[1:]
	if len(rest) > 0 && (rest[0] == '-' || rest[0] == '+') {
		rest = rest[1:]
	}
	if len(rest) == 0 {
		return false
	}
	for _, c := range rest {
		if c < '0' || c > '9' {
			return false
		}
	}
	return true
}

// infinite reads the words for infinity.
func infinite(b []byte) (float64, bool) {
	sign := 1
	if len(b) > 0 && (b[0] == '-' || b[0] == '+') {
		if b[0] == '-' {
			sign = -1
		}
		b = b[1:]
	}
	switch string(b) {
	case "inf", "Inf", "INF", "infinity", "Infinity":
		return math.Inf(sign), true
	}
	return 0, false
}

// number holds the parts of a text that stands for a number.
type number struct {
	plain   []byte // digits, with a point as decimal sign
	unit    string // "%" or a currency
	grouped bool   // it has thousands separators
	decimal bool   // it has a decimal sign or an exponent
	zeros   bool   // a whole number with a leading 0
	dressed bool   // it has parts that ParseFloat does not read
}

// units are the units that can precede or follow a number, with or without a space.
var units = []string{"%", "€", "$", "£", "¥", "₹", "₽", "₺", "EUR", "USD", "GBP", "CHF", "JPY", "SEK", "NOK", "DKK", "PLN", "CZK", "CAD", "AUD", "kr", "zł", "Fr."}

// scan parses a text as a number with the given decimal sign, a point or a comma. Thousands can be
// separated by the other of the two, a space or an apostrophe. The digits are written to buf.
func scan(text []byte, decimal byte, buf []byte) (number, bool) {
	var n number
	b := trim(text)
	neg := false
	if len(b) > 2 && b[0] == '(' && b[len(b)-1] == ')' {
		neg, n.dressed = true, true
		b = trim(b[1 : len(b)-1])
	}
	for range 2 { // "-€ 5" and "€ -5"
		if len(b) > 0 && (b[0] == '-' || b[0] == '+') && !neg {
			neg = b[0] == '-'
			b = b[1:]
		} else if rest, ok := bytes.CutPrefix(b, []byte("\u2212")); ok && !neg {
			neg, n.dressed = true, true
			b = rest
		}
		if n.unit == "" {
			b = n.cutUnit(b, true)
		}
	}
	if n.unit == "" {
		b = n.cutUnit(b, false)
	}
	if len(b) == 0 || b[0] == ' ' {
		return n, false
	}
	n.plain = buf[:0]
	if neg {
		n.plain = append(n.plain, '-')
	}
	return n, n.digits(b, decimal)
}

// cutUnit removes a unit from the start or the end of b.
func (n *number) cutUnit(b []byte, front bool) []byte {
	if len(b) == 0 || front && b[0] >= '0' && b[0] <= '9' || !front && b[len(b)-1] >= '0' && b[len(b)-1] <= '9' {
		return b
	}
	s := asString(b)
	for _, u := range units {
		if front && u != "%" && strings.HasPrefix(s, u) {
			n.unit, n.dressed = u, true
			return trim(b[len(u):])
		}
		if !front && strings.HasSuffix(s, u) {
			n.unit, n.dressed = u, true
			return trim(b[:len(b)-len(u)])
		}
	}
	return b
}

// digits reads groups of digits, decimals and an exponent.
func (n *number) digits(b []byte, decimal byte) bool {
	first, group, groups := 0, rune(0), 0 // digits before the first separator, the separator, digits since
	i := 0
	for i < len(b) {
		c := b[i]
		if c >= '0' && c <= '9' {
			n.plain = append(n.plain, c)
			if group == 0 {
				first++
			} else {
				groups++
			}
			i++
			continue
		}
		r, size := rune(c), 1
		if c >= utf8.RuneSelf {
			r, size = utf8.DecodeRune(b[i:])
		}
		if c == decimal || !separates(r, decimal) {
			break
		}
		if group == 0 && (first == 0 || first > 3) || group != 0 && (r != group || groups != 3) {
			return false
		}
		group, groups = r, 0
		i += size
	}
	if group != 0 {
		if groups != 3 {
			return false
		}
		n.grouped, n.dressed = true, true
	}
	whole := first + groups
	n.zeros = whole > 1 && b[0] == '0'
	decimals := 0
	if i < len(b) && b[i] == decimal {
		n.decimal = true
		n.plain = append(n.plain, '.')
		for i++; i < len(b) && b[i] >= '0' && b[i] <= '9'; i++ {
			n.plain = append(n.plain, b[i])
			decimals++
		}
	}
	if whole+decimals == 0 {
		return false
	}
	if n.decimal && (n.grouped && first == 1 && b[0] == '0') {
		return false
	}
	if n.grouped && b[0] == '0' {
		return false // "0.125" with a decimal comma is not a group
	}
	if i < len(b) {
		if b[i]|0x20 != 'e' || n.grouped || !plainNumber(b[i:]) {
			return false
		}
		n.decimal = true
		n.plain = append(n.plain, b[i:]...)
	}
	n.zeros = n.zeros && !n.decimal
	return true
}

// separates reports whether r is a thousands separator if decimal is the decimal sign.
func separates(r rune, decimal byte) bool {
	switch r {
	case '.', ',':
		return byte(r) != decimal
	case ' ', '\'', '\u00a0', '\u202f', '\u2019':
		return true
	}
	return false
}

// trim removes white space from both ends: spaces, tabs and no-break spaces.
func trim(b []byte) []byte {
	for len(b) > 0 {
		switch {
		case b[0] == ' ' || b[0] == '\t':
			b = b[1:]
		case len(b) > 1 && b[0] == 0xc2 && b[1] == 0xa0:
			b = b[2:]
		case len(b) > 2 && b[0] == 0xe2 && b[1] == 0x80 && b[2] == 0xaf:
			b = b[3:]
		default:
			return trimEnd(b)
		}
	}
	return b
}

func trimEnd(b []byte) []byte {
	for n := len(b); n > 0; n = len(b) {
		switch {
		case b[n-1] == ' ' || b[n-1] == '\t':
			b = b[:n-1]
		case n > 1 && b[n-2] == 0xc2 && b[n-1] == 0xa0:
			b = b[:n-2]
		case n > 2 && b[n-3] == 0xe2 && b[n-2] == 0x80 && b[n-1] == 0xaf:
			b = b[:n-3]
		default:
			return b
		}
	}
	return b
}
