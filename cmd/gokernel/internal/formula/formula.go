// Package formula typesets the formulas of Go comments. Comments write them in one line of Unicode,
// "J(θ) = (1/n) Σᵢ (yᵢ − θ·xᵢ)²"; pages need TeX.
package formula

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
)

// Row is a line of a block of formulas. Its cells are aligned in columns.
type Row []Cell

// Cell is a part of a line.
type Cell struct {
	Column int // counted from 0
	TeX    string
}

// Rows returns the lines of an indented block of a comment as TeX, and the number of columns. Text
// that begins at the same place in two lines, after two spaces or more, is a column. Rows returns
// no rows for a block that is code or a table of words, or that contains an unknown symbol.
func Rows(block string) (rows []Row, columns int) {
	if !isFormula(block) {
		return nil, 0
	}
	var lines [][]segment
	starts := map[int]int{}
	for line := range strings.Lines(strings.Trim(block, "\n")) {
		l := segments(strings.TrimRight(line, "\n "))
		for _, s := range l {
			starts[s.at]++
		}
		if len(l) > 0 {
			lines = append(lines, l)
		}
	}
	var at []int // where columns begin
	for place, count := range starts {
		if place == 0 || count > 1 {
			at = append(at, place)
		}
	}
	slices.Sort(at)
	for _, l := range lines {
		row, ok := rowOf(l, at)
		if !ok {
			return nil, 0
		}
		rows = append(rows, row)
	}
	return rows, max(1, len(at))
}

func rowOf(l []segment, at []int) (row Row, ok bool) {
	for _, s := range l {
		tex, ok := TeX(s.text)
		if !ok {
			return nil, false
		}
		switch k := slices.Index(at, s.at); {
		case k >= 0:
			row = append(row, Cell{k, tex})
		case len(row) > 0:
			row[len(row)-1].TeX += ` \allowbreak \quad ` + tex
		default: // only indented
			row = append(row, Cell{0, `\quad ` + tex})
		}
	}
	return row, true
}

// segment is a part of a line between wide gaps, with its position.
type segment struct {
	text string
	at   int
}

func segments(line string) (all []segment) {
	r := []rune(line)
	for i := 0; i < len(r); {
		for i < len(r) && r[i] == ' ' {
			i++
		}
		begin := i
		for i < len(r) && !(r[i] == ' ' && i+1 < len(r) && r[i+1] == ' ') {
			i++
		}
		if i > begin {
			all = append(all, segment{string(r[begin:i]), begin})
		}
	}
	return all
}

// isFormula reports whether a block contains a symbol that only formulas have, and nothing that
// only code has.
func isFormula(block string) bool {
	for _, code := range []string{`"`, "`", ":=", "ml.", "&", "@", "var ", "func(", "//", "\t"} {
		if strings.Contains(block, code) {
			return false
		}
	}
	return strings.Contains(block, "=") || strings.ContainsFunc(block, func(r rune) bool {
		return r > unicode.MaxASCII && r != '…' && !unicode.Is(unicode.Pd, r)
	})
}

// TeX returns a formula in one line as TeX; ok is false if the line contains an unknown symbol.
func TeX(line string) (tex string, ok bool) {
	w := &writer{in: []rune(strings.TrimSpace(line)), ok: true}
	for w.i < len(w.in) && w.ok {
		w.next()
	}
	return strings.Join(strings.Fields(w.out.String()), " "), w.ok
}

// writer converts a formula.
type writer struct {
	in  []rune
	i   int
	out strings.Builder
	ok  bool
}

// peek returns the rune at a distance from the position, or 0 beyond the ends.
func (w *writer) peek(ahead int) rune {
	if j := w.i + ahead; j >= 0 && j < len(w.in) {
		return w.in[j]
	}
	return 0
}

func (w *writer) emit(tex string) { w.out.WriteString(tex) }

// inner returns a part of the formula as TeX.
func (w *writer) inner(part string) string {
	tex, ok := TeX(part)
	w.ok = w.ok && ok
	return tex
}

// next writes the element at the position.
func (w *writer) next() {
	r := w.peek(0)
	switch {
	case r == ' ':
		n := 0
		for ; w.peek(0) == ' '; w.i++ {
			n++
		}
		if n > 1 {
			w.emit(` \allowbreak \quad `)
		} else {
			w.emit(" ")
		}
	case latin(r):
		w.word()
	case r >= '0' && r <= '9':
		w.emit(w.number())
	case below[r] != "":
		w.emit("_{" + w.run(below) + "}")
	case above[r] != "":
		w.emit("^{" + w.run(above) + "}")
	case r == '_' || r == '^':
		w.i++
		w.emit(string(r) + "{" + w.script(r) + "}")
	case r == '√':
		w.i++
		w.emit(`\sqrt{` + w.radicand() + "}")
	case r == 'Σ':
		w.sigma()
	case r == '∞' && w.peek(-1) == '‖': // ‖x‖∞
		w.i++
		w.emit(`_{\infty}`)
	case r == '*' && w.i > 0 && w.peek(-1) != ' ':
		w.i++
		w.emit("^{*}")
	default:
		w.sign()
	}
}

// sign writes a symbol according to the table signs, with an accent that follows it.
func (w *writer) sign() {
	r := w.peek(0)
	tex, ok := signs[r]
	if r == '-' && latin(w.peek(1)) && latin(w.peek(-1)) { // n-th
		tex = `\text{-}`
	}
	if !ok {
		w.ok = false
		return
	}
	w.i++
	if accent := accents[w.peek(0)]; accent != "" {
		w.i++
		tex = accent + "{" + tex + "}"
	}
	w.emit(tex)
	if strings.HasPrefix(tex, `\`) && latin(rune(tex[len(tex)-1])) {
		w.emit(" ") // before a letter
	}
}

func latin(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' }

// number reads digits, with a point between digits.
func (w *writer) number() string {
	begin := w.i
	for r := w.peek(0); r >= '0' && r <= '9' || r == '.' && unicode.IsDigit(w.peek(1)); r = w.peek(0) {
		w.i++
	}
	return string(w.in[begin:w.i])
}

// run reads characters as long as they are in the table, and returns their translations.
func (w *writer) run(table map[rune]string) string {
	var b strings.Builder
	for ; table[w.peek(0)] != "" || w.peek(0) == ',' && below[w.peek(1)] != ""; w.i++ { // xᵢ,₋ⱼ
		b.WriteString(cmp.Or(table[w.peek(0)], ","))
	}
	return strings.TrimSpace(b.String())
}

// balanced reads the text between two brackets, the first of which is at the position.
func (w *writer) balanced(open, end rune) string {
	depth, begin := 0, w.i
	for ; w.i < len(w.in); w.i++ {
		switch w.in[w.i] {
		case open:
			depth++
		case end:
			if depth--; depth == 0 {
				w.i++
				return string(w.in[begin+1 : w.i-1])
			}
		}
	}
	w.ok = false
	return ""
}

// script reads the subscript or superscript after _ or ^: a group, a letter with its own scripts, a
// word, a number or a symbol.
func (w *writer) script(kind rune) string {
	r := w.peek(0)
	switch {
	case r == '{':
		return w.inner(w.balanced('{', '}'))
	case r == '(' && kind == '_':
		return "(" + w.inner(w.balanced('(', ')')) + ")"
	case r == '(':
		return w.inner(w.balanced('(', ')'))
	case r >= '0' && r <= '9':
		return w.number()
	case latin(r):
		begin, base := w.i, w.peek(-2)
		for latin(w.peek(0)) {
			w.i++
		}
		word := string(w.in[begin:w.i])
		if kind == '^' && len(word) > 1 && w.peek(0) == '(' { // 2^same(a, b)
			return `\operatorname{` + word + "}(" + w.inner(w.balanced('(', ')')) + ")"
		}
		if len(word) > 1 {
			return index(word)
		}
		switch own := below[w.peek(0)] != ""; {
		case own && kind == '_' && !strings.Contains("yS", word) && !(base == 'μ'): // θ_cⱼ has two indices
			return word + w.run(below)
		case own: // θ_yₙ has an index with an index
			return word + "_{" + w.run(below) + "}"
		case kind == '^' && w.peek(0) == '_': // x^a_d
			w.i++
			return word + "_{" + w.script('_') + "}"
		}
		return word
	case signs[r] != "":
		w.i++
		switch prime := w.peek(0); {
		case unicode.IsLetter(r) && below[prime] != "":
			return signs[r] + "_{" + w.run(below) + "}"
		case unicode.IsLetter(r) && (prime == '\'' || prime == '′'): // min_θ′
			w.i++
			return signs[r] + "'"
		}
		return signs[r]
	case r == '*':
		w.i++
		return "*"
	}
	w.ok = false
	return ""
}

// index formats a word as a subscript or superscript: two lower-case letters that are not a word
// are two indices, and "ijk" is three.
func index(word string) string {
	switch {
	case word == "ijk", len(word) == 2 && strings.ToLower(word) == word && !slices.Contains(small, word):
		return word
	case strings.ToLower(word) == word:
		return `\text{` + word + "}"
	}
	return `\mathrm{` + word + "}"
}

// radicand reads the text under a root: a group, or text without a space or an operator.
func (w *writer) radicand() string {
	if w.peek(0) == '(' {
		return w.inner(w.balanced('(', ')'))
	}
	begin := w.i
	for r := w.peek(0); unicode.IsLetter(r) || unicode.IsDigit(r) || below[r] != "" || above[r] != "" || accents[r] != ""; r = w.peek(0) {
		w.i++
	}
	if begin == w.i {
		w.ok = false
	}
	return w.inner(string(w.in[begin:w.i]))
}

// sigma distinguishes a sum from a covariance matrix. Σ is a matrix if no summand can follow:
// before a closing bracket, a relation or an exponent, between bars, or after a transpose.
func (w *writer) sigma() {
	before := w.peek(-1)
	if before == ' ' {
		before = w.peek(-2)
	}
	w.i++
	index := ""
	if below[w.peek(0)] != "" {
		index = w.run(below)
		if w.peek(0) == '′' {
			w.i++
			index += "'"
		}
		index = "_{" + index + "}"
	}
	behind := w.peek(0)
	if behind == ' ' {
		behind = w.peek(1)
	}
	matrix := strings.ContainsRune("),]/=⁻ᵀ", behind) || behind == 0 || before == 'ᵀ' || before == '|' && behind == '|' || before == ',' && behind == '('
	if matrix {
		w.emit(`\Sigma` + index + " ")
	} else {
		w.emit(`\sum` + index + " ")
	}
}
