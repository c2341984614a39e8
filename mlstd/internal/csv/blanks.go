package csv

import (
	"bytes"
	"io"
	"strings"

	"github.com/gokernel/gokernel/mlstd/internal/infer"
)

// blanks says how fields that are separated by white space are read: as if separated by tabs.
type blanks struct {
	on    bool
	lacks bool // the header lacks the name of the first column, as in files that R writes
}

// rowNames is the name of a first column without a name in the header.
const rowNames = "row"

// lookForBlanks detects whether white space separates the fields. It does if every line has the
// same number of fields, no other separator fits, and some column has numbers.
func (r *reader) lookForBlanks() error {
	if r.o.Separator != "" && r.o.Separator != " " {
		return nil
	}
	text, file, err := r.open()
	if err != nil {
		return err
	}
	defer file.Close()
	head := make([]byte, 1<<16)
	n, err := io.ReadFull(text, head)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return err
	}
	head = head[:n]
	if err == nil {
		head = head[:bytes.LastIndexByte(head, '\n')+1] // whole lines
	}
	r.blanks = r.blanksOf(head)
	r.blanks.on = r.blanks.on || r.o.Separator == " "
	return nil
}

func (r *reader) blanksOf(head []byte) blanks {
	var found blanks
	var lines [][]string
	shared := map[byte]int{}
	skip, above := r.o.Skip, r.o.Skip > 0 // lines above the names
	for line := range strings.Lines(string(head)) {
		if skip > 0 {
			skip--
			continue
		}
		text, comment := strings.TrimSpace(line), r.o.Comment
		if text == "" || len(lines) == sniffed || comment != "" && strings.HasPrefix(text, comment) {
			continue
		}
		if comment == "" && len(lines) == 0 && text[0] == '#' {
			above = true
			continue
		}
		for _, s := range separators {
			if strings.IndexByte(text, s) >= 0 {
				shared[s]++
			}
		}
		lines = append(lines, blankFields(line, !r.o.NoQuotes))
	}
	if len(lines) < 3 {
		return blanks{}
	}
	for _, n := range shared {
		if n == len(lines) {
			return blanks{}
		}
	}
	first, rest := lines[0], lines[1:]
	width := len(rest[0])
	found.lacks = len(first) == width-1 && width > 1 && !r.o.NoHeader && !above
	if width < 2 || len(first) != width && !found.lacks {
		return blanks{}
	}
	numbers := make([]bool, width)
	for j := range numbers {
		numbers[j] = true
	}
	for _, fields := range rest {
		if len(fields) != width {
			return blanks{}
		}
		for j, s := range fields {
			_, ok := infer.ParseFloat([]byte(s), '.')
			numbers[j] = numbers[j] && (ok || s == "NA" || s == "NaN" || s == ".")
		}
	}
	for _, yes := range numbers {
		found.on = found.on || yes
	}
	if !found.on {
		return blanks{}
	}
	return found
}

// blankFields splits a line at white space outside quotation marks.
func blankFields(line string, quotes bool) []string {
	var out bytes.Buffer
	b := blankReader{in: strings.NewReader(line), quotes: quotes}
	_, _ = out.ReadFrom(&b) // reading from a string has no error
	text := strings.TrimRight(out.String(), "\r\n")
	if text == "" {
		return nil
	}
	return strings.Split(text, "\t")
}

// blankReader replaces white space between fields by a tab, and removes white space at the ends of
// lines.
type blankReader struct {
	in     io.Reader
	quotes bool
	prefix string // before the first line

	buffer [1 << 15]byte
	out    []byte
	from   int
	err    error
	inside bool // of a field
	quoted bool // within quotation marks
	gap    bool // there was white space after a field of this line
}

func (b *blankReader) Read(p []byte) (int, error) {
	for b.from == len(b.out) {
		if b.err != nil {
			return 0, b.err
		}
		n, err := b.in.Read(b.buffer[:])
		b.out, b.from, b.err = append(b.out[:0], b.prefix...), 0, err
		b.prefix = ""
		for _, c := range b.buffer[:n] {
			b.add(c)
		}
	}
	n := copy(p, b.out[b.from:])
	b.from += n
	return n, nil
}

func (b *blankReader) add(c byte) {
	switch {
	case b.quoted:
		b.quoted = c != '"'
	case c == ' ' || c == '\t':
		b.gap = b.gap || b.inside
		b.inside = false
		return
	case c == '\n' || c == '\r':
		b.inside, b.gap = false, false
	default:
		if b.gap {
			b.out = append(b.out, '\t')
			b.gap = false
		}
		b.quoted = b.quotes && c == '"' && !b.inside
		b.inside = true
	}
	b.out = append(b.out, c)
}
