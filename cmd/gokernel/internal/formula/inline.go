package formula

import (
	"slices"
	"strings"
	"unicode"

	"github.com/gokernel/gokernel/internal/pattern"
)

// Part is a part of running text: words, or a formula as TeX.
type Part struct {
	Text    string
	Formula bool
}

// Inline finds the formulas of running text. A formula consists of words with a symbol that only
// formulas have, variables of one letter, and everything that operators and brackets join to them.
// A formula with an unknown symbol remains text.
func Inline(text string) (parts []Part) {
	words, plain := wordsOf(text), ""
	for i := 0; i < len(words); {
		end := i
		before, tex, behind := "", "", ""
		for _, to := range []int{formulaEnd(words, i), i + 1} { // the joined words, or only the word
			if to <= i || to == i+1 && words[i].kind != certain {
				continue
			}
			var inner string
			before, inner, behind = split(joined(words[i:to]))
			if t, ok := TeX(inner); ok && balance(inner) {
				tex, end = t, to
				break
			}
		}
		if end == i {
			plain += words[i].text + words[i].space
			i++
			continue
		}
		if plain += before; plain != "" {
			parts = append(parts, Part{Text: plain})
		}
		parts = append(parts, Part{Text: tex, Formula: true})
		plain = behind + words[end-1].space
		i = end
	}
	if plain != "" {
		parts = append(parts, Part{Text: plain})
	}
	return parts
}

// wordOf is a word of running text, with the space after it.
type wordOf struct {
	text, space string
	kind        kind
}

type kind int

const (
	ordinary kind = iota // not part of a formula
	operand              // a number or a capitalized name, which an operator may join to a formula
	function             // log, min: belongs to the text after it
	operator
	certain // part of a formula
)

var (
	wordAndSpace = pattern.New(`(\S*)(\s*)`)
	number       = pattern.New(`^[+-]?[0-9]+([.,][0-9]+)*$`)
	initial      = pattern.New(`^\W*[A-Z]\.$`)
	variable     = pattern.New(`^[b-zA-HJ-Z]!?$`)
	applied      = pattern.New(`^[A-Za-z]\(`)
	index2       = pattern.New(`_[A-Za-z]+`)
	ascii        = pattern.New(`^[A-Za-z0-9+/^_=<>|*(),.-]*[A-Za-z][A-Za-z0-9+/^_=<>|*(),.-]*$`)
	letters2     = pattern.New(`[A-Za-z]{2}`)
	awaits       = pattern.New(`(Σ|Π|max|min|argmax|argmin|log|ln|exp|tanh)(_\S+|[₀-₉ᵢⱼₖₗₘₙₜ]*)$`) // needs the text after it
	literal      = pattern.New(`[A-Za-z]{2}{`)                                                     // Kernel{Degree: 2}
	compound     = pattern.New(`(-[a-z]{2,}|'s)$`)                                                 // L₁-norm
)

const (
	openers, closers = "([{", ")]}"
	marks            = ".,;:?" // not the factorial
)

func wordsOf(text string) (all []wordOf) {
	for _, m := range wordAndSpace().FindAllStringSubmatch(text, -1) {
		if m[0] == "" {
			continue
		}
		w := wordOf{m[1], m[2], kindOf(m[1])}
		if n := len(all); n > 0 && w.kind == operand && initial().MatchString(all[n-1].text) { // R. Duda
			all[n-1].kind = ordinary
		}
		lone := variable().MatchString(core(w.text))
		if n := len(all); lone && (n == 0 || strings.ContainsAny(all[n-1].text[max(0, len(all[n-1].text)-1):], marks)) {
			if core(w.text) == "A" { // the article
				w.kind = operand
			}
		} else if lone && number().MatchString(all[n-1].text) { // 5 s
			w.kind = ordinary
		}
		all = append(all, w)
	}
	return all
}

// core returns a word without the brackets and punctuation around it.
func core(w string) string {
	return strings.TrimSuffix(strings.TrimRight(strings.TrimLeft(w, openers), marks+closers), "'s")
}

func kindOf(w string) kind {
	c := core(w)
	name, _, _ := strings.Cut(c, "_") // argmin_k
	r := []rune(w)
	switch {
	case w == "", strings.ContainsAny(w, "\"`"):
		return ordinary
	case len(r) == 1 && !variable().MatchString(w) && (strings.Contains("=+<>/~", w) || onlyInFormulas(r[0]) && !unicode.IsLetter(r[0]) && r[0] != '½' && r[0] != '∞'):
		return operator
	case strings.ContainsFunc(w, onlyInFormulas), variable().MatchString(c), applied().MatchString(strings.TrimLeft(w, openers)):
		return certain
	case slices.Contains(functions, c), name == "argmin", name == "argmax":
		return function
	case literal().MatchString(w):
		return ordinary
	case number().MatchString(c), len(c) <= 1, c == "…", c != "" && unicode.IsUpper([]rune(c)[0]):
		return operand
	case ascii().MatchString(c) && strings.ContainsAny(c, "+/^_=<>") && !letters2().MatchString(index2().ReplaceAllString(c, "_")):
		return certain // (n+1)/2, x_best
	}
	return ordinary
}

// onlyInFormulas reports whether a character occurs in formulas but not in words.
func onlyInFormulas(r rune) bool {
	return r > unicode.MaxASCII && r != '…' && (signs[r] != "" || below[r] != "" || above[r] != "" || accents[r] != "" || r == '√' || r == 'Σ')
}

// formulaEnd returns the index after the formula that begins with word i, or i if there is none.
func formulaEnd(words []wordOf, i int) int {
	to, sure := i, false
	for to < len(words) {
		k := words[to].kind
		inside := to > i && depth(joined(words[i:to])) > 0
		switch {
		case to == i && (k == ordinary || k == operator):
			return i
		case inside && k == ordinary && strings.ContainsAny(words[i].text[:1], openers): // a remark in parentheses
			return i
		}
		sure = sure || k == certain
		to++
		if depth(joined(words[i:to])) <= 0 && !goesOn(words, to) {
			break
		}
	}
	if !sure {
		return i
	}
	return to
}

// goesOn reports whether a formula continues with words[to], the word after it.
func goesOn(words []wordOf, to int) bool {
	last := words[to-1]
	if to == len(words) || strings.ContainsAny(last.text[len(last.text)-1:], marks) {
		return false
	}
	switch next := words[to].kind; {
	case last.kind == operator:
		return next != ordinary && next != operator
	case last.kind == certain && awaits().MatchString(last.text):
		return next == certain || next == function
	case next == operator:
		return to+1 < len(words) && words[to+1].kind != ordinary && words[to+1].kind != operator
	case last.kind == function:
		return next == certain
	case next == function: // n log n
		return to+1 < len(words) && words[to+1].kind == certain && !strings.ContainsAny(words[to].text, marks)
	}
	return false
}

func joined(words []wordOf) string {
	texts := make([]string, len(words))
	for i, w := range words {
		texts[i] = w.text
	}
	return strings.Join(texts, " ")
}

// depth returns the number of open brackets at the end of a text.
func depth(s string) (open int) {
	for _, r := range s {
		if strings.ContainsRune(openers+"⟨⌈⌊", r) {
			open++
		} else if strings.ContainsRune(closers+"⟩⌉⌋", r) {
			open--
		}
	}
	return open
}

// balance reports whether all brackets of a text are matched.
func balance(s string) bool {
	for i := range s {
		if depth(s[:i]) < 0 {
			return false
		}
	}
	return s != "" && depth(s) == 0
}

// split splits punctuation and unmatched brackets off the ends of a formula.
func split(s string) (before, inner, behind string) {
	inner = s
	for inner != "" && strings.Contains(openers, inner[:1]) && depth(inner) > 0 {
		before, inner = before+inner[:1], inner[1:]
	}
	for inner != "" {
		last := inner[len(inner)-1:]
		at := compound().FindStringIndex(inner)
		switch {
		case strings.Contains(marks, last), strings.Contains(closers, last) && depth(inner) < 0:
			behind, inner = last+behind, inner[:len(inner)-1]
			continue
		case at != nil && at[0] > 0:
			behind, inner = inner[at[0]:]+behind, inner[:at[0]]
			continue
		}
		break
	}
	return before, inner, behind
}
