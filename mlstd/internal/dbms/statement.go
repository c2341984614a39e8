package dbms

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Dialect describes the SQL syntax of a database.
type Dialect struct {
	Name      string // as users write it
	Mark      string // around quoted names
	Numbered  bool   // placeholders are $1, $2 ...; otherwise ?
	Dollar    bool   // strings can be $tag$...$tag$, comments nest, and E'...' has escapes
	Backslash bool   // strings have escapes, "..." is a string, # starts a comment
	Whole     bool   // the database itself divides a text into statements, and knows :name
}

// Written returns the name of a table, in quotation marks only if it needs them.
func (d *Dialect) Written(name string) string {
	schema, table, ok := strings.Cut(name, ".")
	if ok && d.plain(schema) && d.plain(table) || d.plain(name) {
		return name
	}
	return Quoted(name, d.Mark)
}

// WrittenName is like [Dialect.Written], but for a column: a dot in name does not separate a schema
// from a table.
func (d *Dialect) WrittenName(name string) string {
	if d.plain(name) {
		return name
	}
	return QuotedName(name, d.Mark)
}

// reserved lists words that are names of tables and columns in practice, and part of SQL.
var reserved = []string{"all", "case", "check", "column", "desc", "default", "end", "from", "group", "in", "index", "key", "like", "limit", "order", "primary", "references", "select", "table", "to", "user", "values", "when", "where"}

// plain reports whether a name needs no quotation marks. PostgreSQL converts names without them to
// lower case.
func (d *Dialect) plain(name string) bool {
	for i, c := range name {
		switch {
		case c >= 'a' && c <= 'z' || c == '_', i > 0 && c >= '0' && c <= '9', c >= 'A' && c <= 'Z' && !d.Dollar:
		default:
			return false
		}
	}
	return name != "" && !slices.Contains(reserved, strings.ToLower(name))
}

// Statement is one statement of an SQL text.
type Statement struct {
	Text  string   // with placeholders
	Names []string // names of the parameters by placeholder; with numbered placeholders, each once
	from  int      // position in the whole text
	moves []move
}

// move is a placeholder: its end in Text, and the end of the parameter in the statement as written.
type move struct{ sent, written int }

// At converts a position in Text to a position in the whole text.
func (s *Statement) At(sent int) int {
	at := s.from + sent
	for _, m := range s.moves {
		if m.sent <= sent {
			at = s.from + m.written + sent - m.sent
		}
	}
	return at
}

// scanner divides a text.
type scanner struct {
	d       *Dialect
	text    string
	named   bool
	list    []*Statement
	now     *Statement
	out     strings.Builder
	written int // how much of the text is in out
	words   []string
}

// Split divides a text at its semicolons. If named is set, parameters written :name become
// placeholders. A statement that creates a function, procedure, trigger or event can contain
// semicolons, so it extends to the end of the text.
func Split(text string, d *Dialect, named bool) []*Statement {
	s := &scanner{d: d, text: text, named: named}
	s.begin(0)
	for i := 0; i < len(text); {
		i = s.step(i)
	}
	s.end(len(text))
	return s.list
}

func (s *scanner) begin(at int) {
	s.now, s.words, s.written = &Statement{from: at}, nil, at
	s.out.Reset()
}

// end adds the statement that ends before at, unless it is empty.
func (s *scanner) end(at int) {
	s.out.WriteString(s.text[s.written:at])
	s.written = at
	if s.now.Text = s.out.String(); len(s.words) > 0 {
		s.list = append(s.list, s.now)
	}
}

// step reads one token and returns the position after it.
func (s *scanner) step(i int) int {
	q := s.text
	switch c := q[i]; {
	case strings.HasPrefix(q[i:], "--"), c == '#' && s.d.Backslash:
		return until(q, i, "\n")
	case strings.HasPrefix(q[i:], "/*"):
		return s.comment(i)
	case c == '\'', c == '"', c == '`' && !s.d.Dollar:
		s.words = append(s.words, "")
		return s.quoted(i, c, s.d.Backslash && c != '`')
	case c == '[' && s.d.Whole:
		s.words = append(s.words, "")
		return until(q, i, "]")
	case c == '$' && s.d.Dollar:
		if n := tag(q[i:]); n > 0 {
			s.words = append(s.words, "")
			return until(q, i+n, q[i:i+n])
		}
		return i + 1
	case c == ';' && !s.d.Whole && !s.body():
		s.end(i)
		s.begin(i + 1)
		return i + 1
	case c == ':':
		return s.colon(i)
	}
	n := word(q[i:])
	if n == 0 {
		r, size := utf8.DecodeRuneInString(q[i:])
		if !unicode.IsSpace(r) && r != ';' {
			s.words = append(s.words, "")
		}
		return i + size
	}
	w := strings.ToLower(q[i : i+n])
	s.words = append(s.words, w)
	if w == "e" && s.d.Dollar && i+1 < len(q) && q[i+1] == '\'' {
		return s.quoted(i+1, '\'', true)
	}
	return i + n
}

// colon reads a parameter, or another use of a colon.
func (s *scanner) colon(i int) int {
	q := s.text
	if strings.HasPrefix(q[i:], "::") {
		return i + 2
	}
	n := word(q[i+1:])
	before, _ := utf8.DecodeLastRuneInString(q[:i])
	if n == 0 || !s.named || q[i+1] >= '0' && q[i+1] <= '9' || before == ']' || before == ')' || word(string(before)) > 0 && i > 0 {
		return i + 1
	}
	name := q[i+1 : i+1+n]
	s.words = append(s.words, "")
	if s.d.Whole { // the database knows such parameters
		if !slices.Contains(s.now.Names, name) {
			s.now.Names = append(s.now.Names, name)
		}
		return i + 1 + n
	}
	s.out.WriteString(q[s.written:i])
	s.written = i + 1 + n
	if !s.d.Numbered {
		s.now.Names = append(s.now.Names, name)
		s.out.WriteByte('?')
	} else {
		k := slices.Index(s.now.Names, name)
		if k < 0 {
			k = len(s.now.Names)
			s.now.Names = append(s.now.Names, name)
		}
		s.out.WriteString("$" + strconv.Itoa(k+1))
	}
	s.now.moves = append(s.now.moves, move{s.out.Len(), s.written - s.now.from})
	return s.written
}

// body reports whether the statement has a body with semicolons.
func (s *scanner) body() bool {
	if s.d.Dollar || len(s.words) == 0 || s.words[0] != "create" {
		return false
	}
	for _, w := range s.words {
		switch w {
		case "function", "procedure", "trigger", "event", "package":
			return true
		case "table", "view", "index", "database", "schema", "user", "role", "sequence":
			return false
		}
	}
	return false
}

func (s *scanner) comment(i int) int {
	q := s.text
	if !s.d.Dollar {
		return until(q, i+2, "*/")
	}
	depth := 0
	for ; i < len(q); i++ {
		switch {
		case strings.HasPrefix(q[i:], "/*"):
			depth++
			i++
		case strings.HasPrefix(q[i:], "*/"):
			i++
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return len(q)
}

// quoted returns the position after the quotation that begins at i. A doubled mark reads as two
// quotations, which comes to the same.
func (s *scanner) quoted(i int, mark byte, escapes bool) int {
	q := s.text
	for i++; i < len(q); i++ {
		if q[i] == '\\' && escapes {
			i++
		} else if q[i] == mark {
			return i + 1
		}
	}
	return len(q)
}

// tag returns the length of $tag$ at the start of q, or 0.
func tag(q string) int {
	n := word(q[1:])
	if 1+n < len(q) && q[1+n] == '$' && (n == 0 || q[1] < '0' || q[1] > '9') {
		return n + 2
	}
	return 0
}

// until returns the position after the next occurrence of end.
func until(q string, i int, end string) int {
	if n := strings.Index(q[min(i, len(q)):], end); n >= 0 {
		return i + n + len(end)
	}
	return len(q)
}

// word returns the length of the word at the start of q.
func word(q string) int {
	for i, r := range q {
		if r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return i
		}
	}
	return len(q)
}
