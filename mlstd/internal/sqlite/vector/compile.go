package vector

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// compile returns the node of an expression over the relation.
func (r *relation) compile(e *expr) node {
	if v, ok := r.keyed[e.key()]; ok {
		return known(v)
	}
	arg := func(k int) node { return r.compile(e.args[k]) }
	switch e.op {
	case "lit":
		return known(constant(e.value))
	case "column":
		return known(r.column(e.column))
	case "and", "or":
		return join(e.op == "or", arg(0), arg(1))
	case "not":
		return not(arg(0))
	case "+", "-", "*", "/", "%":
		return arithmetic(e.op, arg(0), arg(1))
	case "neg":
		return negative(arg(0))
	case "plus":
		return arg(0)
	case "=", "<>", "<", "<=", ">", ">=":
		return compare(e.op, arg(0), arg(1))
	case "is":
		return is(arg(0), arg(1))
	case "isnull":
		return isNull(arg(0))
	case "between":
		x := arg(0)
		return join(false, compare(">=", x, arg(1)), compare("<=", x, arg(2)))
	case "in":
		x := arg(0)
		var any node
		for k := range e.args[1:] {
			is := compare("=", x, r.constantArg(e.args[k+1]))
			if k == 0 {
				any = is
			} else {
				any = join(true, any, is)
			}
		}
		return any
	case "like":
		return r.like(e)
	case "case":
		return r.cases(e)
	case "cast":
		if !slices.Contains([]string{"text", "real", "integer", "int", "float", "double"}, e.text) {
			leave("a cast to %s", e.text)
		}
		return r.apply(e, "cast(%s as "+e.text+")")
	case "||":
		return r.apply(e, "(%s)")
	case "call":
		return r.call(e)
	}
	leave("the operation %s", e.op)
	return node{}
}

func (r *relation) constantArg(e *expr) node {
	n := r.compile(e)
	if !n.constant() {
		leave("a value that is not constant")
	}
	return n
}

// is compares with missing values.
func is(a, b node) node {
	switch {
	case b.kind == null:
		return isNull(a)
	case a.kind == null:
		return isNull(b)
	}
	same := compare("=", a, b)
	yes, no := known(constant(value{kind: boolean, i: 1})), known(constant(value{kind: boolean}))
	return choose([]node{join(false, isNull(a), isNull(b)), same}, []node{yes, same, no})
}

func (r *relation) like(e *expr) node {
	x, p := r.compile(e.args[0]), r.constantArg(e.args[1])
	escape := rune(0)
	if len(e.args) > 2 {
		c := r.constantArg(e.args[2])
		if c.kind != text || utf8.RuneCountInString(c.whole.single().s) != 1 {
			leave("escape that is not one character")
		}
		escape = []rune(c.whole.single().s)[0]
		if escape == '%' || escape == '_' {
			leave("escape with a wildcard")
		}
	}
	if x.kind == null || p.kind == null {
		return truth(known(constant(value{})))
	}
	if x.kind != text || p.kind != text {
		leave("like of a number")
	}
	return like(x, p.whole.single().s, escape)
}

func (r *relation) cases(e *expr) node {
	args := e.args
	var operand node
	if e.operand {
		operand = r.compile(args[0])
		args = args[1:]
	}
	var conditions, results []node
	for len(args) >= 2 {
		c := r.compile(args[0])
		if e.operand {
			c = compare("=", operand, c)
		}
		conditions = append(conditions, truth(c))
		results = append(results, r.compile(args[1]))
		args = args[2:]
	}
	last := known(constant(value{}))
	if e.other {
		last = r.compile(args[0])
	}
	return choose(conditions, append(results, last))
}

// functions are the functions without side effects that SQLite computes for whole vectors, and the
// numbers of their arguments; -1 is any number.
var functions = map[string][2]int{
	"lower": {1, 1}, "upper": {1, 1}, "length": {1, 1}, "trim": {1, 2}, "ltrim": {1, 2}, "rtrim": {1, 2},
	"substr": {2, 3}, "substring": {2, 3}, "replace": {3, 3}, "instr": {2, 2}, "hex": {1, 1}, "unicode": {1, 1},
	"char": {1, -1}, "quote": {1, 1}, "typeof": {1, 1}, "printf": {1, -1}, "format": {1, -1}, "abs": {1, 1},
	"round": {1, 2}, "sign": {1, 1}, "strftime": {2, -1}, "date": {1, -1}, "time": {1, -1}, "datetime": {1, -1},
	"julianday": {1, -1}, "unixepoch": {1, -1}, "min": {2, -1}, "max": {2, -1}, "nullif": {2, 2},
	"ceil": {1, 1}, "ceiling": {1, 1}, "floor": {1, 1}, "trunc": {1, 1}, "sqrt": {1, 1}, "exp": {1, 1}, "ln": {1, 1},
	"log": {1, 2}, "log10": {1, 1}, "log2": {1, 1}, "pow": {2, 2}, "power": {2, 2}, "mod": {2, 2}, "pi": {0, 0},
	"sin": {1, 1}, "cos": {1, 1}, "tan": {1, 1}, "asin": {1, 1}, "acos": {1, 1}, "atan": {1, 1}, "atan2": {2, 2},
	"sinh": {1, 1}, "cosh": {1, 1}, "tanh": {1, 1}, "radians": {1, 1}, "degrees": {1, 1},
}

func (r *relation) call(e *expr) node {
	if e.over != nil || e.star || e.distinct || aggregates[e.text] && len(e.args) == 1 {
		leave("%s here", e.text)
	}
	arg := func(k int) node { return r.compile(e.args[k]) }
	switch {
	case (e.text == "coalesce" && len(e.args) >= 2) || (e.text == "ifnull" && len(e.args) == 2):
		var conditions, results []node
		for k := range e.args {
			x := arg(k)
			results = append(results, x)
			if k < len(e.args)-1 {
				conditions = append(conditions, not(isNull(x)))
			}
		}
		return choose(conditions, results)
	case e.text == "iif" && len(e.args) == 3:
		return choose([]node{truth(arg(0))}, []node{arg(1), arg(2)})
	case e.text == "nullif" && len(e.args) == 2:
		x := arg(0)
		return choose([]node{compare("=", x, arg(1))}, []node{known(constant(value{})), x})
	}
	limits, ok := functions[e.text]
	if !ok || len(e.args) < limits[0] || limits[1] >= 0 && len(e.args) > limits[1] {
		leave("the function %s", e.text)
	}
	return r.apply(e, e.text+"(%s)")
}

// apply lets SQLite compute a function, or the operator ||, for the distinct strings of its only
// argument that is not constant, or for all rows.
func (r *relation) apply(e *expr, form string) node {
	separator := ", "
	if e.op == "||" {
		separator = " || "
	}
	var list []string
	var args []Vector
	varying := 0
	var only node
	for _, a := range e.args {
		n := r.compile(a)
		if n.constant() || n.kind == null {
			v := value{}
			if n.kind != null {
				v = n.whole.single()
			}
			if strings.Contains(strings.ToLower(v.s), "now") || strings.Contains(v.s, "\x00") {
				leave("the current time")
			}
			if v.kind == float {
				args = append(args, constant(v))
				list = append(list, fmt.Sprintf("c%d", len(args)-1))
			} else {
				list = append(list, v.literal())
			}
			continue
		}
		if n.mixed {
			leave("a function of a case of integers and floats")
		}
		varying++
		only = n
		args = append(args, r.values(n))
		list = append(list, fmt.Sprintf("c%d", len(args)-1))
	}
	text1 := fmt.Sprintf(form, strings.Join(list, separator))
	words := varying == 1 && only.kind == text && len(only.words.list) <= r.n
	rows := r.n
	if words {
		rows = len(only.words.list)
	}
	if varying > 0 && rows > manyRows {
		if r.q.calls++; r.q.plain || r.q.calls > maxCalls {
			leave("functions of many rows")
		}
	}
	switch {
	case varying == 0:
		v := r.q.apply(text1, args, 1)
		if v.missing(0) {
			return known(constant(value{}))
		}
		v.one = true
		return known(v)
	case words:
		w := only.words
		codes := make([]int32, len(w.list)+1)
		for i := range codes {
			codes[i] = int32(i)
		}
		codes[len(w.list)] = -1
		for k := range args {
			if !args[k].one {
				args[k] = Vector{kind: text, n: len(codes), codes: codes, words: w}
			}
		}
		table := r.q.apply(text1, args, len(codes))
		if table.kind == null {
			return known(constant(value{}))
		}
		out := made(table.kind, table.words, []node{only}, func(lo, hi int) Vector {
			v := only.part(lo, hi)
			rows := slices.Clone(v.codes)
			for i, c := range rows {
				if c < 0 {
					rows[i] = int32(len(w.list))
				}
			}
			out := table.take(rows)
			out.one = v.one
			return out
		})
		out.mixed = table.whole != nil
		return out
	}
	v := r.q.apply(text1, args, r.n)
	r.keyed[e.key()] = v
	return known(v)
}

// To compute a function of more than manyRows rows, SQLite takes about as long as for a statement
// that only selects rows. For maxCalls functions, it takes less than for grouping or sorting these
// rows.
const (
	manyRows = 10_000
	maxCalls = 3
)

// literal returns the value as SQL.
func (v value) literal() string {
	switch v.kind {
	case integer, boolean:
		return strconv.FormatInt(v.i, 10)
	case text:
		return "'" + strings.ReplaceAll(v.s, "'", "''") + "'"
	}
	return "null"
}
