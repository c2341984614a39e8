package figure

import (
	"slices"
	"unicode"
)

// joining maps Arabic letters to their presentation forms (Unicode block FE70): isolated, final
// and, for letters that join the next one, initial and medial.
var joining = func() map[rune]arabic {
	m := map[rune]arabic{}
	first := rune(0xfe80)
	for _, l := range []struct {
		letters string
		forms   rune
	}{{"ء", 1}, {"آأؤإ", 2}, {"ئ", 4}, {"ا", 2}, {"ب", 4}, {"ة", 2}, {"تثجحخ", 4}, {"دذرز", 2}, {"سشصضطظعغفقكلمنه", 4}, {"وى", 2}, {"ي", 4}} {
		for _, r := range l.letters {
			m[r] = arabic{first, l.forms}
			first += l.forms
		}
	}
	return m
}()

type arabic struct{ first, forms rune }

// lamAlef maps each alef to its ligature with lam.
var lamAlef = map[rune]rune{'آ': 0xfef5, 'أ': 0xfef7, 'إ': 0xfef9, 'ا': 0xfefb}

const lam, tatweel = 'ل', 'ـ'

// shaped replaces Arabic letters by the forms that they have next to their neighbors.
func shaped(text []rune) []rune {
	// A mark above or below a letter does not separate it from the next one.
	neighbor := func(i, step int) rune {
		for i += step; i >= 0 && i < len(text); i += step {
			if !unicode.Is(unicode.Mn, text[i]) {
				return text[i]
			}
		}
		return 0
	}
	onward := func(r rune) bool { return r == tatweel || joining[r].forms == 4 }
	back := func(r rune) bool { return r == tatweel || joining[r].forms > 1 }
	var out []rune
	for i := 0; i < len(text); i++ {
		r := text[i]
		f, ok := joining[r]
		if !ok {
			out = append(out, r)
			continue
		}
		before := f.forms > 1 && onward(neighbor(i, -1))
		if r == lam && i+1 < len(text) && lamAlef[text[i+1]] != 0 {
			form := lamAlef[text[i+1]]
			if before {
				form++
			}
			out = append(out, form)
			i++
			continue
		}
		form := f.first
		after := f.forms == 4 && back(neighbor(i, 1))
		switch {
		case before && after:
			form += 3
		case after:
			form += 2
		case before:
			form++
		}
		out = append(out, form)
	}
	return out
}

// leftward reports whether a character belongs to a script that is written from right to left.
func leftward(r rune) bool {
	return r >= 0x590 && r <= 0x8ff || r >= 0xfb1d && r <= 0xfdff || r >= 0xfe70 && r <= 0xfeff
}

// visual returns the characters of a line in the order in which they are drawn, from left to
// right. It reverses right-to-left text, except for numbers and words of other scripts inside it.
func visual(s string) []rune {
	text := []rune(s)
	if !slices.ContainsFunc(text, leftward) {
		return text
	}
	text = shaped(text)
	strong := func(r rune) (left, any bool) {
		if leftward(r) {
			return true, true
		}
		return false, unicode.IsLetter(r) || unicode.IsDigit(r)
	}
	base, found := false, false // the first letter sets the direction of the line
	for _, r := range text {
		if unicode.IsLetter(r) && !found {
			base, found = leftward(r), true
		}
	}
	// A character without a direction takes the direction of both neighbors if they agree,
	// otherwise that of the line.
	dir := make([]bool, len(text))
	for i, r := range text {
		left, any := strong(r)
		if any {
			dir[i] = left
			continue
		}
		before, after := base, base
		for k := i - 1; k >= 0; k-- {
			if l, any := strong(text[k]); any {
				before = l
				break
			}
		}
		for k := i + 1; k < len(text); k++ {
			if l, any := strong(text[k]); any {
				after = l
				break
			}
		}
		if dir[i] = base; before == after {
			dir[i] = before
		}
	}
	var out []rune
	for i := 0; i < len(text); {
		j := i
		for j < len(text) && dir[j] == dir[i] {
			j++
		}
		run := slices.Clone(text[i:j])
		if dir[i] {
			slices.Reverse(run)
			for k, r := range run {
				run[k] = mirrored(r)
			}
		}
		if base {
			out = append(run, out...)
		} else {
			out = append(out, run...)
		}
		i = j
	}
	return out
}

// mirrored returns the bracket that replaces a bracket in reversed text.
func mirrored(r rune) rune {
	const pairs = "()[]{}<>«»"
	list := []rune(pairs)
	if i := slices.Index(list, r); i >= 0 {
		return list[i^1]
	}
	return r
}
