package prep

import "strings"

// PorterStem returns the stem of an English word in lower case, found by Porter's five steps:
// caresses -> caress, ponies -> poni, relational -> relat. The stem need not be a word; it is meant
// to be the same for related words. Words of one or two letters and words with characters other
// than a to z are not changed.
//
// A word has the form [C](VC)ᵐ[V], where C and V are runs of consonants and vowels; most rules
// require a minimum measure m of the remaining stem.
//
// References: [Porter1980]. Course: CORE-25.
func PorterStem(word string) string {
	if len(word) <= 2 {
		return word
	}
	for i := range len(word) {
		if word[i] < 'a' || word[i] > 'z' {
			return word
		}
	}
	w := stepPlural(word)
	w = stepPast(w)
	if stem, ok := strings.CutSuffix(w, "y"); ok && hasVowel(stem) {
		w = stem + "i" // step 1c
	}
	w = longest(w, stepTwo, 1)
	w = longest(w, stepThree, 1)
	w = stepFour(w)
	return stepFive(w)
}

// consonant reports whether letter i is a consonant. A y is a consonant at the beginning and after
// a vowel.
func consonant(w string, i int) bool {
	switch w[i] {
	case 'a', 'e', 'i', 'o', 'u':
		return false
	case 'y':
		return i == 0 || !consonant(w, i-1)
	}
	return true
}

// measure is the number m of changes from vowels to consonants.
func measure(w string) int {
	m := 0
	for i := 1; i < len(w); i++ {
		if consonant(w, i) && !consonant(w, i-1) {
			m++
		}
	}
	return m
}

func hasVowel(w string) bool {
	for i := range len(w) {
		if !consonant(w, i) {
			return true
		}
	}
	return false
}

func endsDouble(w string) bool {
	n := len(w)
	return n >= 2 && w[n-1] == w[n-2] && consonant(w, n-1)
}

// endsCVC reports whether the word ends in consonant, vowel, consonant, where the last is not w, x
// or y. This marks a short syllable, as in "hop".
func endsCVC(w string) bool {
	n := len(w)
	return n >= 3 && consonant(w, n-3) && !consonant(w, n-2) && consonant(w, n-1) &&
		w[n-1] != 'w' && w[n-1] != 'x' && w[n-1] != 'y'
}

// stepPlural is step 1a.
func stepPlural(w string) string {
	switch {
	case strings.HasSuffix(w, "sses"), strings.HasSuffix(w, "ies"):
		return w[:len(w)-2]
	case strings.HasSuffix(w, "ss"):
		return w
	case strings.HasSuffix(w, "s"):
		return w[:len(w)-1]
	}
	return w
}

// stepPast is step 1b.
func stepPast(w string) string {
	if stem, ok := strings.CutSuffix(w, "eed"); ok {
		if measure(stem) > 0 {
			return stem + "ee"
		}
		return w
	}
	stem, ok := strings.CutSuffix(w, "ed")
	if !ok {
		stem, ok = strings.CutSuffix(w, "ing")
	}
	if !ok || !hasVowel(stem) {
		return w
	}
	switch {
	case strings.HasSuffix(stem, "at"), strings.HasSuffix(stem, "bl"), strings.HasSuffix(stem, "iz"):
		return stem + "e"
	case endsDouble(stem) && !strings.HasSuffix(stem, "l") && !strings.HasSuffix(stem, "s") && !strings.HasSuffix(stem, "z"):
		return stem[:len(stem)-1]
	case measure(stem) == 1 && endsCVC(stem):
		return stem + "e"
	}
	return stem
}

// suffix is a rule: from becomes to.
type suffix struct{ from, to string }

var stepTwo = []suffix{
	{"ational", "ate"}, {"tional", "tion"}, {"enci", "ence"}, {"anci", "ance"}, {"izer", "ize"}, {"abli", "able"},
	{"alli", "al"}, {"entli", "ent"}, {"eli", "e"}, {"ousli", "ous"}, {"ization", "ize"}, {"ation", "ate"},
	{"ator", "ate"}, {"alism", "al"}, {"iveness", "ive"}, {"fulness", "ful"}, {"ousness", "ous"}, {"aliti", "al"},
	{"iviti", "ive"}, {"biliti", "ble"},
}

var stepThree = []suffix{
	{"icate", "ic"}, {"ative", ""}, {"alize", "al"}, {"iciti", "ic"}, {"ical", "ic"}, {"ful", ""}, {"ness", ""},
}

var stepFourEnds = []suffix{
	{"al", ""}, {"ance", ""}, {"ence", ""}, {"er", ""}, {"ic", ""}, {"able", ""}, {"ible", ""}, {"ant", ""},
	{"ement", ""}, {"ment", ""}, {"ent", ""}, {"ion", ""}, {"ou", ""}, {"ism", ""}, {"ate", ""}, {"iti", ""},
	{"ous", ""}, {"ive", ""}, {"ize", ""},
}

// match returns the longest rule whose suffix the word has.
func match(w string, rules []suffix) (suffix, bool) {
	var best suffix
	for _, r := range rules {
		if len(r.from) > len(best.from) && strings.HasSuffix(w, r.from) {
			best = r
		}
	}
	return best, best.from != ""
}

// longest applies the longest rule that fits, if the stem's measure is at least
// least.
func longest(w string, rules []suffix, least int) string {
	r, ok := match(w, rules)
	if !ok {
		return w
	}
	if stem := w[:len(w)-len(r.from)]; measure(stem) >= least {
		return stem + r.to
	}
	return w
}

func stepFour(w string) string {
	r, ok := match(w, stepFourEnds)
	if !ok {
		return w
	}
	stem := w[:len(w)-len(r.from)]
	if r.from == "ion" && !strings.HasSuffix(stem, "s") && !strings.HasSuffix(stem, "t") {
		return w
	}
	if measure(stem) > 1 {
		return stem
	}
	return w
}

func stepFive(w string) string {
	if stem, ok := strings.CutSuffix(w, "e"); ok {
		if m := measure(stem); m > 1 || (m == 1 && !endsCVC(stem)) {
			w = stem
		}
	}
	if strings.HasSuffix(w, "ll") && measure(w) > 1 {
		w = w[:len(w)-1]
	}
	return w
}
