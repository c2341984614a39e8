package evaluator

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"unicode/utf8"
)

const (
	// MaxOutput bounds one output of a cell. A notebook keeps it, and on its way it is
	// in memory several times over.
	MaxOutput = 32 << 20
	// MaxError bounds the text of an error.
	MaxError = 1 << 20
)

// CheckOutput reports whether the data of a bundle are too large to be shown. The
// process that evaluates asks before it sends them. The kernel asks before it publishes: it does not trust that process,
// and may have none.
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
		return fmt.Errorf("kernel: an output of %d MB is too large to be shown, the limit is %d MB: show a part of it, or write it to a file",
			size>>20, MaxOutput>>20)
	}
	return nil
}

// Bounded returns e, or where its text is longer than MaxError a copy with the
// beginning of it.
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

// cut takes text from what is left, and says how much it leaves out.
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
