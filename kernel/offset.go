package kernel

import "unicode/utf8"

// byteOffset returns the offset in s at which the code point with the given index begins. An index
// beyond either end of s is clamped to that end.
func byteOffset(s string, index int) int {
	if index <= 0 {
		return 0
	}
	for i := range s {
		if index == 0 {
			return i
		}
		index--
	}
	return len(s)
}

// codePoints returns the number of code points in s before a byte offset.
func codePoints(s string, offset int) int {
	return utf8.RuneCountInString(s[:max(0, min(offset, len(s)))])
}

// cursorOffset returns the byte offset of a request's cursor, or of the end of the code if the
// request has no cursor.
func cursorOffset(code string, cursor *int) int {
	if cursor == nil {
		return len(code)
	}
	return byteOffset(code, *cursor)
}
