package complete

import (
	"go/scanner"
	"go/token"
	"slices"
	"strings"

	"github.com/gokernel/gokernel/kernel/evaluator"
)

// labels lists the labels that can follow break, continue or goto. It reports whether such a
// keyword is before start.
func labels(code string, start int, prefix string) (list []evaluator.Match, ok bool) {
	line := strings.TrimRight(code[strings.LastIndexByte(code[:start], '\n')+1:start], " \t")
	word := line[strings.LastIndexAny(line, " \t;{")+1:]
	if word != "break" && word != "continue" && word != "goto" || start == 0 || !strings.ContainsAny(code[start-1:start], " \t") {
		return nil, false
	}
	file := token.NewFileSet().AddFile("", -1, len(code))
	var s scanner.Scanner
	s.Init(file, []byte(code), func(token.Position, string) {}, 0)
	begins := true // whether a statement begins
	for {
		_, tok, name := s.Scan()
		if tok == token.EOF {
			break
		}
		if begins && tok == token.IDENT {
			if _, after, _ := s.Scan(); after == token.COLON && strings.HasPrefix(name, prefix) {
				list = append(list, evaluator.Match{Text: name, Kind: "variable", Signature: "label"})
			} else {
				begins = after == token.SEMICOLON || after == token.LBRACE
				continue
			}
		}
		begins = tok == token.SEMICOLON || tok == token.LBRACE || tok == token.RBRACE || tok == token.COLON
	}
	slices.SortFunc(list, func(a, b evaluator.Match) int { return strings.Compare(a.Text, b.Text) })
	return slices.Compact(list), true
}

// symbols completes a backslash and the TeX name of a letter: \alpha becomes α. Names in Go consist
// of letters, so other symbols are not offered.
func symbols(code string, offset int) (evaluator.Completion, bool) {
	start := strings.LastIndexByte(code[:offset], '\\')
	if start < 0 {
		return evaluator.Completion{}, false
	}
	typed := code[start+1 : offset]
	for _, r := range typed {
		if r > 'z' || r < 'A' || r > 'Z' && r < 'a' {
			return evaluator.Completion{}, false
		}
	}
	c := evaluator.Completion{Start: start, End: offset}
	for _, l := range letters {
		if l.name == typed {
			// A complete name becomes its letter, even if there are longer names.
			c.Matches = []evaluator.Match{{Text: l.letter, Kind: "constant", Signature: `\` + l.name}}
			return c, true
		}
		if strings.HasPrefix(l.name, typed) {
			c.Matches = append(c.Matches, evaluator.Match{Text: l.letter, Kind: "constant", Signature: `\` + l.name})
		}
	}
	return c, len(c.Matches) > 0
}

// letters are the letters that have a name in TeX and are allowed in Go names.
var letters = []struct{ name, letter string }{
	{"alpha", "α"}, {"beta", "β"}, {"gamma", "γ"}, {"delta", "δ"}, {"epsilon", "ϵ"}, {"varepsilon", "ε"}, {"zeta", "ζ"},
	{"eta", "η"}, {"theta", "θ"}, {"vartheta", "ϑ"}, {"iota", "ι"}, {"kappa", "κ"}, {"lambda", "λ"}, {"mu", "μ"}, {"nu", "ν"},
	{"xi", "ξ"}, {"omicron", "ο"}, {"pi", "π"}, {"varpi", "ϖ"}, {"rho", "ρ"}, {"varrho", "ϱ"}, {"sigma", "σ"}, {"varsigma", "ς"},
	{"tau", "τ"}, {"upsilon", "υ"}, {"phi", "ϕ"}, {"varphi", "φ"}, {"chi", "χ"}, {"psi", "ψ"}, {"omega", "ω"},
	{"Gamma", "Γ"}, {"Delta", "Δ"}, {"Theta", "Θ"}, {"Lambda", "Λ"}, {"Xi", "Ξ"}, {"Pi", "Π"}, {"Sigma", "Σ"}, {"Upsilon", "Υ"},
	{"Phi", "Φ"}, {"Psi", "Ψ"}, {"Omega", "Ω"}, {"ell", "ℓ"}, {"hbar", "ħ"}, {"imath", "ı"}, {"jmath", "ȷ"}, {"aleph", "ℵ"},
}
