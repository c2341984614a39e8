package rules

import (
	"slices"
	"strings"
	"unicode"

	"github.com/gokernel/gokernel/mlstd/model"
)

// ParseFormula reads a formula such as
//
//	∀x (Person(x) → ∃y Mother(y, x))
//	forall x exists y Loves(x, y) and not Equal(x, y)
//
// The symbols are ∀ ∃ ¬ ∧ ∨ → ↔. Their ASCII forms are "forall", "exists", "not" or "~", "and" or
// "&", "or" or "|", "->", and "<->". ¬ and quantifiers bind tightest, then ∧, ∨, → and ↔; → is
// right-associative. The scope of a quantifier is as short as the scope of ¬: write parentheses
// around a longer scope. A formula may have several consecutive quantifiers. A name is a variable
// if an enclosing quantifier binds it, or if it is a single lowercase letter from u to z. Otherwise
// it is a constant.
func ParseFormula(text string) (Formula, error) {
	p := &parser{text: text}
	p.split()
	f, err := p.equivalence(nil)
	if err == nil && p.at < len(p.tokens) {
		err = p.fault("a connective")
	}
	if err != nil {
		return Formula{}, err
	}
	return f, nil
}

type parser struct {
	text   string
	tokens []string
	at     int
}

var words = map[string]string{
	"forall": "∀", "exists": "∃", "not": "¬", "~": "¬", "!": "¬", "and": "∧", "&": "∧", "or": "∨", "|": "∨",
	"->": "→", "=>": "→", "<->": "↔", "<=>": "↔", ".": ":",
}

// split splits the text into tokens.
func (p *parser) split() {
	rest := p.text
	for rest = strings.TrimSpace(rest); rest != ""; rest = strings.TrimSpace(rest) {
		end := strings.IndexFunc(rest, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' && r != '\'' })
		if end < 0 {
			end = len(rest)
		}
		if end == 0 {
			end = len(string([]rune(rest)[0]))
			for _, sign := range []string{"<->", "<=>", "->", "=>"} {
				if strings.HasPrefix(rest, sign) {
					end = len(sign)
					break
				}
			}
		}
		token := rest[:end]
		if sign, ok := words[token]; ok {
			token = sign
		}
		p.tokens, rest = append(p.tokens, token), rest[end:]
	}
}

func (p *parser) peek() string {
	if p.at < len(p.tokens) {
		return p.tokens[p.at]
	}
	return ""
}

func (p *parser) take(token string) bool {
	if p.peek() != token {
		return false
	}
	p.at++
	return true
}

func (p *parser) fault(want string) error {
	found := "the end"
	if p.at < len(p.tokens) {
		found = p.tokens[p.at]
	}
	return model.Errorf("ParseFormula", "expected %[4]s at token %[3]d of %[1]q, got %[2]s", p.text, found, p.at+1, want)
}

func (p *parser) equivalence(bound []string) (Formula, error) {
	left, err := p.implication(bound)
	for err == nil && p.take("↔") {
		var right Formula
		right, err = p.implication(bound)
		left = Formula{Connective: Equivalence, Parts: []Formula{left, right}}
	}
	return left, err
}

func (p *parser) implication(bound []string) (Formula, error) {
	left, err := p.several(Disjoined, "∨", bound)
	if err != nil || !p.take("→") {
		return left, err
	}
	right, err := p.implication(bound)
	return Formula{Connective: Implication, Parts: []Formula{left, right}}, err
}

// several reads the parts of a disjunction or conjunction.
func (p *parser) several(c Connective, sign string, bound []string) (Formula, error) {
	part := func() (Formula, error) {
		if c == Disjoined {
			return p.several(Conjoined, "∧", bound)
		}
		return p.unary(bound)
	}
	first, err := part()
	parts := []Formula{first}
	for err == nil && p.take(sign) {
		var next Formula
		next, err = part()
		parts = append(parts, next)
	}
	if len(parts) == 1 {
		return first, err
	}
	return Formula{Connective: c, Parts: parts}, err
}

func (p *parser) unary(bound []string) (Formula, error) {
	switch {
	case p.take("¬"):
		f, err := p.unary(bound)
		return not(f), err
	case p.take("("):
		f, err := p.equivalence(bound)
		if err == nil && !p.take(")") {
			err = p.fault("a closing parenthesis")
		}
		return f, err
	case p.peek() == "∀" || p.peek() == "∃":
		c := Universal
		if p.peek() == "∃" {
			c = Existential
		}
		p.at++
		if !name(p.peek()) {
			return Formula{}, p.fault("a variable")
		}
		v := p.peek()
		p.at++
		p.take(":")
		f, err := p.unary(append(slices.Clone(bound), v))
		return Formula{Connective: c, Name: v, Parts: []Formula{f}}, err
	}
	if !name(p.peek()) {
		return Formula{}, p.fault("a formula")
	}
	f := Formula{Name: p.peek()}
	p.at++
	var err error
	f.Terms, err = p.terms(bound)
	return f, err
}

// terms reads arguments in parentheses, if there are any.
func (p *parser) terms(bound []string) ([]Term, error) {
	if !p.take("(") {
		return nil, nil
	}
	var all []Term
	for {
		if !name(p.peek()) {
			return nil, p.fault("a term")
		}
		t := Term{Name: p.peek()}
		p.at++
		var err error
		if t.Args, err = p.terms(bound); err != nil {
			return nil, err
		}
		t.Variable = t.Args == nil && (slices.Contains(bound, t.Name) || len(t.Name) == 1 && t.Name >= "u" && t.Name <= "z")
		all = append(all, t)
		if p.take(")") {
			return all, nil
		}
		if !p.take(",") {
			return nil, p.fault("a comma or a closing parenthesis")
		}
	}
}

func name(token string) bool {
	for _, r := range token {
		return unicode.IsLetter(r) || unicode.IsDigit(r)
	}
	return false
}
