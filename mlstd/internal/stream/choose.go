package stream

import (
	"math"
	"slices"
	"strings"

	"github.com/gokernel/gokernel/mlstd/frame"
	"github.com/gokernel/gokernel/mlstd/frame/lazy"
	"github.com/gokernel/gokernel/mlstd/internal/raw"
)

func init() {
	raw.Eager = func(f, expression any) (any, bool, error) {
		c, ok := expression.(*lazy.Column)
		if !ok {
			return nil, false, nil
		}
		out, err := computed(f.(*frame.Frame), c)
		return out, true, err
	}
}

// computed computes an expression for the rows of a frame in memory.
func computed(f *frame.Frame, c *lazy.Column) (out *frame.Column, err error) {
	defer rescue(&err)
	const name = "value"
	in := lazy.FromSource(nil, Memory(f), f).With(name, c).Select(name)
	all, err := Collect(in, Options{})
	if err != nil {
		return nil, err
	}
	return all.Col(name), nil
}

// choose computes the operations that can choose between values: if, case, in, sum, exp, log and
// infinity. It computes row by row, so that only the chosen values cost time.
func choose(c *lazy.Column, b *frame.Frame) (*frame.Column, bool) {
	x := lazy.ExprOf(c)
	if !chooses(x.Op) {
		return nil, false
	}
	r := newByRow(b)
	n := b.Len()
	const name = "value"
	switch x.Kind {
	case frame.FloatKind:
		v, at := make([]float64, n), r.float(c)
		for i := range v {
			v[i] = at(i)
		}
		return frame.FloatColumn(name, v), true
	case frame.BoolKind:
		v, at := make([]bool, n), r.truth(c)
		var gone []uint64
		for i := range v {
			t := at(i)
			if v[i] = t == yes; t == unknown {
				gone = marked(gone, i, n)
			}
		}
		out := frame.BoolColumn(name, v)
		if gone != nil {
			out = out.MarkMissing(gone)
		}
		return out, true
	case frame.StringKind:
		words := map[string]int32{}
		var list []string
		v, at := make([]int32, n), r.text(c)
		for i := range v {
			s, ok := at(i)
			if !ok {
				v[i] = -1
				continue
			}
			k, ok := words[s]
			if !ok {
				k = int32(len(list))
				words[s], list = k, append(list, s)
			}
			v[i] = k
		}
		return frame.StringCodes(name, v, list), true
	}
	return r.picked(x), true
}

func chooses(op string) bool {
	switch op {
	case "if", "case", "in", "sum", "exp", "log", "infinity":
		return true
	}
	return false
}

// cheap reports whether an expression is so small that a filter can compute it below the step that
// computes it for the result.
func cheap(c *lazy.Column) bool {
	const most = 64
	n := 0
	var count func(c *lazy.Column)
	count = func(c *lazy.Column) {
		n++
		for _, a := range lazy.ExprOf(c).Args {
			if n < most {
				count(a)
			}
		}
	}
	count(c)
	return n < most
}

// described writes an operation of choose for Explain. Long ones are cut.
func described(x lazy.Expr) string {
	const most = 200
	var b strings.Builder
	b.WriteString(x.Op + "(")
	for i, a := range x.Args {
		if i > 0 {
			b.WriteString(", ")
		}
		if b.Len() > most {
			b.WriteString("…")
			break
		}
		b.WriteString(text(a))
	}
	b.WriteString(")")
	return b.String()
}

func marked(bits []uint64, i, n int) []uint64 {
	if bits == nil {
		bits = make([]uint64, (n+63)/64)
	}
	bits[i>>6] |= 1 << (i & 63)
	return bits
}

// truth is a value of a mask.
type truth int8

const (
	no truth = iota
	yes
	unknown
)

func truthOf(b bool) truth {
	if b {
		return yes
	}
	return no
}

// byRow makes functions of the row of a batch. It computes operations that it does not know as
// columns.
type byRow struct {
	b       *frame.Frame
	columns map[*lazy.Column]*frame.Column
	numbers map[*lazy.Column][]float64
	texts   map[*lazy.Column]*raw.Column // with dictionaries
}

func newByRow(b *frame.Frame) *byRow {
	return &byRow{b, map[*lazy.Column]*frame.Column{}, map[*lazy.Column][]float64{}, map[*lazy.Column]*raw.Column{}}
}

// floats returns the numbers of a column.
func (r *byRow) floats(c *lazy.Column) []float64 {
	v, ok := r.numbers[c]
	if !ok {
		v = r.column(c).Floats()
		r.numbers[c] = v
	}
	return v
}

// strings returns the strings of a column with a dictionary.
func (r *byRow) strings(c *lazy.Column) *raw.Column {
	v, ok := r.texts[c]
	if !ok {
		u := raw.Of(r.column(c))
		if v = &u; v.Codes == nil {
			v.Codes = make([]int32, len(v.Texts))
			at := map[string]int32{}
			for i, s := range v.Texts {
				k, ok := at[s]
				if !ok {
					k = int32(len(v.Words))
					at[s], v.Words = k, append(v.Words, s)
				}
				if v.Codes[i] = k; v.IsMissing(i) {
					v.Codes[i] = -1
				}
			}
		}
		r.texts[c] = v
	}
	return v
}

func (r *byRow) column(c *lazy.Column) *frame.Column {
	out, ok := r.columns[c]
	if !ok {
		out = column(c, r.b)
		r.columns[c] = out
	}
	return out
}

// decision returns the position of the value that an if or a case chooses, or −1 for none.
func (r *byRow) decision(x lazy.Expr) func(i int) int {
	if x.Op == "if" {
		mask := r.truth(x.Args[0])
		return func(i int) int {
			switch mask(i) {
			case yes:
				return 1
			case no:
				return 2
			}
			return -1
		}
	}
	n := len(x.Args)
	rest := -1
	if n%2 == 1 {
		rest = n - 1
	}
	if codes, at := r.keys(x, rest); at != nil {
		return func(i int) int { return at[codes[i]+1] }
	}
	masks := make([]func(int) bool, n/2)
	for k := range masks {
		masks[k] = r.yes(x.Args[2*k])
	}
	return func(i int) int {
		for k, mask := range masks {
			if mask(i) {
				return 2*k + 1
			}
		}
		return rest
	}
}

// keys returns the codes of a column, and the position of the value for each code + 1, if all masks
// of a case compare that column with strings. Otherwise it returns nil.
func (r *byRow) keys(x lazy.Expr, rest int) (codes []int32, at []int) {
	positions := map[string]int{}
	var of *lazy.Column
	for k := 0; k+1 < len(x.Args); k += 2 {
		m := lazy.ExprOf(x.Args[k])
		if m.Op != "=" && m.Op != "in" || of != nil && m.Args[0] != of || m.Args[0].Kind() != frame.StringKind {
			return nil, nil
		}
		of = m.Args[0]
		for _, a := range m.Args[1:] {
			s, ok := lazy.ExprOf(a).Value.(string)
			if !ok {
				return nil, nil
			}
			if _, ok := positions[s]; !ok {
				positions[s] = k + 1
			}
		}
	}
	v := r.strings(of)
	at = slices.Repeat([]int{rest}, len(v.Words)+1)
	for code, s := range v.Words {
		if k, ok := positions[s]; ok {
			at[code+1] = k
		}
	}
	return v.Codes, at
}

// yes returns whether a mask is true in a row.
func (r *byRow) yes(c *lazy.Column) func(i int) bool {
	x := lazy.ExprOf(c)
	if _, ok := flipped[x.Op]; ok && len(x.Args) == 2 {
		limit, ok := lazy.ExprOf(x.Args[1]).Value.(float64)
		if of := lazy.ExprOf(x.Args[0]); ok && of.Op == "column" && isNumber(of.Kind) {
			v := r.floats(x.Args[0])
			switch x.Op {
			case "<=":
				return func(i int) bool { return v[i] <= limit }
			case ">":
				return func(i int) bool { return v[i] > limit }
			}
		}
	}
	mask := r.truth(c)
	return func(i int) bool { return mask(i) == yes }
}

// choices makes a function of each value of an if or a case; masks have none.
func choices[T any](x lazy.Expr, of func(*lazy.Column) func(int) T) []func(int) T {
	out := make([]func(int) T, len(x.Args))
	for k, a := range x.Args {
		if isValue(x, k) {
			out[k] = of(a)
		}
	}
	return out
}

// isValue reports whether the argument at position k of an if or a case is a value.
func isValue(x lazy.Expr, k int) bool {
	if x.Op == "if" {
		return k > 0
	}
	return k%2 == 1 || k == len(x.Args)-1
}

// float returns the number of a row, or NaN if it is missing.
func (r *byRow) float(c *lazy.Column) func(i int) float64 {
	x := lazy.ExprOf(c)
	switch x.Op {
	case "literal":
		v := math.NaN()
		switch value := x.Value.(type) {
		case float64:
			v = value
		case int64:
			v = float64(value)
		}
		return func(int) float64 { return v }
	case "infinity":
		return func(int) float64 { return math.Inf(1) }
	case "if", "case":
		if x.Op == "case" && len(x.Args) == 3 {
			mask, a, b := r.yes(x.Args[0]), r.float(x.Args[1]), r.float(x.Args[2])
			return func(i int) float64 {
				if mask(i) {
					return a(i)
				}
				return b(i)
			}
		}
		which, of := r.decision(x), choices(x, r.float)
		return func(i int) float64 {
			if k := which(i); k >= 0 {
				return of[k](i)
			}
			return math.NaN()
		}
	case "sum":
		terms := choices(lazy.Expr{Op: "if", Args: append([]*lazy.Column{nil}, x.Args...)}, r.float)[1:]
		return func(i int) float64 {
			s := terms[0](i)
			for _, t := range terms[1:] {
				s += t(i)
			}
			return s
		}
	case "exp", "log":
		v, f := r.float(x.Args[0]), math.Exp
		if x.Op == "log" {
			f = math.Log
		}
		return func(i int) float64 { return f(v(i)) }
	case "+", "-", "*", "/":
		if x.Kind == frame.FloatKind {
			return arithmetic(x.Op, r.float(x.Args[0]), r.float(x.Args[1]))
		}
	case "fill":
		if x.Kind == frame.FloatKind {
			v, rest := r.float(x.Args[0]), r.float(x.Args[1])
			return func(i int) float64 {
				if v := v(i); v == v {
					return v
				}
				return rest(i)
			}
		}
	case "float":
		if k := x.Args[0].Kind(); k != frame.BoolKind {
			return r.float(x.Args[0])
		}
	}
	v := r.floats(c)
	return func(i int) float64 { return v[i] }
}

func arithmetic(op string, a, b func(i int) float64) func(i int) float64 {
	switch op {
	case "+":
		return func(i int) float64 { return a(i) + b(i) }
	case "-":
		return func(i int) float64 { return a(i) - b(i) }
	case "*":
		return func(i int) float64 { return a(i) * b(i) }
	}
	return func(i int) float64 { return a(i) / b(i) }
}

// truth returns the value of a mask in a row.
func (r *byRow) truth(c *lazy.Column) func(i int) truth {
	x := lazy.ExprOf(c)
	switch x.Op {
	case "if", "case":
		which, of := r.decision(x), choices(x, r.truth)
		return func(i int) truth {
			if k := which(i); k >= 0 {
				return of[k](i)
			}
			return unknown
		}
	case "and", "or":
		a, b, end := r.truth(x.Args[0]), r.truth(x.Args[1]), no
		if x.Op == "or" {
			end = yes
		}
		return func(i int) truth {
			s := a(i)
			if s == end {
				return s
			}
			t := b(i)
			if t == end || s != unknown {
				return t
			}
			return unknown
		}
	case "not":
		a := r.truth(x.Args[0])
		return func(i int) truth {
			switch t := a(i); t {
			case yes:
				return no
			case no:
				return yes
			}
			return unknown
		}
	case "in":
		return r.among(x)
	case "isna":
		if x.Args[0].Kind() == frame.FloatKind {
			v := r.float(x.Args[0])
			return func(i int) truth { return truthOf(math.IsNaN(v(i))) }
		}
	case "=", "<>", "<", "<=", ">", ">=":
		if _, ok := lazy.ExprOf(x.Args[1]).Value.(string); ok && x.Op == "=" && x.Args[0].Kind() == frame.StringKind {
			return r.among(x)
		}
		if a, b := x.Args[0].Kind(), x.Args[1].Kind(); a == frame.FloatKind && isNumber(b) || isNumber(a) && b == frame.FloatKind {
			return comparison(x.Op, r.float(x.Args[0]), r.float(x.Args[1]))
		}
	}
	v := raw.Of(r.column(c))
	return func(i int) truth {
		if v.IsMissing(i) {
			return unknown
		}
		return truthOf(v.Bools[i])
	}
}

// among returns whether a string is one of some literals.
func (r *byRow) among(x lazy.Expr) func(i int) truth {
	v := r.strings(x.Args[0])
	words := map[string]bool{}
	for _, a := range x.Args[1:] {
		words[lazy.ExprOf(a).Value.(string)] = true
	}
	of := make([]truth, len(v.Words)+1)
	of[0] = unknown
	for code, s := range v.Words {
		of[code+1] = truthOf(words[s])
	}
	return func(i int) truth { return of[v.Codes[i]+1] }
}

func isNumber(k frame.Kind) bool { return k == frame.FloatKind || k == frame.IntKind }

func comparison(op string, a, b func(i int) float64) func(i int) truth {
	with := func(compare func(v, w float64) bool) func(i int) truth {
		return func(i int) truth {
			v, w := a(i), b(i)
			if v != v || w != w {
				return unknown
			}
			return truthOf(compare(v, w))
		}
	}
	switch op {
	case "=":
		return with(func(v, w float64) bool { return v == w })
	case "<>":
		return with(func(v, w float64) bool { return v != w })
	case "<":
		return with(func(v, w float64) bool { return v < w })
	case "<=":
		return with(func(v, w float64) bool { return v <= w })
	case ">":
		return with(func(v, w float64) bool { return v > w })
	}
	return with(func(v, w float64) bool { return v >= w })
}

// word is a string that may be missing.
type word struct {
	s  string
	ok bool
}

// text returns the string of a row, and whether there is one.
func (r *byRow) text(c *lazy.Column) func(i int) (string, bool) {
	w := r.word(c)
	return func(i int) (string, bool) { v := w(i); return v.s, v.ok }
}

func (r *byRow) word(c *lazy.Column) func(i int) word {
	x := lazy.ExprOf(c)
	switch x.Op {
	case "literal":
		s, ok := x.Value.(string)
		return func(int) word { return word{s, ok} }
	case "if", "case":
		which, of := r.decision(x), choices(x, r.word)
		return func(i int) word {
			if k := which(i); k >= 0 {
				return of[k](i)
			}
			return word{}
		}
	}
	v := raw.Of(r.column(c))
	return func(i int) word { return word{v.Text(i), !v.IsMissing(i)} }
}

// picked computes an if or a case of integers or times: it takes the rows of the columns of the
// values.
func (r *byRow) picked(x lazy.Expr) *frame.Column {
	which := r.decision(x)
	n := r.b.Len()
	parts := make([]raw.Column, len(x.Args))
	var like *frame.Column
	for k, a := range x.Args {
		if isValue(x, k) && (lazy.ExprOf(a).Op != "literal" || lazy.ExprOf(a).Value != nil) {
			c := r.column(a)
			like, parts[k] = c, raw.Of(c)
		}
	}
	m := &maker{like: like}
	m.ints = make([]int64, n)
	for i := range n {
		k := which(i)
		if k < 0 || parts[k].Ints == nil || parts[k].IsMissing(i) {
			m.gap(i)
			continue
		}
		m.ints[i] = parts[k].Ints[i]
	}
	return m.column("value", n)
}
