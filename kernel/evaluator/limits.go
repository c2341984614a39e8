package evaluator

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"unicode/utf8"
)

const (
	// MaxOutput is the maximum size of one output of a cell. The notebook stores the output, and
	// memory holds several copies of it on the way to the frontend.
	MaxOutput = 32 << 20
	// MaxError is the maximum size of the text of an error.
	MaxError = 1 << 20
)

// CheckOutput returns an error if the data of a bundle are too large to be shown. The process that
// evaluates cells calls CheckOutput before it sends the data. The kernel calls it again before it
// publishes the data, because the kernel does not trust that process.
func CheckOutput(data map[string]any) error {
	size := 0
	for _, v := range data {
		switch v := v.(type) {
		case string:
			size += len(v)
		case []byte:
			size += base64.StdEncoding.EncodedLen(len(v))
		case json.RawMessage:
			size += len(v)
		}
	}
	if size > MaxOutput {
		return fmt.Errorf("kernel: an output must have at most %[2]d MB, got %[1]d MB: show a part of it, or write it to a file",
			size>>20, MaxOutput>>20)
	}
	return nil
}

// Bounded returns e, or a shortened copy if its text is longer than MaxError.
func (e *Error) Bounded() *Error {
	left := MaxError
	short := &Error{Name: cut(e.Name, &left), Value: cut(e.Value, &left)}
	for i, line := range e.Traceback {
		if left <= 0 {
			short.Traceback = append(short.Traceback, fmt.Sprintf("… (%d more lines)", len(e.Traceback)-i))
			break
		}
		short.Traceback = append(short.Traceback, cut(line, &left))
	}
	if left > 0 {
		return e
	}
	return short
}

// cut shortens text to *left, the number of bytes that remain, and appends a note with the number
// of omitted bytes.
func cut(text string, left *int) string {
	room := max(*left, 0)
	*left -= len(text)
	if *left > 0 {
		return text
	}
	n := min(room, len(text))
	for n > 0 && n < len(text) && !utf8.RuneStart(text[n]) {
		n--
	}
	if n == len(text) {
		return text
	}
	return fmt.Sprintf("%s… (%d more bytes)", text[:n], len(text)-n)
}
