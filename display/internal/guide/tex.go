package guide

import "strings"

// symbols are the TeX commands that titles support, and their characters.
var symbols = map[string]string{
	"alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "varepsilon": "ε", "zeta": "ζ", "eta": "η", "theta": "θ",
	"iota": "ι", "kappa": "κ", "lambda": "λ", "mu": "μ", "nu": "ν", "xi": "ξ", "pi": "π", "rho": "ρ", "sigma": "σ", "tau": "τ",
	"upsilon": "υ", "phi": "φ", "varphi": "φ", "chi": "χ", "psi": "ψ", "omega": "ω", "Gamma": "Γ", "Delta": "Δ", "Theta": "Θ",
	"Lambda": "Λ", "Xi": "Ξ", "Pi": "Π", "Sigma": "Σ", "Phi": "Φ", "Psi": "Ψ", "Omega": "Ω",
	"le": "≤", "leq": "≤", "ge": "≥", "geq": "≥", "ne": "≠", "neq": "≠", "approx": "≈", "equiv": "≡", "sim": "∼", "pm": "±", "times": "×",
	"cdot": "·", "div": "÷", "infty": "∞", "partial": "∂", "nabla": "∇", "sum": "∑", "prod": "∏", "int": "∫", "sqrt": "√",
	"to": "→", "rightarrow": "→", "leftarrow": "←", "in": "∈", "ell": "ℓ", "ldots": "…", "dots": "…", "cdots": "⋯", "circ": "°",
	"log": "log", "ln": "ln", "exp": "exp", "sin": "sin", "cos": "cos", "tan": "tan", "max": "max", "min": "min", "arg": "arg",
	"%": "%", "$": "$", "{": "{", "}": "}", "_": "_", ",": " ", ";": " ", " ": " ", "quad": "  ", "|": "‖",
}

// accents are the commands that put an accent on the letter in braces.
var accents = map[string]string{"hat": "\u0302", "bar": "\u0304", "tilde": "\u0303", "vec": "\u20d7", "dot": "\u0307"}

var (
	raised  = scripts("0123456789-+=()nijkmptxyabdeT", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺⁼⁽⁾ⁿⁱʲᵏᵐᵖᵗˣʸᵃᵇᵈᵉᵀ")
	lowered = scripts("0123456789-+=()ijknmptxaers", "₀₁₂₃₄₅₆₇₈₉₋₊₌₍₎ᵢⱼₖₙₘₚₜₓₐₑᵣₛ")
)

// scripts maps characters to their superscripts or subscripts.
func scripts(plain, set string) map[rune]rune {
	m := map[rune]rune{}
	to := []rune(set)
	for i, r := range []rune(plain) {
		m[r] = to[i]
	}
	return m
}

// Typeset formats text between dollar signs as a formula with Greek letters, symbols,
// superscripts and subscripts. A dollar sign is literal if it is written as \$, is single, or
// starts an amount of money: a formula does not start or end with a space, nor end before a
// digit. Unknown commands are left unchanged.
func Typeset(s string) string {
	if !strings.Contains(s, "$") {
		return s
	}
	var b strings.Builder
	for {
		before, rest, ok := cutDollar(s)
		b.WriteString(before)
		if !ok {
			return b.String()
		}
		inside, after, closed := cutDollar(rest)
		if !closed || inside == "" || inside[0] == ' ' || inside[len(inside)-1] == ' ' || after != "" && after[0] >= '0' && after[0] <= '9' {
			b.WriteString("$") // an amount of money
			s = rest
			continue
		}
		b.WriteString(formula(inside))
		s = after
	}
}

// cutDollar cuts s at the first dollar sign without a backslash before it.
func cutDollar(s string) (before, after string, found bool) {
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '$':
			return strings.ReplaceAll(s[:i], `\$`, "$"), s[i+1:], true
		}
	}
	return strings.ReplaceAll(s, `\$`, "$"), "", false
}

// formula formats a formula in one line.
func formula(s string) string {
	var b strings.Builder
	for s != "" {
		var out string
		out, s = token(s)
		b.WriteString(out)
	}
	return b.String()
}

// token formats the first part of a formula and returns the rest.
func token(s string) (out, rest string) {
	switch s[0] {
	case '^', '_':
		arg, rest := argument(s[1:])
		return script(s[0], formula(arg)), rest
	case '{':
		arg, rest := argument(s)
		return formula(arg), rest
	case '-':
		return "−", s[1:]
	case '\\':
		return command(s)
	}
	for i := range s {
		if i > 0 {
			return s[:i], s[i:]
		}
	}
	return s, ""
}

// command formats a command with its arguments.
func command(s string) (out, rest string) {
	n := 1
	for n < len(s) && (s[n] >= 'a' && s[n] <= 'z' || s[n] >= 'A' && s[n] <= 'Z') {
		n++
	}
	if n == 1 && len(s) > 1 {
		n = 2
	}
	name, rest := s[1:n], s[n:]
	switch {
	case name == "frac":
		over, rest := argument(rest)
		under, rest := argument(rest)
		return grouped(formula(over)) + "/" + grouped(formula(under)), rest
	case name == "sqrt":
		arg, rest := argument(rest)
		return "√" + grouped(formula(arg)), rest
	case accents[name] != "":
		arg, rest := argument(rest)
		return formula(arg) + accents[name], rest
	case name == "mathrm" || name == "text" || name == "mathbf" || name == "operatorname":
		arg, rest := argument(rest)
		return arg, rest
	}
	if sign, ok := symbols[name]; ok {
		return sign, rest
	}
	return s[:n], rest
}

// argument returns the argument of a command or a script: the content of a group in braces, a
// command, or one letter.
func argument(s string) (arg, rest string) {
	s = strings.TrimLeft(s, " ")
	if s == "" {
		return "", ""
	}
	if s[0] == '{' {
		depth := 0
		for i := 0; i < len(s); i++ {
			switch s[i] {
			case '\\':
				i++
			case '{':
				depth++
			case '}':
				if depth--; depth == 0 {
					return s[1:i], s[i+1:]
				}
			}
		}
		return s[1:], ""
	}
	if s[0] == '\\' {
		n := 1
		for n < len(s) && (s[n] >= 'a' && s[n] <= 'z' || s[n] >= 'A' && s[n] <= 'Z') {
			n++
		}
		return s[:n], s[n:]
	}
	for i := range s {
		if i > 0 {
			return s[:i], s[i:]
		}
	}
	return s, ""
}

// grouped puts an expression with several parts in parentheses.
func grouped(s string) string {
	if strings.ContainsAny(s, " +−=/·") {
		return "(" + s + ")"
	}
	return s
}

// script converts s to superscript or subscript, if all its characters have such a form.
func script(kind byte, s string) string {
	s = strings.ReplaceAll(s, "−", "-")
	to, mark := raised, "^"
	if kind == '_' {
		to, mark = lowered, "_"
	}
	var b strings.Builder
	for _, r := range s {
		sign, ok := to[r]
		if !ok {
			if len([]rune(s)) > 1 {
				s = "(" + s + ")"
			}
			return mark + s
		}
		b.WriteRune(sign)
	}
	return b.String()
}
