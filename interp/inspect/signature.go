package inspect

import (
	"go/scanner"
	"go/token"
	"go/types"
	"strings"

	"github.com/gokernel/gokernel/interp/cursor"
)

// Call is the signature of a call that is being written.
type Call struct {
	Label  string   // "Rank(ascending bool) Column"
	Params [][2]int // the bounds of the parameters in the label
	Active int      // the parameter at the cursor
	Doc    string   // the first paragraph of the documentation
}

// Asked returns the bounds of the name at an offset whose documentation At returns, not those of a
// function around it. The name of a magic includes its % signs.
func Asked(code string, offset int) (start, end int, ok bool) {
	start, end = cursor.Word(code, offset)
	for start > 0 && code[start-1] == '%' {
		start--
	}
	if start == end || code[end-1] == '%' {
		return 0, 0, false
	}
	for _, t := range tokens(code) {
		if (t.tok == token.STRING || t.tok == token.COMMENT || t.tok == token.CHAR) && t.start < offset && offset < t.end {
			return 0, 0, false
		}
	}
	return start, end, true
}

// lexeme is a token with its bounds.
type lexeme struct {
	tok        token.Token
	start, end int
}

// tokens returns the tokens of the code, including comments.
func tokens(code string) []lexeme {
	file := token.NewFileSet().AddFile("", -1, len(code))
	var s scanner.Scanner
	s.Init(file, []byte(code), func(token.Position, string) {}, scanner.ScanComments)
	var list []lexeme
	for {
		pos, tok, lit := s.Scan()
		if tok == token.EOF {
			return list
		}
		start := file.Offset(pos)
		n := len(lit)
		if tok.IsOperator() && tok != token.SEMICOLON {
			n = len(tok.String())
		}
		list = append(list, lexeme{tok, start, min(start+n, len(code))})
	}
}

// openCall returns the end of the name of the innermost call whose arguments contain the offset,
// and the number of arguments before it.
func openCall(code string, offset int) (end, arg int, ok bool) {
	type open struct {
		tok       token.Token
		end, args int
		call      bool
	}
	var stack []open
	var last lexeme
	for _, t := range tokens(code[:offset]) {
		if (t.tok == token.STRING || t.tok == token.COMMENT) && t.end == offset && t.start < offset && t.tok == token.COMMENT {
			return 0, 0, false
		}
		switch t.tok {
		case token.COMMENT:
			continue
		case token.LPAREN, token.LBRACK, token.LBRACE:
			stack = append(stack, open{t.tok, last.end, 0, t.tok == token.LPAREN && (last.tok == token.IDENT || last.tok == token.RBRACK)})
		case token.RPAREN, token.RBRACK, token.RBRACE:
			if len(stack) > 0 {
				stack = stack[:len(stack)-1]
			}
		case token.COMMA:
			if len(stack) > 0 {
				stack[len(stack)-1].args++
			}
		}
		last = t
	}
	for i := len(stack) - 1; i >= 0; i-- {
		switch {
		case stack[i].call:
			return stack[i].end, stack[i].args, true
		case stack[i].tok == token.LBRACE:
			return 0, 0, false // in a literal or a block inside of the call
		}
	}
	return 0, 0, false
}

// Signature returns the signature of the call whose arguments contain the offset.
func Signature(env *Env, code string, offset int) (Call, bool) {
	at, arg, ok := openCall(code, offset)
	if !ok {
		return Call{}, false
	}
	if at > 0 && code[at-1] == ']' { // the type arguments of a generic function
		at = strings.LastIndexByte(code[:at], '[')
	}
	start, end := cursor.Word(code, max(at, 0))
	if start == end {
		return Call{}, false
	}
	place := cursor.Find(&env.Env, code, start, end)
	if place == nil {
		return Call{}, false
	}
	o := place.Object()
	if o == nil {
		return Call{}, false
	}
	if b, ok := o.(*types.Builtin); ok {
		return builtin(b.Name(), arg)
	}
	t := o.Type()
	if place.Ident != nil {
		if inst, ok := place.Info.Instances[place.Ident]; ok {
			t = inst.Type
		}
	}
	sig, ok := t.Underlying().(*types.Signature)
	if !ok {
		return Call{}, false
	}
	c := Call{Label: o.Name() + "("}
	q := qualifier(o)
	for i := range sig.Params().Len() {
		p := sig.Params().At(i)
		if i > 0 {
			c.Label += ", "
		}
		text := types.TypeString(p.Type(), q)
		if s, ok := p.Type().(*types.Slice); ok && sig.Variadic() && i == sig.Params().Len()-1 {
			text = "..." + types.TypeString(s.Elem(), q)
		}
		if p.Name() != "" {
			text = p.Name() + " " + text
		}
		c.Params = append(c.Params, [2]int{len(c.Label), len(c.Label) + len(text)})
		c.Label += text
	}
	c.Label += ")"
	if r := sig.Results(); r.Len() == 1 && r.At(0).Name() == "" {
		c.Label += " " + types.TypeString(r.At(0).Type(), q)
	} else if r.Len() > 0 {
		c.Label += " " + types.TypeString(r, q)
	}
	c.Active = arg
	if sig.Variadic() {
		c.Active = min(arg, sig.Params().Len()-1)
	}
	if o.Pkg() != nil && o.Pkg().Path() == "main" {
		if env.Source != nil {
			c.Doc, _ = env.Source(o)
		}
	} else {
		c.Doc = env.doc(docKey(o, place))
	}
	c.Doc, _, _ = strings.Cut(strings.TrimSpace(c.Doc), "\n\n")
	return c, true
}

// builtins are the signatures of the functions that the language has.
var builtins = map[string]string{
	"append": "append(slice []T, elems ...T) []T", "cap": "cap(v T) int", "clear": "clear(t T)", "close": "close(c chan<- T)",
	"complex": "complex(r, i float64) complex128", "copy": "copy(dst, src []T) int", "delete": "delete(m map[K]V, key K)",
	"imag": "imag(c complex128) float64", "len": "len(v T) int", "make": "make(t T, size ...int) T", "max": "max(x T, y ...T) T",
	"min": "min(x T, y ...T) T", "new": "new(x T) *T", "panic": "panic(v any)", "print": "print(args ...any)",
	"println": "println(args ...any)", "real": "real(c complex128) float64", "recover": "recover() any",
}

// builtin returns the signature of a predeclared function.
func builtin(name string, arg int) (Call, bool) {
	label, ok := builtins[name]
	if !ok {
		return Call{}, false
	}
	c := Call{Label: label}
	from := strings.IndexByte(label, '(') + 1
	to := from + strings.IndexByte(label[from:], ')')
	if from == to {
		return c, true
	}
	variadic := strings.Contains(label[from:to], "...")
	at := from
	for part := range strings.SplitSeq(label[from:to], ", ") {
		c.Params = append(c.Params, [2]int{at, at + len(part)})
		at += len(part) + 2
	}
	c.Active = arg
	if variadic {
		c.Active = min(arg, len(c.Params)-1)
	}
	return c, true
}
