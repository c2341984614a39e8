package formula

import (
	"slices"
	"strings"
)

// functions lists the functions of TeX.
var functions = strings.Fields("arg cos cosh det dim exp inf lim ln log max min sin sinh sup tan tanh")

// operators lists other names that are functions even if no bracket follows.
var operators = strings.Fields("mean median sign sgn softmax diag tr sd Var Cov")

// small lists words of two letters; other pairs of letters are products.
var small = strings.Fields("an as at be by he hi if in is it kl lo no of on or pa so th to up we")

// upright lists names of two capitals; other pairs are products.
var upright = strings.Fields("TP FP TN FN KL JS GP VC VS AP DL CH DB FM RI If Nu")

// word writes the letters at the position: a variable, a product, a function, a name, or words of a
// sentence.
func (w *writer) word() {
	word := w.letters()
	if accent := accents[w.peek(0)]; accent != "" {
		w.i++
		w.emit(word[:len(word)-1] + accent + "{" + word[len(word)-1:] + "}")
		return
	}
	applied := strings.ContainsRune("(_[^", w.peek(0)) || below[w.peek(0)] != "" || above[w.peek(0)] != ""
	switch {
	case slices.Contains(functions, word):
		w.emit(`\` + word + " ")
	case word == "argmax" || word == "argmin":
		w.emit(`\operatorname*{` + word + "}")
	case len(word) == 1 && !(word == "a" && w.isArticle()), product(word):
		w.emit(word)
	case slices.Contains(operators, word):
		w.emit(`\operatorname{` + word + "}")
	case strings.Contains(word, "-"), strings.Contains(word, "'"), strings.ToLower(word) == word && !applied:
		w.sentence(word)
	case applied:
		w.emit(`\operatorname{` + word + "}")
	case w.peek(0) == ':':
		w.sentence(word)
	default:
		w.emit(`\mathrm{` + word + "}")
		if w.peek(0) == ' ' && latin(w.peek(1)) {
			w.emit(`\ `)
		}
	}
}

// product reports whether letters are variables: two letters that are not a word, or three indices.
func product(word string) bool {
	return word == "ijk" || len(word) == 2 && !slices.Contains(functions, word) && !slices.Contains(small, word) && !slices.Contains(upright, word) && !slices.Contains(operators, word)
}

// letters reads a word, which may have a hyphen or an apostrophe between letters or at its end.
func (w *writer) letters() string {
	begin := w.i
	for latin(w.peek(0)) || w.i > begin+2 && (w.peek(0) == '-' && latin(w.peek(1)) || w.peek(0) == '\'') {
		w.i++
	}
	return string(w.in[begin:w.i])
}

// isArticle reports whether the letter a before the position is an article.
func (w *writer) isArticle() bool {
	if w.peek(0) != ' ' || !latin(w.peek(1)) || !latin(w.peek(2)) {
		return false
	}
	next := *w
	next.i++
	return !slices.Contains(append(small, "for", "and", "over"), next.letters())
}

// sentence writes a word and the words after it as text, with the surrounding spaces.
func (w *writer) sentence(word string) {
	text := word
	for {
		if w.peek(0) == ':' {
			text += ":"
			w.i++
		}
		if w.peek(0) != ' ' || !latin(w.peek(1)) {
			break
		}
		next := *w
		next.i++
		more := next.letters()
		plain := strings.ToLower(more) == more && !slices.Contains(functions, more) && more != "argmax" && more != "argmin"
		if len(more) == 1 {
			plain = more == "a" && next.isArticle()
		}
		if !plain || product(more) || strings.ContainsRune("(_[^", next.peek(0)) || below[next.peek(0)] != "" || above[next.peek(0)] != "" || accents[next.peek(0)] != "" || next.peek(0) == '′' {
			break
		}
		text += " " + more
		w.i = next.i
	}
	if w.wasSpace() {
		text = `\ ` + `\text{` + text + "}"
	} else {
		text = `\text{` + text + "}"
	}
	w.emit(text)
	if w.peek(0) == ' ' {
		w.emit(`\ `)
	}
}

// wasSpace reports whether the output ends with a space.
func (w *writer) wasSpace() bool {
	s := w.out.String()
	words := strings.TrimRight(s, " ")
	return len(words) < len(s) && !strings.HasSuffix(words, `\quad`) && !strings.HasSuffix(words, `\`)
}
