package vector

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// Statement is a parsed select statement.
type Statement struct {
	distinct bool
	items    []item
	from     []source
	where    *expr
	group    []*expr
	having   *expr
	order    []term
	limit    *expr
	offset   *expr
}

// item is an expression of the result, or all columns (of a table).
type item struct {
	expr  *expr
	alias string
	star  bool
	table string
}

// source is a table of the from clause.
type source struct {
	name, alias string
	left        bool // a left join with the tables before it
	on          *expr
	using       []string
}

// term is an expression of an order by clause.
type term struct {
	expr  *expr
	desc  bool
	nulls byte // 'f' or 'l' if nulls first or last is written
}

// expr is an expression. The operation is an operator in lower case, or lit, param, name, column,
// call, case, cast, in, between, like or isnull.
type expr struct {
	op       string
	args     []*expr
	text     string // of a name, parameter, call or cast
	table    string // of a name
	quoted   bool   // the name is in quotation marks
	star     bool   // count(*)
	distinct bool   // count(distinct x)
	operand  bool   // case x when ...
	other    bool   // case ... else
	value    value
	over     *window
	column   int
}

// window is the window of a function.
type window struct {
	partition []*expr
	order     []term
}

// Parse returns the statement. The error is a [*Left] if the query isn't a single select statement
// of the form that this package executes.
func Parse(query string) (st *Statement, err error) {
	defer recoverLeft(&err)
	if strings.IndexByte(query, 0) >= 0 || !utf8.ValidString(query) {
		leave("a string that is not UTF-8 text")
	}
	p := &parser{list: lex(query)}
	st = p.statement()
	for p.eat(";") {
	}
	if p.peek().kind != 0 {
		p.leave()
	}
	return st, nil
}

// lower returns a name in lower case. As in SQLite, only ASCII letters have a lower case.
func lower(name string) string { return strings.Map(fold, name) }

// same reports whether SQLite treats two names as equal.
func same(a, b string) bool { return len(a) == len(b) && lower(a) == lower(b) }

type token struct {
	kind byte // 0 end, 'w' word, 'q' quoted name, 's' string, 'n' number, 'p' parameter, 'o' operator
	text string
}

// lex returns the tokens of the query.
func lex(q string) []token {
	var list []token
	quoted := func(i int, end byte) (string, int) {
		var b strings.Builder
		for i++; i < len(q); i++ {
			if q[i] != end {
				b.WriteByte(q[i])
				continue
			}
			if end == ']' || i+1 >= len(q) || q[i+1] != end {
				return b.String(), i + 1
			}
			b.WriteByte(end)
			i++
		}
		leave("an open quotation mark")
		return "", 0
	}
	letter := func(c byte) bool { return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 128 }
	digit := func(c byte) bool { return c >= '0' && c <= '9' }
	for i := 0; i < len(q); {
		c := q[i]
		rest := q[i:]
		switch {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f':
			i++
		case strings.HasPrefix(rest, "--"):
			if n := strings.IndexByte(rest, '\n'); n >= 0 {
				i += n
			} else {
				i = len(q)
			}
		case strings.HasPrefix(rest, "/*"):
			n := strings.Index(rest[2:], "*/")
			if n < 0 {
				leave("an open comment")
			}
			i += n + 4
		case c == '\'':
			s, n := quoted(i, '\'')
			list, i = append(list, token{'s', s}), n
		case c == '"' || c == '`':
			s, n := quoted(i, c)
			list, i = append(list, token{'q', s}), n
		case c == '[':
			s, n := quoted(i, ']')
			list, i = append(list, token{'q', s}), n
		case digit(c) || c == '.' && len(rest) > 1 && digit(rest[1]):
			n := 0
			for n < len(rest) && (digit(rest[n]) || rest[n] == '.') {
				n++
			}
			if n < len(rest) && (rest[n] == 'e' || rest[n] == 'E') {
				k := n + 1
				if k < len(rest) && (rest[k] == '+' || rest[k] == '-') {
					k++
				}
				for k < len(rest) && digit(rest[k]) {
					k++
				}
				n = k
			}
			if n < len(rest) && (letter(rest[n]) || rest[n] == '$') {
				leave("a number such as 0x10 or 1_000")
			}
			list, i = append(list, token{'n', rest[:n]}), i+n
		case letter(c):
			n := 1
			for n < len(rest) && (letter(rest[n]) || digit(rest[n])) {
				n++
			}
			if n < len(rest) && (rest[n] == '$' || rest[n] == '\'' && n == 1 && (c == 'x' || c == 'X')) {
				leave("a name with a dollar sign or a blob")
			}
			list, i = append(list, token{'w', rest[:n]}), i+n
		case c == ':' || c == '@' || c == '$':
			n := 1
			for n < len(rest) && (letter(rest[n]) || digit(rest[n])) {
				n++
			}
			if n == 1 {
				leave("a parameter without a name")
			}
			list, i = append(list, token{'p', rest[1:n]}), i+n
		default:
			n := 1
			for _, op := range []string{"<=", ">=", "<>", "!=", "==", "||"} {
				if strings.HasPrefix(rest, op) {
					n = 2
				}
			}
			if n == 1 && !strings.ContainsRune("+-*/%=<>(),.;", rune(c)) {
				leave("the character %q", c)
			}
			list, i = append(list, token{'o', rest[:n]}), i+n
		}
	}
	return list
}

// parser reads a list of tokens. It leaves the statement when it doesn't understand it: SQLite then
// reports the errors.
type parser struct {
	list  []token
	at    int
	depth int
}

func (p *parser) peek() token {
	if p.at < len(p.list) {
		return p.list[p.at]
	}
	return token{}
}

// is reports whether the next tokens are the keywords or operators.
func (p *parser) is(words ...string) bool {
	for k, w := range words {
		if p.at+k >= len(p.list) {
			return false
		}
		t := p.list[p.at+k]
		if t.kind != 'w' && t.kind != 'o' || !same(t.text, w) {
			return false
		}
	}
	return true
}

// eat skips the keywords or operators if they are next.
func (p *parser) eat(words ...string) bool {
	if !p.is(words...) {
		return false
	}
	p.at += len(words)
	return true
}

func (p *parser) need(words ...string) {
	if !p.eat(words...) {
		p.leave()
	}
}

// leave leaves the statement because of the next token.
func (p *parser) leave() {
	if p.at >= len(p.list) {
		leave("the form at its end")
	}
	leave("the form at %q", p.peek().text)
}

// reserved are the keywords that end an expression or cannot be names without quotation marks, or
// begin a form that is left to SQLite.
var reserved = func() map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(`select from where group by having order limit offset distinct all as join
		left right full inner outer cross natural on using and or not in is null isnull notnull between like glob
		match regexp escape case when then else end cast exists union intersect except values window over filter
		partition rows range groups collate asc desc nulls raise with current_date current_time
		current_timestamp indexed returning`) {
		m[w] = true
	}
	return m
}()

// name reads a name.
func (p *parser) name() (string, bool) {
	t := p.peek()
	if t.kind == 'q' || t.kind == 'w' && !reserved[lower(t.text)] {
		p.at++
		return t.text, t.kind == 'q'
	}
	p.leave()
	return "", false
}

func (p *parser) statement() *Statement {
	st := &Statement{}
	p.need("select")
	if p.eat("distinct") {
		st.distinct = true
	} else {
		p.eat("all")
	}
	for {
		st.items = append(st.items, p.item())
		if !p.eat(",") {
			break
		}
	}
	p.need("from")
	st.from = p.sources()
	if p.eat("where") {
		st.where = p.expr()
	}
	if p.eat("group", "by") {
		st.group = p.exprs()
	}
	if p.eat("having") {
		st.having = p.expr()
	}
	if p.eat("order", "by") {
		st.order = p.terms()
	}
	if p.eat("limit") {
		st.limit = p.expr()
		if p.eat("offset") {
			st.offset = p.expr()
		} else if p.eat(",") {
			st.offset, st.limit = st.limit, p.expr()
		}
	}
	return st
}

func (p *parser) item() item {
	if p.eat("*") {
		return item{star: true}
	}
	if p.at+2 < len(p.list) && p.list[p.at+1] == (token{'o', "."}) && p.list[p.at+2] == (token{'o', "*"}) {
		name, _ := p.name()
		p.at += 2
		return item{star: true, table: name}
	}
	it := item{expr: p.expr()}
	it.alias = p.alias(true)
	return it
}

// alias reads a name after as, or a name alone.
func (p *parser) alias(text bool) string {
	as := p.eat("as")
	t := p.peek()
	if t.kind == 's' && text {
		p.at++
		return t.text
	}
	if as || t.kind == 'q' || t.kind == 'w' && !reserved[lower(t.text)] {
		name, _ := p.name()
		return name
	}
	return ""
}

func (p *parser) sources() []source {
	var list []source
	for {
		left := false
		if len(list) > 0 {
			switch {
			case p.eat(","), p.eat("join"), p.eat("inner", "join"), p.eat("cross", "join"):
			case p.eat("left", "join"), p.eat("left", "outer", "join"):
				left = true
			default:
				return list
			}
		}
		s := source{left: left}
		s.name, _ = p.name()
		if p.is(".") || p.is("(") {
			leave("a schema or a table function")
		}
		if s.alias = p.alias(false); s.alias == "" {
			s.alias = s.name
		}
		if len(list) > 0 {
			if p.eat("on") {
				s.on = p.expr()
			} else if p.eat("using") {
				p.need("(")
				for {
					name, _ := p.name()
					s.using = append(s.using, name)
					if !p.eat(",") {
						break
					}
				}
				p.need(")")
			}
		}
		list = append(list, s)
	}
}

func (p *parser) exprs() []*expr {
	list := []*expr{p.expr()}
	for p.eat(",") {
		list = append(list, p.expr())
	}
	return list
}

func (p *parser) terms() []term {
	var list []term
	for {
		t := term{expr: p.expr()}
		if p.eat("desc") {
			t.desc = true
		} else {
			p.eat("asc")
		}
		if p.eat("nulls", "first") {
			t.nulls = 'f'
		} else if p.eat("nulls", "last") {
			t.nulls = 'l'
		}
		list = append(list, t)
		if !p.eat(",") {
			return list
		}
	}
}

// maxDepth is the maximum depth of an expression.
const maxDepth = 200

func (p *parser) expr() *expr {
	if p.depth++; p.depth > maxDepth {
		leave("a deep expression")
	}
	defer func() { p.depth-- }()
	e := p.and()
	for p.eat("or") {
		e = &expr{op: "or", args: []*expr{e, p.and()}}
	}
	return e
}

func (p *parser) and() *expr {
	e := p.not()
	for p.eat("and") {
		e = &expr{op: "and", args: []*expr{e, p.not()}}
	}
	return e
}

func (p *parser) not() *expr {
	if p.is("not") {
		p.at++
		if p.depth++; p.depth > maxDepth {
			leave("a deep expression")
		}
		defer func() { p.depth-- }()
		return &expr{op: "not", args: []*expr{p.not()}}
	}
	return p.equality()
}

// equality reads the operators that bind like =.
func (p *parser) equality() *expr {
	e := p.binary(0)
	for {
		negated := false
		at := p.at
		if p.eat("not") {
			negated = true
		}
		var made *expr
		switch {
		case !negated && (p.eat("=") || p.eat("==")):
			made = &expr{op: "=", args: []*expr{e, p.binary(0)}}
		case !negated && (p.eat("<>") || p.eat("!=")):
			made = &expr{op: "<>", args: []*expr{e, p.binary(0)}}
		case !negated && p.eat("is"):
			no := p.eat("not")
			if p.eat("distinct") {
				leave("is distinct from")
			}
			made = &expr{op: "is", args: []*expr{e, p.binary(0)}}
			if no {
				made = &expr{op: "not", args: []*expr{made}}
			}
		case !negated && p.eat("isnull"):
			made = &expr{op: "isnull", args: []*expr{e}}
		case !negated && p.eat("notnull"), negated && p.eat("null"):
			made = &expr{op: "not", args: []*expr{{op: "isnull", args: []*expr{e}}}}
			negated = false
		case p.eat("between"):
			low := p.binary(0)
			p.need("and")
			made = &expr{op: "between", args: []*expr{e, low, p.binary(0)}}
		case p.eat("like"):
			made = &expr{op: "like", args: []*expr{e, p.binary(0)}}
			if p.eat("escape") {
				made.args = append(made.args, p.binary(0))
			}
		case p.eat("in"):
			p.need("(")
			made = &expr{op: "in", args: append([]*expr{e}, p.exprs()...)}
			p.need(")")
		default:
			p.at = at
			return e
		}
		if negated {
			made = &expr{op: "not", args: []*expr{made}}
		}
		e = made
	}
}

// levels are the binary operators, in ascending order of precedence.
var levels = [][]string{{"<", "<=", ">", ">="}, {"+", "-"}, {"*", "/", "%"}, {"||"}}

func (p *parser) binary(level int) *expr {
	if level == len(levels) {
		return p.unary()
	}
	e := p.binary(level + 1)
next:
	for {
		for _, op := range levels[level] {
			if p.eat(op) {
				e = &expr{op: op, args: []*expr{e, p.binary(level + 1)}}
				continue next
			}
		}
		return e
	}
}

func (p *parser) unary() *expr {
	if p.is("-") || p.is("+") {
		minus := p.is("-")
		p.at++
		if p.depth++; p.depth > maxDepth {
			leave("a deep expression")
		}
		defer func() { p.depth-- }()
		e := p.unary()
		if minus {
			return &expr{op: "neg", args: []*expr{e}}
		}
		return &expr{op: "plus", args: []*expr{e}}
	}
	return p.primary()
}

func (p *parser) primary() *expr {
	t := p.peek()
	switch {
	case t.kind == 'n':
		p.at++
		return &expr{op: "lit", value: number(t.text)}
	case t.kind == 's':
		p.at++
		return &expr{op: "lit", value: value{kind: text, s: t.text}}
	case t.kind == 'p':
		p.at++
		return &expr{op: "param", text: t.text}
	case p.eat("("):
		e := p.expr()
		p.need(")")
		// A parenthesized column keeps its affinity, so that the parentheses can be dropped.
		return e
	case p.eat("null"):
		return &expr{op: "lit"}
	case p.eat("case"):
		return p.cases()
	case p.eat("cast"):
		p.need("(")
		e := &expr{op: "cast", args: []*expr{p.expr()}}
		p.need("as")
		if p.peek().kind != 'w' {
			leave("a cast without a type")
		}
		e.text = lower(p.peek().text)
		p.at++
		p.need(")")
		return e
	}
	name, quoted := p.name()
	if !quoted && p.eat("(") {
		return p.call(name)
	}
	e := &expr{op: "name", text: name, quoted: quoted}
	if p.eat(".") {
		e.table = name
		e.text, _ = p.name()
		if p.is(".") {
			leave("a schema")
		}
	} else if !quoted && (same(name, "true") || same(name, "false")) {
		leave("%s", name)
	}
	return e
}

// cases reads a case expression: its operand if it has one, then conditions and results in turn,
// then the result of else if it has one.
func (p *parser) cases() *expr {
	e := &expr{op: "case"}
	if !p.is("when") {
		e.operand = true
		e.args = append(e.args, p.expr())
	}
	for p.eat("when") {
		e.args = append(e.args, p.expr())
		p.need("then")
		e.args = append(e.args, p.expr())
	}
	if p.eat("else") {
		e.other = true
		e.args = append(e.args, p.expr())
	}
	p.need("end")
	return e
}

func (p *parser) call(name string) *expr {
	e := &expr{op: "call", text: lower(name)}
	switch {
	case p.eat(")"):
	case p.eat("*"):
		e.star = true
		p.need(")")
	default:
		e.distinct = p.eat("distinct")
		e.args = p.exprs()
		p.need(")")
	}
	if p.eat("over") {
		if e.distinct {
			leave("distinct in a window")
		}
		p.need("(")
		e.over = &window{}
		if p.eat("partition", "by") {
			e.over.partition = p.exprs()
		}
		if p.eat("order", "by") {
			e.over.order = p.terms()
		}
		p.need(")")
	}
	return e
}

// number returns the value of a number, if SQLite certainly reads it as the same value.
func number(s string) value {
	if i, err := strconv.ParseInt(s, 10, 64); err == nil {
		return value{kind: integer, i: i}
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil || !exact(s) {
		leave("the number %s", s)
	}
	return value{kind: float, f: f}
}

// exact reports whether the number has at most 15 digits and a small exponent, so that one
// multiplication or division of exact floats reads it.
func exact(s string) bool {
	mantissa, exponent, _ := strings.Cut(lower(s), "e")
	e := 0
	if exponent != "" {
		n, err := strconv.Atoi(exponent)
		if err != nil {
			return false
		}
		e = n
	}
	if i := strings.IndexByte(mantissa, '.'); i >= 0 {
		e -= len(mantissa) - i - 1
	}
	digits := strings.TrimLeft(strings.Replace(mantissa, ".", "", 1), "0")
	return len(digits) <= 15 && e >= -22 && e <= 22
}
