package vector

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/gokernel/gokernel/mlstd/internal/par"
)

// node is a compiled expression. Its kind, and for text its words, are known before its values are.
type node struct {
	kind  kind
	mixed bool // of floats: some may be integers
	words *words
	whole *Vector // the values, if they exist already; a single value if it is constant
	part  func(lo, hi int) Vector
}

func known(v Vector) node {
	return node{kind: v.kind, mixed: v.whole != nil, words: v.words, whole: &v, part: v.part}
}

func (n node) constant() bool { return n.whole != nil && n.whole.one }

// made returns a node that computes each value from the nodes' values.
func made(k kind, w *words, nodes []node, part func(lo, hi int) Vector) node {
	n := node{kind: k, words: w, part: part}
	for _, a := range nodes {
		if !a.constant() {
			return n
		}
	}
	v := part(0, 1)
	if v.kind != boolean && v.missing(0) {
		return known(constant(value{}))
	}
	v.one = true
	return known(v)
}

// values computes a node for all rows of the relation. The result can have a single value.
func (r *relation) values(n node) Vector {
	if n.whole != nil {
		return *n.whole
	}
	parts := make([]Vector, (r.n+grain-1)/grain)
	par.Range(r.n, grain, func(lo, hi int) {
		r.q.check()
		parts[lo/grain] = n.part(lo, hi).full(hi - lo)
	})
	v := concat(parts, r.n)
	if v.kind == null && n.kind != null {
		v = missingOf(n, r.n)
	}
	return v
}

// missingOf returns n missing values of the kind of a node.
func missingOf(of node, n int) Vector {
	rows := make([]int32, n)
	for i := range rows {
		rows[i] = -1
	}
	w := of.words
	if w == nil && of.kind == text {
		w = &words{}
	}
	return Vector{kind: of.kind, words: w}.take(rows)
}

// step returns the factor of a row number: 0 for a single value.
func (v *Vector) step() int {
	if v.one {
		return 0
	}
	return -1
}

// goneOf returns the rows in which one of the vectors has a missing value, or nil.
func goneOf(n int, list ...*Vector) []bool {
	var gone []bool
	for _, v := range list {
		if v.kind != null && v.kind != float && v.kind != text && v.gone == nil {
			continue
		}
		m := v.step()
		for i := range n {
			if v.missing(i & m) {
				if gone == nil {
					gone = make([]bool, n)
				}
				gone[i] = true
			}
		}
	}
	return gone
}

// truth returns the node as booleans.
func truth(a node) node {
	switch a.kind {
	case boolean:
		return a
	case null:
		return known(Vector{kind: boolean, n: 1, one: true, bools: []bool{false}, gone: []bool{true}})
	case text:
		leave("a string as a condition")
	}
	return made(boolean, nil, []node{a}, func(lo, hi int) Vector {
		v := a.part(lo, hi)
		n := length(hi-lo, v)
		out := Vector{kind: boolean, n: n, bools: make([]bool, n), gone: goneOf(n, &v)}
		for i := range out.bools {
			if v.kind == integer {
				out.bools[i] = v.ints[i] != 0
			} else {
				out.bools[i] = v.floats[i] != 0 && v.floats[i] == v.floats[i]
			}
		}
		return single(out, v)
	})
}

// length returns n, or 1 if all vectors have a single value.
func length(n int, list ...Vector) int {
	for _, v := range list {
		if !v.one {
			return n
		}
	}
	return 1
}

// single marks the result as a single value if all operands are.
func single(out Vector, list ...Vector) Vector {
	for _, v := range list {
		if !v.one {
			return out
		}
	}
	out.one = true
	return out
}

func not(a node) node {
	a = truth(a)
	return made(boolean, nil, []node{a}, func(lo, hi int) Vector {
		v := a.part(lo, hi)
		out := v
		out.bools = make([]bool, len(v.bools))
		for i, b := range v.bools {
			out.bools[i] = !b
		}
		return out
	})
}

// join is a and b, or a or b, in three-valued logic.
func join(or bool, a, b node) node {
	a, b = truth(a), truth(b)
	return made(boolean, nil, []node{a, b}, func(lo, hi int) Vector {
		x, y := a.part(lo, hi), b.part(lo, hi)
		n := length(hi-lo, x, y)
		mx, my := x.step(), y.step()
		out := Vector{kind: boolean, n: n, bools: make([]bool, n)}
		if x.gone == nil && y.gone == nil {
			for i := range n {
				p, q := x.bools[i&mx], y.bools[i&my]
				out.bools[i] = or && (p || q) || p && q
			}
			return single(out, x, y)
		}
		out.gone = make([]bool, n)
		for i := range n {
			p, q := x.bools[i&mx] == or, y.bools[i&my] == or
			pm, qm := x.missing(i&mx), y.missing(i&my)
			switch {
			case p && !pm || q && !qm:
				out.bools[i] = or
			case pm || qm:
				out.gone[i] = true
			default:
				out.bools[i] = !or
			}
		}
		return single(out, x, y)
	})
}

func number2(a, b node) {
	if a.kind == text || b.kind == text {
		leave("arithmetic with strings")
	}
}

// arithmetic returns a op b for numbers.
func arithmetic(op string, a, b node) node {
	number2(a, b)
	if a.kind == null || b.kind == null {
		return known(constant(value{}))
	}
	if a.mixed && (b.mixed || b.kind != float) || b.mixed && a.kind != float {
		leave("arithmetic with a case of integers and floats")
	}
	if a.kind == float || b.kind == float {
		if op == "%" {
			leave("%% with floats")
		}
		return made(float, nil, []node{a, b}, func(lo, hi int) Vector {
			x, y := a.part(lo, hi).asFloats(), b.part(lo, hi).asFloats()
			n := length(hi-lo, x, y)
			out := Vector{kind: float, n: n, floats: make([]float64, n)}
			arithmeticFloats(op, x.floats, y.floats, x.step(), y.step(), out.floats)
			return single(out, x, y)
		})
	}
	return made(integer, nil, []node{a, b}, func(lo, hi int) Vector {
		x, y := a.part(lo, hi).asInts(), b.part(lo, hi).asInts()
		n := length(hi-lo, x, y)
		out := Vector{kind: integer, n: n, ints: make([]int64, n), gone: goneOf(n, &x, &y)}
		arithmeticInts(op, x, y, &out)
		return single(out, x, y)
	})
}

func arithmeticFloats(op string, x, y []float64, mx, my int, out []float64) {
	switch op {
	case "+":
		for i := range out {
			out[i] = x[i&mx] + y[i&my]
		}
	case "-":
		for i := range out {
			out[i] = x[i&mx] - y[i&my]
		}
	case "*":
		for i := range out {
			out[i] = x[i&mx] * y[i&my]
		}
	case "/":
		for i := range out {
			if d := y[i&my]; d != 0 {
				out[i] = x[i&mx] / d
			} else {
				out[i] = math.NaN()
			}
		}
	}
}

// arithmeticInts leaves the statement if the result of SQLite is a float.
func arithmeticInts(op string, x, y Vector, out *Vector) {
	mx, my := x.step(), y.step()
	const overflow = "an integer overflow"
	switch op {
	case "+":
		for i := range out.ints {
			p, q := x.ints[i&mx], y.ints[i&my]
			s := p + q
			if (s > p) != (q > 0) && q != 0 {
				leave(overflow)
			}
			out.ints[i] = s
		}
	case "-":
		for i := range out.ints {
			p, q := x.ints[i&mx], y.ints[i&my]
			s := p - q
			if (s < p) != (q > 0) && q != 0 {
				leave(overflow)
			}
			out.ints[i] = s
		}
	case "*":
		for i := range out.ints {
			p, q := x.ints[i&mx], y.ints[i&my]
			s := p * q
			if (p > math.MaxInt32 || p < math.MinInt32 || q > math.MaxInt32 || q < math.MinInt32) && p != 0 &&
				(s/p != q || p == -1 && q == math.MinInt64) {
				leave(overflow)
			}
			out.ints[i] = s
		}
	case "/", "%":
		if out.gone == nil {
			out.gone = make([]bool, out.n)
		}
		for i := range out.ints {
			p, q := x.ints[i&mx], y.ints[i&my]
			switch {
			case q == 0:
				out.gone[i] = true
			case q == -1 && p == math.MinInt64:
				leave(overflow)
			case op == "/":
				out.ints[i] = p / q
			default:
				out.ints[i] = p % q
			}
		}
	}
}

func negative(a node) node {
	switch a.kind {
	case null:
		return a
	case text:
		leave("arithmetic with strings")
	case float:
		if a.constant() && a.whole.floats[0] == 0 {
			leave("-0.0")
		}
	}
	return arithmetic("-", known(constant(value{kind: integer})), a)
}

const exactInts = 1 << 53 // up to here, floats represent all integers

// alike returns the vectors as two of integers or two of floats.
func alike(x, y Vector) (Vector, Vector) {
	x, y = x.asInts(), y.asInts()
	if x.kind == y.kind {
		return x, y
	}
	for _, v := range []Vector{x, y} {
		for _, i := range v.ints {
			if i > exactInts || i < -exactInts {
				leave("a large integer beside a float")
			}
		}
	}
	return x.asFloats(), y.asFloats()
}

func order[T cmp.Ordered](op string, x, y []T, mx, my int, out []bool) {
	switch op {
	case "=":
		for i := range out {
			out[i] = x[i&mx] == y[i&my]
		}
	case "<>":
		for i := range out {
			out[i] = x[i&mx] != y[i&my]
		}
	case "<":
		for i := range out {
			out[i] = x[i&mx] < y[i&my]
		}
	case "<=":
		for i := range out {
			out[i] = x[i&mx] <= y[i&my]
		}
	case ">":
		for i := range out {
			out[i] = x[i&mx] > y[i&my]
		}
	case ">=":
		for i := range out {
			out[i] = x[i&mx] >= y[i&my]
		}
	}
}

var mirrored = map[string]string{"=": "=", "<>": "<>", "<": ">", "<=": ">=", ">": "<", ">=": "<="}

// compare returns a op b for an operator such as <.
func compare(op string, a, b node) node {
	if a.kind == null || b.kind == null {
		return truth(known(constant(value{})))
	}
	if (a.kind == text) != (b.kind == text) {
		leave("a comparison of a string and a number")
	}
	if a.kind != text {
		return made(boolean, nil, []node{a, b}, func(lo, hi int) Vector {
			x, y := alike(a.part(lo, hi), b.part(lo, hi))
			n := length(hi-lo, x, y)
			out := Vector{kind: boolean, n: n, bools: make([]bool, n), gone: goneOf(n, &x, &y)}
			if x.kind == integer {
				order(op, x.ints, y.ints, x.step(), y.step(), out.bools)
			} else {
				order(op, x.floats, y.floats, x.step(), y.step(), out.bools)
			}
			return single(out, x, y)
		})
	}
	if a.constant() {
		a, b, op = b, a, mirrored[op]
	}
	if b.constant() {
		s := b.words.list[b.whole.codes[0]]
		return a.test(func(w string) bool {
			out := []bool{false}
			order(op, []string{w}, []string{s}, 0, 0, out)
			return out[0]
		})
	}
	return made(boolean, nil, []node{a, b}, func(lo, hi int) Vector {
		x, y := a.part(lo, hi), b.part(lo, hi)
		n := length(hi-lo, x, y)
		out := Vector{kind: boolean, n: n, bools: make([]bool, n), gone: goneOf(n, &x, &y)}
		mx, my := x.step(), y.step()
		if (op == "=" || op == "<>") && x.words == y.words {
			order(op, x.codes, y.codes, mx, my, out.bools)
			return single(out, x, y)
		}
		for i := range n {
			if p, q := x.codes[i&mx], y.codes[i&my]; p >= 0 && q >= 0 {
				order(op, x.words.list[p:p+1], y.words.list[q:q+1], 0, 0, out.bools[i:i+1])
			}
		}
		return single(out, x, y)
	})
}

// test returns f of each string; f is called once for each word.
func (a node) test(f func(string) bool) node {
	table := make([]bool, len(a.words.list))
	par.Range(len(table), grain, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			table[i] = f(a.words.list[i])
		}
	})
	return made(boolean, nil, []node{a}, func(lo, hi int) Vector {
		v := a.part(lo, hi)
		out := Vector{kind: boolean, n: v.n, one: v.one, bools: make([]bool, len(v.codes)), gone: goneOf(len(v.codes), &v)}
		for i, c := range v.codes {
			if c >= 0 {
				out.bools[i] = table[c]
			}
		}
		return out
	})
}

func isNull(a node) node {
	return made(boolean, nil, []node{a}, func(lo, hi int) Vector {
		v := a.part(lo, hi)
		n := length(hi-lo, v)
		out := Vector{kind: boolean, n: n, bools: make([]bool, n)}
		for i := range n {
			out.bools[i] = v.missing(i)
		}
		return single(out, v)
	})
}

// like is SQLite's like: % is any string, _ any character, and the two cases of ASCII letters are
// equal.
func like(a node, pattern string, escape rune) node {
	check := func(s string) {
		if !utf8.ValidString(s) || strings.Contains(s, "\x00") {
			leave("like of a string that is not UTF-8")
		}
	}
	check(pattern)
	if len(pattern) > 1000 {
		leave("like with a long pattern")
	}
	p := []rune(pattern)
	return a.test(func(w string) bool {
		check(w)
		return likeRunes(p, []rune(w), escape) == matched
	})
}

func fold(r rune) rune {
	if r >= 'A' && r <= 'Z' {
		return r + 'a' - 'A'
	}
	return r
}

// The results of likeRunes. If the string is too short for the rest of a pattern, a wildcard before
// doesn't try shorter strings.
const (
	matched = iota
	different
	tooShort
)

func likeRunes(p, s []rune, escape rune) int {
	for len(p) > 0 {
		c := p[0]
		p = p[1:]
		switch {
		case c == escape && escape != 0:
			if len(p) == 0 || len(s) == 0 || fold(p[0]) != fold(s[0]) {
				return different
			}
			p, s = p[1:], s[1:]
		case c == '%':
			for len(p) > 0 && (p[0] == '%' || p[0] == '_') && !(p[0] == escape) {
				if p[0] == '_' {
					if len(s) == 0 {
						return tooShort
					}
					s = s[1:]
				}
				p = p[1:]
			}
			if len(p) == 0 {
				return matched
			}
			for k := range len(s) + 1 {
				if is := likeRunes(p, s[k:], escape); is != different {
					return is
				}
			}
			return tooShort
		case len(s) == 0 || c != '_' && fold(c) != fold(s[0]):
			return different
		default:
			s = s[1:]
		}
	}
	if len(s) == 0 {
		return matched
	}
	return different
}

// choose returns, for each row, the result of the first true condition. There is one more result
// than conditions: the value if none is true.
func choose(conditions, results []node) node {
	n := node{}
	floats, ints := false, false
	var list []*words
	for _, r := range results {
		if r.kind == null {
			continue
		}
		if n.kind != null && (n.kind == text) != (r.kind == text) {
			leave("a case of strings and numbers")
		}
		floats = floats || r.kind == float
		ints = ints || r.kind == integer || r.kind == boolean || r.mixed
		switch {
		case r.kind == text:
			n.kind = text
			if !slices.Contains(list, r.words) {
				list = append(list, r.words)
			}
		case n.kind == null:
			n.kind = r.kind
		case n.kind != r.kind:
			n.kind = integer
		}
	}
	if floats {
		n.kind, n.mixed = float, ints
	}
	codes := map[*words][]int32{}
	if n.kind == text {
		n.words, codes = union(list)
	}
	all := append(slices.Clone(conditions), results...)
	for i := range conditions {
		conditions[i] = truth(conditions[i])
	}
	out := made(n.kind, n.words, all, func(lo, hi int) Vector {
		size := hi - lo
		pick := make([]uint16, size)
		for i := range pick {
			pick[i] = uint16(len(conditions))
		}
		for k := len(conditions) - 1; k >= 0; k-- {
			c := conditions[k].part(lo, hi)
			m := c.step()
			for i := range pick {
				if c.bools[i&m] && !c.missing(i&m) {
					pick[i] = uint16(k)
				}
			}
		}
		v := missingOf(n, size)
		if n.mixed {
			v.whole = make([]bool, size)
		}
		for k, r := range results {
			if r.kind == null {
				continue
			}
			x := r.part(lo, hi)
			if n.kind != x.kind {
				x = x.asInts()
			}
			whole := x.kind == integer
			if n.kind == float && whole {
				_, x = alike(v, x)
			}
			m := x.step()
			remap := codes[x.words]
			for i, p := range pick {
				j := i & m
				if int(p) != k || x.missing(j) {
					continue
				}
				switch n.kind {
				case integer:
					v.ints[i], v.gone[i] = x.ints[j], false
				case boolean:
					v.bools[i], v.gone[i] = x.bools[j], false
				case float:
					v.floats[i] = x.floats[j]
					if n.mixed {
						v.whole[i] = whole || x.whole != nil && x.whole[j]
					}
				case text:
					v.codes[i] = x.codes[j]
					if remap != nil {
						v.codes[i] = remap[x.codes[j]]
					}
				}
			}
		}
		return v
	})
	if out.constant() {
		return known(constant(out.whole.single()))
	}
	out.mixed = n.mixed
	return out
}

// union returns the words of all lists, and the new codes of each list, or nil for unchanged codes.
func union(list []*words) (*words, map[*words][]int32) {
	codes := map[*words][]int32{}
	if len(list) == 1 {
		return list[0], codes
	}
	all := newLexicon()
	for _, w := range list {
		to := make([]int32, len(w.list))
		for i, s := range w.list {
			to[i] = all.code(s)
		}
		codes[w] = to
	}
	return all.words, codes
}
