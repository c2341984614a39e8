package csv

import "bytes"

// layout says how the text is divided into fields.
type layout struct {
	separator byte
	quote     byte // 0 for none
	comment   []byte
}

// field returns the field that begins at b[i]: its text, its end, and whether it was in quotation
// marks. end is the position of the separator, the newline or the end of b after the field. open
// reports whether a quotation mark was not closed. The text is a part of b, or of scratch if it
// contains doubled quotation marks.
func (l *layout) field(b []byte, i int, scratch *[]byte) (text []byte, end int, quoted, open bool) {
	if l.quote != 0 && i < len(b) {
		k := i
		for k < len(b) && b[k] == ' ' && l.separator != ' ' {
			k++
		}
		if k < len(b) && b[k] == l.quote {
			text, end, open = l.quoted(b, k+1, scratch)
			return text, end, true, open
		}
	}
	end = i
	for end < len(b) && b[end] != l.separator && b[end] != '\n' {
		end++
	}
	text = b[i:end]
	if n := len(text); n > 0 && text[n-1] == '\r' && (end == len(b) || b[end] == '\n') {
		text = text[:n-1]
	}
	return text, end, false, false
}

// quoted reads a field after its opening quotation mark. Text between the closing
// mark and the separator, which no writer should leave there, belongs to the field.
func (l *layout) quoted(b []byte, i int, scratch *[]byte) (text []byte, end int, open bool) {
	q := bytes.IndexByte(b[i:], l.quote)
	if q < 0 {
		return nil, len(b), true
	}
	text, end = b[i:i+q], i+q+1
	if end == len(b) || b[end] == l.separator || b[end] == '\n' {
		return text, end, false
	}
	out := append((*scratch)[:0], text...)
	defer func() { *scratch = out }()
	inside := false // the quotation mark at end-1 was the closing one
	for {
		if !inside && end < len(b) && b[end] == l.quote {
			out = append(out, l.quote)
			end++
			inside = true
		}
		if inside {
			q := bytes.IndexByte(b[end:], l.quote)
			if q < 0 {
				return nil, len(b), true
			}
			out = append(out, b[end:end+q]...)
			end += q + 1
			inside = false
			continue
		}
		if end == len(b) || b[end] == l.separator || b[end] == '\n' {
			break
		}
		if b[end] != '\r' || end+1 < len(b) && b[end+1] != '\n' {
			if c := b[end]; c != ' ' || len(out) > 0 && !spaceOnly(b[end:], l.separator) {
				out = append(out, c)
			}
		}
		end++
	}
	return out, end, false
}

// spaceOnly reports whether only spaces precede the end of the field.
func spaceOnly(b []byte, separator byte) bool {
	for _, c := range b {
		switch c {
		case separator, '\n', '\r':
			return true
		case ' ':
		default:
			return false
		}
	}
	return true
}

// line returns the end of a line that is skipped or empty. It returns false if a record begins at
// b[i].
func (l *layout) line(b []byte, i int) (next int, skip bool) {
	if len(l.comment) > 0 && bytes.HasPrefix(b[i:], l.comment) {
		n := bytes.IndexByte(b[i:], '\n')
		if n < 0 {
			return len(b), true
		}
		return i + n + 1, true
	}
	switch {
	case b[i] == '\n':
		return i + 1, true
	case b[i] == '\r' && i+1 < len(b) && b[i+1] == '\n':
		return i + 2, true
	case b[i] == '\r' && i+1 == len(b):
		return i + 1, true
	}
	return i, false
}

// whole returns the length of the complete records at the start of b, each with its newline.
func (l *layout) whole(b []byte, scratch *[]byte) int {
	if l.quote == 0 || bytes.IndexByte(b, l.quote) < 0 {
		return bytes.LastIndexByte(b, '\n') + 1
	}
	last := 0
	for i := 0; i < len(b); {
		if next, skip := l.line(b, i); skip {
			i = next
			if b[i-1] == '\n' {
				last = i
			}
			continue
		}
		for {
			_, end, _, open := l.field(b, i, scratch)
			if open || end == len(b) {
				return last
			}
			i = end + 1
			if b[end] == '\n' {
				last = i
				break
			}
		}
	}
	return last
}

// records returns the fields of the first records of b.
func (l *layout) records(b []byte, limit int) [][]string {
	var scratch []byte
	var all [][]string
	for i := 0; i < len(b) && len(all) < limit; {
		if next, skip := l.line(b, i); skip {
			i = next
			continue
		}
		var record []string
		for {
			text, end, _, open := l.field(b, i, &scratch)
			if open {
				return all
			}
			record = append(record, string(text))
			if i = end + 1; end >= len(b) || b[end] == '\n' {
				break
			}
		}
		all = append(all, record)
	}
	return all
}
