package formula

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gokernel/gokernel/mlstd/model"
)

// A Node is a part of a formula: a name, a number, a string, a call or an operator with its
// operands.
type Node struct {
	Op   string // "name", "number", "string", "call", or an operator; "neg" is a sign, "=" a named argument
	Text string // of a name or string, of the function of a call, or of the name of an argument
	Num  float64
	Args []*Node
}

// String formats the node in a canonical form, without redundant parentheses.
func (n *Node) String() string { return n.text(0) }

var binding = map[string]int{"|": 1, "==": 2, "!=": 2, "<": 2, "<=": 2, ">": 2, ">=": 2, "+": 3, "-": 3, "*": 4, "/": 4, ":": 5, "neg": 6, "^": 7}

func (n *Node) text(outer int) string {
	own := binding[n.Op]
	s := ""
	switch n.Op {
	case "name":
		if plainName(n.Text) {
			return n.Text
		}
		return "`" + n.Text + "`"
	case "number":
		return strconv.FormatFloat(n.Num, 'g', -1, 64)
	case "string":
		return strconv.Quote(n.Text)
	case "call":
		args := make([]string, len(n.Args))
		for i, a := range n.Args {
			args[i] = a.text(0)
		}
		return n.Text + "(" + strings.Join(args, ", ") + ")"
	case "=":
		return n.Text + "=" + n.Args[0].text(0)
	case "neg":
		s = "-" + n.Args[0].text(own)
	default:
		space := " "
		if own >= 5 {
			space = ""
		}
		s = n.Args[0].text(own) + space + n.Op + space + n.Args[1].text(own+1)
	}
	if own < outer {
		return "(" + s + ")"
	}
	return s
}

func plainName(s string) bool {
	for i, r := range s {
		if !(unicode.IsLetter(r) || r == '_' || i > 0 && (unicode.IsDigit(r) || r == '.')) {
			return false
		}
	}
	return s != ""
}

// parser reads a formula from left to right.
type parser struct {
	op, text string
	at       int
	tok      string // current token: an operator, or the kind of a literal
	val      string // the text of a name, number or string
	from     int    // start of the token
	deep     int
}

// mostNested is the maximum nesting depth of parentheses and operands.
const mostNested = 200

func (p *parser) errorf(format string, args ...any) error {
	e := model.Errorf(p.op, "the formula is not valid: "+format, args...)
	return e.WithHint("write it like \"y ~ x + C(g)\"; the mistake is at byte %d of %q", p.from+1, p.text)
}

func (p *parser) next() error {
	for p.at < len(p.text) {
		r, n := utf8.DecodeRuneInString(p.text[p.at:])
		if !unicode.IsSpace(r) {
			break
		}
		p.at += n
	}
	p.from = p.at
	if p.at == len(p.text) {
		p.tok, p.val = "end", ""
		return nil
	}
	rest := p.text[p.at:]
	for _, op := range []string{"**", "==", "!=", "<=", ">=", "~", "+", "-", "*", "/", ":", "^", "(", ")", ",", "|", "<", ">", "="} {
		if strings.HasPrefix(rest, op) {
			p.at += len(op)
			if p.tok, p.val = op, op; op == "**" {
				p.tok = "^"
			}
			return nil
		}
	}
	r, size := utf8.DecodeRuneInString(rest)
	switch {
	case r == '"' || r == '\'' || r == '`':
		end := strings.IndexRune(rest[1:], r)
		if end < 0 {
			return p.errorf("the quote %c is not closed", r)
		}
		p.val, p.at = rest[1:1+end], p.at+end+2
		if p.tok = "string"; r == '`' {
			p.tok = "name"
		}
		return nil
	case unicode.IsDigit(r) || r == '.' && len(rest) > 1 && rest[1] >= '0' && rest[1] <= '9':
		end := 0
		for end < len(rest) && (rest[end] >= '0' && rest[end] <= '9' || rest[end] == '.' || rest[end] == 'e' || rest[end] == 'E' ||
			(rest[end] == '-' || rest[end] == '+') && (rest[end-1] == 'e' || rest[end-1] == 'E')) {
			end++
		}
		p.tok, p.val, p.at = "number", rest[:end], p.at+end
		return nil
	case r == '.':
		p.tok, p.val, p.at = "name", ".", p.at+1
		return nil
	case unicode.IsLetter(r) || r == '_':
		end := size
		for end < len(rest) {
			r, n := utf8.DecodeRuneInString(rest[end:])
			if !(unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' || r == '.') {
				break
			}
			end += n
		}
		p.tok, p.val, p.at = "name", rest[:end], p.at+end
		return nil
	}
	return p.errorf("%q has no meaning here", r)
}

// parse reads an expression whose operators bind at least as strongly as least.
func (p *parser) parse(least int) (*Node, error) {
	if p.deep++; p.deep > mostNested {
		return nil, p.errorf("it must be nested at most %d levels deep", mostNested)
	}
	defer func() { p.deep-- }()
	left, err := p.operand()
	if err != nil {
		return nil, err
	}
	for {
		op := p.tok
		own := binding[op]
		if own == 0 || own < least {
			return left, nil
		}
		if err := p.next(); err != nil {
			return nil, err
		}
		tighter := own + 1
		if op == "^" { // right-associative, and a sign can follow
			tighter = own
		}
		right, err := p.parse(tighter)
		if err != nil {
			return nil, err
		}
		left = &Node{Op: op, Args: []*Node{left, right}}
	}
}

func (p *parser) operand() (*Node, error) {
	tok, val := p.tok, p.val
	switch tok {
	case "+", "-":
		if err := p.next(); err != nil {
			return nil, err
		}
		of, err := p.parse(binding["neg"])
		if err != nil || tok == "+" {
			return of, err
		}
		return &Node{Op: "neg", Args: []*Node{of}}, nil
	case "(":
		if err := p.next(); err != nil {
			return nil, err
		}
		of, err := p.parse(0)
		if err != nil {
			return nil, err
		}
		return of, p.expect(")")
	case "number":
		v, err := strconv.ParseFloat(val, 64)
		if err != nil {
			return nil, p.errorf("%q is not a number", val)
		}
		return &Node{Op: "number", Num: v}, p.next()
	case "string":
		return &Node{Op: "string", Text: val}, p.next()
	case "name":
		quoted := p.text[p.from] == '`'
		if err := p.next(); err != nil {
			return nil, err
		}
		if p.tok == "(" && !quoted {
			return p.call(val)
		}
		return &Node{Op: "name", Text: val}, nil
	case "end":
		return nil, p.errorf("it must end with a term")
	}
	return nil, p.errorf("a term must precede %q", val)
}

func (p *parser) call(name string) (*Node, error) {
	n := &Node{Op: "call", Text: name}
	if err := p.next(); err != nil {
		return nil, err
	}
	for p.tok != ")" {
		a, err := p.parse(0)
		if err != nil {
			return nil, err
		}
		if p.tok == "=" && a.Op == "name" {
			if err := p.next(); err != nil {
				return nil, err
			}
			v, err := p.parse(0)
			if err != nil {
				return nil, err
			}
			a = &Node{Op: "=", Text: a.Text, Args: []*Node{v}}
		}
		n.Args = append(n.Args, a)
		if p.tok != "," {
			break
		}
		if err := p.next(); err != nil {
			return nil, err
		}
	}
	return n, p.expect(")")
}

func (p *parser) expect(tok string) error {
	if p.tok != tok {
		if p.tok == "end" {
			return p.errorf("a %q is missing at its end", tok)
		}
		return p.errorf("%q must precede %q", tok, p.val)
	}
	return p.next()
}
